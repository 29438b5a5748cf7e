"""Tests of programs: the checks of one part of one program, and configuration files as test modules.

A `Case` is compared with the snapshots; a difference fails the test. Paths in diagnostics and registrations are relative to
the folder of the program (`main.pp:3:1`), so that their snapshots do not depend on the location of the repository.

A configuration file with `[[testing]]` is a collector with a test for each program and part (`pytest pclgen.toml`, or pytest
in a folder that has one), as if that file contained a marked test.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn

import pytest
from msgspec.structs import replace

from pclgen import pipeline
from pclgen.choices import Strictness
from pclgen.diagnostics.model import Diagnostic, with_levels
from pclgen.diagnostics.render import render_text
from pclgen.emit.overlay import Overlay, read_overlay
from pclgen.results import EvaluateResult, GenerateResult
from pclgen.schema.config import ConfigurationError, find_configuration
from pclgen.schema.discovery import Settings, find_project, open_cache, open_store
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, LoadError, load_program
from pclgen.testing.cases import (
    DIAGNOSTICS,
    KNOWN,
    LEFTOVERS,
    REGISTRATIONS,
    Case,
    cases_of_configuration,
    one_line_message,
    stale_snapshots,
)
from pclgen.testing.snapshots import FileSnapshots

if TYPE_CHECKING:
    from pclgen.evaluate.run import RunInputs
    from pclgen.verify.report import Report


STORES: Final = pytest.StashKey[dict[Path, SchemaStore]]()
"""The key of the run's data: the schemas of projects, read once."""


