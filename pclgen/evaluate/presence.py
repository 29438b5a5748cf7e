"""Checks for values that must be set: by `Convert` nodes and for members of configured objects.

A value that is not set raises `FaultError` with the message of generated code.
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


def all_set(value: Value, actual: Type, expected: Type, problem: str) -> Value:
    """Return `value` of type `actual`; fail with `problem` if it or a part is null where `expected` allows no null."""
    if isinstance(value, Output):
        return apply((value,), lambda plain: all_set(plain, actual, expected, problem))
    _check(value, resolve(actual), resolve(expected), problem)
    return value


def _check(value: Value, actual: Type, expected: Type, problem: str) -> None:
    if value is None:
        if loses_null(expected, actual):
            raise FaultError(lambda span: say.unset(problem, span))
        return
    actual, expected = without_none(actual), without_none(expected)
    if actual is expected:
        return
    if isinstance(value, list) and isinstance(expected, ListType):
        for at, element in enumerate(value):
            part = actual.elements[at] if isinstance(actual, TupleType) else getattr(actual, "element", expected.element)
            _check(element, part, expected.element, problem)
    elif isinstance(value, list) and isinstance(expected, TupleType) and isinstance(actual, TupleType):
        for element, h, w in zip(value, actual.elements, expected.elements, strict=False):
            _check(element, h, w, problem)
    elif isinstance(value, dict) and isinstance(expected, MapType):
        for name, member in value.items():
            part = actual.members.get(name) if isinstance(actual, ObjectType) else getattr(actual, "element", None)
            _check(member, part or expected.element, expected.element, problem)
    elif isinstance(value, dict) and isinstance(expected, ObjectType) and isinstance(actual, ObjectType):
        for name, w in expected.members.items():
            _check(value.get(name), actual.members.get(name, w), w, problem)


def check_members(value: Value, declared: Type, place: str) -> None:
    """Check that the required members of a configured value are set; `place` is the path of the value."""
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
