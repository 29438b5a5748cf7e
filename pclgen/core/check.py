"""Checks that a lowered program keeps the contract of `lower.program`.

The results are texts for the authors of pclgen; a correct program has none. Tests and the pipeline run it before rendering.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pclgen.core import expr as core
from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import holds_eventual, is_eventual, is_lazy, surely_output
from pclgen.core.pretty import pretty
from pclgen.core.program import ComponentUse, Local, Node, Program
from pclgen.core.walk import binds, children, expressions_of, programs_of, references, symbol_of
from pclgen.stdlib.model import Lifting
from pclgen.types.model import OutputType, PromiseType

_LOCALLY_BOUND = frozenset((core.SymbolKind.LOOP, core.SymbolKind.FAILURE, core.SymbolKind.PARAMETER))


def check_lowered(program: Program, capabilities: Capabilities) -> list[str]:
    """Return the violations of the contract in `program` and its components."""
    programs = programs_of(program)
    return [problem for part in programs for problem in _program_problems(part, capabilities)]


def check_expression(expr: core.Expr, capabilities: Capabilities) -> list[str]:
    """The violations of the contract in a lowered expression that binds all its variables."""
    return [*_scope_problems(expr), *_expression_problems(expr, capabilities)]


def _program_problems(program: Program, capabilities: Capabilities) -> Iterator[str]:
    yield from _order_problems(program.nodes)
    for node in program.nodes:
        for expr in expressions_of(node):
            for problem in check_expression(expr, capabilities):
                yield f"{node.span}: {problem}"
        if isinstance(node, Local):
            yield from _local_problems(node)


def _local_problems(node: Local) -> Iterator[str]:
    """Check that the value of a local has the type of its symbol, on which its uses rely."""
    expected, actual = node.symbol.type, node.value.type
    if isinstance(expected, OutputType | PromiseType) and not surely_output(node.value):
        yield f"{node.span}: the value of {node.symbol.name} may be plain: {pretty(node.value)}"
    if (is_eventual(actual) and not is_eventual(expected)) or (actual.eventual and not expected.eventual):
        yield f"{node.span}: {node.symbol.name} is bound as plain, but its value is eventual: {pretty(node.value)}"


def _order_problems(nodes: Sequence[Node]) -> Iterator[str]:
    later = {symbol: node for node in nodes if (symbol := symbol_of(node)) is not None}
    for node in nodes:
        symbol = symbol_of(node)
        for expr in expressions_of(node):
            for used, span in references(expr):
                target = later.get(used)
                both_components = isinstance(node, ComponentUse) and isinstance(target, ComponentUse)
                if target is not None and not both_components:
                    yield f"{span}: {used.name} is used before it is defined"
        if symbol is not None:
            later.pop(symbol, None)


def _scope_problems(expr: core.Expr) -> Iterator[str]:
    """Yield references to parameters and loop variables outside the expressions that bind them."""
    visible: dict[core.Symbol, int] = {}
    pending: list[core.Expr | tuple[int, Sequence[core.Symbol]]] = [expr]
    while pending:
        entry = pending.pop()
        if isinstance(entry, tuple):
            change, symbols = entry
            for symbol in symbols:
                visible[symbol] = visible.get(symbol, 0) + change
            continue
        if isinstance(entry, core.Ref):
            if entry.symbol.kind in _LOCALLY_BOUND and not visible.get(entry.symbol):
                yield f"{entry.span}: {entry.symbol.name} is used outside of what binds it"
            continue
        outside, inside = _by_scope(entry)
        symbols = binds(entry)
        pending += [(-1, symbols), *inside, (1, symbols), *outside] if symbols else [*inside, *outside]


def _by_scope(expr: core.Expr) -> tuple[Sequence[core.Expr], Sequence[core.Expr]]:
    """The parts of `expr` outside the scope of its bindings, and the parts inside."""
    if isinstance(expr, core.For):
        return (expr.collection,), children(expr)[1:]
    if isinstance(expr, core.Apply):
        return expr.args, (expr.body,)
    if isinstance(expr, core.Call) and expr.failure is not None:
        return expr.args[:1], expr.args[1:]
    return children(expr), ()


def _expression_problems(expr: core.Expr, capabilities: Capabilities) -> Iterator[str]:
    pending = [expr]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        pending.extend(children(node))
        for problem in _node_problems(node, capabilities):
            yield f"{node.span}: {problem} in {pretty(node)}"


def _node_problems(node: core.Expr, capabilities: Capabilities) -> Iterator[str]:
    for part in _plain_parts(node, capabilities):
        if part.type.eventual:
            yield f"eventual value where a plain one is needed: {pretty(part)}"
    match node:
        case core.Attr() | core.Index():
            yield from _step_problems(node, capabilities)
        case core.For() if is_eventual(node.collection.type):
            yield "the collection is eventual"
        case core.Unary() | core.Binary() | core.For() | core.ListExpr() | core.ObjectExpr() if is_eventual(node.type):
            yield "a type that is eventual, of what makes a plain value"
        case core.Template():
            yield from _template_problems(node, capabilities)
        case core.Convert() if is_eventual(node.value.type):
            if not capabilities.is_free(node):
                yield "a conversion that needs code, of an eventual value"
        case core.Apply():
            yield from _apply_problems(node)
        case core.All() if not isinstance(node.type, OutputType):
            yield "all(…) must be an output"
        case core.Invalid():
            yield "an invalid expression"
        case _:
            pass


def _plain_parts(node: core.Expr, capabilities: Capabilities) -> Sequence[core.Expr]:
    """The parts of `node` that must be plain, including nested values."""
    match node:
        case core.Unary():
            return (node.operand,)
        case core.Binary():
            return (node.left, node.right)
        case core.Conditional():
            return (node.condition,)
        case core.For():
            return [part for part in (node.result_key, node.condition) if part is not None]
        case core.Index():
            return (node.key,)
        case core.ObjectExpr():
            return [part for item in node.items for part in (item.key, item.when) if part is not None]
        case core.Call():
            return node.args if _needs_plain_arguments(node, capabilities) else ()
        case _:
            return ()


def _needs_plain_arguments(node: core.Call, capabilities: Capabilities) -> bool:
    if node.function.lifting is Lifting.KEEP:
        return not capabilities.json_over_outputs
    return node.function.lifting is Lifting.LIFT and not is_lazy(node)


def _step_problems(node: core.Attr | core.Index, capabilities: Capabilities) -> Iterator[str]:
    if not is_eventual(node.source.type):
        return
    if not capabilities.lifts(node):
        yield "a step that the target does not lift"
    if not surely_output(node.source):
        yield "a step on what may not be an output"


def _template_problems(node: core.Template, capabilities: Capabilities) -> Iterator[str]:
    eventual = any(part.type.eventual for part in node.parts)
    if eventual and not isinstance(node.type, OutputType):
        yield "a plain template with eventual parts"
    if isinstance(node.type, OutputType) and not capabilities.interpolates:
        yield "an interpolation for a target without them"
    if any(holds_eventual(part.type) or isinstance(part, core.ListExpr | core.ObjectExpr) for part in node.parts):
        yield "a template with a structure in it"


def _apply_problems(node: core.Apply) -> Iterator[str]:
    if not node.args or len(node.args) != len(node.parameters):
        yield "an apply needs a parameter for each of its arguments, and one at least"
    names = [parameter.name for parameter in node.parameters]
    if len(set(names)) < len(names):
        yield f"parameters of the same name: {', '.join(names)}"
    for arg, parameter in zip(node.args, node.parameters, strict=False):
        if not surely_output(arg):
            yield f"the argument {pretty(arg)} may not be an output"
        if parameter.type.eventual or isinstance(arg, core.Literal):
            yield f"the parameter {parameter.name} is not a resolved value"
    if holds_eventual(node.body.type):
        yield "the body holds eventuals"
    if not isinstance(node.type, OutputType):
        yield "an apply must be an output"
