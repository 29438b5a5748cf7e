"""Provider functions and methods of resources (targets.md, Invokes; Methods).

The result of some functions of `std` may be any value, but the SDK's class for it takes only dicts:

    std.jsondecode(input="[1]")    TypeError: Expected argument 'result' to be a dict

Generated programs compute the value in Python, or call the engine without that class. The value replaces the object with
the member `result`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.walk import children, reference_key, walk, with_children
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.origins import member_name
from pclgen.targets.python import modules, names, objects, options, packages, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.valuetypes import lifted_member, unreadable_result
from pclgen.types.model import DYNAMIC, output_of, resolve

_OPTIONS: Mapping[str, str] = {
    "provider": "provider",
    "parent": "parent",
    "version": "version",
    "pluginDownloadUrl": "plugin_download_url",
    "dependsOn": "depends_on",
}


def lower_invoke(cx: Context, expr: core.Invoke) -> tree.Expr:
    """`pkg.mod.get_foo_output(a=…, opts=…)`."""
    opts = _options(cx, expr)
    closing = _closing(expr.args)
    if expr.function is None:
        function = packages.unknown_function(expr.token, output_form=expr.output_form)
        return tree.Call(function=function, args=(*objects.keyword_arguments(cx, expr.args), *opts), closing=closing)
    declaration = expr.function
    function = packages.function(declaration, output_form=expr.output_form)
    members = _members(expr.args)
    inner = cx.for_package(declaration.package)
    if declaration.multi_argument:
        args = _positional(inner, members, declaration.multi_argument)
        return tree.Call(function=function, args=(*args, *opts))
    named = objects.keyword_arguments(inner, _with_resolved_members(expr.args))
    return tree.Call(function=function, args=(*named, *opts), closing=closing)


def lower_result(cx: Context, expr: core.Expr) -> tree.Expr:
    """Return the SDK's result for a call, or for a reference to that result."""
    if isinstance(expr, core.Ref):
        return cx.symbols[expr.symbol]
    if isinstance(expr, core.MethodCall):
        return lower_method_call(cx, expr)
    assert isinstance(expr, core.Invoke)
    if unreadable_result(expr) is not None:
        return _lower_unreadable(cx, expr)
    return lower_invoke(cx, expr)


def whole_result(cx: Context, expr: core.Expr) -> tree.Expr:
    """The result as in the schema: `{"result": …}`, where the SDK returns only the value of the member."""
    value, member = lower_result(cx, expr), lifted_member(cx, expr)
    if member is None:
        return value
    if not is_eventual(expr.type):
        return tree.DictDisplay(entries=(tree.Entry(key=tree.text(member), value=value),))
    item = tree.Variable(preferred_names=(names.variable(member),))
    display = tree.DictDisplay(entries=(tree.Entry(key=tree.text(member), value=tree.name(item)),))
    return tree.method(value, "apply", tree.Lambda(parameters=(item,), body=display))


def lower_method_call(cx: Context, expr: core.MethodCall) -> tree.Expr:
    """`resource.method(a=…)`."""
    inner = cx.for_package(expr.method.package)
    args = objects.keyword_arguments(inner, _with_resolved_members(expr.args), optional=False)
    function = tree.Attribute(value=cx.lower(expr.receiver), name=names.function_name(expr.name))
    return tree.Call(function=function, args=tuple(args), closing=_closing(expr.args))


def _lower_unreadable(cx: Context, expr: core.Invoke) -> tree.Expr:
    """The value of a result that the SDK's class would refuse."""
    args = {name: item.value for name, item in _members(expr.args).items()}
    if not expr.options:
        if expr.token == "std:index:jsondecode":
            loads = tree.Imported(module=modules.JSON, name="loads")
            return tree.call(modules.pulumi("Output.json_loads") if expr.output_form else loads, cx.lower(args["input"]))
        for name, parameters in _BUILTINS:
            if expr.token == f"std:index:{name}" and set(args) <= set(parameters):
                return _computed(cx, expr, name, [args[key] for key in parameters if key in args])
    entries = [tree.Entry(key=tree.text(name), value=cx.lower(value)) for name, value in args.items()]
    function = modules.pulumi("runtime.invoke_output" if expr.output_form else "runtime.invoke")
    shown = (tree.Argument(value=tree.text(expr.token)), tree.Argument(value=tree.DictDisplay(entries=tuple(entries))))
    node: tree.Expr = tree.Call(function=function, args=(*shown, *_options(cx, expr)))
    if not expr.output_form:
        node = tree.Attribute(value=node, name="value")
    return tree.index(node, tree.text("result"))


