"""Outputs: `apply` over one or several, and structures made one output (targets 7.3)."""

from __future__ import annotations

from contextlib import ExitStack

from pclgen.core import expr as core
from pclgen.targets.names import NameTable
from pclgen.targets.python import modules, names, objects, tree, values
from pclgen.targets.python.context import Context
from pclgen.types.model import PromiseType


def lower_apply(cx: Context, expr: core.Apply) -> tree.Expr:
    """`x.apply(lambda x: …)`, or `pulumi.Output.all(a=…, b=…).apply(lambda args: …)`."""
    inner = cx.with_classes()
    if len(expr.args) == 1:
        arg, symbol = expr.args[0], expr.parameters[0]
        parameter = inner.bind(symbol)
        if values.is_untyped(cx, arg):
            cx.untyped.add(symbol)
        body = values.lower(inner, expr.body)
        return tree.method(as_receiver(cx, arg), "apply", tree.Lambda(parameters=(parameter,), body=body))
    table = NameTable(names.KEYWORDS)
    keys = [table.claim(names.attribute(symbol.name)) for symbol in expr.parameters]
    combined = tree.Call(
        function=modules.pulumi("Output.all"),
        args=tuple(tree.Argument(name=key, value=values.lower(cx, arg)) for key, arg in zip(keys, expr.args, strict=True)),
    )
    resolved = tree.Variable(wishes=("args",))
    with ExitStack() as stack:
        for key, symbol in zip(keys, expr.parameters, strict=True):
            stack.enter_context(cx.written(symbol, tree.index(tree.name(resolved), tree.text(key))))
            cx.untyped.add(symbol)
        body = values.lower(inner, expr.body)
    return tree.method(combined, "apply", tree.Lambda(parameters=(resolved,), body=body))


def as_receiver(cx: Context, expr: core.Expr) -> tree.Expr:
    """`expr` as an output on which a method can be called."""
    if isinstance(expr.type, PromiseType) or objects.holds_outputs(expr.type):
        return modules.as_output(values.lower(cx, expr))
    return values.receiver(cx, expr)


def lower_all(cx: Context, expr: core.All) -> tree.Expr:
    """`pulumi.Output.all(a, b)`: also for objects, which it knows by keyword."""
    value = expr.value
    match value:
        case core.ListExpr(comments=()) if value.elements and not value.closing:
            return tree.call(modules.pulumi("Output.all"), *(values.lower(cx, e) for e in value.elements))
        case core.ObjectExpr() if _has_keyword_keys(value):
            args = tuple(
                tree.Argument(name=_key(item), value=values.lower(cx, item.value), comments=item.comments)
                for item in value.items
            )
            return tree.Call(function=modules.pulumi("Output.all"), args=args, closing=value.closing)
        case core.For(result_key=None):
            spread = tree.Argument(name="*", value=values.lower(cx, value))
            return tree.Call(function=modules.pulumi("Output.all"), args=(spread,))
        case _:
            return modules.as_output(values.lower(cx, value))


def _key(item: core.ObjectItem) -> str:
    assert isinstance(item.key, core.Literal)
    return str(item.key.value)


def _has_keyword_keys(expr: core.ObjectExpr) -> bool:
    """Whether the keys can be keywords of a call."""
    if not expr.items or values.has_attributes(expr.type):
        return False
    keys = [item.key.value for item in expr.items if isinstance(item.key, core.Literal)]
    named = [key for key in keys if isinstance(key, str) and key.isidentifier() and key.isascii()]
    return len(named) == len(expr.items) and not names.KEYWORDS & {*named}
