"""Which values of unknown type have Go's types for decoded JSON, `map[string]any` and `[]any`.

Values decoded by the SDK and `encoding/json` have these types at every depth. A value from the program itself may have a
narrower type (`[]string`), and a step into it needs reflection.

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
    """Finds decoded values in the lowered nodes of a program and its components."""

    nodes: Sequence[Node]
    _values: dict[Symbol, Expr] = field(default_factory=dict)
    _known: dict[Symbol, bool] = field(default_factory=dict)

    def holds(self, expr: Expr) -> bool:
        """Return whether `expr` is certainly a decoded value."""
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
