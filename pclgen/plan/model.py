"""The statements of a program, in the order in which they are written.

`plan.build` makes them from a lowered program. The targets read them, and decide nothing that this model states.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from msgspec import Struct

from pclgen.core import program as prog
from pclgen.core.expr import Expr, Symbol
from pclgen.types.declarations import Declaration
from pclgen.types.model import Type


class Declare(Struct, frozen=True, kw_only=True, eq=False):
    """The statement of a node of the program.

    It does not refer to components that are created later: symbols of `Defer` represent the values that it needs of them.
    Its comments are the only ones to print for the node.  `is_used`: something refers to the declaration, by its name or,
    where that is taken, by `fallback_name` (in camel case).  `group`: see `Statement`.
    """

    node: prog.Node
    is_used: bool
    fallback_name: str
    group: int


class Defer(Struct, frozen=True, kw_only=True, eq=False):
    """An output that is resolved later: `symbol` is the output, `type` the type of its value.  `group`: see `Statement`."""

    symbol: Symbol
    type: Type
    group: int = 0


class Resolve(Struct, frozen=True, kw_only=True, eq=False):
    """The deferred output `symbol` gets its `value`: all components of that value exist.  `group`: see `Statement`."""

    symbol: Symbol
    value: Expr
    group: int = 0


Statement: TypeAlias = Declare | Defer | Resolve
"""A statement.  Statements of a `group` are adjacent, of one kind, and have no comments between them.

Two of them that are short in the target language have no empty line between them.
"""


class Plan(Struct, frozen=True, kw_only=True, eq=False):
    """The statements of a program, or of the inside of a component; `program` has their nodes.

    Of the inputs of a component, `forwarded` occur where a resource or component takes any input, and `inspected` elsewhere.
    """

    program: prog.Program
    statements: tuple[Statement, ...]
    forwarded: AbstractSet[Symbol]
    inspected: AbstractSet[Symbol]

    @property
    def inputs(self) -> tuple[prog.ConfigVariable, ...]:
        """Return the inputs of a component, or the config variables of a program."""
        return tuple([node for node in self.program.nodes if isinstance(node, prog.ConfigVariable)])

    @property
    def outputs(self) -> tuple[prog.OutputVariable, ...]:
        """Return the output variables."""
        return tuple([node for node in self.program.nodes if isinstance(node, prog.OutputVariable)])


class ProjectPlan(Struct, frozen=True, kw_only=True, eq=False):
    """The plans of a program and of all components below it, in the order of their first use.

    `plain` are the inputs of a component (logical names) that take no outputs; `late` those that its registration omits
    (see `graph.dependencies`), by the component's value; `waiting` are uses inside of components whose options need such an
    input.
    """

    main: Plan
    components: Mapping[prog.Component, Plan]
    plain: Mapping[prog.Component, AbstractSet[str]]
    late: Mapping[Declaration, frozenset[str]]
    waiting: tuple[prog.ComponentUse, ...]
