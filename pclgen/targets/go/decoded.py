"""Which values of unknown type have Go's types for decoded JSON, `map[string]any` and `[]any`.

Values decoded by the SDK and `encoding/json` have these types at every depth. A value from the program itself may have a
narrower type (`[]string`), and a step into it needs reflection.

    parsed.size                                  parsed.(map[string]any)["size"]
    [["a"], free][0][0]                          traverse(…)
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pclgen.core import expr as core
from pclgen.core.origins import definitions_of
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable, Node
from pclgen.stdlib.model import Derivation


class Decoded(Struct):
    """Finds decoded values in the lowered nodes of a program and its components."""

    nodes: Sequence[Node]
    _values: dict[core.Symbol, core.Expr] = field(default_factory=dict)
    _known: dict[core.Symbol, bool] = field(default_factory=dict)

    def holds(self, expr: core.Expr) -> bool:
        """Return whether `expr` is certainly a decoded value."""
        match expr:
            case core.Attr() | core.Index():
                source = expr.source
                return (isinstance(source, core.Ref) and source.symbol.kind is core.SymbolKind.RESOURCE) or self.holds(
                    source
                )
            case core.Ref():
                return self._symbol(expr.symbol)
            case core.Invoke() | core.MethodCall():
                return True
            case core.Call():
                if expr.function.name == "getOutput":
                    return True
                derives = expr.function.derives
                if not derives.forwards or derives is Derivation.ENTRIES:
                    return False
                return all(self.holds(arg) for arg in _passed_on(expr))
            case core.Convert() | core.All():
                return self.holds(expr.value)
            case core.Apply():
                return self.holds(expr.body)
            case core.Conditional():
                return self.holds(expr.then) and self.holds(expr.otherwise)
            case core.For():
                return self.holds(expr.result)
            case core.Literal():
                return expr.value is None
            case _:
                return False

    def _symbol(self, symbol: core.Symbol) -> bool:
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


def _passed_on(call: core.Call) -> Sequence[core.Expr]:
    return call.args if call.function.name in ("try", "recover") else call.args[:1]
