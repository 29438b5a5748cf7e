"""Provider functions and methods of resources (targets.md, Invokes; Methods)."""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.predicates import is_null
from pclgen.stdlib.options import INVOKE_OPTIONS
from pclgen.targets.names import lifted_result
from pclgen.targets.typescript import build, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate
from pclgen.targets.typescript.options import resources_of
from pclgen.types.declarations import FunctionDecl

_SPELLING = {"pluginDownloadUrl": "pluginDownloadURL"}


def invoke(cx: Context, expr: core.Invoke) -> ts.TsExpr:
    """`pkg.getFooOutput({ a: x }, { provider })`; the plain form is awaited."""
    if expr.function is None:
        callee = sdk.unknown_function(cx.imports, expr.token, output_form=expr.output_form)
    else:
        callee = sdk.function(cx.imports, expr.function, output_form=expr.output_form)
    options = _options(cx, expr)
    if expr.function is not None and expr.function.multi_argument:
        args = _positional(cx, expr, expr.function, bool(options))
    else:
        args = _arguments(cx, expr.args, expr.function, bool(options))
    call = ts.Call(callee, (*args, *options))
    return call if is_eventual(expr.type) else ts.Await(call)


def _arguments(
    cx: Context, args: core.Expr | None, function: FunctionDecl | None, options_follow: bool
) -> tuple[ts.TsExpr, ...]:
    """The argument object; omitted if the function takes none, or if it is empty and the last argument."""
    if function is not None and function.inputs is None:
        return ()
    if args is None or (isinstance(args, core.ObjectExpr) and not args.items and not args.closing):
        return (ts.Object(()),) if options_follow else ()
    return (translate(cx, args),)


def _positional(cx: Context, expr: core.Invoke, function: FunctionDecl, options_follow: bool) -> tuple[ts.TsExpr, ...]:
    items = expr.args.items if isinstance(expr.args, core.ObjectExpr) else ()
    values = {item.key.value: item.value for item in items if isinstance(item.key, core.Literal)}
    args = [values.get(name) for name in function.multi_argument]
    while args and args[-1] is None and not options_follow:
        args.pop()
    return tuple(build.undefined() if arg is None else translate(cx, arg) for arg in args)


def _options(cx: Context, expr: core.Invoke) -> tuple[ts.TsExpr, ...]:
    members: list[tuple[str, ts.TsExpr]] = []
    for name in INVOKE_OPTIONS:
        value = expr.options.get(name)
        if value is None:
            if name == "parent" and cx.file.in_component:
                members.append((name, ts.Global("this")))
        elif not is_null(value):
            node = resources_of(cx, value) if name == "dependsOn" else translate(cx, value)
            members.append((_SPELLING.get(name, name), node))
    return (build.object_of(*members),) if members else ()


def method_call(cx: Context, expr: core.MethodCall, *, whole: bool = True) -> ts.TsExpr:
    """`resource.method({ a: x })`; a plain result is awaited.

    Some SDKs return the only property of a result instead of the result; with `whole`, generated code wraps it in an object
    again.
    """
    receiver = translate(cx, expr.receiver)
    args: tuple[ts.TsExpr, ...] = ()
    if expr.args is not None and not (isinstance(expr.args, core.ObjectExpr) and not expr.args.items):
        args = (translate(cx, expr.args),)
    call = build.method(receiver, expr.name, *args)
    member = lifted_result(expr.method, "nodejs")
    if member is not None and whole and is_eventual(expr.type):
        value = ts.Variable(("value",))
        return build.method(call, "apply", build.arrow([value], build.object_of((member, ts.Name(value)))))
    if not expr.method.plain_result or is_eventual(expr.type):
        return call
    if cx.file.in_component:
        return cx.refuse(
            f'the method "{expr.name}" inside a component',
            expr.span,
            "its result must be waited for, which the constructor of a component cannot do",
        )
    return ts.Await(call)
