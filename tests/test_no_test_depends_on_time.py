"""No test depends on time or load: tests compare counts, and calls that may hang have `PATIENCE`.

The check reads the sources of the tests: no comparison reads a clock, and a time limit is either so short that it is meant
to expire, or so long that only a hanging call reaches it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.support.corpus import ROOT
from tests.support.rules import assert_followed
from tests.support.waiting import PATIENCE

_CLOCKS = frozenset({"time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "monotonic_ns"})
_MEANT_TO_RUN_OUT = 2
_GUARD = PATIENCE / 2
_OTHERS = ("benchmarks", "fuzz")  # no tests: they measure time
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests").rglob("*.py")
    if path.relative_to(ROOT).parts[1] not in _OTHERS and path.name != "waiting.py"
)


def _is_clock(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    if isinstance(called, ast.Attribute):
        return isinstance(called.value, ast.Name) and called.value.id == "time" and called.attr in _CLOCKS
    return isinstance(called, ast.Name) and called.id in _CLOCKS - {"time"}


def _faults(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and any(_is_clock(part) for part in ast.walk(node)):
            yield f"{node.lineno}: a clock is compared"
        if isinstance(node, ast.keyword) and node.arg == "timeout" and isinstance(node.value, ast.Constant):
            limit = node.value.value
            if isinstance(limit, int | float) and _MEANT_TO_RUN_OUT < limit < _GUARD:
                yield f"{node.value.lineno}: a limit of {limit} s; to guard against what hangs use PATIENCE"


def test_no_clock_is_compared_and_no_limit_is_tight() -> None:
    texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in FILES}
    assert_followed("no test depends on time", (f"{file}:{fault}" for file, text in texts.items() for fault in _faults(text)))


@pytest.mark.parametrize(
    "text",
    [
        "assert time.monotonic() - start < 5",
        "while x and monotonic() < late: pass",
        "run(timeout=10)",
    ],
)
def test_faults_are_seen(text: str) -> None:
    assert len(list(_faults(text))) == 1


@pytest.mark.parametrize("text", ["run(timeout=0.2)", "run(timeout=600)", "time.sleep(0.01)", "assert count < 5"])
def test_what_is_fine_is_not(text: str) -> None:
    assert list(_faults(text)) == []
