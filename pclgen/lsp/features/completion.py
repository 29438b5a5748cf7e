"""Completion in PCL, and signature help: the parameters of the call around an offset.

Text with a cursor in it seldom parses, so a placeholder name is inserted there, and the part around it is parsed, which
gives a tree around the cursor. Types come from the bound program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from pclgen.bind.reading import read_sources
from pclgen.core.walk import symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind, read_names
from pclgen.lsp.features.expected import alternatives, enum_members, expected_type, inputs_of, key_of, members_of
from pclgen.lsp.features.hover import comment, field_page, node_of, page, type_at
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.model import parameter_at, signature
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.stdlib.registry import CALL, FUNCTIONS, INVOKE
from pclgen.syntax import ast
from pclgen.syntax.walk import Tree, path_to
from pclgen.types import model as ty
from pclgen.types.declarations import Field
from pclgen.types.show import show, show_value
from pclgen.types.traverse import Step, attribute, index


def window_around(file: ast.File, offset: int) -> tuple[int, int]:
    """Return the start and the end of the text between the items before and behind the one at `offset`."""
    before = (item.span.end for item in file.body.items if item.span.end < offset)
    behind = (item.span.start for item in file.body.items if item.span.start > offset)
    return max(before, default=0), min(behind, default=len(file.source.text))


def patched(source: SourceFile, window: tuple[int, int], place: tuple[int, int], patch: str) -> ast.File:
    """Return the tree of the text in `window` with `patch` at `place`.

    Offsets up to `place` are those of `source`; lines are not.
    """
    text, (start, end) = source.text, place
    first = min(window[0], start)
    patched_text = " " * first + text[first:start] + patch + text[end : window[1]]
    [tree] = read_sources([SourceFile(source.name, patched_text)], DiagnosticBag(), False)
    return tree


_CURSOR = "completion__"
_WORD = re.compile(r"[\w-]*\Z")
_TOKEN = re.compile(r'^[ \t]*(?:resource|read)[ \t]+"?[\w-]+"?[ \t]+"?(?P<token>[\w:/.-]*)\Z', re.MULTILINE)
_INVOKED = re.compile(r'\binvoke\([ \t\n]*"(?P<token>[\w:/.-]*)\Z')
_KEY = re.compile(r"(?:^|[{,\n])[ \t]*\Z")

_LEAVES = (ast.Name, ast.Variable, ast.BareKey, ast.TemplateText)

_BLOCKS: Mapping[str, str] = {
    "component": "use a folder of .pp files as a component",
    "config": "declare a value that a stack sets",
    "hook": "run a command around the life of a resource",
    "local": "name a value of a declared type",
    "output": "export a value",
    "package": "describe a package of resource types",
    "pulumi": "require a version of Pulumi",
    "read": "read a resource that exists",
    "resource": "register a resource",
    "type": "name a type for labels",
}
_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "config": ("default", "description", "secret", "nullable", "__logicalName"),
    "output": ("value", "description", "__logicalName"),
    "local": ("value",),
    "type": ("description",),
    "hook": ("command", "onDryRun", "ignoreErrors"),
    "pulumi": ("requiredVersionRange",),
    "resource": ("options", "__logicalName"),
    "read": ("options", "__logicalName"),
    "component": ("options", "__logicalName"),
}


class ItemKind(StrEnum):
    """The kind of an item, for its icon."""

    KEYWORD = "keyword"
    TYPE = "type"
    PROPERTY = "property"
    VARIABLE = "variable"
    FUNCTION = "function"
    VALUE = "value"


class Item(Struct, frozen=True, kw_only=True):
    """A completion; it replaces the text between the offset `start` and the cursor.

    `rank` sorts; the smallest comes first.
    """

    label: str
    kind: ItemKind
    start: int
    detail: str = ""
    doc: str = ""
    rank: int = 0
    deprecated: bool = False


def complete(analysis: Analysis, file: ast.File, offset: int) -> list[Item]:
    """Return completions at `offset` of an analyzed file."""
    return complete_between(analysis, file.source, window_around(file, offset), offset)


def complete_between(analysis: Analysis, source: SourceFile, window: tuple[int, int], offset: int) -> list[Item]:
    """Return completions at `offset` of a text; `window` is the part of it that is parsed."""
    text = source.text
    # The patterns end at the cursor; a search from the beginning of a long text would take longer than everything else.
    line = text.rfind("\n", 0, offset) + 1
    for pattern, functions, first in ((_TOKEN, False, line), (_INVOKED, True, min(window[0], line))):
        match = pattern.search(text, first, offset)
        if match is not None:
            return list(token_items(analysis, match["token"], match.start("token"), functions=functions))
    word = _WORD.search(text, line, offset)
    start = word.start() if word is not None else offset
    patches = [f"{_CURSOR} = null", _CURSOR] if _KEY.search(text, max(line - 1, 0), start) else [_CURSOR]
    for patch in patches:
        tree = patched(source, window, (start, offset), patch)
        path = path_to(tree, start + 1)
        if path and isinstance(path[-1], _LEAVES) and _CURSOR in path[-1].span.text:
            return list(_CompletionContext(analysis, source, tree, path=path, start=start).items())
    return []


def token_items(analysis: Analysis, written: str, start: int, *, functions: bool) -> Iterator[Item]:
    """Yield known packages, and the members of the written one."""
    name, colon, _ = written.partition(":")
    package = analysis.package(name) if colon else None
    if package is None:
        names = {label.name for label in analysis.program.packages} | set(analysis.store.names())
        yield from (Item(label=f"{label}:", kind=ItemKind.TYPE, start=start, detail="package") for label in sorted(names))
        return
    opened = package.package
    tokens, table = (opened.function_tokens, package.functions) if functions else (opened.resource_tokens, package.resources)
    kind = ItemKind.FUNCTION if functions else ItemKind.TYPE
    labels = sorted({table.spelling(token) for token in tokens if "/" not in token.rpartition(":")[2]})
    yield from (Item(label=label, kind=kind, start=start) for label in labels)


def field_items(fields: Mapping[str, Field], taken: set[str] | set[str | None], start: int) -> Iterator[Item]:
    """Yield properties with their types, required ones first."""
    for field in fields.values():
        if field.name not in taken:
            yield Item(
                label=field.name,
                kind=ItemKind.PROPERTY,
                start=start,
                detail=show(ty.without_none(ty.resolve(field.type))) + (" (required)" if field.required else ""),
                doc=field_page(field),
                rank=0 if field.required else 1,
                deprecated=bool(field.deprecated),
            )


def member_items(value: ty.Type, start: int) -> Iterator[Item]:
    """Yield the members of a value of a type."""
    for part in alternatives(value):
        if isinstance(part, ty.NominalType):
            yield from field_items(part.declaration.fields(part.shape), set(), start)
        elif isinstance(part, ty.ObjectType):
            for name, member in part.members.items():
                yield Item(label=name, kind=ItemKind.PROPERTY, start=start, detail=show(member))


class _CompletionContext:
    """The cursor in the tree of the patched text around it."""

    def __init__(self, analysis: Analysis, source: SourceFile, tree: ast.File, *, path: Sequence[Tree], start: int) -> None:
        self.analysis = analysis
        self.source = source
        self.tree = tree
        self.path = path
        self.start = start

    def items(self) -> Iterator[Item]:
        """Yield the completions at the cursor."""
        match self.path:
            case [ast.Attribute() as item, ast.Name() as name] if item.name is name:
                yield from (self.word(kind, about) for kind, about in _BLOCKS.items())
            case [ast.Block() as block, ast.Body(), ast.Attribute() as item, ast.Name() as name] if item.name is name:
                yield from self.attributes(block)
            case [ast.Block(), ast.Body(), ast.Block() as inner, ast.Body(), ast.Attribute() as item, ast.Name() as name]:
                if item.name is name and inner.type.text == "options":
                    taken = _names(inner)
                    yield from (self.word(o.name, o.doc) for o in RESOURCE_OPTIONS.values() if o.name not in taken)
            case [*_, ast.ObjectExpr() as value, ast.ObjectItem() as item, ast.BareKey() as key] if item.key is key:
                fields = members_of(self.analysis, self.path, value)
                yield from field_items(fields, {key_of(member) for member in value.items}, self.start)
            case [*_, ast.GetAttr() as access, ast.Name() as name] if access.name is name:
                yield from self.members(access.source)
            case [*_, ast.Variable() as variable]:
                yield from self.expressions(variable)
            case [*_, ast.Template() as text, ast.TemplateText()]:
                expected = expected_type(self.analysis, self.path, text)
                yield from () if expected is None else self.enums(expected, quoted=False)
            case _:
                return

    def word(self, name: str, about: str) -> Item:
        return Item(label=name, kind=ItemKind.KEYWORD, start=self.start, doc=about)

    def attributes(self, block: ast.Block) -> Iterator[Item]:
        taken = _names(block)
        yield from field_items(inputs_of(self.analysis, block), taken, self.start)
        for name in _ATTRIBUTES.get(block.type.text, ()):
            if name not in taken:
                yield Item(label=name, kind=ItemKind.KEYWORD, start=self.start, rank=2)

    def members(self, source: ast.Expr) -> Iterator[Item]:
        """Yield the members of a value."""
        type_ = self.type_of(source)
        yield from member_items(type_, self.start) if type_ is not None else ()

    def type_of(self, source: ast.Expr) -> ty.Type | None:
        """Return the type of a chain of accesses, from its variable."""
        match source:
            case ast.Variable():
                return self.type_of_name(source.name)
            case ast.GetAttr():
                return self.step(source.source, lambda t: attribute(t, source.name.text))
            case ast.Index():
                key = source.key.value if isinstance(source.key, ast.NumberLit) else None
                return self.step(source.source, lambda t: index(t, key))
            case ast.Parens():
                return self.type_of(source.inner)
            case _:
                bound = self.analysis.expression(Span(self.source, source.span.start, source.span.end))
                return bound.type if bound is not None else None

    def step(self, source: ast.Expr, take: Callable[[ty.Type], object]) -> ty.Type | None:
        type_ = self.type_of(source)
        step = take(type_) if type_ is not None else None
        return step.type if isinstance(step, Step) else None

    def type_of_name(self, name: str) -> ty.Type | None:
        for definition in self.visible():
            if definition.name == name:
                return self.declared(definition)
        return None

    def declared(self, definition: Definition) -> ty.Type | None:
        if definition.kind is DefinitionKind.LOOP:
            original = next(
                (variable for variable, _ in self.analysis.names.loops if variable.name == definition.name), None
            )
            return type_at(self.analysis, original) if original is not None else None
        node = node_of(self.analysis, definition)
        symbol = symbol_of(node) if node is not None else None
        return symbol.type if symbol is not None else None

    def visible(self) -> Iterator[Definition]:
        yield from read_names([self.tree]).visible(self.tree.source, self.start)
        yield from self.analysis.names.visible(self.tree.source, self.start)

    def expressions(self, variable: ast.Variable) -> Iterator[Item]:
        """Yield values of the expected enum, names in scope, and functions."""
        expected = expected_type(self.analysis, self.path, variable)
        if expected is not None:
            yield from self.enums(expected, quoted=True)
            if ty.BOOL in [ty.resolve(part) for part in alternatives(expected)]:
                yield from (Item(label=word, kind=ItemKind.VALUE, start=self.start) for word in ("true", "false"))
        seen: set[str] = set()
        for definition in self.visible():
            if definition.name not in seen:
                seen.add(definition.name)
                type_ = self.declared(definition)
                detail = f"{definition.kind}: {show(type_)}" if type_ is not None else str(definition.kind)
                yield Item(
                    label=definition.name, kind=ItemKind.VARIABLE, start=self.start, detail=detail,
                    doc=comment(definition.item), rank=1,
                )  # fmt: skip  # one item
        for function in FUNCTIONS.values():
            yield Item(
                label=function.name, kind=ItemKind.FUNCTION, start=self.start, detail=signature(function),
                doc=page(signature(function), doc=function.doc), rank=2,
            )  # fmt: skip  # one item
        yield from (Item(label=name, kind=ItemKind.FUNCTION, start=self.start, rank=2) for name in (INVOKE, CALL))

    def enums(self, expected: ty.Type, *, quoted: bool) -> Iterator[Item]:
        """Yield the values of the enums in a type."""
        for member in enum_members(expected):
            label = str(member.value) if not quoted and isinstance(member.value, str) else show_value(member.value)
            yield Item(
                label=label, kind=ItemKind.VALUE, start=self.start, detail=member.name, doc=member.doc,
                deprecated=bool(member.deprecated),
            )  # fmt: skip  # one item


def _names(block: ast.Block) -> set[str]:
    """Return the names already present in a block."""
    return {item.name.text if isinstance(item, ast.Attribute) else item.type.text for item in block.body.items}


# -- signature help ---------------------------------------------------------------------------------------------------------

_PATCHES = [argument + closing for closing in ("", ")", "))") for argument in ("completion__", ", completion__", "")]
"""Texts that may complete a call at the cursor: a name for a missing argument, and the ends of open calls."""


class Signature(Struct, frozen=True, kw_only=True):
    """The signature of a call: `parameters` with their documentation; `active` is the one at the cursor."""

    label: str
    doc: str
    parameters: tuple[tuple[str, str], ...]
    active: int | None


def signature_at(file: ast.File, offset: int) -> Signature | None:
    """Return the signature of the innermost call of a built-in function around `offset` of a parsed file."""
    # An item with an open call may end before the cursor.
    start = max((item.span.start for item in file.body.items if item.span.start < offset), default=0)
    return signature_between(file.source, (start, window_around(file, offset)[1]), offset)


def signature_between(source: SourceFile, window: tuple[int, int], offset: int) -> Signature | None:
    """Return the signature at `offset` of a text; `window` is the part of it that is parsed."""
    if "(" not in source.text[window[0] : offset]:
        return None
    for patch in _PATCHES:
        tree = patched(source, window, (offset, offset), patch)
        calls = [node for node in path_to(tree, offset) if isinstance(node, ast.Call) and node.name.span.end < offset]
        if calls:
            return _signature(calls[-1], offset)
    return None


def _signature(call: ast.Call, offset: int) -> Signature | None:
    function = FUNCTIONS.get(call.name.text)
    if function is None:
        return None
    position = sum(argument.span.end < offset for argument in call.args)
    taken = [*function.parameters, *([function.variadic] if function.variadic is not None else [])]
    at = parameter_at(function, position)
    return Signature(
        label=signature(function),
        doc=function.doc,
        parameters=tuple([(parameter.name, f"{show(parameter.type)}: {parameter.doc}") for parameter in taken]),
        active=taken.index(at) if at in taken else None,
    )
