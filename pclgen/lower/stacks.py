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

from pclgen.core.expr import Binary, Call, Convert, Expr, Ref, Symbol, Template
from pclgen.core.program import Local, Node
from pclgen.core.walk import expressions_of, rewrite, walk, with_expressions
from pclgen.types.model import DYNAMIC, ID, STRING, output_of, resolve, without_const, without_none

_CONVERSIONS: Final = frozenset({Convert})


def trust_stacks(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return `nodes` without conversions of outputs of other stacks to text."""
    stack_outputs: set[Symbol] = set()

    def comes_from_a_stack(expr: Expr) -> bool:
        return expr.symbol in stack_outputs if isinstance(expr, Ref) else _is_stack_output(expr)

    def change(expr: Expr) -> Expr:
        match expr:
            case Convert() if comes_from_a_stack(expr.value) and resolve(expr.value.type) is DYNAMIC:
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
    texts = {symbol: replace(symbol, type=output_of(STRING)) for symbol in _texts_of_stacks(nodes)}
    read = frozenset(texts.values())

    def change(expr: Expr) -> Expr:
        match expr:
            case Ref() if expr.symbol in texts:
                return replace(expr, symbol=texts[expr.symbol], type=output_of(STRING))
            case Convert(value=Ref() as value) if value.symbol in read and _is_text(expr):
                return value if without_none(resolve(expr.type)) is STRING else expr
            case _:
                return expr

    def changed(node: Node) -> Node:
        if isinstance(node, Local) and node.symbol in texts:
            symbol, value = texts[node.symbol], rewrite(node.value, change)
            return replace(node, symbol=symbol, value=Convert(value=value, type=symbol.type, span=value.span))
        return with_expressions(node, lambda expr: rewrite(expr, change))

    return tuple([changed(node) for node in nodes]) if texts else tuple(nodes)


def _texts_of_stacks(nodes: Sequence[Node]) -> list[Symbol]:
    held = [node.symbol for node in nodes if isinstance(node, Local) and _is_stack_output(node.value)]
    uses, as_text = Counter[Symbol](), Counter[Symbol]()
    for node in nodes if held else ():
        for whole in expressions_of(node):
            for expr in walk(whole):
                uses.update([expr.symbol] if isinstance(expr, Ref) else [])
                as_text.update(part.symbol for part in _wanted_as_texts(expr) if isinstance(part, Ref))
    return [symbol for symbol in held if 0 < uses[symbol] == as_text[symbol]]


def _wanted_as_texts(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Convert() if _is_text(expr):
            yield expr.value
        case Template():
            yield from expr.parts
        case Binary() if expr.operator in ("==", "!=") and any(_is_text(side) for side in (expr.left, expr.right)):
            yield from (expr.left, expr.right)
        case _:
            pass


def _is_stack_output(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function.name == "getOutput"


def _is_text(expr: Expr) -> bool:
    return without_const(without_none(resolve(expr.type))) in (STRING, ID)
