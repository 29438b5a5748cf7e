"""Applies: callbacks that run once outputs are known (targets.md, Applies; Go types).

`Apply` and `All` nodes become

    bucket.Tags.ApplyT(func(tags []string) int { return len(tags) }).(pulumi.IntOutput)
    pulumi.All(a, b).ApplyT(func(args []any) string { … args[0].(string) … }).(pulumi.StringOutput)

A callback has an error result only if its body can fail.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.walk import free_symbols
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import Callback, as_output, awaited_elements, begin_lift, coerce, finish_lift, to_output
from pclgen.targets.go.context import Block, Frame, Place, Value
from pclgen.targets.go.natives import single_value
from pclgen.targets.go.sdk import CORE_PATH
from pclgen.targets.go.shapes import natural_type
from pclgen.targets.go.spelling import native_type, type_expr, zero, zero_of
from pclgen.targets.go.templates import converted_stack_output


def natural_apply(b: Block, e: core.Apply, hint: str) -> Value:
    """Return an apply with the output type of its body."""
    return _apply(b, e, None, hint)


def apply_into(b: Block, e: core.Apply, want: gt.GoType, hint: str) -> go.Expr:
    """Return an apply as a `want`; if possible, the callback returns the native type of `want`."""
    value = _apply(b, e, want.native if want.form is not gt.Form.PLAIN else None, hint)
    return coerce(b, value, want, Place(e.span, hint))


def natural_all(b: Block, e: core.All, hint: str) -> Value:
    """Return a composite value that contains outputs as a single output."""
    native = b.file.session.natives.native(e.type)
    value = e.value
    if isinstance(value, core.ListExpr | core.ObjectExpr) and gt.has_family(native) and not gt.holds_declared(native):
        return _gathered(b, value, native, hint)
    inner = b.natural(value, hint)
    if inner.type.form is gt.Form.PLAIN and _may_hold_outputs(inner.type.native):
        out = _whole_output(b, inner, Place(e.span, hint))
        return out if out.type.native == native else to_output(b, out, gt.output(native), Place(e.span, hint))
    return as_output(b, inner)


def _whole_output(b: Block, value: Value, place: Place) -> Value:
    """Return a plain composite value that contains outputs as an output of the same Go type."""
    native = value.type.native
    if isinstance(native, gt.Slice | gt.Map) and gt.holds_forms(native):
        return awaited_elements(b, value, native, place)
    into = gt.output(native)
    if into.erased or isinstance(into.native, gt.AnyNative):
        return Value(make.call(b.file.pulumi("Any"), value.node), into)
    node = make.call(b.file.pulumi("ToOutput"), value.node)
    return Value(go.TypeAssertion(node, type_expr(b.file, into)), into)


def all_into(b: Block, e: core.All, want: gt.GoType, hint: str) -> go.Expr:
    """Return a composite value that contains outputs as a `want`; a literal is built in that type if it has a family."""
    value = e.value
    if (
        isinstance(value, core.ListExpr | core.ObjectExpr)
        and want.form is gt.Form.OUTPUT
        and not want.erased
        and gt.has_family(want.native)
    ):
        return _gathered(b, value, want.native, hint).node
    return coerce(b, natural_all(b, e, hint), want, Place(e.span, hint))


def _gathered(b: Block, value: core.ListExpr | core.ObjectExpr, native: gt.Native, hint: str) -> Value:
    node = b.into(value, gt.GoType(native, gt.Form.INPUT), hint)
    return as_output(b, Value(node, gt.GoType(native, gt.Form.COMPOSITE)))


def _may_hold_outputs(native: gt.Native) -> bool:
    return isinstance(gt.innermost(native), gt.Held | gt.AnyNative)


def _result_native(b: Block, e: core.Apply, target: gt.Native | None) -> gt.Native:
    own = b.file.session.natives.native(e.type)
    if target is None or isinstance(target, gt.AnyNative) or e.body.type.eventual:
        return own
    inner = gt.without_pointer(target)
    return (
        inner if type(inner) is type(gt.without_pointer(own)) and inner != own and not isinstance(own, gt.Pointer) else own
    )


def _apply(b: Block, e: core.Apply, target: gt.Native | None, hint: str) -> Value:
    output = converted_stack_output(b, e)
    if output is not None:
        return output
    arguments = [b.natural(a, p.name) for a, p in zip(e.args, e.parameters, strict=True)]
    if all(a.type.is_plain and not _may_hold_outputs(a.type.native) for a in arguments):
        for symbol, argument in zip(e.parameters, arguments, strict=True):
            b.bind(symbol, b.reusable(argument, symbol.name))
        return b.natural(e.body, hint)
    used = frozenset(free_symbols(e.body))
    native = _result_native(b, e, target)
    natives = [a.type.native for a in arguments]
    result = output_for(native, natives if target is None else [*natives, target])
    frame = Frame(zeros=(zero(b.file, native),), checked=b.frame.checked)
    if e.body.type.eventual:
        frame.zeros = (make.NIL,)
    inner = b.function(frame)
    if len(arguments) == 1:
        callback = _bind_one(b, inner, e.parameters[0], arguments[0])
    else:
        needed = [p if p in used else None for p in e.parameters]
        callback = _bind_many(b, inner, needed, arguments)
    if e.body.type.eventual:
        anything = isinstance(target, gt.AnyNative) and result.erased and gt.has_family(native)
        return _finish_flattened(b, callback, e.body, hint, anything=anything)
    node = inner.into(e.body, gt.plain(native), hint)
    return finish_lift(b, callback, node, result)


def output_for(native: gt.Native, sources: list[gt.Native]) -> gt.GoType:
    """Return the output type of a callback's result; for lists of structs, the SDK has one only if a property uses it.

    `sources` are types known to have SDK outputs.
    """
    known_family = gt.family(native)
    if known_family is None or known_family.path == CORE_PATH or native in sources:
        return gt.output(native)
    if isinstance(native, gt.Slice | gt.Map | gt.Pointer | gt.ResourceNative):
        return gt.GoType(native, gt.Form.OUTPUT, erased=True)
    return gt.output(native)


def _definite(b: Block, operand: Value, symbol: core.Symbol) -> Value:
    """Return `operand`, without the pointer in its output type if the program knows that the value is present."""
    native = operand.type.native
    expected = b.file.session.natives.native(symbol.type)
    if isinstance(native, gt.Pointer) and not operand.type.erased and expected == native.element:
        return Value(make.method(operand.node, "Elem"), gt.output(native.element))
    return operand


def _bind_one(b: Block, inner: Block, symbol: core.Symbol, argument: Value) -> Callback:
    operand = _definite(b, as_output(b, argument), symbol)
    callback, value = begin_lift(inner, operand, symbol.name, "value")
    inner.bind(symbol, value if operand.type.erased else single_value(inner, value, symbol.type, symbol.name))
    return callback


def _bind_many(b: Block, inner: Block, symbols: list[core.Symbol | None], arguments: list[Value]) -> Callback:
    """Bind several arguments, which the callback receives as a list; `symbols` has None for arguments the body ignores."""
    args = make.variable("args")
    nodes = []
    for index, (symbol, argument) in enumerate(zip(symbols, arguments, strict=True)):
        if symbol is not None and argument.type.form is gt.Form.OUTPUT:
            argument = _definite(b, argument, symbol)
        nodes.append(argument.node)
        if symbol is None:
            continue
        native = argument.type.native
        element: go.Expr = go.Index(go.Name(args), make.number(index))
        if not isinstance(native, gt.AnyNative | gt.Nil):
            element = go.TypeAssertion(element, native_type(b.file, native))
        value = Value(element, gt.plain(native))
        variable = single_value(inner, value, symbol.type, symbol.name)
        if variable is value:
            held = make.variable(symbol.name, f"{symbol.name}Value")
            inner.emit(make.define([held], element))
            variable = Value(go.Name(held), variable.type)
        inner.bind(symbol, variable)
    operand = make.call(b.file.pulumi("All"), *nodes)
    return Callback(operand, ((args, go.SliceType(element=make.ANY)),), inner)


def _finish_flattened(b: Block, callback: Callback, body: core.Expr, hint: str, *, anything: bool) -> Value:
    """Finish a callback that returns an output.

    With `anything`, this is an `AnyOutput`, because the destination accepts it and the SDK may lack another output type.
    """
    inner = callback.body
    want = gt.output(gt.ANY) if anything else natural_type(b, body.type)
    if want.native == gt.Pointer(gt.ID):
        want = gt.output(gt.Pointer(gt.STRING))  # the SDK has no output for a nil ID
    elif want.form is not gt.Form.OUTPUT:
        want = gt.output(want.native)
    inner.frame.zeros = (zero_of(b.file, want),)
    result = Value(inner.into(body, want, hint), want)
    return finish_lift(b, callback, result.node, want, static=type_expr(b.file, want))
