"""Values that have to be set: what `Convert` nodes and members of configured objects demand.

A value that is not set raises `FaultError` in the words that generated code uses.
"""

from __future__ import annotations

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.values import Output, Value, apply
from pclgen.types.model import (
    ListType,
    MapType,
    ObjectType,
    TupleType,
    Type,
    loses_null,
    resolve,
    without_none,
)
from pclgen.types.required import required_names


def all_set(value: Value, have: Type, wanted: Type, problem: str) -> Value:
    """`value`, a `have`; fails with `problem` when it, or a part of it, is null where a `wanted` has no null."""
    if isinstance(value, Output):
        return apply((value,), lambda plain: all_set(plain, have, wanted, problem))
    _check(value, resolve(have), resolve(wanted), problem)
    return value


def _check(value: Value, have: Type, wanted: Type, problem: str) -> None:
    if value is None:
        if loses_null(wanted, have):
            raise FaultError(lambda span: say.unset(problem, span))
        return
    have, wanted = without_none(have), without_none(wanted)
    if have is wanted:
        return
    if isinstance(value, list) and isinstance(wanted, ListType):
        for at, element in enumerate(value):
            found = have.elements[at] if isinstance(have, TupleType) else getattr(have, "element", wanted.element)
            _check(element, found, wanted.element, problem)
    elif isinstance(value, list) and isinstance(wanted, TupleType) and isinstance(have, TupleType):
        for element, h, w in zip(value, have.elements, wanted.elements, strict=False):
            _check(element, h, w, problem)
    elif isinstance(value, dict) and isinstance(wanted, MapType):
        for name, member in value.items():
            found = have.members.get(name) if isinstance(have, ObjectType) else getattr(have, "element", None)
            _check(member, found or wanted.element, wanted.element, problem)
    elif isinstance(value, dict) and isinstance(wanted, ObjectType) and isinstance(have, ObjectType):
        for name, w in wanted.members.items():
            _check(value.get(name), have.members.get(name, w), w, problem)


def check_members(value: Value, declared: Type, place: str) -> None:
    """That the members of a configured value are set, all but the optional ones; `place` leads to the value."""
    _check_members(value, without_none(resolve(declared)), place)


def _check_members(value: Value, declared: Type, place: str) -> None:
    if isinstance(declared, ObjectType) and isinstance(value, dict):
        missing = next((name for name in required_names(declared) if value.get(name) is None), None)
        if missing is not None:
            raise FaultError(lambda span: say.unset(f"{place}.{missing} is not set", span))
        for name, member in declared.members.items():
            _check_members(value.get(name), without_none(member), f"{place}.{name}")
    elif isinstance(declared, MapType) and isinstance(value, dict):
        for name, element in sorted(value.items()):
            _check_members(element, without_none(declared.element), f"{place}.{name}")
    elif isinstance(declared, ListType) and isinstance(value, list):
        for at, element in enumerate(value):
            _check_members(element, without_none(declared.element), f"{place}[{at}]")
