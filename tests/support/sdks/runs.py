"""The recorded runs of the conformance tests, repeated by generated programs on generated SDKs under the monitor.

Each run gives a trace per language.  Programs that need the same versions of packages share a process (Python, Node); all Go
programs are in one binary.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from pclgen import pipeline
from pclgen.core.program import Program
from pclgen.evaluate.models import CreateRequest, Models
from pclgen.protocol.rpc import Missing, Rpc, load
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.trace import json as trace_json
from pclgen.trace.model import LogEntry, Registration, RegistrationKind, Trace
from pclgen.types.declarations import Package
from pclgen.verify import launch
from pclgen.verify.comparison import Comparison, Evaluations, Recorder
from pclgen.verify.environments import GoEnvironment
from pclgen.verify.gobuild import GoModule
from pclgen.verify.launch import GoRunner, Runner
from pclgen.verify.processes import Ended, Job, Patience, Worker
from pclgen.verify.results import content_of, key_of
from pclgen.verify.running import Launch, run_staged
from pclgen.verify.subjects import Staged, Subject, make_keys, stage
from tests.support import earlier, recorded, toolchains, watched
from tests.support.compilers import link_modules
from tests.support.recorded import Run
from tests.support.sdks import python as python_sdks
from tests.support.sdks import typescript as typescript_sdks
from tests.support.sdks.corpus import schemas_of
from tests.support.sdks.go import sdk_kit
from tests.support.toolchains import ToolError
from tests.support.watched import Watched, made_by_providers

SNAPSHOT_OF: Mapping[str, str] = {"python": "python", "typescript": "nodejs", "go": "go"}
"""The names of the languages in snapshots."""

TIMEOUT = 60.0
"""The time limit of a program in seconds."""

_WORKERS = Path(launch.__file__).parent / "workers"
_RECORDED_BY = (
    __file__,
    recorded.__file__,
    watched.__file__,
    *map(str, sorted((Path(recorded.__file__).parent / "providers").glob("*.py"))),
)
"""What determines the answers to a program, and what is kept of its requests."""


def component_schemas(runs: Collection[Run], folder: Path) -> list[Path]:
    """The schemas of the conformance tests.

    If a provider is written in the tested language, its schema comes from there, and marks its resources as components; the
    recorded schema is only that of the Go side.  Raises `OSError`.
    """
    names = {name for run in runs for name in run.components}
    return [
        as_components(path, folder) if path.name.rsplit("-", 1)[0] in names else path
        for path in schemas_of("conformance")
    ]


def as_components(path: Path, folder: Path) -> Path:
    """The schema in `path`, with components in place of its resources, as a file of `folder`."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    for resource in schema["resources"].values():
        resource["isComponent"] = True
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / path.name
    target.write_text(json.dumps(schema), encoding="utf-8")
    return target


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A run that a generated program repeats: its folder replaces that of the run."""

    run: Run
    staged: Staged

    @property
    def packages(self) -> Mapping[str, Package]:
        """The packages of the program, by name."""
        return {package.name: package for package in self.staged.subject.program.packages}


def repeated(runs: Sequence[Run], language: str, schemas: Sequence[Path], root: Path) -> list[Repeated]:
    """Generate and write the programs of runs.  Raises `OSError`."""
    programs: list[Repeated] = []
    by_name = {path.name: path for path in schemas}
    for run, key in zip(runs, make_keys([run.name for run in runs]), strict=True):
        store = SchemaStore([by_name.get(path.name, path) for path in run.schemas])
        source = load_program(str(run.folder / run.main))
        result = pipeline.generate(source, languages=[language], store=store, program_only=True)
        if result.program is None or not result.files:
            raise AssertionError(f"{run.name}: {[d.message for d in result.diagnostics]}")
        subject = Subject(key=key, name=run.project, source=source, program=result.program, files=result.files)
        programs.append(Repeated(run=run, staged=stage(subject, language, root / _versions(result.program))))
    return programs


def _versions(program: Program) -> str:
    """A key for programs that can share an environment: the version of the only package with several versions."""
    versions = [package.version for package in program.packages if package.name == "simple"]
    return f"simple-{versions[0] if versions else '2.0.0'}"


def _search_runner(command: Sequence[str | Path], search: str = "") -> Worker:
    """A worker that finds packages in a search path."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return Worker(command, environment=kept | ({"PYTHONPATH": search} if search else {}))


def _entries(path: Sequence[Path], versions: str) -> list[Path]:
    """The search path for programs that need this version of the package with several versions."""
    name = versions.rpartition("-")[0]
    return [entry for entry in path if entry.name == versions or entry.name.rpartition("-")[0] != name]


class _Started:
    """A runner that starts when the first program runs."""

    def __init__(self, start: Callable[[], Runner]) -> None:
        self._start = start
        self._runner: Runner | None = None

    def run(self, job: Job, patience: Patience) -> Ended:
        """Run a program to its end.  Raises `ToolError`."""
        if self._runner is None:
            self._runner = self._start()
        return self._runner.run(job, patience)

    def close(self) -> None:
        """End the runner."""
        if self._runner is not None:
            self._runner.close()


