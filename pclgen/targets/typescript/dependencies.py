"""Lists of resources in options: each element is a resource, a ranged resource, or a resource that may not exist."""

from __future__ import annotations

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Expr, ListExpr
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.types import model as ty


def dependencies(cx: Context, value: ListExpr) -> ts.TsExpr:
    """The dependencies of a resource: a single resource that may not exist needs no brackets."""
    if len(value.elements) == 1 and not is_eventual(value.elements[0].type) and _is_optional_resource(value.elements[0]):
        return translate(cx, value.elements[0])
    return resources_of(cx, value)


def resources_of(cx: Context, value: ListExpr) -> ts.TsExpr:
    """`[a, ...many, ...Object.values(byKey), ...(maybe ? [maybe] : [])]`; `many` if it is the only element."""
    later = [e for e in value.elements if is_eventual(e.type)]
    if not later:
        elements = tuple(_element(cx, e) for e in value.elements)
        if len(elements) == 1 and isinstance(elements[0], ts.Spread):
            return elements[0].value
        return ts.Array(elements)
    return _awaited(cx, value, later)


def _element(cx: Context, expr: Expr) -> ts.TsExpr:
    node = translate(cx, expr)
    plain = ty.resolve(expr.type)
    if _is_optional_resource(expr):
        return ts.Spread(ts.Conditional(node, ts.Array((node,)), ts.Array(())))
    if isinstance(plain, ty.ListType | ty.TupleType):
        return ts.Spread(node)
    if isinstance(plain, ty.MapType):
        return ts.Spread(build.call("Object", "values", node))
    return node


def _is_optional_resource(expr: Expr) -> bool:
    """Return whether the value is a resource or undefined."""
    plain = ty.resolve(expr.type)
    return ty.is_optional(plain) and not isinstance(ty.without_none(plain), ty.ListType | ty.MapType | ty.TupleType)


def _awaited(cx: Context, value: ListExpr, later: list[Expr]) -> ts.TsExpr:
    """A list with resources that exist only once an output is known."""
    only = value.elements[0]
    if len(value.elements) == 1 and isinstance(ty.resolve(only.type), ty.ListType):
        return translate_output(cx, only)
    return ts.Array(tuple(_later(cx, e) if e in later else _element(cx, e) for e in value.elements))


def _later(cx: Context, expr: Expr) -> ts.TsExpr:
    """Resources that are known later, beside known resources: the SDK accepts outputs of lists, though its types do not.

    If an output unknown in a preview held the known resources, the preview would not depend on them.
    """
    node = translate_output(cx, expr)
    if isinstance(ty.without_none(ty.resolve(expr.type)), ty.MapType):
        there = ts.Variable(("made",))
        node = build.method(node, "apply", build.arrow([there], build.call("Object", "values", ts.Name(there))))
    return ts.As(node, cx.imports.pulumi_type("Output", ts.TypeName("any")))
