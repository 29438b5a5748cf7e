"""Core expressions as TypeScript expressions: the only dispatch over core nodes.

In lowered expressions, operators and calls have only plain operands (`lower`). The modules for the nodes call this module
through their context (`context.translate`), so that they need not import it.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.core import expr as core
from pclgen.targets.typescript import applies, conversions, invokes, loops, operators, stdlib, steps, values
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context


def translate_node(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    match expr:
        case core.Literal():
            return values.literal(cx, expr)
        case core.Ref():
            return cx.file.bindings[expr.symbol].reference()
        case core.Attr():
            return steps.attribute(cx, expr)
        case core.Index():
            return steps.element(cx, expr)
        case core.ListExpr():
            return values.list_of(cx, expr)
        case core.ObjectExpr():
            return values.object_of(cx, expr)
        case core.Template():
            return values.template(cx, expr)
        case core.Unary():
            return operators.unary(cx, expr)
        case core.Binary():
            return operators.binary(cx, expr)
        case core.Conditional():
            return operators.conditional(cx, expr)
        case core.For():
            return loops.loop(cx, expr)
        case core.Call():
            return stdlib.call(cx, expr)
        case core.Invoke():
            return invokes.invoke(cx, expr)
        case core.MethodCall():
            return invokes.method_call(cx, expr)
        case core.Convert():
            return conversions.conversion(cx, expr)
        case core.PropertyPath():
            return ts.Text(expr.path)
        case core.Apply():
            return applies.apply(cx, expr)
        case core.All():
            return applies.gather(cx, expr)
        case core.Invalid():
            return cx.refuse("this expression", expr.span, "it was not understood")
        case _:
            assert_never(expr)
