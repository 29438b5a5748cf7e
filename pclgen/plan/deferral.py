"""Components that need each other: an input that needs a component made later is an output that is given its value then
(targets.md, Components that need each other).

References to later components are replaced, and statements that defer and resolve stand where they belong.

    component first "./a" { input = second.x }      defer firstInput
    component second "./b" { input = first.x }  ->  component first { input = firstInput }
                                                    component second { input = first.x }
                                                    resolve firstInput = second.x
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.eventuals import holds_eventual
from pclgen.core.expr import All, Expr, Ref, Symbol, SymbolKind
from pclgen.core.program import ComponentUse, Node
from pclgen.core.walk import free_symbols
from pclgen.plan.model import Defer, Resolve
from pclgen.types.model import output_of, resolve


class _Waiting(Struct):
    """A statement that is to come when `missing`, which shrinks, is empty."""

    missing: set[Symbol]
    statement: Resolve


class _Deferral(Struct):
    """What is to come of the components of a program: `later` are made after the node at hand; `waiting` is what waits for
    each of them."""

    later: set[Symbol]
    waiting: dict[Symbol, list[_Waiting]] = field(default_factory=dict)

    def deferred(self, use: ComponentUse) -> tuple[ComponentUse, list[Defer]]:
        """`use` without what comes later, and what is deferred for it."""
        found: list[Defer] = []
        inputs = tuple([replace(i, value=self._value(i.value, _name(use, i.name), found)) for i in use.inputs])
        over = use.range
        if over is not None:
            over = replace(over, value=self._value(over.value, _name(use, "range"), found))
        return (replace(use, inputs=inputs, range=over) if found else use), found

    def _value(self, value: Expr, name: str, found: list[Defer]) -> Expr:
        missing = self.later.intersection(free_symbols(value))
        if not missing:
            return value
        carried = resolve(value.type)
        symbol = Symbol(name=name, kind=SymbolKind.LOCAL, type=output_of(carried), span=value.span)
        found.append(Defer(symbol=symbol, type=carried))
        if holds_eventual(value.type):
            value = All(value=value, type=symbol.type, span=value.span)
        item = _Waiting(missing=set(missing), statement=Resolve(symbol=symbol, value=value))
        for component in missing:
            self.waiting.setdefault(component, []).append(item)
        return Ref(symbol=symbol, type=symbol.type, span=value.span)

    def made(self, symbol: Symbol) -> Iterator[Resolve]:
        """What can be resolved now that the component `symbol` is there."""
        self.later.discard(symbol)
        for item in self.waiting.pop(symbol, ()):
            item.missing.discard(symbol)
            if not item.missing:
                yield item.statement


def _name(use: ComponentUse, place: str) -> str:
    return f"{use.symbol.name}{place[:1].upper()}{place[1:]}"


def defer(nodes: Sequence[Node]) -> Iterator[Node | Defer | Resolve]:
    """`nodes` with what is deferred and resolved between them."""
    state = _Deferral({node.symbol for node in nodes if isinstance(node, ComponentUse)})
    for node in nodes:
        if not isinstance(node, ComponentUse):
            yield node
            continue
        use, deferred = state.deferred(node)
        yield from deferred
        yield use
        yield from state.made(node.symbol)
