"""The forms of files, sections and nodes: their allowed shapes, with a diagnostic for any other; values of scalars.

A program is one file.  When that is a `Main.yaml`, the project file beside it has configuration, too.

A node of a wrong form is reported, and is None. A plain scalar is None, a `bool`, an `int`, a `Decimal`, or the text,
according to the YAML that Pulumi reads (YAML 1.2 with octal, hexadecimal and binary numbers; `yes` and `on` are texts).

A text has parts: texts and paths to values (`Access`), each with its span; in a folded text or a text with escapes, that
is the span of the whole scalar.

    "http://${bucket.endpoints[0]}/"  ->  "http://", Access(bucket, "endpoints", 0), "/"
    "$${HOME} $$"                     ->  "${HOME} $"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.suggest import suggest
from pclgen.source.numbers import read_number
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlProblem, YamlScalar, YamlTree, read_tree
from pclgen.syntax.ast import LocalPackage

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
    node: YamlMap,
    place: str,
    keys: Sequence[str],
    bag: DiagnosticBag,
    *,
    quiet: bool = False,
    required: str | None = None,
    elsewhere: Callable[[str], str | None] | None = None,
) -> Mapping[str, tuple[YamlScalar, YamlNode]]:
    """Return the values of the keys in `keys`, with the keys; report all others as unknown.

    Keys are read in any case.  Another case than that of `keys` is a warning, unless `quiet`.  A misspelled `required` key
    is reported as missing, and its value returned.  `elsewhere` returns the help for a key that belongs to another mapping.
    """
    values: dict[str, tuple[YamlScalar, YamlNode]] = {}
    meant = required if required is not None and member(node, required) is None else None
    for key, value in node.pairs:
        name = canonical_key(key.text, keys)
        if name is None and meant is not None and meant not in values and meant == suggest(key.text, keys):
            bag.add(say.missing_key(meant, place, key.span, written=key.text))
            values[meant] = (key, value)
        elif name is None:
            hint = None if elsewhere is None else elsewhere(key.text)
            bag.add(say.unknown_key(key.text, place, keys, key.span, hint=hint))
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


# -- paths in texts ---------------------------------------------------------------------------------------------------------

_OPENING: Final = re.compile(r"\$\$|\$\{")
_BARE: Final = re.compile(r"[^.\[\]{}$\"\s]+")
_INDEX: Final = re.compile(r"\[\s*(\d{1,18})\s*\]")
_QUOTED: Final = re.compile(r'\[\s*"((?:[^"\\]|\\.)*)"\s*\]', re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Step(Struct, frozen=True, kw_only=True):
    """A step of a path: a member or an index."""

    key: str | int
    dotted: bool
    span: Span


class Access(Struct, frozen=True, kw_only=True):
    """The path in `${root.steps}`; the span includes `${` and `}`."""

    root: Step
    steps: tuple[Step, ...]
    span: Span


class Text(Struct, frozen=True, kw_only=True):
    """The text between paths, with `$$` resolved."""

    value: str
    span: Span


Part: TypeAlias = Text | Access


def parts_of(scalar: YamlScalar, bag: DiagnosticBag) -> tuple[Part, ...] | None:
    """Return the parts of a text; None after an error, which is reported to `bag`."""
    text = scalar.text
    if "$" not in text:
        return (Text(value=text, span=scalar.span),) if text else ()
    parts: list[Part] = []
    places = _Places(scalar)
    written = ""
    at = 0
    while opening := _OPENING.search(text, at):
        written += text[at : opening.start()]
        at = opening.end()
        if opening[0] == "$$":
            written += "$"
            continue
        if written:
            parts.append(Text(value=written, span=places.text(written)))
            written = ""
        reading = _Reading(text, at)
        access = reading.access(bag, places, opening.start())
        if access is None:
            return None
        parts.append(access)
        at = reading.at
    written += text[at:]
    if written:
        parts.append(Text(value=written, span=places.text(written)))
    return tuple(parts)


class _Places:
    """The positions in the file of a scalar's characters, found from one `${` to the next."""

    def __init__(self, scalar: YamlScalar) -> None:
        self.scalar = scalar
        self.written = scalar.span.text
        self.reached = 0
        self.moved: int | None = None
        """The difference between a position in the file and an offset in the text, near the last `${`."""

    def anchor(self, offset: int, inner: str) -> None:
        """Find the text `inner`, which begins with the `${` at `offset`, in the file."""
        position = self.written.find(inner, self.reached)
        self.moved = None if position < 0 else self.scalar.span.start + position - offset
        self.reached = self.reached if position < 0 else position + len(inner)

    def text(self, text: str) -> Span:
        """Return the span of `text`, the next part of the scalar."""
        position = self.written.find(text, self.reached)
        start = self.scalar.span.start + position
        return self.scalar.span if position < 0 else self.scalar.span.file.span(start, start + len(text))

    def span(self, start: int, end: int) -> Span:
        if self.moved is None:
            return self.scalar.span
        return self.scalar.span.file.span(start + self.moved, end + self.moved)


