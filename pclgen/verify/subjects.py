"""The programs under verification and their scratch folders.

A scratch folder has the generated files of one program, and links to the data files of its source, which the
program may read.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct

from pclgen.core.program import Program
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram

Files = Mapping[PurePosixPath, str]


class Subject(Struct, frozen=True, kw_only=True):
    """A program to verify; `key` is unique in the run and valid as a folder and as a Go package.

    `store` has the schemas that it was bound with. With `json_values`, JSON texts are compared by value, not by their
    bytes.
    """

    key: str
    name: str
    source: LoadedProgram
    program: Program
    files: Mapping[str, Files]
    store: SchemaStore | None = None
    json_values: bool = True


class Staged(Struct, frozen=True, kw_only=True):
    """A subject in one language, written to `folder`."""

    subject: Subject
    language: str
    folder: Path

    @property
    def files(self) -> Files:
        """The generated files in this language."""
        return self.subject.files[self.language]


def label_of(source: LoadedProgram) -> str:
    """Return a label for people: the path of a program on disk, the name of a program in memory.

    The path is relative to the working directory if it is inside of that. A name alone is ambiguous, since many folders are
    called `infra`.
    """
    if not source.is_on_disk:
        return source.name
    path, first = source.root.absolute(), source.files[0].path
    if source.is_pack and first is not None:
        path = first.absolute()
    elif len(source.files) == 1 and first is not None and source.name == first.stem != path.name:
        path /= first.name  # the user named a file
    with suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return source.name if path == Path() else path.as_posix()


def make_keys(names: Sequence[str]) -> list[str]:
    """Return a unique key of letters, digits and underscores for each program name."""
    keys: list[str] = []
    for name in names:
        base = "p_" + re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")
        # Go treats suffixes such as `_test` and `_linux` in package names specially.
        key, number = f"{base}_", 1
        while key in keys:
            number += 1
            key = f"{base}_{number}_"
        keys.append(key)
    return keys


def stage(subject: Subject, language: str, root: Path) -> Staged:
    """Write the files of a subject in one language. Raises `OSError`."""
    folder = root / subject.key
    folder.mkdir(parents=True)
    for path, text in subject.files[language].items():
        destination = folder / path
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_text(text, encoding="utf-8", newline="")
    stage_data(subject.source, folder)
    return Staged(subject=subject, language=language, folder=folder)


def stage_data(source: LoadedProgram, folder: Path) -> Path:
    """Link the data files of a program into `folder`, and return it. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in data_files(source):
        destination = folder / entry.name
        if not destination.exists():
            with suppress(OSError):  # a system without links gets copies
                destination.symlink_to(entry.absolute(), target_is_directory=entry.is_dir())
                continue
            (shutil.copytree if entry.is_dir() else shutil.copyfile)(entry, destination)
    return folder


def data_files(source: LoadedProgram) -> list[Path]:
    """Return the data files and folders beside the `.pp` files of a program; none for programs in memory."""
    if not source.is_on_disk:
        return []
    hidden = {"node_modules", "venv", "__pycache__"}
    return [
        entry
        for entry in sorted(source.root.iterdir())
        if entry.suffix != ".pp" and not entry.name.startswith(".") and entry.name not in hidden
    ]
