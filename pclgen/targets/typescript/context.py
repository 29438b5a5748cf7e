"""What translating an expression knows: the file that it is for, the names in it, and how values are wanted.

Comes in: made by `program` for each file.  Goes out: passed down as an immutable value; only the file's record of imports,
helpers and names grows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Final, TypeAlias

from pclgen.core.declared import Declared
from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.expr import All, Attr, Call, Conditional, Convert, Expr, Ref, Symbol
from pclgen.core.promises import is_promised, promises_outputs
from pclgen.core.walk import walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.records import dataclass
from pclgen.source.text import Span
from pclgen.targets.names import NameTable
from pclgen.targets.typescript import build, names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.files import Places
from pclgen.targets.typescript.imports import Imports
from pclgen.types.model import NominalType, ObjectType, is_optional, output_of, resolve

Path: TypeAlias = tuple[Symbol | str, ...]
"""A variable, or a member of one: its symbol and the names of the steps."""

JSON_OR_TEXT: Final = "jsonOrText"
REQUIRE_VALUE: Final = "requireValue"
REQUIRE_MEMBERS: Final = "requireMembers"
REQUIRE_OWN_MEMBERS: Final = "requireOwnMembers"
"""The helper of `REQUIRE_MEMBERS` in a file that needs it for members of objects only, not for what is deeper in them."""

HELPERS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "can": ("can", "canRun"),
    "checked": ("checked",),
    "element": ("element",),
    "kept": ("kept",),
    "lookup": ("entryOf",),
    "notImplemented": ("notImplemented",),
    "singleOrNone": ("singleOrNone",),
    "toJSON": ("toJson",),
    "try": ("firstOf", "firstToRun"),
}
"""The helper functions that a built-in function may need."""

OTHER_HELPERS: Final = (
    *("entriesOf", "fromUniqueEntries", "groupByKey", "isEqual", "sortedEntries", "wholeNumber"),
    *(JSON_OR_TEXT, REQUIRE_MEMBERS, REQUIRE_VALUE),
)
"""Helper functions that operators and loops may need."""


def helpers_of(parts: Iterable[Expr]) -> set[str]:
    """The helper functions that the code of `parts` may call."""
    called = (HELPERS_OF.get(part.function.name, ()) for part in parts if isinstance(part, Call))
    return {*OTHER_HELPERS, *(name for names in called for name in names)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How a symbol is referred to: by a name, or by a member of one (`args.size`).

    `input`: the value may be plain or an output, so that a receiver must be made an output first.
    """

    name: str
    member: str | None = None
    input: bool = False
    build: Callable[[str], ts.TsExpr] | None = None

    def reference(self) -> ts.TsExpr:
        """A reference to the value."""
        if self.build is not None:
            return self.build(self.name)
        found: ts.TsExpr = ts.Name(self.name)
        return found if self.member is None else ts.Member(found, self.member)


