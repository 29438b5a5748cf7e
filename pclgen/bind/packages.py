"""The packages of a program, looked up once, subject to `package` blocks and lenient mode.

A `PackageTable` finds the declarations of tokens in a schema store, reports unknown tokens, and lists the packages in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

from pclgen.diagnostics import packages as say
from pclgen.diagnostics.make import softened
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.schema.errors import BadSchema, NotFound, SchemaError, report_error, report_missing
from pclgen.schema.lint import Section, lost_in_member
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, TokenError, TokenIndex, parse_token
from pclgen.source.text import Span
from pclgen.stdlib.model import SEPARATOR, Function, Home
from pclgen.types.declarations import Declaration, DeclarationKind, FunctionDecl, Package, ResourceDecl

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
