"""Binding of one edited item, so that an editor gets the diagnostics of a large program without binding all of it.

The other items keep their bindings. Items that refer to the edited item are bound again only if its type, its known value
or its rule changed. Edits that could change more (names, packages, cycles, forms of function calls,
components) need `bind_program`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.awaited import Early
from pclgen.bind.binder import Binding
from pclgen.bind.comments import settle
from pclgen.bind.context import Context
from pclgen.bind.literals import refuse_rounded
from pclgen.bind.requirements import package_options
from pclgen.bind.scope import Item, ItemKind, Scope, declare_item
from pclgen.core.expr import Symbol
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.packages import MISTAKES_IN_MEMBER
from pclgen.source.text import Span
from pclgen.syntax import ast

_MOST_AFFECTED = 100
"""With more items than this, `bind_program` is not much slower."""
_ALONE = frozenset({ItemKind.COMPONENT, ItemKind.SETTINGS, ItemKind.PACKAGE, ItemKind.TYPE})
"""Items that the whole program depends on, directly or through the program of a component."""


class Rebound(Struct, frozen=True, kw_only=True):
    """The items that were bound again: their spans before the edit, their nodes and their diagnostics after it."""

    spans: frozenset[Span]
    nodes: tuple[Node, ...]
    diagnostics: DiagnosticBag


def rebind(binding: Binding, before: Span, tree: ast.File) -> Rebound | None:
    """Bind the only item of `tree`, which replaces the item at `before` in the bound program.

    Returns None if the edit may change the meaning of the rest of the program.
    """
    context = binding.context
    old = next((item for item in binding.declared.items if _tree_of(item).span == before), None)
    bag = DiagnosticBag()
    new = declare_item(settle(tree).body.items[0], bag) if len(tree.body.items) == 1 else None
    if context is None or old is None or new is None or not _is_local(binding, old, new):
        return None
    copy = _copy_of(context, binding, bag)
    affected = _bind(copy, old, new)
    if affected is None or _reaches_further(binding, copy):
        return None
    nodes = tuple(copy.nodes_of(new if item is old else item for item in affected))
    refuse_rounded(Program(name="", nodes=nodes, components=(), packages=()), bag)
    return Rebound(spans=frozenset(_tree_of(item).span for item in affected), nodes=nodes, diagnostics=bag)


def _tree_of(item: Item) -> ast.Item:
    node = item.attribute if item.attribute is not None else item.block
    assert node is not None
    return node


def _is_local(binding: Binding, old: Item, new: Item) -> bool:
    """Return whether an edit keeps the names and packages of the program and is independent of program-wide data."""
    if old.kind is not new.kind or old.name != new.name or old.kind in _ALONE:
        return False
    if any(package_options([_tree_of(old), _tree_of(new)])):  # these items choose packages for the whole program
        return False
    session = binding.session
    if session.awaited or session.folders or session.reported or _is_early(binding.nodes_of(binding.order), session.early):
        return False
    targets = [target for target, _ in binding.targets(new)]
    outputs = {target for target in targets if target.kind is ItemKind.OUTPUT}
    return outputs <= binding.read and not _is_reached(binding, old, targets)


def _is_early(nodes: Iterable[Node], early: Early) -> bool:
    """Return whether a range or a plain place waits for values known only during deployment (see `bind.awaited`)."""
    ranges = (node.range for node in nodes if isinstance(node, Resource | ComponentUse))
    return bool(early.too_late) or any(over is not None and over.value.type.eventual for over in ranges)


def _is_reached(binding: Binding, item: Item, start: Sequence[Item]) -> bool:
    """Return whether the items of `start` refer to `item`, directly or indirectly."""
    seen: set[Item] = set()
    pending = list(start)
    while pending:
        target = pending.pop()
        if target is item:
            return True
        if target not in seen:
            seen.add(target)
            pending += [further for further, _ in binding.edges[target]]
    return False


def _copy_of(context: Context, binding: Binding, bag: DiagnosticBag) -> Binding:
    """A copy of the binding for binding further items, with its own diagnostics."""
    scope = Scope(binding.scope.parent, dict(binding.scope.names), dict(binding.scope.outputs))
    table = context.packages
    used, homes, inspected = dict(table.used), dict(table.homes), set(table.inspected)
    packages = replace(table, bag=bag, reported=set(), used=used, homes=homes, inspected=inspected)
    own = replace(
        context,
        bag=bag,
        scope=scope,
        packages=packages,
        definitions=dict(context.definitions),
        checked=dict(context.checked),
        early=Early(),
    )
    return replace(binding, scope=scope, nodes=dict(binding.nodes), context=own)


def _bind(copy: Binding, old: Item, new: Item) -> list[Item] | None:
    """Bind the edited and the affected items; return their old versions in order, or None if there are too many."""
    context = copy.context
    assert context is not None
    affected: list[Item] = []
    changed: set[Item] = {old}
    for item in copy.order[copy.order.index(old) :]:
        if item is not old and changed.isdisjoint(target for target, _ in copy.edges[item]):
            continue
        if item.kind in _ALONE or len(affected) == _MOST_AFFECTED:
            return None
        affected.append(item)
        facts = _facts(context, copy, item)
        copy.nodes.pop(item, None)
        copy.hide(item)
        copy.bind_item(context, new if item is old else item)
        if facts == _facts(context, copy, item):
            changed.discard(item)
        else:
            changed.add(item)
    return affected


def _facts(context: Context, binding: Binding, item: Item) -> tuple[object, ...]:
    """Return the facts about an item that other items depend on; equal facts mean that they need no new binding."""
    names = binding.scope.outputs if item.kind is ItemKind.OUTPUT else binding.scope.names
    symbol = names.get(item.name)
    if not isinstance(symbol, Symbol):
        return (symbol,)
    return symbol.kind, symbol.type, context.definitions.get(symbol), context.checked.get(symbol)


def _reaches_further(before: Binding, copy: Binding) -> bool:
    """Return whether the new bindings affect the whole program."""
    context, base = copy.context, before.context
    assert context is not None and base is not None
    if context.packages.reported or context.packages.used.keys() != base.packages.used.keys() or before.session.folders:
        return True
    if any(diagnostic.code == MISTAKES_IN_MEMBER for diagnostic in context.bag):
        return True
    return _is_early(copy.nodes_of(copy.nodes), context.early)
