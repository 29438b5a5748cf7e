"""Makes the plan of a lowered program.

The components below the program have plans of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from pclgen.core.expr import Expr
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.core.walk import components_of, expressions_of, references, symbol_of
from pclgen.graph.cycles import late_inputs, late_options
from pclgen.plan.deferral import defer
from pclgen.plan.inputs import plain_inputs, uses_of_inputs
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve, Statement
from pclgen.plan.naming import second_name
from pclgen.plan.remarks import with_remarks


def plan_project(program: Program) -> ProjectPlan:
    """The plans of `program` and of all components below it."""
    main = _plan(program)
    components = {component: _plan(component.program, is_inside=True) for component in components_of(program)}
    waits = any(isinstance(one, Defer) for plan in (main, *components.values()) for one in plan.statements)
    # In every cycle of components one of them is made first, and has something deferred.
    late = late_inputs(program) if waits else {}
    waiting = tuple(late_options(program, late)) if late else ()
    return ProjectPlan(main=main, components=components, plain=plain_inputs(program), late=late, waiting=waiting)


def _plan(program: Program, *, is_inside: bool = False) -> Plan:
    """The plan of `program` alone, which is that of a component or not."""
    found = list(defer([with_remarks(node, is_inside=is_inside) for node in program.nodes]))
    used = {symbol for one in found for value in _values(one) for symbol, _ in references(value)}
    statements: list[Statement] = []
    for one, group in zip(found, _groups(found), strict=True):
        statements.append(
            replace(one, group=group)
            if isinstance(one, Defer | Resolve)
            else Declare(node=one, is_used=symbol_of(one) in used, second_name=second_name(one), group=group)
        )
    nodes = tuple([one.node for one in statements if isinstance(one, Declare)])
    handed_on, looked_at = uses_of_inputs(program) if is_inside else (frozenset(), frozenset())
    return Plan(
        program=replace(program, nodes=nodes),
        statements=tuple(statements),
        handed_on=handed_on,
        looked_at=looked_at,
    )


def _groups(found: Iterable[Node | Defer | Resolve]) -> Iterator[int]:
    """The number of the group of each: a comment begins one, and so does another kind."""
    number = 0
    before: type | None = None
    for one in found:
        kind = Resource if isinstance(one, ComponentUse) else type(one)
        is_said = not isinstance(one, Defer | Resolve) and bool(one.comments.leading)
        number += kind is not before or is_said
        before = kind
        yield number


def _values(one: Node | Defer | Resolve) -> tuple[Expr, ...]:
    match one:
        case Defer():
            return ()
        case Resolve():
            return (one.value,)
        case _:
            return expressions_of(one)
