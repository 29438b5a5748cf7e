"""The schemas of the shared corpus that stand-ins are made from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.corpus import CORPUS

LEFT_OUT: Mapping[str, str] = {
    "conformance/bad-3.0.0.json": "its types are no types, on purpose",
    "codegen/dangling-reference-bad-0.1.0.json": "its types are not there, on purpose",
}
"""Schemas without a stand-in, and why."""


def schemas_of(kind: str) -> list[Path]:
    """The schemas of a part of the corpus (`conformance`, `codegen`) that can be made into SDKs."""
    found = sorted((CORPUS / "schemas" / kind).glob("*.json"))
    return [path for path in found if f"{kind}/{path.name}" not in LEFT_OUT]
