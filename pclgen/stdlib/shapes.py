"""Shared parts of result rules: access to the shape of an argument.

An `Argument` has a type without option, constant and eventual, one alternative of a union at a time; `BadArgumentError`
names the function's requirement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pclgen.stdlib.model import Argument, BadArgumentError
from pclgen.types import model as ty
from pclgen.types.convert import is_resource, members_of
from pclgen.types.show import show, with_article
from pclgen.types.unify import element_type, member_type, unify

Rule: TypeAlias = Callable[[ty.Type], ty.Type | None]
"""The result for one alternative of an argument's type; None when the function does not take it."""


def plain(t: ty.Type) -> ty.Type:
    """Return the type of values of `t` at run time: no eventual, no option, no constant; enums by their base."""
    t = ty.without_none(ty.resolve(t))
    while isinstance(t, ty.ConstType | ty.EnumType):
        t = t.base
    return t


def each(argument: Argument, rule: Rule, needs: str) -> ty.Type:
    """Apply `rule` to the alternatives of the type of a function's first argument, and unify; dynamic stays dynamic.

    Raises `BadArgumentError` with "needs …" when an alternative does not fit, and for an argument that is only ever null.
    """
    t = plain(argument.type)
    if t is ty.DYNAMIC or t is ty.ERROR:
        return t
    cases = t.members if isinstance(t, ty.UnionType) else (t,)
    results = [rule(plain(case)) for case in cases]
    if None in results:
        misfit = cases[results.index(None)]
        in_some_cases = any(result is not None for result in results)
        raise BadArgumentError(0, f"expected {needs}, found {_actual(t)}", _advice(misfit), in_some_cases=in_some_cases)
    return unify([result for result in results if result is not None])


def own(argument: Argument) -> ty.Type:
    """Return the expected type of a generic argument: its own, but never null."""
    return ty.without_none(argument.type) if argument.type is not ty.NONE else argument.type


def sequence_element(t: ty.Type) -> ty.Type | None:
    """Return the element type of a list, set or tuple; dynamic for an empty tuple."""
    return element_type(t) if isinstance(t, ty.ListType | ty.TupleType) else None


def members(t: ty.Type) -> Mapping[str, ty.Type] | None:
    """Return the members of an object that is data; None for resources and everything else."""
    return None if is_resource(t) or not isinstance(t, ty.ObjectType | ty.NominalType) else members_of(t)


def map_element(t: ty.Type) -> ty.Type | None:
    """Return the type of any value of a map or object; dynamic for an empty object."""
    if isinstance(t, ty.MapType):
        return t.element
    by_name = members(t)
    return None if by_name is None else ty.resolve(member_type(by_name.values()))


def is_text(t: ty.Type) -> bool:
    """Return whether values of a `plain` type are strings."""
    return t is ty.STRING or t is ty.ID


def is_integer(t: ty.Type) -> bool:
    """Return whether every value of `t` is an integer by its type."""
    t = plain(t)
    if isinstance(t, ty.UnionType):
        return all(is_integer(member) for member in t.members)
    return t is ty.INT


def _actual(t: ty.Type) -> str:
    if t is ty.NONE:
        return "null"
    return f"the resource {show(t)}" if is_resource(t) else with_article(t)


def _advice(t: ty.Type) -> str | None:
    if is_resource(t):
        return "name one of its properties, as in `resource.property`"
    if t in (ty.BOOL, ty.INT, ty.NUMBER):
        return 'put it into a template to make it text: "${…}"'
    return None
