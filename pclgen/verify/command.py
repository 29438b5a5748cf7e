"""The pipeline of `pclgen verify`, from programs to a report.

Programs with errors are not verified; their diagnostics are the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.choices import PLAIN_STYLE, CodeStyle, JsonText
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.emit.overlay import Overlay
from pclgen.evaluate.entry import RunInputs, settings_for
from pclgen.evaluate.settings import Settings
from pclgen.pipeline import BrokenTreeError, generate
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram
from pclgen.source.project import NO_PROJECT
from pclgen.sourcemaps import SourceMap
from pclgen.verify.comparison import Evaluations
from pclgen.verify.environments import UserEnvironments, cache_folder
from pclgen.verify.keeping import DEFAULT_LIMIT
from pclgen.verify.report import LEVELS, Level, Report, Status, Verdict
from pclgen.verify.results import Results
from pclgen.verify.running import DEFAULT_TIMEOUT
from pclgen.verify.stacks import Place, places_in
from pclgen.verify.subjects import Subject, label_of, make_keys
from pclgen.verify.verification import VerifyOptions, verify

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
