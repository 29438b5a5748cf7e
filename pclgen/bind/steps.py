"""References and steps into values: names, attributes, indexes (language.md, Names and scopes; Steps)."""

from __future__ import annotations

import re
from decimal import Decimal

from pclgen.bind.coerce import fit, fit_key, invalid, not_null, untyped_null
from pclgen.bind.context import Context, Want
from pclgen.bind.literals import static_text
from pclgen.bind.presence import EXISTS, is_own, may_be_null, path_key, root_of
from pclgen.bind.scope import SPLAT_ITEM, RangeEntry, SettingsEntry
from pclgen.core.expr import Attr, Call, Expr, Index, Literal, ObjectExpr, ObjectItem, Ref, Symbol
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics import values
from pclgen.diagnostics.make import softened
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.stdlib.stack import STACK_REFERENCE
from pclgen.syntax import ast
from pclgen.types.convert import is_resource
from pclgen.types.model import (
    BOOL,
    DYNAMIC,
    ERROR,
    INT,
    NONE,
    STRING,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    TupleType,
    Type,
    UnionType,
    input_of,
    is_optional,
    object_of,
    output_of,
    resolve,
    without_none,
)
from pclgen.types.show import show, show_value, with_article
from pclgen.types.traverse import (
    Eventuality,
    NoStep,
    Refusal,
    Step,
    attribute,
    index,
    iterates_in_some_cases,
    iteration,
)

_NEXT_STEP = re.compile(r"\s*\.\s*([^\W\d][\w-]*)")


def synth_variable(cx: Context, e: ast.Variable) -> Expr:
    """A name."""
    entry = cx.scope.find(e.name)
    match entry:
        case Symbol():
            return Ref(symbol=entry, type=entry.type, span=e.span)
        case RangeEntry():
            return _range_object(entry, e.span)
        case SettingsEntry():
            cx.report(say.not_a_value(e.name, "the settings block", e.span))
            return invalid(e.span)
        case None:
            step = _NEXT_STEP.match(e.span.file.text, e.span.end)
            follows = step[1] if step is not None else None
            diagnostic = say.unknown_variable(e.name, cx.scope.visible(), tuple(FUNCTIONS), e.span, step=follows)
            cx.report_softly(diagnostic)
            return _hole(cx, e.name, e.span)


def _hole(cx: Context, what: str, span: Span) -> Expr:
    """The replacement of an unknown name: in lenient mode a call of any type that fails at run time."""
    if not cx.lenient:
        return invalid(span)
    message = Literal(value=f"{what} is unknown", type=STRING, span=span)
    return Call(function=FUNCTIONS["notImplemented"], args=(message,), expand=False, type=DYNAMIC, span=span)


def _is_hole(e: Expr) -> bool:
    return isinstance(e, Call) and e.function is FUNCTIONS["notImplemented"]


def synth_splat_item(cx: Context, e: ast.SplatItem) -> Expr:
    """The item of a splat."""
    entry = cx.scope.find(SPLAT_ITEM)
    assert isinstance(entry, Symbol), "the parser only makes splat items inside splats"
    return Ref(symbol=entry, type=entry.type, span=e.span)


def _range_object(entry: RangeEntry, span: Span) -> Expr:
    """`range` by itself: an object with its key and value."""
    parts = [(name, s) for name, s in (("key", entry.key), ("value", entry.item)) if s is not None]
    items = tuple(
        [
            ObjectItem(
                key=Literal(value=name, type=STRING, span=span),
                value=Ref(symbol=symbol, type=symbol.type, span=span),
                span=span,
            )
            for name, symbol in parts
        ]
    )
    return ObjectExpr(items=items, type=object_of({name: s.type for name, s in parts}), span=span)


def synth_attribute(cx: Context, e: ast.GetAttr) -> Expr:
    """`source.name`."""
    if isinstance(e.source, ast.Variable):
        entry = cx.scope.find(e.source.name)
        if isinstance(entry, RangeEntry):
            return _range_step(cx, entry, e.name.text, e.name.span, span=e.span)
    source = untyped_null(cx.synth(e.source))
    return step_into(cx, source, e.name.text, e.name.span, span=e.span)


def _range_step(cx: Context, entry: RangeEntry, name: str, name_span: Span, *, span: Span) -> Expr:
    symbol = {"key": entry.key, "value": entry.item}.get(name)
    if symbol is not None:
        return Ref(symbol=symbol, type=symbol.type, span=span)
    known = [n for n, s in (("key", entry.key), ("value", entry.item)) if s is not None]
    cx.report(say.unknown_attribute(name, "range", known, name_span))
    return invalid(span)


def step_into(cx: Context, source: Expr, key: str | int | Decimal, key_span: Span, *, span: Span) -> Expr:
    """`source` with one literal step."""
    if source.type is ERROR:
        return invalid(span)
    if _is_hole(source):
        return source
    source = _there(cx, source, span)
    if source.type is ERROR:
        return invalid(span)
    receiver = _receiver(cx, source)
    step = attribute(receiver, key) if isinstance(key, str) else index(receiver, key)
    if isinstance(step, NoStep):
        return _refuse(cx, step, key, key_span, source=source, span=span)
    if step.spelled is not None:
        cx.report(say.other_case(str(key), step.spelled, key_span))
    if step.field is not None and step.field.deprecated:
        cx.report(values.deprecated(f'"{step.field.name}"', step.field.deprecated, key_span))
    if _are_outputs_of_stack(source) and not cx.attempted:
        return _stack_output(source, Literal(value=str(key), type=STRING, span=span), step.type, span)
    result = _make_step(source, key, step, span)
    if step.lacking and not cx.attempted and (*(path_key(result) or ()), EXISTS) not in cx.nulls.present:
        cx.report_softly(say.missing_in_some(str(key), key_span, span.text))
    return result


