"""Reports of coverage: a table, JSON, and an HTML page with failures side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Final

from pclgen.docs.covered import FAILED, FORMAT_VERSION, LEVELS, PASSED, UNKNOWN, Coverage, Row
from pclgen.source.text import one_line

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
