"""Only `pclgen.source.files` reads files at untrusted paths: it waits for no pipe and reads no device.

The tests search the sources for code that bypasses it, and put a pipe where the commands search for files.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pclgen.cli import app
from tests.support.corpus import ROOT
from tests.support.rules import for_all

PACKAGE: Final = ROOT / "pclgen"
READERS: Final = frozenset({"open", "path.open", "os.open"})
FREE: Final = {
    "source/files.py": "the way itself",
    "source/load.py": "has looked at the mode, for a better message",
    "emit/write.py": "has looked at the mode of the one, and `source.files` at that of the other",
    "disk.py": "has looked at the mode, of the link itself; opens folders",
    "schema/cache.py": "the user's own cache",
    "build/cluster.py": "its own standard output",
    "build/cache.py": "the user's own cache",
    "build/compile.py": "pclgen's own files",
    "diagnostics/codes.py": "pclgen's own files",
    "emit/overlay.py": "pclgen's own files",
    "syntax/tables.py": "pclgen's own files",
    "protocol/guard.py": "/proc",
    "protocol/pool.py": "pclgen's own files",
    "cli/init.py": "pclgen's own files",
    "view/page.py": "pclgen's own files",
    "forks.py": "the pipe to a child of its own",
    "cli/console.py": "the null device",
    "cli/app.py": "the null device",
    "cli/verify.py": "a file of the command line, which is one",
    "host/languages.py": "the folder of the user's plugins",
    "testing/snapshots.py": "has looked whether it is a file; whose tests run, runs code anyhow",
    "testing/plugin.py": "pytest collects files only",
}
"""Other modules that read files, with the reason.  `verify` runs the files that it reads."""


def readers() -> Iterator[tuple[str, int]]:
    """The modules that read a file directly, with the lines of the calls."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if not name.startswith("verify/") else ():
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in READERS or called.endswith((".read_bytes", ".read_text")):
                    yield name, node.lineno


def test_one_module_reads_the_files_of_strangers() -> None:
    calls = list(readers())
    assert [(name, line) for name, line in calls if name not in FREE] == []
    assert FREE.keys() == {name for name, _ in calls}


@for_all("name", ["a/x.pp", "x.pp", "a/Pulumi.yaml", "pclgen.toml", "pyproject.toml", "schemas/shop.json",
                                  "schemas/pclgen.lock", "a/policy.json"])  # fmt: skip  # a table
@pytest.mark.parametrize("command", ["build", "check .", "generate .", "fmt .", "evaluate a", "graph a", "schema list"])
def test_nobody_waits_for_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "schemas", ".git"):
        Path(folder).mkdir()
    Path("a/main.pp").write_text('resource r "shop:index:Server" {}\noutput o {\n  value = readFile("policy.json")\n}\n')
    os.mkfifo(name)
    assert app.main([*command.split(), "--no-cache"] if command != "fmt ." else command.split()) in (0, 1, 2)
    assert "pclgen itself failed" not in capfd.readouterr().err


def test_nobody_waits_for_a_pipe_in_an_sdk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A repository may contain a folder of installed packages."""
    monkeypatch.chdir(tmp_path)
    files = ("pulumi-plugin.json", "__init__.py", "_utilities.py", "server.py", "_inputs.py", "outputs.py", "_enums.py")
    for number, pipe in enumerate((*files, "METADATA", "RECORD")):
        packages = Path(f"p{number}/.venv/lib/python3.11/site-packages")
        sdk, information = packages / "pulumi_shop", packages / "pulumi_shop-1.0.0.dist-info"
        for folder in (sdk, information):
            folder.mkdir(parents=True)
        for file in files:
            (sdk / file).write_text("")
        (sdk / "pulumi-plugin.json").write_text('{"resource": true, "name": "shop", "version": "1.0.0"}')
        for place in (sdk, information):
            if (place / pipe).exists() or (place is information and pipe.isupper()):
                (place / pipe).unlink(missing_ok=True)
                os.mkfifo(place / pipe)
        Path(f"p{number}/main.pp").write_text('resource r "shop:index:Server" {}\n')
        assert app.main(["check", f"p{number}", "--no-cache", "--isolated"]) == 1
        assert "pclgen itself failed" not in capfd.readouterr().err
