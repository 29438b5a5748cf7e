"""What Python, its SDK and its type checkers make of the value of an expression, before it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.walk import chosen_values
from pclgen.targets.methods import lifted_result
from pclgen.targets.python import modules, names, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.typehints import is_mixed
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Shape
from pclgen.types.size import holds_dynamic

_PACKAGE: Final = "std"


def unreadable_result(expr: core.Invoke) -> str | None:
    """The only member of the result, when the SDK refuses values of it that are not objects."""
    function = expr.function
    if function is None or function.package is None or function.package.name != _PACKAGE:
        return None
    if not isinstance(function.result, ty.NominalType):
        return None
    fields = function.result.declaration.fields(Shape.OUTPUT)
    return next((name for name, f in fields.items() if len(fields) == 1 and ty.resolve(f.type) is ty.DYNAMIC), None)


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