def _sdks(language: str, schemas: Sequence[Path], versions: str) -> list[Path]:
    """The generated SDKs for programs that need this version of the package with several versions."""
    match language:
        case "python":
            return _entries(python_sdks.sdk_path(schemas), versions)
        case "typescript":
            return _entries(typescript_sdks.sdk_path(schemas), versions)
        case _:
            return [sdk_kit(schemas).module]


def _start(programs: Sequence[Repeated], language: str, sdks: Sequence[Path], root: Path) -> Runner:
    """A runner for programs that can share an environment; all are below `root`.  Raises `ToolError`."""
    match language:
        case "python":
            command: list[str | Path] = [toolchains.python().python, _WORKERS / "python_worker.py"]
            return _search_runner(command, os.pathsep.join(map(str, sdks)))
        case "typescript":
            tools = toolchains.node()
            link_modules(root / "node_modules", tools.modules, sdks)
            return _search_runner([tools.node, _WORKERS / "node_worker.cjs", tools.modules])
        case _:
            tools_go = toolchains.go()
            environment = GoEnvironment(
                go=tools_go.go,
                module=sdks[0],
                identity="",
                variables={**tools_go.environment, **toolchains.go_variables(mod="mod")},
            )
            staged = [program.staged for program in programs]
            binary, messages = GoModule(environment, staged, root / "go-module").build()
            if messages:
                raise ToolError(f"Go says: {dict(messages)}")
            return GoRunner(binary)


def traces(programs: Sequence[Repeated], language: str, schemas: Sequence[Path], root: Path) -> Iterator[Traced]:
    """Yield every program, ready to run.  Raises `ToolError`, `OSError`."""
    rpc = load()
    if isinstance(rpc, Missing):
        raise ToolError(rpc.reason)
    groups: dict[Path, list[Repeated]] = {}
    for program in programs:
        # All Go programs share a module, regardless of their versions.
        place = root if language == "go" else program.staged.folder.parent
        groups.setdefault(place, []).append(program)
    for place, group in groups.items():
        sdks = _sdks(language, schemas, place.name)
        runner = _Started(partial(_start, group, language, sdks, place))
        try:
            for program in group:
                yield Traced(repeated=program, rpc=rpc, runner=runner, identity=f"{earlier.checking(*_RECORDED_BY)}{sdks}")
        finally:
            runner.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """A program that is ready to run; `identity` is that of its environment."""

    repeated: Repeated
    rpc: Rpc
    runner: Runner
    identity: str

    def run(self, snapshot: str, *, preview: bool) -> Trace:
        """Run the program with the answers recorded for a language, or return its earlier run."""
        staged, run = self.repeated.staged, self.repeated.run
        texts = [part for path, text in sorted(staged.files.items()) for part in (str(path), text)]
        inputs = repr((run.name, run.config, run.components, run.stacks, run.options, run.earlier, run.snapshots[snapshot]))
        data = content_of([run.folder])
        key = key_of("recorded", staged.language, self.identity, inputs, data, snapshot, str(preview), *texts)
        stored = earlier.results().get(key)
        if stored is not None:
            return trace_json.loads(stored)
        trace = self._run(snapshot, preview=preview)
        text = trace_json.dumps(trace)
        if not trace.failed and str(staged.folder) not in text:
            earlier.results().put(key, text)
        return trace

    def _run(self, snapshot: str, *, preview: bool) -> Trace:
        staged, run = self.repeated.staged, self.repeated.run
        settings = replace(run.settings(snapshot, preview=preview), directory=staged.folder, root_directory=staged.folder)
        assert settings.default_model is not None, "recorded runs come with the model of their providers"
        model = Watched(settings.default_model)
        context = Launch(rpc=self.rpc, models=Models(model), logs=staged.folder, timeout=TIMEOUT)
        trace = run_staged(context, self.runner, staged, settings)
        if trace.failed:
            trace = replace(trace, outputs={})  # the engine does not reach them
        urns = {entry.urn for entry in trace.registrations}
        refused = [entry for entry in model.refused.values() if entry.urn not in urns]
        log = [LogEntry(severity="error", message="refused", urn=entry.urn) for entry in refused]
        registrations = (*made_by_providers(trace, model.made), *map(_refused, refused))
        return replace(trace, registrations=registrations, log=(*trace.log, *log))

    def compared(self) -> Comparison:
        """Run the program with made-up answers, and compare it with the evaluator."""
        staged, run = self.repeated.staged, self.repeated.run
        settings = replace(run.settings(next(iter(run.snapshots)), preview=False), default_model=None)
        recorder = Recorder(
            rpc=self.rpc,
            evaluations=Evaluations(lambda _: settings, timeout=TIMEOUT),
            results=earlier.results(),
            identity=self.identity,
            logs=staged.folder,
        )
        [(_, comparison)] = recorder.compare([staged], lambda: self.runner)
        return comparison


def _refused(request: CreateRequest) -> Registration:
    """A resource that a provider refused; the evaluator has it with an error beside it."""
    return Registration(
        kind=RegistrationKind.RESOURCE,
        type=request.type,
        name=request.name,
        urn=request.urn,
        parent="",
        custom=True,
        inputs=request.inputs,
    )
