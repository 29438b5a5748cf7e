"""What every binding function receives: where diagnostics go, the mode, the scope, the packages."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.bind.aliases import Aliases
from pclgen.bind.awaited import Awaited, Early
from pclgen.bind.packages import PackageTable
from pclgen.bind.presence import Nulls
from pclgen.bind.scope import Scope
from pclgen.core.expr import Expr, Symbol
from pclgen.core.origins import place
from pclgen.diagnostics.make import note, softened
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import InputType, Type, is_optional
from pclgen.types.rules import Rule


class Judgements(Protocol):
    """The two judgements of the type checker: the module `expressions`, which the modules by topic cannot import."""

    def synth(self, cx: Context, e: ast.Expr, /) -> Expr:
        """The typed form of `e`."""

    def check(self, cx: Context, e: ast.Expr, want: Want, /) -> Expr:
        """The typed form of `e` as a value of the wanted type."""


class Context(Struct, frozen=True):
    """Immutable; a function that needs another scope passes on a changed copy.

    `directory` is that of the program's files, seen from the root program.  `definitions` says what locals stand for and
    what loop variables are elements of, as far as bound, `checked` which rules values keep; `nulls` is what the conditions
    around this place prove of null; `judgements` type the parts of an expression; `attempted`: a failure
    here is caught; `awaited` are the calls of functions that are made in their plain form, `early` what may ask for more of
    them; `certain`: what stands here is computed once, whatever other values come to; `aliases` are the types that the
    program names, `names` all that it declares.
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
        """The typed form of `e` where nothing in particular is expected."""
        return self.judgements.synth(self, e)

    def check(self, e: ast.Expr, want: Want) -> Expr:
        """The typed form of `e` as a value of the wanted type; reports where it is not one."""
        return self.judgements.check(self, e, want)

    def inside(self, scope: Scope) -> Context:
        """The same in a place with `scope`, which there may be several of, or none."""
        return replace(self, scope=scope, certain=False)

    def perhaps(self) -> Context:
        """The same where it depends on other values whether this one is computed."""
        return replace(self, certain=False) if self.certain else self

    def where(self, condition: Expr, holds: bool) -> Context:
        """The same where `condition` holds (or does not)."""
        nulls = self.nulls.where(condition, holds, self.definitions)
        there = self.perhaps()
        return there if nulls is self.nulls else replace(there, nulls=nulls)

    def attempting(self) -> Context:
        """The same where a failure is caught."""
        return replace(self, attempted=True)

    def place(self, span: Span) -> str:
        """A place of the program as generated code names it: `main.pp:3:9`, from the root program's directory."""
        return place(self.directory, span)

    def report(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic."""
        self.bag.add(diagnostic)

    def report_softly(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic that lenient mode turns into a warning (language.md, Lenient mode)."""
        self.bag.add(softened(diagnostic, self.lenient))


class Want(Struct, frozen=True):
    """An expected type and why it is expected.

    `used`: the program computes with the value, so that it cannot be passed on when it is null after all.  `whole` is the
    text of the expression that the value is the beginning of.  `omits`: the value is a member of a map, which is omitted
    where the program lets it be null; the type of the result is then optional.
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
        """The expectation for a member of a map of `element`: one that is null is omitted from a map of inputs."""
        omits = isinstance(element, InputType) and not is_optional(element)
        return replace(self.inner(element), omits=omits)


def because(message: str) -> tuple[Note, ...]:
    """A reason of one note."""
    return (note(message),)