class _Reading:
    """The parser of the path inside one `${ }`."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def access(self, bag: DiagnosticBag, places: _Places, opened: int) -> Access | None:
        """Parse the path that begins here, after `${`; return None after an error."""
        start = self.at
        raw_steps = list(self._steps())
        closed = self.text.startswith("}", self.at)
        end = self.at + 1 if closed else min(len(self.text), self.at + 1)
        places.anchor(opened, self.text[opened:end])
        span = places.span(opened, end)
        if not closed:
            missing = self.at >= len(self.text)
            message = "`${` is not closed" if missing else f"`{self.text[self.at]}` is not allowed in ${{ }}"
            bag.add(say.bad_access(message, span))
            return None
        if not raw_steps or isinstance(raw_steps[0][0], int):
            bag.add(say.bad_access("`${}` names no value" if start == self.at else "${ } begins with a name", span))
            return None
        steps = [Step(key=key, dotted=dotted, span=places.span(a, b)) for key, dotted, a, b in raw_steps]
        self.at = end
        return Access(root=steps[0], steps=tuple(steps[1:]), span=span)

    def _steps(self) -> Iterator[tuple[str | int, bool, int, int]]:
        """Yield each key, whether it follows a dot, and its start and end; stop at anything else."""
        first = True
        while True:
            start = self.at
            dot = not first and self.text.startswith(".", start)
            bare = _BARE.match(self.text, start + dot) if first or dot else None
            if bare is not None:
                self.at = bare.end()
                yield bare[0], True, bare.start(), bare.end()
            elif (index := _INDEX.match(self.text, start + dot)) is not None:
                self.at = index.end()
                yield int(index[1]), False, index.start(), index.end()
            elif (quoted := _QUOTED.match(self.text, start + dot)) is not None:
                self.at = quoted.end()
                yield _ESCAPED.sub(r"\1", quoted[1]), False, quoted.start(), quoted.end()
            else:
                return
            first = False


# -- files and their sections -----------------------------------------------------------------------------------------------

PARTS: Final = ("resources", "variables", "outputs")
"""The sections of a program."""
SECTIONS: Final = ("config", "configuration", *PARTS)
_CONFIGURATION: Final = ("config", "configuration", "inputs")
"""The names of one section: a component's inputs are its configuration."""
PROJECT_KEYS: Final = (
    "author", "backend", "description", "license", "main", "name", "options", "packages", "plugins", "pulumi", "runtime",
    "stackConfigDir", "template", "website",
)  # fmt: skip  # a list of many short entries
"""The other keys of a project file: facts about the project, not the program."""
_COMPONENTS_ELSEWHERE: Final = (
    "move them to a `PulumiPlugin.yaml` in another folder, and name that folder here: packages: {name: ./folder}"
)


class YamlFile:
    """The sections of one file, in their order.

    `project` is its name, `settings` the section `pulumi`, `packages` those that are on this machine.
    """

    def __init__(self, source: SourceFile, tree: YamlTree, pairs: tuple[tuple[YamlScalar, YamlNode], ...]) -> None:
        self.source = source
        self.tree = tree
        self.pairs = pairs
        self.project: str = ""
        self.settings: YamlNode | None = None
        self.sections: list[tuple[str, YamlMap]] = []
        self.packages: tuple[LocalPackage, ...] = ()

    def head(self) -> tuple[int, int]:
        """Return where the settings of the project before the first section end, and where that section begins."""
        settings = 0
        for key, node in self.pairs:
            if canonical_key(key.text, SECTIONS) is not None:
                return settings, key.span.start
            settings = max(key.span.end, node.span.end)
        return settings, len(self.source.text)

    def take(self, name: str, node: YamlNode, bag: DiagnosticBag) -> None:
        """Add the section or setting `name` with the value `node`."""
        if name in _CONFIGURATION or name in PARTS:
            section = mapping(node, f"`{name}`", bag)
            if section is not None:
                self.sections.append(("config" if name in _CONFIGURATION else name, section))
        elif name == "name" and isinstance(node, YamlScalar):
            self.project = node.text
        elif name == "pulumi":
            self.settings = node
        elif name == "packages":
            self.packages = tuple(local_packages(node))

    def entries(self, kind: str) -> Iterator[tuple[YamlScalar, YamlNode]]:
        """Return the keys and values of the section `kind`."""
        return (pair for name, section in self.sections if name == kind for pair in section.pairs)


class ProgramFile(YamlFile):
    """One file of a program, after reports of content that has no meaning in it.

    `program` is the name of the file that holds the program; in any other file only the configuration counts.
    """

    def __init__(self, source: SourceFile, bag: DiagnosticBag, *, program: str) -> None:
        top = read_top(source, "a program", bag)
        super().__init__(source, top.tree, top.pairs)
        for key, node in self.pairs:
            self._member(key, node, program, bag)

    def _member(self, key: YamlScalar, node: YamlNode, program: str, bag: DiagnosticBag) -> None:
        known = (*SECTIONS, *PROJECT_KEYS)
        name = canonical_key(key.text, known)
        if name is None:
            hint = _COMPONENTS_ELSEWHERE if key.text.lower() == "components" else None
            bag.add(say.unknown_key(key.text, "a program", known, key.span, hint=hint))
        elif name in PARTS and program != self.source.name:
            bag.add(say.not_read(f"`{key.text}`", program, key.span))
        else:
            note_case(key, name, bag)
            self.take(name, node, bag)


class Top(Struct, frozen=True):
    """The tree of a file, and the keys and values of its mapping."""

    tree: YamlTree
    pairs: tuple[tuple[YamlScalar, YamlNode], ...]


def read_top(source: SourceFile, what: str, bag: DiagnosticBag) -> Top:
    """Return the mapping in a file; none after a report."""
    tree = YamlTree(top=None, comments=())
    try:
        tree = read_tree(source)
    except YamlProblem as problem:
        bag.add(say.not_yaml(str(problem), problem.span, problem.hint))
    top = None if tree.top is None else mapping(tree.top, what, bag)
    return Top(tree, () if top is None else top.pairs)


def local_packages(node: YamlNode) -> Iterator[LocalPackage]:
    """Yield the packages in a section `packages` whose source is a path."""
    for key, value in node.pairs if isinstance(node, YamlMap) else ():
        source = member(value, "source") if isinstance(value, YamlMap) else value
        if isinstance(source, YamlScalar) and source.text.startswith((".", "/")):
            yield LocalPackage(name=key.text, source=source.text)
