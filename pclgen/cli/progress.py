"""A progress bar for builds on a terminal.

The bar is a line on standard error that disappears when the build ends. Logs, pipes and `--quiet` have none, and neither
have builds that end quickly: the drawing library is loaded only after a delay.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final

from pclgen.cli.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_PATIENCE: Final = 0.5
"""Seconds before anything is shown."""
_PACE: Final = 0.1
"""Seconds between two updates."""


class Progress:
    """The progress bar; a context manager that removes it."""

    def __init__(self, console: Console, *, quiet: bool, clock: Callable[[], float] = time.monotonic) -> None:
        is_seen = console.err.isatty() and console.environ.get("TERM") != "dumb"
        self._console = console
        self._clock = clock
        self._due = clock() + _PATIENCE if is_seen and not quiet else float("inf")
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Update the bar if enough time has passed."""
        now = self._clock()
        if now < self._due:
            return
        self._due = now + _PACE
        if self._bar is None:
            self._bar = _bar(self._console)
            self._bar.add_task("compiling", total=total, completed=done)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, refresh=True)


def _bar(console: Console) -> Bar:
    from rich.console import Console as Screen
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    color = console.style(console.err).color
    screen = Screen(file=console.err, force_terminal=True, no_color=not color, highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Without a thread and without redirected streams: it draws only on updates.
    return Bar(*columns, console=screen, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
