"""The signal and the stacks of a test process that died, printed below the failures.

pytest-xdist reports only the test that ran in it, and other output hides Python's message.
"""

from __future__ import annotations

import faulthandler
import os
import signal
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER: Final = pytest.StashKey[Path]()
STACKS: Final = pytest.StashKey[int]()
DIED: Final = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """In a test process: open the file for the stacks."""
    config.stash[DIED] = []
    worker: Any = getattr(config, "workerinput", None)
    if worker is not None:
        config.stash[STACKS] = os.open(Path(worker["crashes"], worker["workerid"]), os.O_CREAT | os.O_WRONLY)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Write the stacks to the file on a crash: pytest, also a run inside a test, redirects them."""
    if STACKS in item.config.stash:
        faulthandler.enable(item.config.stash[STACKS])


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_configure_node(node: Any) -> None:
    """Pass the location of the file."""
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
    """Print the recorded stacks."""
    for text in config.stash[DIED]:
        terminalreporter.section("a process that ran tests died")
        terminalreporter.line(text)
