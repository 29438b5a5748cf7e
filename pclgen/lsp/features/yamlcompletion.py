"""Completion in Pulumi YAML.

Text with a cursor in it is seldom valid YAML, so the indentation before the cursor determines the enclosing keys, and
brackets do in flow collections (`{length: 2, prefix: …}`). Their reader takes any text: it follows brackets, quotes, commas
and colons from the key whose value begins with a bracket. Types come from the bound program, and resource types from the
token beside `properties`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.walk import symbol_of
from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind
from pclgen.lsp.features.completion import Item, ItemKind, field_items, member_items, token_items
from pclgen.lsp.features.expected import alternatives, element_of, enum_members, member_of, nominal
from pclgen.lsp.features.hover import node_of
from pclgen.pulumiyaml.expressions import INVOKE_KEYS, INVOKE_OPTIONS, NAMES, PULUMI
from pclgen.pulumiyaml.forms import PROJECT_KEYS, SECTIONS
from pclgen.pulumiyaml.program import GET_KEYS, OPTIONS, RESOURCE_KEYS
from pclgen.pulumiyaml.program import KEYS as CONFIG_KEYS
from pclgen.syntax import ast
from pclgen.types.declarations import Field, Shape
from pclgen.types.model import BOOL, Type, nominal_of, resolve
from pclgen.types.show import show
from pclgen.types.traverse import Step, attribute, index

_BLOCK_LINE: Final = re.compile(
    r"(?P<indent> *)(?:- +)*(?:[^\s#{}\[\],'\"][^\n]*?: +|['\"][^\n]*?['\"]: +)?(?P<value>[^\n]*)"
)
_BLOCK_SCALAR: Final = re.compile(r"[|>][-+\d]*\s*(?:#.*)?")
_TOKEN: Final = re.compile(
    r"""(?P<quoted>"(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?)|(?P<comment>(?<!\S)\#[^\n]*)|(?P<mark>[{}\[\],]|:(?=[\s,\]}]|\Z))"""
    r"""|(?P<line>\n *)|(?P<plain>(?:[^\s{}\[\],:]|:(?![\s,\]}]|\Z))+)""",
    re.DOTALL,
)


class FlowLevel(Struct, eq=False):
    """A flow collection around the cursor.

    `members` are all members of a mapping with their scalars, `key` is the key whose value has the cursor.
    """

    is_mapping: bool
    members: dict[str, str] = field(default_factory=dict)
    key: str | None = None
    pending: str = ""

    def finish(self) -> None:
        """Handle the end of a member."""
        name = self.pending if self.key is None else self.key
        if self.is_mapping and name:
            self.members[name] = "" if self.key is None else self.pending
        self.key, self.pending = None, ""


class Flow(Struct, frozen=True, kw_only=True):
    """The flow collections around the cursor, outermost first, and the line (from 0) on which they begin.

    `keys` has for each level the key whose value has the cursor; None in a list, and where a key is typed. `start` is the
    offset of the word at the cursor, `word` the whole word.
    """

    line: int
    levels: tuple[FlowLevel, ...]
    keys: tuple[str | None, ...]
    start: int
    word: str


def flow_at(text: str, offset: int) -> Flow | None:
    """Return the flow collections around `offset`; None if there are none."""
    position = 0
    while position <= offset:
        end = text.find("\n", position)
        end = len(text) if end == -1 else end
        shape = _BLOCK_LINE.match(text, position, end)
        assert shape is not None
        indent, value = len(shape["indent"]), shape["value"]
        if value[:1] in ("{", "["):
            flow, end = _read(text, shape.start("value"), indent, offset)
            if flow is not None:
                return flow
        elif _BLOCK_SCALAR.fullmatch(value) is not None:
            end = _end_of_block(text, end, indent)
        following = text.find("\n", end)
        position = following + 1 if following != -1 else len(text) + 1
    return None


def _end_of_block(text: str, end: int, indent: int) -> int:
    """Return the end of the last line, from `end` on, that is indented more than `indent` or empty."""
    while end < len(text):
        following = text.find("\n", end + 1)
        following = len(text) if following == -1 else following
        line = text[end + 1 : following]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            return end
        end = following
    return end


