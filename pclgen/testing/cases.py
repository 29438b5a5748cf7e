"""Test selection: from a mark or a configuration to one case for each program and part.

Marks, or a configuration, become `Case`s. A part of a program is a language, `diagnostics` or `registrations`. Each part has
a path in the snapshots: `website/python/`, `website/diagnostics.txt`, and `website/registrations.txt`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.build.programs import find_programs
from pclgen.choices import Building, Choices
from pclgen.languages import LANGUAGES, TARGETS
from pclgen.schema.config import Configuration, ConfigurationError, read_testing
from pclgen.schema.configfile import TestingTable
from pclgen.source.load import LoadError, what_programs_are

DIAGNOSTICS: Final = "diagnostics"
REGISTRATIONS: Final = "registrations"
LEFTOVERS: Final = "leftovers"
PARTS: Final = (*TARGETS, f"{DIAGNOSTICS}.txt", f"{REGISTRATIONS}.txt")
"""The entries in the folder of a program's snapshots."""

KNOWN: Final = pytest.StashKey[set[str]]()
"""The key of a module's data: the paths of all snapshots of its tests."""


class Case(Struct, frozen=True, kw_only=True):
    """One part of the program at `path`; `key` is that path below `base`, without `.pp`, and the folder of its snapshots.

    `choices` are the program's settings in the configuration. The part LEFTOVERS has no program: it tests that there are no
    snapshots of removed programs.
    """

    key: str
    path: Path
    part: str
    base: Path
    table: TestingTable
    choices: Choices = field(default_factory=Choices)

    @property
    def name(self) -> str:
        """The unique name of the test."""
        return f"{self.key}-{self.part}" if self.key else self.part

    @property
    def snapshot(self) -> str:
        """The path of its snapshot: a folder for a language, else a file."""
        return f"{self.key}/{self.part}" if self.part in TARGETS else f"{self.key}/{self.part}.txt"

    @property
    def languages(self) -> Sequence[str]:
        """The languages of the program."""
        chosen = self.choices.languages if self.table.languages is None else self.table.languages
        return LANGUAGES if chosen is None else chosen

    @property
    def project_files(self) -> bool:
        """Whether the program has project files."""
        chosen = self.choices.project_files if self.table.project_files is None else self.table.project_files
        return chosen is not False


def cases_of_marks(marks: Sequence[pytest.Mark], test: pytest.Item, *, leftovers: bool) -> list[Case]:
    """Return the cases of a marked test.

    With `leftovers`, only the test's module writes to its folder of snapshots; its first marked test then also gets the case
    that finds snapshots of removed programs. Raises `pytest.Collector.CollectError`.
    """
    cases: list[Case] = []
    for mark in marks:
        keywords = dict(mark.kwargs)
        base = (test.path.parent / str(keywords.pop("base", "."))).resolve()
        try:
            cases += _cases(read_testing({**keywords, "programs": mark.args}), base, Building())
        except (ConfigurationError, LoadError) as error:
            raise pytest.Collector.CollectError(f"{test.nodeid}: the mark `pclgen`: {one_line_message(error)}") from None
    module = test.getparent(pytest.Module)
    return [*cases, *_leftovers(cases, module)] if leftovers and module is not None else cases


def cases_of_configuration(configuration: Configuration, module: pytest.Module) -> list[Case]:
    """Return the cases of a configuration.  Raises `ConfigurationError` and `LoadError`."""
    cases: dict[str, Case] = {}
    for table in configuration.testing:
        for case in _cases(table, module.path.parent, configuration.building):
            if case.snapshot in cases:
                raise ConfigurationError(f"two tables `[[testing]]` name `{case.key}`", "`exclude` it in one of them")
            cases[case.snapshot] = case
    return [*cases.values(), *_leftovers(cases.values(), module)]


def one_line_message(error: ConfigurationError | LoadError) -> str:
    """Return the message of an error and its hint as one line."""
    return f"{error}; {error.hint}" if error.hint else str(error)


def _leftovers(cases: Iterable[Case], module: pytest.Module) -> Iterator[Case]:
    """Yield the case that finds leftovers, once per module; all cases of the module are known when it runs."""
    if KNOWN not in module.stash:
        module.stash[KNOWN] = set()
        yield Case(key="", path=module.path, part=LEFTOVERS, base=module.path.parent, table=TestingTable())
    module.stash[KNOWN].update(case.snapshot for case in cases)


def _cases(table: TestingTable, base: Path, building: Building) -> Iterator[Case]:
    """Yield a case for each program and part.  Raises `ConfigurationError` and `LoadError`."""
    for key, path in _programs(table, base, building).items():
        case = Case(key=key, path=path, part="", base=base, table=table, choices=building.of(key))
        parts = [*case.languages]
        if table.diagnostics:
            parts.append(DIAGNOSTICS)
        if table.registrations:
            parts.append(REGISTRATIONS)
        yield from (replace(case, part=part) for part in parts)


def _programs(table: TestingTable, base: Path, building: Building) -> dict[str, Path]:
    """Return the programs that match the patterns (by default those of the build), by key."""
    patterns = table.programs or building.programs or ("**",)
    for pattern in patterns:
        if ".." in PurePosixPath(pattern).parts or PurePosixPath(pattern).is_absolute():
            raise ConfigurationError(f"`{pattern}` leads out of `{base}`", "set `base` to another folder")
    selection = find_programs(base, patterns, exclude=(*building.exclude, *table.exclude))
    if selection.missing:
        raise ConfigurationError(str(selection.missing[0]), selection.missing[0].hint)
    if selection.unmatched:
        pattern = selection.unmatched[0]
        raise ConfigurationError(f"`{pattern}` names no program in `{base}`", what_programs_are(base / pattern))
    programs: dict[str, Path] = {}
    for program in selection.present:
        if programs.setdefault(program.label, program.path) != program.path:
            clash = f"`{program.path}` and `{programs[program.label]}` would have the same snapshots"
            raise ConfigurationError(clash, "rename one of them")
    return programs


def stale_snapshots(root: Path, cases: Container[str]) -> Iterator[Path]:
    """Yield the parts of programs below `root` that are not among `cases` (paths below it).

    Files that do not look like a part of a program, and those of a test module beside `root`, are skipped.
    """
    stale: set[str] = set()
    for entry in sorted(root.rglob("*")):
        path = entry.relative_to(root)
        prefixes = {above.as_posix() for above in (path, *path.parents)}
        is_known = any(prefix in cases or prefix in stale for prefix in prefixes)
        if entry.name in PARTS and not is_known and not (root.parent / f"{path.parts[0]}.py").is_file():
            stale.add(path.as_posix())
            yield entry
