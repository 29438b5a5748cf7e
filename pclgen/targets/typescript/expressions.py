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


def translate_node(expr: Expr, cx: Context) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    match expr:
        case Literal():
            return values.literal(expr, cx)
        case Ref():
            return cx.file.bindings[expr.symbol].reference()
        case Attr():
            return steps.attribute(expr, cx)
        case Index():
            return steps.element(expr, cx)
        case ListExpr():
            return values.list_of(expr, cx)
        case ObjectExpr():
            return values.object_of(expr, cx)
        case Template():
            return values.template(expr, cx)
        case Unary():
            return operators.unary(expr, cx)
        case Binary():
            return operators.binary(expr, cx)
        case Conditional():
            return operators.conditional(expr, cx)
        case For():
            return loops.loop(expr, cx)
        case Call():
            return stdlib.call(expr, cx)
        case Invoke():
            return invokes.invoke(expr, cx)
        case MethodCall():
            return invokes.method_call(expr, cx)
        case Convert():
            return conversions.conversion(expr, cx)
        case PropertyPath():
            return ts.Text(expr.path)
        case Apply():
            return applies.apply(expr, cx)
        case All():
            return applies.gather(expr, cx)
        case Invalid():
            return cx.refuse("this expression", expr.span, "it was not understood")
        case _:
            assert_never(expr)
