"""Programs in Pulumi YAML, generated and read back.

Each program becomes a text or errors; a run of that text is compared with a run of the program itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from msgspec.structs import replace

from pclgen import pipeline
from pclgen.diagnostics.formats import render
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, RawFile, program_in_memory
from pclgen.trace.compare import differences
from pclgen.trace.model import Trace


@dataclass(frozen=True, kw_only=True)
class Written:
    """A program in YAML; "" with the errors of the target, one per line."""

    text: str
    errors: str = ""


def written(sources: LoadedProgram, store: SchemaStore) -> Written:
    """The YAML text of `sources`, or the errors."""
    result = pipeline.generate(sources, languages=["yaml"], store=store, copy_files=False)
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR]
    if errors:
        return Written(
            text="",
            errors="".join(f"{diagnostic.primary}: {diagnostic.code}: {diagnostic.message}\n" for diagnostic in errors),
        )
    (text,) = result.files["yaml"].values()
    return Written(text=text)


def differs(sources: LoadedProgram, text: str, store: SchemaStore, settings: Settings) -> list[str]:
    """The differences of the two runs."""
    again = replace(sources, files=(RawFile(name="Pulumi.yaml", path=None, data=text.encode("utf-8")),), unread=())
    left, right = (_trace(item, store, settings) for item in (sources, again))
    return [f"{item.name} {item.path}: {item.left!r} {item.right!r} {item.reason}" for item in differences(left, right)]


def _trace(sources: LoadedProgram, store: SchemaStore, settings: Settings) -> Trace:
    checked = pipeline.check(sources, store=store)
    assert checked.program is not None, render(checked.diagnostics, "text", color=False, width=None)
    evaluation = evaluate_program(checked.program, settings)
    assert evaluation.trace is not None
    return evaluation.trace


def without_form(text: str, store: SchemaStore) -> str:
    """The rest of a program without the blocks that YAML cannot express; blocks begin at the left edge."""
    while True:
        result = pipeline.generate(
            program_in_memory("p", {"main.pp": text}), languages=["yaml"], store=store, copy_files=False
        )
        wrong = {
            diagnostic.primary.start_position.line
            for diagnostic in result.diagnostics
            if diagnostic.severity is Severity.ERROR and diagnostic.primary
        }
        if not wrong:
            return text
        kept: list[str] = []
        at = 1
        for block in re.split(r"\n(?=[A-Za-z])", text):
            size = block.count("\n") + 1
            if wrong.isdisjoint(range(at, at + size)):
                kept.append(block)
            at += size
        text = "\n".join(kept)
