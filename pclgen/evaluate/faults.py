"""Failures of evaluation.

A `FaultError` is raised where a value is refused without a known location; a caller that knows the location turns it into
an `EvaluationError`, which has the diagnostic and collects the trail ("evaluated from here") as it propagates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics.model import Diagnostic, note
from pclgen.source.text import Span
from pclgen.types.model import Primitive

if TYPE_CHECKING:
    from pclgen.evaluate.values import Meta

_LONGEST_TRAIL = 12


class Unread(Struct, frozen=True):
    """A text that does not parse as the number or bool (`target`) to which the program converts it."""

    text: str
    target: Primitive


class FaultError(Exception):
    """A refusal without a location: `make` returns the diagnostic for a location. `meta`: the metadata of the awaited
    outputs, if it happened inside an apply. `unread`: the text that does not convert to a number or a bool, if that is the
    reason."""

    def __init__(self, make: Callable[[Span], Diagnostic], *, unread: Unread | None = None) -> None:
        super().__init__("a value is refused")
        self.make = make
        self.meta: Meta | None = None
        self.unread = unread


class EvaluationError(Exception):
    """The program fails.  `meta` and `unread` are as those of `FaultError`."""

    def __init__(self, diagnostic: Diagnostic, *, meta: Meta | None = None, unread: Unread | None = None) -> None:
        super().__init__(diagnostic.message)
        self.meta = meta
        self.unread = unread
        self._diagnostic = diagnostic
        self._trail: list[tuple[str, Span]] = []

    def via(self, message: str, span: Span) -> None:
        """Add a step to the trail, from the inside out."""
        if self._trail and self._trail[-1][1] == span:
            return
        self._trail.append((message, span))

    @property
    def diagnostic(self) -> Diagnostic:
        """The diagnostic with the trail as notes; a long trail is cut in the middle."""
        trail = self._trail
        if len(trail) > _LONGEST_TRAIL:
            trail = [*trail[: _LONGEST_TRAIL - 2], *trail[-2:]]
        notes = tuple(note(message, span) for message, span in trail)
        return replace(self._diagnostic, notes=(*self._diagnostic.notes, *notes))
