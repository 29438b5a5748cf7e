"""The snippets of a Markdown text, the regions of their tabs, and the edits that write the tabs.

Errors in markers and fences have codes PCL13xx. A region is one of

    comments   <!--Start PulumiCodeChooser --> to <!--End PulumiCodeChooser -->: all fences in it are tabs
    chooser    {{< chooser language "..." >}} to {{< /chooser >}}: each {{% choosable language x %}} is a tab
    example    fences with nothing between them in {{% example %}}
    bare       a fence of PCL or of Pulumi YAML elsewhere: its tabs need a region, which `written` puts around it

The source of a region is its fence `pcl`, or else its fence `yaml` with a program; other regions are ignored. A tab `pcl`
generated from YAML is marked (`GENERATED`), so that it does not become the source.

Edits touch only tabs of the region: other fences and the source stay where they are. An existing tab keeps its position
and its opening line as far as the order allows.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Final, assert_never

from msgspec import Struct, field

from pclgen.diagnostics import docs as messages
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.diagnostics.suggest import suggest
from pclgen.docs.markdown import Fence, Hidden, Marker, Prose, blocks
from pclgen.languages import ROWS
from pclgen.source.text import SourceFile, Span

LANGUAGES_OF_FENCES: Final[Mapping[str, str]] = {
    **{name: row.name for row in ROWS for name in row.names},
    "pcl": "pcl",
}
"""The names of generated languages at fences and choosables."""

ATTRIBUTES: Final = ("skip", "expect-error", "fixture", "name", "externals")
"""Attributes after the language of a source."""
_FAR: Final = 2000
"""Maximum number of characters of markers between hidden lines and their fence."""
GENERATED: Final = "generated"
"""The attribute of a `pcl` tab that is not a source."""

_PROGRAM: Final = frozenset({"resources", "variables", "outputs"})
_BESIDE: Final = frozenset(
    {
        "name", "runtime", "description", "config", "configuration", "pulumi", "main", "backend", "options", "template",
        "plugins", "stackConfigDir", "license", "website", "author", "requiredPulumiVersion", "packages", "components",
    }
)  # fmt: skip  # many short words
_KEY: Final = re.compile(
    r"^([A-Za-z][\w-]*)[ \t]*:[ \t]*([^\n]*)\n?((?:[ \t]*(?:#[^\n]*)?\n)*)([ \t]*-[ \t])?", re.MULTILINE
)
_RUNTIME: Final = re.compile(r"^runtime[ \t]*:[ \t]*yaml\b", re.MULTILINE)


class RegionKind(StrEnum):
    """The kind of markers around tabs."""

    COMMENTS = "comments"
    CHOOSER = "chooser"
    EXAMPLE = "example"
    BARE = "bare"


class Tab(Struct, frozen=True, kw_only=True):
    """A language in a region: `start` to `end` includes its choosable markers.

    `language` is the name in pclgen (`typescript` for `ts`); languages that pclgen does not generate keep their name.
    """

    language: str
    fence: Fence
    start: int
    end: int


class Region(Struct, frozen=True, kw_only=True):
    """The tabs of a snippet: `listed` is the range of the languages that a chooser lists."""

    kind: RegionKind
    tabs: tuple[Tab, ...]
    source: int
    """The index of the tab written by the author."""
    values: tuple[str, ...] = ()
    listed: tuple[int, int] = (0, 0)


class Snippet(Struct, frozen=True, kw_only=True):
    """A source in a document.

    `text` has no indentation and quote marks, and LF line ends; `starts` are the offsets of its lines in the document;
    `hidden` are its hidden lines, with their offsets.
    """

    language: str
    text: str
    starts: tuple[int, ...]
    region: Region
    attributes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hidden: str = ""
    hidden_starts: tuple[int, ...] = ()

    @property
    def fence(self) -> Fence:
        """The fence of the source."""
        return self.region.tabs[self.region.source].fence

    def offset(self, at: int, *, hidden: bool = False) -> int:
        """Return the offset in the document of an offset in `text` (or in the hidden lines)."""
        text, starts = (self.hidden, self.hidden_starts) if hidden else (self.text, self.starts)
        before = text[:at]
        line = before.count("\n")
        if line >= len(starts):
            return self.fence.closing if not hidden else self.fence.start
        return starts[line] + at - (before.rfind("\n") + 1)


class Document(Struct, frozen=True, kw_only=True):
    """A Markdown text with its snippets in order, its diagnostics, and PCL that all snippets are compiled with."""

    source: SourceFile
    snippets: tuple[Snippet, ...]
    diagnostics: tuple[Diagnostic, ...]
    fixture: str = ""


def is_program(text: str) -> bool:
    """Return whether a YAML text is a program in Pulumi YAML, by its top-level keys; files of other tools have other
    keys."""
    keys: dict[str, bool] = {}
    for key in _KEY.finditer(text):
        keys[key[1]] = not key[4] and (not key[2] or key[2].startswith(("#", "{")))
    if not set(keys) <= _PROGRAM | _BESIDE:
        return False
    return any(keys[name] for name in _PROGRAM & set(keys)) or _RUNTIME.search(text) is not None


def read_document(source: SourceFile) -> Document:
    """Return the snippets of a text."""
    bag = DiagnosticBag()
    reader = _Regions(source, bag)
    snippets = tuple(reader.read())
    return Document(source=source, snippets=snippets, diagnostics=bag.sorted(), fixture=reader.fixture)


class _Level(Struct):
    """An open marker, or the whole text: its direct fences in runs with nothing between them, and its choosables."""

    marker: Marker | None
    runs: list[list[Fence]] = field(default_factory=lambda: [[]])
    choosables: list[tuple[_Level, int]] = field(default_factory=list)
    """Closed choosables with their ends."""

    @property
    def fences(self) -> list[Fence]:
        return [fence for run in self.runs for fence in run]


class _Regions:
    def __init__(self, source: SourceFile, bag: DiagnosticBag) -> None:
        self._source = source
        self._bag = bag
        self._levels = [_Level(None)]
        self._hidden: list[Hidden] = []
        self.fixture = ""

    def read(self) -> Iterator[Snippet]:
        """Yield all snippets."""
        snippets: list[Snippet] = []
        for block in blocks(self._source.text):
            match block:
                case Fence():
                    self._levels[-1].runs[-1].append(block)
                case Marker():
                    snippets += self._marker(block)
                case Hidden():
                    if block.is_for_all:
                        self.fixture += self._lines(block)
                    else:
                        self._hidden.append(block)
                    self._levels[-1].runs.append([])
                case Prose():
                    self._levels[-1].runs.append([])
                case _:
                    assert_never(block)
        for level in reversed(self._levels):
            if level.marker is not None:
                self._bag.add(messages.marker_not_closed(self._written(level.marker), self._span(level.marker)))
        snippets += self._in_text(self._levels[0])
        return iter(sorted(snippets, key=lambda snippet: snippet.fence.start))

    def _written(self, marker: Marker) -> str:
        return self._source.text[marker.start : marker.end]

    def _span(self, marker: Marker) -> Span:
        return self._source.span(marker.start, marker.end)

    def _marker(self, marker: Marker) -> list[Snippet]:
        top = self._levels[-1]
        top.runs.append([])
        if marker.is_empty:
            return []
        if not marker.is_closing:
            if marker.name == "code" and any(level.marker and level.marker.name == "code" for level in self._levels):
                self._bag.add(
                    messages.marker_misplaced(self._written(marker), self._span(marker), "it stands in another one")
                )
            self._levels.append(_Level(marker))
            return []
        if top.marker is None or top.marker.name != marker.name:
            reason = "nothing is open here"
            if top.marker is not None:
                reason = f"`{self._written(top.marker)}` has to be closed first"
            opener = self._span(top.marker) if top.marker is not None else None
            self._bag.add(messages.marker_misplaced(self._written(marker), self._span(marker), reason, opener))
            for at in range(len(self._levels) - 1, 0, -1):
                level = self._levels[at].marker
                if level is not None and level.name == marker.name:  # one diagnostic covers everything in between
                    del self._levels[at:]
                    break
            return []
        self._levels.pop()
        return self._closed(top, marker)

    def _closed(self, level: _Level, closing: Marker) -> list[Snippet]:
        marker = level.marker
        assert marker is not None
        match marker.name:
            case "code":
                return self._snippets(RegionKind.COMMENTS, [_tab(fence) for fence in level.fences])
            case "example":
                return self._in_runs(level)
            case "choosable" if marker.kind == "language":
                self._levels[-1].choosables.append((level, closing.end))
                return []
            case "chooser" if marker.kind == "language":
                return self._in_chooser(level)
            case _:
                return self._in_text(level)

    def _in_runs(self, level: _Level) -> list[Snippet]:
        return [
            snippet for run in level.runs for snippet in self._snippets(RegionKind.EXAMPLE, [_tab(fence) for fence in run])
        ]

    def _in_text(self, level: _Level) -> list[Snippet]:
        """Return the snippets outside of markers: each source is its own region."""
        return [snippet for fence in level.fences for snippet in self._snippets(RegionKind.BARE, [_tab(fence)])]

    def _in_chooser(self, level: _Level) -> list[Snippet]:
        tabs: list[Tab] = []
        crowded: list[Marker] = []
        for choosable, end in level.choosables:
            marker = choosable.marker
            assert marker is not None
            languages = {LANGUAGES_OF_FENCES.get(value, value) for value in marker.values}
            fences = [tab_fence for tab_fence in choosable.fences if _language(tab_fence) in languages]
            tabs += [Tab(language=_language(fence), fence=fence, start=marker.start, end=end) for fence in fences]
            crowded += [marker] if len(fences) > 1 else []
        assert level.marker is not None
        if crowded and self._sources(tabs):
            # Writing a tab replaces its choosable, so other content of it would be lost.
            reason = "it holds several fences, and each needs a choosable of its own"
            self._bag.add(messages.marker_misplaced(self._written(crowded[0]), self._span(crowded[0]), reason))
            return []
        return self._snippets(RegionKind.CHOOSER, tabs, level.marker)

    def _sources(self, tabs: Sequence[Tab]) -> Sequence[int]:
        """Return the tabs from which others are generated: PCL, or else programs in Pulumi YAML."""
        pcl = [at for at, tab in enumerate(tabs) if tab.language == "pcl" and GENERATED not in tab.fence.info.split()]
        return pcl or [at for at, tab in enumerate(tabs) if tab.language == "yaml" and is_program(self._text(tab.fence))]

    def _snippets(self, kind: RegionKind, tabs: Sequence[Tab], marker: Marker | None = None) -> list[Snippet]:
        """Return the snippet of a region, if it has a source."""
        sources = self._sources(tabs)
        if not sources:
            return []
        span = self._opening(tabs[sources[0]].fence)
        if len(sources) > 1:
            other = self._opening(tabs[sources[1]].fence)
            self._bag.add(messages.two_tabs(tabs[sources[0]].language, other, span, is_source=True))
            return []
        first: dict[str, Tab] = {}
        for at, tab in enumerate(tabs):
            if not tab.fence.is_closed:
                self._bag.add(messages.fence_not_closed(self._opening(tab.fence)))
                return []
            first_tab = first.setdefault(tab.language, tab)
            if first_tab is not tab and tab.language in LANGUAGES_OF_FENCES and at not in sources:
                opening = self._opening(first_tab.fence)
                self._bag.add(messages.two_tabs(tab.language, self._opening(tab.fence), opening, is_source=False))
                return []
        values, listed = (marker.values, marker.listed) if marker is not None else ((), (0, 0))
        region = Region(kind=kind, tabs=tuple(tabs), source=sources[0], values=values, listed=listed)
        return [self._snippet(region)]

    def _opening(self, fence: Fence) -> Span:
        return self._source.span(fence.start, fence.start + len(fence.marks) + len(fence.info))

    def _text(self, fence: Fence) -> str:
        return "".join(self._source.text[start:end] + "\n" for start, end in fence.lines)

    def _lines(self, hidden: Hidden) -> str:
        return "".join(self._source.text[start:end] + "\n" for start, end in hidden.lines)

    def _snippet(self, region: Region) -> Snippet:
        fence = region.tabs[region.source].fence
        hidden = self._hidden_before(region)
        return Snippet(
            language=region.tabs[region.source].language,
            text=self._text(fence),
            starts=tuple(start for start, _ in fence.lines),
            region=region,
            attributes=MappingProxyType(self._attributes(fence)),
            hidden=self._lines(hidden) if hidden else "",
            hidden_starts=tuple(start for start, _ in hidden.lines) if hidden else (),
        )

    def _hidden_before(self, region: Region) -> Hidden | None:
        """Return the hidden lines right before the fence or its region, or in the region."""
        fence = region.tabs[region.source].fence
        at = bisect_right(self._hidden, fence.start, key=lambda candidate: candidate.end)
        if at == 0:
            return None
        before = self._hidden[at - 1]
        own = next((tab.start for tab in region.tabs if tab.start >= before.end), fence.start)
        if own - before.end > _FAR:
            return None
        between = self._source.text[before.end : own]
        bare = re.sub(r"<!--\s*Start\s+PulumiCodeChooser\s*-->|\{\{[^{}]*\}\}|[\s>]", "", between, flags=re.IGNORECASE)
        return None if bare else before

    def _attributes(self, fence: Fence) -> dict[str, str]:
        """Return the attributes after the language, ignoring words of other tools."""
        try:
            words = shlex.split(fence.info.replace("\\", "\\\\"))[1:]
        except ValueError:
            words = fence.info.split()[1:]
        attributes: dict[str, str] = {}
        for word in words:
            name, _, value = word.partition("=")
            if name in ATTRIBUTES:
                attributes[name] = value
            elif (similar := suggest(name, ATTRIBUTES)) is not None:
                self._bag.add(messages.unknown_attribute(name, similar, self._opening(fence)))
        return attributes


def _tab(fence: Fence) -> Tab:
    return Tab(language=_language(fence), fence=fence, start=fence.start, end=fence.end)


def _language(fence: Fence) -> str:
    return LANGUAGES_OF_FENCES.get(fence.language, fence.language)


# -- edits ------------------------------------------------------------------------------------------------------------------

START: Final = "<!--Start PulumiCodeChooser -->"
END: Final = "<!--End PulumiCodeChooser -->"
_MARKS: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


class Edit(Struct, frozen=True, kw_only=True):
    """A range of a text and its replacement; `language` is that of the tab (empty: the markers)."""

    start: int
    end: int
    text: str
    language: str = ""


class _Tabs(Struct, frozen=True, kw_only=True):
    """The tabs to write, their texts, and the order of all languages."""

    languages: Sequence[str]
    texts: Mapping[str, str]
    order: Sequence[str]


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return `text` with `edits`, which do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*pieces, text[at:]))


def written(document: str, snippet: Snippet, texts: Mapping[str, str], order: Sequence[str]) -> list[Edit]:
    """Return the edits that give the tabs of a snippet these `texts`, by language; `order` is that of all languages."""
    region = snippet.region
    languages = [language for language in order if language in texts and language != snippet.language]
    slots = [tab for at, tab in enumerate(region.tabs) if at != region.source and tab.language in languages]
    edits: list[Edit] = []
    for slot, language in zip(slots, languages, strict=False):
        if slot.language == language:
            edits.append(_body(slot.fence, texts[language], language))
        else:
            edits.append(_replaced(region, slot, texts[language], language))
    before, after = _missing(document, snippet, slots, _Tabs(languages=languages, texts=texts, order=order))
    if region.kind is RegionKind.BARE:
        fence = snippet.fence
        gap = fence.line_end + fence.prefix
        head, tail = "".join(edit.text for edit in before), "".join(edit.text for edit in after)
        return [
            Edit(start=fence.start, end=fence.start, text=START + gap + head),
            Edit(start=fence.end, end=fence.end, text=tail + gap + END),
        ] if languages else []
    if region.kind is RegionKind.CHOOSER:
        edits += _listing(document, region, languages)
    return [edit for edit in (*edits, *before, *after) if document[edit.start : edit.end] != edit.text]


def _missing(
    document: str,
    snippet: Snippet,
    slots: Sequence[Tab],
    tabs: _Tabs,
) -> tuple[list[Edit], list[Edit]]:
    """Return the edits for tabs without a slot: those before the source, and those after the last tab."""
    source = snippet.region.tabs[snippet.region.source]
    between = _between(document, snippet.region, source.fence)
    texts, missing = tabs.texts, tabs.languages[len(slots) :]
    rank = {language: at for at, language in enumerate(tabs.order)}
    first = [] if slots else [name for name in missing if rank[name] < rank.get(snippet.language, len(rank))]
    last = [name for name in missing if name not in first]
    blocks = {name: _joined(_block(snippet.region, texts[name], name), source.fence) for name in missing}
    anchor = slots[-1].end if slots else source.end
    before = "".join(blocks[name] + between for name in first)
    after = "".join(between + blocks[name] for name in last)
    return (
        [Edit(start=source.start, end=source.start, text=before, language=first[0])] if first else [],
        [Edit(start=anchor, end=anchor, text=after, language=last[0])] if last else [],
    )


def _between(document: str, region: Region, fence: Fence) -> str:
    """Return the text between two tabs: with a blank line if the existing tabs have one."""
    gap = fence.line_end + fence.prefix
    places = [(tab.start, tab.end) for tab in region.tabs]
    blank = any(_is_blank_between(document[end:start]) for (_, end), (start, _) in pairwise(places))
    return fence.line_end + fence.prefix.rstrip(" \t") + gap if blank else gap


def _is_blank_between(text: str) -> bool:
    return any(not line.strip(" \t>") for line in re.split(r"\r\n|\n|\r", text)[1:-1])


def _body(fence: Fence, text: str, language: str) -> Edit:
    """Replace the text of a fence, or the whole fence if its marks would end inside of the text."""
    marks = _marks(fence.marks, text)
    if marks != fence.marks:
        lines = [marks + (fence.info or language), *_lines(text), marks]
        return Edit(start=fence.start, end=fence.end, text=_joined(lines, fence), language=language)
    body = "".join(_prefixed(line, fence) + fence.line_end for line in _lines(text))
    return Edit(start=fence.body, end=fence.closing, text=body, language=language)


def _replaced(region: Region, slot: Tab, text: str, language: str) -> Edit:
    """Replace the tab of one language by one of another."""
    block = _joined(_block(region, text, language), slot.fence)
    return Edit(start=slot.start, end=slot.end, text=block, language=language)


def _block(region: Region, text: str, language: str) -> list[str]:
    """Return the lines of a whole tab, to be joined by the line end and the prefix of its container."""
    marks = _marks("```", text)
    # The source exists, so a PCL tab is generated from YAML.
    info = f"{language} {GENERATED}" if language == "pcl" else language
    fence = [marks + info, *_lines(text), marks]
    if region.kind is RegionKind.CHOOSER:
        return [f"{{{{% choosable language {language} %}}}}", "", *fence, "", "{{% /choosable %}}"]
    return fence


def _joined(lines: Sequence[str], like: Fence) -> str:
    return lines[0] + "".join(like.line_end + _prefixed(line, like) for line in lines[1:])


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def _prefixed(line: str, like: Fence) -> str:
    return like.prefix + line if line else like.prefix.rstrip(" \t")


def _marks(fence: str, text: str) -> str:
    """Return marks that no line of `text` ends: `fence`, or more of the same character."""
    longest = max((len(mark[1]) for mark in _MARKS.finditer(text) if mark[1][0] == fence[0]), default=0)
    return fence if longest < len(fence) else fence[0] * (longest + 1)


def _listing(document: str, region: Region, languages: Sequence[str]) -> list[Edit]:
    """Return the edit that adds missing languages to the list of a chooser."""
    present = {LANGUAGES_OF_FENCES.get(value, value) for value in region.values}
    new = [language for language in languages if language not in present]
    start, end = region.listed
    return [Edit(start=start, end=end, text=",".join((document[start:end], *new)))] if new else []
