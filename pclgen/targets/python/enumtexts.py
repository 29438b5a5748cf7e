"""Texts that may be members of an enum's class.

What a provider answers are members of the SDK's enum classes.  They are texts, but print as `Logging.STDOUT`; where only the
running program knows whether a text is one, its value is asked for:

    [f"v-{getattr(item, 'value', item)}" for item in [logging, "none"]]

Comes in: expressions, as they are lowered.  Goes out: which symbols stand for such texts, and how they are printed.
"""

from __future__ import annotations

from collections.abc import Iterable

from pclgen.core import expr as core
from pclgen.targets.python import tree
from pclgen.targets.python.context import Context
from pclgen.types.model import EnumType, ObjectType, TupleType, Type, resolve, without_none


def mark_element(cx: Context, item: core.Symbol, collection: Type) -> None:
    """Remember that `item` is one of the elements of a `collection` with members of an enum among other texts."""
    if any(isinstance(without_none(resolve(t)), EnumType) for t in _elements(without_none(resolve(collection)))):
        cx.enumtexts.add(item)


def _elements(t: Type) -> Iterable[Type]:
    match t:
        case TupleType():
            return t.elements
        case ObjectType():
            return t.members.values()
        case _:
            return ()


def mark_parameters(cx: Context, apply: core.Apply) -> None:
    """Remember which parameters of `apply` stand for what was marked."""
    pairs = zip(apply.args, apply.parameters, strict=True)
    cx.enumtexts.update([parameter for arg, parameter in pairs if marked(cx, arg) is not None])


def marked(cx: Context, expr: core.Expr) -> core.Ref | None:
    """The reference to a text that may be a member, when `expr` is one or looks whether it is there."""
    while isinstance(expr, core.Convert | core.All):
        expr = expr.value
    return expr if isinstance(expr, core.Ref) and expr.symbol in cx.enumtexts else None


def value_of(value: tree.Expr, otherwise: tree.Expr) -> tree.Expr:
    """What `value` prints as: the value of a member, and `otherwise`, the text itself, of all else."""
    return tree.builtin("getattr", value, tree.text("value"), otherwise)
