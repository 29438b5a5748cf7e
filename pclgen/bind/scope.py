"""Names: the items that declare them, the scopes that give them a meaning, and the references to them.

See language.md, Names and scopes; Dependencies.

A scope maps names to entries and has a parent. Functions have their own namespace (`stdlib.registry`), so that a resource
called `length` and the function `length(…)` coexist. All other definitions take precedence over outputs.

Types have a namespace of their own, too (language.md, Type aliases):

    type "Size" "'small' | 'large'" { … }

This module holds them during binding; `bind.typelabels` reads each label on first use.

`declare` collects the items of a program before binding (language.md, Programs; Items), in source order and with unique
names. Wrong labels, unknown blocks and names declared twice are diagnostics.

`free_names` gives the names that an item refers to, from its syntax with lexical scoping: pairs of a name and a span, in
source order. Loop variables, `range` in ranged bodies, `args` in hooks and `error` in recoveries are bound locally; called
functions are not references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TypeAlias, assert_never

from msgspec import Struct, field

from pclgen.core.expr import Symbol
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.habits import are_swapped
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import Span
from pclgen.stdlib.options import RESOURCE_OPTIONS, OptionForm
from pclgen.syntax import ast
from pclgen.types.model import Type
from pclgen.types.rules import Rule

# -- scopes -----------------------------------------------------------------------------------------------------------------

SPLAT_ITEM = "*"
"""The name under which the item of a splat is in scope; which is not a valid identifier."""


class RangeEntry(Struct, frozen=True):
    """The name `range` inside a ranged body; `key` is None if the range has no keys (the key of a number is the index)."""

    key: Symbol | None
    item: Symbol | None


class SettingsEntry(Struct, frozen=True):
    """The name `pulumi` of a `pulumi` block, which has no value."""


Entry: TypeAlias = Symbol | RangeEntry | SettingsEntry


class Scope(Struct, eq=False):
    """One level of names.  Only the root scope grows, while nodes are bound in order of their dependencies."""

    parent: Scope | None = None
    names: dict[str, Entry] = field(default_factory=dict)
    outputs: dict[str, Entry] = field(default_factory=dict)

    def find(self, name: str) -> Entry | None:
        """The entry of `name` here, or None."""
        scope: Scope | None = self
        while scope is not None:
            entry = scope.names.get(name) or scope.outputs.get(name)
            if entry is not None:
                return entry
            scope = scope.parent
        return None

    def with_names(self, names: dict[str, Entry]) -> Scope:
        """A scope inside this one with `names`, which need not be Python identifiers."""
        return Scope(self, names)

    def visible(self) -> tuple[str, ...]:
        """Every name in scope, for suggestions."""
        names: dict[str, None] = {}
        scope: Scope | None = self
        while scope is not None:
            names.update(dict.fromkeys(scope.names))
            names.update(dict.fromkeys(scope.outputs))
            scope = scope.parent
        return tuple(names)


class Labelled(Struct, frozen=True):
    """A type and the constraint from a label."""

    type: Type
    rule: Rule | None = None


Elsewhere: TypeAlias = "Callable[[str, str, Span], Aliases | None]"
"""Maps a folder and the text of a label to the types of the named folder; None after a report of a missing folder."""


def nowhere(folder: str, source: str, span: Span) -> Aliases | None:
    """Find no other folders."""
    del folder, source, span
    return None


class Aliases(Struct, eq=False):
    """The types of one folder: blocks by name, types that were read, and the chain of types being read.

    Labels may name types of another folder, which `elsewhere` returns.
    """

    blocks: dict[str, ast.Block] = field(default_factory=dict)
    labels: dict[str, Labelled] = field(default_factory=dict)
    reading: list[tuple[str, Span]] = field(default_factory=list)
    folder: str = "."
    elsewhere: Elsewhere = nowhere


# -- items ------------------------------------------------------------------------------------------------------------------

class ItemKind(StrEnum):
    """The kind of a top-level item."""

    LOCAL = "local"
    CONFIG = "config"
    RESOURCE = "resource"
    READ = "read"
    COMPONENT = "component"
    OUTPUT = "output"
    HOOK = "hook"
    SETTINGS = "pulumi"
    PACKAGE = "package"
    TYPE = "type"


_LABELS = {  # block -> (minimum, maximum, description)
    "config": (1, 2, "a name and perhaps a type"),
    "local": (1, 2, "a name and perhaps a type"),
    "resource": (2, 2, "a name and a type token"),
    "read": (2, 2, "a name and a type token"),
    "component": (1, 2, "a name and perhaps a directory"),
    "output": (1, 2, "a name and perhaps a type"),
    "hook": (2, 2, "a kind and a name"),
    "pulumi": (0, 0, "no label"),
    "package": (0, 1, "no label"),
    "type": (2, 2, "a name and a type"),
}


class Item(Struct, frozen=True, kw_only=True, eq=False):
    """One top-level item; `block` is None for locals of one line."""

    kind: ItemKind
    name: str
    name_span: Span
    attribute: ast.Attribute | None
    block: ast.Block | None


class Declarations(Struct):
    """The items of a program and its two name tables.

    `doubtful` are the labels of blocks that were reported; they may be names of intended declarations. `incomplete` is set
    if there are such blocks.
    """

    items: list[Item] = field(default_factory=list)
    packages: list[ast.Block] = field(default_factory=list)
    types: dict[str, ast.Block] = field(default_factory=dict)
    definitions: dict[str, Item] = field(default_factory=dict)
    outputs: dict[str, Item] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    incomplete: bool = False

    def find(self, name: str) -> Item | None:
        """The item that a top-level reference to `name` denotes; None if that is uncertain."""
        return self.definitions.get(name) or (None if name in self.doubtful else self.outputs.get(name))


def declare(files: Sequence[ast.File], bag: DiagnosticBag) -> Declarations:
    """Collect the items of all files, in order of file name and position."""
    declarations = Declarations()
    for file in files:
        for item in file.body.items:
            declared = declare_item(item, bag)
            if declared is None:
                declarations.incomplete = True
                declarations.doubtful |= {label.text for label in item.labels} if isinstance(item, ast.Block) else set()
                continue
            if declared.kind is ItemKind.PACKAGE:
                assert declared.block is not None
                declarations.packages.append(declared.block)
            elif declared.kind is ItemKind.TYPE:
                assert declared.block is not None
                first = declarations.types.setdefault(declared.name, declared.block)
                if first is not declared.block:
                    bag.add(say.already_declared(declared.name, declared.name_span, first.labels[0].span, False))
            elif _claim(declarations, declared, bag):
                declarations.items.append(declared)
    return declarations


def declare_item(item: ast.Item, bag: DiagnosticBag) -> Item | None:
    if isinstance(item, ast.Attribute):
        name = item.name
        return Item(kind=ItemKind.LOCAL, name=name.text, name_span=name.span, attribute=item, block=None)
    if item.type.text not in _LABELS:
        last = item.labels[-1].text if item.labels else None
        bag.add(say.unknown_block(item.type.text, tuple(_LABELS), item.type.span, label=last))
        return None
    if not _labels_fit(item, bag):
        return None
    kind = ItemKind(item.type.text)
    if kind is ItemKind.HOOK:
        label = item.labels[1]
    elif kind in (ItemKind.SETTINGS, ItemKind.PACKAGE):
        return Item(kind=kind, name="pulumi", name_span=item.type.span, attribute=None, block=item)
    else:
        label = item.labels[0]
        if kind in (ItemKind.RESOURCE, ItemKind.READ) and are_swapped(label.text, item.labels[1].text):
            label = item.labels[1]
    return Item(kind=kind, name=label.text, name_span=label.span, attribute=None, block=item)


def _labels_fit(block: ast.Block, bag: DiagnosticBag) -> bool:
    fewest, most, expected = _LABELS[block.type.text]
    count = len(block.labels)
    if fewest <= count <= most:
        return True
    place = block.labels[most].span if count > most else (block.labels[-1].span if count else block.type.span)
    bag.add(say.wrong_labels(block.type.text, expected, count, place))
    return False


def _claim(declarations: Declarations, item: Item, bag: DiagnosticBag) -> bool:
    """Claim the item's name; False after a report of a duplicate."""
    table = declarations.outputs if item.kind is ItemKind.OUTPUT else declarations.definitions
    first = table.get(item.name)
    if first is None:
        table[item.name] = item
        return True
    named = (ItemKind.RESOURCE, ItemKind.READ, ItemKind.COMPONENT, ItemKind.CONFIG, ItemKind.OUTPUT)
    mergeable = item.kind is ItemKind.SETTINGS is first.kind
    bag.add(say.already_declared(item.name, item.name_span, first.name_span, item.kind in named, mergeable=mergeable))
    return False


