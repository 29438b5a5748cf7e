"""Lowering: a bound program made ready for one target.  Its result is what targets may rely on; this is the contract.

Comes in: a bound program, and what the target's SDK can do (`core.capabilities`).  Goes out: a program of the same node
classes, with definitions before uses and with explicit applies.  Nothing is changed in place: one bound program serves all
targets.

Words.  An expression is *eventual* when its type is output(T) or promise(T), or a union with one.  It *holds eventuals* when
it is plain at the top with eventuals inside: `[r.out, "a"]`.  A reference to a resource or component is plain; its
attributes are outputs.  INPUT positions (type `InputType`) are resource and component inputs, members of INPUT-shaped
objects, some options; they take plain values, eventual ones and such as hold eventuals.

What holds of a lowered program (`core.check` looks):

1.  Operands of `Unary` and `Binary`, conditions, keys of `Index` and of comprehensions, arguments of LIFT functions are
    plain, also inside.  The collection of a `For` is plain at the top; it may hold eventuals (`[for x in [r.out] : x]`).
2.  A `Template` of type string has plain parts.  One of type output(string) is an interpolation: its parts are plain or
    eventual scalars, never null; it is made only for targets that have `interpolates`.
3.  `Attr` and `Index` on an eventual source are steps that the target's `can_lift` allows.  (On an output that carries a
    resource, as an eventual range gives, `can_lift` is asked with the resource's type.)  The source then surely is an
    output object.
4.  Everything else over eventuals is an `Apply`.  There is one for a whole strict region, as far out as possible; equal
    arguments are one.  Every argument surely is an output or promise object.  Parameters have the resolved types.  The body
    is plain, or an output or promise that is to be flattened; it holds no eventuals inside.  Declared objects made in a body
    have the PLAIN shape.
5.  `All(value)` is `value` made one output of its resolved form.  `value` may hold eventuals, or be an expression that is
    an output or a plain value depending on what happens: a `Conditional` with a plain branch, a loop variable, `try`.
6.  `Convert` of an eventual value is one that `converts_freely` (no code, at most a cast).  Others convert plain values.
7.  OUTPUT functions (`secret`, `getOutput`, `recover`) take eventual arguments as they are, and so does `toJSON` for targets
    with `json_over_outputs`.  The first argument of `recover` surely is an output object.  `try` and `can` take eventual
    arguments only where evaluating them may fail at once (`try(rs[5].out, "d")`): then `try` gives whatever its argument
    gives, an output or a plain value (type output), and `can` a plain bool.
8.  Attributes of resources that may be missing (bool ranges) stand in guards: `Conditional(pet != null, pet.id, null)`.
    Inside, the type of the reference is definite although its symbol's is not.
9.  A `Conditional` of type output(T) has a plain condition; either branch may be plain all the same.  It stands where an
    input is taken; elsewhere `All` is around it.
10. The value of a local whose type is an output surely is an output object.  Range values that are eventual stay so.
11. Parameter symbols have good base names, distinct within their apply; targets fit them into the scope.

References never dangle: parameters, loop variables and `error` are used only inside what binds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.expr import Expr, Option
from pclgen.core.program import (
    Component,
    ComponentUse,
    ConfigVariable,
    Hook,
    Input,
    Local,
    Node,
    OutputVariable,
    Program,
    PulumiSettings,
    Range,
    Resource,
)
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.dependencies import order_nodes
from pclgen.lower.applies import eventual
from pclgen.lower.facts import FactTable
from pclgen.lower.optionals import guard_optionals
from pclgen.lower.region import Context, as_output, fitted
from pclgen.types.model import OutputType, PromiseType

_Lowered: TypeAlias = dict[Component, Component]


def lower_program(program: Program, capabilities: Capabilities, bag: DiagnosticBag) -> Program:
    """`program` and its components lowered for the target that `capabilities` describe.

    Circles among definitions go to `bag`; binding has normally refused them.
    """
    cx = Context(facts=FactTable(capabilities), capabilities=capabilities)
    lowered: _Lowered = {}
    for component in _inner_first(program):
        inside = _lower_nodes(cx, component.program, lowered, bag)
        lowered[component] = replace(component, program=inside)
    return _lower_nodes(cx, program, lowered, bag)


def _inner_first(program: Program) -> list[Component]:
    """All components that `program` uses, each once and after those that it uses itself."""
    ordered: dict[Component, None] = {}
    pending = [(component, False) for component in reversed(program.components)]
    while pending:
        component, ready = pending.pop()
        if ready:
            ordered[component] = None
        elif component not in ordered:
            pending.append((component, True))
            pending.extend((used, False) for used in reversed(component.program.components))
    return list(ordered)


def _lower_nodes(cx: Context, program: Program, lowered: _Lowered, bag: DiagnosticBag) -> Program:
    nodes = order_nodes(program.nodes, bag)
    return replace(
        program,
        nodes=tuple([_lower_node(cx, node, lowered) for node in nodes]),
        components=tuple([lowered[component] for component in program.components]),
    )


def lower_expression(cx: Context, expr: Expr) -> Expr:
    """`expr` for a place that takes outputs; places that do not were given plain values by the binder."""
    return eventual(cx, guard_optionals(expr))


def _lower_optional(cx: Context, expr: Expr | None) -> Expr | None:
    return None if expr is None else lower_expression(cx, expr)


def _lower_node(cx: Context, node: Node, lowered: _Lowered) -> Node:
    match node:
        case ConfigVariable():
            return replace(node, default=_lower_optional(cx, node.default))
        case Local():
            return replace(node, value=_local_value(cx, node))
        case Resource():
            return replace(
                node,
                inputs=_lower_inputs(cx, node.inputs),
                options=_lower_options(cx, node.options),
                range=_lower_range(cx, node.range),
                read_id=_lower_optional(cx, node.read_id),
            )
        case ComponentUse():
            return replace(
                node,
                component=None if node.component is None else lowered[node.component],
                inputs=_lower_inputs(cx, node.inputs),
                options=_lower_options(cx, node.options),
                range=_lower_range(cx, node.range),
            )
        case Hook():
            return replace(
                node,
                command=lower_expression(cx, node.command),
                on_dry_run=_lower_optional(cx, node.on_dry_run),
                ignore_errors=_lower_optional(cx, node.ignore_errors),
            )
        case OutputVariable():
            return replace(node, value=lower_expression(cx, node.value))
        case PulumiSettings():
            return node
        case _:
            assert_never(node)


def _local_value(cx: Context, node: Local) -> Expr:
    value = lower_expression(cx, node.value)
    return as_output(value) if isinstance(node.symbol.type, OutputType | PromiseType) else value


def _lower_inputs(cx: Context, inputs: Sequence[Input]) -> tuple[Input, ...]:
    return tuple([replace(given, value=_input_value(cx, given)) for given in inputs])


def _input_value(cx: Context, given: Input) -> Expr:
    value = lower_expression(cx, given.value)
    return value if given.field is None else fitted(value, given.field.type)


def _lower_options(cx: Context, options: Sequence[Option]) -> tuple[Option, ...]:
    return tuple([replace(option, value=lower_expression(cx, option.value)) for option in options])


def _lower_range(cx: Context, given: Range | None) -> Range | None:
    """An eventual range stays one; elements are eventual only where the binder gave `range.value` such a type."""
    if given is None:
        return None
    value = lower_expression(cx, given.value)
    plain_items = given.item is None or not given.item.type.eventual
    if is_eventual(value.type) or (holds_eventual(value.type) and plain_items):
        value = as_output(value)
    return replace(given, value=value)
