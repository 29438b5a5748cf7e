"""Coverage of snippets: converted, formatted, compiled and run in each language, and comparison with a baseline.

`pclgen verify` does the work: one run of a compiler serves many snippets. Shown and hidden lines are verified together.
Reports of coverage are a table, JSON, and an HTML page with failures side by side.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.program import ConfigVariable, Program
from pclgen.docs.convert import sources_of
from pclgen.docs.work import DocsFile, Entry
from pclgen.evaluate.samples import Samples
from pclgen.languages import LANGUAGES, TARGETS
from pclgen.pipeline import bind, inputs_for_run
from pclgen.schema.discovery import Shelf
from pclgen.source.data import DataError, read_json
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.load import LoadError
from pclgen.source.text import one_line
from pclgen.verify.environments import UserEnvironments
from pclgen.verify.report import LEVELS as VERIFY_LEVELS
from pclgen.verify.report import Level, Status, Verdict
from pclgen.verify.verification import Item, VerifyRequest, verify_programs

LEVELS: Final = ("converted", "formatted", "compiled", "run")
"""The levels that a snippet can reach, in order."""
_REACHED: Final[Mapping[Level, str]] = {"format": "formatted", "compile": "compiled", "run": "run"}
PASSED, FAILED, UNKNOWN = Status.PASSED.value, Status.FAILED.value, Status.NOT_VERIFIED.value
FORMAT_VERSION: Final = 1


class Row(Struct, frozen=True, kw_only=True):
    """A snippet in one language: `levels` are `passed`, `failed` or `not verified` for each attempted level; `messages`
    give reasons."""

    label: str
    package: str
    language: str
    source: str
    output: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    messages: tuple[str, ...] = ()

    @property
    def reached(self) -> int:
        """The number of passed levels."""
        return sum(status == PASSED for status in self.levels.values())

    @property
    def is_failed(self) -> bool:
        """Whether a level failed."""
        return FAILED in self.levels.values()


class Coverage(Struct, frozen=True, kw_only=True):
    """All snippets in all languages, up to `level`."""

    level: str
    rows: tuple[Row, ...]

    def count(self, level: str, status: str, rows: Sequence[Row] | None = None) -> int:
        """Return the number of rows with that status at that level."""
        return sum(row.levels.get(level) == status for row in (self.rows if rows is None else rows))

    def groups(self) -> Mapping[tuple[str, str], Sequence[Row]]:
        """Return the rows by package (empty for Markdown files) and language."""
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            groups.setdefault((row.package, row.language), []).append(row)
        return groups


class CoverageRequest(Struct, frozen=True, kw_only=True):
    """The highest level to attempt, and environments with SDKs; `shelf` has the schemas."""

    level: str
    shelf: Shelf
    environments: UserEnvironments = field(default_factory=UserEnvironments)
    jobs: int = 1
    keep: bool = True
    lenient: bool = False
    tell: Callable[[str], None] = lambda _: None


def cover(docs: Sequence[DocsFile], request: CoverageRequest) -> Coverage:
    """Return the coverage of `docs`. Raises `LoadError`, and `OSError` if the scratch folder is unusable."""
    rows = {(row.label, row.language): row for row in _rows(docs)}
    if request.level != LEVELS[0]:
        for key, verdicts in _proved(docs, request):
            rows[key] = _with(rows[key], verdicts)
    return Coverage(level=request.level, rows=tuple(rows.values()))


def _rows(docs: Sequence[DocsFile]) -> Iterator[Row]:
    for file in docs:
        for entry in file.entries:
            answer = entry.answer
            if answer is None or "expect-error" in entry.snippet.attributes:
                continue
            for language in entry.settings.languages:
                text = answer.texts.get(language)
                may_lack = language not in TARGETS or language in entry.settings.optional
                if language == entry.snippet.language or (text is None and may_lack):
                    continue
                reason = answer.reasons.get(language, "")
                yield Row(
                    label=entry.label,
                    package=file.file.package,
                    language=language,
                    source=entry.snippet.text,
                    output=text or "",
                    levels={"converted": PASSED if text is not None else FAILED},
                    messages=(reason,) if reason else (),
                )


def _proved(docs: Sequence[DocsFile], request: CoverageRequest) -> Iterator[tuple[tuple[str, str], Sequence[Verdict]]]:
    """Yield the verdicts of `pclgen verify` on each snippet in each converted language."""
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in (entry for item in docs for entry in item.entries):
        if entry.answer is not None and "expect-error" not in entry.snippet.attributes:
            languages = tuple(item for item in LANGUAGES if item in entry.answer.texts and item in PROVABLE)
            groups.setdefault(languages, []).append(entry)
    for languages, entries in groups.items():
        if not languages:
            continue
        items = [_item(entry, request) for entry in entries]
        verify_request = VerifyRequest(
            languages=languages,
            level=next(proof for proof in VERIFY_LEVELS if _REACHED[proof] == request.level),
            environments=request.environments,
            jobs=request.jobs,
            keep=request.keep,
            tell=request.tell,
        )
        outcome = verify_programs(items, verify_request)
        keys = dict(zip(outcome.report.names, entries, strict=True))
        for key, entry in keys.items():
            for language in languages:
                verdicts = [item for item in outcome.report.of(key) if item.language == language]
                yield (entry.label, language), verdicts


PROVABLE: Final = frozenset({"python", "typescript", "go"})
"""Languages with SDKs to compile against."""


def _item(entry: Entry, request: CoverageRequest) -> Item:
    assert entry.job is not None and entry.answer is not None
    program = sources_of(entry.job, entry.answer.declarations)
    store = request.shelf.of(program.root)
    bound = bind(program, store, lenient=request.lenient).program
    run_inputs = inputs_for_run(program, config=_config(bound))
    return Item(program=program, store=store, run_inputs=run_inputs, lenient=request.lenient)


def _config(program: Program | None) -> Mapping[str, str]:
    """Return invented values for required configuration."""
    values: dict[str, str] = {}
    for node in program.nodes if program is not None else ():
        if isinstance(node, ConfigVariable) and node.required:
            value = Samples().value(node.type, node.logical_name)
            values[node.logical_name] = value if isinstance(value, str) else json.dumps(value)
    return values


def _with(row: Row, verdicts: Sequence[Verdict]) -> Row:
    levels = dict(row.levels)
    messages: list[str] = []
    for verdict in verdicts:
        levels[_REACHED[verdict.level]] = verdict.status.value
        messages += verdict.messages
        messages += [f"{run.mode}: {run.difference.reason} ({run.difference.urn})" for run in verdict.differences]
    return replace(row, levels=levels, messages=(*row.messages, *messages))


# -- a baseline


def baseline_of(coverage: Coverage) -> str:
    """Return a baseline for later runs: the level that each snippet reaches."""
    snippets: dict[str, _Baseline] = {}
    for row in coverage.rows:
        passed = [level for level in LEVELS if row.levels.get(level) == PASSED]
        snippet = snippets.setdefault(row.label, _Baseline(source=_digest(row.source)))
        snippet.levels[row.language] = passed[-1] if passed else _NONE
    table = {label: {"source": snippet.source, **snippet.levels} for label, snippet in snippets.items()}
    return json.dumps({"format_version": FORMAT_VERSION, "snippets": table}, indent=2, ensure_ascii=False) + "\n"


def read_baseline(path: Path) -> str:
    """Return the text of a baseline. Raises `LoadError`."""
    try:
        return read_regular(path, most=SIDE_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"cannot read `{path}`: {error}", "write it with `--update-baseline`") from error


def regressions(coverage: Coverage, baseline: str) -> list[str]:
    """Return a sentence for each level that failed now and passed in the baseline.

    New snippets, and levels that could not be attempted now, are ignored. Raises `LoadError` for an invalid baseline.
    """
    snippets = _read_snippets(baseline)
    before = _former(coverage, snippets)
    sentences: list[str] = []
    for row in coverage.rows:
        former = snippets[before[row.label]].levels.get(row.language, _NONE) if row.label in before else _NONE
        failed = next((level for level in LEVELS if row.levels.get(level) == FAILED), None)
        if former != _NONE and failed is not None and LEVELS.index(failed) <= LEVELS.index(former):
            why = f": {row.messages[0]}" if row.messages else ""
            sentences.append(f"{row.label}, {row.language}: it was {former}, and is not {failed} now{why}")
    return sentences


_NONE: Final = "none"


class _Baseline(Struct):
    """The baseline of a snippet: a digest of its source, and its level in each language."""

    source: str
    levels: dict[str, str] = field(default_factory=dict)


def _read_snippets(text: str) -> Mapping[str, _Baseline]:
    try:
        snippets: dict[str, _Baseline] = {}
        for label, own in read_json(text)["snippets"].items():
            levels = {language: level for language, level in own.items() if language != "source"}
            if not {_NONE, *LEVELS}.issuperset(levels.values()):
                raise ValueError(label)
            snippets[label] = _Baseline(source=str(own["source"]), levels=levels)
        return snippets
    except (DataError, KeyError, TypeError, AttributeError, ValueError):
        raise LoadError("the baseline cannot be read", "write it anew with `--update-baseline`") from None


def _former(coverage: Coverage, snippets: Mapping[str, _Baseline]) -> Mapping[str, str]:
    """Return the label of each snippet in the baseline. Snippets without a name are numbered, so a new one shifts those
    after it; in each document they are aligned by their sources."""
    documents: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for label, snippet in snippets.items():
        documents.setdefault(label.rpartition(":")[0], ({}, {}))[0][label] = _key(label, snippet.source)
    for row in coverage.rows:
        documents.setdefault(row.label.rpartition(":")[0], ({}, {}))[1][row.label] = _key(row.label, _digest(row.source))
    former_labels: dict[str, str] = {}
    for old, new in documents.values():
        labels, former = list(new), list(old)
        matcher = SequenceMatcher(None, list(old.values()), list(new.values()), autojunk=False)
        for _, start, end, first, last in matcher.get_opcodes():
            former_labels.update(zip(labels[first:last], former[start:end], strict=False))
    return former_labels


def _key(label: str, digest: str) -> str:
    name = label.rpartition(":")[2]
    return digest if name.isdecimal() else name


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:16]


# -- reports ----------------------------------------------------------------------------------------------------------------

MARKDOWN: Final = "(Markdown)"
_STYLE: Final = """\
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:100rem;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}
section{border-top:2px solid #888;margin-top:1.5rem}
.side{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:1rem}
pre{background:#f5f5f5;padding:.6rem;overflow:auto;max-height:30rem;white-space:pre-wrap}
h3{margin:.6rem 0}.bad{color:#b00020}
"""


def levels_of(coverage: Coverage) -> Sequence[str]:
    """Return the attempted levels."""
    return LEVELS[: LEVELS.index(coverage.level) + 1]


def to_text(coverage: Coverage) -> str:
    """Return a table: a line for each package and language, and a summary."""
    levels = levels_of(coverage)
    lines = [("package", "language", "snippets", *levels)]
    for (package, language), rows in coverage.groups().items():
        lines.append((one_line(package) or MARKDOWN, language, str(len(rows)), *_cells(coverage, rows, levels)))
    lines.append(("all", "", str(len(coverage.rows)), *_cells(coverage, coverage.rows, levels)))
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    unknown = sum(UNKNOWN in row.levels.values() for row in coverage.rows)
    if unknown:
        unverified = [row for row in coverage.rows if UNKNOWN in row.levels.values() and row.messages]
        reasons = sorted({one_line(row.messages[-1]) for row in unverified})
        shown += ["", f"not verified: {unknown}", *(f"  {reason}" for reason in reasons[:10])]
    return "\n".join(shown) + "\n"


def _cells(coverage: Coverage, rows: Sequence[Row], levels: Sequence[str]) -> list[str]:
    cells: list[str] = []
    for level in levels:
        passed = coverage.count(level, PASSED, rows)
        cells.append(f"{passed} ({100 * passed / len(rows):.1f} %)" if rows else "0")
    return cells


def to_json(coverage: Coverage) -> str:
    """Return all rows as JSON."""
    rows = [
        {
            "snippet": row.label,
            "package": row.package,
            "language": row.language,
            "levels": dict(row.levels),
            "messages": list(row.messages),
        }
        for row in coverage.rows
    ]
    document = {"format_version": FORMAT_VERSION, "level": coverage.level, "rows": rows}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def to_html(coverage: Coverage) -> str:
    """Return a self-contained page: the table, and each failure with source, output and message side by side."""
    levels = levels_of(coverage)
    head = "".join(f"<th>{name}</th>" for name in ("package", "language", "snippets", *levels))
    body: list[str] = []
    for (package, language), rows in coverage.groups().items():
        cells = (package or MARKDOWN, language, str(len(rows)), *_cells(coverage, rows, levels))
        body.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    failed = [row for row in coverage.rows if row.is_failed]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8"><title>Coverage of examples</title>',
            f"<style>{_STYLE}</style></head><body>",
            "<h1>Coverage of examples</h1>",
            f"<table><tr>{head}</tr>",
            *body,
            "</table>",
            f"<h2>Failures: {len(failed)}</h2>",
            *map(_section, failed),
            "</body></html>\n",
        ]
    )


def _section(row: Row) -> str:
    level = next(level for level in LEVELS if row.levels.get(level) == FAILED)
    parts = (("Source", row.source), ("Output", row.output), ("Message", "\n".join(row.messages)))
    side = "".join(f"<div><b>{name}</b><pre>{escape(_harmless(text))}</pre></div>" for name, text in parts)
    title = f'<h3>{escape(_harmless(row.label))}, {row.language}: <span class="bad">not {level}</span></h3>'
    return f'<section>{title}<div class="side">{side}</div></section>'


def _harmless(text: str) -> str:
    """Return `text` without control characters that HTML forbids."""
    return "\n".join(one_line(line).replace("\\x09", "\t") for line in text.split("\n"))
