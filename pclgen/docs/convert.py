"""One snippet, converted: what each of its tabs is to hold.

Comes in: a `Job`, plain data that may go to another process.  Goes out: an `Answer`.  The compiler of `pclgen build` does
the work, so that results, failures too, are kept as long as what was read for them is the same.

A snippet is compiled with its fixture, its hidden lines, and a declaration for each name that it does not declare
(`docs.externals`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from pclgen.build.compile import Compiled, Compiler, compiler_for, compiler_identity
from pclgen.build.model import Options, Order
from pclgen.diagnostics.bugs import own_failure
from pclgen.diagnostics.expressions import UNKNOWN_VARIABLE
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.docs import externals
from pclgen.languages import LANGUAGES
from pclgen.records import dataclass
from pclgen.schema.config import ConfigurationError
from pclgen.source.load import LoadedProgram, LoadError, RawFile, program_in_memory
from pclgen.verify.results import Results, key_of

if TYPE_CHECKING:
    from pclgen.pipeline import TextResult

MAIN: Final[Mapping[str, str]] = {"pcl": "main.pp", "yaml": "Pulumi.yaml"}
"""What the file of a snippet is called, by its language."""
FIXTURE: Final = "Fixture.pp"
GIVEN: Final = "Given.pp"
HIDDEN: Final = "Hidden.pp"
"""Files beside it; upper case comes first."""
_SUFFIXES: Final[Mapping[str, str]] = {"python": ".py", "typescript": ".ts", "go": ".go", "yaml": ".yaml"}
NAME: Final = "docs"
"""What the program of each snippet is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A snippet to convert: `root` is the folder of its document, `label` tells it from others.  With `hides_given` the
    declarations of names that it lacks are not shown."""

    label: str
    language: str
    text: str
    root: Path
    languages: tuple[str, ...]
    hidden: str = ""
    fixture: str = ""
    lenient: bool = False
    hides_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a snippet: the texts of tabs by language, the declarations for names that it does not declare, and what
    there is to say, in the files of the program.  `reasons` say why a language has no text."""

    label: str
    texts: Mapping[str, str] = field(default_factory=dict)
    given: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)


def convert_all(order: Order, jobs: Sequence[Job]) -> tuple[Answer, ...]:
    """The answers to `jobs`, in that order; whatever goes wrong with one is told in its own."""
    return tuple(convert_one(order, job) for job in jobs)


def convert_one(order: Order, job: Job) -> Answer:
    """The answer to one job."""
    try:
        return _convert(compiler_for(order), job)
    except (LoadError, ConfigurationError) as error:
        return Answer(label=job.label, reasons=dict.fromkeys(job.languages, str(error)))
    except Exception as error:  # One snippet must not stop the others, whatever happens in it.
        return Answer(label=job.label, reasons=dict.fromkeys(job.languages, own_failure(error)))


def sources_of(job: Job, given: str = "") -> LoadedProgram:
    """The program of a snippet.  Raises `LoadError`."""
    texts = {FIXTURE: job.fixture, GIVEN: given, HIDDEN: job.hidden}
    files = {name: _without_last_comments(text) for name, text in texts.items() if text.strip()}
    return replace(program_in_memory(NAME, {**files, MAIN[job.language]: job.text}), root=job.root)


def _without_last_comments(text: str) -> str:
    """`text` without the comments behind its last item: they belong to the program, and would be shown."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith(("#", "//"))):
        del lines[-1]
    return "\n".join([*lines, ""])


def _convert(compiler: Compiler, job: Job) -> Answer:
    written = tuple(language for language in job.languages if language in LANGUAGES)
    given = ""
    made = _compiled(compiler, job, given, written)
    unknown = [one for one in made.diagnostics() if one.code == UNKNOWN_VARIABLE]
    if unknown:
        given = _given(compiler, job, made.state, externals.names_of(unknown))
        made = _compiled(compiler, job, given, written) if given else made
    texts: dict[str, str] = {}
    diagnostics = list(made.diagnostics())
    reasons: dict[str, str] = {}
    for language in written:
        one = made if made.kept.ok else _compiled(compiler, job, given, (language,))
        if one.kept.ok:
            texts[language] = _text(one.kept.files[language], language)
        else:
            errors = [item for item in one.diagnostics() if item.severity is Severity.ERROR]
            reasons[language] = f"{errors[0].code}: {errors[0].message}" if errors else "there is nothing to write"
    if job.language == "yaml" and "pcl" in job.languages:
        converted = _as_pcl(job)
        if converted.text is not None:
            texts["pcl"] = converted.text
    return Answer(label=job.label, texts=texts, given=given, diagnostics=tuple(diagnostics), reasons=reasons)


def _given(compiler: Compiler, job: Job, state: str, names: Sequence[str]) -> str:
    """The declarations of names that a snippet does not declare, which hold as long as the first compilation does."""
    root = compiler.cache_root
    results = Results(root / "docs" if root is not None else None)
    key = key_of("given", compiler_identity(), state, job.language, job.text, job.hidden, job.fixture, *names)
    known = results.get(key)
    if known is None:
        known = externals.declared(names, lambda text: sources_of(job, text), compiler.store(sources_of(job)))
        results.put(key, known)
    return known


def _compiled(compiler: Compiler, job: Job, given: str, languages: tuple[str, ...]) -> Compiled:
    names = (FIXTURE, HIDDEN, GIVEN) if job.hides_given else (FIXTURE, HIDDEN)
    sources = sources_of(job, given)
    there = {raw.name for raw in sources.files}
    hidden = tuple(name for name in names if name in there)
    options = Options(languages=languages, lenient=job.lenient, project_files=False, copy_files=False, hidden=hidden)
    return compiler.compile_sources(sources, options)


def _text(files: Mapping[str, str], language: str) -> str:
    """The program as one text: its files, each further one under its name."""
    mark = "//" if language in ("typescript", "go") else "#"
    own = {path: text for path, text in files.items() if PurePosixPath(path).suffix == _SUFFIXES.get(language)}
    first, *others = own
    return own[first] + "".join(f"\n{mark} {path}\n\n{own[path]}" for path in others)


def _as_pcl(job: Job) -> TextResult:
    from pclgen.pipeline import convert_source

    return convert_source(RawFile(name=MAIN["yaml"], path=None, data=job.text.encode("utf-8")))
