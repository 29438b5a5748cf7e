"""Packages as a program sees them: looked up once, with `package` blocks and lenient mode taken into account.

A `PackageTable` finds the declarations of tokens in a schema store, reports unknown ones, and lists the packages in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from pclgen.diagnostics import packages as say
from pclgen.diagnostics.make import softened
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.schema.errors import BadSchema, NotFound, SchemaError
from pclgen.schema.lint import Section, lost_in_member
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.report import report_error, report_missing
from pclgen.schema.tokens import Token, TokenError, TokenIndex, parse_token
from pclgen.source.text import Span
from pclgen.stdlib.model import SEPARATOR, Function, Home
from pclgen.types.declarations import Declaration, DeclarationKind, FunctionDecl, Package, ResourceDecl


class Absent(Struct, frozen=True):
    """A member that could not be had; it was reported."""


ABSENT = Absent()


class PackageTable(Struct, eq=False):
    """The packages of one program (components have their own table over the same store)."""

    store: SchemaStore
    bag: DiagnosticBag
    lenient: bool
    told: set[BadSchema | NotFound | str] = field(default_factory=set)  # shared with the tables of components
    used: dict[str, Package] = field(default_factory=dict)
    homes: dict[str, Home] = field(default_factory=dict)
    """The packs of functions that are called."""
    looked_at: set[tuple[str, str, str]] = field(default_factory=set)
    """Members of schemas whose mistakes were told: package, section, token."""

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions of packs, by the name that programs call them by."""
        return self.store.functions.by_name if self.store.functions is not None else {}

    def refused_pack(self, function: str) -> str | None:
        """The pack that `function` is of, if its code may not be run."""
        name, found = function.partition(SEPARATOR)[0], self.store.functions
        return name if found is not None and name in found.refused else None

    def token(self, text: str, span: Span, *, hint: str | None = None) -> Token | Absent:
        """The parts of a written token; a malformed one is an error in every mode, told with `hint`."""
        token = parse_token(text)
        if isinstance(token, TokenError):
            self.bag.add(say.malformed_token(text, token.reason, span, hint=hint))
            return ABSENT
        return token

    def package(self, token: Token, span: Span) -> FoundPackage | Absent:
        """The package of a token; unknown ones are errors, in lenient mode warnings.

        A package that is not there, or cannot be used, is one mistake, however many places need it: it is told once.
        """
        found = self.store.find(token.package)
        if not isinstance(found, FoundPackage):
            if found not in self.told:
                self.told.add(found)
                severity = Severity.WARNING if self.lenient else Severity.ERROR
                self.bag.add(report_missing(found, span, severity=severity))
            return ABSENT
        return found

    def _home(self, token: Token, span: Span, tokens: Callable[[FoundPackage], TokenIndex]) -> FoundPackage | Absent:
        """The package that declares `token`: the one it names, or an extension of that, whose members may have tokens of
        the package that it extends, while they are in SDKs of its own."""
        for name in self.store.extensions(token.package):
            found = self.store.find(name)
            if isinstance(found, FoundPackage) and tokens(found).find(token.text) is not None:
                return found
        return self.package(token, span)

    def use(self, package: Package) -> None:
        """Note that the program refers to `package` (the built-in one is not a dependency)."""
        if package.name != "pulumi":
            self.used.setdefault(package.name, package)

    def resource(self, token: Token, span: Span) -> ResourceDecl | Absent:
        """The resource type that `token` names."""
        found = self._home(token, span, lambda package: package.resources)
        if isinstance(found, Absent):
            return found
        try:
            declaration = found.resource(token)
        except SchemaError as problem:
            self.bag.add(report_error(problem, token.text, span))
            return ABSENT
        if declaration is None:
            similar = found.resources.nearest(token.text)
            self._unknown(say.unknown_resource(token.text, found.package.name, span, similar=similar))
            return ABSENT
        if found.resources.find_current(token.text) is None and not token.is_provider:
            former = found.resources.find_former(token.text)
            if former is not None:
                self.bag.add(say.former_name(token.text, found.resources.spelling(former), span))
        self.use(declaration.package)
        self._tell_losses(found, "resources", declaration.token, span)
        return declaration

    def function(self, token: Token, span: Span) -> FunctionDecl | Absent:
        """The function that `token` names."""
        found = self._home(token, span, lambda package: package.functions)
        if isinstance(found, Absent):
            return found
        try:
            declaration = found.function(token)
        except SchemaError as problem:
            self.bag.add(report_error(problem, token.text, span))
            return ABSENT
        if declaration is None:
            similar = found.functions.nearest(token.text)
            self._unknown(say.unknown_function(token.text, found.package.name, span, similar=similar))
            return ABSENT
        self.use(declaration.package)
        self._tell_losses(found, "functions", declaration.token, span)
        return declaration

    def object_type(self, declaration: Declaration, span: Span) -> None:
        """Note that the program writes an object of a declared type."""
        if declaration.kind is DeclarationKind.OBJECT and declaration.package is not None:
            found = self.store.find(declaration.package.name)
            if isinstance(found, FoundPackage):
                self._tell_losses(found, "types", declaration.token, span)

    def _tell_losses(self, found: FoundPackage, section: Section, token: str, span: Span) -> None:
        """Warn of mistakes in the member of a schema that somebody has written or can mend: one that is a file."""
        key = (found.package.name, section, token)
        if found.path is None or key in self.looked_at:
            return
        self.looked_at.add(key)
        lost = lost_in_member(found.document, section, token)
        if lost:
            reasons = [f"{mistake.pointer}: {mistake.message}" for mistake in lost]
            self.bag.add(say.mistakes_in_member(token, found.package.name, reasons, span, where=found.where))

    def _unknown(self, diagnostic: Diagnostic) -> None:
        self.bag.add(softened(diagnostic, self.lenient))
