"""Which tests are slow: those that start a process, compile or run generated programs, or search for examples at random.

The mark is not written by hand: `tests/conftest.py` adds it to each test that reaches something slow, in its own text or
through its helpers and fixtures.  A test that is slow only by its amount of work has the mark in its file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Final

import pytest

SLOW_MODULES: Final = (
    "subprocess",
    "multiprocessing",
    "pclgen.verify.environments",
    "pclgen.verify.processes",
    "pclgen.verify.verification",
    "tests.fuzz",
    "tests.support.random_",
    "tests.support.toolchains",
)
"""Prefixes of modules: a test that calls one of their functions is slow."""
STARTERS: Final = frozenset({"Popen", "Worker", "fork"})
"""Classes that start a process (other classes of these modules are data), and `os.fork`."""
QUICK: Final = frozenset({"cache_folder", "locked"})
"""Functions of these modules that start no process."""
SLOW_FIXTURES: Final = frozenset({"pytester"})
"""Fixtures that run tests in a test."""


def is_slow(item: pytest.Item) -> bool:
    """Return whether a collected test starts a process or searches at random."""
    if not isinstance(item, pytest.Function):
        return False
    if SLOW_FIXTURES & set(item.fixturenames):
        return True
    definitions = item._fixtureinfo.name2fixturedefs
    return reaches([item.function, *(fixture.func for name in item.fixturenames for fixture in definitions.get(name, ()))])


def reaches(starts: Iterable[object]) -> bool:
    """Return whether one of the functions uses something slow, itself or through functions and classes of the tests."""
    waiting = list(starts)
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if _starts_something(value):
            return True
        if id(value) not in seen:
            seen.add(id(value))
            waiting += _uses(value)
    return False


def _starts_something(value: object) -> bool:
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", "")
    if getattr(value, "is_hypothesis_test", False):
        return True
    if not isinstance(module, str) or not module.startswith((*SLOW_MODULES, "posix")) or not callable(value):
        return False
    if isinstance(value, type) or module == "posix":
        return name in STARTERS
    return bool(name) and name not in QUICK


def _uses(value: object) -> Iterator[object]:
    """The names that a function or class of the tests refers to."""
    if wrapped := getattr(value, "__wrapped__", None):
        yield wrapped
    elif isinstance(value, FunctionType):
        if value.__module__.startswith("tests."):
            yield from (cell.cell_contents for cell in value.__closure__ or () if cell != type(cell)())
            yield from _named(set(_names(value.__code__)), value.__globals__)
    elif isinstance(value, type):
        if value.__module__.startswith("tests."):
            yield from vars(value).values()
    elif isinstance(value, property):
        yield value.fget
    elif isinstance(value, staticmethod | classmethod):
        yield value.__func__
    elif isinstance(value, dict):
        yield from _uses(tuple(value.values()))
    elif isinstance(value, tuple | list):
        yield from (element for element in value if callable(element) or isinstance(element, tuple))
    elif type(value).__module__.startswith("tests."):
        yield type(value)


def _named(names: set[str], scope: dict[str, object]) -> Iterator[object]:
    for name in names:
        value = scope.get(name, sys.modules.get(name))
        yield value
        if isinstance(value, ModuleType):
            yield from (getattr(value, attribute, None) for attribute in names)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
