"""The context of binding functions: diagnostics, mode, scope, packages.

A `PackageTable` holds the packages of a program, subject to `package` blocks and lenient mode. It looks each package up
once in a schema store, finds the declarations of tokens, reports unknown tokens, and lists the packages in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.bind.awaited import Awaited, Early
from pclgen.bind.presence import Nulls
from pclgen.bind.scope import Aliases, Scope
from pclgen.core.expr import Expr, Symbol
from pclgen.core.origins import place
from pclgen.diagnostics import packages as say
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note, Severity, note, softened
from pclgen.schema.errors import BadSchema, NotFound, SchemaError, report_error, report_missing
from pclgen.schema.lint import Section, lost_in_member
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, TokenError, TokenIndex, parse_token
from pclgen.source.text import Span
from pclgen.stdlib.model import SEPARATOR, Function, Home
from pclgen.syntax import ast
from pclgen.types.declarations import Declaration, DeclarationKind, FunctionDecl, Package, ResourceDecl
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


# -- packages ---------------------------------------------------------------------------------------------------------------

_Section: TypeAlias = Literal["resources", "functions"]
_Member = TypeVar("_Member", ResourceDecl, FunctionDecl)


class _Unknown(Protocol):
    def __call__(self, token: str, package: str, span: Span, *, similar: str | None) -> Diagnostic: ...


class PackageTable(Struct, eq=False):
    """The packages of one program (components have their own table over the same store).

    Look-ups return None for a missing or unusable member, after a report.
    """

    store: SchemaStore
    bag: DiagnosticBag
    lenient: bool
    reported: set[BadSchema | NotFound | str] = field(default_factory=set)  # shared with the tables of components
    used: dict[str, Package] = field(default_factory=dict)
    homes: dict[str, Home] = field(default_factory=dict)
    """The packs of functions that are called."""
    inspected: set[tuple[str, str, str]] = field(default_factory=set)
    """Members of schemas whose errors were reported: package, section, token."""

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions of packs, by the name that programs use."""
        return self.store.functions.by_name if self.store.functions is not None else {}

    def refused_pack(self, function: str) -> str | None:
        """The pack that declares `function`, if the code of the pack must not run."""
        name, packs = function.partition(SEPARATOR)[0], self.store.functions
        return name if packs is not None and name in packs.refused else None

    def token(self, text: str, span: Span, *, hint: str | None = None) -> Token | None:
        """Parse a token; a malformed token is an error in every mode, reported with `hint`."""
        token = parse_token(text)
        if isinstance(token, TokenError):
            self.bag.add(say.malformed_token(text, token.reason, span, hint=hint))
            return None
        return token

    def nearest(self, text: str) -> str | None:
        """The resource type that the token `text` was likely meant to be; None if its package is unknown."""
        token = parse_token(text)
        package = self.store.find(token.package) if isinstance(token, Token) else None
        return package.resources.nearest(text) if isinstance(package, FoundPackage) else None

    def package(self, token: Token, span: Span) -> FoundPackage | None:
        """The package of a token. An unknown package is an error, in lenient mode a warning.

        A missing or unusable package is reported once, however many places need it.
        """
        package = self.store.find(token.package)
        if not isinstance(package, FoundPackage):
            if package not in self.reported:
                self.reported.add(package)
                severity = Severity.WARNING if self.lenient else Severity.ERROR
                self.bag.add(report_missing(package, span, severity=severity))
            return None
        return package

    def _home(self, token: Token, span: Span, section: _Section) -> FoundPackage | None:
        """The package that declares `token`: the package in the token, or an extension of it.

        Members of an extension may have tokens of the package that it extends, but they are in the SDK of the extension.
        """
        for name in self.store.extensions(token.package):
            extension = self.store.find(name)
            if isinstance(extension, FoundPackage) and _tokens(extension, section).find(token.text) is not None:
                return extension
        return self.package(token, span)

    def use(self, package: Package) -> None:
        """Record that the program refers to `package` (the built-in package is not a dependency)."""
        if package.name != "pulumi":
            self.used.setdefault(package.name, package)

    def resource(self, token: Token, span: Span) -> ResourceDecl | None:
        """The resource type that `token` names."""
        return self._declaration(token, span, "resources", read=FoundPackage.resource, unknown=say.unknown_resource)

    def function(self, token: Token, span: Span) -> FunctionDecl | None:
        """The function that `token` names."""
        return self._declaration(token, span, "functions", read=FoundPackage.function, unknown=say.unknown_function)

    def _declaration(
        self,
        token: Token,
        span: Span,
        section: _Section,
        *,
        read: Callable[[FoundPackage, Token], _Member | None],
        unknown: _Unknown,
    ) -> _Member | None:
        home = self._home(token, span, section)
        if home is None:
            return None
        try:
            declaration = read(home, token)
        except SchemaError as problem:
            self.bag.add(report_error(problem, token.text, span))
            return None
        tokens = _tokens(home, section)
        if declaration is None:
            diagnostic = unknown(token.text, home.package.name, span, similar=tokens.nearest(token.text))
            self.bag.add(softened(diagnostic, self.lenient))
            return None
        if tokens.find_current(token.text) is None and not token.is_provider:
            former = tokens.find_former(token.text)
            if former is not None:
                self.bag.add(say.former_name(token.text, tokens.spelling(former), span))
        self.use(declaration.package)
        self._report_losses(home, section, declaration.token, span)
        return declaration

    def object_type(self, declaration: Declaration, span: Span) -> None:
        """Record that the program writes an object of a declared type."""
        if declaration.kind is DeclarationKind.OBJECT and declaration.package is not None:
            package = self.store.find(declaration.package.name)
            if isinstance(package, FoundPackage):
                self._report_losses(package, "types", declaration.token, span)

    def _report_losses(self, package: FoundPackage, section: Section, token: str, span: Span) -> None:
        """Warn of errors in the member of a schema that is a file, since the user can correct a file."""
        key = (package.package.name, section, token)
        if package.path is None or key in self.inspected:
            return
        self.inspected.add(key)
        lost = lost_in_member(package.document, section, token)
        if lost:
            reasons = [f"{mistake.pointer}: {mistake.message}" for mistake in lost]
            self.bag.add(say.mistakes_in_member(token, package.package.name, reasons, span, where=package.where))


def _tokens(package: FoundPackage, section: _Section) -> TokenIndex:
    return package.resources if section == "resources" else package.functions
