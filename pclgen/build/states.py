"""What a compilation depends on beside its sources, and whether that is still as it was.

Comes in: what was looked at (`pclgen.uses`), later the same as kept (`Needs`).  Goes out: a text that is equal as long as a
compilation would find the same: component folders by their files, named files by what there is, packages by what their
schemas say of the members that count.

Of a schema count: its head, the names of all members (names in SDKs depend on them), and the members that were asked for,
with all that they refer to.  A schema that was recovered from an installed SDK counts as a whole, by the SDK's version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from pclgen.deps.components import Components
from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, NotFound
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.references import methods_of, references_in
from pclgen.schema.sources import Wanted
from pclgen.source.carried import DataFileError, Finder
from pclgen.source.load import LoadedProgram, component_state
from pclgen.uses import Uses

_WHOLE = "sha256:"
"""What the identity of a schema begins with that was read as it is, not recovered."""


class PackageNeed(msgspec.Struct, frozen=True):
    """A package that was asked for, with the kinds and tokens of the members that count."""

    wanted: Wanted
    members: list[tuple[str, str]]


class Needs(msgspec.Struct, frozen=True):
    """What a compilation looked at, as it is kept."""

    directories: list[str]
    files: list[tuple[str, bool]]
    packages: list[PackageNeed]
    versions: list[str]


def needs_of(uses: Uses, store: SchemaStore) -> Needs:
    """What to keep of `uses`."""
    packages: list[PackageNeed] = []
    for wanted in uses.packages:
        assert isinstance(wanted, Wanted)
        found = store.ask(wanted)
        document = found.document if isinstance(found, FoundPackage) else None
        members = uses.members.get(id(document), set()) | (document.naming if document is not None else set())
        packages.append(PackageNeed(wanted=wanted, members=sorted(members)))
    return Needs(
        directories=sorted(uses.directories),
        files=list(uses.files),
        packages=sorted(packages, key=lambda need: repr(need.wanted)),
        versions=sorted(uses.versions),
    )


def state_of(needs: Needs, sources: LoadedProgram, store: SchemaStore, seen: Mapping[str, str] | None = None) -> str:
    """How what `needs` names is now; `seen` are folders as they were when they were read."""
    components = Components(sources, store)
    parts: list[object] = [
        [(seen or {}).get(name) or component_state(components.read(name)) for name in needs.directories],
        _files_state(needs, sources),
        [_package_state(need, store) for need in needs.packages],
        [list(store.versions(name)) for name in needs.versions],
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _files_state(needs: Needs, sources: LoadedProgram) -> list[object]:
    finder = Finder(root=sources.root)
    states: list[object] = []
    for path, may_be_folder in needs.files:
        try:
            states.append([str(file.path) for file in finder.find(path, may_be_folder=may_be_folder)])
        except DataFileError as error:
            states.append(f"{error.problem}: {error}")
    return states


def _package_state(need: PackageNeed, store: SchemaStore) -> str:
    found = store.ask(need.wanted)
    match found:
        case FoundPackage():
            return _found_state(found, need.members, store)
        case NotFound() | BadSchema():
            return repr(found)


def _found_state(found: FoundPackage, members: Iterable[tuple[str, str]], store: SchemaStore) -> str:
    document = found.document
    if not document.identity.startswith(_WHOLE):
        return f"{document.identity} {_digest(msgspec.json.encode(document.header))}"
    pieces = {"head": _digest(msgspec.json.encode(document.header)), "names": _names(document)}
    waiting = [*members, ("provider", "")]
    while waiting:
        kind, token = waiting.pop()
        if f"{kind} {token}" in pieces:
            continue
        member = found.package.written.member(kind, token) if found.package.written is not None else None
        if member is None:
            # Former names stand in other members: whoever asks for a name that is none depends on all of them.
            pieces[f"{kind} {token}"] = document.identity
            continue
        pieces[f"{kind} {token}"] = _digest(member[1])
        waiting += _referred(member[1], kind, pieces, store)
    return msgspec.json.encode(sorted(pieces.items())).decode()


def _referred(raw: bytes, kind: str, pieces: dict[str, str], store: SchemaStore) -> list[tuple[str, str]]:
    """The members that a member refers to.  Other schemas that it refers to count as a whole, and go to `pieces`."""
    found: list[tuple[str, str]] = [("functions", token) for token in methods_of(raw, kind)]
    for reference in references_in(raw):
        if reference.package:
            for version in (None, reference.version or None):
                pieces[f"other {reference.package} {version}"] = _whole(reference.package, version, store)
        else:
            found.append((reference.kind.value, reference.token))
    return found


def _whole(name: str, version: str | None, store: SchemaStore) -> str:
    found = store.find(name, version)
    if not isinstance(found, FoundPackage):
        return repr(found)
    return f"{found.document.identity} {_digest(msgspec.json.encode(found.document.header))}"


def _names(document: Document) -> str:
    members = document.members
    return _digest(msgspec.json.encode([list(members.resources), list(members.types), list(members.functions)]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
