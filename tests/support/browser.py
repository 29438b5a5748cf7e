"""Pages in Chromium."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.corpus import ROOT
from tests.support.toolchains import chromium, view

DRIVER = ROOT / "tests" / "support" / "view" / "drive.cjs"

BEYOND = "document.documentElement.scrollWidth - window.innerWidth"
"""How far a page reaches beyond the window."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The results of the steps, the messages of the console, and the addresses of all requests."""

    values: list[Any]
    console: list[str]
    requests: list[str]


def visit(steps: Sequence[Sequence[object]]) -> Visit:
    """Drive Chromium through the steps of `tests/support/view/drive.cjs`."""
    browser = chromium()
    if browser is None:
        pytest.skip("left out: no Chromium, and no Debian to take one from")
    process = subprocess.run(
        [str(view().node), str(DRIVER), str(view().modules), str(browser.command)],
        input=json.dumps(steps),
        capture_output=True,
        text=True,
        env={**os.environ, **browser.variables},
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return Visit(**json.loads(process.stdout))
