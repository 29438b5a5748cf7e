"""Writing of a pack from a bound program; the bytes are the same on every machine.

Uses of packages are recorded (`pclgen.reads`) while the program is compiled. The excerpt of a schema (docs/packs.md,
Packages) has the members that were used, and everything that they refer to, also in other packages. Other members are null,
since their names still influence names in SDKs.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from pclgen.core.program import Program
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.document import (
    FORMAT,
    VERSION,
    Dependency,
    FunctionFiles,
    PackageEntry,
    PackDocument,
    PackInfo,
    Source,
    dump,
)
from pclgen.packs.encode import Encoder
from pclgen.schema.errors import SchemaError
from pclgen.schema.grammar import methods_of, references_in
from pclgen.schema.package import PULUMI
from pclgen.source.load import LoadedProgram
from pclgen.source.packed import DataFile, Facts
from pclgen.source.text import SourceFile
from pclgen.types.declarations import Package, Written
from pclgen.version import VERSION as EDITION


class Excerpt(Struct):
    """The schema of a package with some members, None for the package `pulumi`; `refers` maps name and version of
    references to other packages to their index in the pack."""

    schema: bytes | None
    refers: dict[str, int]


def excerpts_of(packages: Sequence[Package]) -> list[Excerpt]:
    """Return the excerpts of `packages`, followed by those of packages that they refer to."""
    all_packages: list[Package] = [*packages]
    members: list[set[tuple[str, str]]] = [set() for _ in packages]
    refers: list[dict[str, int]] = [{} for _ in packages]
    waiting: list[tuple[int, str, str]] = []
    for index, package in enumerate(packages):
        waiting += [(index, kind, token) for kind, token in sorted(_written(package).asked())]
        waiting.append((index, "provider", ""))
    while waiting:
        index, kind, token = waiting.pop()
        written = _written(all_packages[index])
        member = written.member(kind, token)
        if member is None or (kind, member[0]) in members[index]:
            continue
        members[index].add((kind, member[0]))
        waiting += [(index, "functions", method) for method in methods_of(member[1], kind)]
        for reference in references_in(member[1]):
            if reference.package in ("", all_packages[index].name):
                waiting.append((index, reference.kind.value, reference.token))
                continue
            key = f"{reference.package} {reference.version}".strip()
            if key not in refers[index]:
                try:
                    other = written.other(reference.package, reference.version)
                except SchemaError:
                    continue  # it cannot have been used
                at = next((at for at, other_package in enumerate(all_packages) if other_package is other), len(all_packages))
                if at == len(all_packages):
                    all_packages.append(other)
                    members.append(set())
                    refers.append({})
                    waiting.append((at, "provider", ""))
                refers[index][key] = at
            waiting.append((refers[index][key], reference.kind.value, reference.token))
    return [
        Excerpt(
            _written(other_package).excerpt(members[index]) if other_package.name != PULUMI else None,
            dict(sorted(refers[index].items())),
        )
        for index, other_package in enumerate(all_packages)
    ]


def _written(package: Package) -> Written:
    assert package.written is not None, "packages that programs are bound against come from schemas"
    return package.written


class Content(Struct, frozen=True, kw_only=True):
    """The content of a new pack.

    `program` is None if it has errors (unless it is read leniently); `strictly` are the diagnostics of a strict read, in
    a lenient pack.
    """

    program: Program | None
    diagnostics: Sequence[Diagnostic]
    strictly: Sequence[Diagnostic] = ()
    lenient: bool = False
    data: Mapping[PurePosixPath, bytes]
    about: PackInfo


def pack(sources: LoadedProgram, content: Content) -> bytes:
    """Return the pack of a program."""
    encoder = Encoder(_names(sources))
    program = encoder.node(content.program) if content.program is not None else None
    diagnostics, strictly = [[encoder.node(each) for each in part] for part in (content.diagnostics, content.strictly)]
    functions = [encoder.function(encoder.functions[name]) for name in sorted(encoder.functions)]
    packages = excerpts_of(encoder.packages)
    used = content.program.packages if content.program is not None else ()
    facts = sources.project
    return dump(
        PackDocument(
            format=FORMAT,
            version=VERSION,
            digest="",
            edition=f"pclgen {EDITION}",
            name=sources.name,
            about=content.about,
            project=Facts(name=facts.name, description=facts.description, main=facts.main),
            lenient=content.lenient,
            dependencies=[
                Dependency(name=package.name, version=package.version, plugin_download_url=package.plugin_download_url)
                for package in used
            ],
            files=[Source(**row) for row in encoder.files.rows],
            data=[_data_file(path, content_bytes) for path, content_bytes in sorted(content.data.items())],
            packages=[
                PackageEntry(
                    schema=msgspec.Raw(package.schema if package.schema is not None else b"null"), refers=package.refers
                )
                for package in packages
            ],
            function_packs=[
                FunctionFiles(name=home.name, files=dict(sorted(home.files.items())))
                for _, home in sorted(encoder.homes.items())
            ],
            functions=functions,
            declarations=encoder.declarations.rows,
            types=encoder.types.rows,
            symbols=encoder.symbols.rows,
            components=encoder.components.rows,
            program=program,
            diagnostics=diagnostics,
            strictly=strictly,
        )
    )


def _data_file(path: PurePosixPath, content: bytes) -> DataFile:
    try:
        return DataFile(path=str(path), text=content.decode("utf-8"))
    except UnicodeDecodeError:
        return DataFile(path=str(path), base64=base64.b64encode(content).decode())


def _names(sources: LoadedProgram) -> Callable[[SourceFile], str]:
    """Return a function that names files relative to the directory of the program; files of archives keep their names."""
    if not sources.is_on_disk or sources.is_pack:
        return lambda file: file.name
    here = sources.named_from or Path()
    root = os.path.abspath(sources.root)

    def name_of(file: SourceFile) -> str:
        path = os.path.join(os.path.abspath(here), file.name)
        return PurePosixPath(os.path.relpath(path, root)).as_posix() if os.path.exists(path) else file.name

    return name_of
