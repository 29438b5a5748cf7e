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

JSON texts. A text that a program only forwards is written in the usual way of each language (`json.dumps`,
`JSON.stringify`, `json.Marshal`): its bytes differ between languages, its value does not. A text that the program itself
inspects (`sha1(toJSON(x))`, `"a${toJSON(x)}"`, `length(policy)`) affects other values, so it has the canonical form of
`stdlib.encoding`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.capabilities import Capabilities
from pclgen.core.expr import Expr
from pclgen.core.jsontext import is_json
from pclgen.core.predicates import is_null
from pclgen.core.program import Component, ComponentUse, Node, Program
from pclgen.core.walk import (
    children,
    expressions_of,
    inner_first,
    kinds_in,
    kinds_of,
    parts_of,
    programs_of,
    rewrite,
    with_children,
    with_expressions,
)
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.dependencies import order_nodes
from pclgen.lower import applies
from pclgen.lower.facts import FactTable
from pclgen.lower.passes import ORDER, SHARED_PASSES, TARGET_PASSES, SharedPass, TargetPass
from pclgen.lower.region import Lowering
from pclgen.stdlib.encoding import CANONICAL_JSON

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


# -- JSON texts -------------------------------------------------------------------------------------------------------------

def json_forms(program: prog.Program, *, canonical: bool) -> Callable[[core.Expr], core.Expr]:
    """Return a rewrite of expressions that puts texts into canonical form if they need it; with `canonical`, all texts."""
    return (lambda expr: rewrite(expr, _canonical)) if canonical else _Inspection(program).marked


def _canonical(expr: core.Expr) -> core.Expr:
    return replace(expr, function=CANONICAL_JSON) if isinstance(expr, core.Call) and is_json(expr) else expr


class _Inspection:
    """The calls of `toJSON` in a program and its components whose text the program inspects."""

    def __init__(self, program: prog.Program) -> None:
        self._inspected: list[core.Symbol] = []
        self._flows: defaultdict[core.Symbol, list[core.Symbol]] = defaultdict(list)
        self._texts: defaultdict[core.Symbol, list[core.Call]] = defaultdict(list)
        self._calls: set[core.Call] = set()
        programs = programs_of(program)
        if any(core.Call in kinds_in(inside) and any(map(is_json, parts_of(inside.nodes))) for inside in programs):
            for inside in programs:
                for node in inside.nodes:
                    self._add(node)
            self._close()

    def marked(self, expr: core.Expr) -> core.Expr:
        """Return `expr` with `canonicalJSON` in place of `toJSON` where the text is inspected."""
        if not self._calls:
            return expr
        if isinstance(expr, core.Call) and expr in self._calls:
            expr = _canonical(expr)
        return with_children(expr, [self.marked(part) for part in children(expr)])

    def _close(self) -> None:
        """Mark the texts in inspected names."""
        seen: set[core.Symbol] = set()
        while self._inspected:
            symbol = self._inspected.pop()
            if symbol not in seen:
                seen.add(symbol)
                self._calls.update(self._texts[symbol])
                self._inspected += self._flows[symbol]

    def _add(self, node: prog.Node) -> None:
        match node:
            case prog.Local() | prog.OutputVariable():
                self._visit(node.value, (node.symbol,))
            case prog.ConfigVariable():
                if node.default is not None:
                    self._visit(node.default, (node.symbol,))
            case prog.Resource() | prog.ComponentUse():
                self._add_inputs(node)
            case _:
                for expr in expressions_of(node):
                    self._visit(expr, ())

    def _add_inputs(self, node: prog.Resource | prog.ComponentUse) -> None:
        variables: dict[str, core.Symbol] = {}
        if isinstance(node, prog.ComponentUse) and node.component is not None:
            inside = node.component.program.nodes
            variables = {inner.logical_name: inner.symbol for inner in inside if isinstance(inner, prog.ConfigVariable)}
            self._flows[node.symbol] += [inner.symbol for inner in inside if isinstance(inner, prog.OutputVariable)]
        for item in node.inputs:
            self._visit(item.value, (variables[item.name],) if item.name in variables else ())
        for option in node.options:
            self._visit(option.value, ())
        if node.range is not None:
            names = (node.range.key, node.range.item)
            self._visit(node.range.value, tuple([name for name in names if name is not None]))
        if isinstance(node, prog.Resource) and node.read_id is not None:
            self._visit(node.read_id, ())

    def _visit(self, expr: core.Expr, holders: tuple[core.Symbol, ...], *, inspected: bool = False) -> None:
        """Record the texts and names in `expr`, whose value `holders` hold; `inspected`: an operation reads its text."""
        match expr:
            case core.Ref():
                if inspected:
                    self._inspected.append(expr.symbol)
                for holder in holders:
                    self._flows[holder].append(expr.symbol)
            case core.Call() if is_json(expr):
                if inspected:
                    self._calls.add(expr)
                for holder in holders:
                    self._texts[holder].append(expr)
        own, read = _by_use(expr)
        bound: tuple[core.Symbol, ...] = ()
        if isinstance(expr, core.For):
            bound = (expr.value,) if expr.key is None else (expr.key, expr.value)
        for part in own:
            over = bound if isinstance(expr, core.For) and part is expr.collection else ()
            self._visit(part, holders + over, inspected=inspected)
        for part in read:
            self._visit(part, holders, inspected=True)


def _by_use(expr: core.Expr) -> tuple[tuple[core.Expr, ...], tuple[core.Expr, ...]]:
    """Return the parts that flow into the value of `expr`, and the parts that it inspects."""
    match expr:
        case core.Binary(operator="==" | "!=") if is_null(expr.left) or is_null(expr.right):
            return children(expr), ()
        case core.Binary() | core.Unary():
            return (), children(expr)
        case core.Template():
            return (expr.parts, ()) if len(expr.parts) == 1 else ((), expr.parts)
        case core.Conditional():
            return (expr.then, expr.otherwise), (expr.condition,)
        case core.For():
            read = tuple([part for part in (expr.result_key, expr.condition) if part is not None])
            return (expr.collection, expr.result), read
        case core.Index():
            return (expr.source,), (expr.key,)
        case core.Attr():
            return (expr.source,), ()
        case core.Call() if not is_json(expr) and not expr.function.derives.forwards:
            return (), expr.args
        case _:
            return children(expr), ()
