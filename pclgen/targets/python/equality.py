"""Differences between `==` in Python and in PCL.

In Python, True equals 1. A type checker narrows a variable of unknown type to the constant that it is compared with, even
after the comparison, and then refuses steps into it, except in a branch that the comparison guards. In both cases the
generated program calls the helper `equal`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain, repeat

from pclgen.core import expr as core
from pclgen.core.predicates import not_null_where
from pclgen.core.program import Node
from pclgen.core.walk import children, chosen_values, expressions_of, parts_of, reference_key
from pclgen.types import model as ty

_NUMBERS = frozenset((ty.INT, ty.NUMBER))


class Steps:
    """The variables, and the constant paths into them, that `nodes` use in a step, a loop or a function call."""

    def __init__(self, nodes: Sequence[Node] = ()) -> None:
        self._nodes = nodes

    def lead_into(self, expr: core.Expr) -> bool:
        """Return whether `expr` is such a variable or path."""
        path = reference_key(expr)
        return path is not None and path in self._paths

    def lead_into_null(self, expr: core.Expr) -> bool:
        """Return whether `expr` is such a variable or path, used where no comparison has shown that it is not null."""
        path = reference_key(expr)
        return path is not None and path in self._unguarded

    @cached_property
    def _paths(self) -> AbstractSet[object]:
        sources = (source for part in parts_of(self._nodes) for source in _sources(part))
        return {reference_key(value) for source in sources for value in chosen_values(source)}

    @cached_property
    def _unguarded(self) -> AbstractSet[object]:
        return {key for node in self._nodes for expr in expressions_of(node) for key in _unguarded_keys(expr)}


def _unguarded_keys(whole: core.Expr) -> Iterator[object]:
    """The keys of operands of steps and conversions that no condition has shown to be non-null."""
    waiting: list[tuple[core.Expr, frozenset[object]]] = [(whole, frozenset())]
    while waiting:
        expr, present = waiting.pop()
        yield from {reference_key(source) for source in _refusing_null(expr)} - present
        match expr:
            case core.Conditional():
                waiting.append((expr.condition, present))
                waiting.append((expr.then, present | _shown(expr.condition, holds=True)))
                waiting.append((expr.otherwise, present | _shown(expr.condition, holds=False)))
            case core.Binary(operator="&&" | "||" as operator):
                shown = _shown(expr.left, holds=operator == "&&")
                waiting += ((expr.left, present), (expr.right, present | shown))
            case _:
                waiting += ((part, present) for part in children(expr))


def _shown(condition: core.Expr, *, holds: bool) -> frozenset[object]:
    """The keys of expressions that are not null where the condition holds (or does not)."""
    return frozenset(map(reference_key, not_null_where(condition, holds=holds)))


def _refusing_null(expr: core.Expr) -> Sequence[core.Expr]:
    """The operands of `expr` that a type checker requires not to be None: `x["a"]`, `len(x)`, `float(x)`."""
    match expr:
        case core.Convert():
            return (expr.value,) if ty.bare(expr.type) in _NUMBERS else ()
        case core.Call():
            parameters = chain(expr.function.parameters, repeat(expr.function.variadic))
            pairs = zip(expr.args, parameters, strict=False)
            return [arg for arg, parameter in pairs if parameter is None or not parameter.allow_null]
        case _:
            return _sources(expr)


def _sources(expr: core.Expr) -> Sequence[core.Expr]:
    match expr:
        case core.Attr() | core.Index():
            return (expr.source,)
        case core.For():
            return (expr.collection,)
        case core.Call():
            return expr.args
        case _:
            return ()


def is_own(expr: core.Binary, steps: Steps) -> bool:
    """Return whether Python's `==` works for `expr`: it never compares True with 1 and never misleads a type checker."""
    for this, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(this, core.Literal) and this.value is None:
            return ty.is_optional(ty.resolve(other.type)) or not steps.lead_into_null(other)
        if isinstance(this, core.Literal):
            if (_is_narrowed(other.type) or _is_part_of_another_type(other, this)) and steps.lead_into(other):
                return False
            if isinstance(this.value, bool) or (ty.bare(this.type) in _NUMBERS and this.value not in (0, 1)):
                return True
    return not _may_mistake(expr.left.type, expr.right.type)


def _is_narrowed(t: ty.Type) -> bool:
    """Return whether a type checker, having narrowed a `t` to a constant, refuses steps that it accepts into a `t`."""
    plain = ty.bare(t)
    return plain is ty.DYNAMIC or isinstance(plain, ty.ListType | ty.MapType | ty.UnionType)


def _is_part_of_another_type(expr: core.Expr, constant: core.Expr) -> bool:
    """Return whether `expr` has another type than `constant` and may be untyped to a checker.

    An example is an element of a list of mixed types.
    """
    types = ty.bare(expr.type), ty.bare(constant.type)
    return isinstance(expr, core.Attr | core.Index) and types[0] is not types[1] and not _NUMBERS.issuperset(types)


def _may_mistake(left: ty.Type, right: ty.Type) -> bool:
    """Return whether `left` may have True where `right` has 1, or the reverse, also inside lists and dicts."""
    left, right = ty.bare(left), ty.bare(right)
    if isinstance(left, ty.UnionType) or isinstance(right, ty.UnionType):
        return any(_may_mistake(a, b) for a in _alternatives(left) for b in _alternatives(right))
    if ty.DYNAMIC in (left, right):
        other = right if left is ty.DYNAMIC else left
        return other in (ty.DYNAMIC, ty.BOOL, ty.INT, ty.NUMBER) or any(
            _may_mistake(ty.DYNAMIC, part) for part in ty.parts(other)
        )
    if isinstance(left, ty.ListType | ty.TupleType) and isinstance(right, ty.ListType | ty.TupleType):
        if isinstance(left, ty.TupleType) and isinstance(right, ty.TupleType):
            return any(map(_may_mistake, left.elements, right.elements))
        return any(_may_mistake(a, b) for a in ty.parts(left) for b in ty.parts(right))
    if isinstance(left, ty.ObjectType) and isinstance(right, ty.ObjectType):
        common = left.members.keys() & right.members.keys()
        return any(_may_mistake(left.members[name], right.members[name]) for name in common)
    if isinstance(left, ty.MapType | ty.ObjectType) and isinstance(right, ty.MapType | ty.ObjectType):
        return any(_may_mistake(a, b) for a in ty.parts(left) for b in ty.parts(right))
    return (left is ty.BOOL and right in _NUMBERS) or (right is ty.BOOL and left in _NUMBERS)


def _alternatives(t: ty.Type) -> Sequence[ty.Type]:
    return t.members if isinstance(t, ty.UnionType) else (t,)
