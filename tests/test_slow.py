"""The marker `slow` is on every test that starts processes, compiles or runs programs, or searches at random."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import compilers, toolchains
from tests.support.corpus import ROOT
from tests.support.rules import assert_followed
from tests.support.slow import reaches
from tests.support.verified import verified

USES: Final = re.compile(r"tests\.support\.(compilers|field_runs\.(?!settings_of)\w+|projects|random_\w+|verified\.(?!programs_in_memory)\w+|yaml_runs)")
"""Helpers that compile and run programs, or generate them at random."""
COMPILERS: Final = {"go": (compilers.check_go, "a table of functions")}


class Tool:
    def start(self) -> None:
        subprocess.Popen(["true"])


def starts() -> None:
    subprocess.run(["true"], check=True)


def through_a_helper() -> None:
    starts()


def in_a_function_inside() -> Callable[[], None]:
    return lambda: starts()


def in_an_import_inside() -> None:
    from tests.support.toolchains import node

    node()


def of_a_table() -> None:
    COMPILERS["go"]


def of_a_class() -> None:
    Tool()


def of_a_module() -> None:
    toolchains.go()


def verifies() -> None:
    verified([], lambda _: NotImplemented, tools=NotImplemented)


def forks() -> None:
    os.fork()


@given(st.integers())
def at_random(number: int) -> None:
    del number


def in_a_cycle() -> None:
    in_a_cycle()


def names_a_folder() -> object:
    return toolchains.cache_folder() / str(subprocess.PIPE) / str(toolchains.Sdks.USUAL)


def expects_an_error() -> type:
    return subprocess.CalledProcessError


SLOW: Final = (
    *(starts, through_a_helper, in_a_function_inside, in_an_import_inside, of_a_table, of_a_class, of_a_module, verifies, forks),
    at_random,
)


@pytest.mark.parametrize("function", SLOW, ids=lambda function: function.__name__)
def test_a_start_is_found_wherever_it_is(function: Callable[..., object]) -> None:
    assert reaches([function])


@pytest.mark.parametrize("function", [in_a_cycle, names_a_folder, expects_an_error], ids=lambda function: function.__name__)
def test_data_starts_nothing(function: Callable[..., object]) -> None:
    assert not reaches([function])


def imported(path: str) -> set[str]:
    """The test modules that a file imports."""
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
    froms = [(node.module or "", name.name) for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names]
    return {module for module, _ in froms} | {f"{module}.{name}" for module, name in froms}


def test_every_file_that_compiles_or_runs_has_slow_tests() -> None:
    """pytest itself lists the tests that it selects."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "slow", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    slow = set(re.findall(r"^(tests/\S+\.py): \d+$", done.stdout, re.MULTILINE))
    assert len(slow) > 50, done.stdout + done.stderr
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob("test_*.py"))
    users = [file for file in files if any(USES.fullmatch(module) for module in imported(file))]
    assert_followed("tests that compile or run programs are slow", [file for file in users if file not in slow])
    quick = {f"tests/test_{name}.py" for name in ("bind_types", "layers", "sizes", "snapshots_field", "snapshots_programs")}
    assert quick & slow == set(), "they answer within seconds"
