"""Components that depend on each other (targets.md, Components that need each other).

An input that refers to a later component becomes a deferred output, which is resolved after that component. The plan
contains statements that defer and resolve.

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
    """A statement to emit as soon as `missing` is empty."""

    missing: set[Symbol]
    statement: Resolve


class _Deferral(Struct):
    """The deferral state of a program: `later` are the components after the current node, `waiting` the statements that wait
    for each of them."""

    later: set[Symbol]
    waiting: dict[Symbol, list[_Waiting]] = field(default_factory=dict)

    def deferred(self, use: ComponentUse) -> tuple[ComponentUse, list[Defer]]:
        """Return `use` without references to later components, and its deferred outputs."""
        deferrals: list[Defer] = []
        inputs = tuple([replace(i, value=self._value(i.value, _name(use, i.name), deferrals)) for i in use.inputs])
        over = use.range
        if over is not None:
            over = replace(over, value=self._value(over.value, _name(use, "range"), deferrals))
        return (replace(use, inputs=inputs, range=over) if deferrals else use), deferrals

    def _value(self, value: Expr, name: str, deferred: list[Defer]) -> Expr:
        missing = self.later.intersection(free_symbols(value))
        if not missing:
            return value
        carried = resolve(value.type)
        symbol = Symbol(name=name, kind=SymbolKind.LOCAL, type=output_of(carried), span=value.span)
        deferred.append(Defer(symbol=symbol, type=carried))
        if holds_eventual(value.type):
            value = All(value=value, type=symbol.type, span=value.span)
        item = _Waiting(missing=set(missing), statement=Resolve(symbol=symbol, value=value))
        for component in missing:
            self.waiting.setdefault(component, []).append(item)
        return Ref(symbol=symbol, type=symbol.type, span=value.span)

    def resolvable(self, symbol: Symbol) -> Iterator[Resolve]:
        """Return the statements that can be resolved after the component `symbol`."""
        self.later.discard(symbol)
        for item in self.waiting.pop(symbol, ()):
            item.missing.discard(symbol)
            if not item.missing:
                yield item.statement


def _name(use: ComponentUse, place: str) -> str:
    return f"{use.symbol.name}{place[:1].upper()}{place[1:]}"


def defer(nodes: Sequence[Node]) -> Iterator[Node | Defer | Resolve]:
    """Return `nodes` with the statements that defer outputs and resolve them."""
    state = _Deferral({node.symbol for node in nodes if isinstance(node, ComponentUse)})
    for node in nodes:
        if not isinstance(node, ComponentUse):
            yield node
            continue
        use, deferred = state.deferred(node)
        yield from deferred
        yield use
        yield from state.resolvable(node.symbol)
