"""Small programs against the `probe` package, run in Python, TypeScript and Go: all programs in one process per language."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from tests.support import go_target, typescript_target
from tests.support.python_target import python_run

LANGUAGES = ("python", "typescript", "go")
Key = TypeVar("Key")


class Runnable(Protocol):
    """A program and the values of its configuration."""

    @property
    def text(self) -> str: ...

    @property
    def config(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Program:
    """A program without expectations."""

    text: str
    config: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outputs of a program, the names of secret outputs, and the error that ended it, or the empty string."""

    exports: Mapping[str, object]
    secrets: Set[str]
    error: str


def run_everywhere(programs: Mapping[Key, Runnable], *, canonical_json: bool = False) -> dict[tuple[str, Key], Outcome]:
    """Run programs in every language."""
    typescript = [
        typescript_target.typescript_case(program.text, config=program.config, canonical_json=canonical_json)
        for program in programs.values()
    ]
    go = [
        go_target.Case(go_target.go_files(program.text, canonical_json=canonical_json), program.config)
        for program in programs.values()
    ]
    runs = {
        "python": [_in_python(program, canonical_json=canonical_json) for program in programs.values()],
        "typescript": [Outcome(run.exports, run.secrets, run.error or "") for run in typescript_target.run_all(typescript)],
        "go": [Outcome(run.exports, run.secrets, run.error or "") for run in go_target.run_all(go)],
    }
    return {(language, key): run for language in LANGUAGES for key, run in zip(programs, runs[language], strict=True)}


def _in_python(program: Runnable, *, canonical_json: bool) -> Outcome:
    try:
        record = python_run(program.text, config=program.config, canonical_json=canonical_json)
    except Exception as error:  # the error is the outcome
        return Outcome({}, frozenset(), str(error) or repr(error))
    return Outcome(record.exports, record.secrets, "")
