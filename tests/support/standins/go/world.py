"""The schemas that refer to each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.support.standins.go.names import Sdk
from tests.support.standins.go.usage import Usage
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
        if not named.package or named.package == of.schema.name:
            return of
        if (named.package, named.version) in self._sdks:
            return self._sdks[named.package, named.version]
        found = [sdk for (name, _), sdk in self._sdks.items() if name == named.package]
        if not found:
            raise KeyError(f"{of.schema.name} refers to {named.package}, whose schema is not given")
        return max(found, key=lambda sdk: sdk.major)
