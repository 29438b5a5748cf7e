"""Dependencies of a compilation besides its sources, and a fingerprint of their present state.

The fingerprint is equal as long as a compilation would read the same data: component folders count by their files, named
files by their existence, packages by the relevant parts of their schemas. These are the header, the names of all members
(SDK names depend on them), and the requested members with everything that they refer to. A schema recovered from an
installed SDK counts completely, by the version of the SDK.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from pclgen.deps.components import Components
from pclgen.reads import ReadSet
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, NotFound
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.references import methods_of, references_in
from pclgen.schema.sources import Requirement
from pclgen.source.carried import DataFileError, Finder
from pclgen.source.load import LoadedProgram, component_state

_WHOLE = "sha256:"
"""Prefix of the identity of an original schema, as opposed to a recovered one."""


class PackageDependency(msgspec.Struct, frozen=True):
    """A requested package, with kinds and tokens of the relevant members."""

    requirement: Requirement
    members: list[tuple[str, str]]


class Dependencies(msgspec.Struct, frozen=True):
    """The dependencies of a compilation in stored form."""

    directories: list[str]
    files: list[tuple[str, bool]]
    packages: list[PackageDependency]
    versions: list[str]


def dependencies_of(reads: ReadSet, store: SchemaStore) -> Dependencies:
    """Return the recorded `reads` in stored form."""
    packages: list[PackageDependency] = []
    for requirement in reads.packages:
        assert isinstance(requirement, Requirement)
        result = store.ask(requirement)
        document = result.document if isinstance(result, FoundPackage) else None
        members = reads.members.get(id(document), set()) | (document.naming if document is not None else set())
        packages.append(PackageDependency(requirement=requirement, members=sorted(members)))
    return Dependencies(
        directories=sorted(reads.directories),
        files=list(reads.files),
        packages=sorted(packages, key=lambda need: repr(need.requirement)),
        versions=sorted(reads.versions),
    )


def fingerprint_of(
    dependencies: Dependencies, sources: LoadedProgram, store: SchemaStore, seen: Mapping[str, str] | None = None
) -> str:
    """Return the present fingerprint of `dependencies`; `seen` holds the states of folders at the time of reading."""
    components = Components(sources, store)
    parts: list[object] = [
        [(seen or {}).get(name) or component_state(components.read(name)) for name in dependencies.directories],
        _files_fingerprint(dependencies, sources),
        [_package_fingerprint(need, store) for need in dependencies.packages],
        [list(store.versions(name)) for name in dependencies.versions],
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _files_fingerprint(dependencies: Dependencies, sources: LoadedProgram) -> list[object]:
    finder = Finder(root=sources.root)
    states: list[object] = []
    for path, may_be_folder in dependencies.files:
        try:
            states.append([str(file.path) for file in finder.find(path, may_be_folder=may_be_folder)])
        except DataFileError as error:
            states.append(f"{error.problem}: {error}")
    return states


def _package_fingerprint(need: PackageDependency, store: SchemaStore) -> str:
    result = store.ask(need.requirement)
    match result:
        case FoundPackage():
            return _schema_fingerprint(result, need.members, store)
        case NotFound() | BadSchema():
            return repr(result)


def _schema_fingerprint(package: FoundPackage, members: Iterable[tuple[str, str]], store: SchemaStore) -> str:
    document = package.document
    if not document.identity.startswith(_WHOLE):
        return f"{document.identity} {_digest(msgspec.json.encode(document.header))}"
    pieces = {"head": _digest(msgspec.json.encode(document.header)), "names": _names(document)}
    waiting = [*members, ("provider", "")]
    while waiting:
        kind, token = waiting.pop()
        if f"{kind} {token}" in pieces:
            continue
        member = package.package.written.member(kind, token) if package.package.written is not None else None
        if member is None:
            # Former names are part of other members, so a lookup of an unknown name depends on all of them.
            pieces[f"{kind} {token}"] = document.identity
            continue
        pieces[f"{kind} {token}"] = _digest(member[1])
        waiting += _referred(member[1], kind, pieces, store)
    return msgspec.json.encode(sorted(pieces.items())).decode()


def _referred(raw: bytes, kind: str, pieces: dict[str, str], store: SchemaStore) -> list[tuple[str, str]]:
    """Return the members that a member refers to. Other referenced schemas are added to `pieces` completely."""
    references: list[tuple[str, str]] = [("functions", token) for token in methods_of(raw, kind)]
    for reference in references_in(raw):
        if reference.package:
            for version in (None, reference.version or None):
                pieces[f"other {reference.package} {version}"] = _whole(reference.package, version, store)
        else:
            references.append((reference.kind.value, reference.token))
    return references


def _whole(name: str, version: str | None, store: SchemaStore) -> str:
    result = store.find(name, version)
    if not isinstance(result, FoundPackage):
        return repr(result)
    return f"{result.document.identity} {_digest(msgspec.json.encode(result.document.header))}"


def _names(document: Document) -> str:
    members = document.members
    return _digest(msgspec.json.encode([list(members.resources), list(members.types), list(members.functions)]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
