"""Operators, conditionals and comprehensions (targets.md, Operators and loops).

Comprehensions are for-expressions, splats and grouping. Loops visit maps in the order of their keys.
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.predicates import as_condition, is_natural, keys_may_collide, symbols_not_null
from pclgen.core.walk import references
from pclgen.targets.python import enumtexts, modules, names, objects, tree, valuetypes
from pclgen.targets.python.context import Context
from pclgen.targets.python.equality import is_own
from pclgen.targets.python.valuetypes import empty, is_mapping, is_untyped
from pclgen.types import model as ty
from pclgen.types.model import DYNAMIC, is_optional, resolve, without_none

# -- operators and conditionals ---------------------------------------------------------------------------------------------

_OPERATORS: Mapping[str, str] = {"&&": "and", "||": "or"}
_OPPOSITES: Mapping[str, str] = {
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
}


def lower_unary(cx: Context, expr: core.Unary) -> tree.Expr:
    """`-x` or `not x`."""
    operand = cx.lower(expr.operand)
    if expr.operator == "!":
        return negated(operand)
    return tree.Unary(operator="-", operand=operand)


def negated(value: tree.Expr) -> tree.Expr:
    """`not value`; an equality is inverted."""
    match value:
        case tree.Binary(operator=operator) if operator in _OPPOSITES:
            return tree.Binary(operator=_OPPOSITES[operator], left=value.left, right=value.right)
        case tree.Unary(operator="not"):
            return value.operand
        case _:
            return tree.Unary(operator="not", operand=value)


def lower_binary(cx: Context, expr: core.Binary) -> tree.Expr:
    """An operator; `is` where an operand is null or a bool."""
    if expr.operator in ("==", "!="):
        if isinstance(expr.left, core.Binary) and expr.left.operator == "%" and _is_zero(expr.right):
            # Whether there is a remainder does not depend on its sign.
            return _plain_binary(cx, expr, _plain_binary(cx, expr.left))
        constants = [
            (this.value, other)
            for this, other in ((expr.left, expr.right), (expr.right, expr.left))
            if isinstance(this, core.Literal) and (this.value is None or isinstance(this.value, bool))
        ]
        if not is_own(expr, cx.steps):
            same = tree.call(tree.Helper(key="equal"), cx.lower(expr.left), cx.lower(expr.right))
            return same if expr.operator == "==" else negated(same)
        for value, other in constants:
            return _compare_constant(cx, expr, value, other)
    if expr.operator == "%" and not (is_natural(expr.left, cx.naturals) and is_natural(expr.right, cx.naturals)):
        return _remainder(cx, expr)
    return _plain_binary(cx, expr)


def _plain_binary(cx: Context, expr: core.Binary, left: tree.Expr | None = None) -> tree.Expr:
    """The operator of Python; `left` is the left operand if already lowered."""
    return tree.Binary(
        operator=_OPERATORS.get(expr.operator, expr.operator),
        left=cx.lower(expr.left) if left is None else left,
        right=cx.lower(expr.right),
    )


def _is_zero(expr: core.Expr) -> bool:
    return isinstance(expr, core.Literal) and not isinstance(expr.value, bool) and expr.value == 0


def _remainder(cx: Context, expr: core.Binary) -> tree.Expr:
    """The remainder with the sign of the dividend, as in PCL; the result of `%` has the sign of the divisor."""
    fmod = tree.Imported(module=modules.MATH, name="fmod")
    rest = tree.call(fmod, cx.lower(expr.left), cx.lower(expr.right))
    return tree.builtin("int", rest) if ty.resolve(expr.type) is ty.INT else rest


def _compare_constant(cx: Context, expr: core.Binary, constant: bool | None, other: core.Expr) -> tree.Expr:
    value = cx.lower(other)
    equal = expr.operator == "=="
    if constant is not None and ty.without_const(other.type) is ty.BOOL:
        return value if constant == equal else negated(value)
    if constant is not None and isinstance(other, core.Ref) and _is_never_bool(ty.resolve(other.type)):
        return tree.Constant(value=not equal)  # to a type checker, nothing has a type where a text is a bool
    return tree.Binary(operator="is" if equal else "is not", left=value, right=tree.Constant(value=constant))


def lower_conditional(cx: Context, expr: core.Conditional) -> tree.Expr:
    """`then if condition else otherwise`."""
    conditional = as_condition(expr)
    if conditional is not None:
        return cx.lower(conditional)
    condition = modules.as_condition(cx.lower(expr.condition))
    then = cx.with_narrowed(symbols_not_null(expr.condition, holds=True)).lower(expr.then)
    otherwise = cx.with_narrowed(symbols_not_null(expr.condition, holds=False)).lower(expr.otherwise)
    truth = truth_of(condition)
    if truth is not None:  # to a type checker, nothing in the other branch has a type
        dead = modules.cast(modules.any_type(), tree.NONE)
        then, otherwise = (then, dead) if truth else (dead, otherwise)
    chosen = tree.IfElse(condition=condition, then=then, otherwise=otherwise)
    # The truth value of an output differs from that of its value.
    return chosen if is_eventual(expr.type) or is_eventual(expr.condition.type) else _with_default(chosen, expr)


def truth_of(condition: tree.Expr) -> bool | None:
    """Return the truth value that type checkers infer for a condition; None if they infer none."""
    match condition:
        case tree.Constant(value=bool() as value):
            return value
        case tree.Unary(operator="not", operand=operand):
            value_of_operand = truth_of(operand)
            return None if value_of_operand is None else not value_of_operand
        case tree.Binary(operator="and" | "or" as operator, left=left, right=right):
            sides, deciding = (truth_of(left), truth_of(right)), operator == "or"
            return deciding if deciding in sides else None if None in sides else not deciding
        case _:
            return None


def _with_default(chosen: tree.IfElse, expr: core.Conditional) -> tree.Expr:
    """`x or []` for `x if x is not None else []`, where no other value of the type of `x` is false."""
    match chosen.condition:
        case tree.Binary(operator="is not", left=value, right=tree.Constant(value=None)):
            present, default, type_ = chosen.then, chosen.otherwise, expr.then.type
        case tree.Binary(operator="is", left=value, right=tree.Constant(value=None)):
            present, default, type_ = chosen.otherwise, chosen.then, expr.otherwise.type
        case _:
            return chosen
    only = ty.without_none(ty.resolve(type_))
    if isinstance(present, tree.Binary) and present.operator == "or" and _is_nothing(present.right, only):
        present = present.left
    same = _is_same_path(modules.without_cast(present)[1], value)
    return tree.Binary(operator="or", left=value, right=default) if same and _is_nothing(default, only) else chosen


def _is_nothing(value: tree.Expr, type_: ty.Type) -> bool:
    """Return whether `value` is the false constant of this type."""
    match value:
        case tree.ListDisplay():
            return isinstance(type_, ty.ListType | ty.TupleType) and not value.items and not value.closing
        case tree.DictDisplay():
            return isinstance(type_, ty.MapType | ty.ObjectType) and not value.entries and not value.closing
        case tree.Constant(value=constant):
            return (constant is False and type_ is ty.BOOL) or (constant == "" and type_ is ty.STRING)
        case _:
            return False


def _is_same_path(left: tree.Expr, right: tree.Expr) -> bool:
    """Return whether both are the same name, or the same members of the same name."""
    match left, right:
        case tree.Name(), tree.Name():
            return left.variable is right.variable
        case tree.Attribute(), tree.Attribute():
            return left.name == right.name and _is_same_path(left.value, right.value)
        case tree.Subscript(keys=(key,)), tree.Subscript(keys=(other,)):
            return _is_same_path(left.value, right.value) and _is_same_text(key, other)
        case tree.Call(args=(key,)), tree.Call(args=(other,)):
            is_get = isinstance(left.function, tree.Attribute) and left.function.name == "get"
            return is_get and _is_same_path(left.function, right.function) and _is_same_text(key.value, other.value)
        case _:
            return False


def _is_same_text(left: tree.Expr, right: tree.Expr) -> bool:
    match left, right:
        case tree.Constant(value=str() as key), tree.Constant(value=str() as other):
            return key == other
        case _:
            return False


def is_present(expr: core.Expr, narrowed: frozenset[core.Symbol]) -> bool:
    """Return whether `expr` is never None although its type is optional: `x == null ? [] : x`."""
    match expr:
        case core.Literal():
            return expr.value is not None
        case core.Ref():
            return expr.symbol in narrowed or not ty.is_optional(expr.type)
        case core.Conditional():
            branches = ((expr.then, True), (expr.otherwise, False))
            return all(is_present(e, narrowed | symbols_not_null(expr.condition, holds=holds)) for e, holds in branches)
        case _:
            return not ty.is_optional(expr.type)


def _is_never_bool(t: ty.Type) -> bool:
    is_structure = isinstance(t, ty.ListType | ty.MapType | ty.TupleType | ty.ObjectType)
    return is_structure or t in (ty.STRING, ty.ID, ty.INT, ty.NUMBER)


# -- comprehensions ---------------------------------------------------------------------------------------------------------

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
    objects.mark(cx, expr.value, expr.collection)
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