_BUILTINS: Final = (("element", ("input", "index")), ("lookup", ("map", "key", "default")))
"""The functions that PCL also has, and the names of their arguments in PCL's order."""


def _computed(cx: Context, expr: core.Invoke, name: str, args: Sequence[core.Expr]) -> tree.Expr:
    value = core.Call(function=FUNCTIONS[name], args=tuple(args), expand=False, type=DYNAMIC, span=expr.span)
    if any(holds_eventual(arg.type) for arg in args):
        return cx.lower(_resolved(value))
    node = cx.lower(value)
    return modules.as_output(node) if expr.output_form else node


def _members(args: core.Expr | None) -> Mapping[str, core.ObjectItem]:
    return {member_name(item): item for item in args.items} if isinstance(args, core.ObjectExpr) else {}


def _closing(args: core.Expr | None) -> tuple[str, ...]:
    return args.closing if isinstance(args, core.ObjectExpr) else ()


def _positional(cx: Context, members: Mapping[str, core.ObjectItem], parameters: Sequence[str]) -> list[tree.Argument]:
    """Arguments in the order of the schema: gaps are None, trailing gaps are omitted."""
    args = [
        tree.Argument(value=objects.lower_input(cx, members[name].field, members[name].value))
        if name in members
        else tree.Argument(value=tree.NONE)
        for name in parameters
    ]
    while args and parameters[len(args) - 1] not in members:
        args.pop()
    return args


def _options(cx: Context, expr: core.Invoke) -> tuple[tree.Argument, ...]:
    """`opts=pulumi.InvokeOutputOptions(…)`; inside a component the component is the parent unless another is named."""
    named: list[tree.Argument] = []
    if cx.inside is not None and "parent" not in expr.options:
        named.append(tree.Argument(name="parent", value=tree.Builtin(name="self")))
    for option, value in expr.options.items():
        lowered = options.dependencies(cx, value) if option == "dependsOn" else cx.lower(value)
        named.append(tree.Argument(name=_OPTIONS[option], value=lowered))
    if not named:
        return ()
    cls = "InvokeOutputOptions" if expr.output_form else "InvokeOptions"
    return (tree.Argument(name="opts", value=tree.Call(function=modules.pulumi(cls), args=tuple(named))),)


def _with_resolved_members(args: core.Expr | None) -> core.Expr | None:
    """The arguments with lists and objects resolved: the SDK's types of arguments take outputs at the top level only.

    {filters = [{values = [a.ip]}]}  ->  {filters = Apply([a.ip], [ip], [{values = [ip]}])}
    """
    if not isinstance(args, core.ObjectExpr):
        return args
    changed = [_resolved(item.value) if _holds_outputs(item.value) else item.value for item in args.items]
    pairs = zip(args.items, changed, strict=True)
    return with_children(args, [part for item, value in pairs for part in (item.key, value)])


def _holds_outputs(value: core.Expr) -> bool:
    """Return whether a composite value holds outputs, which its declared type does not show."""
    return not is_eventual(value.type) and any(is_eventual(part.type) for part in walk(value))


def _resolved(value: core.Expr) -> core.Expr:
    if any(isinstance(part, core.For) and part.type.eventual for part in walk(value)):
        return core.All(value=value, type=output_of(value.type), span=value.span)
    parameters_by_key: dict[object, tuple[core.Expr, core.Symbol]] = {}
    body = _parametrised(value, parameters_by_key)
    args = tuple(arg for arg, _ in parameters_by_key.values())
    parameters = tuple(symbol for _, symbol in parameters_by_key.values())
    return core.Apply(args=args, parameters=parameters, body=body, type=output_of(value.type), span=value.span)


def _parametrised(value: core.Expr, parameters_by_key: dict[object, tuple[core.Expr, core.Symbol]]) -> core.Expr:
    if is_eventual(value.type):
        key = reference_key(value) or value
        if key not in parameters_by_key:
            match value:
                case core.Attr():
                    name = value.name
                case core.Ref():
                    name = value.symbol.name
                case _:
                    name = "value"
            symbol = core.Symbol(name=name, kind=core.SymbolKind.PARAMETER, type=resolve(value.type), span=value.span)
            parameters_by_key[key] = (value, symbol)
        symbol = parameters_by_key[key][1]
        return core.Ref(symbol=symbol, type=symbol.type, span=value.span)
    return with_children(value, [_parametrised(part, parameters_by_key) for part in children(value)])
