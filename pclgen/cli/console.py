"""The terminal: streams, colors, and printing of diagnostics.

Text diagnostics go to standard error, machine-readable ones to standard output; colors only to terminals.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias

from msgspec import Struct, field

from pclgen.diagnostics.cells import Role, Style, visible
from pclgen.diagnostics.formats import OutputFormat, render
from pclgen.diagnostics.model import Diagnostic
from pclgen.errors import UserError

ColorMode: TypeAlias = Literal["auto", "always", "never"]
COLOR_MODES: tuple[ColorMode, ...] = ("auto", "always", "never")


class UsageError(UserError):
    """A wrong use of a command; exit status 2. `hint` gives the correct use."""


class Console(Struct, frozen=True, kw_only=True):
    """The streams of a process and its color settings."""

    out: TextIO
    err: TextIO
    stdin: BinaryIO | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    color: ColorMode = "auto"

    def __post_init__(self) -> None:
        # A terminal that cannot show a character shows its number instead of raising an error.
        for stream in (self.out, self.err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")

    def style(self, stream: TextIO) -> Style:
        """Return the style of `stream`: colored by `--color`, else on a terminal unless NO_COLOR or TERM=dumb is set."""
        if self.color != "auto":
            return Style(self.color == "always")
        if self.environ.get("NO_COLOR"):
            return Style(False)
        if self.environ.get("FORCE_COLOR"):
            return Style(self.environ["FORCE_COLOR"] != "0")
        return Style(stream.isatty() and self.environ.get("TERM") != "dumb")

    def say(self, text: str) -> None:
        """Print a message on one line of standard error, with line breaks in names escaped."""
        self._tell(_one_line(text, self.style(self.err)) + "\n")

    def print(self, text: str) -> None:
        """Print a text result for people on standard output."""
        self.out.write(_harmless(text, self.style(self.out)))

    def print_line(self, text: str) -> None:
        """Print one line of a result for people on standard output, with line breaks in names escaped."""
        self.out.write(_one_line(text, self.style(self.out)) + "\n")

    def print_exactly(self, text: str) -> None:
        """Print file content on standard output: UTF-8 with its own line endings, whatever the terminal's encoding."""
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
        """Print `diagnostics`: `text` on standard error, other formats on standard output, or on `stream`."""
        if not diagnostics and output_format == "text":
            return  # do not load the renderer
        if stream is None:
            stream = self.err if output_format == "text" else self.out
        color = self.style(stream).color
        text = render(diagnostics, output_format, color=color, width=_terminal_width(stream))
        if stream is self.err:
            self._tell(text)
        else:
            stream.write(text)

    def _tell(self, text: str) -> None:
        """Write to standard error. If that fails, only the exit status can report the failure."""
        try:
            self.err.write(text)
        except OSError:
            # Otherwise Python would flush again at exit, and change the exit status.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self.err.fileno())

    def complain(self, message: str, hint: str | None) -> None:
        """Print a usage error."""
        style = self.style(self.err)
        self.say(style.paint(Role.ERROR, "error") + style.paint(Role.STRONG, f": {message}"))
        if hint is not None:
            self.say(f"  = {style.paint(Role.HELP, 'help:')} {hint}")


_STYLES: Final = re.compile(r"(\x1b\[[0-9;]*m)")
_ALLOWED: Final = re.compile(r"([\n\t])")


def _harmless(text: str, style: Style) -> str:
    """Return `text`, which may quote untrusted input, with control characters escaped.

    Line ends, tabs and pclgen's own colors stay.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    pieces = _STYLES.split(text) if style.color else [text]
    return "".join(
        piece if at % 2 else "".join(part if part in ("\n", "\t") else visible(part) for part in _ALLOWED.split(piece))
        for at, piece in enumerate(pieces)
    )


def _one_line(text: str, style: Style) -> str:
    """Return `text` as one line, with line ends escaped."""
    return _harmless(text, style).replace("\n", "\\n")


def _terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal behind `stream`; None for files and pipes, whose content must not depend on the
    size of a window."""
    return shutil.get_terminal_size().columns if stream.isatty() else None
