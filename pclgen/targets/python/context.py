"""What the lowering of one file knows.

`files` makes one for each program and component, and the expression modules pass it down. It is an immutable value but for
two tables that the file shares: how each symbol is written, and what must be made an output.
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
    """Where a component's own constructor runs: `self`, the parameter that holds the resource's name, and the attributes of
    the outputs by their logical names."""

    resource_name: tree.Variable
    outputs: Mapping[str, str]


class Forms(Protocol):
    """How expressions are written: the module `values`, which the modules by topic cannot import."""

    def lower(self, cx: Context, expr: Expr, /) -> tree.Expr:
        """The Python for `expr`."""

    def present(self, cx: Context, expr: Expr, /) -> tree.Expr:
        """The Python for `expr` where a step follows."""


class Context(Struct, frozen=True, kw_only=True):
    """One file being lowered.

    `symbols` says how a symbol is written.  `parameters` are those of a component; `inputs` among them are plain or eventual
    at run time, and those in `lifted` are turned into outputs first; those in `forwarded_collections` are also forwarded
    without that.  `declared` has the types of inputs that take certain values only; those in `wide` are read as if they took
    any value.  `untyped` are symbols that type checkers know nothing
    about, `containers` those among them of which they know that they are lists or dicts, `unwrapped` those whose objects
    have become plain dicts (see `unwrapping`), `enumtexts` those in whose values members of enums may be hidden (see the
    module), `objects` those of unknown type that have attributes all the same,
    `narrowed` those that the condition around has shown not to be None, `naturals` those that are never negative,
    `distinct` locals that are lists without equal elements.
    `resolvers` give deferred outputs their values.  `unused` resources need no variable.  With `classes` objects of a
    package are written as `XArgs(…)`, otherwise as dicts.  `singles` are results of
    methods of which the SDK gives the only property, with its name.  `steps` knows the variables whose parts the file takes.
    `tried`: a `try` or `can` around takes an error for a failed attempt.
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
        """The Python for `expr` where a step follows: where it may be None, written so that a checker lets the step pass."""
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
        """The same, writing objects as classes."""
        return self if self.classes else replace(self, classes=True)

    def attempting(self) -> Context:
        """The same, in an argument of `try` or `can`."""
        return self if self.tried else replace(self, tried=True)

    def with_narrowed(self, symbols: frozenset[Symbol]) -> Context:
        """The same where `symbols` are not None."""
        return replace(self, narrowed=self.narrowed | symbols) if symbols else self

    def within(self, inside: Inside, *, unused: frozenset[Symbol], forwarded_collections: frozenset[Symbol]) -> Context:
        """The same, in the constructor of a component."""
        return replace(self, inside=inside, unused=unused, forwarded_collections=forwarded_collections)

    def for_package(self, package: Package) -> Context:
        """The same, inside the arguments of something of `package`."""
        return replace(self, package=package)

    def bind(self, symbol: Symbol, *preferred_names: str) -> tree.Variable:
        """A new variable for `symbol`; by default it prefers the name of the symbol."""
        variable = tree.Variable(preferred_names=preferred_names or (names.variable(symbol.name),))
        self.symbols[symbol] = tree.name(variable)
        return variable

    @contextmanager
    def written(self, symbol: Symbol, expr: tree.Expr) -> Iterator[None]:
        """`symbol` is written as `expr` for a while."""
        before = self.symbols.get(symbol)
        self.symbols[symbol] = expr
        yield
        if before is None:
            del self.symbols[symbol]
        else:
            self.symbols[symbol] = before

    def parameter(self, expr: Expr) -> Symbol | None:
        """The component parameter that `expr` is, if it is one."""
        if isinstance(expr, Ref) and expr.symbol in self.inputs:
            return expr.symbol
        return None
