"""The edits that write the tabs of a snippet into its document.

Edits touch only tabs of the region: other fences and the source stay where they are. An existing tab keeps its position
and its opening line as far as the order allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from pclgen.docs.markdown import Fence
from pclgen.docs.regions import GENERATED, LANGUAGES_OF_FENCES, Region, RegionKind, Snippet, Tab

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