def _receiver(cx: Context, source: Expr) -> Type:
    """The type of the receiver of a step. If failures are caught, it has no null: a step into null fails."""
    inner = without_none(source.type)
    fails = cx.attempted and inner is not NONE and not is_resource(without_none(root_of(source).type))
    return inner if fails else source.type


def _are_outputs_of_stack(source: Expr) -> bool:
    """Return whether `source` is `network.outputs` of a stack reference."""
    if not isinstance(source, Attr) or source.name != "outputs":
        return False
    reference = source.source.type
    return isinstance(reference, NominalType) and reference.declaration.token == STACK_REFERENCE


def _stack_output(outputs: Expr, name: Expr, type_: Type, span: Span) -> Expr:
    """Bind `network.outputs["vpcId"]` as `getOutput(network, "vpcId")`.

    Only `getOutput` returns null for a missing output and keeps secrets. Not for `try`, where a missing output must fail.
    """
    assert isinstance(outputs, Attr)
    return Call(function=FUNCTIONS["getOutput"], args=(outputs.source, name), expand=False, type=type_, span=span)


def _there(cx: Context, source: Expr, span: Span) -> Expr:
    """Check that the receiver of a step is not null, if it can be null because of the program itself.

    Inside `try` and `can` a step into null fails anyway.
    """
    plain = resolve(source.type)
    if cx.attempted or plain is NONE or not is_optional(plain) or is_resource(without_none(plain)):
        return source
    if is_resource(without_none(root_of(source).type)):
        return source  # every attribute of a resource that was not created is null
    if not may_be_null(source, cx.nulls.present):
        return source if source.type.eventual else not_null(cx, source)
    if not is_own(source, cx.definitions):
        return source
    return fit(cx, source, Want(input_of(without_none(plain)), used=True, whole=span.text))


def _make_step(source: Expr, key: str | int | Decimal, step: Step, span: Span) -> Expr:
    receiver = without_none(resolve(source.type))
    if isinstance(receiver, UnionType):
        receiver = next(member for member in receiver.members if isinstance(index(member, key), Step))
    if isinstance(key, str) and isinstance(receiver, ListType | TupleType) and key.isdecimal():
        key = int(key)
    named = isinstance(key, str) and not isinstance(receiver, MapType)
    if named:
        name = step.spelled or (step.field.name if step.field is not None else str(key))
        return Attr(source=source, name=name, field=step.field, type=step.type, span=span)
    if not isinstance(key, str) and isinstance(receiver, MapType | ObjectType):
        key = str(key)
    key_type = STRING if isinstance(key, str) else INT
    literal = Literal(value=key if isinstance(key, str) else int(key), type=key_type, span=span)
    return Index(source=source, key=literal, type=step.type, span=span)


def _refuse(cx: Context, no: NoStep, key: str | int | Decimal, key_span: Span, *, source: Expr, span: Span) -> Expr:
    receiver = with_article(no.receiver)
    text = show_value(key)
    match no.refusal:
        case Refusal.UNKNOWN_MEMBER:
            diagnostic = say.unknown_attribute(str(key), show(no.receiver), no.names, key_span)
        case Refusal.LIST_BY_NAME:
            diagnostic = say.list_by_name(receiver, str(key), key_span)
        case Refusal.OUT_OF_RANGE:
            length = len(no.receiver.elements) if isinstance(no.receiver, TupleType) else None
            diagnostic = say.index_out_of_range(text, length, key_span)
        case Refusal.NULL:
            diagnostic = say.null_step(key_span, source.span.text)
        case Refusal.NOT_AN_OBJECT:
            diagnostic = say.cannot_step(receiver, text, key_span)
    soft = no.refusal in (Refusal.UNKNOWN_MEMBER, Refusal.LIST_BY_NAME)
    cx.report(softened(diagnostic, cx.lenient and soft))
    return _hole(cx, str(key), span) if soft else invalid(span)


def synth_index(cx: Context, e: ast.Index) -> Expr:
    """`source[key]`; a literal key is a step, a computed key an index operation."""
    source = untyped_null(cx.synth(e.source))
    key = _literal_key(e.key)
    if key is not None:
        return step_into(cx, source, key, e.key.span, span=e.span)
    return _computed_index(cx, source, e)


def _literal_key(e: ast.Expr) -> str | int | Decimal | None:
    while isinstance(e, ast.Parens):
        e = e.inner
    if isinstance(e, ast.NumberLit):
        return e.value
    if isinstance(e, ast.Unary) and e.operator == "-" and isinstance(e.operand, ast.NumberLit):
        return -e.operand.value
    return static_text(e)


def _computed_index(cx: Context, source: Expr, e: ast.Index) -> Expr:
    source = _there(cx, source, e.span)
    way = iteration(source.type)
    if way is None:
        if source.type is not ERROR:
            actual = with_article(resolve(source.type))
            in_some_cases = iterates_in_some_cases(source.type)
            cx.report(say.cannot_iterate(actual, source.span, "indexed", None, in_some_cases=in_some_cases))
        cx.synth(e.key)
        return invalid(e.span)
    key = cx.synth(e.key)
    is_bool = way.key is DYNAMIC and resolve(key.type) is BOOL  # a bool is not a list index
    key = fit_key(cx, key, STRING if is_bool else way.key)
    result: Type = way.element
    if way.layer is Eventuality.OUTPUT or key.type.eventual or way.layer is Eventuality.PROMISE:
        result = output_of(result)
    if _are_outputs_of_stack(source) and not cx.attempted:
        return _stack_output(source, key, result, e.span)
    return Index(source=source, key=key, type=result, span=e.span)
