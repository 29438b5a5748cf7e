"""Runs of the command line in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ran:
    """The status and output of a run."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]
