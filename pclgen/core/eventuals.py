"""Predicates on eventual values: eventual types, types that contain eventuals, expressions that are surely outputs.

`lower`, `core.check` and the targets use:

    output(string)              an eventual                              is_eventual
    [bucket.id, "a"]            a plain list with an eventual inside     holds_eventual
    flag ? bucket.id : "a"      has type output(string), but is a plain string when `flag` is false: not `surely_output`
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind

_UNSURE_SYMBOLS = frozenset((core.SymbolKind.LOOP, core.SymbolKind.RANGE_KEY, core.SymbolKind.RANGE_VALUE))
"""Symbols for elements of collections, which may contain plain and eventual values."""


def is_eventual(t: ty.Type) -> bool:
    """Return whether values of `t` are themselves eventual (or may be: a union with an output)."""
    if type(t) is ty.UnionType:
        return t.eventual and any(is_eventual(member) for member in t.members)
    return type(t) is ty.OutputType or type(t) is ty.PromiseType


def holds_eventual(t: ty.Type) -> bool:
    """Return whether `t` is plain at the top but contains eventuals."""
    return t.eventual and not is_eventual(t)


def is_lacking(step: core.Attr) -> bool:
    """Return whether the source of `step` may lack the member, so that the step fails (`ObjectType.lacking`).
    """
    source = ty.without_none(ty.resolve(step.source.type))
    return isinstance(source, ty.ObjectType) and step.name in source.lacking


def is_resource_like(t: ty.Type) -> bool:
    """Return whether `t` is the value of a resource or component variable: itself plain, its attributes outputs."""
    kinds = (DeclarationKind.RESOURCE, DeclarationKind.COMPONENT)
    return isinstance(t, ty.NominalType) and (t.resource is not None or t.declaration.kind in kinds)


def surely_output(expr: core.Expr) -> bool:
    """Return whether `expr` is an output (or promise) object whenever it is evaluated, so that `.apply` exists.

    Where plain and eventual values meet (branches, elements, loop variables) the type is an output although the value may be
    plain; such values are used directly where an input is expected, and go through `All` elsewhere.
    """
    if not isinstance(expr.type, ty.OutputType | ty.PromiseType):
        return False
    match expr:
        case core.Apply() | core.All() | core.Template() | core.Invoke() | core.MethodCall():
            return True
        case core.Ref():
            return expr.symbol.kind not in _UNSURE_SYMBOLS and isinstance(expr.symbol.type, ty.OutputType | ty.PromiseType)
        case core.Attr() | core.Index():
            return is_resource_like(ty.without_none(expr.source.type)) or surely_output(expr.source)
        case core.Call():
            return expr.function.lifting is Lifting.OUTPUT or expr.function.lifting is Lifting.KEEP
        case core.Convert():
            return surely_output(expr.value)
        case _:
            return False


def is_at_hand(expr: core.Expr) -> bool:
    """Return whether `expr` is a path to an output, or to a value that contains one, and no step waits: `rs[0].out`.

    Reading the path fails at once or never; only the content of the output is unknown.
    """
    node = expr
    while isinstance(node, core.Attr | core.Index):
        if is_eventual(node.source.type) or (isinstance(node, core.Index) and node.key.type.eventual):
            return False
        node = node.source
    return isinstance(node, core.Ref) and expr.type.eventual


def is_lazy(call: core.Call) -> bool:
    """Return whether `call` evaluates its arguments one by one and may survive their failure (`try`, `can`)."""
    if call.function.lifting is not Lifting.LIFT:
        return False
    rows = (*call.function.parameters, *((call.function.variadic,) if call.function.variadic is not None else ()))
    return any(row.lazy for row in rows)
