"""Verification: format, compile and run generated programs, and compare the runs with the evaluator's.

The report has a verdict for each program, language and level. A missing tool gives NOT_VERIFIED with the reason, never
PASSED. A program that fails a level is not checked on the next.

`verify_programs` is the pipeline of `pclgen verify`, from programs to a report. Programs with errors are not verified; their
diagnostics are the result.
"""

from __future__ import annotations

import errno
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.choices import PLAIN_STYLE, CodeStyle, JsonText
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.emit.overlay import Overlay
from pclgen.evaluate.run import RunInputs, settings_for
from pclgen.evaluate.settings import Settings
from pclgen.pipeline import BrokenTreeError, generate
from pclgen.protocol.rpc import Missing as NoRpc
from pclgen.protocol.rpc import load
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram
from pclgen.source.project import NO_PROJECT
from pclgen.sourcemaps import SourceMap
from pclgen.verify import checking, rereading
from pclgen.verify.comparison import Comparison, Evaluations, Recorder
from pclgen.verify.environments import (
    GoEnvironment,
    InstallError,
    NodeEnvironment,
    Packages,
    PythonEnvironment,
    Share,
    UserEnvironments,
    cache_folder,
    go_environment,
    go_packages,
    node_environment,
    node_packages,
    python_environment,
    python_packages,
    says_disk_is_full,
    shared,
)
from pclgen.verify.gobuild import GoModule
from pclgen.verify.hcl import verification as hcl
from pclgen.verify.keeping import DEFAULT_LIMIT, kept_within
from pclgen.verify.launch import GoRunner, Runner, link_modules, node_runner, python_runner
from pclgen.verify.processes import ToolError
from pclgen.verify.report import LEVELS, Level, Report, Status, Verdict
from pclgen.verify.results import Results, key_of
from pclgen.verify.running import DEFAULT_TIMEOUT, Place, places_in
from pclgen.verify.subjects import Files, Staged, Subject, label_of, make_keys, stage

# -- levels -----------------------------------------------------------------------------------------------------------------

Environment: TypeAlias = PythonEnvironment | NodeEnvironment | GoEnvironment

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_LEAST_ROOM: Final = 1_000_000
"""Free bytes below which a failure says nothing about a program."""

_NEEDS: Final[Mapping[str, Callable[[Files], Packages]]] = {
    "python": python_packages,
    "typescript": node_packages,
    "go": go_packages,
}
"""The packages that programs of a language need, from their files. Programs in other languages are not built."""


class VerifyOptions(Struct, frozen=True, kw_only=True):
    """How to verify.

    `levels` are checked in order. `jobs` is the number of programs that run at once. `results` caches results.
    `evaluations` determines how programs run: configuration, answers of providers, names. `cache_limit` is the maximum
    size of environments, builds and results on disk in bytes; None for no limit. `hcl`: pure values are compared with
    HashiCorp's HCL at the level `run`.
    """

    languages: tuple[str, ...]
    levels: tuple[Level, ...]
    evaluations: Evaluations
    user_environments: UserEnvironments = field(default_factory=UserEnvironments)
    jobs: int = 1
    results: Results = field(default_factory=lambda: Results(None))
    cache_limit: int | None = None
    hcl: bool = False
    tell: Callable[[str], None] = lambda _: None


class _Group(Struct, frozen=True, kw_only=True):
    """Programs of one language that share an environment."""

    language: str
    programs: tuple[Staged, ...]
    environment: Environment | InstallError
    node: NodeEnvironment | None
    root: Path


