"""One snippet, converted: what each of its tabs is to hold.

Comes in: a `Job`, plain data that may go to another process.  Goes out: an `Answer`.  The compiler of `pclgen build` does
the work, so that results, failures too, are kept as long as what was read for them is the same.

A snippet is compiled with its fixture, its hidden lines, and a declaration for each name that it does not declare
(`docs.externals`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from pclgen.build.compile import Compiled, Compiler, compiler_for, compiler_identity
from pclgen.build.model import BuildContext, Options
from pclgen.choices import CodeStyle
from pclgen.diagnostics.bugs import own_failure
from pclgen.diagnostics.expressions import UNKNOWN_VARIABLE
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.docs import externals
from pclgen.languages import TARGETS
from pclgen.records import dataclass
from pclgen.schema.config import ConfigurationError
from pclgen.source.load import SNIPPET, LoadedProgram, LoadError, RawFile, program_in_memory
from pclgen.verify.results import Results, key_of

MAIN: Final[Mapping[str, str]] = {"pcl": "main.pp", "yaml": SNIPPET}
"""What the file of a snippet is called, by its language."""
FIXTURE: Final = "Fixture.pp"
GIVEN: Final = "Given.pp"
HIDDEN: Final = "Hidden.pp"
"""Files beside it; upper case comes first."""
_SUFFIXES: Final[Mapping[str, str]] = {"python": ".py", "typescript": ".ts", "go": ".go", "yaml": ".yaml"}
_STYLE: Final = CodeStyle(inline_helpers=True)
"""A tab is one text."""
NAME: Final = "docs"
"""What the program of each snippet is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A snippet to convert: `root` is the folder of its document, `label` tells it from others.  It need not be possible in
    the languages `optional`.  With `hides_given` the declarations of names that it lacks are not display_path."""

    label: str
    language: str
    text: str
    root: Path
    languages: tuple[str, ...]
    optional: tuple[str, ...] = ()
    hidden: str = ""
    fixture: str = ""
    lenient: bool = False
    hides_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a snippet: the texts of tabs by language, the declarations for names that it does not declare, and what
    there is to say, in the files of the program.  `reasons` say why a language has no text.  `is_new`: it was compiled
    now."""

    label: str
    texts: Mapping[str, str] = field(default_factory=dict)
    given: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    is_new: bool = False


def convert_all(context: BuildContext, jobs: Sequence[Job]) -> tuple[Answer, ...]:
    """The answers to `jobs`, in that order; whatever goes wrong with one is told in its own."""
    return tuple(convert_one(context, job) for job in jobs)


def convert_known(context: BuildContext, job: Job) -> Answer | None:
    """The answer to one job, if nothing has to be compiled for it."""
    try:
        return _convert(_Known(compiler_for(context), job))
    except _NotKnownError:
        return None
    except (LoadError, ConfigurationError):
        return convert_one(context, job)


