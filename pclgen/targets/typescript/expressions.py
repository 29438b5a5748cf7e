"""Core expressions as TypeScript expressions: the only dispatch over core nodes.

In lowered expressions, operators and calls have only plain operands (`lower`). The modules for the nodes call this module
through their context (`context.translate`), so that they need not import it.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.core.expr import (
    All,
    Apply,
    Attr,
    Binary,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    Invalid,
    Invoke,
    ListExpr,
    Literal,
    MethodCall,
    ObjectExpr,
    PropertyPath,
    Ref,
    Template,
    Unary,
)
from pclgen.targets.typescript import applies, conversions, invokes, loops, operators, stdlib, steps, values
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context


def translate_node(cx: Context, expr: Expr) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    match expr:
        case Literal():
            return values.literal(cx, expr)
        case Ref():
            return cx.file.bindings[expr.symbol].reference()
        case Attr():
            return steps.attribute(cx, expr)
        case Index():
            return steps.element(cx, expr)
        case ListExpr():
            return values.list_of(cx, expr)
        case ObjectExpr():
            return values.object_of(cx, expr)
        case Template():
            return values.template(cx, expr)
        case Unary():
            return operators.unary(cx, expr)
        case Binary():
            return operators.binary(cx, expr)
        case Conditional():
            return operators.conditional(cx, expr)
        case For():
            return loops.loop(cx, expr)
        case Call():
            return stdlib.call(cx, expr)
        case Invoke():
            return invokes.invoke(cx, expr)
        case MethodCall():
            return invokes.method_call(cx, expr)
        case Convert():
            return conversions.conversion(cx, expr)
        case PropertyPath():
            return ts.Text(expr.path)
        case Apply():
            return applies.apply(cx, expr)
        case All():
            return applies.gather(cx, expr)
        case Invalid():
            return cx.refuse("this expression", expr.span, "it was not understood")
        case _:
            assert_never(expr)
