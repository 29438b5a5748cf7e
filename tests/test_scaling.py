"""Costs that grow no faster than their input, in counted function calls (`tests.benchmarks.scaling` has all shapes)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.benchmarks.scaling import LANGUAGES, Growth, measured, warm_up
from tests.benchmarks.shapes import SHAPES

COUNTED: Final = {
    "a list of unlike objects": ("check", "go"),
    "components that use the next twice": ("check", *LANGUAGES),
    "conditionals over locals": ("check", *LANGUAGES),
    "conditionals that choose a map of inputs": ("check",),
    "a component with many inputs": ("check", *LANGUAGES),
    "unknown names": ("check",),
    "unknown names on one line": ("check",),
    "strange characters on one line": ("check",),
    "one mistake after marks": ("check",),
    "schema: oneOf of objects": ("check", "go"),
}


@pytest.mark.parametrize(("name", "phases"), COUNTED.items(), ids=COUNTED)
def test_near_linear(name: str, phases: tuple[str, ...], tmp_path: Path) -> None:
    [shape] = [shape for shape in SHAPES if shape.name == name]
    warm_up()
    sizes = (shape.size, 2 * shape.size, 4 * shape.size)
    growth = Growth(
        shape=shape, costs=[measured(shape.make(size), tmp_path / str(size), phases) for size in sizes], megabytes=0
    )
    assert list(growth.complaints()) == []
