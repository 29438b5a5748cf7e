"""Checks for values that must be set: by `Convert` nodes and for members of configured objects.

A value that is not set raises `FaultError` with the message of generated code.
"""

from __future__ import annotations

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.values import Output, Value, apply
from pclgen.types import model as ty
from pclgen.types.required import required_names


def all_set(value: Value, actual: ty.Type, expected: ty.Type, problem: str) -> Value:
    """Return `value` of type `actual`; fail with `problem` if it or a part is null where `expected` allows no null."""
    if isinstance(value, Output):
        return apply((value,), lambda plain: all_set(plain, actual, expected, problem))
    _check(value, ty.resolve(actual), ty.resolve(expected), problem)
    return value


def _check(value: Value, actual: ty.Type, expected: ty.Type, problem: str) -> None:
    if value is None:
        if ty.loses_null(expected, actual):
            raise FaultError(lambda span: say.unset(problem, span))
        return
    actual, expected = ty.without_none(actual), ty.without_none(expected)
    if actual is expected:
        return
    if isinstance(value, list) and isinstance(expected, ty.ListType):
        for at, element in enumerate(value):
            part = actual.elements[at] if isinstance(actual, ty.TupleType) else getattr(actual, "element", expected.element)
            _check(element, part, expected.element, problem)
    elif isinstance(value, list) and isinstance(expected, ty.TupleType) and isinstance(actual, ty.TupleType):
        for element, h, w in zip(value, actual.elements, expected.elements, strict=False):
            _check(element, h, w, problem)
    elif isinstance(value, dict) and isinstance(expected, ty.MapType):
        for name, member in value.items():
            part = actual.members.get(name) if isinstance(actual, ty.ObjectType) else getattr(actual, "element", None)
            _check(member, part or expected.element, expected.element, problem)
    elif isinstance(value, dict) and isinstance(expected, ty.ObjectType) and isinstance(actual, ty.ObjectType):
        for name, w in expected.members.items():
            _check(value.get(name), actual.members.get(name, w), w, problem)


def check_members(value: Value, declared: ty.Type, place: str) -> None:
    """Check that the required members of a configured value are set; `place` is the path of the value."""
    _check_members(value, ty.without_none(ty.resolve(declared)), place)


def _check_members(value: Value, declared: ty.Type, place: str) -> None:
    if isinstance(declared, ty.ObjectType) and isinstance(value, dict):
        missing = next((name for name in required_names(declared) if value.get(name) is None), None)
        if missing is not None:
            raise FaultError(lambda span: say.unset(f"{place}.{missing} is not set", span))
        for name, member in declared.members.items():
            _check_members(value.get(name), ty.without_none(member), f"{place}.{name}")
    elif isinstance(declared, ty.MapType) and isinstance(value, dict):
        for name, element in sorted(value.items()):
            _check_members(element, ty.without_none(declared.element), f"{place}.{name}")
    elif isinstance(declared, ty.ListType) and isinstance(value, list):
        for at, element in enumerate(value):
            _check_members(element, ty.without_none(declared.element), f"{place}[{at}]")
