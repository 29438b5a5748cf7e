"""Expressions: the two judgements of the type checker and their dispatch; templates (language.md, Templates; Heredocs).

`synth` infers the type of an expression; `check` pushes an expected type down into it, so that a mismatch is reported at the
innermost wrong value, with the reason for the expected type (as in RCL: requirements go top-down). Both return core
expressions in which every conversion is explicit.  Most arms are one call into a module by topic, which calls back through
the context (`Context.synth`, `Context.check`).

Templates are literal text, interpolations and directives:

    "${x}"                              ->  x itself, with its own type
    "%{ if c }a%{ else }b%{ endif }"    ->  Template([c ? "a" : "b"])
    "%{ for x in xs }${x},%{ endfor }"  ->  Template([join("", [for x in xs : "${x},"])])
"""

from __future__ import annotations

import re
from typing import assert_never

from pclgen.bind import attempts, calls, collections, loops, operators, steps
from pclgen.bind.coerce import fit, fit_literal, hint_for, invalid, null_if_known, untyped_null
from pclgen.bind.coerce import literal_text as constant_text
from pclgen.bind.context import Context, Want, because
from pclgen.bind.literals import literal, normal, template_text
from pclgen.core.expr import Call, Expr, Literal, Symbol, Template
from pclgen.core.origins import with_origin
from pclgen.diagnostics import expressions
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.show import with_article
from pclgen.types.traverse import MAX_PARTS, holds_error, parts_of, shared_limit


def synth(cx: Context, e: ast.Expr) -> Expr:
    """The typed form of `e` without an expected type (language.md, Types of expressions)."""
    return attempts.guarded(cx, lambda inner: _synth(inner, e), e.span) if cx.attempted else _synth(cx, e)


def _synth(cx: Context, e: ast.Expr) -> Expr:
    match e:
        case ast.NumberLit() | ast.BoolLit() | ast.NullLit():
            return literal(e)
        case ast.Template():
            return synth_template(cx, e)
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
            inner = unwrapped(e)
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


# -- templates --------------------------------------------------------------------------------------------------------------

_WITHOUT_TEXT = frozenset(("Asset", "Archive", "property path", "hook", "error hook"))
_DOLLAR_NAME = re.compile(r"(?<!\$)\$(?P<name>[^\W\d][\w-]*)(?P<steps>(?:\.[^\W\d][\w-]*)*)")


def unwrapped(e: ast.Template) -> ast.Expr | None:
    """The inner expression of a template that consists of a single interpolation."""
    if len(e.parts) == 1 and isinstance(e.parts[0], ast.Interpolation):
        return e.parts[0].value
    return None


def synth_template(cx: Context, e: ast.Template) -> Expr:
    """A template: a string literal, the unwrapped expression, or text with holes."""
    inner = unwrapped(e)
    if inner is not None:
        return cx.synth(inner)
    if e.heredoc is None:  # heredocs often hold scripts of a shell, whose own variables look like this
        _look_for_dollar_names(cx, e.parts)
    text = template_text(e)
    if text is not None:
        return Literal(value=text, type=ty.STRING, span=e.span, multiline=e.heredoc is not None)
    return _template(cx, e.parts, e.span, multiline=e.heredoc is not None)


def _look_for_dollar_names(cx: Context, parts: tuple[ast.TemplatePart, ...]) -> None:
    """Warn of `$name` in a text if the program declares that name."""
    for part in parts:
        match part:
            case ast.TemplateText():
                for match_ in _DOLLAR_NAME.finditer(part.span.text) if "$" in part.value else ():
                    _look_at_dollar_name(cx, part.span, match_)
            case ast.TemplateIf():
                _look_for_dollar_names(cx, (*part.then, *part.otherwise))
            case ast.TemplateFor():
                _look_for_dollar_names(cx, part.body)
            case ast.Interpolation():
                pass


def _look_at_dollar_name(cx: Context, text: Span, match_: re.Match[str]) -> None:
    symbol = _named(cx, match_["name"])
    if symbol is None:
        return
    meant = symbol.name if has_text(symbol.type) else symbol.name + match_["steps"]
    start = text.start + match_.start()
    cx.report(expressions.dollar_name(f"${meant}", f"${{{meant}}}", Span(text.file, start, start + 1 + len(meant))))


def _named(cx: Context, word: str) -> Symbol | None:
    """The symbol named `word`, or named as the start of `word`: in `$name-suffix` the dash may be text."""
    while word:
        entry = cx.scope.find(word)
        if isinstance(entry, Symbol):
            return None if entry.type is ty.ERROR else entry
        word = word.rpartition("-")[0]
    return None


