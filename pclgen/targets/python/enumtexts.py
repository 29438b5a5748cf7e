"""Members of enum classes where the program has texts and numbers.

A provider returns members of the SDK's enum classes.  They are equal to texts (or numbers), but print as `Logging.STDOUT`.
If the type of a value is an enum, the program prints the member's value (`c.logging.value`). In a collection of members and
other texts, only the running program knows which elements are members:

    mixed = [c.logging, "none"]
    [f"v-{plain_value(item)}" for item in mixed]

This module finds expressions whose values may hold members that are missing from their types. `exact` lowers them to values
without members, for all uses where members matter: printed texts, keys, and the inputs and outputs of components, whose
types other files read.
"""

from __future__ import annotations

from collections.abc import Iterable

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.stdlib.model import Derivation
from pclgen.targets.python import tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.conversions import Conversion
from pclgen.types import model as ty

PLAIN_VALUE = tree.Helper(key="plain_value")


def exact(cx: Context, expr: core.Expr) -> tree.Expr:
    """The value of `expr`, with every enum member replaced by its value."""
    if not may_be_hidden(cx, expr):
        if isinstance(ty.bare(expr.type), ty.EnumType) and not ty.is_optional(ty.resolve(expr.type)):
            return tree.Attribute(value=cx.receiver(expr), name="value")
        if not _holds_enums(expr.type):
            return cx.lower(expr)
    if is_eventual(expr.type) or holds_eventual(expr.type):
        gathered = core.All(value=expr, type=ty.output_of(expr.type), span=expr.span) if holds_eventual(expr.type) else expr
        return tree.method(cx.receiver(gathered), "apply", PLAIN_VALUE)
    return tree.call(PLAIN_VALUE, cx.lower(expr))


def before(change: Conversion | None) -> Conversion | None:
    """The same conversion, with hidden members replaced by their values first."""
    return None if change is None else lambda value: change(tree.call(PLAIN_VALUE, value))


def mark(cx: Context, symbol: core.Symbol, value: core.Expr) -> None:
    """Record `symbol`, bound to `value`, if members may be hidden in the value."""
    if _comes_out(cx, value, symbol.type):
        cx.enumtexts.add(symbol)


def mark_loop(cx: Context, item: core.Symbol, collection: core.Expr) -> None:
    """Record `item`, bound to the elements of `collection`, if members may be hidden in the elements."""
    if may_be_hidden(cx, collection) or any(_loses(t, item.type) for t in _elements(collection.type)):
        cx.enumtexts.add(item)


def mark_parameters(cx: Context, apply: core.Apply) -> None:
    """Record the parameters of `apply` whose values may hide members."""
    pairs = zip(apply.args, apply.parameters, strict=True)
    cx.enumtexts.update([parameter for arg, parameter in pairs if may_be_hidden(cx, arg)])


def may_be_hidden(cx: Context, expr: core.Expr) -> bool:
    """Return whether the value of `expr` may hold members that are missing from its type.

    This also records the variables of loops and applies in `expr`.
    """
    match expr:
        case core.Ref():
            return expr.symbol in cx.enumtexts
        case core.Attr():
            # Members of packages and components have their declared types.
            return expr.field is None and may_be_hidden(cx, expr.source)
        case core.Index():
            lost = any(_loses(t, expr.type) for t in _elements(expr.source.type))
            return lost or may_be_hidden(cx, expr.source)
        case core.Convert() | core.All():
            return _comes_out(cx, expr.value, expr.type)
        case core.Conditional():
            return _comes_out(cx, expr.then, expr.type) or _comes_out(cx, expr.otherwise, expr.type)
        case core.ListExpr():
            return any(may_be_hidden(cx, element) for element in expr.elements)
        case core.ObjectExpr():
            return any(may_be_hidden(cx, item.value) for item in expr.items)
        case core.For():
            mark_loop(cx, expr.value, expr.collection)
            return may_be_hidden(cx, expr.result)
        case core.Apply():
            mark_parameters(cx, expr)
            return may_be_hidden(cx, expr.body)
        case core.Call() if expr.function.derives.forwards or expr.function.derives is Derivation.CHOICE:
            return any(_returned(cx, expr, arg) for arg in expr.args)
        case _:
            return False


def _returned(cx: Context, call: core.Call, arg: core.Expr) -> bool:
    if call.function.derives is Derivation.ELEMENT and any(_loses(t, call.type) for t in _elements(arg.type)):
        return True
    if call.function.derives is Derivation.ENTRIES:
        return may_be_hidden(cx, arg) or any(_loses(t, part) for t in _elements(arg.type) for part in _entry(call.type))
    return _comes_out(cx, arg, call.type)


def _entry(t: ty.Type) -> Iterable[ty.Type]:
    """The types of the values in the result of `entries`."""
    return [member for entry in _elements(t) for name, member in _members(entry) if name == "value"]


def _members(t: ty.Type) -> Iterable[tuple[str, ty.Type]]:
    plain = ty.bare(t)
    return plain.members.items() if isinstance(plain, ty.ObjectType) else ()


def _comes_out(cx: Context, value: core.Expr, t: ty.Type) -> bool:
    """Return whether members are hidden when an expression of type `t` results in `value`."""
    return may_be_hidden(cx, value) or _loses(value.type, t)


def _elements(t: ty.Type) -> Iterable[ty.Type]:
    """The types of the elements of values of type `t`."""
    plain = ty.bare(t)
    return () if isinstance(plain, ty.UnionType) else ty.parts(plain)


def _loses(have: ty.Type, want: ty.Type) -> bool:
    """Return whether a value of type `have` may hold members that are missing from `want`."""
    source, target = ty.bare(have), ty.bare(want)
    if source is target or not _holds_enums(source):
        return False
    if isinstance(source, ty.EnumType):
        return not isinstance(target, ty.EnumType)
    if isinstance(source, ty.ObjectType) and isinstance(target, ty.ObjectType):
        return any(_loses(t, target.members[name]) for name, t in source.members.items() if name in target.members)
    parts = _elements(target)
    return not parts or any(_loses(t, part) for t in _elements(source) for part in parts)


def _holds_enums(t: ty.Type) -> bool:
    """Return whether the type contains an enum, without inspecting the members of declared objects."""
    plain = ty.bare(t)
    result = plain.memo.get("holds enums")
    if result is None:
        result = plain.memo["holds enums"] = isinstance(plain, ty.EnumType) or any(map(_holds_enums, ty.parts(plain)))
    return result is True