# -- references -------------------------------------------------------------------------------------------------------------

Reference = tuple[str, Span]
_NOTHING: frozenset[str] = frozenset()
_CONSTANTS = frozenset((ast.NumberLit, ast.BoolLit, ast.NullLit))


def free_names(e: ast.Expr, bound: frozenset[str] = _NOTHING) -> list[Reference]:
    """The free names of `e`, in source order."""
    references: list[Reference] = []
    pending: list[tuple[ast.Expr, frozenset[str]]] = [(e, bound)]
    while pending:
        node, names = pending.pop()
        if isinstance(node, ast.Variable):
            if node.name not in names:
                references.append((node.name, node.span))
        elif type(node) not in _CONSTANTS:
            pending.extend(reversed(list(_parts(node, names))))
    return references


def calls(e: ast.Expr, name: str) -> Iterator[ast.Call]:
    """The calls of the function `name` in `e`, in source order."""
    pending: list[ast.Expr] = [e]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and node.name.text == name:
            yield node
        pending.extend(reversed([part for part, _ in _parts(node, _NOTHING)]))


def _parts(e: ast.Expr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    match e:
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit() | ast.SplatItem() | ast.Missing() | ast.Variable():
            return
        case ast.Template():
            yield from _template_parts(e.parts, names)
        case ast.GetAttr():
            yield e.source, names
        case ast.Index():
            yield from ((e.source, names), (e.key, names))
        case ast.Splat():
            yield from ((e.source, names), (e.each, names))
        case ast.Call():
            for i, arg in enumerate(e.args):
                inner = names | {"error"} if e.name.text == "recover" and i == 1 else names
                yield arg, inner
        case ast.Unary():
            yield e.operand, names
        case ast.Binary():
            yield from ((e.left, names), (e.right, names))
        case ast.Conditional():
            yield from ((e.condition, names), (e.then, names), (e.otherwise, names))
        case ast.TupleExpr():
            yield from ((element.value, names) for element in e.elements)
        case ast.ObjectExpr():
            yield from _object_parts(e, names)
        case ast.ForExpr():
            yield from _for_parts(e, names)
        case ast.Parens():
            yield e.inner, names
        case _:
            assert_never(e)


def _object_parts(e: ast.ObjectExpr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    for item in e.items:
        if isinstance(item.key, ast.ExprKey):
            yield item.key.value, names
        yield item.value, names


def _for_parts(e: ast.ForExpr, names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    yield e.collection, names
    inner = names | {e.value.text} | ({e.key.text} if e.key is not None else set())
    if e.result_key is not None:
        yield e.result_key, inner
    yield e.result, inner
    if e.condition is not None:
        yield e.condition, inner


def _template_parts(parts: Iterable[ast.TemplatePart], names: frozenset[str]) -> Iterator[tuple[ast.Expr, frozenset[str]]]:
    for part in parts:
        match part:
            case ast.TemplateText():
                pass
            case ast.Interpolation():
                yield part.value, names
            case ast.TemplateIf():
                yield part.condition, names
                yield from _template_parts(part.then, names)
                yield from _template_parts(part.otherwise, names)
            case ast.TemplateFor():
                yield part.collection, names
                inner = names | {part.value.text} | ({part.key.text} if part.key is not None else set())
                yield from _template_parts(part.body, inner)


def range_expression(block: ast.Block) -> ast.Expr | None:
    """The value of `options { range = … }`."""
    for item in block.body.items:
        if isinstance(item, ast.Block) and item.type.text == "options":
            for option in item.body.items:
                if isinstance(option, ast.Attribute) and option.name.text == "range":
                    return option.value
    return None


def block_names(block: ast.Block, has_range_definition: bool) -> list[Reference]:
    """The names that a top-level block refers to."""
    ranged = frozenset(("range",)) if range_expression(block) is not None else _NOTHING
    references: list[Reference] = []
    for item in block.body.items:
        if isinstance(item, ast.Attribute):
            bound = frozenset(("args",)) if block.type.text == "hook" and item.name.text == "command" else ranged
            references.extend(free_names(item.value, bound))
        elif item.type.text == "options":
            outer = _NOTHING if has_range_definition else ranged
            for option in item.body.items:
                if isinstance(option, ast.Attribute) and not is_path_option(option.name.text):
                    references.extend(free_names(option.value, outer))
    return references


def is_path_option(name: str) -> bool:
    """Return whether the value of an option is a list of property paths, whose names are not references."""
    spec = RESOURCE_OPTIONS.get(name)
    return spec is not None and spec.form is OptionForm.PATHS
