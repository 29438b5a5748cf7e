"""An existing Dask cluster as an executor (`pclgen build --scheduler`, the extra `pclgen[dask]`).

Comes in: the address of a scheduler.  Goes out: an `Executor` whose workers call functions in the present working directory.
They need pclgen in the same version, and the same files in the same place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, TypeVar

from pclgen.build.apart import call
from pclgen.version import VERSION

R = TypeVar("R")

_PATIENCE: Final = "10s"
"""How long a scheduler may take to answer."""


class NoClusterError(Exception):
    """The cluster cannot be used; `hint` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Cluster(Executor):
    """The cluster; `workers` is how many tasks it does at a time."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self._executor = executor
        self._directory = os.getcwd()
        self.workers = workers

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Call the function on a worker; the cluster tries again elsewhere when that dies."""
        assert not kwargs, "positional arguments say it all"
        return self._executor.submit(call, self._directory, fn, *args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster, which runs on."""
        self._executor.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at `address`.  Raises `NoClusterError`."""
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


def _check_versions(found: dict[str, str]) -> None:
    """Raises `NoClusterError` when a worker has another pclgen: its files would be other ones."""
    other = next((version for version in found.values() if version != VERSION), None)
    if other is not None:
        hint = f"install it there: pip install pclgen=={VERSION}"
        raise NoClusterError(f"a worker of the cluster has pclgen {other}, and this is {VERSION}", hint)
