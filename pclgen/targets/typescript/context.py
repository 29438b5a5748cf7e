"""What translating an expression knows: the file that it is for, the names in it, and how values are wanted.

`program` makes one for each file. It is passed down as an immutable value; only what the file knows of its symbols grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.declared import Declared
from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.expr import All, Attr, Conditional, Convert, Expr, Ref, Symbol
from pclgen.core.predicates import not_null_where
from pclgen.core.promises import is_promised, promises_outputs
from pclgen.core.walk import walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.source.text import Span
from pclgen.targets.typescript import build, names, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.files import Places
from pclgen.targets.typescript.imports import Imports
from pclgen.targets.typescript.types import plain_type
from pclgen.types.model import NominalType, ObjectType, is_optional, output_of, resolve

Path: TypeAlias = tuple[Symbol | str, ...]
"""A variable, or a member of one: its symbol and the names of the steps."""

NAME: Final = ts.Variable(("name",))
ARGUMENTS: Final = ts.Variable(("args",))
OPTIONS: Final = ts.Variable(("opts",))
"""The parameters of the constructors of components, which callers see: they are called so, whatever else there is."""


class Binding(Struct, frozen=True, kw_only=True):
    """How a symbol is referred to: by a variable, or by a member of one (`args.size`).

    `input`: the value may be plain or an output, so that a receiver must be made an output first.
    """

    variable: ts.Variable
    member: str | None = None
    input: bool = False
    build: Callable[[ts.Variable], ts.TsExpr] | None = None

    def reference(self) -> ts.TsExpr:
        """A reference to the value."""
        if self.build is not None:
            return self.build(self.variable)
        node: ts.TsExpr = ts.Name(self.variable)
        return node if self.member is None else ts.Member(node, self.member)


class FileState(Struct, frozen=True, kw_only=True):
    """One file while its statements are made.

    `declared`: what the arguments that take certain values only are declared as, `wide`: those that the component reads as
    if they took any.  What is learnt of symbols on the way: `bindings`; `constants`: locals whose type TypeScript takes to
    be their value; `naturals`: numbers that are never negative; `distinct`: locals that are lists without equal elements;
    `promised`: parameters that TypeScript takes for there although they may be null.
    """

    imports: Imports
    bag: DiagnosticBag
    in_component: bool
    translator: Callable[[Expr, Context], ts.TsExpr]
    places: Places
    declared: Mapping[Symbol, Declared]
    wide: AbstractSet[Symbol]
    bindings: dict[Symbol, Binding] = field(default_factory=dict)
    constants: set[Symbol] = field(default_factory=set)
    naturals: set[Symbol] = field(default_factory=set)
    distinct: set[Symbol] = field(default_factory=set)
    promised: set[Symbol] = field(default_factory=set)


class Context(Struct, frozen=True, kw_only=True):
    """How an expression is to be translated.

    `flat`: it stands inside a template literal, where nothing may break.  `keeps_null`: null stays `null` (JSON, values of
    any type) instead of being left out as `undefined`.  `unset`: what to say when a value is null and must not be; None
    where that cannot be.  `tried`: who asks takes what is `undefined` for a failure.  `tested`: what the conditions around
    the expression narrow.  `unseen`: names that a condition has found not to be null where TypeScript cannot follow it.
    `reached`: optional members that an enclosing condition has tested.  `present`: expressions that a condition in the same
    function has shown not to be null.
    """

    file: FileState
    flat: bool = False
    keeps_null: bool = False
    unset: str | None = None
    tried: bool = False
    tested: frozenset[Path] = frozenset()
    unseen: frozenset[Symbol] = frozenset()
    reached: frozenset[Path] = frozenset()
    present: frozenset[Path] = frozenset()

    @property
    def imports(self) -> Imports:
        """The imports of the file."""
        return self.file.imports

    def inline(self) -> Context:
        """For what stands inside a template literal."""
        return self if self.flat else replace(self, flat=True)

    def with_null(self, keeps: bool) -> Context:
        """For values where null is (or is not) a value of its own."""
        return self if self.keeps_null is keeps else replace(self, keeps_null=keeps)

    def trying(self) -> Context:
        """For an alternative of `try`, or what `can` looks at."""
        return self if self.tried and not self.present else replace(self, tried=True, present=frozenset())

    def having_tested(self, paths: Sequence[Path]) -> Context:
        """For what is looked at only if a condition over `paths` holds, or only if it does not."""
        return replace(self, tested=self.tested.union(paths)) if paths else self

    def after_filter(self, names: Iterable[Symbol]) -> Context:
        """For what is evaluated only for elements that another function has found to keep a condition over `names`."""
        return replace(self, unseen=self.unseen.union(names))

    def having_found(self, paths: Iterable[Attr]) -> Context:
        """For what is evaluated only where the `paths` lead somewhere."""
        reached = self.reached.union(filter(None, map(path_of, paths)))
        return self if reached == self.reached else replace(self, reached=reached)

    def having_shown(self, condition: Expr, holds: bool) -> Context:
        """For what is evaluated only where `condition` holds, or does not."""
        shown = frozenset(filter(None, map(path_of, not_null_where(condition, holds=holds))))
        return self if shown <= self.present else replace(self, present=self.present | shown)

    def in_function(self) -> Context:
        """For the body of a function: TypeScript forgets what conditions around it say about members."""
        return replace(self, reached=frozenset(), present=frozenset()) if self.reached or self.present else self

    def has_found(self, expr: Attr) -> bool:
        """Return whether a condition around `expr` has seen that the member is present."""
        return bool(self.reached) and path_of(expr) in self.reached

    def demanding(self, unset: str) -> Context:
        """For a conversion of what must not be null."""
        return replace(self, unset=unset)

    def pulumi(self, name: str, *args: ts.TsExpr) -> ts.Call:
        """`pulumi.name(args)`."""
        return ts.Call(self.imports.pulumi(name), args)

    def is_promised(self, expr: Expr) -> bool:
        """Return whether TypeScript takes `expr` for there: it cannot be null, or the published types say so."""
        return is_promised(expr, promises_outputs, self.file.promised)

    def output(self, value: ts.TsExpr) -> ts.TsExpr:
        """`pulumi.output(value)`; of what is one already, the value itself."""
        wrapper = self.imports.pulumi("output")
        if isinstance(value, ts.Call) and len(value.args) == 1 and build.is_same_path(value.callee, wrapper):
            return value
        return ts.Call(wrapper, (value,))

    def refuse(self, construct: str, span: Span, why: str | None = None, hint: str | None = None) -> ts.TsExpr:
        """Report that `construct` has no TypeScript form; the answer only fills the place."""
        self.file.bag.add(unsupported(construct, "TypeScript", span, why=why, hint=hint))
        return build.undefined()

    def variable(self, symbol: Symbol) -> ts.Variable:
        """The variable that `symbol` is."""
        return self.file.bindings[symbol].variable

    def bind(self, symbol: Symbol, *preferred_names: str) -> ts.Variable:
        """A new variable for `symbol`; by default it prefers the name of the symbol."""
        return self.bind_to(symbol, ts.Variable(preferred_names or (names.variable(symbol.name),)))

    def bind_to(self, symbol: Symbol, variable: ts.Variable) -> ts.Variable:
        """`symbol` is `variable` from now on."""
        self.file.bindings[symbol] = Binding(variable=variable)
        return variable

    def bind_parameters(self, symbols: Iterable[Symbol | None], bodies: Iterable[Expr]) -> list[ts.Variable | None]:
        """Variables for the parameters of a function over `bodies`; None for symbols that are None or not used."""
        used = {part.symbol for body in bodies for part in walk(body) if isinstance(part, Ref)}
        return [self.bind(symbol) if symbol is not None and symbol in used else None for symbol in symbols]


def path_of(expr: Expr) -> Path | None:
    """Return what stands for the same value wherever it is written, so that conditions say something about it."""
    match expr:
        case Ref():
            return (expr.symbol,)
        case Attr():
            source = path_of(expr.source)
            return None if source is None else (*source, expr.name)
        case Convert(narrowed=True):
            return path_of(expr.value)
        case _:
            return None


def translate(expr: Expr, cx: Context) -> ts.TsExpr:
    """The TypeScript of `expr`."""
    return cx.file.translator(expr, cx)


def translate_output(expr: Expr, cx: Context) -> ts.TsExpr:
    """`expr` as an output for sure, for `.apply` and members: a value that may be plain goes through `pulumi.output`."""
    if isinstance(expr, Conditional):
        return translate(All(value=expr, type=output_of(resolve(expr.type)), span=expr.span), cx)
    value = translate(expr, cx)
    if surely_output(expr) and not is_input(expr, cx):
        return ts.NonNull(value) if is_optional_member(expr, cx) else value
    if any(sdk.is_enum_value(part) for part in walk(expr)):
        # TypeScript takes a text in a call for any text, where the place asks for one of the enum.
        return ts.Call(cx.imports.pulumi("output"), (value,), (plain_type(cx.imports, resolve(expr.type)),))
    return cx.output(value)


def is_optional_member(expr: Expr, cx: Context) -> bool:
    """Return whether `expr` is an optional member that the SDK lifts: TypeScript then takes the output itself for optional.
    """
    if not isinstance(expr, Attr) or not is_eventual(expr.source.type) or not is_optional(expr.type):
        return False
    return isinstance(resolve(expr.source.type), NominalType | ObjectType) and not cx.is_promised(expr)


def is_input(expr: Expr, cx: Context) -> bool:
    """Return whether `expr` is a component's argument, which may be plain or an output."""
    while isinstance(expr, Convert):
        expr = expr.value
    return isinstance(expr, Ref) and cx.file.bindings[expr.symbol].input


def parameters(variables: Sequence[ts.Variable | None]) -> tuple[ts.Parameter, ...]:
    """Plain parameters; those that are not used are called `_`, and omitted at the end."""
    return tuple(ts.Parameter((variable or unused(),)) for variable in _without_end(variables))


def pattern(variables: Sequence[ts.Variable | None]) -> tuple[ts.Parameter, ...]:
    """One parameter that takes an array apart; those that are not used have no name, and are omitted at the end."""
    return (ts.Parameter(_without_end(variables), "["),)


def unused() -> ts.Variable:
    """A parameter that its function does not use."""
    return ts.Variable(("_",))


def _without_end(variables: Sequence[ts.Variable | None]) -> tuple[ts.Variable | None, ...]:
    while variables and variables[-1] is None:
        variables = variables[:-1]
    return tuple(variables)
