"""Components that refer to each other: an input that needs a component made later gets its value then (targets.md,
Components that need each other).

Comes in: component uses in order.  Goes out: the use with a deferred output in place of such an input, and the statement
that gives the output its value once everything it needs exists.

    component first "./a" { input = second.x }      firstInput, resolveFirstInput, _ := ctx.NewOutput()
    component second "./b" { input = first.x }      first, err := NewA(ctx, "first", &AArgs{Input: firstInput…})
                                                    second, err := NewB(ctx, "second", &BArgs{Input: first.X})
                                                    resolveFirstInput(second.X)
"""

from __future__ import annotations

from dataclasses import field, replace

from pclgen.core.expr import Expr, Ref, Symbol, SymbolKind
from pclgen.core.program import ComponentUse, Input
from pclgen.core.walk import free_symbols
from pclgen.records import dataclass
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import Block, Value
from pclgen.targets.go.gotypes import Form, GoType, Native, output
from pclgen.targets.names import uppercase_first
from pclgen.types.model import output_of


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A value that is given when `missing` exist."""

    missing: frozenset[Symbol]
    value: Expr
    native: Native
    resolve: str


@dataclass(slots=True)
class Deferred:
    """The deferred inputs of one function."""

    waiting: list[_Waiting] = field(default_factory=list)

    def without_later_ones(self, b: Block, node: ComponentUse, name: str) -> ComponentUse:
        """`node` with deferred outputs for the inputs that need components made later."""
        return replace(node, inputs=tuple(self._input(b, given, name) for given in node.inputs))

    def _input(self, b: Block, given: Input, name: str) -> Input:
        symbols = free_symbols(given.value)
        missing = frozenset(s for s in symbols if s.kind is SymbolKind.COMPONENT and s not in b.file.bindings)
        if not missing:
            return given
        native = b.file.session.natives.native(given.value.type)
        later = b.claim(f"{name}{uppercase_first(given.name)}")
        resolve = b.claim(f"resolve{uppercase_first(later)}")
        targets = (make.name(later), make.name(resolve), make.BLANK)
        create = make.method(make.name("ctx"), "NewOutput")
        b.emit(go.Assign(targets=targets, values=(create,), operator=":="))
        span = given.value.span
        symbol = Symbol(name=later, kind=SymbolKind.LOCAL, type=output_of(given.value.type), span=span)
        b.bind(symbol, Value(make.name(later), GoType(native, Form.OUTPUT, erased=True)))
        self.waiting.append(_Waiting(missing, given.value, native, resolve))
        return replace(given, value=Ref(symbol=symbol, type=symbol.type, span=span))

    def resolve_ready(self, b: Block) -> None:
        """Give those their values whose components all exist by now."""
        for item in [w for w in self.waiting if all(s in b.file.bindings for s in w.missing)]:
            self.waiting.remove(item)
            value = b.into(item.value, output(item.native), "later")
            b.emit(go.ExpressionStatement(expression=make.call(make.name(item.resolve), value)))
