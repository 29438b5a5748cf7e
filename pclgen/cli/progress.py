"""How far a build is, for whoever looks at a terminal.

Comes in: how many programs of how many are done.  Goes out: a bar on a line of standard error that is gone when the build
ends; nothing where nobody looks (a log, a pipe, `--quiet`), and nothing for a build that is over before anybody could read
it: the library that draws is loaded when there is something to wait for.
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
"""Seconds that a build may take before anything is shown."""
_PACE: Final = 0.1
"""Seconds between two drawings."""


class Progress:
    """The bar.  In a `with` statement it goes away whatever happens."""

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
        """Show it, when it is time to."""
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
    # No thread of its own, and nothing put in the place of the streams: it draws when it is told something.
    return Bar(*columns, console=screen, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
