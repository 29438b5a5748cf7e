"""Functions that are called in their plain form, since the program needs their results before deployment.

A resource that is created inside an apply may be missing from a preview, and an apply is not needed if the arguments of the
function are plain. Some places (options of resources, plain inputs) accept no eventual values at all. The first round of
binding uses the Output form of all functions. If such a place waits only for calls of functions, these calls are awaited,
and the program is bound again.

    zones = invoke("p:index:getZones", {region = "eu"})      ->  zones is a plain value
    resource subnet "…" { options { range = zones.names } }  ->  a loop

Lowering calls them before all other parts of a node (`lower.firstcalls`), so only unconditional calls count.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct, field

from pclgen.core.expr import Expr, Invoke, MethodCall, Ref, Symbol
from pclgen.core.program import ComponentUse, Local, Program, Resource
from pclgen.core.walk import children, walk
from pclgen.graph.order import without_users
from pclgen.source.text import Span

Awaited = frozenset[tuple[str, int]]
"""The positions of awaited calls: file names and offsets."""


class Early(Struct, eq=False):
    """Values and calls of the root program that matter before deployment, collected by binding."""

    too_late: list[Expr] = field(default_factory=list)
    """Eventual values in places that need a plain value."""
    perhaps: set[tuple[str, int]] = field(default_factory=set)
    """Calls of functions that depend on a condition, or on the iteration of a loop or range."""


def place_of(call: Span) -> tuple[str, int]:
    """The position of a call."""
    return call.file.name, call.start


def awaited_functions(program: Program, early: Early) -> Awaited:
    """The calls in a root program that must be awaited for its ranges and for the values in `too_late`.

    (The constructor of a component cannot wait in TypeScript.)
    """
    ranges = [node.range for node in program.nodes if isinstance(node, Resource | ComponentUse) and node.range is not None]
    values = [over.value for over in ranges if over.value.type.eventual] + early.too_late
    if not values:
        return frozenset()
    needs = {node.symbol: _needs(node.value, early.perhaps) for node in program.nodes if isinstance(node, Local)}
    needed = {symbol: need.variables for symbol, need in needs.items()}
    in_time = without_users(needed, (symbol for symbol, need in needs.items() if not need.ready))
    calls: set[tuple[str, int]] = set()
    seen: set[Symbol] = set()
    value_needs = [_needs(value, early.perhaps) for value in values]
    todo = [need for need in value_needs if need.ready and need.variables <= in_time]
    while todo:
        need = todo.pop()
        calls |= need.calls
        todo += [needs[symbol] for symbol in need.variables - seen]
        seen |= need.variables
    return frozenset(calls)


class _Needs(Struct, frozen=True):
    """The dependencies of an expression: awaitable calls and variables; `ready` if it depends on nothing else."""

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
    """Return whether a function can be called in its plain form, which takes no options, and has a result."""
    return call.function is not None and call.function.result is not None and not call.options


def why_not_awaited(value: Expr, definitions: Mapping[Symbol, Expr], *, in_component: bool) -> str | None:
    """The hint for an eventual value in a plain place, if the value contains the result of a function."""
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
