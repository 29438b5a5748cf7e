"""The schemas that refer to each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.support.standins.go.names import Sdk
from tests.support.standins.go.usage import Usage
from tests.support.standins.homes import declaring
from tests.support.standins.schema import Named, read_schema


class World:
    """SDKs by package and version; references between packages lead to the version they name, else the highest."""

    def __init__(self, schemas: Iterable[Path]) -> None:
        self._sdks: dict[tuple[str, str], Sdk] = {}
        self._usages: dict[Sdk, Usage] = {}
        for path in sorted(schemas):
            sdk = Sdk(read_schema(path))
            self._sdks[sdk.schema.name, sdk.schema.version] = sdk

    def sdks(self) -> list[Sdk]:
        """All, in the order of name and version."""
        return [self._sdks[key] for key in sorted(self._sdks)]

    def usage(self, sdk: Sdk) -> Usage:
        """Which forms the types of an SDK have."""
        if sdk not in self._usages:
            self._usages[sdk] = Usage(sdk)
        return self._usages[sdk]

    def home(self, named: Named, of: Sdk) -> Sdk:
        """The SDK that declares what `of` refers to.  Raises `KeyError` when it is not there."""
        return declaring(sorted(self._sdks.values(), key=lambda sdk: sdk.major), named, of)
