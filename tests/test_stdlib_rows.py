"""The built-in functions are complete: every row is documented, named once and consistent."""

from __future__ import annotations

import pytest

from pclgen.stdlib.calling import arity, parameter_at, signature
from pclgen.stdlib.model import Function, Lifting
from pclgen.stdlib.registry import CALL, FUNCTIONS, INVOKE, find, names

# Spec 5.2, as a list of its own, so that a row cannot get lost.
REFERENCE = """
    element entries length lookup join split range singleOrNone try can recover max min secret unsecret toJSON toBase64
    fromBase64 sha1 readFile filebase64 filebase64sha256 fileAsset stringAsset remoteAsset fileArchive remoteArchive
    assetArchive stack project organization cwd rootDirectory getOutput notImplemented pulumiResourceType
    pulumiResourceName
"""

rows = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda f: f.name)


def test_every_function_of_the_reference_is_there() -> None:
    assert set(FUNCTIONS) == set(REFERENCE.split())


def test_rows_are_sorted_and_found_by_name() -> None:
    assert list(FUNCTIONS) == sorted(FUNCTIONS)
    assert all(find(name) is row and row.name == name for name, row in FUNCTIONS.items())
    assert find("upper") is None


def test_forms_are_callable_names_but_not_rows() -> None:
    assert {INVOKE, CALL} == set(names()) - set(FUNCTIONS)
    assert list(names()) == sorted(names())


@rows
def test_documented(function: Function) -> None:
    assert function.doc.endswith(".") and "\n" not in function.doc
    assert function.name + "(" in function.example
    parameters = [*function.parameters, *([function.variadic] if function.variadic else [])]
    assert len({p.name for p in parameters}) == len(parameters)
    for parameter in parameters:
        assert parameter.name.isidentifier() and parameter.doc.endswith(".")


@rows
def test_optional_parameters_come_last(function: Function) -> None:
    flags = [p.optional for p in function.parameters]
    assert flags == sorted(flags)


@rows
def test_folded_or_a_reason_why_not(function: Function) -> None:
    assert (function.implementation is None) == bool(function.impure)


@rows
def test_what_is_lazy_takes_whatever_comes(function: Function) -> None:
    for parameter in [*function.parameters, *([function.variadic] if function.variadic else [])]:
        assert not parameter.lazy or (parameter.allow_null and parameter.allow_unknown)


def test_lifting_as_in_the_reference_table() -> None:
    lifting = {name: row.lifting for name, row in FUNCTIONS.items() if row.lifting is not Lifting.LIFT}
    outputs = dict.fromkeys(("getOutput", "recover", "secret", "unsecret"), Lifting.OUTPUT)
    never = dict.fromkeys(
        ("cwd", "organization", "project", "pulumiResourceName", "pulumiResourceType", "rootDirectory", "stack"),
        Lifting.NEVER,
    )
    assert lifting == outputs | never | {"toJSON": Lifting.KEEP}


@pytest.mark.parametrize(
    ("name", "expected", "text"),
    [
        ("stack", (0, 0), "stack()"),
        ("join", (2, 2), "join(separator, strings)"),
        ("lookup", (2, 3), "lookup(map, key, default?)"),
        ("range", (1, 2), "range(fromOrTo, to?)"),
        ("max", (1, None), "max(first, rest…)"),
        ("try", (1, None), "try(first, others…)"),
    ],
)
def test_arity_and_signature(name: str, expected: tuple[int, int | None], text: str) -> None:
    function = FUNCTIONS[name]
    assert arity(function) == expected
    assert signature(function) == text
    assert parameter_at(function, 9) is function.variadic
