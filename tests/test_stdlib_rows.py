"""The rows of built-in functions are documented and consistent, and have unique names.

A test of each target compares the names with those of its own table, so no row can get lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from pclgen.core.expr import Call
from pclgen.core.predicates import is_distinct
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.checks import KEPT
from pclgen.stdlib.model import Derivation, Function, Lifting, arity, parameter_at, signature
from pclgen.stdlib.registry import CALL, FUNCTIONS, INVOKE, find, names
from pclgen.types.model import INT, list_of
from tests.support.rules import assert_followed


def test_rows_are_sorted_and_found_by_name() -> None:
    assert list(FUNCTIONS) == sorted(FUNCTIONS)
    assert all(find(name) is row and row.name == name for name, row in FUNCTIONS.items())
    assert find("upper") is None


def test_forms_are_callable_names_but_not_rows() -> None:
    assert {INVOKE, CALL} == set(names()) - set(FUNCTIONS)
    assert list(names()) == sorted(names())


def faults_of(function: Function) -> Iterator[str]:
    """The faults of a row."""
    parameters = [*function.parameters, *([function.variadic] if function.variadic else [])]
    if not function.doc.endswith(".") or "\n" in function.doc:
        yield "its documentation is one line that ends with a full stop"
    if function.name + "(" not in function.example:
        yield "its example calls it"
    if len({p.name for p in parameters}) != len(parameters):
        yield "parameters have names of their own"
    if not all(p.name.isidentifier() and p.doc.endswith(".") for p in parameters):
        yield "parameters have identifiers and documentation that ends with a full stop"
    if any(before.optional > after.optional for before, after in pairwise(function.parameters)):
        yield "optional parameters come last"
    if (function.implementation is None) != bool(function.impure):
        yield "it has an implementation, or a reason why not"
    if any(p.lazy and not (p.allow_null and p.allow_unknown) for p in parameters):
        yield "what is lazy takes null and unknown values"


def test_rows_follow_the_rules() -> None:
    rows = FUNCTIONS.values()
    assert_followed("rows are complete and consistent", (f"{row.name}: {fault}" for row in rows for fault in faults_of(row)))


def test_lifting_as_in_the_reference_table() -> None:
    lifting = {name: row.lifting for name, row in FUNCTIONS.items() if row.lifting is not Lifting.LIFT}
    outputs = dict.fromkeys(("getOutput", "recover", "secret", "unsecret"), Lifting.OUTPUT)
    never = dict.fromkeys(
        ("cwd", "organization", "project", "pulumiResourceName", "pulumiResourceType", "rootDirectory", "stack"),
        Lifting.NEVER,
    )
    assert lifting == outputs | never | {"toJSON": Lifting.KEEP}


def test_traits() -> None:
    """A separate list: passes and targets check these traits, never names."""
    derived = {name: row.derives.value for name, row in FUNCTIONS.items() if row.derives is not Derivation.NEW}
    assert derived == {
        **dict.fromkeys(("recover", "secret", "try", "unsecret"), "argument"),
        **dict.fromkeys(("element", "lookup"), "element"),
        **dict.fromkeys(("max", "min"), "choice"),
        **dict.fromkeys(("filebase64", "readFile"), "file"),
        "entries": "entries",
        "singleOrNone": "only",
    }
    assert {name for name, row in FUNCTIONS.items() if row.distinct} == {"range"}
    untyped = {name for name, row in FUNCTIONS.items() if row.untyped}
    assert untyped == {"element", "getOutput", "lookup", "notImplemented", "singleOrNone", "try"} and KEPT.untyped
    assert all(row.named_after is None or row.named_after < len(row.parameters) for row in FUNCTIONS.values())


def test_a_name_is_no_trait() -> None:
    """A function of a pack named `keys` may return equal elements."""
    call = Call(function=FUNCTIONS["range"], args=(), expand=False, type=list_of(INT), span=Span(SourceFile("main.pp", ""), 0, 0))
    assert is_distinct(call, frozenset())
    assert not is_distinct(replace(call, function=replace(FUNCTIONS["range"], name="keys", distinct=False)), frozenset())


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
