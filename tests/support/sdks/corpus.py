"""The schemas of the shared corpus that have generated SDKs."""

from __future__ import annotations

from pathlib import Path

from tests.support.corpus import CORPUS
from tests.support.sdks.go import Kit, sdk_kit

BROKEN = ("bad-3.0.0.json", "dangling-reference-bad-0.1.0.json")
"""Schemas without valid types, on purpose."""

UNPUBLISHED = ("std-2.3.2.json", "azuread-6.10.0.json", "docker-5.1.0.json")
"""Of the packages of the field programs, those without a Go SDK of this major version."""

NOT_FOR_GO = (
    "random-4.11.2.json",  # this major version is published
    "component-13.3.7.json",  # conformance has the same version with other contents; no program needs this schema
)
"""Schemas of `codegen` without a generated SDK for Go."""


def schemas_of(kind: str) -> list[Path]:
    """Return the schemas of a part of the corpus (`conformance`, `codegen`)."""
    return [path for path in sorted((CORPUS / "schemas" / kind).glob("*.json")) if path.name not in BROKEN]


def corpus_kit() -> Kit:
    """Return Go SDKs of the packages of `conformance` and `codegen`, and of the unpublished ones of `field`.  Raises `ToolError`."""
    codegen = [path for path in schemas_of("codegen") if path.name not in NOT_FOR_GO]
    return sdk_kit([*schemas_of("conformance"), *codegen, *(CORPUS / "schemas" / "real" / name for name in UNPUBLISHED)])
