"""The context of translating an expression: its file, the names in it, and the expected form of values.

`program` creates a context for each file and passes it down. It is immutable, except that the file's facts about its
symbols grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.declared import Declared
from pclgen.core.eventuals import is_eventual, is_promised, promises_outputs, surely_output
from pclgen.core.predicates import not_null_where
from pclgen.core.walk import walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.source.text import Span
from pclgen.targets.typescript import build, names, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.files import Imports, Places
from pclgen.targets.typescript.types import plain_type
from pclgen.types.model import NominalType, ObjectType, is_optional, output_of, resolve

Path: TypeAlias = tuple[core.Symbol | str, ...]
"""A variable, or a member of a variable: its symbol and the names of the steps."""

NAME: Final = ts.Variable(("name",))
ARGUMENTS: Final = ts.Variable(("args",))
OPTIONS: Final = ts.Variable(("opts",))
"""Parameters of component constructors. Callers see them, so their names are fixed."""


class Binding(Struct, frozen=True, kw_only=True):
    """The reference to a symbol: a variable, or the code that `build` makes of the variable (`args.size`).

    `input`: the value may be plain or an output, so that a receiver must be made an output first.
    """

    variable: ts.Variable
    input: bool = False
    build: Callable[[ts.Variable], ts.TsExpr] = ts.Name

    def reference(self) -> ts.TsExpr:
        """A reference to the value."""
        return self.build(self.variable)


class FileState(Struct, frozen=True, kw_only=True):
    """The state of one file during translation.

    `declared`: declared types of arguments that take certain values only; `wide`: arguments of these that the component
    reads as any value.  Facts about symbols, collected during translation: `bindings`; `constants`: locals whose type
    TypeScript takes to be their value; `naturals`: numbers that are never negative; `distinct`: locals that are lists
    without equal elements; `defaults`: the defaults of
    configuration; `promised`: parameters that TypeScript takes for present although they may be null.
    """

    imports: Imports
    bag: DiagnosticBag
    in_component: bool
    translator: Callable[[Context, core.Expr], ts.TsExpr]
    places: Places
    declared: Mapping[core.Symbol, Declared]
    wide: AbstractSet[core.Symbol]
    bindings: dict[core.Symbol, Binding] = field(default_factory=dict)
    constants: set[core.Symbol] = field(default_factory=set)
    naturals: set[core.Symbol] = field(default_factory=set)
    distinct: set[core.Symbol] = field(default_factory=set)
    defaults: dict[core.Symbol, core.Expr] = field(default_factory=dict)
    promised: set[core.Symbol] = field(default_factory=set)

    def written(self, values: Sequence[core.Expr]) -> Iterator[core.Expr]:
        """Yield `values`, and the defaults that the program writes for them."""
        yield from values
        for value in values:
            for part in walk(value):
                if isinstance(part, core.Ref) and part.symbol in self.defaults:
                    yield self.defaults[part.symbol]


class Context(Struct, frozen=True, kw_only=True):
    """The context for translating an expression.

    `flat`: it is inside a template literal, without line breaks.  `keeps_null`: null stays `null` (JSON, values of any
    type) instead of being omitted as `undefined`.  `unset`: the message for a value that is null and must not be; None
    where it cannot be null.  `tried`: the caller treats `undefined` as a failure; `throws`: it does not, as the value may be
    null, so that a step that fails has to throw.  `tested`: the paths that enclosing
    conditions narrow.  `unseen`: names that a condition has shown not to be null where TypeScript cannot follow it.
    `reached`: optional members that an enclosing condition has tested.  `present`: expressions that a condition in the
    same function has shown not to be null.
    """

    file: FileState
    flat: bool = False
    keeps_null: bool = False
    unset: str | None = None
    tried: bool = False
    throws: bool = False
    tested: frozenset[Path] = frozenset()
    unseen: frozenset[core.Symbol] = frozenset()
    reached: frozenset[Path] = frozenset()
    present: frozenset[Path] = frozenset()

    @property
    def imports(self) -> Imports:
        """The imports of the file."""
        return self.file.imports

    def inline(self) -> Context:
        """The context inside a template literal."""
        return self if self.flat else replace(self, flat=True)

    def with_null(self, keeps: bool) -> Context:
        """The context for values where null is (or is not) kept as `null`."""
        return self if self.keeps_null is keeps else replace(self, keeps_null=keeps)

    def trying(self, *, throws: bool = False) -> Context:
        """The context for an alternative of `try`, or the argument of `can`."""
        return replace(self, tried=True, throws=throws, present=frozenset())

    def having_tested(self, paths: Sequence[Path]) -> Context:
        """The context for an expression evaluated only if a condition over `paths` holds (or does not)."""
        return replace(self, tested=self.tested.union(paths)) if paths else self

    def after_filter(self, names: Iterable[core.Symbol]) -> Context:
        """The context for an expression evaluated only for elements that pass a filter function over `names`."""
        return replace(self, unseen=self.unseen.union(names))

    def having_found(self, paths: Iterable[core.Attr]) -> Context:
        """The context for an expression evaluated only where the `paths` exist."""
        reached = self.reached.union(filter(None, map(path_of, paths)))
        return self if reached == self.reached else replace(self, reached=reached)

    def having_shown(self, condition: core.Expr, holds: bool) -> Context:
        """The context for an expression evaluated only where `condition` holds (or does not)."""
        shown = frozenset(filter(None, map(path_of, not_null_where(condition, holds=holds))))
        return self if shown <= self.present else replace(self, present=self.present | shown)

    def in_function(self) -> Context:
        """The context for the body of a function, in which TypeScript drops enclosing conditions on members."""
        return replace(self, reached=frozenset(), present=frozenset()) if self.reached or self.present else self

    def has_found(self, expr: core.Attr) -> bool:
        """Return whether an enclosing condition has shown that the member `expr` is present."""
        return bool(self.reached) and path_of(expr) in self.reached

    def demanding(self, unset: str) -> Context:
        """The context for a conversion of a value that must not be null."""
        return replace(self, unset=unset)

    def pulumi(self, name: str, *args: ts.TsExpr) -> ts.Call:
        """`pulumi.name(args)`."""
        return ts.Call(self.imports.pulumi(name), args)

    def is_promised(self, expr: core.Expr) -> bool:
        """Return whether TypeScript takes `expr` for present: it cannot be null, or the published types exclude null."""
        return is_promised(expr, promises_outputs, self.file.promised)

    def output(self, value: ts.TsExpr) -> ts.TsExpr:
        """`pulumi.output(value)`; `value` itself if it already is such a call."""
        wrapper = self.imports.pulumi("output")
        if isinstance(value, ts.Call) and len(value.args) == 1 and build.is_same_path(value.callee, wrapper):
            return value
        return ts.Call(wrapper, (value,))

    def refuse(self, construct: str, span: Span, why: str | None = None, hint: str | None = None) -> ts.TsExpr:
        """Report that `construct` has no TypeScript form, and return a placeholder."""
        self.file.bag.add(unsupported(construct, "TypeScript", span, why=why, hint=hint))
        return build.undefined()

    def variable(self, symbol: core.Symbol) -> ts.Variable:
        """The variable of `symbol`."""
        return self.file.bindings[symbol].variable

    def bind(self, symbol: core.Symbol, *preferred_names: str) -> ts.Variable:
        """A new variable for `symbol`; by default it prefers the name of the symbol."""
        return self.bind_to(symbol, ts.Variable(preferred_names or (names.variable(symbol.name),)))

    def bind_to(self, symbol: core.Symbol, variable: ts.Variable) -> ts.Variable:
        """Bind `symbol` to `variable`, and return the variable."""
        self.file.bindings[symbol] = Binding(variable=variable)
        return variable

    def bind_parameters(
        self, symbols: Iterable[core.Symbol | None], bodies: Iterable[core.Expr]
    ) -> list[ts.Variable | None]:
        """Variables for the parameters of a function over `bodies`; None for symbols that are None or unused."""
        used = {part.symbol for body in bodies for part in walk(body) if isinstance(part, core.Ref)}
        return [self.bind(symbol) if symbol is not None and symbol in used else None for symbol in symbols]


def path_of(expr: core.Expr) -> Path | None:
    """Return the path of `expr`, equal for equal references, so that conditions apply to them; None for others."""
    match expr:
        case core.Ref():
            return (expr.symbol,)
        case core.Attr():
            source = path_of(expr.source)
            return None if source is None else (*source, expr.name)
        case core.Convert(narrowed=True):
            return path_of(expr.value)
        case _:
            return None


def translate(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    return cx.file.translator(cx, expr)


def translate_output(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """`expr` as an output, for `.apply` and members: a value that may be plain is wrapped in `pulumi.output`."""
    if isinstance(expr, core.Conditional):
        return translate(cx, core.All(value=expr, type=output_of(resolve(expr.type)), span=expr.span))
    value = translate(cx, expr)
    if surely_output(expr) and not is_input(cx, expr):
        return ts.NonNull(value) if is_optional_member(cx, expr) else value
    if any(sdk.is_enum_value(part) for part in walk(expr)):
        # TypeScript widens a text in a call to `string`, but the target needs a member of the enum.
        return ts.Call(cx.imports.pulumi("output"), (value,), (plain_type(cx.imports, resolve(expr.type)),))
    return cx.output(value)


def is_optional_member(cx: Context, expr: core.Expr) -> bool:
    """Return whether `expr` is an optional member that the SDK lifts: to TypeScript the output itself is then optional."""
    if not isinstance(expr, core.Attr) or not is_eventual(expr.source.type) or not is_optional(expr.type):
        return False
    return isinstance(resolve(expr.source.type), NominalType | ObjectType) and not cx.is_promised(expr)


def is_input(cx: Context, expr: core.Expr) -> bool:
    """Return whether `expr` is a component's argument, which may be plain or an output."""
    while isinstance(expr, core.Convert):
        expr = expr.value
    return isinstance(expr, core.Ref) and cx.file.bindings[expr.symbol].input


def parameters(variables: Sequence[ts.Variable | None]) -> tuple[ts.Parameter, ...]:
    """Plain parameters; unused parameters are named `_`, and omitted at the end."""
    return tuple(ts.Parameter((variable or unused(),)) for variable in _without_end(variables))


def pattern(variables: Sequence[ts.Variable | None]) -> tuple[ts.Parameter, ...]:
    """A parameter that destructures an array; unused variables have no name, and are omitted at the end."""
    return (ts.Parameter(_without_end(variables), "["),)


def unused() -> ts.Variable:
    """A parameter that its function does not use."""
    return ts.Variable(("_",))


def _without_end(variables: Sequence[ts.Variable | None]) -> tuple[ts.Variable | None, ...]:
    while variables and variables[-1] is None:
        variables = variables[:-1]
    return tuple(variables)
