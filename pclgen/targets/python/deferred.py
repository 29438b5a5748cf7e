"""Components that need each other: outputs that are given their values later (targets.md, Components that need each other).

component first "./a" { input = second.x }      first_input, resolve_first_input = pulumi.deferred_output()
component second "./b" { input = first.x }  ->  first = A("first", input=first_input)
                                                second = B("second", input=first.x)
                                                resolve_first_input(second.x)
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core import expr as core
from pclgen.core import program
from pclgen.core.eventuals import surely_output
from pclgen.core.walk import references
from pclgen.targets.names import snake
from pclgen.targets.python import enumtexts, modules, tree, typehints
from pclgen.targets.python.context import Context, Deferred
from pclgen.types.model import output_of, resolve


def defer_inputs(cx: Context, node: program.ComponentUse) -> tuple[list[tree.Statement], program.ComponentUse]:
    """Declarations of outputs for the inputs of `node` that cannot be computed yet, and `node` with these instead."""
    statements: list[tree.Statement] = []
    inputs: list[program.Input] = []
    for given in node.inputs:
        missing = _missing(cx, given.value)
        if not missing:
            inputs.append(given)
            continue
        declared, stand_in = _declare(cx, node, given, missing)
        statements.append(declared)
        inputs.append(replace(given, value=stand_in))
    return statements, replace(node, inputs=tuple(inputs)) if statements else node


def resolve_inputs(cx: Context) -> list[tree.Statement]:
    """Calls that give deferred outputs their values, for those whose components all exist by now."""
    ready = [item for item in cx.deferred if all(symbol in cx.symbols for symbol in item.missing)]
    for item in ready:
        cx.deferred.remove(item)
    return [_resolve(cx, item) for item in ready]


def _missing(cx: Context, value: core.Expr) -> frozenset[core.Symbol]:
    later = (symbol for symbol, _ in references(value) if symbol not in cx.symbols)
    return frozenset(symbol for symbol in later if symbol.kind is core.SymbolKind.COMPONENT)


def _declare(
    cx: Context, node: program.ComponentUse, given: program.Input, missing: frozenset[core.Symbol]
) -> tuple[tree.Statement, core.Expr]:
    base = f"{snake(node.symbol.name)}_{snake(given.name)}"
    type_ = resolve(given.value.type)
    symbol = core.Symbol(name=base, kind=core.SymbolKind.PARAMETER, type=output_of(type_), span=given.span)
    variable = cx.bind(symbol, base)
    setter = tree.Variable(wishes=(f"resolve_{base}",))
    cx.deferred.append(Deferred(missing=missing, value=given.value, resolve=setter))
    annotation = modules.output(typehints.annotation(type_))
    function = tree.index(modules.abstract("Callable"), tree.items([annotation]), tree.Constant(value=None))
    declared = tree.Unpack(
        targets=(variable, setter),
        annotations=(annotation, function),
        value=tree.call(modules.pulumi("deferred_output")),
    )
    return declared, core.Ref(symbol=symbol, type=symbol.type, span=given.span)


def _resolve(cx: Context, item: Deferred) -> tree.Statement:
    value = enumtexts.exact(cx, item.value)
    if not surely_output(item.value):
        value = modules.as_output(value)
    return tree.Do(value=tree.call(tree.name(item.resolve), value))
