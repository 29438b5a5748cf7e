"""Outputs of other stacks: they have no type, and count as texts where a text is expected.

Conversions of such outputs to text are removed:

    vpcId = getOutput(network, "vpcId")      resource … { vpcId = convert<string>(vpcId) }  ->  { vpcId = vpcId }

Outputs that a program steps into, and other values of unknown type (configuration, results of functions), are converted.
If the SDK reads an output of another stack as a text (Go), a local that is only used as a text is read as a text:

    vpcId = getOutput(network, "vpcId")      ->  vpcId = convert<string>(getOutput(network, "vpcId"))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.program import Local, Node
from pclgen.core.walk import parts_of, rewrite, with_expressions
from pclgen.types import model as ty

_CONVERSIONS: Final = frozenset({core.Convert})


def trust_stacks(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return `nodes` without conversions of outputs of other stacks to text."""
    stack_outputs: set[core.Symbol] = set()

    def comes_from_a_stack(expr: core.Expr) -> bool:
        return expr.symbol in stack_outputs if isinstance(expr, core.Ref) else _is_stack_output(expr)

    def change(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Convert() if comes_from_a_stack(expr.value) and ty.resolve(expr.value.type) is ty.DYNAMIC:
                return expr.value if _is_text(expr) else expr
            case _:
                return expr

    trusted: list[Node] = []
    for node in nodes:
        if isinstance(node, Local) and comes_from_a_stack(node.value):
            stack_outputs.add(node.symbol)
        trusted.append(with_expressions(node, lambda expr: rewrite(expr, change, only=_CONVERSIONS)))
    return tuple(trusted)


def read_stacks_as_texts(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return `nodes` with locals as texts that hold an output of another stack and are only used as texts."""
    texts = {symbol: replace(symbol, type=ty.output_of(ty.STRING)) for symbol in _texts_of_stacks(nodes)}
    read = frozenset(texts.values())

    def change(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Ref() if expr.symbol in texts:
                return replace(expr, symbol=texts[expr.symbol], type=ty.output_of(ty.STRING))
            case core.Convert(value=core.Ref() as value) if value.symbol in read and _is_text(expr):
                return value if ty.without_none(ty.resolve(expr.type)) is ty.STRING else expr
            case _:
                return expr

    def changed(node: Node) -> Node:
        if isinstance(node, Local) and node.symbol in texts:
            symbol, value = texts[node.symbol], rewrite(node.value, change)
            return replace(node, symbol=symbol, value=core.Convert(value=value, type=symbol.type, span=value.span))
        return with_expressions(node, lambda expr: rewrite(expr, change))

    return tuple([changed(node) for node in nodes]) if texts else tuple(nodes)


def _texts_of_stacks(nodes: Sequence[Node]) -> list[core.Symbol]:
    held = [node.symbol for node in nodes if isinstance(node, Local) and _is_stack_output(node.value)]
    uses, as_text = Counter[core.Symbol](), Counter[core.Symbol]()
    for expr in parts_of(nodes) if held else ():
        uses.update([expr.symbol] if isinstance(expr, core.Ref) else [])
        as_text.update(part.symbol for part in _wanted_as_texts(expr) if isinstance(part, core.Ref))
    return [symbol for symbol in held if 0 < uses[symbol] == as_text[symbol]]


def _wanted_as_texts(expr: core.Expr) -> Iterator[core.Expr]:
    match expr:
        case core.Convert() if _is_text(expr):
            yield expr.value
        case core.Template():
            yield from expr.parts
        case core.Binary() if expr.operator in ("==", "!=") and any(_is_text(side) for side in (expr.left, expr.right)):
            yield from (expr.left, expr.right)
        case _:
            pass


def _is_stack_output(expr: core.Expr) -> bool:
    return isinstance(expr, core.Call) and expr.function.name == "getOutput"


def _is_text(expr: core.Expr) -> bool:
    return ty.bare(expr.type) in (ty.STRING, ty.ID)
