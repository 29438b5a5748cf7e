"""Nothing grows without bound: functions, files, positional parameters; and nothing is put off or silenced without a
word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.corpus import ROOT

MAX_FUNCTION_LINES = 75
MAX_FILE_LINES = 800
MAX_POSITIONAL = 4

ALLOWED: frozenset[str] = frozenset()
"""`file:function` pairs over a limit, each with the reason in a comment; keep it empty."""

SILENCED = re.compile(
    r"#\s*(?:type:\s*ignore(?:\[[\w, -]*\])?|noqa(?::\s*[A-Z]+\d+)*|pragma:\s*no \w+|fmt:\s*(?:off|skip))(?=\s|$)(?P<reason>.*)"
    r"|\bexcept(?: .*?\b(?:Base)?Exception\b.*?)?:(?P<any>.*)"
    r"|\bsuppress\(.*\b(?:Base)?Exception\b.*\)(?P<quiet>.*)"
    r"|\bcast\(\W*Any\b(?P<cast>.*)"
)
"""A silenced checker or formatter, whatever may be raised, or an escape from types; the rest of the line has the reason."""

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


def silent(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines that silence something and give no reason, in a comment behind it or in the line above."""
    for number, line in enumerate(lines, start=1):
        match = SILENCED.search(line)
        above = lines[number - 2].strip() if number > 1 else ""
        if match is not None and not above.startswith("#"):
            rest = next((text for text in match.groups() if text is not None), "")
            reason = rest if match["reason"] is not None else rest.partition("#")[2]
            if not reason.strip(" #-"):
                yield number


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1  # type·: ignore[misc]", True),
        ("x = 1  # type·: ignore[misc]  # as the list has it", False),
        ("x = 1  # no·qa: A002", True),
        ("def f(id):  # no·qa: A002 - the name of the SDK", False),
        ("x = [1,2]  # fmt·: skip", True),
        ("x = [1,2]  # fmt·: skip  # a table", False),
        ("if x:  # prag·ma: no cover", True),
        ("ex·cept Exception as error:", True),
        ("ex·cept (ValueError, BaseException):", True),
        ("ex·cept:", True),
        ("ex·cept Exception:  # the program says so itself", False),
        ("ex·cept ValueError:", False),
        ("ex·cept ExceptionGroup:", False),
        ("with sup·press(Exception):", True),
        ("x = ca·st(Any, y)", True),
        ('x = ca·st("Any", y)  # JSON', False),
    ],
)
def test_what_gives_no_reason_is_found(text: str, found: bool) -> None:
    line = text.replace("·", "")  # with the dots nobody takes the examples for the real thing
    assert list(silent(["", line])) == ([2] if found else [])
    assert list(silent(["# why", line])) == []


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_functions_and_files_stay_small(path: Path) -> None:
    assert list(too_big(path)) == []


@pytest.mark.parametrize("path", [path for path in FILES if "pclgen" in path.relative_to(ROOT).parts[0]], ids=name_of)
def test_parameters_have_names_at_the_call(path: Path) -> None:
    assert list(too_many_parameters(path)) == []


@pytest.mark.parametrize("path", [path for path in FILES if path != Path(__file__)], ids=name_of)
def test_silence_has_a_reason(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert list(silent(lines)) == []
    assert [number for number, line in enumerate(lines, start=1) if POSTPONED.search(line)] == []
