"""The programs of a project.

Comes in: the folder of a configuration and its patterns (`pclgen.choices`).  Goes out: `Found` programs, sorted by label,
and the entries that name nothing.  A folder is a program when `.pp` files lie directly in it, or else one in Pulumi YAML.
One that another program uses as a component is none of its own, unless it is named as it stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pclgen.choices import is_glob, is_named, matches, tidy
from pclgen.records import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A program: `label` is its path below that of the configuration, without `.pp` or `.yaml`; it is read at `path`."""

    label: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A path without `*` and `?` that names no program; `hint` says what may be meant."""

    pattern: str
    path: Path
    hint: str

    def __str__(self) -> str:
        return f"there is no program at `{self.path}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """All programs, the patterns that named none, and the paths at which there is none."""

    found: tuple[Found, ...]
    idle: tuple[str, ...]
    absent: tuple[Absent, ...] = ()


def find_programs(
    root: Path, patterns: Sequence[str], *, exclude: Sequence[str] = (), skipped: Sequence[Path] = ()
) -> Programs:
    """The programs below `root` that `patterns` name and `exclude` does not; what lies in `skipped` is passed over.

    Raises `LoadError` for what cannot be read.
    """
    found: dict[Path, Found] = {}
    idle: list[str] = []
    absent: list[Absent] = []
    walked: dict[str, Mapping[str, list[Path]]] = {}
    for pattern in map(tidy, patterns):
        start = _start(pattern)
        if start not in walked:
            walked[start] = _folders(root, start, skipped)
        own = [one for one in _named(root, pattern, walked[start]) if not any(is_named(e, one.label) for e in exclude)]
        if not own and not is_glob(pattern):
            absent.append(Absent(pattern=pattern, path=_from_here(root / pattern), hint=_nearest(pattern, root)))
        elif not own:
            idle.append(pattern)
        found.update({one.path: one for one in own})
    programs = tuple(sorted(found.values(), key=lambda one: (one.label, one.path)))
    return Programs(found=programs, idle=tuple(idle), absent=tuple(absent))


def folders_looked_in(root: Path, patterns: Sequence[str], *, skipped: Sequence[Path] = ()) -> Iterator[Path]:
    """The folders below `root` in which a new file may be a new program."""
    for start in sorted({_start(tidy(pattern)) for pattern in patterns}):
        if (root / start).is_dir():
            yield from (_from_here(folder) for folder, _ in find_folders(root / start, skipped=skipped))


def _start(pattern: str) -> str:
    """The folder that everything named by `pattern` lies in."""
    parts = pattern.split("/")
    ends = (at for at, part in enumerate(parts) if is_glob(part) or part.endswith(_FILES) or is_yaml(part))
    literal = next(ends, len(parts))
    return "/".join(parts[:literal]) or "."


def _folders(root: Path, start: str, skipped: Sequence[Path]) -> Mapping[str, list[Path]]:
    """The folders with programs at and below `start`, by path below `root`, with their files."""
    place = root / start
    if not place.is_dir():
        return {}
    folders: dict[str, list[Path]] = {}
    for path in find_program_files(place, skipped=skipped):
        folders.setdefault(_label(root, path.parent), []).append(path)
    return folders


def _named(root: Path, pattern: str, folders: Mapping[str, list[Path]]) -> list[Found]:
    if pattern.endswith(SUFFIX):
        paths = [path for files in folders.values() for path in files if matches(pattern, _label(root, path))]
        return [Found(label=without_suffix(_label(root, path)), path=_from_here(path)) for path in paths]
    if pattern.endswith(PACK_SUFFIX):
        below = sorted((root / _start(pattern)).rglob(f"*{PACK_SUFFIX}")) if is_glob(pattern) else [root / pattern]
        found = ((path, _label(root, path)) for path in below if path.is_file())
        return [
            Found(label=label.removesuffix(PACK_SUFFIX), path=_from_here(path))
            for path, label in found
            if matches(pattern, label)
        ]
    if is_yaml(pattern):
        paths = [root / pattern] if not is_glob(pattern) and (root / pattern).is_file() else []
        return [Found(label=_label(root, _yaml_place(path)), path=_from_here(path)) for path in paths]
    if pattern in folders:
        return [Found(label=pattern, path=_from_here(root / pattern))]
    is_wanted = matches if is_glob(pattern) else is_named
    labels = [label for label in folders if is_wanted(pattern, label)]
    components = _components(path for files in folders.values() for path in files)
    return [
        Found(label=label, path=_from_here(root / label))
        for label in labels
        if os.path.normpath(root / label) not in components
    ]


def _yaml_place(path: Path) -> Path:
    """A program in Pulumi YAML is called after its folder, or by its own name."""
    return path.parent if path.name in YAML_PROGRAMS else path.with_suffix("")


def _from_here(path: Path) -> Path:
    """A path as people would write it: from a folder inside the project, not by way of its root."""
    return Path(os.path.relpath(path)) if ".." in path.parts else path


def _components(files: Iterable[Path]) -> set[str]:
    """The folders that `component` blocks name.  Blocks are found by their first line: to miss one costs a needless
    project, and nothing else."""
    found: set[str] = set()
    for path in files:
        try:
            data = read_regular(path)
        except OSError:
            continue  # told when the program is read
        if b"component" in data:
            folders = (match[1].decode("utf-8", "replace") for match in _COMPONENT.finditer(data))
            found.update(os.path.normpath(path.parent / folder) for folder in folders)
    return found


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