@dataclass(slots=True)
class FileState:
    """What one file gathers while its statements are made.

    `naturals`: numbers that are never negative; `compared`: locals that are operands of an equality; `constants`: locals
    whose type TypeScript takes to be their value; `distinct`: locals that are lists without equal elements; `promised`:
    parameters that TypeScript takes for there although they may be null; `declared`: what the arguments that take certain
    values only are declared as, `wide`: those that the component reads as if they took any; `tested`: what the conditions
    around the expression at hand narrow.
    """

    imports: Imports
    table: NameTable
    bag: DiagnosticBag
    in_component: bool
    translator: Callable[[Expr, Context], ts.TsExpr]
    places: Places
    bindings: dict[Symbol, Binding] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    awaits: bool = False
    compared: frozenset[Symbol] = frozenset()
    constants: set[Symbol] = field(default_factory=set)
    naturals: set[Symbol] = field(default_factory=set)
    distinct: set[Symbol] = field(default_factory=set)
    promised: set[Symbol] = field(default_factory=set)
    declared: Mapping[Symbol, Declared] = field(default_factory=dict)
    wide: AbstractSet[Symbol] = frozenset()
    tested: Counter[Path] = field(default_factory=Counter)

    def helper_files(self) -> tuple[str, ...]:
        """The helpers that the file declares."""
        twice = {REQUIRE_OWN_MEMBERS} if REQUIRE_MEMBERS in self.helpers else set()
        return tuple(sorted(self.helpers - twice))

    @contextmanager
    def having_tested(self, paths: Sequence[Path]) -> Iterator[None]:
        """While that is made which is looked at only if a condition over `paths` holds, or only if it does not."""
        self.tested.update(paths)
        yield
        self.tested.subtract(paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """How an expression is to be translated.

    `flat`: it stands inside a template literal, where nothing may break.  `keeps_null`: null stays `null` (JSON, values of
    any type) instead of being left out as `undefined`.  `unset`: what to say when a value is null and must not be; None
    where that cannot be.  `tried`: who asks takes what is `undefined` for a failure.
    """

    file: FileState
    flat: bool = False
    keeps_null: bool = False
    unset: str | None = None
    tried: bool = False

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
        return self if self.tried else replace(self, tried=True)

    def demanding(self, unset: str) -> Context:
        """For a conversion of what must not be null."""
        return replace(self, unset=unset)

    def members_helper(self, paths: Sequence[str]) -> ts.Name:
        """The helper that looks whether something is at each of `paths` (of `types.required`)."""
        is_own = all("/" not in path and "~" not in path for path in paths)
        self.file.helpers.add(REQUIRE_OWN_MEMBERS if is_own else REQUIRE_MEMBERS)
        return ts.Name(REQUIRE_MEMBERS)

    def helper(self, name: str) -> ts.Name:
        """A helper function, which the file then declares."""
        self.file.helpers.add(name)
        return ts.Name(name)

    def pulumi(self, name: str, *args: ts.TsExpr) -> ts.Call:
        """`pulumi.name(args)`."""
        return ts.Call(self.imports.pulumi(name), args)

    def is_promised(self, expr: Expr) -> bool:
        """Whether TypeScript takes `expr` for there: it cannot be null, or the published types say so."""
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
        return ts.Name("undefined")

    def bind_parameters(self, symbols: Iterable[Symbol | None], bodies: Iterable[Expr]) -> list[str]:
        """Names for the parameters of a function over `bodies`; "" for symbols that are None or not used.

        A parameter may hide a name around it that its body does not use.
        """
        parts = [part for body in bodies for part in walk(body)]
        used = {part.symbol for part in parts if isinstance(part, Ref)}
        bindings = self.file.bindings
        table = NameTable(
            reserved=(
                *self.imports.reserved,
                *names.GLOBALS,
                *helpers_of(parts),
                *(bindings[symbol].name for symbol in used if symbol in bindings),
            ),
            separator="",
        )
        result: list[str] = []
        for symbol in symbols:
            if symbol is None or symbol not in used:
                result.append("")
                continue
            name = table.claim(names.variable(symbol.name))
            bindings[symbol] = Binding(name=name)
            result.append(name)
        return result


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
    return cx.output(value)


def is_optional_member(expr: Expr, cx: Context) -> bool:
    """Whether `expr` is an optional member that the SDK lifts: TypeScript then takes the output itself for optional."""
    if not isinstance(expr, Attr) or not is_eventual(expr.source.type) or not is_optional(expr.type):
        return False
    return isinstance(resolve(expr.source.type), NominalType | ObjectType) and not cx.is_promised(expr)


def is_input(expr: Expr, cx: Context) -> bool:
    """Whether `expr` is a component's argument, which may be plain or an output."""
    while isinstance(expr, Convert):
        expr = expr.value
    return isinstance(expr, Ref) and cx.file.bindings[expr.symbol].input


def parameters(found: list[str]) -> tuple[ts.Parameter, ...]:
    """Plain parameters; those that are not used are called `_`, and left out at the end."""
    while found and not found[-1]:
        found = found[:-1]
    return tuple(ts.Parameter((name or "_",)) for name in found)


def pattern(found: list[str]) -> tuple[ts.Parameter, ...]:
    """One parameter that takes an array apart; names that are not used are left out."""
    while found and not found[-1]:
        found = found[:-1]
    return (ts.Parameter(tuple(found), "["),)
