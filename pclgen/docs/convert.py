"""Conversion of one snippet to its tabs.

The compiler of `pclgen build` does the work, so results, including failures, are cached under everything that was read. A
snippet is compiled with its fixture, its hidden lines, and a declaration for each name that it does not declare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.build.compile import Compiled, Compiler, compiler_for, compiler_identity
from pclgen.build.model import BuildContext, Options
from pclgen.choices import CodeStyle
from pclgen.core.configuration import Shape, shapes_of
from pclgen.diagnostics.expressions import UNKNOWN_VARIABLE
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.errors import own_failure
from pclgen.languages import ROWS, TARGETS
from pclgen.pipeline import bind
from pclgen.schema.config import ConfigurationError
from pclgen.schema.load import SchemaStore
from pclgen.source.load import SNIPPET, LoadedProgram, LoadError, RawFile, program_in_memory
from pclgen.verify.results import Results, key_of

MAIN: Final[Mapping[str, str]] = {"pcl": "main.pp", "yaml": SNIPPET}
"""The file name of a snippet, by its language."""
FIXTURE: Final = "Fixture.pp"
GIVEN: Final = "Given.pp"
HIDDEN: Final = "Hidden.pp"
"""Files beside the snippet; upper case sorts first."""
_ROWS: Final = {row.name: row for row in ROWS}
_STYLE: Final = CodeStyle(inline_helpers=True)
"""A tab is a single text."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][\w-]*")
_AROUND: Final = "[]\"' "
"""Characters around a name in Pulumi YAML: `${["my-vpc"].id}`."""
NAME: Final = "docs"
"""The program name of each snippet."""


class Job(Struct, frozen=True, kw_only=True):
    """A snippet to convert.

    `root` is the folder of its document, `label` is unique. The languages in `optional` may fail. With `hides_given`,
    declarations of undeclared names are not shown.
    """

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


class Answer(Struct, frozen=True, kw_only=True):
    """The result of a snippet: texts of tabs by language, declarations of undeclared names, and diagnostics in the files
    of the program.

    `reasons` say why a language has no text. `is_new` means that the snippet was compiled now.
    """

    label: str
    texts: Mapping[str, str] = field(default_factory=dict)
    declarations: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    is_new: bool = False


def convert_all(context: BuildContext, jobs: Sequence[Job]) -> tuple[Answer, ...]:
    """Return the answers to `jobs`, in that order; problems become part of the answer."""
    return tuple(convert_one(context, job) for job in jobs)


def convert_cached(context: BuildContext, job: Job) -> Answer | None:
    """Return the answer to one job if it needs no compilation, else None."""
    try:
        return _convert(_CachedWork(compiler_for(context), job))
    except _NotCachedError:
        return None
    except (LoadError, ConfigurationError):
        return convert_one(context, job)


def convert_one(context: BuildContext, job: Job) -> Answer:
    """Return the answer to one job."""
    try:
        return _convert(_Work(compiler_for(context), job))
    except (LoadError, ConfigurationError) as error:
        return Answer(label=job.label, reasons=dict.fromkeys(job.languages, str(error)))
    except Exception as error:  # A crash in one snippet must not stop the others.
        return Answer(label=job.label, reasons=dict.fromkeys(job.languages, own_failure(error)))


def sources_of(job: Job, declarations: str = "") -> LoadedProgram:
    """Return the program of a snippet. Raises `LoadError`."""
    texts = {FIXTURE: job.fixture, GIVEN: declarations, HIDDEN: job.hidden}
    files = {name: _without_last_comments(text) for name, text in texts.items() if text.strip()}
    return replace(program_in_memory(NAME, {**files, MAIN[job.language]: job.text}), root=job.root)


