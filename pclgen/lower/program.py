"""Lowering of a bound program for a target. Targets rely on the contract below.

The capabilities of the target's SDK are in `core.capabilities`. The lowered program has the same node classes,
definitions before uses, and explicit applies. The bound program is not modified: it serves all targets.

Terms. An expression is *eventual* if its type is output(T) or promise(T), or a union with such a type. It *holds
eventuals* if it is plain at the top with eventuals inside: `[r.out, "a"]`. A reference to a resource or component is
plain; its attributes are outputs. INPUT positions (type `InputType`) are resource and component inputs, members of
INPUT-shaped objects, and some options; they take plain values, eventual values and values that hold eventuals.

Invariants of a lowered program (checked by `core.check`):

1.  Operands of `Unary` and `Binary`, conditions, keys of `Index` and of comprehensions, arguments of LIFT functions are
    plain, also inside. The collection of a `For` is plain at the top; it may hold eventuals (`[for x in [r.out] : x]`).
2.  A `Template` of type string has plain parts. A `Template` of type output(string) is an interpolation: its parts are
    plain or eventual scalars, never null; it exists only for targets with `interpolates`.
3.  `Attr` and `Index` on an eventual source are steps that the target's `can_lift` allows. (For an output of a resource,
    as in an eventual range, `can_lift` gets the resource's type.) The source is surely an output object.
4.  Every other expression over eventuals is an `Apply`. There is one for a whole strict region, which is as large as
    possible; equal arguments are merged. Every argument is surely an output or promise object. Parameters have the
    resolved types. The body is plain, or an output or promise to be flattened; it holds no eventuals inside. Declared
    objects created in a body have the PLAIN shape.
5.  `All(value)` is `value` as one output of its resolved form. `value` may hold eventuals, or be an expression that is
    an output or a plain value at run time: a `Conditional` with a plain branch, a loop variable, `try`.
6.  `Convert` of an eventual value satisfies `converts_freely` (no code, at most a cast). Others convert plain values.
7.  OUTPUT functions (`secret`, `getOutput`, `recover`) take eventual arguments unchanged, and so do `toJSON` and
    `canonicalJSON` for targets with `json_over_outputs`. The first argument of `recover` is surely an output object.
    `try` and `can` take eventual arguments only if evaluating them may fail immediately (`try(rs[5].out, "d")`): then
    `try` returns the value of its argument, an output or a plain value (type output), and `can` a plain bool.
8.  Attributes of resources that may be missing (bool ranges) are in guards: `Conditional(pet != null, pet.id, null)`.
    Inside, the type of the reference is definite although its symbol's type is not.
9.  A `Conditional` of type output(T) has a plain condition; either branch may be plain. It occurs in places that take an
    input; elsewhere `All` wraps it.
10. The value of a local whose type is an output is surely an output object. Eventual range values stay eventual.
11. Parameter symbols have good base names, distinct within their apply; targets fit them into the scope.

References never dangle: parameters, loop variables and `error` are used only in the scope of their binding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from pclgen.core.capabilities import Capabilities
from pclgen.core.expr import Expr
from pclgen.core.program import Component, ComponentUse, Node, Program
from pclgen.core.walk import inner_first, kinds_in, kinds_of, with_expressions
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.dependencies import order_nodes
from pclgen.lower import applies
from pclgen.lower.facts import FactTable
from pclgen.lower.jsontexts import json_forms
from pclgen.lower.passes import ORDER, SHARED_PASSES, TARGET_PASSES, SharedPass, TargetPass
from pclgen.lower.region import Lowering

P = TypeVar("P", SharedPass, TargetPass)


def lower_program(
    program: Program, capabilities: Capabilities, bag: DiagnosticBag, *, canonical_json: bool = False
) -> Program:
    """Return `program` and its components, lowered for the target that `capabilities` describe.

    Cycles among definitions go to `bag`; binding has normally rejected them.
    """
    return lower_prepared(prepare_program(program, bag, canonical_json=canonical_json), capabilities)


def prepare_program(
    program: Program, bag: DiagnosticBag, *, until: str | None = None, canonical_json: bool = False
) -> Program:
    """Run the part of lowering that all targets share: order of nodes, forms of JSON texts, and the shared passes.

    `until` names the last pass to run.
    """
    passes = _through(SHARED_PASSES, until) if until != ORDER else ()
    with_json_forms = json_forms(program, canonical=canonical_json)

    def changed(expr: Expr) -> Expr:
        expr = with_json_forms(expr)
        kinds = kinds_of(expr)
        for shared in passes:
            if not kinds.isdisjoint(shared.looks_for):
                before, expr = expr, shared.change(expr)
                kinds = kinds if expr is before else kinds_of(expr)
        return expr

    def prepared(inside: Program) -> Program:
        nodes = order_nodes(inside.nodes, bag)
        return replace(inside, nodes=tuple([with_expressions(node, changed) for node in nodes]))

    return _each_program(program, prepared)


def lower_prepared(program: Program, capabilities: Capabilities, *, until: str | None = None) -> Program:
    """Lower a program from `prepare_program` for one target; `until` names the last pass to run."""
    cx = Lowering(forms=applies, facts=FactTable(capabilities), capabilities=capabilities)
    passes = [target_pass for target_pass in _through(TARGET_PASSES, until) if target_pass.is_needed(capabilities)]

    directories = {component.program: component.path for component in inner_first(program)}

    def lowered(inside: Program) -> Program:
        nodes: Sequence[Node] = inside.nodes
        here = replace(cx, directory=directories.get(inside, "."), is_component=inside in directories)
        # A pass may move expressions, but none adds a class that a later pass looks for.
        kinds = kinds_in(inside)
        for target_pass in passes:
            if target_pass.looks_for is None or not kinds.isdisjoint(target_pass.looks_for):
                nodes = target_pass.change(here, nodes)
        return replace(inside, nodes=tuple(nodes))

    return _each_program(program, lowered)


def _through(passes: Sequence[P], until: str | None) -> Sequence[P]:
    """The passes up to and including `until`, or all passes."""
    names = [pass_.name for pass_ in passes]
    return passes if until is None else passes[: names.index(until) + 1]


def _each_program(program: Program, change: Callable[[Program], Program]) -> Program:
    """Apply `change` to the program and to the programs of its components, and update the uses of components."""
    changed: dict[Component, Component] = {}

    def done(inside: Program) -> Program:
        result = change(inside)
        nodes = tuple([_with_component(node, changed) for node in result.nodes])
        return replace(result, nodes=nodes, components=tuple([changed[component] for component in inside.components]))

    for component in inner_first(program):
        changed[component] = replace(component, program=done(component.program))
    return done(program)


def _with_component(node: Node, changed: Mapping[Component, Component]) -> Node:
    if isinstance(node, ComponentUse) and node.component is not None:
        return replace(node, component=changed[node.component])
    return node