def verify(subjects: Sequence[Subject], options: VerifyOptions) -> Report:
    """Verify programs. Raises `OSError` if the scratch folder is unusable."""
    with (
        kept_within(cache_folder(), options.cache_limit),
        tempfile.TemporaryDirectory(prefix="pclgen-verify-") as scratch,
    ):
        root = Path(scratch).resolve()
        verdicts: list[Verdict] = []
        groups: dict[str, list[_Group]] = {}
        # TypeScript first: its environments also have the type checker of Python programs.
        built = [language for language in options.languages if language in _NEEDS]
        for language in options.languages:
            if language not in _NEEDS and language != rereading.LANGUAGE:
                verdicts += _none_verified(subjects, language, options.levels, "there is no check for this language")
        for language in sorted(built, key=lambda language: language != "typescript"):
            options.tell(f"{language}: preparing")
            try:
                with _full_disk_stops_tools():
                    groups[language] = _groups(subjects, language, options, root)
            except ToolError as error:
                groups[language] = []
                verdicts += _none_verified(subjects, language, options.levels, str(error))
        for language in built:
            for group in groups[language]:
                verdicts += _verify_group(group, options)
        if rereading.LANGUAGE in options.languages:
            options.tell(f"{rereading.LANGUAGE}: reading back")
            verdicts += rereading.reread(subjects, options.levels, options.evaluations)
        if options.hcl and "run" in options.levels:
            options.tell(f"{hcl.LANGUAGE}: comparing pure values")
            verdicts += hcl.compare_with_hcl(subjects)
        return Report(verdicts=tuple(verdicts), names={subject.key: subject.name for subject in subjects})


def _none_verified(
    subjects: Sequence[Subject], language: str, levels: Sequence[Level], reason: str
) -> Iterator[Verdict]:
    """Yield NOT_VERIFIED for all programs, with the reason."""
    for level in levels:
        for subject in subjects:
            yield Verdict(
                key=subject.key, language=language, level=level, status=Status.NOT_VERIFIED, messages=(reason,)
            )


def _groups(subjects: Sequence[Subject], language: str, options: VerifyOptions, root: Path) -> list[_Group]:
    """Stage the programs and make their environments.

    The level `format` needs no SDK, so registries are not asked for names that programs and schemas invent.
    """
    layout_only = set(options.levels) <= {"format"}
    own = options.user_environments
    user_paths = {"python": own.python, "typescript": own.node_modules, "go": own.go_module}
    # An environment of the user serves all programs, whatever versions they require.
    needs_packages = not layout_only and user_paths[language] is None
    needs = {subject.key: _NEEDS[language](subject.files[language]) if needs_packages else {} for subject in subjects}

    def make(union: Packages) -> Environment:
        if union:
            options.tell(f"{language}: getting {len(union)} package{'' if len(union) == 1 else 's'}")
        match language:
            case "python":
                return python_environment(union, user_paths[language] or (Path(sys.executable) if layout_only else None))
            case "typescript":
                return node_environment(union, user_paths[language])
            case _:
                return go_environment(union, user_paths[language])

    by_key = {subject.key: subject for subject in subjects}
    groups: list[_Group] = []
    shares: list[Share[Environment]] = shared(needs, make)
    for number, share in enumerate(shares):
        folder = root / f"{language}{number}"
        programs = tuple(stage(by_key[key], language, folder) for key in share.keys)
        if isinstance(share.environment, NodeEnvironment):
            link_modules(share.environment, folder)
        node = _tools(options) if language == "python" and "compile" in options.levels else None
        groups.append(_Group(language=language, programs=programs, environment=share.environment, node=node, root=folder))
    return groups


def _tools(options: VerifyOptions) -> NodeEnvironment | None:
    """Return an environment with pyright: that of the TypeScript programs, if there are any."""
    try:
        return node_environment({}, options.user_environments.node_modules)
    except InstallError:
        return None


def _verify_group(group: _Group, options: VerifyOptions) -> Iterator[Verdict]:
    """Yield the verdicts of all levels for the programs of one environment."""
    if isinstance(group.environment, InstallError):
        for level in options.levels:
            yield from _unknown(group.programs, level, str(group.environment))
        return
    waiting = list(group.programs)
    for level in options.levels:
        if not waiting:
            return
        options.tell(f"{group.language}: {level}, {len(waiting)} program{'' if len(waiting) == 1 else 's'}")
        verdicts = _run_level(group, level, waiting, options)
        yield from verdicts
        # Programs that could not be checked may still run.
        failed = {verdict.key for verdict in verdicts if verdict.status is Status.FAILED}
        waiting = [staged for staged in waiting if staged.subject.key not in failed]


