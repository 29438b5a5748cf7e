"""Objects that Pulumi's Python SDK has unwrapped.

The SDK's classes for objects are dicts with attributes.  Functions that combine outputs (`Output.all`) or create an output
(`Output.from_input`, `Output.secret`) unwrap the value deeply and return plain dicts with the same keys:

    pool.nodes.apply(lambda nodes: nodes[0].droplet_id)
    pulumi.Output.all(nodes=pool.nodes, name=pool.name).apply(lambda args: args["nodes"][0]["droplet_id"])

Results of functions and resources are not dicts and stay unchanged. This module decides whether the objects in the values
of an expression may be plain dicts; keys work for objects that are not, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual
from pclgen.targets.python import conversions, tree, wire
from pclgen.targets.python.context import Context
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind
from pclgen.types.objects import holds_objects

Symbols: TypeAlias = "frozenset[core.Symbol] | set[core.Symbol]"


def mark_parameters(cx: Context, apply: core.Apply) -> None:
    """Record the parameters of `apply` whose values were unwrapped."""
    if _unwraps_parameters(cx.unwrapped, apply):
        cx.unwrapped.update(apply.parameters)


def is_unwrapped(cx: Context, expr: core.Expr) -> bool:
    """Return whether the objects in the value of `expr` may have become plain dicts."""
    return _is_unwrapped(cx.unwrapped, expr)


def _unwraps_parameters(symbols: Symbols, apply: core.Apply) -> bool:
    return len(apply.args) > 1 or holds_eventual(apply.args[0].type) or _is_unwrapped(symbols, apply.args[0])


def _is_unwrapped(symbols: Symbols, expr: core.Expr) -> bool:
    """Return whether `expr` may hold plain dicts, if the values of `symbols` do."""
    match expr:
        case core.Ref():
            return expr.symbol in symbols
        case core.All():
            return True
        case core.Attr():
            kind = _kind(expr.source.type)
            # Generated components create their outputs with `from_input`.
            return kind is DeclarationKind.COMPONENT or (kind in _DICTS and _is_unwrapped(symbols, expr.source))
        case core.Index():
            return _is_unwrapped(symbols, expr.source)
        case core.Convert():
            return _is_unwrapped(symbols, expr.value)
        case core.Apply():
            inside = symbols.union(expr.parameters) if _unwraps_parameters(symbols, expr) else symbols
            return _is_unwrapped(inside, expr.body)
        case core.Conditional():
            return _is_unwrapped(symbols, expr.then) or _is_unwrapped(symbols, expr.otherwise)
        case core.ListExpr():
            return any(_is_unwrapped(symbols, element) for element in expr.elements)
        case core.ObjectExpr():
            return any(_is_unwrapped(symbols, item.value) for item in expr.items)
        case core.For():
            inside = symbols.union((expr.value,)) if _is_unwrapped(symbols, expr.collection) else symbols
            return _is_unwrapped(inside, expr.result)
        case core.Call():
            return expr.function.name == "secret" or any(_is_unwrapped(symbols, arg) for arg in expr.args)
        case _:
            return False


_DICTS = (None, DeclarationKind.OBJECT)


def _kind(t: ty.Type) -> DeclarationKind | None:
    plain = ty.without_none(ty.resolve(t))
    return plain.declaration.kind if isinstance(plain, ty.NominalType) else None


def is_plain_dict(cx: Context, source: core.Expr) -> bool:
    """Return whether the object that is the value of `source` may be a plain dict although it has a class in the SDK."""
    return _kind(source.type) is DeclarationKind.OBJECT and is_unwrapped(cx, source)


def to_wire(cx: Context, source: core.Expr) -> Callable[[tree.Expr], tree.Expr]:
    """The conversion of objects to dicts with the names of the schema; a plain dict needs its shape as an argument."""
    args = wire.shape_arguments(source.type) if is_unwrapped(cx, source) else ()
    return lambda value: tree.call(conversions.WIRE_VALUE, value, *args)


def for_the_engine(cx: Context, expr: core.Expr) -> core.Expr:
    """`expr` for the engine, with plain dicts converted to the schema's names; the SDK converts its own objects."""
    match expr:
        case core.ListExpr():
            return replace(expr, elements=tuple(for_the_engine(cx, element) for element in expr.elements))
        case core.ObjectExpr() if not isinstance(expr.type, ty.NominalType):
            return replace(expr, items=tuple(replace(i, value=for_the_engine(cx, i.value)) for i in expr.items))
        case _ if holds_objects(expr.type) and is_unwrapped(cx, expr):
            return core.Convert(
                value=expr, type=ty.output_of(ty.DYNAMIC) if expr.type.eventual else ty.DYNAMIC, span=expr.span
            )
        case _:
            return expr
