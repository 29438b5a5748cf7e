"""Mutations of texts and of JSON values.

The result depends only on the value, on the texts that donate parts, and on the source of random numbers.  Bytes are mutated
as bytes (`mutate_bytes`), programs also by tokens and lines (`mutate_program`), schemas and side files by their tree
(`mutate_tree`) or as text (`mutate_text`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

Json: TypeAlias = Any  # results of the JSON and YAML parsers

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w-]*|\d[\w.]*|[ \t]+|\n|==|!=|<=|>=|&&|\|\||=>|\.\.\.|\$\{|%\{|.', re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][\w-]*\Z")
_ASSIGNMENT = re.compile(r"^([ \t]*[\w\"-]+[ \t]*=[ \t]*)(\S.*)$", re.MULTILINE)

TROUBLE: Sequence[str] = (
    *("\0", "\x01", "\x1b[31m", "\x7f", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\ufeff", "\u200b"),
    *("\u202e", "e\u0301", "\u0300" * 40, "\U0001f600", "ß", "ı", "＂", "\xa0", "\ud7ff", "\U0010ffff", "\t"),
    *('"', "'", "`", "\\", "\\\"", "\\u2028", "\\ud800", "\\u{0}", "\\x00", '"""', "'''", "*/", "/*", "//", "#", "--", "</script>"),
    *("${", "$${", "%{", "%%{", "}", "{", "(", ")", "[", "]", "<<EOT", "<<-X\n", "EOT\n", "...", "=>", "?", ":", ",", ";", "\n"),
    *("%{ if true }", "%{ endif ~}", "%{ for x in [1] }", "%{ endfor }", "${~ 1 ~}", "%s", "%d", "{0}", "{}", "$(id)"),
)
"""Texts that may be special to one of the readers or writers."""

NUMBERS: Sequence[str] = (
    *("0", "-1", "1", "2", "1.5", "-0", "0.1", "1e3", "1e21", "1e-7", "9007199254740993", "9223372036854775807"),
    *("9223372036854775808", "18446744073709551616", "1e308", "1e309", "1e-400", "1e9999999", "0x10", "1_000", "1.", "00", "1" * 400),
)

WORDS: Sequence[str] = (
    *("config", "resource", "output", "component", "pulumi", "package", "hook", "locals", "options", "range", "value", "for", "in", "if"),
    *("null", "true", "false", "self", "this", "int", "string", "number", "bool", "any", "object", "list", "map", "try", "can"),
    *("toJSON", "join", "length", "split", "lookup", "element", "entries", "secret", "unsecret", "readFile", "fileAsset", "stack"),
    *("invoke", "cwd", "project", "organization", "range", "toBase64", "filebase64", "singleOrNone", "notImplemented", "import"),
    *("class", "def", "None", "True", "await", "async", "function", "new", "var", "const", "let", "delete", "func", "go", "type"),
    *("err", "ctx", "args", "opts", "pulumi", "len", "str", "dict", "print", "String", "console", "Object", "constructor", "__proto__"),
    *("__logicalName", "toString", "prototype", "fmt", "json", "main", "init", "nil", "error", "append", "export", "default", "_"),
    *("dependsOn", "provider", "parent", "protect", "ignoreChanges", "customTimeouts", "aliases", "version", "hooks", "replaceWith"),
)

FRAMES: Sequence[tuple[str, str]] = (
    *(("(", ")"), ("[", "]"), ("{ a = ", " }"), ("!", ""), ("-", ""), ("try(", ", 1)"), ("can(", ")"), ("secret(", ")")),
    *(("[for x in ", " : x]"), ("{ for k, v in ", " : k => v }"), ('"${', '}"'), ("true ? ", " : null"), ("toJSON(", ")")),
    *(("length(", ")"), ("", "[0]"), ("", "[*].id"), ("", ".a"), ("", " == null"), ("", " + 1"), ("", " && true"), ("join(\",\", [", "])")),
    *(("element(", ", 1)"), ("lookup(", ', "a", 1)'), ("entries(", ")"), ("", "...")),
)
"""Frames around an expression."""


def mutate_program(text: bytes, donors: Sequence[bytes], rng: Random) -> bytes:
    """One to four mutations; the first mutations are the likeliest to leave a valid program."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        kind = rng.random()
        if kind < 0.15:
            text = mutate_bytes(text, donors, rng)
        else:
            source = text.decode("utf-8", errors="surrogateescape")
            donor = rng.choice(donors).decode("utf-8", errors="surrogateescape")
            change = rng.choice(_CHANGES)
            text = change(source, donor, rng).encode("utf-8", errors="surrogateescape")
    return text[: 1 << 16]


def mutate_text(text: str, donors: Sequence[str], rng: Random) -> bytes:
    """Mutate a text that is not a program: its bytes, or some of its words."""
    if rng.random() < 0.5:
        return mutate_bytes(text.encode(), [donor.encode() for donor in donors], rng)
    pieces = _TOKEN.findall(text)
    for _ in range(rng.randint(1, 3)):
        if pieces:
            pieces[rng.randrange(len(pieces))] = rng.choice((*TROUBLE, *NUMBERS, *WORDS, "", "!!int abc", "2001-99-99", "&a [*a]"))
    return "".join(pieces).encode()


def mutate_bytes(text: bytes, donors: Sequence[bytes], rng: Random) -> bytes:
    """One mutation of bytes: delete, insert, change or repeat some."""
    start = rng.randint(0, len(text))
    end = min(len(text), start + rng.choice((0, 1, 1, 2, 5, 20, 200)))
    kind = rng.randrange(7)
    if kind == 0:
        return text[:start] + text[end:]
    if kind == 1:
        return text[:start] + rng.choice(TROUBLE).encode() + text[end:]
    if kind == 2:
        return text[:start] + bytes([rng.randrange(256)]) + text[start + 1 :]
    if kind == 3:
        return text[:end] + text[start:end] * rng.choice((1, 2, 50)) + text[end:]
    if kind == 4:
        return text[:start]
    if kind == 5:
        donor = rng.choice(donors)
        at = rng.randint(0, len(donor))
        return text[:start] + donor[at : at + rng.choice((1, 10, 100))] + text[end:]
    return text[:start] + rng.choice(TROUBLE).encode() * rng.choice((2, 100)) + text[start:]


def _replace_token(text: str, donor: str, rng: Random) -> str:
    tokens, others = _TOKEN.findall(text), _TOKEN.findall(donor)
    if tokens:
        tokens[rng.randrange(len(tokens))] = rng.choice(
            (rng.choice(WORDS), rng.choice(NUMBERS), rng.choice(TROUBLE), rng.choice(others or [""]), rng.choice(tokens), "")
        )
    return "".join(tokens)


def _move_token(text: str, donor: str, rng: Random) -> str:
    tokens = _TOKEN.findall(text)
    if tokens:
        taken = tokens.pop(rng.randrange(len(tokens)))
        tokens[rng.randint(0, len(tokens)) : 0] = [taken] * rng.choice((1, 1, 2))
    return "".join(tokens)


def _rename(text: str, donor: str, rng: Random) -> str:
    """Rename one name everywhere."""
    names = sorted({token for token in _TOKEN.findall(text) if _WORD.match(token)})
    if not names:
        return text
    old, new = rng.choice(names), rng.choice((rng.choice(WORDS), rng.choice(names)))
    return "".join(new if token == old else token for token in _TOKEN.findall(text))


def _value(text: str, donor: str, rng: Random) -> str:
    """Replace the value of an attribute by that of another, by a number, or by itself within an expression."""
    assignments = list(_ASSIGNMENT.finditer(text))
    if not assignments:
        return text
    old = rng.choice(assignments)
    others = [match[2] for match in (*assignments, *_ASSIGNMENT.finditer(donor)) if match[2][-1] not in "({["]
    before, after = rng.choice(FRAMES)
    depth = rng.choice((1, 1, 2, 3, 30))
    framed = before * depth + old[2] + after * depth if old[2][-1] not in "({[" else old[2]
    new = rng.choice((framed, framed, rng.choice(others or [old[2]]), rng.choice(NUMBERS)))
    return text[: old.start(2)] + new + text[old.end(2) :]


def _lines(text: str, donor: str, rng: Random) -> str:
    """Delete, repeat or swap lines, or insert lines of another program."""
    lines, others = text.splitlines(keepends=True), donor.splitlines(keepends=True)
    if not lines:
        return donor
    at = rng.randrange(len(lines))
    size = rng.choice((1, 1, 2, 5))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[at : at + size]
    elif kind == 1:
        lines[at:at] = lines[at : at + size]
    elif kind == 2:
        moved = lines[at : at + size]
        del lines[at : at + size]
        place = rng.randint(0, len(lines))
        lines[place:place] = moved
    else:
        other = rng.randint(0, len(others))
        lines[at:at] = others[other : other + size]
    return "".join(lines)


def _blocks(text: str, donor: str, rng: Random) -> str:
    """Insert an item of another program, or repeat an item."""
    items = re.split(r"(?m)^(?=\w)", donor if rng.random() < 0.7 else text)
    own = re.split(r"(?m)^(?=\w)", text)
    own.insert(rng.randint(0, len(own)), rng.choice(items))
    return "".join(own)


_CHANGES: Sequence[Callable[[str, str, Random], str]] = (
    *(_value, _value, _value, _rename, _rename, _blocks, _blocks, _lines, _replace_token, _replace_token, _move_token),
)


def mutate_tree(tree: Json, rng: Random) -> Json:
    """One to three changes in a JSON value; the value itself is not modified."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        tree = _changed(tree, rng, tree)
    return tree


def mutate_numbers(tree: Json, rng: Random) -> Json:
    """Replace some numbers of a JSON value whose numbers are rows."""
    places = list(_numbers(tree, []))
    for place in rng.sample(places, min(len(places), rng.choice((1, 1, 2, 5)))):
        tree = _put(tree, place, rng)
    return tree


def _numbers(tree: Json, place: list[str | int]) -> Iterator[list[str | int]]:
    if isinstance(tree, dict | list):
        for key, inner in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _numbers(inner, [*place, key])
    elif isinstance(tree, int) and not isinstance(tree, bool):
        yield place


def _put(tree: Json, place: list[str | int], rng: Random) -> Json:
    if not place:
        return tree + rng.choice((-1, 1, 1, -2, 2, 7, -30)) if rng.random() < 0.7 else rng.randrange(40)
    key: Any = place[0]
    inner = _put(tree[key], place[1:], rng)
    if isinstance(tree, dict):
        return {**tree, key: inner}
    return [*tree[:key], inner, *tree[key + 1 :]]


def _changed(tree: Json, rng: Random, whole: Json) -> Json:
    if isinstance(tree, dict) and tree and rng.random() < 0.93:
        key = rng.choice(list(tree))
        kind = rng.random()
        if kind < 0.04:
            return {name: value for name, value in tree.items() if name != key}
        if kind < 0.09:
            return {(_word(rng) if name == key else name): value for name, value in tree.items()}
        if kind < 0.12:
            return {**tree, _word(rng): tree[key]}
        return {**tree, key: _changed(tree[key], rng, whole)}
    if isinstance(tree, list) and tree and rng.random() < 0.9:
        at = rng.randrange(len(tree))
        return [*tree[:at], _changed(tree[at], rng, whole), *tree[at + 1 :]]
    return _leaf(tree, rng, whole)


def _leaf(tree: Json, rng: Random, whole: Json) -> Json:
    kind = rng.randrange(9)
    if kind == 0 and isinstance(tree, str):
        at = rng.randint(0, len(tree))
        return tree[:at] + rng.choice(TROUBLE) + tree[at:]
    if kind == 1:
        return rng.choice((None, True, False, 0, -1, 1.5, 1e300, 10**30, "", [], {}))
    if kind == 2:
        return _word(rng)
    if kind == 3:
        return [tree]
    if kind == 4:
        return {_word(rng): tree}
    if kind == 5:
        return rng.choice(TROUBLE) * rng.choice((1, 30))
    if kind == 6 and isinstance(tree, str):
        return tree[::-1] if rng.random() < 0.3 else tree[: rng.randint(0, len(tree))]
    return _part(whole, rng)


def _part(whole: Json, rng: Random) -> Json:
    """A random part of the JSON value."""
    part = whole
    while isinstance(part, dict | list) and part and rng.random() < 0.85:
        part = rng.choice(list(part.values()) if isinstance(part, dict) else part)
    return part


def _word(rng: Random) -> str:
    return rng.choice(rng.choice((WORDS, WORDS, TROUBLE, NUMBERS)))
