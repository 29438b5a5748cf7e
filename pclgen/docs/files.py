"""Files with Markdown: Markdown files, and package schemas, whose descriptions are Markdown.

Edits preserve all other bytes, also in schemas, whose strings are edited in place.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from msgspec import Struct

from pclgen.docs.regions import Edit, apply
from pclgen.source.data import DataError, read_json
from pclgen.source.files import fence_of, is_inside, read_regular
from pclgen.source.load import LoadError
from pclgen.source.text import SourceFile

SUFFIXES: Final = (".md", ".markdown", ".mdx")
SCHEMA_SUFFIX: Final = ".json"
_TEXTS: Final = frozenset({"description", "deprecationMessage"})
_SECTIONS: Final = frozenset({"resources", "functions", "types", "provider", "config"})
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]')
_PIECE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]")
HINT: Final = f"Markdown files end in {', '.join(SUFFIXES)}, package schemas in {SCHEMA_SUFFIX}"
_IN_MEMORY: Final = 8 * 1024 * 1024
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv"})


class MarkdownText(Struct, frozen=True, kw_only=True):
    """A Markdown text of a file. In a schema, `literal` is the range between its quotes in the file."""

    source: SourceFile
    pointer: str = ""
    literal: tuple[int, int] = (0, 0)


class MarkdownFile(Struct, frozen=True, kw_only=True):
    """A file with Markdown texts; `package` is the name of a schema."""

    path: Path
    text: str
    parts: tuple[MarkdownText, ...]
    package: str = ""

    def edited(self, edits: Mapping[str, Sequence[Edit]]) -> str:
        """Return the text of the file after `edits` of its texts, by pointer."""
        if not self.package:
            return apply(self.text, edits.get("", ()))
        changes: list[Edit] = []
        is_ascii = self.text.isascii() and "\\u" in self.text
        is_html = "\\u003c" in self.text and "<" not in self.text
        for part in self.parts:
            own = edits.get(part.pointer, ())
            offsets = _offsets(self.text, part.literal) if own else []
            for edit in own:
                text = json.dumps(edit.text, ensure_ascii=is_ascii)[1:-1]
                if is_html:
                    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
                changes.append(Edit(start=offsets[edit.start], end=offsets[edit.end], text=text))
        return apply(self.text, changes)


def read_files(paths: Sequence[str]) -> Iterator[MarkdownFile]:
    """Yield the files in `paths`, each once: files themselves, and Markdown files and package schemas below folders,
    sorted.

    Skips hidden folders, installed packages, links that lead out of the repository, and other JSON below folders. Raises
    `LoadError`.
    """
    visited: set[Path] = set()
    for place in [_place(name) for name in paths]:
        is_folder = place.is_dir()
        for path in _below(place) if is_folder else (place,):
            file = None if path in visited else _read_below(path) if is_folder else read_docs(path)
            if file is not None:
                visited.add(path)
                yield file


def schema_places(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the schema files and the folders among `paths`; their examples use the packages that they describe."""
    places = [Path(path).absolute() for path in paths]
    return tuple(
        [place for place in places if place.is_dir() or (place.suffix.lower() == SCHEMA_SUFFIX and place.is_file())]
    )


def _place(name: str) -> Path:
    place = Path(name)
    if not place.exists():
        raise LoadError(f"there is no file or directory `{name}`")
    if not place.is_dir() and place.suffix.lower() not in (*SUFFIXES, SCHEMA_SUFFIX):
        raise LoadError(f"`{name}` is neither a Markdown file nor a package schema", HINT)
    return place


def _below(top: Path) -> Iterator[Path]:
    fence = fence_of(top)
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix.lower() not in (*SUFFIXES, SCHEMA_SUFFIX) or not path.is_file():
                continue
            if not path.is_symlink() or is_inside(path, fence):
                yield path


