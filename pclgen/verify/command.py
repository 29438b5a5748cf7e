"""`pclgen verify` without its arguments: from programs to a report.

Comes in: loaded programs, each with its schemas and what its runs are given.  Goes out: an `Outcome`.  Programs with errors
are not verified at all: their diagnostics are the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from pclgen.choices import PLAIN_STYLE, CodeStyle, JsonText
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.emit.overlay import Overlay
from pclgen.evaluate.entry import Given as RunGiven
from pclgen.evaluate.entry import settings_for
from pclgen.evaluate.settings import Settings
from pclgen.pipeline import BrokenTreeError, generate
from pclgen.records import dataclass
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram
from pclgen.source.project import NO_PROJECT
from pclgen.verify.comparison import Evaluations
from pclgen.verify.environments import Given, cache_folder
from pclgen.verify.keeping import DEFAULT_LIMIT
from pclgen.verify.places import Maps, with_places
from pclgen.verify.report import LEVELS, Level, Report
from pclgen.verify.results import Results
from pclgen.verify.running import DEFAULT_TIMEOUT
from pclgen.verify.subjects import Subject, label_of, make_keys
from pclgen.verify.verification import Options, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A program to verify, perhaps with templates of the user."""

    program: LoadedProgram
    store: SchemaStore
    given: RunGiven
    overlay: Overlay | None = None
    style: CodeStyle = PLAIN_STYLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked for.  `keep` says whether results are kept in the cache, and found there; `cache_limit` are the bytes
    that environments, builds and results may take on disk (None: no bound)."""

    languages: tuple[str, ...]
    level: Level
    environments: Given = field(default_factory=Given)
    lenient: bool = False
    jobs: int = 1
    keep: bool = True
    timeout: float = DEFAULT_TIMEOUT
    cache_limit: int | None = DEFAULT_LIMIT
    tell: Callable[[str], None] = field(default=lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The report, and everything there is to say about the programs themselves."""

    report: Report
    diagnostics: tuple[Diagnostic, ...]


def verify_programs(items: Sequence[Item], request: Request) -> Outcome:
    """Generate and verify.  Raises `LoadError` for a file of answers or configuration that cannot be used, and `OSError`
    when the scratch folder cannot be used."""
    bag = DiagnosticBag()
    subjects: list[Subject] = []
    settings: dict[str, Settings] = {}
    ungenerated: dict[str, str] = {}
    names: dict[str, str] = {}
    maps: dict[str, Maps] = {}
    request.tell(f"generating {len(items)} program{'' if len(items) == 1 else 's'}")
    for item, key in zip(items, make_keys([item.program.name for item in items]), strict=True):
        names[key] = label_of(item.program)
        source = replace(item.program, project=NO_PROJECT)  # sources at the top, where workers look for them
        try:
            made = generate(
                source,
                languages=request.languages,
                lenient=request.lenient,
                store=item.store,
                overlay=item.overlay,
                style=item.style,
                source_maps=True,
            )
        except BrokenTreeError as error:
            ungenerated[key] = f"a mistake of pclgen: {error}"
            continue
        bag.extend(made.diagnostics)
        if made.program is None:
            errors = sum(told.severity is Severity.ERROR for told in made.diagnostics)
            ungenerated[key] = f"it has {errors} error{'' if errors == 1 else 's'}"
            continue
        maps[key] = made.source_maps
        settings[key] = settings_for(made.program, item.given)
        subjects.append(
            Subject(
                key=key,
                name=item.program.name,
                source=item.program,
                program=made.program,
                files=made.files,
                store=item.store,
                json_values=item.style.json is JsonText.NATURAL,
            )
        )
    evaluations = Evaluations(lambda subject: settings[subject.key], timeout=request.timeout)
    if request.level == "run" and subjects:
        request.tell(f"evaluating {len(subjects)} program{'' if len(subjects) == 1 else 's'}")
        for subject in subjects:
            bag.extend(evaluations.of(subject).diagnostics)
    options = Options(
        languages=request.languages,
        levels=LEVELS[: LEVELS.index(request.level) + 1],
        evaluations=evaluations,
        given=request.environments,
        jobs=request.jobs,
        results=Results(cache_folder() / "results" if request.keep else None),
        cache_limit=request.cache_limit,
        tell=request.tell,
    )
    found = verify(subjects, options).verdicts if subjects else ()
    verdicts = tuple([with_places(verdict, maps[verdict.key]) for verdict in found])
    return Outcome(report=Report(verdicts=verdicts, names=names, ungenerated=ungenerated), diagnostics=bag.sorted())
