"""Which values of no known type are in Go what JSON is decoded to: maps of `any` by text, and slices of `any`.

Values that the SDK and `encoding/json` decode are, at every depth.  A value that the program itself writes may be of a
narrower type (`[]string`): a step into it needs reflection.

    parsed.size                                  parsed.(map[string]any)["size"]
    [["a"], free][0][0]                          traverse(…)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pclgen.core.expr import (
    All,
    Apply,
    Attr,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    Invoke,
    Literal,
    MethodCall,
    Ref,
    Symbol,
    SymbolKind,
)
from pclgen.core.origins import definitions_of
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable, Node
from pclgen.stdlib.model import Derivation


class Decoded(Struct):
    """Answers for the values of a program and its components, whose nodes are lowered."""

    nodes: Sequence[Node]
    _values: dict[Symbol, Expr] = field(default_factory=dict)
    _known: dict[Symbol, bool] = field(default_factory=dict)

    def holds(self, expr: Expr) -> bool:
        """Return whether `expr` is surely such a value."""
        match expr:
            case Attr() | Index():
                source = expr.source
                return (isinstance(source, Ref) and source.symbol.kind is SymbolKind.RESOURCE) or self.holds(source)
            case Ref():
                return self._symbol(expr.symbol)
            case Invoke() | MethodCall():
                return True
            case Call():
                if expr.function.name == "getOutput":
                    return True
                derives = expr.function.derives
                if not derives.forwards or derives is Derivation.ENTRIES:
                    return False
                return all(self.holds(arg) for arg in _passed_on(expr))
            case Convert() | All():
                return self.holds(expr.value)
            case Apply():
                return self.holds(expr.body)
            case Conditional():
                return self.holds(expr.then) and self.holds(expr.otherwise)
            case For():
                return self.holds(expr.result)
            case Literal():
                return expr.value is None
            case _:
                return False

    def _symbol(self, symbol: Symbol) -> bool:
        if not self._values:
            self._read()
        holds = self._known.get(symbol)
        if holds is None:
            self._known[symbol] = False
            value = self._values.get(symbol)
            holds = self._known[symbol] = value is not None and self.holds(value)
        return holds

    def _read(self) -> None:
        self._values.update(definitions_of(self.nodes))
        for node in self.nodes:
            if isinstance(node, ConfigVariable):
                self._known[node.symbol] = node.default is None or is_null(node.default)


def _passed_on(call: Call) -> Sequence[Expr]:
    return call.args if call.function.name in ("try", "recover") else call.args[:1]