class PclProgram:
    """The value of the fixture `pcl`: a program, and its `part` under test (a language, `diagnostics` or `registrations`).
    """

    def __init__(
        self, case: Case, snapshots: FileSnapshots, *, store: SchemaStore | None, request: pytest.FixtureRequest
    ) -> None:
        self.path: Path = case.path
        self.part: str = case.part
        self._case = case
        self._snapshots = snapshots
        self._store = store
        self._request = request

    @cached_property
    def source(self) -> LoadedProgram:
        """The program as read.  Raises `LoadError`."""
        return load_program(str(self.path), named_from=self._folder)

    @cached_property
    def store(self) -> SchemaStore:
        """The schemas of the program.  Raises `ConfigurationError`."""
        if self._store is not None:
            return self._store
        stores = self._request.config.stash.setdefault(STORES, {})
        if self._folder not in stores:
            project = find_project(self._folder, Settings())
            stores[self._folder] = open_store(project, open_cache(project))
        return stores[self._folder]

    @cached_property
    def generated(self) -> GenerateResult:
        """The generated program: in the language of this test, or in all languages of the mark for another part."""
        return pipeline.generate(
            self.source,
            languages=[self.part] if self.part in self._case.languages else self._case.languages,
            store=self.store,
            program_only=not self._case.project_files,
            lenient=self._lenient,
            overlay=self._overlay,
            style=self._case.choices.style,
        )

    @cached_property
    def evaluated(self) -> EvaluateResult:
        """The evaluated program, with the values and the answers of the mark."""
        return pipeline.evaluate(self.source, self._inputs, store=self.store, lenient=self._lenient)

    def check(self) -> None:
        """Run the checks of the mark; a failed check fails the test."""
        __tracebackhide__ = True
        snapshot = self._case.snapshot
        if self.part == LEFTOVERS:
            cases = self._request.node.getparent(pytest.Module).stash[KNOWN]
            self._snapshots.none_of(stale_snapshots(self._snapshots.root, cases))
        elif self.part == DIAGNOSTICS:
            self._snapshots.file(snapshot, render_text(self._diagnostics()))
        elif self.part == REGISTRATIONS:
            self._diagnostics()
            self._snapshots.file(snapshot, self._registrations())
        else:
            self._diagnostics()
            self._snapshots.folder(snapshot, self.generated.files.get(self.part, {}))
            if self._case.table.verify is not None and self.generated.ok:
                self._verify()

    def _diagnostics(self) -> Sequence[Diagnostic]:
        """Return the diagnostics of this part of the program, with the levels of the configuration.

        Diagnostics fail a test that has no snapshot of them.
        """
        __tracebackhide__ = True
        try:
            result = self.evaluated if self.part == REGISTRATIONS else self.generated
        except (LoadError, ConfigurationError) as error:
            self._snapshots.keep(self._case.snapshot)
            _fail(str(error), error.hint or "")
        diagnostics = with_levels(result.diagnostics, self._case.choices.levels)
        if diagnostics and not self._case.table.diagnostics:
            self._snapshots.keep(self._case.snapshot)
            _fail(render_text(diagnostics), "`diagnostics = true` makes them a snapshot")
        return diagnostics

    def _registrations(self) -> str:
        """Return the run as a tree; "" for a program that does not run.  Its log is among the diagnostics."""
        from pclgen.trace.render import render_trace

        trace = self.evaluated.trace
        return "" if trace is None else render_trace(replace(trace, log=()), secrets=False)

    def _verify(self) -> None:
        __tracebackhide__ = True
        from pclgen.verify.report import Status, to_text

        report = self._report()
        if report.count(Status.FAILED):
            _fail(to_text(report))
        if report.count(Status.NOT_VERIFIED):
            reasons = "; ".join(dict.fromkeys(reason for verdict in report.verdicts for reason in verdict.messages))
            if self._request.config.getoption("--pclgen-require"):
                _fail(f"not verified: {reasons}")
            pytest.skip(f"the files are those of the snapshot, but not verified: {reasons}")

    def _report(self) -> Report:
        from pclgen.verify.verification import Item, VerifyRequest, verify_programs

        assert self._case.table.verify is not None
        item = Item(
            program=self.source,
            store=self.store,
            run_inputs=self._inputs,
            overlay=self._overlay,
            style=self._case.choices.style,
            lenient=self._lenient,
        )
        request = VerifyRequest(languages=(self.part,), level=self._case.table.verify)
        outcome = verify_programs([item], request)
        assert outcome.report is not None, "the same program has just been generated"
        return outcome.report

    @cached_property
    def _inputs(self) -> RunInputs:
        table = self._case.table
        return pipeline.inputs_for_run(
            self.source,
            project=self.source.project.name or None,
            config=table.config,
            secrets=table.secrets,
            replay_file=None if table.replay is None else self._case.base / table.replay,
        )

    @cached_property
    def _overlay(self) -> Overlay | None:
        folder = self._case.choices.templates
        return None if folder is None else read_overlay(folder)

    @property
    def _lenient(self) -> bool:
        return self._case.choices.strictness is Strictness.LENIENT

    @property
    def _folder(self) -> Path:
        return self.path if self.path.is_dir() else self.path.parent


def _fail(*lines: str) -> NoReturn:
    __tracebackhide__ = True
    pytest.fail("\n".join(line.rstrip("\n") for line in lines if line), pytrace=False)


class ConfiguredPrograms(pytest.Module):
    """A configuration file that replaces a test module."""

    def _getobj(self) -> ModuleType:
        """Make the test module, which pytest would otherwise import."""

        def program(pcl: PclProgram) -> None:
            pcl.check()

        module = ModuleType("pclgen_programs")
        cases = self._cases()
        if cases:
            # With `__test__`, pytest collects it whatever its name; `plugin.pytest_generate_tests` reads the cases.
            vars(program).update(__test__=True, pclgen_cases=cases)
            vars(module).update(program=program)
        return module

    def _cases(self) -> Sequence[Case]:
        try:
            configuration = find_configuration(self.path.parent)
            is_own = configuration.path == self.path and configuration.testing
            return cases_of_configuration(configuration, self) if is_own else ()
        except (ConfigurationError, LoadError) as error:
            raise self.CollectError(one_line_message(error)) from None