def _read(text: str, start: int, indent: int, offset: int) -> tuple[Flow | None, int]:
    """Return the flow collections at `offset` of a value that begins at `start`, if it has any there, and its end."""
    levels: list[FlowLevel] = []
    flow: Flow | None = None
    for token in _TOKEN.finditer(text, start):
        if flow is None and offset < token.end() + (token["mark"] is None and token["line"] is None):
            if not levels or token["comment"]:
                return None, token.end()
            is_word = token["quoted"] or token["plain"]
            word = token[0] if is_word and token.start() <= offset else ""
            flow = _flow(text, levels, start, word=word, at=token.start() if word else offset)
        if token["line"] and not text.startswith(("}", "]"), token.end()) and len(token[0]) - 1 <= indent:
            following = text[token.end() : token.end() + 1].strip()
            if following:  # a key of the block around: brackets are missing
                return flow, token.start()
        if not _flow_step(levels, token):
            return flow, token.end()
    if flow is None and levels and offset == len(text):
        flow = _flow(text, levels, start, word="", at=offset)
    return flow, len(text)


def _flow(text: str, levels: list[FlowLevel], start: int, *, word: str, at: int) -> Flow:
    keys = tuple([level.key for level in levels])
    return Flow(line=text.count("\n", 0, start), levels=tuple(levels), keys=keys, start=at, word=word.strip("'\""))


def _flow_step(levels: list[FlowLevel], token: re.Match[str]) -> bool:
    """Follow one token; False at the end of the outermost collection."""
    match token["mark"]:
        case "{" | "[":
            levels.append(FlowLevel(is_mapping=token["mark"] == "{"))
        case "}" | "]":
            levels.pop().finish()
        case ",":
            levels[-1].finish()
        case ":":
            levels[-1].key, levels[-1].pending = levels[-1].pending, ""
        case _ if token["quoted"] or token["plain"]:
            levels[-1].pending = f"{levels[-1].pending} {token[0]}".strip(" '\"")
    return bool(levels)


_LINE: Final = re.compile(r"(?P<indent> *)(?P<dashes>(?:- +)*)(?P<rest>.*)", re.DOTALL)
_COLON: Final = re.compile(r":(?:\s+|\Z)")
_ACCESS: Final = re.compile(r"(?<!\$)\$\{(?P<path>[^{}\s]*)\Z")
_STEP: Final = re.compile(r"[^.\[\]]+|\[\d+\]")
_INVOKE: Final = "fn::invoke"


class _Key(Struct, frozen=True, kw_only=True):
    """A key around the cursor; `text` is None for a list item. `line` and `column` are its position.

    `flow` are the members of its value if that is a flow mapping.
    """

    text: str | None
    line: int
    column: int
    flow: Mapping[str, str] | None = None


def complete_yaml(analysis: Analysis, file: ast.File, offset: int) -> list[Item]:
    """Return completions at `offset` of a file in Pulumi YAML."""
    before = file.source.text[:offset]
    access = _ACCESS.search(before.rpartition("\n")[2])
    if access is not None:
        return list(_reference(analysis, access["path"], offset))
    return list(_YamlContext(analysis, file.source.text, offset).items())


def _reference(analysis: Analysis, path: str, offset: int) -> Iterator[Item]:
    """Yield names, and the members of the value that `path` refers to so far."""
    source, dot, written = path.rpartition(".")
    start = offset - len(written)
    if not dot:
        for definition in analysis.names.definitions.values():
            type_ = _type_of(analysis, definition)
            detail = f"{definition.kind}: {show(type_)}" if type_ is not None else str(definition.kind)
            yield Item(label=_written(definition), kind=ItemKind.VARIABLE, start=start, detail=detail)
        yield Item(label="pulumi", kind=ItemKind.VARIABLE, start=start, rank=1)
    elif source == "pulumi":
        yield from (Item(label=name, kind=ItemKind.PROPERTY, start=start) for name in PULUMI)
    else:
        root, *steps = _STEP.findall(source) or [""]
        named = next((candidate for candidate in analysis.names.definitions.values() if _written(candidate) == root), None)
        type_ = _type_of(analysis, named) if named is not None else None
        for step in steps:
            reached = _step(type_, step) if type_ is not None else None
            type_ = reached.type if isinstance(reached, Step) else None
        yield from member_items(type_, start) if type_ is not None else ()


def _step(receiver: Type, step: str) -> object:
    return index(receiver, int(step[1:-1])) if step.startswith("[") else attribute(receiver, step)


def _written(definition: Definition) -> str:
    """Return the name as written in the YAML."""
    return definition.span.text.strip("'\"")


