"""The terminal: streams, colours and how diagnostics reach them.

Comes in: the streams of the process and its environment.  Goes out: printed text.  Diagnostics for people go to standard
error, diagnostics for programs to standard output; colours only where somebody looks at them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias

from pclgen.diagnostics.cells import visible
from pclgen.diagnostics.formats import OutputFormat, render
from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.style import Role, Style
from pclgen.records import dataclass

ColorMode: TypeAlias = Literal["auto", "always", "never"]
COLOR_MODES: tuple[ColorMode, ...] = ("auto", "always", "never")


class UsageError(Exception):
    """The command was asked for something that makes no sense; exit status 2.  `hint` says what to type instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """The three streams of a process and what is known about who looks at them."""

    out: TextIO
    err: TextIO
    stdin: BinaryIO | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    color: ColorMode = "auto"

    def __post_init__(self) -> None:
        # A terminal that cannot show a character shows its number; a crash would help nobody.
        for stream in (self.out, self.err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")

    def style(self, stream: TextIO) -> Style:
        """Colours for `stream`: as `--color` says, else on a terminal unless NO_COLOR or TERM=dumb is set."""
        if self.color != "auto":
            return Style(self.color == "always")
        if self.environ.get("NO_COLOR"):
            return Style(False)
        if self.environ.get("FORCE_COLOR"):
            return Style(self.environ["FORCE_COLOR"] != "0")
        return Style(stream.isatty() and self.environ.get("TERM") != "dumb")

    def say(self, text: str) -> None:
        """Tell the user something beside the result, on one line, whatever names it holds: standard error."""
        self._tell(_one_line(text, self.style(self.err)) + "\n")

    def print(self, text: str) -> None:
        """Print text that is the result, for people: standard output."""
        self.out.write(_harmless(text, self.style(self.out)))

    def print_line(self, text: str) -> None:
        """Print one line of a result for people, whatever names it holds: standard output."""
        self.out.write(_one_line(text, self.style(self.out)) + "\n")

    def print_exactly(self, text: str) -> None:
        """Print file content that is the result: UTF-8 with its own line endings, whatever the terminal's encoding."""
        buffer = getattr(self.out, "buffer", None)
        if buffer is None:
            self.out.write(text)
            return
        self.out.flush()
        buffer.write(text.encode("utf-8"))
        buffer.flush()

    def report(
        self, diagnostics: Sequence[Diagnostic], output_format: OutputFormat, *, stream: TextIO | None = None
    ) -> None:
        """Print `diagnostics`: `text` on standard error, the others on standard output, unless `stream` is given."""
        if stream is None:
            stream = self.err if output_format == "text" else self.out
        color = self.style(stream).color
        text = render(diagnostics, output_format, color=color, width=_terminal_width(stream))
        if stream is self.err:
            self._tell(text)
        else:
            stream.write(text)

    def _tell(self, text: str) -> None:
        """Write to standard error.  When it takes no more, the exit status has to tell all."""
        try:
            self.err.write(text)
        except OSError:
            # Else Python would try once more when it ends, and change the exit status.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self.err.fileno())

    def complain(self, message: str, hint: str | None) -> None:
        """Print a mistake in the use of the command."""
        style = self.style(self.err)
        self.say(style.paint(Role.ERROR, "error") + style.paint(Role.STRONG, f": {message}"))
        if hint is not None:
            self.say(f"  = {style.paint(Role.HELP, 'help:')} {hint}")


_STYLES: Final = re.compile(r"(\x1b\[[0-9;]*m)")
_KEPT: Final = re.compile(r"([\n\t])")


def _harmless(text: str, style: Style) -> str:
    """`text`, which may quote programs, schemas and servers, without any control but line ends, tabs and our own colours."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    pieces = _STYLES.split(text) if style.color else [text]
    return "".join(
        piece if at % 2 else "".join(part if part in ("\n", "\t") else visible(part) for part in _KEPT.split(piece))
        for at, piece in enumerate(pieces)
    )


def _one_line(text: str, style: Style) -> str:
    """`text` as one line: a name with line ends makes no line of its own."""
    return _harmless(text, style).replace("\n", "\\n")


def _terminal_width(stream: TextIO) -> int | None:
    """Columns of the terminal behind `stream`; None when there is none, so that files do not depend on a window."""
    return shutil.get_terminal_size().columns if stream.isatty() else None
