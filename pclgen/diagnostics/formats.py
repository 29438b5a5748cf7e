"""The output formats of diagnostics by name.

Only the requested renderer is imported, so a clean run imports none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, assert_never

from pclgen.diagnostics.model import Diagnostic

OutputFormat: TypeAlias = Literal["text", "json", "github", "sarif"]
OUTPUT_FORMATS: tuple[OutputFormat, ...] = ("text", "json", "github", "sarif")


def render(
    diagnostics: Iterable[Diagnostic],
    output_format: OutputFormat,
    *,
    color: bool = False,
    width: int | None = None,
) -> str:
    """`diagnostics` in `output_format`; color and width (terminal columns) apply to `text` only."""
    match output_format:
        case "text":
            from pclgen.diagnostics.render import DEFAULT_WIDTH, render_text

            return render_text(diagnostics, color=color, width=width or DEFAULT_WIDTH)
        case "json":
            from pclgen.diagnostics.machine import render_json

            return render_json(diagnostics)
        case "github":
            from pclgen.diagnostics.machine import render_github

            return render_github(diagnostics)
        case "sarif":
            from pclgen.diagnostics.machine import render_sarif

            return render_sarif(diagnostics)
        case _:
            assert_never(output_format)
