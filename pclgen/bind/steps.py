"""References and steps into values: names, attributes, indexes (language.md, Names and scopes; Steps)."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec.structs import replace

from pclgen.bind.attempts import is_failing
from pclgen.bind.coerce import failing, fit, fit_key, invalid, not_null, untyped_null
from pclgen.bind.context import Context, Want
from pclgen.bind.literals import bare, static_text
from pclgen.bind.presence import EXISTS, is_own, may_be_null, path_key, root_of
from pclgen.bind.scope import SPLAT_ITEM, RangeEntry, SettingsEntry
from pclgen.core import expr as core
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics.model import softened
from pclgen.source.text import Span
from pclgen.stdlib.deployment import STACK_REFERENCE
from pclgen.stdlib.model import arity
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.show import show, show_value, with_article
from pclgen.types.traverse import (
    NoStep,
    Refusal,
    Step,
    attribute,
    index,
    iterates_in_some_cases,
    iteration,
)

_NEXT_STEPS = re.compile(r"\s*\.\s*([^\W\d][\w-]*)(?:\s*\.\s*([^\W\d][\w-]*))?")


def synth_variable(cx: Context, e: ast.Variable) -> core.Expr:
    """A name."""
    entry = cx.scope.find(e.name)
    match entry:
        case core.Symbol():
            return core.Ref(symbol=entry, type=entry.type, span=e.span)
        case RangeEntry():
            return _range_object(entry, e.span)
        case SettingsEntry():
            cx.report(say.settings_not_a_value(e.name, e.span))
            return invalid(e.span)
        case None:
            match = _NEXT_STEPS.match(e.span.file.text, e.span.end)
            steps = [step for step in match.groups() if step is not None] if match is not None else ()
            function = FUNCTIONS.get(e.name)
            call = None if function is None else f"{e.name}({'' if arity(function)[1] == 0 else '…'})"
            cx.report_softly(say.unknown_variable(e.name, cx.scope.visible(), e.span, call=call, steps=steps))
            return _hole(cx, e.name, e.span)


def _hole(cx: Context, what: str, span: Span) -> core.Expr:
    """The replacement of an unknown name: in lenient mode a call of any type that fails at run time."""
    return failing(f"{what} is unknown", span) if cx.lenient else invalid(span)


def synth_splat_item(cx: Context, e: ast.SplatItem) -> core.Expr:
    """The item of a splat."""
    entry = cx.scope.find(SPLAT_ITEM)
    assert isinstance(entry, core.Symbol), "the parser only makes splat items inside splats"
    return core.Ref(symbol=entry, type=entry.type, span=e.span)


def _range_object(entry: RangeEntry, span: Span) -> core.Expr:
    """`range` by itself: an object with its key and value."""
    parts = [(name, s) for name, s in (("key", entry.key), ("value", entry.item)) if s is not None]
    items = tuple(
        [
            core.ObjectItem(
                key=core.Literal(value=name, type=ty.STRING, span=span),
                value=core.Ref(symbol=symbol, type=symbol.type, span=span),
                span=span,
            )
            for name, symbol in parts
        ]
    )
    return core.ObjectExpr(items=items, type=ty.object_of({name: s.type for name, s in parts}), span=span)


def synth_attribute(cx: Context, e: ast.GetAttr) -> core.Expr:
    """`source.name`."""
    if isinstance(e.source, ast.Variable):
        entry = cx.scope.find(e.source.name)
        if isinstance(entry, RangeEntry):
            return _range_step(cx, entry, e.name.text, e.name.span, span=e.span)
    source = untyped_null(cx.synth(e.source))
    return step_into(cx, source, e.name.text, e.name.span, span=e.span)


def _range_step(cx: Context, entry: RangeEntry, name: str, name_span: Span, *, span: Span) -> core.Expr:
    symbol = {"key": entry.key, "value": entry.item}.get(name)
    if symbol is not None:
        return core.Ref(symbol=symbol, type=symbol.type, span=span)
    attributes = [n for n, s in (("key", entry.key), ("value", entry.item)) if s is not None]
    cx.report(say.unknown_attribute(name, "range", attributes, name_span))
    return invalid(span)


def step_into(cx: Context, source: core.Expr, key: str | int | Decimal, key_span: Span, *, span: Span) -> core.Expr:
    """`source` with one literal step."""
    if source.type is ty.ERROR:
        return invalid(span)
    if is_failing(source):
        return source
    source = _there(cx, source, span)
    if source.type is ty.ERROR:
        return invalid(span)
    receiver = _receiver(cx, source)
    step = attribute(receiver, key) if isinstance(key, str) else index(receiver, key)
    if isinstance(step, NoStep):
        return _refuse(cx, step, key, key_span, source=source, span=span)
    if step.spelled is not None:
        cx.report(say.other_case(str(key), step.spelled, key_span))
    if step.field is not None and step.field.deprecated:
        cx.report(say.deprecated(f'"{step.field.name}"', step.field.deprecated, key_span))
    if _are_outputs_of_stack(source) and not cx.attempted:
        return _stack_output(source, core.Literal(value=str(key), type=ty.STRING, span=span), step.type, span)
    result = _make_step(source, key, step, span)
    if step.lacking and (*(path_key(result) or ()), EXISTS) in cx.nulls.present:
        return replace(result, proved=True) if isinstance(result, core.Attr) else result
    if step.lacking and not cx.attempted:
        cx.report_softly(say.missing_in_some(str(key), key_span, span.text))
    return result


def _receiver(cx: Context, source: core.Expr) -> ty.Type:
    """The type of the receiver of a step. If failures are caught, it has no null: a step into null fails."""
    inner = ty.without_none(source.type)
    fails = cx.attempted and inner is not ty.NONE and not is_resource(ty.without_none(root_of(source).type))
    return inner if fails else source.type


def _are_outputs_of_stack(source: core.Expr) -> bool:
    """Return whether `source` is `network.outputs` of a stack reference."""
    if not isinstance(source, core.Attr) or source.name != "outputs":
        return False
    reference = source.source.type
    return isinstance(reference, ty.NominalType) and reference.declaration.token == STACK_REFERENCE


def _stack_output(outputs: core.Expr, name: core.Expr, type_: ty.Type, span: Span) -> core.Expr:
    """Bind `network.outputs["vpcId"]` as `getOutput(network, "vpcId")`.

    Only `getOutput` returns null for a missing output and keeps secrets. Not for `try`, where a missing output must fail.
    """
    assert isinstance(outputs, core.Attr)
    return core.Call(function=FUNCTIONS["getOutput"], args=(outputs.source, name), expand=False, type=type_, span=span)


def _there(cx: Context, source: core.Expr, span: Span) -> core.Expr:
    """Check that the receiver of a step is not null, if it can be null because of the program itself.

    Inside `try` and `can` a step into null fails anyway.
    """
    plain = ty.resolve(source.type)
    if cx.attempted or plain is ty.NONE or not ty.is_optional(plain) or is_resource(ty.without_none(plain)):
        return source
    if is_resource(ty.without_none(root_of(source).type)):
        return source  # every attribute of a resource that was not created is null
    if not may_be_null(source, cx.nulls.present):
        return source if source.type.eventual else not_null(cx, source)
    if not is_own(source, cx.definitions):
        return source
    return fit(cx, source, Want(ty.input_of(ty.without_none(plain)), used=True, whole=span.text))


def _make_step(source: core.Expr, key: str | int | Decimal, step: Step, span: Span) -> core.Expr:
    receiver = ty.without_none(ty.resolve(source.type))
    if isinstance(receiver, ty.UnionType):
        receiver = next(member for member in receiver.members if isinstance(index(member, key), Step))
    if isinstance(key, str) and isinstance(receiver, ty.ListType | ty.TupleType) and key.isdecimal():
        key = int(key)
    named = isinstance(key, str) and not isinstance(receiver, ty.MapType)
    if named:
        name = step.spelled or (step.field.name if step.field is not None else str(key))
        return core.Attr(source=source, name=name, field=step.field, type=step.type, span=span)
    if not isinstance(key, str) and isinstance(receiver, ty.MapType | ty.ObjectType):
        key = str(key)
    key_type = ty.STRING if isinstance(key, str) else ty.INT
    literal = core.Literal(value=key if isinstance(key, str) else int(key), type=key_type, span=span)
    return core.Index(source=source, key=literal, type=step.type, span=span)


def _refuse(
    cx: Context, no: NoStep, key: str | int | Decimal, key_span: Span, *, source: core.Expr, span: Span
) -> core.Expr:
    receiver = with_article(no.receiver)
    text = show_value(key)
    match no.refusal:
        case Refusal.UNKNOWN_MEMBER:
            diagnostic = say.unknown_attribute(str(key), show(no.receiver), no.names, key_span)
        case Refusal.LIST_BY_NAME:
            is_ranged = isinstance(source, core.Ref) and source.symbol.kind is core.SymbolKind.RESOURCE
            diagnostic = say.list_by_name(receiver, str(key), key_span, is_ranged=is_ranged)
        case Refusal.OUT_OF_RANGE:
            length = len(no.receiver.elements) if isinstance(no.receiver, ty.TupleType) else None
            diagnostic = say.index_out_of_range(text, length, key_span, source=source.span.text)
        case Refusal.NULL:
            diagnostic = say.null_step(key_span, source.span.text)
        case Refusal.IN_SOME_CASES:
            diagnostic = say.cannot_iterate(receiver, source.span, "indexed", None, in_some_cases=True)
        case Refusal.NOT_AN_OBJECT:
            diagnostic = say.cannot_step(receiver, text, key_span)
    soft = no.refusal in (Refusal.UNKNOWN_MEMBER, Refusal.LIST_BY_NAME)
    cx.report(softened(diagnostic, cx.lenient and soft))
    return _hole(cx, str(key), span) if soft else invalid(span)


def synth_index(cx: Context, e: ast.Index) -> core.Expr:
    """`source[key]`; a literal key is a step, a computed key an index operation."""
    source = untyped_null(cx.synth(e.source))
    key = _literal_key(e.key)
    if key is not None:
        return step_into(cx, source, key, e.key.span, span=e.span)
    return _computed_index(cx, source, e)


def _literal_key(e: ast.Expr) -> str | int | Decimal | None:
    e = bare(e)
    if isinstance(e, ast.NumberLit):
        return e.value
    if isinstance(e, ast.Unary) and e.operator == "-" and isinstance(e.operand, ast.NumberLit):
        return -e.operand.value
    return static_text(e)


def _computed_index(cx: Context, source: core.Expr, e: ast.Index) -> core.Expr:
    source = _there(cx, source, e.span)
    way = iteration(source.type)
    if way is None:
        if source.type is not ty.ERROR:
            actual = with_article(ty.resolve(source.type))
            in_some_cases = iterates_in_some_cases(source.type)
            cx.report(say.cannot_iterate(actual, source.span, "indexed", None, in_some_cases=in_some_cases))
        cx.synth(e.key)
        return invalid(e.span)
    key = cx.synth(e.key)
    is_bool = way.key is ty.DYNAMIC and ty.resolve(key.type) is ty.BOOL  # a bool is not a list index
    key = fit_key(cx, key, ty.STRING if is_bool else way.key)
    result: ty.Type = way.element
    if way.is_eventual or key.type.eventual:
        result = ty.output_of(result)
    if _are_outputs_of_stack(source) and not cx.attempted:
        return _stack_output(source, key, result, e.span)
    return core.Index(source=source, key=key, type=result, span=e.span)
