"""Functions that are called in their plain form, since their results are needed before anything is deployed.

A resource that is made inside an apply may be missing from a preview, and nobody would write it so where the arguments of
the function are plain; and some places (options of resources, plain inputs) take nothing that comes later.  The program is
bound with all functions in their Output form first; those that alone stand between such a place and its value are then
waited for where they are called, and it is bound once more.

    zones = invoke("p:index:getZones", {region = "eu"})      ->  zones is a plain value
    resource subnet "…" { options { range = zones.names } }  ->  a loop

Lowering calls them before whatever else a node does (`lower.firstcalls`), so only calls that are made in any case count.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct, field

from pclgen.core.expr import Expr, Invoke, MethodCall, Ref, Symbol
from pclgen.core.program import ComponentUse, Local, Program, Resource
from pclgen.core.walk import children, walk
from pclgen.source.text import Span

Awaited = frozenset[tuple[str, int]]
"""Where such functions are called: names of files, and offsets in them."""


class Early(Struct, eq=False):
    """What binding the root program finds out about what is needed before anything is deployed."""

    too_late: list[Expr] = field(default_factory=list)
    """Values that are known only after deployment, where that is too late."""
    perhaps: set[tuple[str, int]] = field(default_factory=set)
    """Calls of functions that depend on a condition, or on the round of a loop or of a range."""


def place_of(call: Span) -> tuple[str, int]:
    """Where a call stands."""
    return call.file.name, call.start


def awaited_functions(program: Program, early: Early) -> Awaited:
    """The calls in a root program that are to be waited for: for its ranges, and for the values that are `too_late`.

    (The constructor of a component cannot wait in TypeScript.)
    """
    ranges = [node.range for node in program.nodes if isinstance(node, Resource | ComponentUse) and node.range is not None]
    values = [over.value for over in ranges if over.value.type.eventual] + early.too_late
    if not values:
        return frozenset()
    needs = {node.symbol: _needs(node.value, early.perhaps) for node in program.nodes if isinstance(node, Local)}
    in_time = needs.keys() - _late(needs)
    found: set[tuple[str, int]] = set()
    seen: set[Symbol] = set()
    wanted = [_needs(value, early.perhaps) for value in values]
    todo = [need for need in wanted if need.ready and need.variables <= in_time]
    while todo:
        need = todo.pop()
        found |= need.calls
        todo += [needs[symbol] for symbol in need.variables - seen]
        seen |= need.variables
    return frozenset(found)


class _Needs(Struct, frozen=True):
    """What an expression waits for: calls that can be waited for, and variables; `ready` unless there is anything else."""

    calls: frozenset[tuple[str, int]]
    variables: frozenset[Symbol]
    ready: bool


def _needs(value: Expr, perhaps: Collection[tuple[str, int]]) -> _Needs:
    calls: set[tuple[str, int]] = set()
    variables: set[Symbol] = set()
    ready = True
    for part in walk(value):
        if not part.type.eventual:
            continue
        match part:
            case Ref():
                variables.add(part.symbol)
            case Invoke():
                calls.add(place_of(part.span))
                ready = ready and _can_be_first(part) and place_of(part.span) not in perhaps
            case MethodCall():
                ready = False
            case _:
                ready = ready and any(inner.type.eventual for inner in children(part))
    return _Needs(frozenset(calls), frozenset(variables), ready)


def _can_be_first(call: Invoke) -> bool:
    """Whether a function can be called in its plain form, which takes no options, and has a result."""
    return call.function is not None and call.function.result is not None and not call.options


def _late(needs: Mapping[Symbol, _Needs]) -> set[Symbol]:
    """The variables that wait for something else than for calls of functions."""
    users: dict[Symbol, list[Symbol]] = {}
    for symbol, need in needs.items():
        for variable in need.variables:
            users.setdefault(variable, []).append(symbol)
    todo = [symbol for symbol, need in needs.items() if not need.ready]
    todo += [symbol for symbol in users if symbol not in needs]
    late: set[Symbol] = set()
    while todo:
        symbol = todo.pop()
        if symbol not in late:
            late.add(symbol)
            todo += users.get(symbol, ())
    return late


def why_not_awaited(value: Expr, definitions: Mapping[Symbol, Expr], *, in_component: bool) -> str | None:
    """What to do about a value that is not known early enough, if the result of a function is a part of it."""
    if not _calls_a_function(value, definitions):
        return None
    if in_component:
        return "a component cannot wait for a function: call it where the component is used, and pass on the value"
    return (
        "a function is called before that with arguments that are known then, without options, and outside of conditions,"
        " loops and ranges: x = invoke(…)"
    )


def _calls_a_function(value: Expr, definitions: Mapping[Symbol, Expr]) -> bool:
    seen: set[Symbol] = set()
    todo = [value]
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, Invoke):
                return True
            if isinstance(part, Ref) and part.symbol in definitions and part.symbol not in seen:
                seen.add(part.symbol)
                todo.append(definitions[part.symbol])
    return False
