"""Which tests there are: from what a mark asks to one case for each program and part.

Comes in: marks.  Goes out: `Case`s.  A part of a program is a language, `diagnostics` or `registrations`; each has its place
in the snapshots: `website/python/`, `website/diagnostics.txt`, `website/registrations.txt`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

from pclgen.build.programs import find_programs
from pclgen.languages import LANGUAGES
from pclgen.schema.config import ConfigurationError
from pclgen.schema.testing import Asked, read_asked
from pclgen.source.load import LoadError

DIAGNOSTICS: Final = "diagnostics"
REGISTRATIONS: Final = "registrations"
LEFTOVERS: Final = "leftovers"
PARTS: Final = (*LANGUAGES, f"{DIAGNOSTICS}.txt", f"{REGISTRATIONS}.txt")
"""What lies in the folder of a program's snapshots."""


KNOWN: Final = pytest.StashKey[set[str]]()
"""On a module: the paths of all snapshots that its marked tests have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One part of the program at `path`; `key` is that path below `base`, without `.pp`, and the place of its snapshots.

    The part LEFTOVERS has no program: it is the test that there are no snapshots of programs that are gone.
    """

    key: str
    path: Path
    part: str
    base: Path
    asked: Asked

    @property
    def name(self) -> str:
        """What tells the test from others."""
        return f"{self.key}-{self.part}" if self.key else self.part

    @property
    def snapshot(self) -> str:
        """Where its snapshot is: a folder for a language, else a file."""
        return f"{self.key}/{self.part}" if self.part in LANGUAGES else f"{self.key}/{self.part}.txt"


def cases_of_marks(marks: Sequence[pytest.Mark], test: pytest.Item, *, leftovers: bool) -> list[Case]:
    """The cases of a marked test.  With `leftovers` its module has the folder of its snapshots to itself, and the first of
    its marked tests looks for those of programs that are gone.  Raises `pytest.UsageError`."""
    cases: list[Case] = []
    for mark in marks:
        keywords = dict(mark.kwargs)
        base = (test.path.parent / str(keywords.pop("base", "."))).resolve()
        try:
            cases += _cases(read_asked({**keywords, "programs": mark.args}), base)
        except (ConfigurationError, LoadError) as error:
            hint = f"; {error.hint}" if error.hint else ""
            raise pytest.UsageError(f"{test.nodeid}: the mark `pclgen`: {error}{hint}") from None
    module = test.getparent(pytest.Module)
    if leftovers and module is not None:
        if KNOWN not in module.stash:
            module.stash[KNOWN] = set()
            cases.append(Case(key="", path=test.path, part=LEFTOVERS, base=test.path.parent, asked=Asked()))
        module.stash[KNOWN].update(case.snapshot for case in cases)
    return cases


def _cases(asked: Asked, base: Path) -> Iterator[Case]:
    """A case for each program and part.  Raises `ConfigurationError`."""
    parts: list[str] = [*asked.languages]
    if asked.diagnostics:
        parts.append(DIAGNOSTICS)
    if asked.registrations:
        parts.append(REGISTRATIONS)
    for key, path in _programs(asked, base).items():
        yield from (Case(key=key, path=path, part=part, base=base, asked=asked) for part in parts)


def _programs(asked: Asked, base: Path) -> dict[str, Path]:
    """The programs that the patterns name, by key."""
    for pattern in asked.programs:
        if ".." in PurePosixPath(pattern).parts or PurePosixPath(pattern).is_absolute():
            raise ConfigurationError(f"`{pattern}` leads out of `{base}`", "set `base` to another folder")
    found = find_programs(base, asked.programs, exclude=asked.exclude)
    if found.idle:
        hint = "a program is a folder with .pp files, or one such file"
        raise ConfigurationError(f"`{found.idle[0]}` names no program in `{base}`", hint)
    programs: dict[str, Path] = {}
    for one in found.found:
        if programs.setdefault(one.label, one.path) != one.path:
            clash = f"`{one.path}` and `{programs[one.label]}` would have the same snapshots"
            raise ConfigurationError(clash, "rename one of them")
    return programs


def stale_snapshots(root: Path, known: Container[str]) -> Iterator[Path]:
    """The parts of programs below `root` that are not among `known` (paths below it).  What does not look like a part of a
    program belongs to somebody else."""
    stale: set[str] = set()
    for place in sorted(root.rglob("*")):
        path = place.relative_to(root)
        places = {above.as_posix() for above in (path, *path.parents)}
        if place.name in PARTS and not any(above in known or above in stale for above in places):
            stale.add(path.as_posix())
            yield place
