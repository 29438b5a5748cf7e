"""Comprehensions: for-expressions, splats and grouping (targets.md, Operators and loops).

Loops visit maps in the order of their keys.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core.predicates import keys_may_collide
from pclgen.core.walk import references
from pclgen.targets.python import enumtexts, modules, names, tree, unwrapping, valuetypes
from pclgen.targets.python.context import Context
from pclgen.targets.python.operators import truth_of
from pclgen.targets.python.valuetypes import empty, is_mapping, is_untyped
from pclgen.types.model import (
    DYNAMIC,
    is_optional,
    resolve,
    without_none,
)


def lower_for(cx: Context, expr: core.For) -> tree.Expr:
    """`[result for value in collection if condition]`, or a dict, or a grouping."""
    is_required = isinstance(expr.collection, core.Convert) and expr.collection.unset is not None
    if isinstance(expr.condition, core.Literal) and expr.condition.value is False and not is_required:
        return empty(resolve(expr.type))  # to a type checker, elements of an empty collection have type `Never`
    loop_targets, iterable = _iteration(cx, expr)
    condition = modules.as_condition(cx.lower(expr.condition)) if expr.condition is not None else None
    loop = tree.Loop(targets=loop_targets, iterable=iterable, condition=condition)
    is_dead = condition is not None and truth_of(condition) is False  # to a type checker, nothing there has a type
    result = tree.NONE if is_dead else cx.lower(expr.result)
    if expr.result_key is None:
        return _unchanged(loop, result) or tree.ListComprehension(element=result, loop=loop)
    key = tree.text("") if is_dead else enumtexts.exact(cx, expr.result_key)
    if not expr.group and not keys_may_collide(expr, cx.distinct):
        return tree.DictComprehension(key=key, value=result, loop=loop)
    pairs = tree.ListComprehension(element=tree.Pair(first=key, second=result), loop=loop)
    return tree.call(tree.Helper(key="group_by" if expr.group else "unique_keys"), pairs)


def _unchanged(loop: tree.Loop, result: tree.Expr) -> tree.Expr | None:
    """`sorted(tags)` for `[key for key in sorted(tags)]`, `list(range(3))` for `[i for i in range(3)]`."""
    same = isinstance(result, tree.Name) and loop.targets == (result.variable,) and loop.condition is None
    match loop.iterable:
        case tree.Call(function=tree.Builtin(name="sorted")) if same:
            return loop.iterable
        case tree.Call(function=tree.Builtin(name="range")) if same:
            return tree.builtin("list", loop.iterable)
        case _:
            return None


def _iteration(cx: Context, expr: core.For) -> tuple[tuple[tree.Variable, ...], tree.Expr]:
    plain = without_none(resolve(expr.collection.type))
    collection = present(cx, expr.collection, splat=expr.splat)
    if is_untyped(cx, expr.collection):
        cx.untyped.update(symbol for symbol in (expr.key, expr.value) if symbol is not None)
    unwrapping.mark(cx, expr.value, expr.collection)
    enumtexts.mark_loop(cx, expr.value, expr.collection)
    if plain is DYNAMIC:
        key = cx.bind(expr.key) if expr.key is not None else tree.Variable(preferred_names=("_",))
        return (key, _value(cx, expr)), tree.call(tree.Helper(key="pairs"), collection)
    if is_mapping(plain) and expr.key is not None and not _uses(expr, expr.value):
        in_order = not _order_is_lost(expr)
        keys = _keys(collection) or collection
        return (cx.bind(expr.key),), tree.builtin("sorted", keys) if in_order else keys
    if is_mapping(plain):
        key = cx.bind(expr.key) if expr.key is not None else tree.Variable(preferred_names=("_",))
        return (key, _value(cx, expr)), sorted_items(collection, in_order=not _order_is_lost(expr))
    collection = without_list(collection)
    counted = expr.collection
    if isinstance(counted, core.Call) and counted.function.name == "range" and len(counted.args) == 1:
        cx.naturals.add(expr.value)
    if expr.key is None or not _uses(expr, expr.key):
        return (_value(cx, expr),), collection
    cx.naturals.add(expr.key)
    return (cx.bind(expr.key), _value(cx, expr)), tree.builtin("enumerate", collection)


def _keys(collection: tree.Expr) -> tree.Expr | None:
    """`set(users)` for the keys of `{user: user for user in users}`, and for the keys of a grouping by `user`."""
    match collection:
        case tree.DictComprehension(key=key, loop=loop):
            pass
        case tree.Call(
            function=tree.Helper(key="group_by"),
            args=(tree.Argument(value=tree.ListComprehension(element=tree.Pair(first=key), loop=loop)),),
        ):
            pass
        case _:
            return None
    is_same = isinstance(key, tree.Name) and loop.targets == (key.variable,) and loop.condition is None
    return tree.builtin("set", loop.iterable if is_same else tree.ListComprehension(element=key, loop=loop))


def _uses(expr: core.For, symbol: core.Symbol) -> bool:
    parts = (expr.result_key, expr.result, expr.condition)
    return any(used is symbol for part in parts if part is not None for used, _ in references(part))


def _value(cx: Context, expr: core.For) -> tree.Variable:
    return cx.bind(expr.value, names.variable(expr.value.name), "item") if expr.splat else cx.bind(expr.value)


def lower_collection(cx: Context, collection: core.Expr) -> tree.Expr:
    """The collection, with a type that a checker understands."""
    value = cx.lower(collection)
    literal = core.ListExpr | core.ObjectExpr | core.For | core.Conditional
    if isinstance(collection, literal) and valuetypes.is_mixed(collection.type):
        # A checker would take the elements for plain objects.
        return modules.cast(valuetypes.container(collection.type), value)
    return value


def present(cx: Context, collection: core.Expr, *, splat: bool = False) -> tree.Expr:
    """The collection; empty if absent."""
    value = lower_collection(cx, collection)
    if not is_optional(collection.type) or (is_untyped(cx, collection) and not splat):
        return value
    plain = without_none(resolve(collection.type))
    return tree.Binary(operator="or", left=value, right=empty(plain))


def _order_is_lost(expr: core.For) -> bool:
    """Return whether the result is a dict, which is equal in any order; duplicate keys fail."""
    return expr.result_key is not None and not expr.group


def sorted_items(mapping: tree.Expr, *, in_order: bool = True) -> tree.Expr:
    """`sorted(mapping.items())`."""
    pairs = tree.method(mapping, "items")
    return tree.builtin("sorted", pairs) if in_order else pairs


def without_list(value: tree.Expr) -> tree.Expr:
    """`range(n)` for `list(range(n))` where the caller only iterates over it."""
    match value:
        case tree.Call(function=tree.Builtin(name="list"), args=(tree.Argument(name="", value=inner),)):
            return inner
        case _:
            return value
