"""Provider functions and methods (targets.md, Invokes; Methods).

The Output form is an expression; the plain form and methods are statements that return their error.

    digitalocean.GetRegionsOutput(ctx, digitalocean.GetRegionsOutputArgs{…})
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core.expr import Expr, Invoke, Literal, MethodCall, ObjectExpr
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import Block, CannotWriteError, Value
from pclgen.targets.go.literals import field_type, struct_literal
from pclgen.targets.go.options import invoke_options
from pclgen.targets.go.sdk import Symbol, method_name, sdk_of
from pclgen.targets.go.spelling import symbol_expr
from pclgen.types.declarations import Field, FunctionDecl, Shape


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
