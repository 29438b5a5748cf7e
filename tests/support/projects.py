"""Generated projects with their users' tools: pip, npm, go, and the Pulumi SDK's own reader of project files.

The tools run on the files of a project, exactly as written.  A project is installed once per content of its manifests; the
folder is cached beside the toolchains (`toolchains.cache_folder`) and serves all later runs, in which only the sources are
new.  Ordinary clients access the package registries.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath

from tests.support import toolchains
from tests.support.files import write_files
from tests.support.toolchains import ToolError, cache_folder, locked, run

_READER = Path(__file__).with_name("go_projects") / "main.go"
_RUN = Path(__file__).with_name("python") / "run_generated.py"


def install_python(files: Mapping[PurePosixPath, str]) -> str:
    """`pip install -r requirements.txt` in a fresh virtual environment, then a run of the program with the SDK's mocks.

    Return the installed packages, as `pip freeze` prints them.  Raises `ToolError`.
    """

    def install(home: Path) -> None:
        run([sys.executable, "-m", "venv", home / "venv"], cwd=home)
        pip: list[str | Path] = [home / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
        run([*pip, "install", "-r", "requirements.txt"], cwd=home)
        run([*pip, "check"], cwd=home)
        (home / "freeze.txt").write_text(run([*pip, "freeze"], cwd=home), encoding="utf-8")

    with _installed("python", files, ["requirements.txt"], install) as home:
        (home / "cases.json").write_text(json.dumps([{"folder": str(home), "config": {}}]), encoding="utf-8")
        run([home / "venv" / "bin" / "python", _RUN, "cases.json", "outcomes.json"], cwd=home)
        [outcome] = json.loads((home / "outcomes.json").read_text(encoding="utf-8"))
        if outcome["error"]:
            raise ToolError(outcome["error"])
        return (home / "freeze.txt").read_text(encoding="utf-8")


def install_typescript(files: Mapping[PurePosixPath, str]) -> Mapping[str, str]:
    """`npm install`, then `tsc --noEmit` with the project's own TypeScript and settings.

    Return the versions of the direct dependencies.  Raises `ToolError`.
    """
    node, npm = toolchains.node_commands()

    def install(home: Path) -> None:
        path = {"PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"}
        run([*npm, "install", "--no-audit", "--no-fund"], cwd=home, env=path)
        run([*npm, "ls"], cwd=home, env=path)

    with _installed("typescript", files, ["package.json"], install) as home:
        run([node, Path("node_modules", "typescript", "bin", "tsc"), "--noEmit"], cwd=home)
        manifest = json.loads(files[PurePosixPath("package.json")])
        names = [*manifest["dependencies"], *manifest["devDependencies"]]
        read = {name: (home / "node_modules" / name / "package.json").read_text(encoding="utf-8") for name in names}
        return {name: json.loads(text)["version"] for name, text in read.items()}


def install_go(files: Mapping[PurePosixPath, str]) -> str:
    """`go mod tidy`, then `go build`.  Return the tidied go.mod.  Raises `ToolError`."""
    go = toolchains.go_command()

    def install(home: Path) -> None:
        run([go, "mod", "tidy"], cwd=home, env=toolchains.go_variables())
        (home / "tidied.mod").write_bytes((home / "go.mod").read_bytes())

    imports = sorted({line for text in files.values() for line in re.findall(r'^\t(?:\w+ )?"(.+\..+/.+)"$', text, re.M)})
    with _installed("go", files, ["go.mod"], install, also=imports) as home:
        shutil.copyfile(home / "tidied.mod", home / "go.mod")
        run([go, "build"], cwd=home, env=toolchains.go_variables())
        return (home / "tidied.mod").read_text(encoding="utf-8")


def go_module(version: str) -> Path:
    """The folder of a version of the core SDK for Go in Go's module cache.  Raises `ToolError`."""
    go = toolchains.go_command()
    with tempfile.TemporaryDirectory(prefix="pclgen-module-") as scratch:
        name = f"github.com/pulumi/pulumi/sdk/v3@{version}"
        answer = json.loads(run([go, "mod", "download", "-json", name], cwd=Path(scratch), env=toolchains.go_variables()))
    return Path(answer["Dir"])


@contextmanager
def _installed(
    language: str,
    files: Mapping[PurePosixPath, str],
    manifests: Sequence[str],
    install: Callable[[Path], None],
    *,
    also: Sequence[str] = (),
) -> Iterator[Path]:
    """A folder with the project, installed by `install` unless an earlier run did so for the same manifests."""
    digest = hashlib.sha256("\n".join([sys.version, *also]).encode())
    for name in manifests:
        digest.update(files[PurePosixPath(name)].encode())
    home = cache_folder() / f"project-{language}-{digest.hexdigest()[:12]}"
    with locked(home.name):
        fresh = not (home / ".ready").exists()
        if fresh:
            shutil.rmtree(home, ignore_errors=True)
        write_files(home, files)
        if fresh:
            install(home)
            (home / ".ready").touch()
        yield home


def read_settings(projects: Mapping[str, str]) -> Mapping[str, Mapping[str, object]]:
    """Read texts of `Pulumi.yaml` with Pulumi's own SDK, by name: `{"config": …}`, or `{"error": …}`."""
    reader = _reader()
    with _scratch(projects) as folder:
        paths = {name: folder / name / "Pulumi.yaml" for name in projects}
        answer: dict[str, Mapping[str, object]] = json.loads(run([reader, *paths.values()], cwd=folder))
        return {name: answer[str(path)] for name, path in paths.items()}


@contextmanager
def _scratch(projects: Mapping[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pclgen-settings-") as scratch:
        for name, text in projects.items():
            (Path(scratch) / name).mkdir()
            (Path(scratch) / name / "Pulumi.yaml").write_text(text, encoding="utf-8")
        yield Path(scratch)


@cache
def _reader() -> Path:
    """The compiled reader, built on first use."""
    tools = toolchains.go()

    def build(home: Path) -> None:
        for name in ("go.mod", "go.sum"):
            shutil.copyfile(tools.module / name, home / name)
        shutil.copyfile(_READER, home / "main.go")
        run([tools.go, "build", "-o", "reader", "main.go"], cwd=home, env=tools.environment)

    return toolchains.environment("project-reader", [_READER, tools.module / "go.mod"], build) / "reader"
