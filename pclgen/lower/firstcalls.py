"""Calls of awaited functions before the node that needs their results: no language can wait everywhere.

    import = try(invoke("p:index:getZone", {}).id, null)     ->  zone = invoke("p:index:getZone", {})
                                                                 import = try(zone.id, null)

Binding ensures that they are called in any case, with values known there (`bind.awaited`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from msgspec import Struct, field

from pclgen.core import expr as core
from pclgen.core.program import ComponentUse, Local, Node, Resource
from pclgen.core.walk import expressions_of, kinds_of, rewrite, symbol_of, with_expressions
from pclgen.source.text import Span


def call_first(nodes: Sequence[Node]) -> Sequence[Node]:
    """Make each awaited call the value of a variable, or the value of a range."""
    names = _Names({symbol.name for node in nodes if (symbol := symbol_of(node)) is not None})
    return [statement for node in nodes for statement in _with_calls_first(node, names)]


class _Names(Struct):
    """The names in use, and the next number for each name of a function."""

    taken: set[str]
    numbers: dict[str, Iterator[int]] = field(default_factory=dict)

    def claim(self, token: str) -> str:
        """Return an unused name for the result of a function: `zone` for `p:index:getZone`."""
        last = re.split("[:/]", token)[-1]
        base = re.sub("^get(?=[A-Z])", "", last)
        base = base[:1].lower() + base[1:]
        numbers = self.numbers.setdefault(base, count(2))
        name = base
        while name in self.taken:
            name = f"{base}{next(numbers)}"
        self.taken.add(name)
        return name


def _with_calls_first(node: Node, names: _Names) -> list[Node]:
    """Return the variables for the awaited calls in `node`, then the changed node."""
    if not any(core.Invoke in kinds_of(expr) for expr in expressions_of(node)):
        return [node]
    stays = _direct_call(node)
    locals_: dict[Span, Local] = {}  # a call may stand in a condition that several members of an option have

    def named(part: core.Expr) -> core.Expr:
        if not isinstance(part, core.Invoke) or part.type.eventual or part.span == stays:
            return part
        if part.span not in locals_:
            symbol = core.Symbol(name=names.claim(part.token), kind=core.SymbolKind.LOCAL, type=part.type, span=part.span)
            locals_[part.span] = Local(symbol=symbol, value=part, span=part.span, comments=core.NO_COMMENTS)
        return core.Ref(symbol=locals_[part.span].symbol, type=part.type, span=part.span)

    changed = with_expressions(node, lambda value: rewrite(value, named))
    return [*locals_.values(), changed]


def _direct_call(node: Node) -> Span | None:
    """Return the span of the call whose result, or a part of it, is the value of a variable or of a range."""
    match node:
        case Local():
            value = node.value
        case Resource() | ComponentUse() if node.range is not None:
            value = node.range.value
        case _:
            return None
    while isinstance(value, core.Attr) or (isinstance(value, core.Index) and not value.key.type.eventual):
        value = value.source
    return value.span if isinstance(value, core.Invoke) else None
