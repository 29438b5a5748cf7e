"""Components that need each other, and the inputs through which they do.

Comes in: a program.  Goes out: for each component, the inputs that some use gets from components that need it in turn.
Such an input has its value only when the resources inside of those components are there, which wait for their components to
be registered: a component is registered without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.core.expr import Symbol
from pclgen.core.program import ComponentUse, Input, Program
from pclgen.core.walk import components_of, free_symbols
from pclgen.types.declarations import Declaration


def late_inputs(program: Program) -> Mapping[Declaration, frozenset[str]]:
    """The names of such inputs by the value of their component; components that have none are left out."""
    found: dict[Declaration, set[str]] = {}
    for inside in (program, *(component.program for component in components_of(program))):
        uses = [node for node in inside.nodes if isinstance(node, ComponentUse)]
        for use, given in _in_circles(uses):
            if use.component is not None:
                found.setdefault(use.component.value, set()).add(given.name)
    return {value: frozenset(names) for value, names in found.items()}


def _in_circles(uses: Sequence[ComponentUse]) -> list[tuple[ComponentUse, Input]]:
    """The inputs of `uses` that refer to others of them, those left out that are part of no circle."""
    by_symbol = {use.symbol: use for use in uses}
    needed: dict[Symbol, set[Symbol]] = {}
    edges: list[tuple[ComponentUse, Input, set[Symbol]]] = []
    for use in uses:
        for given in use.inputs:
            targets = {symbol for symbol in free_symbols(given.value) if symbol in by_symbol}
            edges.append((use, given, targets))
            needed.setdefault(use.symbol, set()).update(targets)
    needing: dict[Symbol, set[Symbol]] = {}
    for source, targets in needed.items():
        for target in targets:
            needing.setdefault(target, set()).add(source)
    left = _between(by_symbol, needed, needing) & _between(by_symbol, needing, needed)
    return [(use, given) for use, given, targets in edges if use.symbol in left and targets & left]


def _between(
    symbols: Mapping[Symbol, object], ahead: Mapping[Symbol, set[Symbol]], behind: Mapping[Symbol, set[Symbol]]
) -> set[Symbol]:
    """Those from which a path `ahead` never ends: one after the other, those at the end of all paths are taken away."""
    open_ = {symbol: len(ahead.get(symbol, ())) for symbol in symbols}
    ended = [symbol for symbol, count in open_.items() if not count]
    while ended:
        symbol = ended.pop()
        del open_[symbol]
        for before in behind.get(symbol, ()):
            open_[before] -= 1
            if not open_[before]:
                ended.append(before)
    return set(open_)
