"""Makes the plan of a lowered program.

Comes in: a lowered program.  Goes out: the plans of it and of the components below it.
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core.expr import Expr
from pclgen.core.program import Node, Program
from pclgen.core.walk import components_of, expressions_of, references, symbol_of
from pclgen.graph.circles import late_inputs
from pclgen.plan.deferral import defer
from pclgen.plan.inputs import plain_inputs
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve


def plan_project(program: Program) -> ProjectPlan:
    """The plans of `program` and of all components below it."""
    main = plan_program(program)
    components = {component: plan_program(component.program) for component in components_of(program)}
    waits = any(isinstance(one, Defer) for plan in (main, *components.values()) for one in plan.statements)
    # In every circle of components one of them is made first, and has something deferred.
    late = late_inputs(program) if waits else {}
    return ProjectPlan(main=main, components=components, plain=plain_inputs(program), late=late)


def plan_program(program: Program) -> Plan:
    """The plan of `program` alone."""
    found = list(defer(program.nodes))
    used = {symbol for one in found for value in _values(one) for symbol, _ in references(value)}
    statements = tuple(
        [
            one if isinstance(one, Defer | Resolve) else Declare(node=one, is_used=symbol_of(one) in used)
            for one in found
        ]
    )
    nodes = tuple([one.node for one in statements if isinstance(one, Declare)])
    return Plan(program=replace(program, nodes=nodes), statements=statements)


def _values(one: Node | Defer | Resolve) -> tuple[Expr, ...]:
    match one:
        case Defer():
            return ()
        case Resolve():
            return (one.value,)
        case _:
            return expressions_of(one)
