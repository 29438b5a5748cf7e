"""The context of binding functions: diagnostics, mode, scope, packages."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.bind.awaited import Awaited, Early
from pclgen.bind.packages import PackageTable
from pclgen.bind.presence import Nulls
from pclgen.bind.scope import Aliases, Scope
from pclgen.core.expr import Expr, Symbol
from pclgen.core.origins import place
from pclgen.diagnostics.make import note, softened
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import InputType, Type, is_optional
from pclgen.types.rules import Rule


class Judgements(Protocol):
    """The two judgements of the type checker. `expressions` implements them, and imports the modules that call them."""

    def synth(self, cx: Context, e: ast.Expr, /) -> Expr:
        """The typed form of `e`."""

    def check(self, cx: Context, e: ast.Expr, want: Want, /) -> Expr:
        """The typed form of `e` as a value of the expected type."""


class Context(Struct, frozen=True):
    """The immutable context of an expression; a function that needs another scope passes a changed copy.

    - `directory`: the directory of the program's files, relative to the root program.
    - `definitions`: the values of locals and the collections of loop variables, as far as bound.
    - `checked`: the rules that values are checked against.
    - `nulls`: the paths that the surrounding conditions prove to be null, or not null.
    - `judgements`: the functions that type the parts of an expression.
    - `attempted`: a surrounding `try` or `can` catches a failure of the expression.
    - `awaited`: the calls of functions in plain form; `early` records values that may require more plain calls.
    - `certain`: the program computes the expression exactly once, whatever the other values are.
    - `aliases`: the type aliases of the program; `names`: all names that it declares.
    """

    bag: DiagnosticBag
    packages: PackageTable
    scope: Scope
    judgements: Judgements
    lenient: bool = False
    directory: str = "."
    definitions: dict[Symbol, Expr] = field(default_factory=dict)
    checked: dict[Symbol, Rule] = field(default_factory=dict)
    nulls: Nulls = Nulls()
    attempted: bool = False
    awaited: Awaited = frozenset()
    early: Early = field(default_factory=Early)
    certain: bool = True
    aliases: Aliases = field(default_factory=Aliases)
    names: frozenset[str] = frozenset()

    def synth(self, e: ast.Expr) -> Expr:
        """The typed form of `e` without an expected type."""
        return self.judgements.synth(self, e)

    def check(self, e: ast.Expr, want: Want) -> Expr:
        """The typed form of `e` as a value of the expected type; reports a mismatch."""
        return self.judgements.check(self, e, want)

    def inside(self, scope: Scope) -> Context:
        """The context for a nested `scope`, whose expressions may run many times or never."""
        return replace(self, scope=scope, certain=False)

    def perhaps(self) -> Context:
        """The context for an expression that is computed only for some values of other expressions."""
        return replace(self, certain=False) if self.certain else self

    def where(self, condition: Expr, holds: bool) -> Context:
        """The context in which `condition` holds (or does not)."""
        nulls = self.nulls.where(condition, holds, self.definitions)
        conditional = self.perhaps()
        return conditional if nulls is self.nulls else replace(conditional, nulls=nulls)

    def where_not_empty(self, collection: Expr) -> Context:
        """The context in which `collection`, of a loop or a range, has an element."""
        if collection.type.eventual:
            return self
        nulls = self.nulls.where_not_empty(collection, self.definitions)
        return self if nulls is self.nulls else replace(self, nulls=nulls)

    def attempting(self) -> Context:
        """The context in which failures are caught."""
        return replace(self, attempted=True)

    def place(self, span: Span) -> str:
        """The position of `span` as generated code shows it: `main.pp:3:9`, relative to the root program's directory."""
        return place(self.directory, span)

    def report(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic."""
        self.bag.add(diagnostic)

    def report_softly(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic that lenient mode turns into a warning (language.md, Lenient mode)."""
        self.bag.add(softened(diagnostic, self.lenient))


class Want(Struct, frozen=True):
    """An expected type and why it is expected.

    - `used`: the program computes with the value, so it must not be null.
    - `whole`: the text of the longer expression that starts with the value.
    - `omits`: the value is a member of a map, and a null that the program itself produces omits the member; the type of
      the result is then optional.
    """

    type: Type
    because: tuple[Note, ...] = ()
    used: bool = False
    whole: str = ""
    omits: bool = False

    def inner(self, type_: Type) -> Want:
        """The expectation for a part, for the same reason."""
        return Want(type_, self.because, self.used)

    def member(self, element: Type) -> Want:
        """The expectation for a member of a map of `element`: null members of a map of inputs are omitted."""
        omits = isinstance(element, InputType) and not is_optional(element)
        return Want(element, self.because, self.used, omits=omits)


def because(message: str) -> tuple[Note, ...]:
    """A reason that consists of one note, `message`."""
    return (note(message),)
