"""Files with Markdown: Markdown files themselves, and package schemas, each description of which is a text of its own.

Comes in: paths.  Goes out: `File`s with their `Part`s, and the bytes of a file after edits: what is not edited stays byte by
byte, in schemas too, whose strings are not written anew but edited where they stand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from pclgen.docs.tabs import Edit, apply
from pclgen.records import dataclass
from pclgen.source.data import DataError, read_json
from pclgen.source.fence import fence_of, is_inside
from pclgen.source.files import read_regular
from pclgen.source.load import LoadError
from pclgen.source.text import SourceFile

SUFFIXES: Final = (".md", ".markdown", ".mdx")
SCHEMA_SUFFIX: Final = ".json"
_TEXTS: Final = frozenset({"description", "deprecationMessage"})
_SECTIONS: Final = frozenset({"resources", "functions", "types", "provider", "config"})
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]')
_PIECE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]")
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A Markdown text of a file.  In a schema `literal` is where the text between its quotes stands in the file."""

    source: SourceFile
    pointer: str = ""
    literal: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file with Markdown texts; `package` is the name of a schema."""

    path: Path
    text: str
    parts: tuple[Part, ...]
    package: str = ""

    def edited(self, edits: Mapping[str, Sequence[Edit]]) -> str:
        """The text of the file after `edits` of its parts, by pointer."""
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


def find_files(paths: Sequence[str]) -> tuple[Path, ...]:
    """The files that `paths` mean, each once: themselves, and the Markdown files below folders, sorted.  Hidden folders and
    installed packages are passed over, and links that lead out of the repository.  Raises `LoadError`."""
    found: dict[Path, None] = {}
    for name in paths:
        place = Path(name)
        if not place.exists():
            raise LoadError(f"there is no file or directory `{name}`")
        if place.is_dir():
            found.update(dict.fromkeys(_below(place)))
        elif place.suffix.lower() in (*SUFFIXES, SCHEMA_SUFFIX):
            found[place] = None
        else:
            hint = f"Markdown files end in {', '.join(SUFFIXES)}, package schemas in {SCHEMA_SUFFIX}"
            raise LoadError(f"`{name}` is neither a Markdown file nor a package schema", hint)
    return tuple(found)


def _below(top: Path) -> Iterator[Path]:
    fence = fence_of(top)
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix.lower() in SUFFIXES and path.is_file() and (not path.is_symlink() or is_inside(path, fence)):
                yield path


def read_docs(path: Path) -> File:
    """A Markdown file or a package schema.  Raises `LoadError`."""
    try:
        text = read_regular(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise LoadError(f"`{path}` is not UTF-8: byte {error.start} cannot be read") from error
    except OSError as error:
        raise LoadError(f"cannot read `{path}`: {error.strerror or error}") from error
    return docs_of(path, text)


def docs_of(path: Path, text: str) -> File:
    """The same for a text that is read already.  Raises `LoadError`."""
    if path.suffix.lower() != SCHEMA_SUFFIX:
        return File(path=path, text=text, parts=(Part(source=SourceFile(path.as_posix(), text)),))
    try:
        document = read_json(text)
    except DataError as error:
        raise LoadError(f"`{path}` is not JSON: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("name"), str):
        raise LoadError(f"`{path}` is no package schema: it has no `name`")
    return File(path=path, text=text, parts=tuple(_descriptions(path, text)), package=document["name"])


def _descriptions(path: Path, text: str) -> Iterator[Part]:
    """The Markdown texts of a schema, in their order.  Raises `LoadError` for one that is there twice."""
    known: set[str] = set()
    for pointer, start, end in _strings(text):
        if pointer[-1] in _TEXTS and pointer[0] in _SECTIONS:
            name = "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in pointer)
            if name in known:
                raise LoadError(f"`{path}` has `{name}` twice", "which of them counts? Leave the other out")
            known.add(name)
            value = json.loads(text[start:end])
            source = SourceFile(f"{path.as_posix()}#{name}", value)
            yield Part(source=source, pointer=name, literal=(start + 1, end - 1))


def _strings(text: str) -> Iterator[tuple[Sequence[str | int], int, int]]:
    """The strings of a JSON text that are values of members of objects: where they are, from the top, and their ranges."""
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
    """For each offset in the value of a literal, where that is in the file."""
    return [found.start() for found in _PIECE.finditer(text, *literal)] + [literal[1]]
