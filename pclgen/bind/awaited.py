"""Functions that are called in their plain form, since it depends on their results which resources there are.

A resource that is made inside an apply may be missing from a preview, and nobody would write it so where the arguments of
the function are plain.  The program is bound with all functions in their Output form first; those that alone stand between
a range and its values are then waited for where they are called, and it is bound once more.

    zones = invoke("p:index:getZones", {region = "eu"})      ->  zones is a plain value
    resource subnet "…" { options { range = zones.names } }  ->  a loop
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core.expr import Attr, Expr, Index, Invoke, Ref, Symbol
from pclgen.core.program import ComponentUse, Local, Program, Resource
from pclgen.core.walk import children, walk
from pclgen.source.text import Span

Awaited = frozenset[tuple[str, int]]
"""Where such functions are called: names of files, and offsets in them."""


def place_of(call: Span) -> tuple[str, int]:
    """Where a call stands."""
    return call.file.name, call.start


def awaited_functions(program: Program) -> Awaited:
    """The calls in a root program that are to be waited for.  (The constructor of a component cannot wait in TypeScript.)"""
    calls = {}
    for node in program.nodes:
        if isinstance(node, Local) and (call := _called(node.value)) is not None:
            calls[node.symbol] = call
    found: set[tuple[str, int]] = set()
    for node in program.nodes:
        if isinstance(node, Resource | ComponentUse) and node.range is not None and node.range.value.type.eventual:
            value = node.range.value
            call = _called(value)
            behind = _behind(value, calls) if call is None else _with_arguments(call, calls)
            found |= behind or set()
    return frozenset(found)


def _called(value: Expr) -> Invoke | None:
    """The function that `value` is the result of, or a part of its result."""
    while isinstance(value, Attr) or (isinstance(value, Index) and not value.key.type.eventual):
        value = value.source
    return value if isinstance(value, Invoke) else None


def _behind(value: Expr, calls: Mapping[Symbol, Invoke]) -> set[tuple[str, int]] | None:
    """The calls that give all that `value` waits for; None where something else does."""
    found: set[tuple[str, int]] = set()
    for part in walk(value):
        if not part.type.eventual or any(inner.type.eventual for inner in children(part)):
            continue
        call = calls.get(part.symbol) if isinstance(part, Ref) else None
        made = None if call is None else _with_arguments(call, calls)
        if made is None:
            return None
        found |= made
    return found


def _with_arguments(call: Invoke, calls: Mapping[Symbol, Invoke]) -> set[tuple[str, int]] | None:
    if call.function is None or call.function.result is None or call.options:
        return None
    behind = set() if call.args is None else _behind(call.args, calls)
    return None if behind is None else {*behind, place_of(call.span)}
