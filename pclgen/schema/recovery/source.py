"""Installed Python SDKs as a source of schemas: `pip install pulumi-aws` suffices for a program.

Members are recovered on request. Nothing is imported, and only files of requested members are parsed.

    source = InstalledSource(default_folders())
    [candidate] = source.candidates(Requirement(name="aws"))
    document = source.read(candidate)
    document.members.resources["aws:s3/bucket:Bucket"]      b'{"properties": …'

`docs/contributing/decisions/0109-recovered-schemas.md` lists the information that cannot be recovered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TypeVar

import msgspec
from msgspec import Raw

from pclgen.schema.document import ABSENT, BaseProviderSpec, Document, Header, Members, ParameterizationSpec
from pclgen.schema.errors import BadSchema, SchemaError
from pclgen.schema.recovery.annotations import Names, Spec
from pclgen.schema.recovery.conventions import (
    PUBLISHED,
    has_empty_inputs,
    languages_of,
    meta_of,
    namespace_of,
    repository_of,
)
from pclgen.schema.recovery.folders import Installation, installations
from pclgen.schema.recovery.layout import Layout, SourceError
from pclgen.schema.recovery.members import MemberReader
from pclgen.schema.sources import Candidate, Reading, Requirement, SchemaSource

_T = TypeVar("_T")


class InstalledSource(SchemaSource):
    """The SDKs installed in some site-packages folders.  Listed once, on first use."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders: tuple[Path, ...] = tuple(folders)
        self._lock = RLock()
        self._names: dict[Path, Names] = {}

    @property
    def where(self) -> str:
        """The folders."""
        return f"the installed Python packages ({', '.join(str(folder) for folder in self.folders)})"

    def names(self) -> Sequence[str]:
        """The packages with an installed SDK, sorted."""
        return sorted({installation.name for installation in self._installed})

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """The installed SDKs of a package, those of the first folder first."""
        return [
            Candidate(name=installation.name, version=installation.version or None, where=str(installation.folder))
            for installation in self._installed
            if installation.name == requirement.name
        ]

    def fingerprint(self, candidate: Candidate) -> str:
        """The identity of the installation, which changes when its files do."""
        return self._installation(candidate).identity()

    def read(self, candidate: Candidate) -> Reading:
        """Return the document of an SDK.  Its members are found on request, and raise `SchemaError` then."""
        installation = self._installation(candidate)
        names = self._names_of(installation)
        try:
            header = self._header(names.layout)
        except SourceError as error:
            return BadSchema(name=installation.name, where=candidate.where, reason=str(error))
        return Document(header, _members(names), where=candidate.where, identity=installation.identity())

    def command(self, requirement: Requirement) -> str | None:
        """The `pip install` that gets the SDK of a package that is known to be published."""
        if requirement.name not in PUBLISHED or requirement.base is not None or requirement.download_url:
            return None
        version = f"=={requirement.version.removeprefix('v')}" if requirement.version is not None else ""
        return f"pip install pulumi-{requirement.name}{version}"

    @cached_property
    def _installed(self) -> tuple[Installation, ...]:
        return tuple(installation for folder in self.folders for installation in installations(folder))

    def _installation(self, candidate: Candidate) -> Installation:
        return next(installation for installation in self._installed if str(installation.folder) == candidate.where)

    def _names_of(self, installation: Installation) -> Names:
        with self._lock:
            names = self._names.get(installation.folder)
            if names is None:
                names = self._names[installation.folder] = Names(Layout(installation), self._sibling)
            return names

    def _sibling(self, import_name: str) -> Names | None:
        """The SDK that another one imports."""
        for installation in self._installed:
            if installation.import_name == import_name:
                return self._names_of(installation)
        return None

    def _header(self, layout: Layout) -> Header:
        installation = layout.installation
        base = installation.base
        parameterization = None
        if base is not None:
            provider = BaseProviderSpec(name=base.name, version=base.version, plugin_download_url=installation.server)
            parameterization = ParameterizationSpec(base_provider=provider, parameter=base.parameter)
        return Header(
            name=installation.name,
            version=installation.version,
            namespace=namespace_of(installation),
            plugin_download_url=installation.server if base is None else "",
            repository=repository_of(installation),
            meta=meta_of(layout),
            language=languages_of(layout),
            parameterization=parameterization if base is not None and not base.extension else None,
            extension_parameterization=parameterization if base is not None and base.extension else None,
        )


def _members(names: Names) -> Members:
    layout, reader = names.layout, MemberReader(names, empty_inputs=has_empty_inputs(names.layout))
    package = layout.installation.name

    def provider() -> Raw:
        spec = _recovered(package, "#/provider", reader.provider)
        return _raw(spec) if spec is not None else ABSENT

    def aliases() -> Iterable[tuple[str, str]]:
        return layout.aliases()

    return Members(
        resources=_Section(
            package=package,
            section="resources",
            tokens=lambda: tuple(layout.resources),
            has=lambda token: token in layout.resources,
            recover=reader.resource,
        ),
        types=_Section(
            package=package,
            section="types",
            tokens=lambda: tuple(names.types),
            has=lambda token: names.type_classes(token) is not None,
            recover=reader.type,
        ),
        functions=_Section(
            package=package,
            section="functions",
            tokens=lambda: (*layout.functions, *layout.methods),
            has=lambda token: token in layout.functions or token in layout.methods,
            recover=reader.function,
        ),
        provider=provider,
        aliases=aliases,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # A Struct cannot be a Mapping: their metaclasses differ.
class _Section(Mapping[str, Raw]):
    """A section of a schema whose members are recovered one by one.  Asking for one raises `SchemaError` when its source
    text cannot be used."""

    package: str
    section: str
    tokens: Callable[[], tuple[str, ...]]
    has: Callable[[str], bool]
    recover: Callable[[str], Spec]

    def __getitem__(self, token: str) -> Raw:
        if token not in self:
            raise KeyError(token)
        return _raw(_recovered(self.package, f"#/{self.section}/{token}", lambda: self.recover(token)))

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and _recovered(self.package, f"#/{self.section}", lambda: self.has(token))

    def __iter__(self) -> Iterator[str]:
        return iter(_recovered(self.package, f"#/{self.section}", self.tokens))

    def __len__(self) -> int:
        return len(_recovered(self.package, f"#/{self.section}", self.tokens))


def _recovered(package: str, path: str, find: Callable[[], _T]) -> _T:
    try:
        return find()
    except SourceError as error:
        raise SchemaError(package=package, path=path, reason=str(error)) from error


def _raw(spec: Spec) -> Raw:
    return Raw(msgspec.json.encode(spec))
