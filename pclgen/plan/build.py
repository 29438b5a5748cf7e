"""The plan of a lowered program and of its components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from pclgen.core.expr import Expr
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.core.walk import components_of, expressions_of, references, symbol_of
from pclgen.graph.cycles import late_inputs, late_options
from pclgen.plan.deferral import defer
from pclgen.plan.descriptions import with_description
from pclgen.plan.inputs import plain_inputs, uses_of_inputs
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve, Statement
from pclgen.plan.naming import fallback_name


def plan_project(program: Program) -> ProjectPlan:
    """Return the plans of `program` and of all components below it."""
    main = _plan(program)
    components = {component: _plan(component.program, is_inside=True) for component in components_of(program)}
    waits = any(isinstance(statement, Defer) for plan in (main, *components.values()) for statement in plan.statements)
    # In every cycle of components, the first component has a deferred input.
    late = late_inputs(program) if waits else {}
    waiting = tuple(late_options(program, late)) if late else ()
    return ProjectPlan(main=main, components=components, plain=plain_inputs(program), late=late, waiting=waiting)


def _plan(program: Program, *, is_inside: bool = False) -> Plan:
    """Return the plan of `program` without its components."""
    items = list(defer([with_description(node, is_inside=is_inside) for node in program.nodes]))
    used = {symbol for item in items for value in _values(item) for symbol, _ in references(value)}
    statements: list[Statement] = []
    for item, group in zip(items, _groups(items), strict=True):
        statements.append(
            replace(item, group=group)
            if isinstance(item, Defer | Resolve)
            else Declare(node=item, is_used=symbol_of(item) in used, fallback_name=fallback_name(item), group=group)
        )
    nodes = tuple([item.node for item in statements if isinstance(item, Declare)])
    forwarded, inspected = uses_of_inputs(program) if is_inside else (frozenset(), frozenset())
    return Plan(
        program=replace(program, nodes=nodes),
        statements=tuple(statements),
        forwarded=forwarded,
        inspected=inspected,
    )


def _groups(items: Iterable[Node | Defer | Resolve]) -> Iterator[int]:
    """Yield the number of each item's group: a comment or a change of kind begins a group."""
    number = 0
    before: type | None = None
    for item in items:
        kind = Resource if isinstance(item, ComponentUse) else type(item)
        is_commented = not isinstance(item, Defer | Resolve) and bool(item.comments.leading)
        number += kind is not before or is_commented
        before = kind
        yield number


def _values(item: Node | Defer | Resolve) -> tuple[Expr, ...]:
    match item:
        case Defer():
            return ()
        case Resolve():
            return (item.value,)
        case _:
            return expressions_of(item)
