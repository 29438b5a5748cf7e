"""Starting generated programs: what differs between the languages.

Comes in: staged programs and an environment.  Goes out: `Runner`s, which run one program at a time each.

* Python: a worker imports the SDKs once and forks for every program (`workers/python_worker.py`).
* Node: a worker runs programs one after the other, as the SDK's automation API does (`workers/node_worker.cjs`).
* Go: all programs are compiled to one binary, since linking is what takes the time.  Package `main` becomes a package of its
  own, and `main` the exported `Main`; nothing else of the text is changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from pclgen.verify.environments import GoEnvironment, NodeEnvironment, PythonEnvironment
from pclgen.verify.processes import Ended, Job, Worker, run_program
from pclgen.verify.subjects import Staged

_WORKERS: Final = Path(__file__).parent / "workers"
_MODULES: Final = "node_modules"
_BUILD_TIMEOUT: Final = 1800.0
_MAIN_PACKAGE: Final = re.compile(r"^package main$", re.MULTILINE)
_MAIN_FUNCTION: Final = re.compile(r"^func main\(\)", re.MULTILINE)
_GO_ERROR: Final = re.compile(r"^(?:\./)?(?P<key>p_\w+_)/(?P<file>[^:\s]+):(?P<rest>\d+.*)$", re.MULTILINE)
_KEPT_VARIABLES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")


class Runner(Protocol):
    """Runs programs of one language, one at a time."""

    def run(self, staged: Staged, job: Job, *, timeout: float) -> Ended:
        """Run a program to its end, at most `timeout` seconds.  Raises `OSError`."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...


class BuildError(Exception):
    """The programs cannot be compiled for a reason that lies in none of them; the text is a sentence."""


def _environment() -> dict[str, str]:
    """The variables that a program sees: none that would change what SDKs do."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}


class WorkerRunner:
    """Gives programs to a worker."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._worker = Worker(command, environment=_environment())

    def run(self, staged: Staged, job: Job, *, timeout: float) -> Ended:
        """Run a program to its end, at most `timeout` seconds.  Raises `OSError`."""
        return self._worker.run(job, timeout=timeout)

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def python_runner(environment: PythonEnvironment) -> Runner:
    """Runs Python programs."""
    return WorkerRunner([environment.python, _WORKERS / "python_worker.py"])


def node_runner(environment: NodeEnvironment) -> Runner:
    """Runs TypeScript programs; their folders must see the packages (`link_modules`)."""
    return WorkerRunner([environment.node, _WORKERS / "node_worker.cjs", environment.modules])


def link_modules(environment: NodeEnvironment, root: Path) -> None:
    """Let all programs under `root` see the packages.  Raises `OSError`."""
    place = root / _MODULES
    if not place.exists():
        place.symlink_to(environment.modules, target_is_directory=True)


class GoRunner:
    """Runs programs of a binary."""

    def __init__(self, binary: Path) -> None:
        self._binary = binary

    def run(self, staged: Staged, job: Job, *, timeout: float) -> Ended:
        """Run a program to its end, at most `timeout` seconds.  Raises `OSError`."""
        variables = {
            "PULUMI_MONITOR": job.monitor,
            "PULUMI_ENGINE": job.monitor,
            "PULUMI_PROJECT": job.project,
            "PULUMI_STACK": job.stack,
            "PULUMI_ORGANIZATION": job.organization,
            "PULUMI_ROOT_DIRECTORY": str(job.folder),
            "PULUMI_PARALLEL": "16",
            "PULUMI_DRY_RUN": "true" if job.preview else "false",
            "PULUMI_CONFIG": json.dumps(dict(job.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(job.secret_keys)),
        }
        command: list[str | Path] = [self._binary, staged.subject.key]
        return run_program(command, folder=job.folder, environment=_environment() | variables, timeout=timeout)

    def close(self) -> None:
        """Nothing stays."""


# -- Go: many programs, one binary ---------------------------------------------------------------------------------------


def build_go(environment: GoEnvironment, programs: Sequence[Staged], folder: Path) -> tuple[Path, Mapping[str, list[str]]]:
    """The binary with all programs that compile, and the compiler's messages on the others by key.

    Raises `BuildError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = _write_module(environment, folder)
    for staged in programs:
        _write_package(staged, folder)
    messages: dict[str, list[str]] = {}
    while good := [staged.subject.key for staged in programs if staged.subject.key not in messages]:
        (folder / "main.go").write_text(_main(name, good), encoding="utf-8")
        # Without symbols, linking takes half the time.
        command: list[str | Path] = [environment.go, "build", "-ldflags=-s -w", "-o", "programs", "."]
        ended = run_program(command, folder=folder, environment=go_variables(environment), timeout=_BUILD_TIMEOUT)
        if ended.status == 0:
            break
        found = _sort_messages(ended.printed)
        if not found:
            raise BuildError(f"go build says: {_shortened(ended.printed)}")
        messages |= found
    _keep_module(environment, folder)
    return folder / "programs", messages


def go_variables(environment: GoEnvironment) -> dict[str, str]:
    """What every call of Go needs."""
    return {**os.environ, **environment.variables}


def _write_module(environment: GoEnvironment, folder: Path) -> str:
    """go.mod and go.sum of the environment; the name of the module."""
    text = (environment.module / "go.mod").read_text(encoding="utf-8")
    # Replacements by folders are relative to the environment.
    text = re.sub(r"=> (\.{1,2}/)", lambda match: f"=> {environment.module}/{match[1]}", text)
    (folder / "go.mod").write_text(text, encoding="utf-8")
    sums = environment.module / "go.sum"
    if sums.exists():
        shutil.copyfile(sums, folder / "go.sum")
    match = re.search(r"^module (\S+)$", text, re.MULTILINE)
    return match[1] if match else "pclgen-verify"


def _keep_module(environment: GoEnvironment, folder: Path) -> None:
    """The sums that Go looked up serve the next run."""
    sums = folder / "go.sum"
    if not (environment.module / "go.sum").exists() and sums.exists():
        for name in ("go.mod", "go.sum"):
            scratch = environment.module / f"{name}.{os.getpid()}"
            shutil.copyfile(folder / name, scratch)
            scratch.replace(environment.module / name)


def _write_package(staged: Staged, folder: Path) -> None:
    package = folder / staged.subject.key
    package.mkdir(exist_ok=True)
    for path, text in staged.files.items():
        if path.suffix == ".go":
            made = _MAIN_PACKAGE.sub(f"package {staged.subject.key}", text, count=1)
            made = _MAIN_FUNCTION.sub("func Main()", made, count=1)
            (package / path.name).write_text(made, encoding="utf-8", newline="")


def _main(module: str, keys: Sequence[str]) -> str:
    imports = "".join(f'\t"{module}/{key}"\n' for key in keys)
    cases = "".join(f'\tcase "{key}":\n\t\t{key}.Main()\n' for key in keys)
    return (
        f'package main\n\nimport (\n\t"os"\n\n{imports})\n\nfunc main() {{\n\tswitch os.Args[1] {{\n{cases}'
        "\tdefault:\n\t\tos.Exit(3)\n\t}\n}\n"
    )


def _sort_messages(printed: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for match in _GO_ERROR.finditer(printed):
        found.setdefault(match["key"], []).append(f"{match['file']}:{match['rest']}")
    return found


def _shortened(printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return "; ".join(lines[:4])
