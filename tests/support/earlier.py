"""Results of earlier test runs: generated programs that passed their compilers, and recorded runs.

Compilers and runs take most of the time of the tests, and from one test run to the next few generated programs change. What
passed with the same tools, SDKs and checking code passes again without them; the comparison with the evaluator, the snapshots
and all else are made anew. Failures that nothing expects are not stored. `PCLGEN_FRESH` makes everything anew; each test run
says how much of it was not.

As a pytest plugin, this module counts and reports.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

import pytest

from pclgen.verify.keeping import bound
from pclgen.verify.results import Results, content_of, key_of
from tests.support import toolchains

Programs: TypeAlias = Mapping[str, Path]
Messages: TypeAlias = dict[str, list[str]]
Json: TypeAlias = Mapping[str, Any]
_Options = ParamSpec("_Options")
_Case = TypeVar("_Case")

LIMIT: Final = 2_000_000_000
"""In bytes, of all results on disk."""
_SUPPORT: Final = Path(__file__).parent
_CHECKED_BY: Final = ("compilers.py", "earlier.py", "toolchains.py")
_PINNED: Final = frozenset({"requirements.txt", "package-lock.json", "package.json", "go.sum"})


class _Counted(Results, frozen=True):
    """Results whose uses are counted, once per key."""

    def get(self, key: str) -> str | None:
        result = super().get(key)
        _USES.setdefault(key, result is not None)
        return result


_USES: Final[dict[str, bool]] = {}
"""Whether the result of a key was there when it was first asked for."""


@cache
def results() -> Results:
    """The results on disk; with `PCLGEN_FRESH`, none."""
    if os.environ.get("PCLGEN_FRESH"):
        return _Counted(None)
    root = toolchains.cache_folder() / "earlier"
    bound(root, LIMIT)
    return _Counted(root / "results")


@cache
def checking(*files: str) -> str:
    """A digest of the checks, the pinned tools and SDKs, the interpreters, and further `files` of the tests."""
    pins = [path for path in sorted(_SUPPORT.rglob("*")) if path.name in _PINNED]
    programs = [toolchains.node().node, toolchains.go_command()]
    states = [f"{program} {program.stat().st_size} {program.stat().st_mtime_ns}" for program in programs]
    return "\n".join([sys.version, *states, content_of([*(_SUPPORT / name for name in _CHECKED_BY), *map(Path, files), *pins])])


def once(check: Callable[Concatenate[Programs, _Options], Messages]) -> Callable[Concatenate[Programs, _Options], Messages]:
    """A check that leaves out the programs that passed it earlier, with the same options."""

    @wraps(check)
    def check_new(programs: Programs, /, *args: _Options.args, **options: _Options.kwargs) -> Messages:
        tool = [check.__name__, *map(_identity, [*args, *(part for item in sorted(options.items()) for part in item)])]
        keys = {name: key_of(*tool, checking(), name, content_of([folder])) for name, folder in programs.items()}
        fresh = {name: folder for name, folder in programs.items() if results().get(keys[name]) is None}
        messages = check(fresh, *args, **options) if fresh else {}
        for name in fresh:
            if not messages.get(name):
                results().put(keys[name], "passed")
        return {name: messages.get(name, []) for name in programs}

    return check_new


def each(cases: Sequence[_Case], run: Callable[[Sequence[_Case]], Sequence[Json]], *tool: Path) -> list[Json]:
    """The outcomes of the cases; `run` runs those together that did not run earlier with the same files of `tool`."""
    keys = [key_of(checking(*map(str, tool)), repr(case)) for case in cases]
    outcomes = {key: json.loads(text) for key in keys if (text := results().get(key)) is not None}
    fresh = {key: case for key, case in zip(keys, cases, strict=True) if key not in outcomes}
    for key, outcome in zip(fresh, run(list(fresh.values())) if fresh else (), strict=True):
        outcomes[key] = outcome
        results().put(key, json.dumps(outcome))
    return [outcomes[key] for key in keys]


def _identity(option: object) -> str:
    match option:
        case toolchains.Sdks.NEWEST:
            return toolchains.newest(toolchains.NEWEST)
        case Path():
            return content_of([option])
        case list() | tuple():
            return content_of(path for path in option if isinstance(path, Path))
        case _:
            return str(option)


# -- as a pytest plugin --------------------------------------------------------------------------------------------------

_TOTAL: Final[Counter[bool]] = Counter()


@pytest.hookimpl
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts of a worker to the process that reports."""
    counts = Counter(_USES.values())
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is None:
        _TOTAL.update(counts)
    else:
        output["earlier"] = (counts[True], counts[False])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the counts of a worker of pytest-xdist that has ended."""
    reused, fresh = getattr(node, "workeroutput", {}).get("earlier", (0, 0))
    _TOTAL.update({True: reused, False: fresh})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many results are of earlier runs."""
    if _TOTAL.total():
        terminalreporter.write_line(
            f"compilers and runs: {_TOTAL[False]} new results, {_TOTAL[True]} of earlier test runs (PCLGEN_FRESH=1 makes all anew)"
        )
