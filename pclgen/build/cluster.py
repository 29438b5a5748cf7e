"""An existing Dask cluster as an executor (`pclgen build --scheduler`, the extra `pclgen[dask]`).

Workers run each call in a subprocess, in the current working directory of the client. They need the same version of pclgen
and the same files at the same paths.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TypeVar

from pclgen.errors import UserError
from pclgen.version import VERSION

R = TypeVar("R")

_COMMAND: Final = ("-P", "-m", "pclgen.build.cluster")
_PATIENCE: Final = "10s"
"""Time limit for the answer of a scheduler."""


class SubprocessCallError(Exception):
    """The process could not be started, or ended without a result."""


class NoClusterError(UserError):
    """The cluster cannot be used; `hint` gives the next step."""


class Cluster(Executor):
    """The cluster; `workers` is the number of tasks that it runs at a time."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor = executor
        self._directory = os.getcwd()
        self.workers = workers

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Call the function on a worker; if the worker dies, the cluster retries on another."""
        assert not kwargs, "positional arguments say it all"
        return self._executor.submit(call, self._directory, fn, *args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which keeps running."""
        self._executor.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to the scheduler at `address`. Raises `NoClusterError`."""
    try:
        dask = import_module("distributed")
    except ImportError:
        raise NoClusterError("`--scheduler` needs Dask", "install it: pip install 'pclgen[dask]'") from None
    hint = "name one that runs, as in `--scheduler tcp://10.0.0.1:8786`; `dask scheduler` starts one"
    try:
        client = dask.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise NoClusterError(f"no Dask scheduler answers at `{address}`: {str(error).splitlines()[0]}", hint) from None
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise NoClusterError(f"the Dask cluster at `{address}` has no workers", f"start some: dask worker {address}")
        _check_versions(client.run(_version))
        yield Cluster(client.get_executor(pure=False), workers)


def _version() -> str:
    return VERSION


def _check_versions(versions: dict[str, str]) -> None:
    """Raise `NoClusterError` if a worker has another version of pclgen, whose output may differ."""
    other = next((version for version in versions.values() if version != VERSION), None)
    if other is not None:
        hint = f"install it there: pip install pclgen=={VERSION}"
        raise NoClusterError(f"a worker of the cluster has pclgen {other}, and this is {VERSION}", hint)


def call(directory: str, function: Callable[..., R], /, *arguments: object) -> R:
    """Call `function` in a subprocess in `directory` and return its result. Raises `SubprocessCallError`.

    The tasks of a Dask worker are threads that share a working directory and an environment; a compiler needs its own.
    """
    call = pickle.dumps((function, arguments))
    if not os.path.isdir(directory):
        raise SubprocessCallError(f"the worker has no directory `{directory}`: it needs the same files in the same place")
    try:
        process = subprocess.run((sys.executable, *_COMMAND), input=call, cwd=directory, capture_output=True, check=False)
    except OSError as error:
        raise SubprocessCallError(f"cannot start Python in `{directory}`: {error.strerror or error}") from error
    if process.returncode != 0:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        raise SubprocessCallError(lines[-1] if lines else f"the process ended with {process.returncode}")
    result: R = pickle.loads(process.stdout)
    return result


def main() -> None:
    """Run the pickled call on standard input; write only the pickled result to standard output."""
    out = os.dup(1)
    os.dup2(2, 1)  # prints must not mix with the result
    function, arguments = pickle.load(sys.stdin.buffer)
    result = pickle.dumps(function(*arguments))
    with open(out, "wb") as file:
        file.write(result)


if __name__ == "__main__":
    main()
