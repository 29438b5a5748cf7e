"""Nothing grows without bound: functions, files, positional parameters; and nothing is put off or silenced without a
word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.corpus import ROOT

MAX_FUNCTION_LINES = 75
MAX_FILE_LINES = 800
MAX_POSITIONAL = 4

ALLOWED: frozenset[str] = frozenset()
"""`file:function` pairs over a limit, each with the reason in a comment; keep it empty."""

SILENCED = re.compile(r"#\s*(?:type:\s*ignore(?:\[[\w, -]*\])?|noqa(?::\s*[A-Z]+\d+)*)(?P<reason>.*)")
"""A silenced checker, and the reason on the rest of the line."""

POSTPONED = re.compile(r"#.*\b(TODO|FIXME|XXX)\b|NotImplementedError")

FILES = sorted([*ROOT.joinpath("pclgen").rglob("*.py"), *ROOT.joinpath("tests").rglob("*.py")])


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def too_big(path: Path) -> Iterator[str]:
    name = name_of(path)
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MAX_FILE_LINES:
        yield f"{name}: {lines} lines"
    for function in functions(path):
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        place = f"{name}:{function.name}"
        if length > MAX_FUNCTION_LINES and place not in ALLOWED:
            yield f"{place}: {length} lines"


def too_many_parameters(path: Path) -> Iterator[str]:
    """Of our own code; pytest fixtures are parameters that nobody passes."""
    for function in functions(path):
        given = [*function.args.posonlyargs, *function.args.args]
        count = len([argument for argument in given if argument.arg not in ("self", "cls")])
        if count > MAX_POSITIONAL:
            yield f"{name_of(path)}:{function.name}: {count} positional parameters"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_functions_and_files_stay_small(path: Path) -> None:
    assert list(too_big(path)) == []


@pytest.mark.parametrize("path", [path for path in FILES if "pclgen" in path.relative_to(ROOT).parts[0]], ids=name_of)
def test_parameters_have_names_at_the_call(path: Path) -> None:
    assert list(too_many_parameters(path)) == []


@pytest.mark.parametrize("path", [path for path in FILES if path != Path(__file__)], ids=name_of)
def test_silence_has_a_reason(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    matches = ((number, SILENCED.search(line)) for number, line in enumerate(lines, start=1))
    assert [number for number, match in matches if match and not match["reason"].strip(" #-")] == []
    assert [number for number, line in enumerate(lines, start=1) if POSTPONED.search(line)] == []
