"""Reading of a pack: its bound program, without sources and schemas. Packs are untrusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.program import Program
from pclgen.diagnostics.dependencies import inconsistent, newer_pack, no_pack
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.decode import Decoder, PackError, listed
from pclgen.packs.document import DocumentError, PackDocument, load
from pclgen.packs.forms import COMPONENT, DIAGNOSTIC, PROGRAM, SYMBOL
from pclgen.schema.document import read_document
from pclgen.schema.errors import SchemaError
from pclgen.schema.package import builtin_package, open_package
from pclgen.source.text import SourceFile
from pclgen.stdlib.packs import Functions
from pclgen.types.declarations import Package

_T = TypeVar("_T")


class PackContent(Struct, frozen=True, kw_only=True):
    """The content of a pack. `program` is None if there are errors."""

    program: Program | None
    diagnostics: tuple[Diagnostic, ...]


def read_pack(data: bytes, name: str, *, lenient: bool = False, functions: Functions | None = None) -> PackContent:
    """Return the bound program in the pack `data` of the file `name`; `functions` are user functions that can be computed
    here.

    An invalid pack gives one diagnostic.
    """
    try:
        document = load(data)
    except DocumentError as error:
        diagnostic = newer_pack(name, error.reason) if error.newer else no_pack(name, error.reason)
        return PackContent(program=None, diagnostics=(diagnostic,))
    try:
        program, diagnostics, strictly = _decoded(document, functions or Functions())
    except PackError as error:
        return PackContent(program=None, diagnostics=(no_pack(name, error.reason, error.pointer),))
    except SchemaError as error:
        reason = f"the schema of {error.package}: {error.reason}"
        return PackContent(program=None, diagnostics=(no_pack(name, reason, error.path),))
    except Exception as error:  # whatever the types of a program that no binder has made do to each other
        return PackContent(program=None, diagnostics=(inconsistent(name, f"{type(error).__name__}: {error}"),))
    if document.lenient and not lenient:
        return PackContent(program=None, diagnostics=strictly)
    return PackContent(program=replace(program, pack=name) if program is not None else None, diagnostics=diagnostics)


def _decoded(
    document: PackDocument, functions: Functions
) -> tuple[Program | None, tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    files = [SourceFile(source.name, source.text) for source in document.files]
    decoder = Decoder(files, _packages(document), functions)
    for pack in document.function_packs:
        decoder.add_home(pack.name, pack.files)
    _rows("declarations", decoder.add_declaration, document.declarations)
    _rows("types", decoder.add_type, document.types)
    _rows("symbols", lambda row: decoder.symbols.append(decoder.part(SYMBOL, row)), document.symbols)
    _rows("functions", decoder.add_function, document.functions)
    _rows("components", lambda row: decoder.components.append(decoder.part(COMPONENT, row)), document.components)
    with _at("program"):
        program = decoder.part(PROGRAM, document.program) if document.program is not None else None
    diagnostics = _rows("diagnostics", partial(decoder.part, DIAGNOSTIC), document.diagnostics)
    strictly = _rows("strictly", partial(decoder.part, DIAGNOSTIC), document.strictly)
    return program, diagnostics, strictly


def _rows(key: str, read: Callable[[object], _T], rows: Sequence[object]) -> tuple[_T, ...]:
    with _at(key):
        return tuple(listed(read, rows))


@contextmanager
def _at(place: str | int) -> Iterator[None]:
    """Add `place` to the position of errors inside."""
    try:
        yield
    except PackError as error:
        error.place.append(place)
        raise


def _packages(document: PackDocument) -> list[Package]:
    """Return the packages, opened like those of schemas."""
    packages: list[Package] = []

    def refers(index: int) -> Callable[[str, str], Package]:
        def other(name: str, version: str) -> Package:
            at = document.packages[index].refers.get(f"{name} {version}".strip())
            if at is None or not 0 <= at < len(packages):
                reason = f"it refers to package `{name}`, which the pack does not carry"
                raise SchemaError(package="", path="", reason=reason)
            return packages[at]

        return other

    with _at("packages"):
        for index, entry in enumerate(document.packages):
            raw = bytes(entry.schema)
            if raw == b"null":
                packages.append(builtin_package().package)
                continue
            schema = read_document(raw, where=f"the pack {document.name}")
            if isinstance(schema, str):
                raise PackError(schema, "schema", index)
            try:
                packages.append(open_package(schema, refers(index)).package)
            except ValueError as error:
                raise PackError(str(error), "schema", index) from error
    return packages