def _run_level(
    group: _Group, level: Level, programs: Sequence[Staged], options: VerifyOptions
) -> list[Verdict]:
    """Return the verdicts of one level. Programs with which a tool fails are not verified; the others are."""
    if not programs:
        return []
    try:
        with _full_disk_stops_tools():
            if level == "run":
                verdicts = _run_all(group, programs, options)
            else:
                verdicts = _judged(group, level, programs, options)
            return [_if_disk_has_room(verdict, group.root) for verdict in verdicts]
    except ToolError as error:
        guilty = [staged for staged in programs if staged.subject.key in error.keys]
        if not guilty and (error.everywhere or len(programs) == 1):
            guilty = list(programs)
        results = list(_unknown(guilty, level, str(error)))
    rest = [staged for staged in programs if staged not in guilty]
    half = 0 if guilty else len(rest) // 2
    for part in (rest[:half], rest[half:]):
        results += _run_level(group, level, part, options)
    return results


def _judged(
    group: _Group, level: Level, programs: Sequence[Staged], options: VerifyOptions
) -> Iterator[Verdict]:
    """Yield verdicts from the messages of tools. Raises `ToolError`."""
    messages = _cached_messages(group, level, programs, options)
    for staged in programs:
        messages_ = tuple(messages.get(staged.subject.key, ()))
        yield _verdict(staged, level, Status.FAILED if messages_ else Status.PASSED, *messages_)


