"""The pipeline of docs: read files, convert snippets, write tabs or compare them.

Conversions run in processes or on an executor, by the engine of `pclgen build`. Finished files are forgotten, so memory
does not grow with their number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.build import workerpool
from pclgen.build.compile import compiler_for
from pclgen.build.model import BuildContext
from pclgen.diagnostics import docs as messages
from pclgen.diagnostics.model import Diagnostic, Note, Severity, listing
from pclgen.docs.convert import HIDDEN, MAIN, Answer, Job, convert_all, convert_cached, convert_one
from pclgen.docs.files import MarkdownFile, MarkdownText, read_files
from pclgen.docs.regions import Edit, Snippet, read_document, written
from pclgen.docs.settings import DocsSettings, find_settings
from pclgen.forks import cores
from pclgen.languages import TITLES
from pclgen.source.text import Span, one_line

_FEW: Final = 16
"""Snippets that convert faster than a process for them starts."""
_ROUNDS: Final = 4
"""Chunks per worker to look ahead when choosing the chunk size."""
_TITLES: Final = {**TITLES, "pcl": "PCL"}


class DocsRequest(Struct, frozen=True, kw_only=True):
    """The files and options of a request: `paths` of files and folders; `languages` override those of `docs.toml`; `lenient`
    as for programs."""

    paths: tuple[str, ...]
    context: BuildContext
    languages: tuple[str, ...] | None = None
    jobs: int | None = None
    lenient: bool = False


class Entry(Struct, frozen=True, kw_only=True):
    """A snippet, its position, and its result. `label` is unique; `answer` is None for a skipped snippet."""

    label: str
    part: MarkdownText
    snippet: Snippet
    settings: DocsSettings
    job: Job | None
    answer: Answer | None = None

    @property
    def opening(self) -> Span:
        """The first line of the fence."""
        fence = self.snippet.fence
        return self.part.source.span(fence.start, fence.start + len(fence.marks) + len(fence.info))


class DocsFile(Struct, frozen=True, kw_only=True):
    """A file with its snippets and the errors in its markers."""

    file: MarkdownFile
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]


class _PendingFile(Struct, kw_only=True, eq=False):
    """A file with snippets that are still being converted."""

    file: DocsFile
    missing: int
    answers: dict[str, Answer] = field(default_factory=dict)

    def done(self) -> DocsFile:
        entries = self.file.entries
        return replace(self.file, entries=tuple(replace(entry, answer=self.answers.get(entry.label)) for entry in entries))


def convert_docs(request: DocsRequest, *, executor: Executor | None = None) -> Iterator[DocsFile]:
    """Read all files and convert their snippets, over `executor` if given. Raises `LoadError`."""
    return convert_read(read_files(request.paths), request, executor=executor)


def convert_read(
    files: Iterable[MarkdownFile], request: DocsRequest, *, executor: Executor | None = None
) -> Iterator[DocsFile]:
    """Convert the snippets of files that are already read, in order."""
    begun: deque[_PendingFile] = deque()
    whose: dict[str, _PendingFile] = {}

    def jobs() -> Iterator[Job]:
        for file in files:
            own = _read(file, request)
            file_jobs = [entry.job for entry in own.entries if entry.job is not None]
            begun.append(_PendingFile(file=own, missing=len(file_jobs)))
            whose.update(dict.fromkeys((job.label for job in file_jobs), begun[-1]))
            yield from file_jobs

    is_new = False
    for answer in _answers(request, jobs(), executor):
        is_new = is_new or answer.is_new
        file = whose.pop(answer.label)
        file.answers[answer.label] = answer
        file.missing -= 1
        while begun and not begun[0].missing:
            yield begun.popleft().done()
    yield from (file.done() for file in begun)
    if is_new:
        compiler_for(request.context).tidy(request.context.root)


def _answers(request: DocsRequest, jobs: Iterator[Job], executor: Executor | None) -> Iterator[Answer]:
    context = request.context
    work = partial(convert_all, context)
    workers = request.jobs or cores()
    if executor is not None:
        first = list(islice(jobs, workerpool.CHUNK * workers * _ROUNDS))
        size = workerpool.chunk_size(len(first), workers)
        in_flight = workerpool.IN_FLIGHT * workers
        yield from _drain(workerpool.over(executor, work, chain(first, jobs), size=size, in_flight=in_flight))
        return
    pending: list[Job] = []
    while len(pending) < _FEW * workers and (job := next(jobs, None)) is not None:
        answer = convert_cached(context, job) if workers > 1 else convert_one(context, job)
        if answer is None:
            pending.append(job)
        else:
            yield answer
    workers = min(workers, -(-len(pending) // _FEW))
    if workers < 2:
        yield from (convert_one(context, job) for job in pending)
        return
    pending += islice(jobs, workerpool.OWN_CHUNK * workers * _ROUNDS)
    size = min(workerpool.OWN_CHUNK, workerpool.chunk_size(len(pending), workers))
    yield from _drain(workerpool.over_worker_processes(work, chain(pending, jobs), workers, size=size))


def _drain(chunks: Iterable[tuple[Sequence[Job], Sequence[Answer] | Exception]]) -> Iterator[Answer]:
    """Yield the answers of workers; if a worker died, answers that say so."""
    for chunk, answer in chunks:
        if isinstance(answer, Exception):
            reason = f"the process that compiled it ended: {answer}"
            yield from (Answer(label=job.label, reasons=dict.fromkeys(job.languages, reason)) for job in chunk)
        else:
            yield from answer


def _read(file: MarkdownFile, request: DocsRequest) -> DocsFile:
    settings = find_settings(file.path.parent)
    if request.languages is not None:
        settings = replace(settings, languages=request.languages, optional=())
    entries: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    for part in file.parts:
        document = read_document(part.source)
        diagnostics += document.diagnostics
        names: set[str] = set()
        for number, snippet in enumerate(document.snippets, 1):
            snippet_name = snippet.attributes.get("name")
            name = snippet_name or str(number)
            label = f"{part.source.name}:{name}"
            entry = Entry(label=label, part=part, snippet=snippet, settings=settings, job=None)
            if snippet_name and (snippet_name in names or snippet_name.isdecimal()):
                diagnostics.append(messages.name_taken(snippet_name, entry.opening, is_number=snippet_name.isdecimal()))
                continue
            names.add(name)
            fixture = document.fixture + _fixture(entry, diagnostics)
            if "skip" not in snippet.attributes:
                entry = replace(entry, job=_job(entry, file.path.parent, fixture, lenient=request.lenient))
            entries.append(entry)
    return DocsFile(file=file, entries=tuple(entries), diagnostics=tuple(diagnostics))


def _fixture(entry: Entry, diagnostics: list[Diagnostic]) -> str:
    fixtures = entry.settings.fixtures
    name = entry.snippet.attributes.get("fixture", entry.settings.fixture)
    if name and name not in fixtures:
        names = f"there are {listing(sorted(fixtures))}" if fixtures else "`docs.toml` has none in its table `fixtures`"
        diagnostics.append(messages.unknown_fixture(name, entry.opening, names))
    return fixtures.get(name, "")


def _job(entry: Entry, root: Path, fixture: str, *, lenient: bool) -> Job:
    snippet = entry.snippet
    externals = snippet.attributes.get("externals", entry.settings.externals)
    return Job(
        label=entry.label,
        language=snippet.language,
        text=snippet.text,
        root=root,
        languages=entry.settings.languages,
        optional=entry.settings.optional,
        hidden=snippet.hidden,
        fixture=fixture,
        lenient=lenient,
        hides_given=externals == "hidden",
    )


# -- results


def failures(entry: Entry) -> tuple[Diagnostic, ...]:
    """Return the errors of a snippet, positioned in its document; also a missing error where one is expected."""
    answer = entry.answer
    if answer is None:
        return ()
    errors = [error for error in answer.diagnostics if error.severity is Severity.ERROR]
    expected = entry.snippet.attributes.get("expect-error")
    if expected is not None:
        if any(not expected or error.code == expected for error in errors):
            return ()
        codes = listing(sorted({error.code for error in errors})) if errors else "none"
        return (messages.no_such_error(expected, entry.opening, codes),)
    return tuple(_placed(error, entry) for error in errors)


def _placed(diagnostic: Diagnostic, entry: Entry) -> Diagnostic:
    """Move a diagnostic about the program of a snippet to its document."""

    def span(place: Span | None) -> Span | None:
        if place is None or place.file.name not in (MAIN[entry.snippet.language], HIDDEN):
            return entry.opening
        hidden = place.file.name == HIDDEN
        start = entry.snippet.offset(place.start, hidden=hidden)
        end = entry.snippet.offset(place.end, hidden=hidden)
        return entry.part.source.span(start, max(start, end))

    notes = tuple(
        Note(message=note.message, span=span(note.span) if note.span is not None else None) for note in diagnostic.notes
    )
    return replace(diagnostic, primary=span(diagnostic.primary), notes=notes)


def edits_of(entry: Entry) -> list[Edit]:
    """Return the edits that correct the tabs of a snippet; none for a skipped or wrong snippet."""
    answer = entry.answer
    if answer is None or "expect-error" in entry.snippet.attributes or not answer.texts:
        return []
    return written(entry.part.source.text, entry.snippet, answer.texts, entry.settings.languages)


def rewritten(file: DocsFile) -> str:
    """Return the text of a file with all its tabs."""
    edits: dict[str, list[Edit]] = {}
    for entry in file.entries:
        edits.setdefault(entry.part.pointer, []).extend(edits_of(entry))
    return file.file.edited(edits)


def mistakes(file: DocsFile) -> tuple[Diagnostic, ...]:
    """Return all errors in the markers, fences and snippets of a file."""
    return (*file.diagnostics, *(error for entry in file.entries for error in failures(entry)))


def lost(file: DocsFile) -> tuple[str, ...]:
    """Return a sentence for each snippet that could not be processed although its text is valid."""
    return tuple(
        f"{entry.label}: {next(iter(entry.answer.reasons.values()))}"
        for entry in file.entries
        if entry.answer is not None and entry.answer.reasons and not entry.answer.diagnostics
    )


def problems(file: DocsFile) -> tuple[Diagnostic, ...]:
    """Return diagnostics for missing or stale tabs of a file."""
    return tuple(diagnostic for entry in file.entries for diagnostic in _differences(entry))


def _differences(entry: Entry) -> Iterator[Diagnostic]:
    edits = edits_of(entry)
    if not edits or entry.answer is None:
        return
    source, count = entry.part.source, 0
    tabs = {tab.language: tab for tab in entry.snippet.region.tabs}
    for language in entry.settings.languages:
        text = entry.answer.texts.get(language)
        if text is None or language == entry.snippet.language:
            continue
        tab = tabs.get(language)
        if tab is None:
            count += 1
            yield messages.tab_missing(_TITLES[language], entry.opening)
            continue
        lines = text.rstrip("\n").split("\n")
        present = [source.text[slice(*place)] for place in tab.fence.lines]
        if present != lines:
            count += 1
            at = next(
                (n for n, (a, b) in enumerate(zip(present, lines, strict=False)) if a != b), min(len(present), len(lines))
            )
            place = tab.fence.lines[at] if at < len(present) else (tab.fence.closing, tab.fence.end)
            expected = one_line(lines[at].strip()) if at < len(lines) else ""
            yield messages.tab_stale(_TITLES[language], source.span(*place), expected)
    if not count:
        yield messages.tab_stale(_TITLES.get(edits[0].language, "another language"), entry.opening, "")
