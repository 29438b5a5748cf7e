"""Runs of programs compared with the evaluator's.

The evaluator runs a program once per mode, whatever the number of languages. Recorded runs are cached by files, tools and
expectations.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.evaluate.models import Models
from pclgen.evaluate.run import Evaluation as Run
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.pipeline import lower
from pclgen.protocol.rpc import Rpc
from pclgen.trace import json as trace_json
from pclgen.trace.compare import DEFAULT_ASPECTS, differences
from pclgen.trace.model import RegistrationKind, Trace
from pclgen.trace.normal import without_places
from pclgen.verify.launch import Runner
from pclgen.verify.limits import Circumstances, comparable, dependencies_in, excused, explanation, reason_of
from pclgen.verify.report import RunDifference
from pclgen.verify.results import Results, content_of, key_of
from pclgen.verify.running import DEFAULT_TIMEOUT, Launch, Pool, run_staged, was_stopped
from pclgen.verify.subjects import Staged, Subject, data_files, stage_data

MODES: Final = ("update", "preview")
RUNS: Final = 5
"""Maximum number of runs. A race is lost once in some hundred runs on a busy machine."""

Traces: TypeAlias = Mapping[str, Trace]
"""Traces by mode."""


class Comparison(Struct, frozen=True, kw_only=True):
    """The first difference between a program's runs in one language and the evaluator's, per mode.

    `failures` are sentences about failing runs; `unverified` are sentences about runs that say nothing about the program;
    `limits` names known limits of SDKs.
    """

    differences: tuple[RunDifference, ...] = ()
    failures: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


class Evaluation(Struct, frozen=True, kw_only=True):
    """The evaluator's runs of one program."""

    settings: Mapping[str, Settings]
    traces: Traces
    diagnostics: tuple[Diagnostic, ...]


class Evaluations:
    """The evaluator's runs of programs, each made on demand.

    `settings` returns everything but mode and project for a subject.
    """

    def __init__(self, settings: Callable[[Subject], Settings], *, timeout: float = DEFAULT_TIMEOUT) -> None:
        self._settings = settings
        self._made: dict[str, Evaluation] = {}
        self.timeout = timeout

    def of(self, subject: Subject) -> Evaluation:
        """Return the runs of a program."""
        if subject.key not in self._made:
            self._made[subject.key] = self._evaluate(subject)
        return self._made[subject.key]

    def _evaluate(self, subject: Subject) -> Evaluation:
        common = self._settings(subject)
        with tempfile.TemporaryDirectory(prefix="pclgen-evaluate-") as scratch:
            folder = stage_data(subject.source, Path(scratch).resolve() / "program")
            common = replace(common, project=subject.name, directory=folder, root_directory=folder)
            runs: dict[str, Run] = {}
            settings: dict[str, Settings] = {}
            for mode in MODES:
                runs[mode] = evaluate_program(subject.program, replace(common, preview=mode == "preview"))
                settings[mode] = common = replace(common, preview=mode == "preview", readings=runs[mode].readings)
        traces = {mode: comparable(evaluation.trace, folder) for mode, evaluation in runs.items()}
        diagnostics = [diagnostic for evaluation in runs.values() for diagnostic in evaluation.diagnostics]
        return Evaluation(settings=settings, traces=traces, diagnostics=tuple(dict.fromkeys(diagnostics)))


class Recorder(Struct, frozen=True, kw_only=True):
    """Runs programs of one language under the monitor; `identity` is that of the environment."""

    rpc: Rpc
    evaluations: Evaluations
    results: Results
    identity: str
    logs: Path
    jobs: int = 1

    def is_known(self, staged: Staged) -> bool:
        """Return whether all runs of a program are cached."""
        return all(self.results.get(self._key(staged, mode)) is not None for mode in MODES)

    def compare(
        self, programs: Sequence[Staged], make: Callable[[], Runner]
    ) -> Iterator[tuple[Staged, Comparison]]:
        """Run the programs, `jobs` at a time with runners from `make`; yield the comparisons in the order of the
        programs."""
        pool = Pool(make)
        self.logs.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(max_workers=max(1, self.jobs)) as threads:
            waiting = [(staged, threads.submit(self._traces, staged, pool)) for staged in programs]
            for staged, traces in waiting:
                yield staged, compare(self.evaluations.of(staged.subject), traces.result(), staged)

    def _traces(self, staged: Staged, pool: Pool) -> Traces:
        return {mode: self._trace(staged, mode, pool) for mode in MODES}

    def _trace(self, staged: Staged, mode: str, pool: Pool) -> Trace:
        key, evaluation = self._key(staged, mode), self.evaluations.of(staged.subject)
        stored = self.results.get(key)
        if stored is not None:
            return trace_json.loads(stored)
        settings = evaluation.settings[mode]
        models = Models(settings.otherwise(staged.subject.program.packages), settings.models)
        launch = Launch(rpc=self.rpc, models=models, logs=self.logs, timeout=self.evaluations.timeout)
        runner = pool.take()
        try:
            for _ in range(RUNS):
                trace = comparable(run_staged(launch, runner, staged, settings), staged.folder)
                has_raced = may_have_raced(evaluation.traces[mode], trace, staged.language)
                if not has_raced:
                    break
        finally:
            pool.give(runner)
        is_expected = not trace.failed or (evaluation.traces[mode].failed and not was_stopped(trace))
        if is_expected and not has_raced:
            self.results.put(key, trace_json.dumps(trace))
        return trace

    def _key(self, staged: Staged, mode: str) -> str:
        """Return everything that a recorded run depends on. The evaluator's run represents configuration and answers."""
        evaluation = self.evaluations.of(staged.subject)
        config = [f"{key} {value.text} {value.secret}" for key, value in sorted(evaluation.settings[mode].config.items())]
        texts = [part for path, text in sorted(staged.files.items()) for part in (str(path), text)]
        data = content_of(data_files(staged.subject.source))
        expected = trace_json.dumps(without_places(evaluation.traces[mode]))
        return key_of("run", mode, staged.language, self.identity, data, expected, *config, *texts)


