"""Properties of the Python value of an expression, known before it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.targets.methods import lifted_result
from pclgen.targets.python import modules, names, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.typehints import is_mixed
from pclgen.targets.python.unreadable import unreadable_result
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Shape


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
    return modules.cast(modules.any_type(), node) if expr.type is ty.DYNAMIC and chooses_known(expr) else node


def chooses_known(expr: core.Expr) -> bool:
    """Return whether `expr` has an unknown type, but a branch whose type a checker knows: null, a list."""
    branches = list(_branches(expr))
    has_type = any(ty.resolve(branch.type) is not ty.DYNAMIC for branch in branches)
    return has_type and len(branches) > 1 and ty.resolve(expr.type) is ty.DYNAMIC


def _branches(expr: core.Expr) -> Iterator[core.Expr]:
    """Yield the values that conditionals choose from."""
    match expr:
        case core.Conditional():
            yield from _branches(expr.then)
            yield from _branches(expr.otherwise)
        case core.Convert():
            yield from _branches(expr.value)
        case core.Apply():
            yield from _branches(expr.body)
        case _:
            yield expr


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
