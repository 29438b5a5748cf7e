"""Nodes with the same meaning in a program and in a component: locals, resources, components, hooks."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.predicates import is_natural
from pclgen.core.uniqueness import is_distinct
from pclgen.core.walk import children
from pclgen.plan.model import Declare, Defer, Resolve
from pclgen.targets.comments import with_closing
from pclgen.targets.names import snake
from pclgen.targets.python import (
    enumtexts,
    hooks,
    invokes,
    modules,
    names,
    objects,
    tree,
    typehints,
    unwrapping,
)
from pclgen.targets.python.context import Context
from pclgen.targets.python.resources import lower_resource
from pclgen.targets.python.valuetypes import (
    chooses_mixed_literals,
    chooses_typed,
    holds_typed_choice,
    is_untyped,
    lifted_member,
)
from pclgen.types import model as ty


def lower_node(
    cx: Context,
    node: prog.Local | prog.Resource | prog.ComponentUse | prog.Hook,
    preferred_names: tuple[str, ...],
) -> list[tree.Statement]:
    """The statements of a node with the same meaning in a program and in a component."""
    target = tree.Variable(preferred_names=preferred_names)
    match node:
        case prog.Local():
            statements = _local(cx, node, target)
        case prog.Resource():
            statements = lower_resource(cx, node, target)
            if node.declaration is None:
                cx.objects.add(node.symbol)
        case prog.ComponentUse():
            statements = lower_resource(cx, node, target)
        case prog.Hook():
            statements = closed(hooks.lower_hook(cx, node, target), node.closing)
        case _:
            assert_never(node)
    # A node must not see itself, so bind its symbol last.
    cx.symbols[node.symbol] = tree.name(target)
    return statements


def lower_deferral(cx: Context, statement: Defer | Resolve) -> list[tree.Statement]:
    """`x, resolve_x = pulumi.deferred_output()` with the types of both, and later `resolve_x(value)`."""
    symbol = statement.symbol
    if isinstance(statement, Resolve):
        value = enumtexts.exact(cx, statement.value)
        if not surely_output(statement.value):
            value = modules.as_output(value)
        return [tree.Do(value=tree.call(tree.name(cx.resolvers[symbol]), value))]
    base = snake(symbol.name)
    resolver = tree.Variable(preferred_names=(f"resolve_{base}",))
    cx.resolvers[symbol] = resolver
    annotation = modules.output(typehints.annotation(statement.type))
    function = tree.index(modules.abstract("Callable"), tree.items([annotation]), tree.NONE)
    call = tree.call(modules.pulumi("deferred_output"))
    targets = (cx.bind(symbol, base), resolver)
    return [tree.Unpack(targets=targets, annotations=(annotation, function), value=call)]


def _local(cx: Context, node: prog.Local, target: tree.Variable) -> list[tree.Statement]:
    member = lifted_member(cx, node.value)
    if member is not None:
        cx.singles[node.symbol] = member
        if is_untyped(cx, node.value):
            cx.untyped.add(node.symbol)
        return [tree.Assign(target=target, value=invokes.lower_result(cx, node.value), comments=node.comments)]
    value = (cx.with_classes() if objects.is_declared(node.value) else cx).lower(node.value)
    if isinstance(node.value, core.Invoke) and node.value.function is None:
        cx.objects.add(node.symbol)
    if is_natural(node.value, cx.naturals):
        cx.naturals.add(node.symbol)
    if is_distinct(node.value, cx.distinct):
        cx.distinct.add(node.symbol)
    annotation, value = modules.without_cast(value)
    literals = tree.ListDisplay | tree.DictDisplay | tree.ListComprehension | tree.DictComprehension
    is_empty = isinstance(node.value, core.ListExpr | core.ObjectExpr) and not children(node.value)
    if isinstance(value, literals):
        infers_too_little = is_empty or typehints.is_mixed(node.value.type) or holds_typed_choice(node.value)
    else:
        infers_too_little = chooses_mixed_literals(node.value) and not ty.is_optional(node.value.type)
    if infers_too_little:
        annotation, value = typehints.container(node.value.type), modules.for_any_place(value)
        cx.untyped.add(node.symbol)
        cx.containers.add(node.symbol)
    elif annotation is None and chooses_typed(node.value):
        annotation = modules.output(modules.any_type()) if is_eventual(node.value.type) else modules.any_type()
        cx.untyped.add(node.symbol)
    elif is_untyped(cx, node.value):
        cx.untyped.add(node.symbol)
    unwrapping.mark(cx, node.symbol, node.value)
    enumtexts.mark(cx, node.symbol, node.value)
    return [tree.Assign(target=target, value=value, annotation=annotation, comments=node.comments)]


def closed(statements: list[tree.Statement], closing: tuple[str, ...]) -> list[tree.Statement]:
    """Comments inside a block that became a plain statement: a single comment follows it, several stand above it."""
    match statements:
        case [tree.Assign() | tree.Do() as first, *rest] if closing:
            return [replace(first, comments=with_closing(first.comments, closing)), *rest]
        case _:
            return [tree.Remark(lines=closing), *statements] if closing else statements


def preferred_names_of(symbol: core.Symbol, statement: Declare) -> tuple[str, ...]:
    """Preferred names for the variable of a node: its own name, then its fallback name."""
    return (names.variable(symbol.name), snake(statement.fallback_name))
