"""The Dask cluster that `--scheduler` names, for the commands that give out work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pclgen.cli.arguments import Parser
from pclgen.cli.console import UsageError

if TYPE_CHECKING:
    from pclgen.build.cluster import Cluster


def add_scheduler_option(parser: Parser) -> None:
    """Add `--scheduler ADDRESS`."""
    parser.option("--scheduler", metavar="ADDRESS", about="compile on the Dask cluster of this scheduler (pclgen[dask])")


@contextmanager
def cluster_of(address: str | None) -> Iterator[Cluster | None]:
    """The cluster that is to do the work, if one is.  Raises `UsageError`."""
    if address is None:
        yield None
        return
    from pclgen.build.cluster import NoClusterError, connected

    try:
        with connected(address) as cluster:
            yield cluster
    except NoClusterError as error:
        raise UsageError(str(error), error.hint) from error
