"""Schemas written in tests: JSON on disk, and stores over them."""

from __future__ import annotations

import json
from pathlib import Path

from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, parse_token

# JSON as tests write it, since package authors may write any values.
Schema = dict[str, object]


def write_schema(directory: Path, schema: Schema, file: str | None = None) -> Path:
    """Write `schema` under the usual file name, or under `file`."""
    name, version = schema.get("name"), schema.get("version")
    path = directory / (file or (f"{name}-{version}.json" if version else f"{name}.json"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(schema), encoding="utf-8")
    return path


def open_schemas(directory: Path, *schemas: Schema) -> FoundPackage:
    """The first of `schemas`, opened from a store that has all of them."""
    for schema in schemas:
        write_schema(directory, schema)
    package = SchemaStore([directory]).find(str(schemas[0]["name"]))
    assert isinstance(package, FoundPackage), package
    return package


def token(text: str) -> Token:
    """The parsed form of a well-formed token."""
    parsed = parse_token(text)
    assert isinstance(parsed, Token), parsed
    return parsed
