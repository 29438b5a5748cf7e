"""Runners for generated programs of each language.

* Python: a worker imports the SDKs once and forks for every program (`workers/python_worker.py`).
* Node: a worker runs programs one after the other, like the SDK's automation API (`workers/node_worker.cjs`).
* Go: one binary contains all programs (`gobuild`) and is started for every run.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, Protocol

from pclgen.verify.environments import NodeEnvironment, PythonEnvironment
from pclgen.verify.processes import Ended, Job, Patience, Worker, run_watched

_WORKERS: Final = Path(__file__).parent / "workers"
_MODULES: Final = "node_modules"
_KEPT_VARIABLES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")


class Runner(Protocol):
    """Runs programs of one language, one at a time."""

    def run(self, job: Job, patience: Patience) -> Ended:
        """Run a program until it ends or `patience` is exhausted. Raises `OSError`."""
        ...

    def close(self) -> None:
        """End all started processes."""
        ...


def _environment() -> dict[str, str]:
    """Return the environment of a program, without variables that change the behavior of SDKs."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}


def python_runner(environment: PythonEnvironment) -> Runner:
    """Return a runner of Python programs."""
    return Worker([environment.python, _WORKERS / "python_worker.py"], environment=_environment())


def node_runner(environment: NodeEnvironment) -> Runner:
    """Return a runner of TypeScript programs, whose folders need `link_modules`."""
    command = [environment.node, _WORKERS / "node_worker.cjs", environment.modules]
    return Worker(command, environment=_environment())


def link_modules(environment: NodeEnvironment, root: Path) -> None:
    """Make the packages visible to all programs under `root`. Raises `OSError`."""
    place = root / _MODULES
    if not place.exists():
        place.symlink_to(environment.modules, target_is_directory=True)


class GoRunner:
    """Runs programs of a binary."""

    def __init__(self, binary: Path) -> None:
        self._binary = binary

    def run(self, job: Job, patience: Patience) -> Ended:
        """Run a program until it ends or `patience` is exhausted. Raises `OSError`."""
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
        command: list[str | Path] = [self._binary, job.folder.name]
        return run_watched(command, folder=job.folder, environment=_environment() | variables, patience=patience)

    def close(self) -> None:
        """Do nothing: no process outlives a run."""