def _read_below(path: Path) -> MarkdownFile | None:
    """Return a file below a folder, or None for JSON that is not a package schema, such as settings and data."""
    if path.suffix.lower() != SCHEMA_SUFFIX:
        return read_docs(path)
    text = _text(path, is_optional=True)
    if '"name"' not in text or not any(f'"{section}"' in text for section in _SECTIONS):
        return None
    try:
        document = read_json(text)
    except DataError:
        return None
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        return None
    # `config` and `types` of a `package.json` mean something else; a schema without the other keys has no examples.
    if not any(isinstance(document.get(section), dict) for section in _SECTIONS - {"config"}):
        return None
    return _schema(path, text, document["name"])


def read_docs(path: Path) -> MarkdownFile:
    """Read a Markdown file or a package schema. Raises `LoadError`."""
    return docs_of(path, _text(path))


def _text(path: Path, *, is_optional: bool = False) -> str:
    """Return the text of a file; "" if it is not UTF-8 and `is_optional`."""
    try:
        return read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        if is_optional:
            return ""
        raise LoadError(f"`{path}` is not UTF-8: byte {error.start} cannot be read") from error
    except OSError as error:
        raise LoadError(f"cannot read `{path}`: {error.strerror or error}") from error


def docs_of(path: Path, text: str) -> MarkdownFile:
    """Return the file with this text. Raises `LoadError`."""
    if path.suffix.lower() != SCHEMA_SUFFIX:
        return MarkdownFile(path=path, text=text, parts=(MarkdownText(source=SourceFile(path.as_posix(), text)),))
    try:
        document = read_json(text)
    except DataError as error:
        raise LoadError(f"`{path}` is not JSON: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        raise LoadError(f"`{path}` is no package schema: it has no `name`", "`pulumi package get-schema NAME` prints one")
    return _schema(path, text, document["name"])


def _schema(path: Path, text: str, package: str) -> MarkdownFile:
    return MarkdownFile(path=path, text=text, parts=tuple(_descriptions(path, text)), package=package)


def _descriptions(path: Path, text: str) -> Iterator[MarkdownText]:
    """Yield the Markdown texts of a schema, in order. Raises `LoadError` for a duplicate."""
    names: set[str] = set()
    for pointer, start, end in _strings(text):
        if pointer[-1] in _TEXTS and pointer[0] in _SECTIONS:
            name = "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in pointer)
            if name in names:
                raise LoadError(f"`{path}` has `{name}` twice", "which of them counts? Leave the other out")
            names.add(name)
            value = json.loads(text[start:end])
            source = SourceFile(f"{path.as_posix()}#{name}", value)
            yield MarkdownText(source=source, pointer=name, literal=(start + 1, end - 1))


def _strings(text: str) -> Iterator[tuple[Sequence[str | int], int, int]]:
    """Yield the strings that are values of object members in a JSON text: their path from the top, and their ranges."""
    path: list[str | int] = []
    is_value = False
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{":
                path.append("")
                is_value = False
            case "[":
                path.append(0)
                is_value = True
            case "}" | "]":
                path.pop()
            case ":":
                is_value = True
            case ",":
                last = path[-1]
                is_value = isinstance(last, int)
                path[-1] = last + 1 if isinstance(last, int) else last
            case literal if not is_value:
                path[-1] = json.loads(literal)
            case _:
                if path and isinstance(path[-1], str):
                    yield tuple(path), token.start(), token.end()


def _offsets(text: str, literal: tuple[int, int]) -> list[int]:
    """Return, for each offset in the value of a literal, the offset in the file."""
    return [piece.start() for piece in _PIECE.finditer(text, *literal)] + [literal[1]]


class Spool(Mapping[Path, bytes]):
    """New texts of many files, in memory or else in a temporary file: `with Spool.opened() as spool`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[Path, tuple[int, int]] = {}

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Spool]:
        """Open an empty spool, which is deleted after the block. Raises `OSError` if the disk is full."""
        with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
            yield cls(file)

    def add(self, path: Path, data: bytes) -> None:
        """Store `data`. Raises `OSError` if the disk is full."""
        start = self._file.seek(0, 2)
        self._file.write(data)
        self._places[path] = (start, len(data))

    def __getitem__(self, path: Path) -> bytes:
        start, size = self._places[path]
        self._file.seek(start)
        return self._file.read(size)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
