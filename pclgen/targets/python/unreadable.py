"""Functions of `std` whose results Python's SDK refuses.

Their result may be any value, but the SDK's class for it takes only dicts:

    std.jsondecode(input="[1]")    TypeError: Expected argument 'result' to be a dict

Generated programs compute the value in Python, or call the engine without that class. The value replaces the object with
the member `result`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.python import modules, tree
from pclgen.targets.python.context import Context
from pclgen.types.declarations import Shape
from pclgen.types.model import DYNAMIC, NominalType, resolve

_PACKAGE: Final = "std"


def unreadable_result(expr: core.Invoke) -> str | None:
    """The only member of the result, when the SDK refuses values of it that are not objects."""
    function = expr.function
    if function is None or function.package is None or function.package.name != _PACKAGE:
        return None
    if not isinstance(function.result, NominalType):
        return None
    fields = function.result.declaration.fields(Shape.OUTPUT)
    return next((name for name, field in fields.items() if len(fields) == 1 and resolve(field.type) is DYNAMIC), None)


def lower_value(
    cx: Context, expr: core.Invoke, options: tuple[tree.Argument, ...], resolved: Callable[[core.Expr], core.Expr]
) -> tree.Expr:
    """Return the value of the result.

    `options` are the options of the call; `resolved` turns a value that holds outputs into an output.
    """
    args = _arguments(expr)
    if not expr.options:
        if expr.token == "std:index:jsondecode":
            return _decoded(cx, expr, args["input"])
        for name, parameters in _BUILTINS:
            if expr.token == f"std:index:{name}" and set(args) <= set(parameters):
                return _computed(cx, expr, _called(expr, name, [args[key] for key in parameters if key in args]), resolved)
    entries = [tree.Entry(key=tree.text(name), value=cx.lower(value)) for name, value in args.items()]
    function = modules.pulumi("runtime.invoke_output" if expr.output_form else "runtime.invoke")
    shown = (tree.Argument(value=tree.text(expr.token)), tree.Argument(value=tree.DictDisplay(entries=tuple(entries))))
    node: tree.Expr = tree.Call(function=function, args=(*shown, *options))
    if not expr.output_form:
        node = tree.Attribute(value=node, name="value")
    return tree.index(node, tree.text("result"))


_BUILTINS: Final = (("element", ("input", "index")), ("lookup", ("map", "key", "default")))
"""The functions that PCL also has, and the names of their arguments in PCL's order."""


def _arguments(expr: core.Invoke) -> Mapping[str, core.Expr]:
    items = expr.args.items if isinstance(expr.args, core.ObjectExpr) else ()
    return {str(item.key.value): item.value for item in items if isinstance(item.key, core.Literal)}


def _decoded(cx: Context, expr: core.Invoke, text: core.Expr) -> tree.Expr:
    if expr.output_form:
        return tree.call(modules.pulumi("Output.json_loads"), cx.lower(text))
    return tree.call(tree.Imported(module=modules.JSON, name="loads"), cx.lower(text))


def _called(expr: core.Invoke, name: str, args: Sequence[core.Expr]) -> core.Call:
    return core.Call(function=FUNCTIONS[name], args=tuple(args), expand=False, type=DYNAMIC, span=expr.span)


def _computed(cx: Context, expr: core.Invoke, value: core.Call, resolved: Callable[[core.Expr], core.Expr]) -> tree.Expr:
    if any(holds_eventual(arg.type) for arg in value.args):
        return cx.lower(resolved(value))
    node = cx.lower(value)
    return modules.as_output(node) if expr.output_form else node
