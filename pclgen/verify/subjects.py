"""The programs under verification, and their files on disk.

Comes in: bound programs and what was generated from them.  Goes out: scratch folders named by program with the generated
files and, beside them, links to the data files of the source, which programs may read when they run.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from pclgen.core.program import Program
from pclgen.records import dataclass
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram

Files = Mapping[PurePosixPath, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A program to verify: `key` tells it from the others of the run and is fit for a folder and a Go package.

    `store` has the schemas that it was bound with.  `json_values`: its JSON texts count by value, not by their bytes.
    """

    key: str
    name: str
    source: LoadedProgram
    program: Program
    files: Mapping[str, Files]
    store: SchemaStore | None = None
    json_values: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A subject in one language, written to `folder`."""

    subject: Subject
    language: str
    folder: Path

    @property
    def files(self) -> Files:
        """What was generated in this language."""
        return self.subject.files[self.language]


def label_of(source: LoadedProgram) -> str:
    """What tells a program from others for a person: its path, from the working directory when it is in there; the name of
    a program in memory.  Many programs have the same name, as folders called `infra` do."""
    if not source.is_on_disk:
        return source.name
    path, first = source.root.absolute(), source.files[0].path
    if source.is_pack and first is not None:
        path = first.absolute()
    elif len(source.files) == 1 and first is not None and source.name == first.stem != path.name:
        path /= first.name  # given as a file
    with suppress(ValueError):
        path = path.relative_to(Path.cwd())
    return source.name if path == Path() else path.as_posix()


def make_keys(names: Sequence[str]) -> list[str]:
    """For each name of a program a key: letters, digits and underscores, all different."""
    keys: list[str] = []
    for name in names:
        base = "p_" + re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")
        # A Go package must not end in what Go takes for a test or a platform.
        key, number = f"{base}_", 1
        while key in keys:
            number += 1
            key = f"{base}_{number}_"
        keys.append(key)
    return keys


def stage(subject: Subject, language: str, root: Path) -> Staged:
    """Write the files of a subject in one language.  Raises `OSError`."""
    folder = root / subject.key
    folder.mkdir(parents=True)
    for path, text in subject.files[language].items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    stage_data(subject.source, folder)
    return Staged(subject=subject, language=language, folder=folder)


def stage_data(source: LoadedProgram, folder: Path) -> Path:
    """Link the data files of a program into `folder`, and answer it.  Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in data_files(source):
        place = folder / entry.name
        if not place.exists():
            with suppress(OSError):  # no links on this system: copies do
                place.symlink_to(entry.absolute(), target_is_directory=entry.is_dir())
                continue
            (shutil.copytree if entry.is_dir() else shutil.copyfile)(entry, place)
    return folder


def data_files(source: LoadedProgram) -> list[Path]:
    """What stands beside the `.pp` files of a program: files and folders that it may read; none for programs in memory."""
    if not source.is_on_disk:
        return []
    hidden = {"node_modules", "venv", "__pycache__"}
    return [
        entry
        for entry in sorted(source.root.iterdir())
        if entry.suffix != ".pp" and not entry.name.startswith(".") and entry.name not in hidden
    ]
