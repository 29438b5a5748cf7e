"""The forms of nodes: the allowed shapes of sections, keys and calls, with a diagnostic for any other; values of scalars.

A node of a wrong form is reported, and is None. A plain scalar is None, a `bool`, an `int`, a `Decimal`, or the text,
according to the YAML that Pulumi reads (YAML 1.2 with octal, hexadecimal and binary numbers; `yes` and `on` are texts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml.access import Access, Text, parts_of
from pclgen.source.numbers import read_number
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlScalar

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS: Final = {word: value for value in (True, False) for word in (str(value), str(value).lower(), str(value).upper())}
_INTEGER: Final = re.compile(r"[-+]?(?:0x[0-9a-fA-F_]+|0o?[0-7_]+|0b[01_]+)")
_DECIMAL: Final = re.compile(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?")
_TEXT: Final = "tag:yaml.org,2002:str"


def value_of(scalar: YamlScalar) -> bool | int | Decimal | str | None:
    """Return the value of `scalar`.  A number that is out of the range of doubles is a text."""
    text = scalar.text
    if scalar.style != "plain" or scalar.tag == _TEXT:
        return text
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INTEGER.fullmatch(text) and text.strip("-+") != "0":
        return _integer(text.replace("_", ""))
    if _DECIMAL.fullmatch(text):
        number = read_number(text.replace("_", "").lstrip("+"))
        return text if number is None else number
    return text


def _integer(text: str) -> int | str:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").lower()
    base = {"0x": 16, "0b": 2}.get(digits[:2], 8)
    bare = digits.removeprefix("0x").removeprefix("0b").removeprefix("0o")
    return sign * int(bare, base) if bare and len(bare) <= 256 else text


def kind(node: YamlNode) -> str:
    """Describe the kind of `node` in words."""
    match node:
        case YamlMap():
            return "a mapping"
        case YamlList():
            return "a list"
        case YamlScalar():
            kinds = {"NoneType": "empty", "bool": "true or false", "str": "a text"}
            return kinds.get(type(value_of(node)).__name__, "a number")


def mapping(node: YamlNode, what: str, bag: DiagnosticBag) -> YamlMap | None:
    """Return `node` as a mapping; an empty value is an empty mapping."""
    if isinstance(node, YamlMap):
        return node
    if isinstance(node, YamlScalar) and value_of(node) is None:
        return YamlMap(pairs=(), span=node.span)
    bag.add(say.wrong_form(what, expected="a mapping", actual=kind(node), span=node.span))
    return None


def text(node: YamlNode, what: str, bag: DiagnosticBag) -> str | None:
    """Return the literal text of `node`, with `$$` as a dollar; `${ }` is an error."""
    if not isinstance(node, YamlScalar) or value_of(node) is None:
        bag.add(say.wrong_form(what, expected="a text", actual=kind(node), span=node.span))
        return None
    parts = parts_of(node, bag)
    if parts is None:
        return None
    if any(isinstance(part, Access) for part in parts):
        bag.add(say.wrong_form(what, expected="a text without `${ }`", actual=f"`{node.text}`", span=node.span))
        return None
    return "".join(part.value for part in parts if isinstance(part, Text))


def keys(
    node: YamlMap, place: str, keys: Sequence[str], bag: DiagnosticBag, *, quiet: bool = False
) -> Mapping[str, tuple[YamlScalar, YamlNode]]:
    """Return the values of the keys in `keys`, with the keys; report all others as unknown.

    Keys are read in any case.  Another case than that of `keys` is a warning, unless `quiet`.
    """
    values: dict[str, tuple[YamlScalar, YamlNode]] = {}
    for key, value in node.pairs:
        name = canonical_key(key.text, keys)
        if name is None:
            bag.add(say.unknown_key(key.text, place, keys, key.span))
        elif name in values:
            bag.add(say.repeated_key(key.text, name, key.span, values[name][0].span))
        else:
            if not quiet:
                note_case(key, name, bag)
            values[name] = (key, value)
    return values


def canonical_key(written: str, keys: Iterable[str]) -> str | None:
    """Return the name in `keys` that equals `written` in any case, or None."""
    names = tuple(keys)
    if written in names:
        return written
    return next((name for name in names if name.lower() == written.lower()), None)


def note_case(key: YamlScalar, name: str, bag: DiagnosticBag) -> None:
    """Warn when `key` is written in another case than `name`."""
    if key.text != name:
        bag.add(say.other_case(key.text, name, key.span))


def member(node: YamlNode, name: str) -> YamlNode | None:
    """Return the value of the key `name`, in any case, when `node` is a mapping that has it."""
    pairs = node.pairs if isinstance(node, YamlMap) else ()
    return next((value for key, value in pairs if key.text.lower() == name.lower()), None)
