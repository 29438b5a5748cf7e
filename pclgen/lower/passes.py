"""The passes of lowering, in order: the changes of a bound program before a target sees it.

`order` puts definitions before uses (`graph.dependencies`). A `SharedPass` then changes each expression, once for all
targets. A `TargetPass` changes the nodes of a program for one target, if that target needs it; the last of these passes
makes waiting explicit. `pclgen generate --dump-after PASS` prints the program after any pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.walk import consists_of, unless_same, updated, with_expressions
from pclgen.lower.checks import check_values
from pclgen.lower.firstcalls import call_first
from pclgen.lower.optionals import guard_optionals
from pclgen.lower.region import Lowering, as_output, fitted
from pclgen.lower.simplify import ask_for_defaults, drop_copies, pick_parts
from pclgen.lower.usetypes import read_stacks_as_texts, read_whole_numbers, shape_locals, trust_stacks, with_wire_names
from pclgen.types.model import OutputType, PromiseType


class SharedPass(Struct, frozen=True, kw_only=True):
    """A change of expressions for all targets; `does` is a line for users.

    `looks_for` are classes of expressions: if none of them occurs, the pass changes nothing.
    """

    name: str
    does: str
    change: Callable[[core.Expr], core.Expr]
    looks_for: frozenset[type]


class TargetPass(Struct, frozen=True, kw_only=True):
    """A change of the nodes of a program for targets that need it; `does` is a line for users.

    `looks_for` are classes of expressions: if none of them occurs in the program, the pass changes nothing. None means all
    classes.
    """

    name: str
    does: str
    change: Callable[[Lowering, Sequence[prog.Node]], Sequence[prog.Node]]
    is_needed: Callable[[Capabilities], bool] = lambda capabilities: True
    looks_for: frozenset[type] | None = None


def _must_wait(capabilities: Capabilities) -> bool:
    return not capabilities.waits_by_itself


ORDER: Final = "order"

SHARED_PASSES: Final = (
    SharedPass(
        name="copies",
        does="replace loops that copy a collection unchanged by that collection",
        change=drop_copies,
        looks_for=frozenset({core.For}),
    ),
    SharedPass(
        name="picks",
        does="replace a step into a literal list or object by the selected part",
        change=pick_parts,
        looks_for=frozenset({core.Attr, core.Index}),
    ),
    SharedPass(
        name="defaults",
        does="replace `try` by a test for null where only null can make it fail",
        change=ask_for_defaults,
        looks_for=frozenset({core.Call}),
    ),
    SharedPass(
        name="guards",
        does="test whether an optional resource exists before its attributes are read",
        change=guard_optionals,
        looks_for=frozenset({core.Attr, core.Index}),
    ),
)

TARGET_PASSES: Final = (
    TargetPass(
        name="whole-numbers",
        does="read configuration as whole numbers where the program uses it only so",
        change=lambda cx, nodes: nodes if cx.is_component else read_whole_numbers(nodes),
        is_needed=_must_wait,
    ),
    TargetPass(
        name="calls",
        does="call awaited functions before the nodes that use their results",
        change=lambda cx, nodes: call_first(nodes),
        is_needed=_must_wait,
        looks_for=frozenset({core.Invoke}),
    ),
    TargetPass(
        name="stacks",
        does="use outputs of other stacks as strings where a string is expected",
        change=lambda cx, nodes: trust_stacks(nodes),
        is_needed=lambda capabilities: capabilities.trusts_stacks,
        looks_for=frozenset({core.Call}),
    ),
    TargetPass(
        name="stack-texts",
        does="type locals that hold only strings from other stacks as strings",
        change=lambda cx, nodes: read_stacks_as_texts(nodes),
        is_needed=lambda capabilities: capabilities.reads_stacks_as_texts,
        looks_for=frozenset({core.Call}),
    ),
    TargetPass(
        name="objects",
        does="create locals that are used as an object of a package as that object",
        change=lambda cx, nodes: shape_locals(nodes),
        is_needed=lambda capabilities: capabilities.shapes_objects,
    ),
    TargetPass(
        name="wire",
        does="give objects of packages the schema's member names where their type is unknown",
        change=lambda cx, nodes: [with_wire_names(node) for node in nodes],
        is_needed=lambda capabilities: capabilities.renames_members,
    ),
    TargetPass(
        name="checks",
        does="check values of unknown type where they are used",
        change=lambda cx, nodes: check_values(nodes, cx.directory),
        is_needed=lambda capabilities: capabilities.checks_values and _must_wait(capabilities),
    ),
    TargetPass(
        name="applies",
        does="put expressions that wait for values into `apply` and `all`",
        change=lambda cx, nodes: [_lower_node(cx, node) for node in nodes],
        is_needed=_must_wait,
    ),
)


_CONSTANT: Final = frozenset({core.Literal, core.ListExpr, core.ObjectExpr, core.Template})
"""An expression that consists of these classes alone contains no eventual value."""


def _lower_node(cx: Lowering, node: prog.Node) -> prog.Node:
    """Lower the expressions of a node that may be outputs; binding has made the others plain."""
    lowered = with_expressions(node, lambda expr: expr if consists_of(expr, _CONSTANT) else cx.eventual(expr))
    match lowered:
        case prog.Local():
            is_output = isinstance(lowered.symbol.type, OutputType | PromiseType)
            return updated(lowered, value=as_output(lowered.value)) if is_output else lowered
        case prog.Resource() | prog.ComponentUse():
            inputs = unless_same(lowered.inputs, [_fitted_input(item) for item in lowered.inputs])
            return updated(lowered, inputs=inputs, range=_output_range(lowered.range))
        case prog.ConfigVariable() | prog.Hook() | prog.OutputVariable() | prog.PulumiSettings():
            return lowered
        case _:
            assert_never(lowered)


def _fitted_input(input_: prog.Input) -> prog.Input:
    if input_.field is None or not input_.value.type.eventual:
        return input_
    return updated(input_, value=fitted(input_.value, input_.field.type))


def _output_range(range_: prog.Range | None) -> prog.Range | None:
    """An eventual range stays eventual; its elements are eventual only if the binder typed `range.value` so."""
    if range_ is None:
        return None
    value = range_.value
    plain_items = range_.item is None or not range_.item.type.eventual
    if is_eventual(value.type) or (holds_eventual(value.type) and plain_items):
        value = as_output(value)
    return updated(range_, value=value)
