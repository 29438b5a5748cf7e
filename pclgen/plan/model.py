"""The statements of a program, in the order in which they are written.

Made by `plan.build` from a lowered program; read by the targets, which decide nothing of what is said here.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from pclgen.core.expr import Expr, Symbol
from pclgen.core.program import Component, Node, Program
from pclgen.records import dataclass
from pclgen.types.declarations import Declaration
from pclgen.types.model import Type


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Declare:
    """What a node of the program says.

    Components that are made later do not occur in it: symbols of `Defer` stand for what it needs of them.  `is_used`:
    something refers to what it declares.
    """

    node: Node
    is_used: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Defer:
    """An output that is given its value later: `symbol` is the output, `type` what it carries."""

    symbol: Symbol
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resolve:
    """The deferred output `symbol` gets its `value`: all components that this needs have been made."""

    symbol: Symbol
    value: Expr


Statement: TypeAlias = Declare | Defer | Resolve


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """The statements of a program, or of the inside of a component; `program` has the nodes that they hold."""

    program: Program
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProjectPlan:
    """The plans of a program and of all components below it, in the order of their first use.

    `plain` are the inputs of a component (logical names) that take no outputs; `late` those that it is registered without
    (see `graph.circles`), by the component's value.
    """

    main: Plan
    components: Mapping[Component, Plan]
    plain: Mapping[Component, AbstractSet[str]]
    late: Mapping[Declaration, frozenset[str]]