def _template(cx: Context, parts: tuple[ast.TemplatePart, ...], span: Span, multiline: bool) -> Expr:
    bound: list[Expr] = []
    for part in parts:
        piece = _part(cx, part)
        bound.extend(piece.parts if isinstance(piece, Template) and isinstance(part, ast.Interpolation) else [piece])
    merged = _merge_text(bound)
    eventual = any(part.type.eventual for part in merged)
    return Template(parts=merged, type=ty.output_of(ty.STRING) if eventual else ty.STRING, span=span, multiline=multiline)


def _merge_text(parts: list[Expr]) -> tuple[Expr, ...]:
    """Merge adjacent string literals."""
    merged: list[Expr] = []
    for part in parts:
        last = merged[-1] if merged else None
        if (
            isinstance(part, Literal)
            and isinstance(last, Literal)
            and isinstance(part.value, str)
            and isinstance(last.value, str)
        ):
            merged[-1] = Literal(value=last.value + part.value, type=ty.STRING, span=last.span)
        elif not (isinstance(part, Literal) and part.value == ""):
            merged.append(part)
    return tuple(merged)


def _part(cx: Context, part: ast.TemplatePart) -> Expr:
    match part:
        case ast.TemplateText():
            return Literal(value=normal(part.value), type=ty.STRING, span=part.span)
        case ast.Interpolation():
            return _hole(cx, part)
        case ast.TemplateIf():
            return operators.make_conditional(
                cx,
                part.condition,
                lambda inner: _text(inner, part.then, part.span),
                lambda inner: _text(inner, part.otherwise, part.span),
                span=part.span,
            )
        case ast.TemplateFor():
            return _template_for(cx, part)


def _text(cx: Context, parts: tuple[ast.TemplatePart, ...], span: Span) -> Expr:
    """Template parts as one text value."""
    if all(isinstance(part, ast.TemplateText) for part in parts):
        text = "".join([part.value for part in parts if isinstance(part, ast.TemplateText)])
        place = Span(parts[0].span.file, parts[0].span.start, parts[-1].span.end) if parts else span
        return Literal(value=normal(text), type=ty.STRING, span=place)
    return _template(cx, parts, parts[0].span.to(parts[-1].span), multiline=False)


def _template_for(cx: Context, part: ast.TemplateFor) -> Expr:
    """A `for` directive as a join over a list comprehension."""
    listed = loops.make_list_for(cx, part, lambda inner: _text(inner, part.body, part.span))
    separator = Literal(value="", type=ty.STRING, span=part.span.head())
    eventual = listed.type.eventual
    return Call(
        function=FUNCTIONS["join"],
        args=(separator, listed),
        expand=False,
        type=ty.output_of(ty.STRING) if eventual else ty.STRING,
        span=part.span,
    )


def _hole(cx: Context, part: ast.Interpolation) -> Expr:
    value = untyped_null(cx.synth(part.value))
    if not has_text(value.type):
        hint = hint_for(ty.STRING, value.type) or "put something with a text form here"
        actual = with_article(ty.resolve(value.type))
        cx.report_softly(with_origin(expressions.not_text(actual, value.span, hint), value, cx.definitions))
    if isinstance(value, Literal) and isinstance(value.type, ty.PrimitiveType):
        text = constant_text(value.value)
        return value if text is None else Literal(value=text, type=ty.STRING, span=value.span)
    return _there(cx, value)


def _there(cx: Context, value: Expr) -> Expr:
    """Check that `value` is not null in a text, since null has no text."""
    plain = ty.resolve(value.type)
    if plain is ty.DYNAMIC and not value.type.eventual:
        return fit(cx, value, Want(ty.input_of(ty.STRING), because("null has no text"), used=True))
    inner = ty.without_none(plain)
    if isinstance(inner, ty.UnionType) and not all(map(has_text, inner.members)):
        return fit(cx, value, Want(ty.input_of(ty.STRING), because("a list or an object has no text"), used=True))
    if plain is ty.NONE or not ty.is_optional(plain):
        return value
    return fit(cx, value, Want(ty.input_of(inner), because("null has no text"), used=True))


def has_text(t: ty.Type) -> bool:
    """Return whether values of `t` can be part of a text: scalars, enums, and values of unknown type."""
    plain = ty.without_none(ty.resolve(t))
    if plain is ty.NONE:
        return False
    if plain is ty.DYNAMIC or plain is ty.ERROR:
        return True
    match plain:
        case ty.PrimitiveType():
            return plain.kind not in _WITHOUT_TEXT
        case ty.ConstType() | ty.EnumType():
            return True
        case ty.UnionType():
            return any(has_text(member) for member in plain.members)
        case _:
            return False
