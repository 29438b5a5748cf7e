"""A command loads only what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest

from pclgen.version import VERSION
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE

HEAVY = ("lark", "networkx", "jinja2", "black", "msgspec", "yaml", "grpc", "google", "re2", "sqlite3")


def loaded(*argv: str) -> set[str]:
    """The modules that `python -m pclgen argv` imports."""
    command = [sys.executable, "-X", "importtime", "-m", "pclgen", *argv]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=PATIENCE, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr[-2000:]
    lines = (line for line in ran.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip() for line in lines}


@pytest.mark.parametrize("argv", [("--version",), ("--help",), ("check", "--help"), ("explain",), ("explain", "--help")])
def test_answers_without_the_compiler(argv: tuple[str, ...]) -> None:
    modules = loaded(*argv)
    heavy = {name.split(".")[0] for name in modules} & set(HEAVY)
    assert heavy <= (set() if argv[0] in ("--version", "--help") else {"msgspec"}), "records are structs of msgspec"
    assert not {
        name for name in modules if name.startswith(("pclgen.bind", "pclgen.syntax", "pclgen.schema", "pclgen.targets"))
    }


def test_grpc_is_loaded_only_to_ask_somebody() -> None:
    modules = loaded("check", "examples/web-service", "--schemas", "examples/schemas", "--sources", "files,plugin,loader")
    assert "pclgen.bind.binder" in modules
    assert not {name for name in modules if name.split(".")[0] in ("grpc", "google")}


def test_small_schemas_need_no_index() -> None:
    modules = loaded("check", "examples/web-service", "--schemas", "examples/schemas", "--isolated")
    assert "pclgen.bind.binder" in modules
    unneeded = ("sqlite3", "platformdirs", "yaml", "tomllib", "pclgen.schema.recovery", "pclgen.schema.plugins")
    assert not {name for name in modules if name.startswith(unneeded)}


def test_version_loads_next_to_nothing() -> None:
    ours = {name for name in loaded("--version") if name.split(".")[0] == "pclgen"}
    assert "argparse" not in loaded("--version")
    assert len(ours) <= 8, sorted(ours)


def test_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION
