"""Expressions: the dispatch over the nodes of the core language.

Statements that an expression needs are emitted into the block before it.

    natural(b, e)        e in its natural representation, with its type
    into(b, e, want)     e as a `want`: the wanted type is pushed down into literals, branches and loops
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
from pclgen.core.lacking import is_at_hand
from pclgen.core.origins import demands_value, is_checked
from pclgen.targets.go import applies, builtins, conditionals, invokes, literals, loops, operators, steps, templates
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import coerce
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.gotypes import BOOL, FLOAT, INT, STRING, GoType, Held, plain, without_pointer
from pclgen.targets.go.natives import demanded
from pclgen.targets.go.shapes import natural_type
from pclgen.targets.go.spelling import native_type
from pclgen.types.model import INT as INT_TYPE
from pclgen.types.model import TupleType, UnionType, loses_null
from pclgen.types.unify import element_type


def natural(b: Block, e: Expr, hint: str = "value") -> Value:
    """Return `e` in its natural representation; `hint` names temporary variables."""
    match e:
        case Literal():
            return literals.natural_literal(b, e)
        case Ref():
            return steps.natural_ref(b, e)
        case Attr():
            return steps.natural_attr(b, e, hint)
        case Index():
            return steps.natural_index(b, e, hint)
        case ListExpr() | ObjectExpr():
            want = natural_type(b, e.type)
            return Value(literals.into_literal(b, e, want, hint), want)
        case Template():
            return templates.natural_template(b, e)
        case Unary():
            return operators.natural_unary(b, e)
        case Binary():
            return operators.natural_binary(b, e)
        case Conditional():
            return conditionals.natural_conditional(b, e, hint)
        case For():
            return loops.natural_for(b, e, hint)
        case Call():
            return builtins.natural_call(b, e, hint)
        case Invoke():
            return invokes.natural_invoke(b, e, hint)
        case MethodCall():
            return invokes.natural_method_call(b, e, hint)
        case Convert():
            elements = _elements(b, e)
            return _natural_convert(b, e, hint) if elements is None else natural(b, elements, hint)
        case PropertyPath():
            return Value(make.text(e.path), plain(b.file.session.natives.native(e.type)))
        case Apply():
            return applies.natural_apply(b, e, hint)
        case All():
            return applies.natural_all(b, e, hint)
        case Invalid():
            raise CannotWriteError("a faulty expression", e.span)
        case _:
            assert_never(e)


def into(b: Block, e: Expr, want: GoType, hint: str = "value") -> go.Expr:
    """Return `e` as a `want`."""
    if isinstance(want.native, Held):
        want = want.native.type
    match e:
        case Literal():
            return literals.literal_into(b, e, want, hint)
        case ListExpr() | ObjectExpr():
            return literals.into_literal(b, e, want, hint)
        case Conditional():
            return conditionals.conditional_into(b, e, want, hint)
        case For():
            return loops.for_into(b, e, want, hint)
        case Template():
            return templates.template_into(b, e, want, hint)
        case Apply():
            return applies.apply_into(b, e, want, hint)
        case All():
            return applies.all_into(b, e, want, hint)
        case Convert():
            elements = _elements(b, e)
            return _convert_into(b, e, want, hint) if elements is None else into(b, elements, want, hint)
        case Call():
            return builtins.call_into(b, e, want, hint)
        case (
            Ref()
            | Attr()
            | Index()
            | Unary()
            | Binary()
            | Invoke()
            | MethodCall()
            | PropertyPath()
            | Invalid()
        ):
            return coerce(b, b.natural(e, hint), want, Place(e.span, hint))
        case _:
            assert_never(e)


def plain_value(b: Block, e: Expr, hint: str = "value") -> Value:
    """Return `e`, which lowering has made plain, in the native type of its type."""
    value = b.natural(e, hint)
    if value.type.is_plain:
        return value
    want = plain(b.file.session.natives.native(e.type))
    return Value(coerce(b, value, want, Place(e.span, hint)), want)


def _elements(b: Block, e: Convert) -> ListExpr | None:
    """Return the elements of a tuple if the conversion changes them individually; else None."""
    have, want = e.value.type, e.type
    if not (isinstance(have, TupleType) and isinstance(want, TupleType)) or have.eventual or not is_at_hand(e.value):
        return None
    pairs = tuple(zip(have.elements, want.elements, strict=True))
    native = b.file.session.natives.native
    if not isinstance(element_type(want), UnionType) or all(native(h) == native(w) for h, w in pairs):
        return None
    keys = (Literal(value=at, type=INT_TYPE, span=e.span) for at in range(len(pairs)))
    items = [Index(source=e.value, key=key, type=h, span=e.span) for key, (h, _) in zip(keys, pairs, strict=True)]
    changed = [Convert(value=item, type=w, span=e.span) for item, (_, w) in zip(items, pairs, strict=True)]
    return ListExpr(elements=tuple(changed), type=want, span=e.span)


def _natural_convert(b: Block, e: Convert, hint: str) -> Value:
    want = natural_type(b, e.type)
    if isinstance(e.value, ListExpr | ObjectExpr | Conditional | For) and e.unset is None:
        return Value(b.into(e.value, want, hint), want)
    value = _checked(b, e, hint)
    if value.type.is_plain and not want.is_plain:
        want = plain(want.native)
    elif want.is_plain and not value.type.is_plain:
        want = GoType(want.native, value.type.form)
    return Value(coerce(b, value, want, Place(e.span, hint, e.unset)), want)


def _changes_value(b: Block, e: Convert) -> bool:
    """Return whether `e` changes a plain value beyond removing a pointer, such as rounding a number."""
    native = b.file.session.natives.native
    return not e.value.type.eventual and without_pointer(native(e.value.type)) != without_pointer(native(e.type))


def _checked(b: Block, e: Convert, hint: str) -> Value:
    """Return the operand of `e`, with a nil check if it may be nil but must not be."""
    value = b.natural(e.value, hint)
    if is_checked(e.value):
        return _asserted(b, e, value)
    if e.unset is None or not loses_null(e.type, e.value.type) or not value.type.is_plain:
        return value
    return demanded(b, value, Place(e.span, hint, e.unset))


def _asserted(b: Block, e: Convert, value: Value) -> Value:
    """Return a checked value, asserted to the type of `e` if that is a Go scalar type."""
    native = b.file.session.natives.native(e.type)
    if not value.type.is_plain or native not in (BOOL, FLOAT, INT, STRING) or not demands_value(e.value):
        return value
    return Value(make.assertion(value.node, native_type(b.file, native)), plain(native))


def _convert_into(b: Block, e: Convert, want: GoType, hint: str) -> go.Expr:
    target = natural_type(b, e.type)
    if e.unset is not None or is_checked(e.value):
        value = _checked(b, e, hint)
        if without_pointer(target.native) != without_pointer(want.native):
            value = Value(coerce(b, value, target, Place(e.span, hint, e.unset)), target)
        return coerce(b, value, want, Place(e.span, hint, e.unset))
    if without_pointer(target.native) == without_pointer(want.native) and not (e.narrowed and _changes_value(b, e)):
        return b.into(e.value, want, hint)
    return coerce(b, _natural_convert(b, e, hint), want, Place(e.span, hint))
