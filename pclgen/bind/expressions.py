"""Expressions: the two judgements of the type checker and their dispatch.

`synth` infers the type of an expression; `check` pushes an expected type down into it, so that a mismatch is reported at the
innermost wrong value, with the reason for the expected type (as in RCL: requirements go top-down). Both return core
expressions in which every conversion is explicit.  Each arm is one call into a module by topic, which calls back through
the context (`Context.synth`, `Context.check`).
"""

from __future__ import annotations

from typing import assert_never

from pclgen.bind import attempts, calls, collections, loops, operators, steps, templates
from pclgen.bind.coerce import fit, fit_literal, invalid, null_if_known
from pclgen.bind.context import Context, Want
from pclgen.bind.literals import literal
from pclgen.core.expr import Expr
from pclgen.diagnostics import expressions
from pclgen.syntax import ast
from pclgen.types.objects import MAX_PARTS, holds_error, parts_of, shared_limit


def synth(cx: Context, e: ast.Expr) -> Expr:
    """The typed form of `e` without an expected type (language.md, Types of expressions)."""
    return attempts.guarded(cx, lambda inner: _synth(inner, e), e.span) if cx.attempted else _synth(cx, e)


def _synth(cx: Context, e: ast.Expr) -> Expr:
    match e:
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit():
            return literal(e)
        case ast.Template():
            return templates.synth_template(cx, e)
        case ast.Variable():
            return null_if_known(cx, steps.synth_variable(cx, e))
        case ast.GetAttr():
            return null_if_known(cx, steps.synth_attribute(cx, e))
        case ast.Index():
            return null_if_known(cx, steps.synth_index(cx, e))
        case ast.SplatItem():
            return steps.synth_splat_item(cx, e)
        case ast.Splat():
            return loops.synth_splat(cx, e)
        case ast.Call():
            return calls.synth_call(cx, e)
        case ast.Unary():
            return operators.synth_unary(cx, e)
        case ast.Binary():
            return operators.synth_binary(cx, e)
        case ast.Conditional():
            return operators.synth_conditional(cx, e)
        case ast.TupleExpr():
            return _bounded(cx, collections.synth_list(cx, e))
        case ast.ObjectExpr():
            return _bounded(cx, collections.synth_object(cx, e))
        case ast.ForExpr():
            return _bounded(cx, loops.synth_for(cx, e))
        case ast.Parens():
            return synth(cx, e.inner)
        case ast.Missing():
            return invalid(e.span)
        case _:
            assert_never(e)


def check(cx: Context, e: ast.Expr, want: Want) -> Expr:
    """The typed form of `e` as a value of the expected type; reports a mismatch."""
    return attempts.guarded(cx, lambda inner: _check(inner, e, want), e.span) if cx.attempted else _check(cx, e, want)


def _check(cx: Context, e: ast.Expr, want: Want) -> Expr:
    match e:
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit():
            return fit_literal(cx, literal(e), want)
        case ast.Parens():
            return check(cx, e.inner, want)
        case ast.Template():
            inner = templates.unwrapped(e)
            return fit(cx, synth(cx, e), want) if inner is None else check(cx, inner, want)
        case ast.TupleExpr():
            return _bounded(cx, collections.check_list(cx, e, want))
        case ast.ObjectExpr():
            return _bounded(cx, collections.check_object(cx, e, want))
        case ast.Conditional():
            return operators.check_conditional(cx, e, want)
        case ast.ForExpr():
            return _bounded(cx, loops.check_for(cx, e, want))
        case _:
            return collections.fit_map(cx, synth(cx, e), want)


def _bounded(cx: Context, expr: Expr) -> Expr:
    """Return `expr`, or report a value with too many parts, such as values that use others twice, level after level."""
    limit = MAX_PARTS if parts_of(expr.type) > MAX_PARTS else shared_limit(expr.type, len(expr.span.file.text))
    if parts_of(expr.type) <= limit:
        return expr
    if not holds_error(expr.type):
        cx.report(expressions.too_many_parts(limit, expr.span))
    return invalid(expr.span)
