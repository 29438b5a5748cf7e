"""Lowered small programs: `tests/ir/*.test`, one file per rewrite.

A file has a `[setup]` (PCL put before every case) and cases: `[case name]`, PCL, `[out]`, the printed program without the
setup.  `[case name target]` lowers for one of the invented targets of `tests.support.lowering` (by default `declared`).

    PCLGEN_UPDATE_IR=1 pytest tests/test_lower_ir.py        rewrites the outputs; read the diff
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pclgen.core.pretty import pretty_program
from tests.support.lowering import lower_text

FOLDER = Path(__file__).with_name("ir")
UPDATE = bool(os.environ.get("PCLGEN_UPDATE_IR"))

_HEAD = re.compile(r"^\[(setup|out|case .+)\]$")


@dataclass(frozen=True)
class Case:
    """A case of a file."""

    file: Path
    name: str
    target: str
    setup: str
    source: str
    expected: str


def _sections(path: Path) -> Iterator[tuple[str, str]]:
    head, lines = "", list[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _HEAD.match(line)
        if match is None:
            lines.append(line)
            continue
        if head:
            yield head, "\n".join(lines).strip("\n")
        head, lines = match[1], []
    yield head, "\n".join(lines).strip("\n")


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in order."""
    setup, name, source = "", "", ""
    cases: list[Case] = []
    for head, text in _sections(path):
        if head == "setup":
            setup = text
        elif head == "out":
            title, _, target = name.partition(" ")
            cases.append(Case(path, title, target or "declared", setup, source, text))
        else:
            name, source = head.removeprefix("case "), text
    return cases


def actual(case: Case) -> str:
    """The printed program of a case, without the lines of the setup."""
    before = pretty_program(lower_text(case.setup + "\n", case.target)).splitlines() if case.setup else []
    lines = pretty_program(lower_text(f"{case.setup}\n{case.source}\n", case.target)).splitlines()
    return "\n".join(line for line in lines if line not in before)


FILES = sorted(FOLDER.glob("*.test"))
CASES = [case for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file.stem}-{case.name}" for case in CASES])
def test_case(case: Case) -> None:
    if not UPDATE:
        assert actual(case) == case.expected


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_names_in_a_file_are_distinct(path: Path) -> None:
    names = [case.name for case in read_cases(path)]
    assert len(set(names)) == len(names)


if UPDATE:

    @pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
    def test_update(path: Path) -> None:
        cases = read_cases(path)
        parts = [f"[setup]\n{cases[0].setup}\n"] if cases and cases[0].setup else []
        for case in cases:
            target = "" if case.target == "declared" else f" {case.target}"
            parts.append(f"[case {case.name}{target}]\n{case.source}\n[out]\n{actual(case)}\n")
        path.write_text("\n".join(parts), encoding="utf-8")
