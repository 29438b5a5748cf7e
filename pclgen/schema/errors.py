"""What can be wrong with schemas, as values and one exception.

`BadSchema` and `NotFound` are answers of the store.  `SchemaError` is raised while a member is read (that happens deep
inside `Declaration.fields`, which has no room for an answer); `bind` turns it into one diagnostic.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class SchemaError(Exception):
    """A member of a schema cannot be used.

    `package` is the package of the schema, `path` the JSON pointer of the spoiled place (`#/resources/a:b:C/properties/p`),
    `reason` a text for the reader of a diagnostic.  `missing` is the (name, version) of a package that the member needs and
    nobody has; it is None for all other mistakes.
    """

    def __init__(self, *, package: str, path: str, reason: str, missing: tuple[str, str] | None = None) -> None:
        super().__init__(f"{package}: {path}: {reason}")
        self.package = package
        self.path = path
        self.reason = reason
        self.missing = missing


@dataclass(frozen=True, slots=True, kw_only=True)
class BadSchema:
    """A schema file that cannot be used at all: `reason` says why, `path` which."""

    name: str
    path: Path
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound:
    """No schema for what was asked.

    `tried` are the places looked into, `names` all packages found there, `versions` the versions that exist of `name`
    (lowest first; empty when the package is unknown).
    """

    name: str
    version: str | None
    tried: tuple[Path, ...]
    names: tuple[str, ...]
    versions: tuple[str, ...]
