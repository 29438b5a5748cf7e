"""Lowering of small programs against the `probe` package, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core.capabilities import Capabilities
from pclgen.core.check import check_lowered
from pclgen.core.pretty import pretty_program
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from pclgen.types import model as ty
from pclgen.types.declarations import Field
from tests.support.binding import bind_text


def _lifts_everything(source: ty.Type, name: str | None, field: Field | None) -> bool:
    return True


def _lifts_declared(source: ty.Type, name: str | None, field: Field | None) -> bool:
    return field is not None


def _lifts_nothing(source: ty.Type, name: str | None, field: Field | None) -> bool:
    return False


def _frees_ids(source: ty.Type, target: ty.Type) -> bool:
    same = {ty.STRING, ty.ID}
    enum_to_text = isinstance(source, ty.EnumType) and target is ty.STRING
    return source is target or {source, target} <= same or enum_to_text or (source is ty.INT and target is ty.NUMBER)


def _frees_nothing(source: ty.Type, target: ty.Type) -> bool:
    return source is target


CAPABILITIES = {
    "declared": Capabilities(can_lift=_lifts_declared, converts_freely=_frees_ids),
    "everything": Capabilities(can_lift=_lifts_everything, converts_freely=_frees_ids),
    "nothing": Capabilities(
        can_lift=_lifts_nothing, converts_freely=_frees_nothing, interpolates=False, json_over_outputs=False
    ),
}
"""Invented targets: one that lifts declared attributes, one that lifts every step, one without capabilities."""


def lower_text(text: str, target: str = "declared", components: Mapping[str, str] | None = None) -> Program:
    """Bind and lower `text`; it must be free of errors, and the result must keep the contract."""
    program, diagnostics = bind_text(text, components=components)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    bag = DiagnosticBag()
    lowered = lower_program(program, CAPABILITIES[target], bag)
    assert not bag.has_errors
    assert check_lowered(lowered, CAPABILITIES[target]) == []
    return lowered


def lowered_text(text: str, target: str = "declared", *, types: bool = False) -> str:
    """The printed form of the lowered `text`."""
    return pretty_program(lower_text(text, target), types=types)
