"""Lists of resources in options: each element is one resource, a ranged one, or one that may not exist."""

from __future__ import annotations

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Expr, ListExpr
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.types.model import ListType, MapType, TupleType, is_optional, resolve, without_none


def resources_of(value: ListExpr, cx: Context) -> ts.TsExpr:
    """`[a, ...many, ...Object.values(byKey), ...(maybe ? [maybe] : [])]`."""
    later = [e for e in value.elements if is_eventual(e.type)]
    if not later:
        return ts.Array(tuple(_element(e, cx) for e in value.elements))
    return _awaited(value, later, cx)


def _element(expr: Expr, cx: Context) -> ts.TsExpr:
    return _spread(translate(expr, cx), expr)


def _spread(made: ts.TsExpr, expr: Expr) -> ts.TsExpr:
    plain = resolve(expr.type)
    if is_optional(plain):
        single = without_none(plain)
        if not isinstance(single, ListType | MapType | TupleType):
            return ts.Spread(ts.Conditional(made, ts.Array((made,)), ts.Array(())))
    if isinstance(plain, ListType | TupleType):
        return ts.Spread(made)
    if isinstance(plain, MapType):
        return ts.Spread(build.call("Object", "values", made))
    return made


def _awaited(value: ListExpr, later: list[Expr], cx: Context) -> ts.TsExpr:
    """Resources that exist only once something is known: the list is an output."""
    only = value.elements[0]
    if len(value.elements) == 1 and isinstance(resolve(only.type), ListType):
        return translate_output(only, cx)
    names = [f"made{at}" if at else "made" for at in range(len(later))]
    elements: list[ts.TsExpr] = []
    for expr in value.elements:
        if is_eventual(expr.type):
            elements.append(_spread(ts.Name(names[later.index(expr)]), expr))
        else:
            elements.append(_element(expr, cx))
    sources = [translate_output(expr, cx) for expr in later]
    body = ts.Array(tuple(elements))
    if len(sources) == 1:
        return build.method(sources[0], "apply", build.arrow(names, body))
    function = ts.Arrow((ts.Parameter(tuple(names), "["),), body)
    return build.method(cx.pulumi("all", ts.Array(tuple(sources))), "apply", function)
