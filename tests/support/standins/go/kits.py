"""The stand-ins that the programs of the shared corpus need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.corpus import CORPUS
from tests.support.sdks.go import sdk_kit
from tests.support.standins.corpus import schemas_of
from tests.support.standins.go.check import Kit, stand_in_kit

UNPUBLISHED = ("std-2.3.2.json", "azuread-6.10.0.json", "docker-5.1.0.json")
"""Of the packages of the field programs, those without a Go SDK of this major version."""

LEFT_OUT: Mapping[str, str] = {
    "codegen/random-4.11.2.json": "this major version is published",
    "codegen/component-13.3.7.json": "conformance has other contents of the same version; no program needs this one",
}
"""Schemas without a stand-in in Go, and why; beside those that have none in any language."""


def corpus_kit() -> Kit:
    """SDKs of the packages of `conformance` and `codegen`, and of the unpublished ones of `field`, as the reference writes
    them.  Raises `ToolError`.
    """
    return sdk_kit(_schemas())


def stand_in_corpus_kit() -> Kit:
    """Stand-ins for the same packages.  Raises `ToolError`."""
    return stand_in_kit(_schemas())


def _schemas() -> list[Path]:
    found = [*schemas_of("conformance"), *schemas_of("codegen")]
    kept = [path for path in found if f"{path.parent.name}/{path.name}" not in LEFT_OUT]
    return [*kept, *(CORPUS / "schemas" / "real" / name for name in UNPUBLISHED)]
