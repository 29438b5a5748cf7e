"""Making a pack of a bound program.

Comes in: a program, what there is to say of it, the files that it names; what was asked of packages while it was compiled is
being recorded (`pclgen.uses`).  Goes out: the bytes of the pack, the same on every machine.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from pclgen.core.program import Program
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.document import (
    FORMAT,
    VERSION,
    About,
    Dependency,
    FunctionFiles,
    PackageEntry,
    PackDocument,
    Source,
    dump,
)
from pclgen.packs.encode import Encoder
from pclgen.packs.excerpts import excerpts_of
from pclgen.records import dataclass
from pclgen.source.load import LoadedProgram
from pclgen.source.packed import DataFile, Facts
from pclgen.source.text import SourceFile
from pclgen.version import VERSION as EDITION


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What goes into a pack: the program (None when it has mistakes unless it is read leniently), what there is to say of
    it, and, of a lenient pack, what there would be to say otherwise."""

    program: Program | None
    diagnostics: Sequence[Diagnostic]
    strictly: Sequence[Diagnostic] = ()
    lenient: bool = False
    data: Mapping[PurePosixPath, bytes]
    about: About


def pack(sources: LoadedProgram, content: Content) -> bytes:
    """The pack of a program."""
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
                Dependency(name=one.name, version=one.version, plugin_download_url=one.plugin_download_url) for one in used
            ],
            files=[Source(**row) for row in encoder.files.rows],
            data=[_data_file(path, found) for path, found in sorted(content.data.items())],
            packages=[
                PackageEntry(schema=msgspec.Raw(one.schema if one.schema is not None else b"null"), refers=one.refers)
                for one in packages
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


def _data_file(path: PurePosixPath, found: bytes) -> DataFile:
    try:
        return DataFile(path=str(path), text=found.decode("utf-8"))
    except UnicodeDecodeError:
        return DataFile(path=str(path), base64=base64.b64encode(found).decode())


def _names(sources: LoadedProgram) -> Callable[[SourceFile], str]:
    """Files are called as from the directory of the program, wherever the user stands; those of archives as they are."""
    if not sources.is_on_disk or sources.is_pack:
        return lambda file: file.name
    here = sources.named_from or Path()
    root = os.path.abspath(sources.root)

    def name_of(file: SourceFile) -> str:
        path = os.path.join(os.path.abspath(here), file.name)
        return PurePosixPath(os.path.relpath(path, root)).as_posix() if os.path.exists(path) else file.name

    return name_of
