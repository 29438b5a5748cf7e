"""The progress bar of a build: on a terminal, while the build is waiting, and removed at the end."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pclgen.cli import build
from pclgen.cli.build import Progress, run
from pclgen.cli.console import Console
from tests.test_build import BAD, GOOD, write

WIPED = "\x1b[2K"


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def shown(console: Console, ticks: Iterator[float], *, quiet: bool = False) -> str:
    """The output of a build of four programs that finish at these times."""
    with Progress(console, quiet=quiet, clock=lambda: next(ticks)) as bar:
        for done in (1, 2, 3, 4):
            bar(done, 4)
    assert isinstance(console.err, io.StringIO)
    return console.err.getvalue()


def console(stream: io.StringIO, **environ: str) -> Console:
    return Console(out=io.StringIO(), err=stream, environ={"TERM": "xterm", **environ})


def test_a_build_that_takes_its_time_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = shown(console(Screen()), iter([0.0, 0.1, 0.6, 0.65, 0.9]))
    assert re.findall(r"\d/4", text)[-1] == "4/4" and "2/4" in text
    assert "1/4" not in text and "3/4" not in text, "not too early, and not all the time"
    assert text.endswith(WIPED) and "\x1b[?25h" in text.rpartition("4/4")[2], "it goes away, and the cursor comes back"


def test_it_goes_away_when_the_build_breaks_off() -> None:
    screen = Screen()
    with pytest.raises(KeyboardInterrupt), Progress(console(screen), quiet=False, clock=iter([0.0, 1.0]).__next__) as bar:
        bar(1, 4)
        raise KeyboardInterrupt
    assert screen.getvalue().endswith(WIPED) and "\x1b[?25h" in screen.getvalue()


def test_colours_are_those_of_the_console() -> None:
    times = [0.0, 1.0, 2.0, 3.0, 4.0]
    coloured, plain = shown(console(Screen()), iter(times)), shown(console(Screen(), NO_COLOR="1"), iter(times))
    assert "\x1b[38;5" in coloured or re.search(r"\x1b\[\d*;?3\dm", coloured)
    assert not re.search(r"\x1b\[[\d;]*3\d[;m]", plain)


@pytest.mark.parametrize("where", ["log", "quiet", "dumb", "short"])
def test_elsewhere_nothing_is_shown_or_loaded(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)
    stream = io.StringIO() if where == "log" else Screen()
    times = [0.0, 0.1, 0.2, 0.3, 0.4] if where == "short" else [0.0, 1.0, 2.0, 3.0, 4.0]
    environ = {"TERM": "dumb"} if where == "dumb" else {}
    assert shown(console(stream, **environ), iter(times), quiet=where == "quiet") == ""


def test_a_build_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(build, "_PATIENCE", 0.0)
    monkeypatch.setattr(build, "_PACE", 0.0)
    write({"pclgen.toml": 'languages = ["go"]\n', "a/main.pp": GOOD, "b/main.pp": BAD, "c/main.pp": GOOD})
    screen = Screen()
    assert run(["--no-cache", "--jobs", "1"], console(screen)) == 1
    bar, _, rest = screen.getvalue().rpartition(WIPED)
    assert {"1/3", "2/3", "3/3"} <= set(re.findall(r"\d/3", bar))
    assert "error" in rest and rest.endswith("built 3 programs: 2 generated, 1 failed\n"), "what is told stays"