def convert_one(context: BuildContext, job: Job) -> Answer:
    """The answer to one job."""
    try:
        return _convert(_Work(compiler_for(context), job))
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
    """`text` without the comments behind its last item: they belong to the program, and would be display_path."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith(("#", "//"))):
        del lines[-1]
    return "\n".join([*lines, ""])


class _NotKnownError(Exception):
    """Something has to be compiled."""


class _Work:
    """What has to be found out about a snippet; all of it is kept in the cache of the compiler."""

    def __init__(self, compiler: Compiler, job: Job) -> None:
        self.job = job
        self._compiler = compiler
        root = compiler.cache_root
        self._results = Results(root / "docs" if root is not None else None)
        self.is_new = False

    def compiled(self, given: str, languages: tuple[str, ...]) -> Compiled:
        """The snippet with the declarations `given`."""
        job = self.job
        names = (FIXTURE, HIDDEN, GIVEN) if job.hides_given else (FIXTURE, HIDDEN)
        sources = sources_of(job, given)
        there = {raw.name for raw in sources.files}
        hidden = tuple(name for name in names if name in there)
        options = Options(
            languages=languages,
            lenient=job.lenient,
            project_files=False,
            copy_files=False,
            style=_STYLE,
            hidden=hidden,
        )
        return self._compile(sources, options)

    def _compile(self, sources: LoadedProgram, options: Options) -> Compiled:
        made = self._compiler.compile_sources(sources, options)
        self.is_new = self.is_new or not made.from_cache
        return made

    def given(self, fingerprint: str, names: Sequence[str]) -> str:
        """The declarations of names that the snippet does not declare, which hold as long as the first compilation does."""
        job = self.job
        key = key_of("given", compiler_identity(), fingerprint, job.language, job.text, job.hidden, job.fixture, *names)
        return self._kept(key, lambda: self._declared(names))

    def _declared(self, names: Sequence[str]) -> str:
        return externals.declared(names, lambda text: sources_of(self.job, text), self._compiler.store(sources_of(self.job)))

    def as_pcl(self) -> str | None:
        """A snippet in Pulumi YAML as PCL; None when it cannot be read."""
        key = key_of("pcl", compiler_identity(), self.job.text)
        return self._kept(key, lambda: _as_pcl(self.job) or "") or None

    def _kept(self, key: str, make: Callable[[], str]) -> str:
        known = self._results.get(key)
        if known is None:
            known = self._made(make)
            self._results.put(key, known)
        return known

    def _made(self, make: Callable[[], str]) -> str:
        return make()


class _Known(_Work):
    """The same as far as it is known."""

    def _compile(self, sources: LoadedProgram, options: Options) -> Compiled:
        known = self._compiler.known_sources(sources, options)
        if known is None:
            raise _NotKnownError
        return known

    def _made(self, make: Callable[[], str]) -> str:
        raise _NotKnownError


def _convert(work: _Work) -> Answer:
    job = work.job
    targets = tuple(language for language in job.languages if language in TARGETS and language != job.language)
    written = tuple(language for language in targets if language not in job.optional)
    declarations = ""
    compiled = work.compiled(declarations, written)
    undefined = [single for single in compiled.diagnostics() if single.code == UNKNOWN_VARIABLE]
    if undefined:
        declarations = work.given(compiled.fingerprint, externals.names_of(undefined))
        compiled = work.compiled(declarations, written) if declarations else compiled
    texts: dict[str, str] = {}
    reasons: dict[str, str] = {}
    for language in written:
        single = compiled if compiled.result.ok else work.compiled(declarations, (language,))
        if single.result.ok:
            texts[language] = _text(single.result.files[language], language)
        else:
            errors = [item for item in single.diagnostics() if item.severity is Severity.ERROR]
            reasons[language] = f"{errors[0].code}: {errors[0].message}" if errors else "there is nothing to write"
    for language in targets if compiled.result.ok else ():
        if language in job.optional:
            single = work.compiled(declarations, (language,))
            if single.result.ok:
                texts[language] = _text(single.result.files[language], language)
    converted = work.as_pcl() if job.language == "yaml" and "pcl" in job.languages else None
    if converted is not None:
        texts["pcl"] = converted
    told = compiled.diagnostics()
    return Answer(label=job.label, texts=texts, given=declarations, diagnostics=told, reasons=reasons, is_new=work.is_new)


def _text(files: Mapping[str, str], language: str) -> str:
    """The program as one text: its files, each further one under its name."""
    mark = "//" if language in ("typescript", "go") else "#"
    own = {path: text for path, text in files.items() if PurePosixPath(path).suffix == _SUFFIXES.get(language)}
    first, *others = own
    return own[first] + "".join(f"\n{mark} {path}\n\n{own[path]}" for path in others)


def _as_pcl(job: Job) -> str | None:
    from pclgen.pipeline import convert_source

    return convert_source(RawFile(name=MAIN["yaml"], path=None, data=job.text.encode("utf-8"))).text
