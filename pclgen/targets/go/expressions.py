"""Expressions: the dispatch over the nodes of the core language.

Statements that an expression needs are emitted into the block before it.

    natural(b, e)        e in its natural representation, with its type
    into(b, e, want)     e as a `want`: the wanted type is pushed down into literals, branches and loops
"""

from __future__ import annotations

from typing import assert_never

from pclgen.core import expr as core
from pclgen.core.lacking import is_at_hand
from pclgen.core.origins import demands_value, is_checked
from pclgen.targets.go import applies, builtins, conditionals, invokes, literals, loops, operators, steps, templates
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import coerce
from pclgen.targets.go.context import Block, CannotWriteError, Place, Value
from pclgen.targets.go.natives import demanded
from pclgen.targets.go.shapes import natural_type
from pclgen.targets.go.spelling import native_type
from pclgen.types.model import INT as INT_TYPE
from pclgen.types.model import TupleType, UnionType, loses_null
from pclgen.types.unify import element_type


def natural(b: Block, e: core.Expr, hint: str = "value") -> Value:
    """Return `e` in its natural representation; `hint` names temporary variables."""
    match e:
        case core.Literal():
            return literals.natural_literal(b, e)
        case core.Ref():
            return steps.natural_ref(b, e)
        case core.Attr():
            return steps.natural_attr(b, e, hint)
        case core.Index():
            return steps.natural_index(b, e, hint)
        case core.ListExpr() | core.ObjectExpr():
            want = natural_type(b, e.type)
            return Value(literals.into_literal(b, e, want, hint), want)
        case core.Template():
            return templates.natural_template(b, e)
        case core.Unary():
            return operators.natural_unary(b, e)
        case core.Binary():
            return operators.natural_binary(b, e)
        case core.Conditional():
            return conditionals.natural_conditional(b, e, hint)
        case core.For():
            return loops.natural_for(b, e, hint)
        case core.Call():
            return builtins.natural_call(b, e, hint)
        case core.Invoke():
            return invokes.natural_invoke(b, e, hint)
        case core.MethodCall():
            return invokes.natural_method_call(b, e, hint)
        case core.Convert():
            elements = _elements(b, e)
            return _natural_convert(b, e, hint) if elements is None else natural(b, elements, hint)
        case core.PropertyPath():
            return Value(go.Text(e.path), gt.plain(b.file.session.natives.native(e.type)))
        case core.Apply():
            return applies.natural_apply(b, e, hint)
        case core.All():
            return applies.natural_all(b, e, hint)
        case core.Invalid():
            raise CannotWriteError("a faulty expression", e.span)
        case _:
            assert_never(e)


def into(b: Block, e: core.Expr, want: gt.GoType, hint: str = "value") -> go.Expr:
    """Return `e` as a `want`."""
    if isinstance(want.native, gt.Held):
        want = want.native.type
    match e:
        case core.Literal():
            return literals.literal_into(b, e, want, hint)
        case core.ListExpr() | core.ObjectExpr():
            return literals.into_literal(b, e, want, hint)
        case core.Conditional():
            return conditionals.conditional_into(b, e, want, hint)
        case core.For():
            return loops.for_into(b, e, want, hint)
        case core.Template():
            return templates.template_into(b, e, want, hint)
        case core.Apply():
            return applies.apply_into(b, e, want, hint)
        case core.All():
            return applies.all_into(b, e, want, hint)
        case core.Convert():
            elements = _elements(b, e)
            return _convert_into(b, e, want, hint) if elements is None else into(b, elements, want, hint)
        case _:
            return coerce(b, natural(b, e, hint), want, Place(e.span, hint))


def plain_value(b: Block, e: core.Expr, hint: str = "value") -> Value:
    """Return `e`, which lowering has made plain, in the native type of its type."""
    value = b.natural(e, hint)
    if value.type.is_plain:
        return value
    want = gt.plain(b.file.session.natives.native(e.type))
    return Value(coerce(b, value, want, Place(e.span, hint)), want)


def _elements(b: Block, e: core.Convert) -> core.ListExpr | None:
    """Return the elements of a tuple if the conversion changes them individually; else None."""
    have, want = e.value.type, e.type
    if not (isinstance(have, TupleType) and isinstance(want, TupleType)) or have.eventual or not is_at_hand(e.value):
        return None
    pairs = tuple(zip(have.elements, want.elements, strict=True))
    native = b.file.session.natives.native
    if not isinstance(element_type(want), UnionType) or all(native(h) == native(w) for h, w in pairs):
        return None
    keys = (core.Literal(value=at, type=INT_TYPE, span=e.span) for at in range(len(pairs)))
    items = [core.Index(source=e.value, key=key, type=h, span=e.span) for key, (h, _) in zip(keys, pairs, strict=True)]
    changed = [core.Convert(value=item, type=w, span=e.span) for item, (_, w) in zip(items, pairs, strict=True)]
    return core.ListExpr(elements=tuple(changed), type=want, span=e.span)


def _natural_convert(b: Block, e: core.Convert, hint: str) -> Value:
    want = natural_type(b, e.type)
    if isinstance(e.value, core.ListExpr | core.ObjectExpr | core.Conditional | core.For) and e.unset is None:
        return Value(b.into(e.value, want, hint), want)
    value = _checked(b, e, hint)
    if value.type.is_plain and not want.is_plain:
        want = gt.plain(want.native)
    elif want.is_plain and not value.type.is_plain:
        want = gt.GoType(want.native, value.type.form)
    return Value(coerce(b, value, want, Place(e.span, hint, e.unset)), want)


def _changes_value(b: Block, e: core.Convert) -> bool:
    """Return whether `e` changes a plain value beyond removing a pointer, such as rounding a number."""
    native = b.file.session.natives.native
    return not e.value.type.eventual and gt.without_pointer(native(e.value.type)) != gt.without_pointer(native(e.type))


def _checked(b: Block, e: core.Convert, hint: str) -> Value:
    """Return the operand of `e`, with a nil check if it may be nil but must not be."""
    value = b.natural(e.value, hint)
    if is_checked(e.value):
        return _asserted(b, e, value)
    if e.unset is None or not loses_null(e.type, e.value.type) or not value.type.is_plain:
        return value
    return demanded(b, value, Place(e.span, hint, e.unset))


def _asserted(b: Block, e: core.Convert, value: Value) -> Value:
    """Return a checked value, asserted to the type of `e` if that is a Go scalar type."""
    native = b.file.session.natives.native(e.type)
    if not value.type.is_plain or native not in (gt.BOOL, gt.FLOAT, gt.INT, gt.STRING) or not demands_value(e.value):
        return value
    return Value(go.TypeAssertion(value.node, native_type(b.file, native)), gt.plain(native))


def _convert_into(b: Block, e: core.Convert, want: gt.GoType, hint: str) -> go.Expr:
    target = natural_type(b, e.type)
    if e.unset is not None or is_checked(e.value):
        value = _checked(b, e, hint)
        if gt.without_pointer(target.native) != gt.without_pointer(want.native):
            value = Value(coerce(b, value, target, Place(e.span, hint, e.unset)), target)
        return coerce(b, value, want, Place(e.span, hint, e.unset))
    if gt.without_pointer(target.native) == gt.without_pointer(want.native) and not (e.narrowed and _changes_value(b, e)):
        return b.into(e.value, want, hint)
    if isinstance(e.value, core.ObjectExpr) and isinstance(want.native, gt.Map) and want.native.forms:
        return b.into(e.value, want, hint)  # the literal may lack members, and writes the others in their forms
    return coerce(b, _natural_convert(b, e, hint), want, Place(e.span, hint))
