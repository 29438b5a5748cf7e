"""What Python, its SDK and its type checkers make of the value of an expression, before it is written.

The result of some functions of `std` may be any value, but the SDK's class for it takes only dicts:

    std.jsondecode(input="[1]")    TypeError: Expected argument 'result' to be a dict

Generated programs compute the value in Python, or call the engine without that class. The value replaces the object with
the member `result`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.walk import chosen_values
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.methods import lifted_result
from pclgen.targets.origins import member_name
from pclgen.targets.python import modules, names, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.typehints import is_mixed
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Shape
from pclgen.types.model import DYNAMIC, NominalType, resolve
from pclgen.types.size import holds_dynamic

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


def lower_unreadable(
    cx: Context, expr: core.Invoke, options: tuple[tree.Argument, ...], resolved: Callable[[core.Expr], core.Expr]
) -> tree.Expr:
    """Return the value of the result.

    `options` are the options of the call; `resolved` turns a value that holds outputs into an output.
    """
    args = {name: item.value for name, item in members_of(expr.args).items()}
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


def members_of(args: core.Expr | None) -> Mapping[str, core.ObjectItem]:
    """The members of an arguments object, by name."""
    return {member_name(item): item for item in args.items} if isinstance(args, core.ObjectExpr) else {}


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


def outputs_of(component: Declaration) -> Mapping[str, str]:
    """The attributes of a component's outputs, by logical name."""
    return names.component_members(tuple(component.fields(Shape.OUTPUT)))


def empty(t: ty.Type) -> tree.Expr:
    """The empty collection of type `t`."""
    return tree.DictDisplay(entries=()) if is_mapping(t) else tree.items(())


def is_untyped(cx: Context, expr: core.Expr) -> bool:
    """Return whether a type checker takes `expr` for `Any` or an output of `Any`, so that it fits everywhere."""
    match expr:
        case core.Ref():
            return expr.symbol in cx.untyped
        case core.Attr() if lifted_member(cx, expr.source) is not None:
            return is_untyped(cx, expr.source)
        case core.Invoke():
            return unreadable_result(expr) is not None
        case core.Attr() | core.Index():
            # Steps on an output go through `Output.__getattr__` and `__getitem__`.
            return is_eventual(expr.source.type) or is_untyped(cx, expr.source)
        case core.Apply():
            return is_untyped(cx, expr.body) or all(is_untyped(cx, arg) for arg in expr.args)
        case core.Convert():
            return is_untyped(cx, expr.value)
        case core.Conditional():
            return is_untyped(cx, expr.then) and is_untyped(cx, expr.otherwise)
        case core.Call():
            return expr.function.untyped or is_mixed_secret(expr)
        case _:
            return False


def definite(expr: core.Expr, node: tree.Expr) -> tree.Expr:
    """`node`, the Python for `expr`, as the operand of a step: cast where a checker would infer the type of a branch."""
    hides_type = not is_eventual(expr.type) and (chooses_typed(expr) or holds_typed_choice(expr) or _has_other_default(expr))
    return modules.cast(modules.any_type(), node) if hides_type else node


def chooses_typed(expr: core.Expr) -> bool:
    """Return whether `expr` has parts of unknown type, but a branch where a checker knows their type: null, a list."""
    branches, common = list(chosen_values(expr)), ty.resolve(expr.type)
    return len(branches) > 1 and holds_dynamic(common) and any(ty.resolve(branch.type) is not common for branch in branches)


def _has_other_default(expr: core.Expr) -> bool:
    """Return whether `expr` is a call of `lookup` whose default has another type than the result."""
    if not isinstance(expr, core.Call) or expr.function.name != "lookup" or len(expr.args) < 3:
        return False
    return ty.resolve(expr.args[2].type) is not ty.resolve(expr.type)


def holds_typed_choice(expr: core.Expr) -> bool:
    """Return whether an element of a literal or loop is, or holds, a choice as in `chooses_typed`."""
    match expr:
        case core.ListExpr():
            values: Sequence[core.Expr] = expr.elements
        case core.ObjectExpr():
            values = [item.value for item in expr.items]
        case core.For():
            values = [expr.result]
        case core.Convert():
            return holds_typed_choice(expr.value)
        case _:
            return False
    return any(chooses_typed(value) or holds_typed_choice(value) for value in values)


def chooses_mixed_literals(expr: core.Expr) -> bool:
    """Return whether a conditional chooses literals, of which a checker infers too little (see `typehints.is_mixed`)."""
    if not isinstance(expr, core.Conditional) or is_eventual(expr.type) or not is_mixed(ty.without_none(expr.type)):
        return False
    return any(isinstance(value, core.ListExpr | core.ObjectExpr | core.For) for value in chosen_values(expr))


def is_mapping(t: ty.Type) -> bool:
    """Return whether values of resolved type `t` are dicts."""
    return isinstance(t, ty.MapType | ty.ObjectType | ty.NominalType)


def lifted_member(cx: Context, expr: core.Expr) -> str | None:
    """The only member of the result of a method or function, when the SDK returns its value in place of the result."""
    match expr:
        case core.Invoke():
            return unreadable_result(expr)
        case core.MethodCall():
            return lifted_result(expr.method, "python")
        case core.Ref():
            return cx.singles.get(expr.symbol)
        case _:
            return None


def is_mixed_secret(expr: core.Call) -> bool:
    """Return whether `expr` is a secret literal for which a type checker infers too little (see `typehints.is_mixed`)."""
    value = expr.args[0] if expr.function.name == "secret" else None
    return isinstance(value, core.ListExpr | core.ObjectExpr) and not is_eventual(value.type) and is_mixed(value.type)