def _without_last_comments(text: str) -> str:
    """Return `text` without the comments after its last item, which belong to the program and would be shown."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith(("#", "//"))):
        del lines[-1]
    return "\n".join([*lines, ""])


class _NotCachedError(Exception):
    """A compilation is needed."""


class _Work:
    """The conversion of a snippet, cached by the compiler."""

    def __init__(self, compiler: Compiler, job: Job) -> None:
        self.job = job
        self._compiler = compiler
        root = compiler.cache_root
        self._results = Results(root / "docs" if root is not None else None)
        self.is_new = False

    def compiled(self, declarations: str, languages: tuple[str, ...]) -> Compiled:
        """Compile the snippet with `declarations`."""
        job = self.job
        names = (FIXTURE, HIDDEN, GIVEN) if job.hides_given else (FIXTURE, HIDDEN)
        sources = sources_of(job, declarations)
        present = {raw.name for raw in sources.files}
        hidden = tuple(name for name in names if name in present)
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
        compiled = self._compiler.compile_sources(sources, options)
        self.is_new = self.is_new or not compiled.from_cache
        return compiled

    def declarations_of(self, fingerprint: str, names: Sequence[str]) -> str:
        """Return declarations of names that the snippet does not declare, valid as long as the first compilation is."""
        job = self.job
        key = key_of("given", compiler_identity(), fingerprint, job.language, job.text, job.hidden, job.fixture, *names)
        return self._cached(key, lambda: self._declared(names))

    def _declared(self, names: Sequence[str]) -> str:
        return declarations_for(names, lambda text: sources_of(self.job, text), self._compiler.store(sources_of(self.job)))

    def as_pcl(self) -> str | None:
        """Return a snippet in Pulumi YAML as PCL; None if it is invalid."""
        key = key_of("pcl", compiler_identity(), self.job.text)
        return self._cached(key, lambda: _as_pcl(self.job) or "") or None

    def _cached(self, key: str, make: Callable[[], str]) -> str:
        result = self._results.get(key)
        if result is None:
            result = self._compute(make)
            self._results.put(key, result)
        return result

    def _compute(self, make: Callable[[], str]) -> str:
        return make()


class _CachedWork(_Work):
    """The conversion as far as it is cached."""

    def _compile(self, sources: LoadedProgram, options: Options) -> Compiled:
        cached = self._compiler.cached_sources(sources, options)
        if cached is None:
            raise _NotCachedError
        return cached

    def _compute(self, make: Callable[[], str]) -> str:
        raise _NotCachedError


def _convert(work: _Work) -> Answer:
    job = work.job
    targets = tuple(language for language in job.languages if language in TARGETS and language != job.language)
    written = tuple(language for language in targets if language not in job.optional)
    declarations = ""
    compiled = work.compiled(declarations, written)
    undefined = [single for single in compiled.diagnostics() if single.code == UNKNOWN_VARIABLE]
    if undefined:
        declarations = work.declarations_of(compiled.fingerprint, undefined_names(undefined))
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
    messages = compiled.diagnostics()
    return Answer(
        label=job.label, texts=texts, declarations=declarations, diagnostics=messages, reasons=reasons, is_new=work.is_new
    )


def _text(files: Mapping[str, str], language: str) -> str:
    """Return the program as one text: its files, each further one under its name."""
    row = _ROWS[language]
    own = {path: text for path, text in files.items() if PurePosixPath(path).suffix == row.suffix}
    first, *rest = own
    return own[first] + "".join(f"\n{row.comment} {path}\n\n{own[path]}" for path in rest)


def _as_pcl(job: Job) -> str | None:
    from pclgen.formatting import convert_source

    return convert_source(RawFile(name=MAIN["yaml"], path=None, data=job.text.encode("utf-8"))).text


def undefined_names(unknown: Iterable[Diagnostic]) -> tuple[str, ...]:
    """Return the names that diagnostics report as unknown, in order of occurrence."""
    texts = [diagnostic.primary.text.strip(_AROUND) for diagnostic in unknown if diagnostic.primary is not None]
    return tuple(dict.fromkeys(text for text in texts if _IDENTIFIER.fullmatch(text)))


def declarations_for(names: Sequence[str], program_with: Callable[[str], LoadedProgram], store: SchemaStore) -> str:
    """Return PCL that declares `names` as configuration, of the types that their uses require.

        overrideSpecial = amiId            ->  config "amiId" "string" {}
        subnetId = subnet.id               ->  config "subnet" "object({id=string})" {}

    The program is bound with all of them as `any`; the conversions that binding inserts give the expected types.
    """
    unknown = {name: Shape() for name in names}
    bound = bind(program_with(_declarations(unknown)), store, lenient=True)
    return _declarations(unknown if bound.program is None else shapes_of(names, bound.program))


def _declarations(shapes: Mapping[str, Shape]) -> str:
    return "".join(f"config {json.dumps(name)} {json.dumps(shape.label())} {{}}\n" for name, shape in shapes.items())
