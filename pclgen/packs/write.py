"""Writing of a pack from a bound program; the bytes are the same on every machine.

Uses of packages are recorded (`pclgen.uses`) while the program is compiled.
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
from pclgen.packs.excerpts import excerpts_of
from pclgen.source.load import LoadedProgram
from pclgen.source.packed import DataFile, Facts
from pclgen.source.text import SourceFile
from pclgen.version import VERSION as EDITION


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
    program = encoder.program(content.program) if content.program is not None else None
    diagnostics, strictly = encoder.diagnostics(content.diagnostics), encoder.diagnostics(content.strictly)
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