def compare(evaluation: Evaluation, recorded: Traces, staged: Staged) -> Comparison:
    """The runs of a language against the evaluator's; both in the form of `limits.comparable`."""
    run_differences: list[RunDifference] = []
    failures: list[str] = []
    unverified: list[str] = []
    limits: dict[str, None] = {}
    aspects = replace(DEFAULT_ASPECTS, json_values=staged.subject.json_values)
    for mode in MODES:
        expected, trace = evaluation.traces[mode], recorded[mode]
        excuse = excused(expected, trace, staged.language)
        if excuse is not None:
            unverified.append(f"{mode}: {excuse}")
            continue
        if expected.failed or trace.failed:
            failures.append(f"{mode}: {_failed(expected, trace)}")
            continue
        lowered = _Lowered(staged, evaluation.settings[mode])
        for difference in differences(expected, trace, aspects):
            context = Circumstances(
                program=staged.subject.program,
                preview=mode == "preview",
                evaluated=expected,
                registration=expected.registration(difference.urn),
                lowered=lowered.trace,
            )
            limit = explanation(difference, context, staged.language)
            if limit is None:
                run_differences.append(RunDifference(mode=mode, difference=difference))
                break
            limits[limit.name] = None
    return Comparison(
        differences=tuple(run_differences), failures=tuple(failures), unverified=tuple(unverified), limits=tuple(limits)
    )


def _failed(expected: Trace, trace: Trace) -> str:
    runs = [(run, who) for run, who in ((expected, "the evaluator"), (trace, "the program")) if run.failed]
    return "; ".join(f"{who} fails: {reason_of(run)}" for run, who in runs)


class _Lowered:
    """The evaluator's run of a program as lowered for a language; made on demand."""

    def __init__(self, staged: Staged, settings: Settings) -> None:
        self._staged = staged
        self._settings = settings
        self._made: Trace | None = None

    def trace(self) -> Trace:
        """Return the run in the form of `limits.comparable`."""
        if self._made is None:
            lowered = lower(self._staged.subject.program, self._staged.language, DiagnosticBag())
            folder = self._staged.folder
            settings = replace(self._settings, directory=folder, root_directory=folder)
            self._made = comparable(evaluate_program(lowered, settings).trace, folder)
        return self._made


# -- races of SDKs -------------------------------------------------------------------------------------------------------


def may_have_raced(expected: Trace, recorded: Trace, language: str) -> bool:
    """Return whether a run lacks children of local components among dependencies, which a race in an SDK explains.

    A dependent of a local component depends on its children. Go's SDK adds a child to its parent in the goroutine that
    registers the child (`Context.getOpts`, sdk/go/pulumi/context.go), which may start after the goroutine that asks for
    the children. Both traces are in the form of `limits.comparable`. Such a run is repeated; a defect of pclgen shows in
    every run.
    """
    if language != "go" or expected.failed or recorded.failed:
        return False
    parents = {registration.urn: registration.parent for registration in expected.registrations}
    local = {
        registration.urn
        for registration in expected.registrations
        if registration.kind is RegistrationKind.COMPONENT and not registration.remote
    }
    return any(
        not local.isdisjoint(_ancestors(urn, parents))
        for difference in differences(expected, recorded, DEFAULT_ASPECTS)
        for evaluated, ran in (dependencies_in(difference),)
        for urn in evaluated - ran
    )


def _ancestors(urn: str, parents: dict[str, str]) -> Iterator[str]:
    while parent := parents.get(urn, ""):
        yield parent
        urn = parent
