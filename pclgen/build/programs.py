"""Discovery of the programs of a project.

A program is a folder that directly contains `.pp` files, or else Pulumi YAML. A folder that another program uses as a
component is not a program, unless a pattern names it literally.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from pclgen.choices import is_glob, is_named, matches, tidy
from pclgen.source.files import read_regular
from pclgen.source.load import (
    PACK_SUFFIX,
    SUFFIX,
    YAML_PROGRAMS,
    YAML_SUFFIXES,
    find_folders,
    find_program_files,
    is_yaml,
    what_programs_are,
    without_suffix,
)

_FILES = (SUFFIX, *YAML_SUFFIXES, PACK_SUFFIX)
_COMPONENT = re.compile(rb'^[ \t]*component[ \t]+\S+[ \t]+"([^"\n]*)"', re.MULTILINE)


class ProgramPath(Struct, frozen=True, kw_only=True):
    """A program read at `path`; `label` is its path below the configuration's folder, without `.pp` or `.yaml`."""

    label: str
    path: Path


class MissingProgram(Struct, frozen=True, kw_only=True):
    """A literal path in the configuration without a program; `hint` suggests the intended path."""

    pattern: str
    path: Path
    hint: str

    def __str__(self) -> str:
        return f"there is no program at `{self.path}`"


class Programs(Struct, frozen=True, kw_only=True):
    """The programs of a project, the patterns without a match, and the literal paths without a program."""

    present: tuple[ProgramPath, ...]
    unmatched: tuple[str, ...]
    missing: tuple[MissingProgram, ...] = ()


def find_programs(
    root: Path, patterns: Sequence[str], *, exclude: Sequence[str] = (), skipped: Sequence[Path] = ()
) -> Programs:
    """Return the programs below `root` that `patterns` match and `exclude` does not, sorted by label; `skipped` is not
    searched.

    Raises `LoadError` for unreadable folders.
    """
    programs: dict[Path, ProgramPath] = {}
    unmatched: list[str] = []
    missing: list[MissingProgram] = []
    walked: dict[str, Mapping[str, list[Path]]] = {}
    for pattern in map(tidy, patterns):
        start = _start(pattern)
        if start not in walked:
            walked[start] = _folders(root, start, skipped)
        named = _named(root, pattern, walked[start])
        matched = [program for program in named if not any(is_named(entry, program.label) for entry in exclude)]
        if not matched and not is_glob(pattern):
            missing.append(MissingProgram(pattern=pattern, path=_from_here(root / pattern), hint=_nearest(pattern, root)))
        elif not matched:
            unmatched.append(pattern)
        programs.update({program.path: program for program in matched})
    present = tuple(sorted(programs.values(), key=lambda program: (program.label, program.path)))
    return Programs(present=present, unmatched=tuple(unmatched), missing=tuple(missing))


def searched_folders(root: Path, patterns: Sequence[str], *, skipped: Sequence[Path] = ()) -> Iterator[Path]:
    """Yield the folders below `root` in which a new file may be a new program."""
    for start in sorted({_start(tidy(pattern)) for pattern in patterns}):
        if (root / start).is_dir():
            yield from (_from_here(folder) for folder, _ in find_folders(root / start, skipped=skipped))


def _start(pattern: str) -> str:
    """Return the folder that contains everything `pattern` can match."""
    parts = pattern.split("/")
    ends = (at for at, part in enumerate(parts) if is_glob(part) or part.endswith(_FILES) or is_yaml(part))
    literal = next(ends, len(parts))
    return "/".join(parts[:literal]) or "."


def _folders(root: Path, start: str, skipped: Sequence[Path]) -> Mapping[str, list[Path]]:
    """Return the folders with programs at and below `start`, by path below `root`, with their files."""
    place = root / start
    if not place.is_dir():
        return {}
    folders: dict[str, list[Path]] = {}
    for path in find_program_files(place, skipped=skipped):
        folders.setdefault(_label(root, path.parent), []).append(path)
    return folders


def _named(root: Path, pattern: str, folders: Mapping[str, list[Path]]) -> list[ProgramPath]:
    if pattern.endswith(SUFFIX):
        paths = [path for files in folders.values() for path in files if matches(pattern, _label(root, path))]
        return [ProgramPath(label=without_suffix(_label(root, path)), path=_from_here(path)) for path in paths]
    if pattern.endswith(PACK_SUFFIX):
        below = sorted((root / _start(pattern)).rglob(f"*{PACK_SUFFIX}")) if is_glob(pattern) else [root / pattern]
        packs = ((path, _label(root, path)) for path in below if path.is_file())
        return [
            ProgramPath(label=label.removesuffix(PACK_SUFFIX), path=_from_here(path))
            for path, label in packs
            if matches(pattern, label)
        ]
    if is_yaml(pattern):
        paths = [root / pattern] if not is_glob(pattern) and (root / pattern).is_file() else []
        return [ProgramPath(label=_label(root, _yaml_place(path)), path=_from_here(path)) for path in paths]
    if pattern in folders:
        return [ProgramPath(label=pattern, path=_from_here(root / pattern))]
    is_wanted = matches if is_glob(pattern) else is_named
    labels = [label for label in folders if is_wanted(pattern, label)]
    components = _components(path for files in folders.values() for path in files)
    return [
        ProgramPath(label=label, path=_from_here(root / label))
        for label in labels
        if os.path.normpath(root / label) not in components
    ]


def _yaml_place(path: Path) -> Path:
    """Return the path that names a Pulumi YAML program: its folder, or the file without its suffix."""
    return path.parent if path.name in YAML_PROGRAMS else path.with_suffix("")


def _from_here(path: Path) -> Path:
    """Return a path as people write it from a folder inside the project, without a detour through its root."""
    return Path(os.path.relpath(path)) if ".." in path.parts else path


def _components(files: Iterable[Path]) -> set[str]:
    """Return the folders that `component` blocks name.

    A pattern finds the blocks by their first line; a missed block only causes a needless project.
    """
    components: set[str] = set()
    for path in files:
        try:
            data = read_regular(path)
        except OSError:
            continue  # reported when the program is read
        if b"component" in data:
            folders = (match[1].decode("utf-8", "replace") for match in _COMPONENT.finditer(data))
            components.update(os.path.normpath(path.parent / folder) for folder in folders)
    return components


def _label(root: Path, path: Path) -> str:
    return PurePosixPath(path.relative_to(root)).as_posix()


def _nearest(pattern: str, root: Path) -> str:
    from pclgen.diagnostics.suggest import suggest

    place = root / pattern
    if place.is_dir():
        return what_programs_are(place)
    parent = place.parent
    similar = suggest(place.name, sorted(os.listdir(parent))) if parent.is_dir() else None
    return f"did you mean `{_label(root, parent / similar)}`?" if similar is not None else f"it is looked for in {root}"