@contextmanager
def _full_disk_stops_tools() -> Iterator[None]:
    """Raise `ToolError` when a disk is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise ToolError(f"the disk is full: {error}", everywhere=True) from error


def _if_disk_has_room(verdict: Verdict, folder: Path) -> Verdict:
    """Return the verdict, or NOT_VERIFIED instead of FAILED if the disk was full."""
    if verdict.status is not Status.FAILED:
        return verdict
    full = [message for message in verdict.messages if says_disk_is_full(message)]
    if not full and shutil.disk_usage(folder).free > _LEAST_ROOM:
        return verdict
    reason = f"the disk is full: {full[0] if full else folder}"
    return replace(verdict, status=Status.NOT_VERIFIED, messages=(reason,), differences=())


def _unknown(programs: Sequence[Staged], level: Level, reason: str) -> Iterator[Verdict]:
    """Yield NOT_VERIFIED for these programs, with the reason."""
    yield from (_verdict(staged, level, Status.NOT_VERIFIED, reason) for staged in programs)


def _verdict(staged: Staged, level: Level, status: Status, *messages: str) -> Verdict:
    return Verdict(
        key=staged.subject.key, language=staged.language, level=level, status=status, messages=tuple(messages)
    )


# -- format and compile --------------------------------------------------------------------------------------------------


def _cached_messages(
    group: _Group, level: Level, programs: Sequence[Staged], options: VerifyOptions
) -> Mapping[str, Sequence[str]]:
    """Return messages of a checking level; programs that passed before, with the same tools, are not checked again."""
    keys = {staged.subject.key: _content_key(group, level, staged) for staged in programs}
    fresh = [staged for staged in programs if options.results.get(keys[staged.subject.key]) is None]
    if not fresh:
        return {}
    messages = _check(group, level, fresh)
    for staged in fresh:
        if not messages.get(staged.subject.key):
            options.results.put(keys[staged.subject.key], "passed")
    return messages


def _content_key(group: _Group, level: Level, staged: Staged) -> str:
    assert not isinstance(group.environment, InstallError)
    tools = group.node.identity if group.node is not None else ""
    texts = [part for path, text in sorted(staged.files.items()) for part in (str(path), text)]
    return key_of(level, staged.language, group.environment.identity, tools, *texts)


def _check(group: _Group, level: Level, programs: Sequence[Staged]) -> Mapping[str, Sequence[str]]:
    root = group.root
    match group.environment, level:
        case PythonEnvironment(), "format":
            return checking.format_python(programs)
        case PythonEnvironment() as environment, _:
            return checking.compile_python(programs, environment, group.node, root)
        case NodeEnvironment() as environment, "format":
            return checking.format_typescript(programs, environment, root)
        case NodeEnvironment() as environment, _:
            return checking.compile_typescript(programs, environment, root)
        case GoEnvironment() as environment, "format":
            return checking.format_go(programs, environment, root)
        case _:
            return _go_module(group, programs).vet()


def _go_module(group: _Group, programs: Sequence[Staged]) -> GoModule:
    """Return a module with these programs, in a new folder."""
    assert isinstance(group.environment, GoEnvironment)
    folder = tempfile.mkdtemp(prefix=f"{group.root.name}-module", dir=group.root.parent)
    return GoModule(group.environment, programs, Path(folder))


# -- run -----------------------------------------------------------------------------------------------------------------


def _run_all(group: _Group, programs: Sequence[Staged], options: VerifyOptions) -> Iterator[Verdict]:
    rpc = load()
    if isinstance(rpc, NoRpc):
        yield from _unknown(programs, "run", rpc.reason)
        return
    assert not isinstance(group.environment, InstallError)
    recorder = Recorder(
        rpc=rpc,
        evaluations=options.evaluations,
        results=options.results,
        identity=group.environment.identity,
        logs=group.root,
        jobs=options.jobs,
    )
    waiting = [staged for staged in programs if not recorder.is_known(staged)]
    broken: Mapping[str, Sequence[str]] = {}
    with ExitStack() as stack:
        binary = Path()
        if isinstance(group.environment, GoEnvironment) and waiting:
            binary, broken = _go_module(group, waiting).build()
        good = [staged for staged in programs if staged.subject.key not in broken]
        for staged in programs:
            if staged.subject.key in broken:
                yield _verdict(staged, "run", Status.FAILED, *broken[staged.subject.key])

        def make() -> Runner:
            runner = _runner(group.environment, binary)
            stack.callback(runner.close)
            return runner

        try:
            for staged, comparison in recorder.compare(good, make):
                yield _compared(staged, comparison)
        except OSError as error:
            raise ToolError(f"programs cannot be started: {error}", everywhere=True) from error


def _runner(environment: Environment | InstallError, binary: Path) -> Runner:
    match environment:
        case PythonEnvironment():
            return python_runner(environment)
        case NodeEnvironment():
            return node_runner(environment)
        case _:
            return GoRunner(binary)


def _status(comparison: Comparison) -> Status:
    if comparison.differences or comparison.failures:
        return Status.FAILED
    return Status.NOT_VERIFIED if comparison.unverified else Status.PASSED


def _compared(staged: Staged, comparison: Comparison) -> Verdict:
    return Verdict(
        key=staged.subject.key,
        language=staged.language,
        level="run",
        status=_status(comparison),
        messages=comparison.failures or comparison.unverified,
        differences=comparison.differences,
        limits=comparison.limits,
    )


# -- from programs to a report ----------------------------------------------------------------------------------------------

Maps: TypeAlias = Mapping[str, Mapping[PurePosixPath, SourceMap]]
"""The source maps of a program by language and path."""

_PLACE: Final = re.compile(r"(?P<file>[^:\s]+):(?P<line>\d+):")


class Item(Struct, frozen=True, kw_only=True):
    """A program to verify, optionally with templates of the user."""

    program: LoadedProgram
    store: SchemaStore
    run_inputs: RunInputs
    overlay: Overlay | None = None
    style: CodeStyle = PLAIN_STYLE
    lenient: bool = False


class VerifyRequest(Struct, frozen=True, kw_only=True):
    """The options of a verification.

    `keep` says whether results are cached; `cache_limit` is the maximum size of environments, builds and results on disk in
    bytes (None: unbounded). `hcl`: pure values are compared with HashiCorp's HCL.
    """

    languages: tuple[str, ...]
    level: Level
    environments: UserEnvironments = field(default_factory=UserEnvironments)
    jobs: int = 1
    keep: bool = True
    timeout: float = DEFAULT_TIMEOUT
    cache_limit: int | None = DEFAULT_LIMIT
    hcl: bool = False
    tell: Callable[[str], None] = lambda _: None


class Outcome(Struct, frozen=True, kw_only=True):
    """The report, and the diagnostics of the programs themselves."""

    report: Report
    diagnostics: tuple[Diagnostic, ...]


def verify_programs(items: Sequence[Item], request: VerifyRequest) -> Outcome:
    """Generate and verify.

    Raises `LoadError` for an invalid file of answers or configuration, and `OSError` if the scratch folder is unusable.
    """
    bag = DiagnosticBag()
    subjects: list[Subject] = []
    settings: dict[str, Settings] = {}
    ungenerated: dict[str, str] = {}
    names: dict[str, str] = {}
    maps: dict[str, Maps] = {}
    request.tell(f"generating {len(items)} program{'' if len(items) == 1 else 's'}")
    for item, key in zip(items, make_keys([item.program.name for item in items]), strict=True):
        names[key] = label_of(item.program)
        source = replace(item.program, project=NO_PROJECT)  # workers expect sources at the top
        try:
            generated = generate(
                source,
                languages=request.languages,
                lenient=item.lenient,
                store=item.store,
                overlay=item.overlay,
                style=item.style,
                source_maps=True,
            )
        except BrokenTreeError as error:
            ungenerated[key] = f"a mistake of pclgen: {error}"
            continue
        bag.extend(generated.diagnostics)
        if generated.program is None:
            errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in generated.diagnostics)
            ungenerated[key] = f"it has {errors} error{'' if errors == 1 else 's'}"
            continue
        maps[key] = generated.source_maps
        settings[key] = settings_for(generated.program, item.run_inputs)
        subjects.append(
            Subject(
                key=key,
                name=item.program.name,
                source=item.program,
                program=generated.program,
                files=generated.files,
                store=item.store,
                json_values=item.style.json is JsonText.NATURAL,
            )
        )
    evaluations = Evaluations(lambda subject: settings[subject.key], timeout=request.timeout)
    if request.level == "run" and subjects:
        request.tell(f"evaluating {len(subjects)} program{'' if len(subjects) == 1 else 's'}")
        for subject in subjects:
            bag.extend(evaluations.of(subject).diagnostics)
    options = VerifyOptions(
        languages=request.languages,
        levels=LEVELS[: LEVELS.index(request.level) + 1],
        evaluations=evaluations,
        user_environments=request.environments,
        jobs=request.jobs,
        results=Results(cache_folder() / "results" if request.keep else None),
        cache_limit=request.cache_limit,
        hcl=request.hcl,
        tell=request.tell,
    )
    verified = verify(subjects, options).verdicts if subjects else ()
    verdicts = tuple([with_places(verdict, maps[verdict.key]) for verdict in verified])
    return Outcome(report=Report(verdicts=verdicts, names=names, ungenerated=ungenerated), diagnostics=bag.sorted())


def with_places(verdict: Verdict, maps: Maps) -> Verdict:
    """Return `verdict` with the position in the program below each message of a compiler or a run about a mapped line."""
    if verdict.status is not Status.FAILED or verdict.level == "format":
        return verdict
    own = maps.get(verdict.language, {})
    places_of = places_in if verdict.level == "run" else _compiled_places
    return replace(verdict, messages=tuple([message + _origin(places_of(message), own) for message in verdict.messages]))


def _compiled_places(message: str) -> tuple[Place, ...]:
    match = _PLACE.match(message)
    return (Place(PurePosixPath(match["file"]), int(match["line"])),) if match is not None else ()


def _origin(places: Sequence[Place], maps: Mapping[PurePosixPath, SourceMap]) -> str:
    """Return a line with the origin of the first place that has one; helper functions have none."""
    for place in places:
        mapping = maps[place.file].on_line(place.line) if place.file in maps else None
        if mapping is not None:
            origin = mapping.origin
            named = f"{origin.kind} `{origin.name}`" if origin.name else origin.kind
            return f"\n  from {origin.span}: {named}"
    return ""
