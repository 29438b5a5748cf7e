"""Expressions: the dispatch over the nodes of the core language, conversions, applies, and calls of provider functions.

Statements that an expression needs are emitted into the block before it.

    natural(b, e)        e in its natural representation, with its type
    into(b, e, want)     e as a `want`: the wanted type is pushed down into literals, branches and loops

Applies are callbacks that run once outputs are known (targets.md, Applies; Go types). `Apply` and `All` nodes become

    bucket.Tags.ApplyT(func(tags []string) int { return len(tags) }).(pulumi.IntOutput)
    pulumi.All(a, b).ApplyT(func(args []any) string { … args[0].(string) … }).(pulumi.StringOutput)

A callback has an error result only if its body can fail.

Provider functions and methods (targets.md, Invokes; Methods): the Output form is an expression; the plain form and methods
are statements that return their error.

    digitalocean.GetRegionsOutput(ctx, digitalocean.GetRegionsOutputArgs{…})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pclgen.core import expr as core
from pclgen.core.expr import Expr, Invoke, Literal, MethodCall, ObjectExpr
from pclgen.core.origins import demands_value, is_checked
from pclgen.core.predicates import is_at_hand
from pclgen.core.walk import free_symbols
from pclgen.targets.go import build as make
from pclgen.targets.go import builtins, literals, loops, operators, steps, templates
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import Callback, as_output, awaited_elements, begin_lift, coerce, finish_lift, to_output
from pclgen.targets.go.context import Block, CannotWriteError, Frame, Place, Value
from pclgen.targets.go.literals import field_type, struct_literal
from pclgen.targets.go.natives import demanded, single_value
from pclgen.targets.go.options import invoke_options
from pclgen.targets.go.sdk import CORE_PATH, Symbol, method_name, sdk_of
from pclgen.targets.go.spelling import native_type, natural_type, symbol_expr, type_expr, zero, zero_of
from pclgen.targets.go.templates import converted_stack_output
from pclgen.types.convert import element_type
from pclgen.types.declarations import Field, FunctionDecl, Shape
from pclgen.types.model import INT as INT_TYPE
from pclgen.types.model import TupleType, UnionType, loses_null

# -- dispatch and conversions -----------------------------------------------------------------------------------------------

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
            return operators.natural_conditional(b, e, hint)
        case core.For():
            return loops.natural_for(b, e, hint)
        case core.Call():
            return builtins.natural_call(b, e, hint)
        case core.Invoke():
            return natural_invoke(b, e, hint)
        case core.MethodCall():
            return natural_method_call(b, e, hint)
        case core.Convert():
            elements = _elements(b, e)
            return _natural_convert(b, e, hint) if elements is None else natural(b, elements, hint)
        case core.PropertyPath():
            return Value(go.Text(e.path), gt.plain(b.file.session.natives.native(e.type)))
        case core.Apply():
            return natural_apply(b, e, hint)
        case core.All():
            return natural_all(b, e, hint)
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
            return operators.conditional_into(b, e, want, hint)
        case core.For():
            return loops.for_into(b, e, want, hint)
        case core.Template():
            return templates.template_into(b, e, want, hint)
        case core.Apply():
            return apply_into(b, e, want, hint)
        case core.All():
            return all_into(b, e, want, hint)
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


# -- applies ----------------------------------------------------------------------------------------------------------------

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


# -- provider functions -----------------------------------------------------------------------------------------------------

def natural_invoke(b: Block, e: Invoke, hint: str) -> Value:
    """`invoke(token, args, options)`."""
    function = e.function
    if function is None:
        return _untyped_invoke(b, e, hint)
    if not e.output_form or function.result is None or not sdk_of(function.package).has_output_functions:
        return _plain_invoke(b, e, function, hint)
    symbol = sdk_of(function.package).function(function)
    arguments: list[go.Expr] = [make.CTX]
    if function.multi_argument:
        arguments += _positional(b, e, function, Shape.INPUT)
    elif function.inputs is not None:
        struct = Symbol(symbol.path, symbol.name + "OutputArgs")
        arguments.append(_arguments(b, e.args, function.inputs.fields(Shape.INPUT), struct))
    node = make.call(symbol_expr(b.file, symbol, "Output"), *arguments, *invoke_options(b, e))
    native = b.file.session.natives.native(function.result)
    return Value(node, gt.output(native))


def _untyped_invoke(b: Block, e: Invoke, hint: str) -> Value:
    """Call a function that no package declares, by token; the result is a map."""
    arguments: go.Expr = make.NIL
    if isinstance(e.args, ObjectExpr) and e.args.items:
        arguments = b.into(e.args, gt.GoType(gt.Map(gt.ANY), gt.Form.INPUT), "args")
    options = invoke_options(b, e)
    if not e.output_form:
        result = b.variable(hint, go.MapType(element=make.ANY))
        b.attempt_error(make.method(make.CTX, "Invoke", go.Text(e.token), arguments, make.address(result), *options))
        return Value(result, gt.plain(gt.Map(gt.ANY)))
    type_ = b.file.pulumi("MapOutput")
    listed = {"InvokeOptions": make.listing(go.SliceType(element=b.file.pulumi("InvokeOption")), options)} if options else {}
    settings = make.struct(b.file.pulumi("InvokeOutputOptions"), listed)
    call = make.method(make.CTX, "InvokeOutput", go.Text(e.token), arguments, make.struct(type_, {}), settings)
    return Value(go.TypeAssertion(call, type_), gt.output(gt.Map(gt.ANY)))


def _plain_invoke(b: Block, e: Invoke, function: FunctionDecl, hint: str) -> Value:
    symbol = sdk_of(function.package).function(function)
    arguments: list[go.Expr] = [make.CTX]
    if function.multi_argument:
        arguments += _positional(b, e, function, Shape.PLAIN)
    elif function.inputs is not None:
        struct = Symbol(symbol.path, symbol.name + "Args")
        literal = _arguments(b, e.args, function.inputs.fields(Shape.PLAIN), struct)
        arguments.append(make.address(literal))
    call = make.call(symbol_expr(b.file, symbol), *arguments, *invoke_options(b, e))
    if function.result is None:
        return _without_result(b, call)
    native = b.file.session.natives.native(function.result)
    if isinstance(native, gt.PackageStruct):
        return Value(go.Star(b.attempt(f"{hint}Result", call)), gt.plain(native))
    return Value(b.attempt(hint, call), gt.plain(native))


def _without_result(b: Block, call: go.Expr) -> Value:
    b.attempt_error(call)
    return Value(make.struct(go.MapType(element=make.ANY), {}), gt.plain(gt.Map(gt.ANY)))


def _arguments(
    b: Block, expr: Expr | None, fields: Mapping[str, Field], symbol: Symbol, *, in_method: bool = False
) -> go.Composite:
    """The argument struct `symbol{…}`."""
    type_ = symbol_expr(b.file, symbol)
    if expr is None:
        return make.struct(type_, {})
    if not isinstance(expr, ObjectExpr):
        raise CannotWriteError("function arguments that are no object literal", expr.span)
    return struct_literal(b, expr, type_, fields, in_method=in_method)


def _positional(b: Block, e: Invoke, function: FunctionDecl, shape: Shape) -> list[go.Expr]:
    """Return all arguments of a multi-argument function, nil for omitted arguments."""
    assert function.inputs is not None
    fields = function.inputs.fields(shape)
    values = {}
    if isinstance(e.args, ObjectExpr):
        values = {i.key.value: i.value for i in e.args.items if isinstance(i.key, Literal)}
    nodes: list[go.Expr] = []
    for name in function.multi_argument:
        value = values.get(name)
        nodes.append(make.NIL if value is None else b.into(value, field_type(b, fields[name]), name))
    return nodes


def natural_method_call(b: Block, e: MethodCall, hint: str) -> Value:
    """`call(resource, "method", args)`."""
    receiver = b.natural(e.receiver, "resource")
    method = e.method
    arguments: list[go.Expr] = [make.CTX]
    if method.inputs is not None:
        shape = Shape.PLAIN if method.plain_result else Shape.INPUT
        fields = method.inputs.fields(shape)
        literal = _arguments(b, e.args, fields, gt.method_symbol(method.inputs, "Args"), in_method=True)
        arguments.append(make.address(literal))
    call = make.method(receiver.node, method_name(e.name), *arguments)
    if method.result is None:
        return _without_result(b, call)
    native = _single_result(b, method, b.file.session.natives.native(method.result))
    result = b.attempt(hint, call)
    return Value(result, gt.plain(native) if method.plain_result else gt.output(native))


def _single_result(b: Block, method: FunctionDecl, native: gt.Native) -> gt.Native:
    """Return the result type of a method; with `liftSingleValueMethodReturns`, the type of the only property."""
    if not isinstance(native, gt.PackageStruct) or not sdk_of(method.package).lifts_single_returns:
        return native
    fields = list(native.declaration.fields(Shape.OUTPUT).values())
    return gt.Single(fields[0].name, b.file.session.natives.native(fields[0].type)) if len(fields) == 1 else native
