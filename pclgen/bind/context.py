"""What every binding function receives: where diagnostics go, the mode, the scope, the packages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pclgen.bind.packages import PackageTable
from pclgen.bind.scope import Scope
from pclgen.diagnostics.make import note, softened
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Note
from pclgen.types.model import Type


@dataclass(frozen=True, slots=True)
class Context:
    """Immutable; a function that needs another scope passes on a changed copy."""

    bag: DiagnosticBag
    packages: PackageTable
    scope: Scope
    lenient: bool = False

    def inside(self, scope: Scope) -> Context:
        """The same with `scope`."""
        return replace(self, scope=scope)

    def report(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic."""
        self.bag.add(diagnostic)

    def report_softly(self, diagnostic: Diagnostic) -> None:
        """Record a diagnostic that lenient mode turns into a warning (spec 8.2)."""
        self.bag.add(softened(diagnostic, self.lenient))


@dataclass(frozen=True, slots=True)
class Want:
    """An expected type and why it is expected."""

    type: Type
    because: tuple[Note, ...] = ()

    def inner(self, type_: Type) -> Want:
        """The expectation for a part, for the same reason."""
        return Want(type_, self.because)


def because(message: str) -> tuple[Note, ...]:
    """A reason of one note."""
    return (note(message),)