def _type_of(analysis: Analysis, definition: Definition) -> Type | None:
    node = node_of(analysis, definition)
    symbol = symbol_of(node) if node is not None and definition.kind is not DefinitionKind.OUTPUT else None
    return symbol.type if symbol is not None else None


class _YamlContext:
    """A key or a value at the cursor."""

    def __init__(self, analysis: Analysis, text: str, offset: int) -> None:
        self.analysis = analysis
        self.lines = text.split("\n")
        before = text[:offset].split("\n")
        line = len(before) - 1
        shape = _shape(before[-1])
        self.key: str | None = None
        """The key whose value is typed."""
        self.is_item = False
        """Whether an item of a flow list is typed."""
        flow = flow_at(text, offset)
        if flow is not None:
            self._enter(flow, text[flow.start : offset])
        else:
            key, value = _pair(shape["rest"]) or (None, None)
            self.key = key if value is not None else None
            self.written = (shape["rest"] if value is None else value).lstrip("'\"")
            self.around = self._around(shape, line)
            self.taken = {key for key, _ in self._members(line, len(shape["indent"] + shape["dashes"]))}
        self.start = offset - len(self.written)

    def _enter(self, flow: Flow, written: str) -> None:
        """Take the keys around the cursor in flow collections."""
        shape = _shape(self.lines[flow.line])
        column = len(shape["indent"] + shape["dashes"])
        self.around = self._around(shape, flow.line)
        pair = _pair(shape["rest"])
        names: list[str | None] = [] if pair is None or shape["rest"][:1] in ("{", "[") else [pair[0]]
        around = [*self.around, *(_Key(text=name, line=flow.line, column=column) for name in names)]
        if around:
            around[-1] = replace(around[-1], flow=flow.levels[0].members)
        for outer, level in zip(flow.keys, flow.levels[1:], strict=False):
            around.append(_Key(text=outer, line=flow.line, column=column, flow=level.members))
        self.around = around
        self.written = written.lstrip("'\"")
        self.key = flow.keys[-1]
        self.is_item = not flow.levels[-1].is_mapping
        self.taken = flow.levels[-1].members.keys() - {flow.word}

    def items(self) -> Iterator[Item]:
        """Yield the completions at the cursor."""
        path = [key.text for key in self.around]
        if self.key is not None or self.is_item:
            yield from self._values([*path, self.key])
            return
        taken = self.taken
        for name, detail in self._keys(path):
            if name not in taken:
                yield Item(label=name, kind=ItemKind.KEYWORD, start=self.start, detail=detail, rank=2)
        yield from field_items(self._fields(path), taken, self.start)
        if self.written.startswith("fn"):
            functions = (f"fn::{name}" for name in sorted(NAMES))
            yield from (Item(label=name, kind=ItemKind.FUNCTION, start=self.start, rank=3) for name in functions)

    def _keys(self, path: list[str | None]) -> Iterator[tuple[str, str]]:
        """Yield the keys of the language for a mapping at `path`."""
        match path:
            case []:
                yield from ((name, "section") for name in SECTIONS)
                yield from ((name, "project") for name in PROJECT_KEYS)
            case ["config" | "configuration", _]:
                yield from ((name, "configuration") for name in CONFIG_KEYS)
            case ["resources", _]:
                yield from ((name, "resource") for name in RESOURCE_KEYS)
            case ["resources", _, "options"]:
                yield from ((name, "option") for name in OPTIONS)
            case ["resources", _, "get"]:
                yield from ((name, "get") for name in GET_KEYS)
            case [*_, "fn::invoke"]:
                yield from ((name, "invoke") for name in INVOKE_KEYS)
            case [*_, "fn::invoke", "options"]:
                yield from ((name, "option") for name in INVOKE_OPTIONS)
            case _:
                return

    def _values(self, path: list[str | None]) -> Iterator[Item]:
        if path[-1] == "function" and path[-2:-1] == [_INVOKE]:
            yield from token_items(self.analysis, self.written, self.start, functions=True)
        elif path[0] == "resources" and path[2:] == ["type"]:
            yield from token_items(self.analysis, self.written, self.start, functions=False)
        else:
            expected = self._expected(path)
            for member in enum_members(expected) if expected is not None else ():
                label = str(member.value)
                yield Item(label=label, kind=ItemKind.VALUE, start=self.start, detail=member.name, doc=member.doc)
            flags = expected is not None and BOOL in [resolve(part) for part in alternatives(expected)]
            yield from (Item(label=word, kind=ItemKind.VALUE, start=self.start) for word in ("true", "false") if flags)

    def _fields(self, path: list[str | None]) -> Mapping[str, Field]:
        """Return the properties of a mapping at `path` by the schema."""
        match path:
            case ["resources", _, "properties"]:
                resource = self.analysis.resource(self._scalar(self.around[1], "type"))
                return resource.inputs.fields(Shape.INPUT) if resource is not None else {}
            case ["resources", _, "get", "state"]:
                resource = self.analysis.resource(self._scalar(self.around[1], "type"))
                return resource.state.fields(Shape.INPUT) if resource is not None else {}
            case _:
                expected = self._expected(path)
                declared = nominal(expected) if expected is not None else None
                return declared.declaration.fields(declared.shape) if declared is not None else {}

    def _expected(self, path: list[str | None]) -> Type | None:
        """Return the type of the value at `path`: of a property, or of a part of a property."""
        if len(path) > 1 and path[-2:] == [_INVOKE, "arguments"]:
            function = self.analysis.function(self._scalar(self.around[len(path) - 2], "function"))
            takes = function.inputs if function is not None else None
            return nominal_of(takes, Shape.INPUT) if takes is not None else None
        if len(path) < 2:  # a section has no type
            return None
        last = path[-1]
        field = self._fields(path[:-1]).get(last) if last is not None else None
        if field is not None:
            return field.type
        outer = self._expected(path[:-1])
        return element_of(outer) if last is None else member_of(outer, last)

    def _around(self, shape: re.Match[str], line: int) -> list[_Key]:
        """Return the keys around a line, outermost first: lines above with less indentation."""
        keys, limit = _items(shape, line)
        for number in range(line - 1, -1, -1):
            text = self.lines[number]
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            above = _shape(text)
            column = len(above["indent"] + above["dashes"])
            if column > limit or (column == limit and not above["dashes"]):
                continue
            pair = _pair(above["rest"])
            if column < limit and pair is not None and not (pair[1] or "").strip(" |>-+"):
                keys.append(_Key(text=pair[0], line=number, column=column))
            elif column < limit:
                continue
            inner, outer = _items(above, number)
            keys += inner
            limit = min(column, outer)
        return keys[::-1]

    def _members(self, line: int, column: int) -> Iterator[tuple[str, str]]:
        """Yield the keys in `column` of the mapping around a line, with their values."""
        for step in (-1, 1):
            number = line + step
            while 0 <= number < len(self.lines):
                shape = _shape(self.lines[number])
                own = len(shape["indent"] + shape["dashes"])
                if shape["rest"].strip() and own < column:
                    break
                pair = _pair(shape["rest"])
                if pair is not None and own == column:
                    yield pair[0], (pair[1] or "").strip().strip("'\"")
                number += step

    def _scalar(self, key: _Key, name: str) -> str:
        """Return the value of `name` in the mapping under `key`; empty without one."""
        if key.flow is not None:
            return key.flow.get(name, "")
        for number in range(key.line + 1, len(self.lines)):
            shape = _shape(self.lines[number])
            if shape["rest"].strip():
                column = len(shape["indent"] + shape["dashes"])
                own = _pair(shape["rest"])
                pairs = [*self._members(number, column), *([] if own is None else [(own[0], own[1] or "")])]
                return dict(pairs).get(name, "").strip("'\" ") if column > key.column else ""
        return ""


def _pair(rest: str) -> tuple[str, str | None] | None:
    """Return the key and the value of a line; None for a line without a key, and for a missing value."""
    colon = _COLON.search(rest)
    if colon is None or not colon.start():
        return None
    return rest[: colon.start()].strip("'\" "), rest[colon.end() :] if colon[0] != ":" else None


def _shape(line: str) -> re.Match[str]:
    match = _LINE.match(line)
    assert match is not None
    return match


def _items(shape: re.Match[str], line: int) -> tuple[list[_Key], int]:
    """Return the list items that begin on a line, innermost first, and the column limit of enclosing keys."""
    indent, dashes = len(shape["indent"]), shape["dashes"]
    columns = [indent + place for place, letter in enumerate(dashes) if letter == "-"]
    keys = [_Key(text=None, line=line, column=column) for column in reversed(columns)]
    return keys, columns[0] + 1 if columns else indent
