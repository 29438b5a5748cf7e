"""Functions and files stay small, and nothing is deferred or silenced without a reason.

ruff checks the limits that it has rules for: complexity, statements and positional parameters (`pyproject.toml`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.corpus import ROOT
from tests.support.rules import assert_followed

MAX_FUNCTION_LINES = 75
MAX_FILE_LINES = 800

ALLOWED: frozenset[str] = frozenset()
"""`file:function` pairs over a limit, each with the reason in a comment; keep it empty."""

SILENCED = re.compile(
    r"#\s*(?:type:\s*ignore(?:\[[\w, -]*\])?|noqa(?::\s*[A-Z]+\d+)*|pragma:\s*no \w+|fmt:\s*(?:off|skip))(?=\s|$)(?P<reason>.*)"
    r"|\bexcept(?: .*?\b(?:Base)?Exception\b.*?)?:(?P<any>.*)"
    r"|\bsuppress\(.*\b(?:Base)?Exception\b.*\)(?P<quiet>.*)"
    r"|\bcast\(\W*Any\b(?P<cast>.*)"
)
"""A silenced checker or formatter, a catch-all for exceptions, or an escape from types; the line's rest is the reason."""

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
        yield f"{name}: the file has {lines} lines"
    for function in functions(path):
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > MAX_FUNCTION_LINES and f"{name}:{function.name}" not in ALLOWED:
            yield f"{name}:{function.lineno}: `{function.name}` has {length} lines"


def silent(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines that silence a check without a reason in a comment behind it or in the line above."""
    for number, line in enumerate(lines, start=1):
        match = SILENCED.search(line)
        above = lines[number - 2].strip() if number > 1 else ""
        if match is not None and not above.startswith("#"):
            rest = next((text for text in match.groups() if text is not None), "")
            reason = rest if match["reason"] is not None else rest.partition("#")[2]
            if not reason.strip(" #-"):
                yield number


@pytest.mark.parametrize(
    ("text", "is_silent"),
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
def test_what_gives_no_reason_is_found(text: str, is_silent: bool) -> None:
    line = text.replace("·", "")  # the dots keep the examples from counting as silenced checks
    assert list(silent(["", line])) == ([2] if is_silent else [])
    assert list(silent(["# why", line])) == []


def test_functions_and_files_stay_small() -> None:
    rule = f"at most {MAX_FUNCTION_LINES} lines a function, {MAX_FILE_LINES} lines a file"
    assert_followed(rule, (place for path in FILES for place in too_big(path)))


def silenced(path: Path) -> Iterator[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number in silent(lines):
        yield f"{name_of(path)}:{number}: silenced without a reason: {lines[number - 1].strip()}"
    for number, line in enumerate(lines, start=1):
        if POSTPONED.search(line):
            yield f"{name_of(path)}:{number}: put off: {line.strip()}"


def test_silence_has_a_reason() -> None:
    rule = "a comment gives the reason for what it silences, and no work is put off"
    assert_followed(rule, (place for path in FILES if path != Path(__file__) for place in silenced(path)))


def test_broken_rules_are_listed_with_their_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_sizes.ROOT", tmp_path)
    (tmp_path / "long.py").write_text("x = 1\n\n\ndef f():\n" + "    x\n" * MAX_FUNCTION_LINES + "x\n" * MAX_FILE_LINES)
    (tmp_path / "quiet.py").write_text("x = 1\nx = 2  # no" + "qa\nx = 3  # TO" + "DO: later\n")
    places = [*too_big(tmp_path / "long.py"), *silenced(tmp_path / "quiet.py")]
    assert [place.partition(": ")[0] for place in places] == ["long.py", "long.py:4", "quiet.py:2", "quiet.py:3"]
    with pytest.raises(pytest.fail.Exception) as failure:
        assert_followed("the rule", places)
    assert str(failure.value) == "\n  ".join(["the rule (4 broken):", *places])
