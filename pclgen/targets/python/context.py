"""The context of the lowering of one file.

`files` creates a context for each program and component, and the expression modules pass it down. It is immutable except
for two tables that the file shares: the expression for each symbol, and the symbols that must be made outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.declared import Declared
from pclgen.core.expr import Expr, Ref, Symbol
from pclgen.core.program import Component
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.targets.python import modules, names, tree
from pclgen.targets.python.equality import Steps
from pclgen.types.declarations import Package


class Inside(Struct, frozen=True, kw_only=True):
    """The constructor of a component.

    It has the parameter for the resource's name, and the attributes of `self` for the outputs, by their logical names.
    """

    resource_name: tree.Variable
    outputs: Mapping[str, str]


class Forms(Protocol):
    """The lowering of expressions: the module `values`, which the modules by topic cannot import."""

    def lower(self, cx: Context, expr: Expr, /) -> tree.Expr:
        """The Python for `expr`."""

    def present(self, cx: Context, expr: Expr, /) -> tree.Expr:
        """The Python for `expr` where a step follows."""


class Context(Struct, frozen=True, kw_only=True):
    """The lowering of one file.

    `symbols` maps symbols to expressions.  `parameters` are the parameters of a component.  Of these, `inputs` are plain
    or eventual at run time; inputs in `lifted` become outputs first; inputs in `forwarded_collections` are also forwarded
    unlifted.  `declared` has the types of inputs that take certain values only; inputs in `wide` are read as any value.

    Sets of symbols: type checkers have no type for `untyped`, and know of `containers` among them only that they are lists
    or dicts.  The objects of `unwrapped` have become plain dicts (see `objects`).  The values of `enumtexts` may hide
    members of enums (see the module).  `objects` have an unknown type, but attributes.  An enclosing condition has shown
    `narrowed` not to be None.  `naturals` are never negative.  `distinct` are locals that are lists without equal elements.

    `resolvers` give deferred outputs their values.  `unused` resources need no variable.  With `classes`, objects of a
    package are written as `XArgs(…)`, otherwise as dicts.  `singles` are results of methods whose only property the SDK
    returns, with its name.  `steps` has the variables whose parts the file uses.  `tried`: an enclosing `try` or `can`
    treats an error as a failed attempt.
    """

    bag: DiagnosticBag
    forms: Forms
    classes_of: Mapping[Component, tree.Module]
    symbols: dict[Symbol, tree.Expr] = field(default_factory=dict)
    untyped: set[Symbol] = field(default_factory=set)
    containers: set[Symbol] = field(default_factory=set)
    unwrapped: set[Symbol] = field(default_factory=set)
    enumtexts: set[Symbol] = field(default_factory=set)
    objects: set[Symbol] = field(default_factory=set)
    naturals: set[Symbol] = field(default_factory=set)
    distinct: set[Symbol] = field(default_factory=set)
    singles: dict[Symbol, str] = field(default_factory=dict)
    parameters: dict[Symbol, tree.Variable] = field(default_factory=dict)
    inputs: set[Symbol] = field(default_factory=set)
    lifted: dict[Symbol, None] = field(default_factory=dict)
    forwarded_collections: frozenset[Symbol] = frozenset()
    declared: dict[Symbol, Declared] = field(default_factory=dict)
    wide: set[Symbol] = field(default_factory=set)
    resolvers: dict[Symbol, tree.Variable] = field(default_factory=dict)
    unused: frozenset[Symbol] = frozenset()
    narrowed: frozenset[Symbol] = frozenset()
    inside: Inside | None = None
    classes: bool = False
    package: Package | None = None
    steps: Steps = field(default_factory=Steps)
    tried: bool = False

    def lower(self, expr: Expr) -> tree.Expr:
        """The Python for `expr`."""
        return self.forms.lower(self, expr)

    def present(self, expr: Expr) -> tree.Expr:
        """The Python for `expr` where a step follows; a checker accepts the step even if `expr` may be None."""
        return self.forms.present(self, expr)

    def receiver(self, expr: Expr) -> tree.Expr:
        """The Python for `expr` where a step or a method follows: a component's parameter must then be an output."""
        symbol = self.parameter(expr)
        if symbol in self.forwarded_collections:
            return modules.as_output(self.lower(expr))
        if symbol is not None:
            self.lifted[symbol] = None
        return self.lower(expr)

    def with_classes(self) -> Context:
        """This context, with objects written as classes."""
        return self if self.classes else replace(self, classes=True)

    def attempting(self) -> Context:
        """This context, in an argument of `try` or `can`."""
        return self if self.tried else replace(self, tried=True)

    def with_narrowed(self, symbols: frozenset[Symbol]) -> Context:
        """This context, where `symbols` are not None."""
        return replace(self, narrowed=self.narrowed | symbols) if symbols else self

    def for_package(self, package: Package) -> Context:
        """This context, in the arguments of a resource or function of `package`."""
        return replace(self, package=package)

    def bind(self, symbol: Symbol, *preferred_names: str) -> tree.Variable:
        """A new variable for `symbol`; by default it prefers the name of the symbol."""
        variable = tree.Variable(preferred_names=preferred_names or (names.variable(symbol.name),))
        self.symbols[symbol] = tree.name(variable)
        return variable

    @contextmanager
    def written(self, symbol: Symbol, expr: tree.Expr) -> Iterator[None]:
        """Write `symbol` as `expr` in a `with` block."""
        before = self.symbols.get(symbol)
        self.symbols[symbol] = expr
        yield
        if before is None:
            del self.symbols[symbol]
        else:
            self.symbols[symbol] = before

    def parameter(self, expr: Expr) -> Symbol | None:
        """The component parameter that `expr` refers to; None for other expressions."""
        if isinstance(expr, Ref) and expr.symbol in self.inputs:
            return expr.symbol
        return None
