"""What a process that runs tests was doing when it died: the signal and the stacks of its threads, below the failures.

pytest-xdist reports only the test that ran in it, and what Python prints in such a moment is lost between the other output.
"""

from __future__ import annotations

import faulthandler
import signal
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = pytest.StashKey[Path]()
DIED: Final = pytest.StashKey[list[str]]()


@pytest.hookimpl(trylast=True)  # pytest enables the module as well
def pytest_configure(config: pytest.Config) -> None:
    """In a process that runs tests: write the stacks to a file if it crashes."""
    config.stash[DIED] = []
    worker: Any = getattr(config, "workerinput", None)
    if worker is not None:
        file = open(Path(worker["crashes"], worker["workerid"]), "w", encoding="utf-8")  # noqa: SIM115  # until the end
        faulthandler.enable(file)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_configure_node(node: Any) -> None:
    """Say where the file is."""
    folder = node.config.stash.setdefault(FOLDER, node.config._tmp_path_factory.mktemp("crashes"))
    node.workerinput["crashes"] = str(folder)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Read the file of a process that died."""
    if error is None:
        return
    status = node.gateway._io.popen.wait()
    how = f"the signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
    stacks = Path(node.workerinput["crashes"], node.gateway.id).read_text(encoding="utf-8")
    node.config.stash[DIED].append(f"{node.gateway.id} ended with {how}\n{stacks}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what was read."""
    for text in config.stash[DIED]:
        terminalreporter.section("a process that ran tests died")
        terminalreporter.line(text)
