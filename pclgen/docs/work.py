"""Docs from their beginning to their end: read, convert, write the tabs or compare them.

Comes in: a `Request`.  Goes out: each file with its snippets and what became of them, one after the other; then its new text
(`rewritten`), or what is wrong in the one that is there (`problems`).  Conversions go over processes or an executor by the
engine of `pclgen build`.  Of files that were given out nothing is kept: memory does not grow with their number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final

from pclgen.build import workerpool
from pclgen.build.compile import compiler_for
from pclgen.build.model import BuildContext
from pclgen.diagnostics import docs as told
from pclgen.diagnostics.make import listing
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.docs.convert import HIDDEN, MAIN, Answer, Job, convert_all, convert_known, convert_one
from pclgen.docs.files import File, Part, read_files
from pclgen.docs.regions import Snippet, read_document
from pclgen.docs.settings import DocsSettings, find_settings
from pclgen.docs.tabs import Edit, written
from pclgen.forks import cores
from pclgen.languages import TITLES
from pclgen.records import dataclass
from pclgen.source.text import Span, one_line

_FEW: Final = 16
"""So many snippets are converted sooner than a process for them starts."""
_ROUNDS: Final = 4
"""So many chunks for each worker are looked ahead, to tell how large they should be."""
_TITLES: Final = {**TITLES, "yaml": "YAML", "pcl": "PCL"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to work on: `paths` of files and folders; `languages` go over those of `docs.toml`; `lenient` as for programs."""

    paths: tuple[str, ...]
    context: BuildContext
    languages: tuple[str, ...] | None = None
    jobs: int | None = None
    lenient: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A snippet, where it stands, and what became of it.  `label` tells it from all others; `answer` is None for one that is
    to be skipped."""

    label: str
    part: Part
    snippet: Snippet
    settings: DocsSettings
    job: Job | None
    answer: Answer | None = None

    @property
    def opening(self) -> Span:
        """The first line of the fence."""
        fence = self.snippet.fence
        return self.part.source.span(fence.start, fence.start + len(fence.marks) + len(fence.info))


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsFile:
    """A file with its snippets and what is wrong in its markers."""

    file: File
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True, kw_only=True, eq=False)
class _Begun:
    """A file of which some snippets are still being converted."""

    file: DocsFile
    missing: int
    answers: dict[str, Answer] = field(default_factory=dict)

    def done(self) -> DocsFile:
        entries = self.file.entries
        return replace(self.file, entries=tuple(replace(one, answer=self.answers.get(one.label)) for one in entries))


def convert_docs(request: Request, *, executor: Executor | None = None) -> Iterator[DocsFile]:
    """Read all files and convert their snippets, over `executor` if there is one.  Raises `LoadError`."""
    return convert_read(read_files(request.paths), request, executor=executor)


def convert_read(files: Iterable[File], request: Request, *, executor: Executor | None = None) -> Iterator[DocsFile]:
    """The same for files that are read already, in their order."""
    begun: deque[_Begun] = deque()
    whose: dict[str, _Begun] = {}

    def jobs() -> Iterator[Job]:
        for file in files:
            own = _read(file, request)
            found = [entry.job for entry in own.entries if entry.job is not None]
            begun.append(_Begun(file=own, missing=len(found)))
            whose.update(dict.fromkeys((job.label for job in found), begun[-1]))
            yield from found

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


def _answers(request: Request, jobs: Iterator[Job], executor: Executor | None) -> Iterator[Answer]:
    context = request.context
    work = partial(convert_all, context)
    workers = request.jobs or cores()
    if executor is not None:
        first = list(islice(jobs, workerpool.CHUNK * workers * _ROUNDS))
        size = workerpool.chunk_size(len(first), workers)
        in_flight = workerpool.IN_FLIGHT * workers
        yield from _drain(workerpool.over(executor, work, chain(first, jobs), size=size, in_flight=in_flight))
        return
    some: list[Job] = []
    while len(some) < _FEW * workers and (job := next(jobs, None)) is not None:
        answer = convert_known(context, job) if workers > 1 else convert_one(context, job)
        if answer is None:
            some.append(job)
        else:
            yield answer
    workers = min(workers, -(-len(some) // _FEW))
    if workers < 2:
        yield from (convert_one(context, job) for job in some)
        return
    some += islice(jobs, workerpool.OWN_CHUNK * workers * _ROUNDS)
    size = min(workerpool.OWN_CHUNK, workerpool.chunk_size(len(some), workers))
    yield from _drain(workerpool.over_worker_processes(work, chain(some, jobs), workers, size=size))


def _drain(chunks: Iterable[tuple[Sequence[Job], Sequence[Answer] | Exception]]) -> Iterator[Answer]:
    """The answers of workers; where one of them ended, what was lost."""
    for chunk, answer in chunks:
        if isinstance(answer, Exception):
            reason = f"the process that compiled it ended: {answer}"
            yield from (Answer(label=job.label, reasons=dict.fromkeys(job.languages, reason)) for job in chunk)
        else:
            yield from answer


def _read(file: File, request: Request) -> DocsFile:
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
            given = snippet.attributes.get("name")
            name = given or str(number)
            label = f"{part.source.name}:{name}"
            entry = Entry(label=label, part=part, snippet=snippet, settings=settings, job=None)
            if given and (given in names or given.isdecimal()):
                diagnostics.append(told.name_taken(given, entry.opening, is_number=given.isdecimal()))
                continue
            names.add(name)
            fixture = document.fixture + _fixture(entry, diagnostics)
            if "skip" not in snippet.attributes:
                entry = replace(entry, job=_job(entry, file.path.parent, fixture, lenient=request.lenient))
            entries.append(entry)
    return DocsFile(file=file, entries=tuple(entries), diagnostics=tuple(diagnostics))


def _fixture(entry: Entry, diagnostics: list[Diagnostic]) -> str:
    known = entry.settings.fixtures
    name = entry.snippet.attributes.get("fixture", entry.settings.fixture)
    if name and name not in known:
        names = f"there are {listing(sorted(known))}" if known else "`docs.toml` has none in its table `fixtures`"
        diagnostics.append(told.unknown_fixture(name, entry.opening, names))
    return known.get(name, "")


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


# -- what came of it


def failures(entry: Entry) -> tuple[Diagnostic, ...]:
    """What is wrong with a snippet, in its document: errors of its text, or that it has none where it is to have one."""
    answer = entry.answer
    if answer is None:
        return ()
    errors = [one for one in answer.diagnostics if one.severity is Severity.ERROR]
    expected = entry.snippet.attributes.get("expect-error")
    if expected is not None:
        if any(not expected or one.code == expected for one in errors):
            return ()
        found = listing(sorted({one.code for one in errors})) if errors else "none"
        return (told.no_such_error(expected, entry.opening, found),)
    return tuple(_placed(one, entry) for one in errors)


def _placed(diagnostic: Diagnostic, entry: Entry) -> Diagnostic:
    """A diagnostic about the program of a snippet as one about its document."""

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
    """What makes the tabs of a snippet right; nothing for one that has none, since it is skipped or wrong."""
    answer = entry.answer
    if answer is None or "expect-error" in entry.snippet.attributes or not answer.texts:
        return []
    return written(entry.part.source.text, entry.snippet, answer.texts, entry.settings.languages)


def rewritten(one: DocsFile) -> str:
    """The text of a file with all its tabs."""
    edits: dict[str, list[Edit]] = {}
    for entry in one.entries:
        edits.setdefault(entry.part.pointer, []).extend(edits_of(entry))
    return one.file.edited(edits)


def mistakes(one: DocsFile) -> tuple[Diagnostic, ...]:
    """All that is wrong in the markers, fences and snippets of a file."""
    return (*one.diagnostics, *(found for entry in one.entries for found in failures(entry)))


def lost(one: DocsFile) -> tuple[str, ...]:
    """A sentence for each snippet that could not be looked at, though nothing is wrong with its text."""
    return tuple(
        f"{entry.label}: {next(iter(entry.answer.reasons.values()))}"
        for entry in one.entries
        if entry.answer is not None and entry.answer.reasons and not entry.answer.diagnostics
    )


def problems(one: DocsFile) -> tuple[Diagnostic, ...]:
    """The tabs of a file that are missing or stale."""
    return tuple(found for entry in one.entries for found in _differences(entry))


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
            yield told.tab_missing(_TITLES[language], entry.opening)
            continue
        lines = text.rstrip("\n").split("\n")
        there = [source.text[slice(*place)] for place in tab.fence.lines]
        if there != lines:
            count += 1
            at = next((n for n, (a, b) in enumerate(zip(there, lines, strict=False)) if a != b), min(len(there), len(lines)))
            place = tab.fence.lines[at] if at < len(there) else (tab.fence.closing, tab.fence.end)
            expected = one_line(lines[at].strip()) if at < len(lines) else ""
            yield told.tab_stale(_TITLES[language], source.span(*place), expected)
    if not count:
        yield told.tab_stale(_TITLES.get(edits[0].language, "another language"), entry.opening, "")
