"""Source files of an SDK in pieces.

Only requested classes and functions are parsed, since files of types can have megabytes. A definition ends before the
next line without indentation. Strings in triple quotes may contain such lines, too; a piece that does not parse is
extended to the next candidate.
"""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from pathlib import Path
from threading import Lock

from pclgen.source.files import open_regular, read_regular

_KEPT_FILES = 12
"""How many texts stay in memory: the files of types of a few modules."""

_NEXT = re.compile(r"^[^\s)#]", re.MULTILINE)
_MOST_EXTENSIONS = 60
_PART = 1 << 14
"""Bytes that are read at once in search of the list of names at the head of a file."""

_parsing = Lock()


class SourceError(Exception):
    """A source file cannot be used; the message is the reason, `path` the file."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{reason} ({path})")
        self.path = path
        self.reason = reason


def read_text(path: Path) -> str:
    """The text of a file; "" when there is none.  Raises `SourceError` when it cannot be read."""
    try:
        status = path.stat()
        return _read_text(path, status.st_mtime_ns, status.st_size)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SourceError(path, f"the file cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SourceError(path, "the text is not UTF-8") from error


@lru_cache(maxsize=_KEPT_FILES)
def _read_text(path: Path, changed: int, size: int) -> str:
    del changed, size  # a package may be replaced while a server runs
    return read_regular(path).decode("utf-8")


def parse(text: str) -> ast.Module:
    """Return the syntax tree of Python text.  Raises `SyntaxError`, also for Python's other parse failures."""
    # Documentation holds backslashes that Python warns about.  Warnings are state of the whole process, hence the lock.
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or type(error).__name__) from error


def find_class(path: Path, name: str) -> ast.ClassDef | None:
    """The top-level class `name` of a file, or None.  Raises `SourceError` when it cannot be parsed."""
    definition = _find(path, f"class {name}")
    return definition if isinstance(definition, ast.ClassDef) else None


def find_function(path: Path, name: str) -> ast.FunctionDef | None:
    """The top-level function `name` of a file, or None.  Raises `SourceError` when it cannot be parsed."""
    definition = _find(path, f"def {name}")
    return definition if isinstance(definition, ast.FunctionDef) else None


def _find(path: Path, words: str) -> ast.stmt | None:
    text = read_text(path)
    start = _start(text, words)
    return _definition(path, text, start) if start is not None else None


def head(path: Path) -> str:
    """The text of a file before its first class or function."""
    text = read_text(path)
    match = re.search(r"^(?:@|class |def |if not MYPY)", text, re.MULTILINE)
    return text[: match.start()] if match is not None else text


def listed_names(path: Path) -> tuple[str, ...]:
    """The names in `__all__` of a file, in order; () when it has none.  Reads no more than that part of a large file."""
    text = _beginning(path)
    start = text.find(b"\n__all__ = [")
    end = text.find(b"]", start)
    if start < 0 or end < 0:
        return ()
    return tuple(re.findall(r"['\"](\w+)['\"]", text[start:end].decode("utf-8", "replace")))


def _beginning(path: Path) -> bytes:
    """A file up to the end of its `__all__`, or all of it."""
    text = b""
    try:
        with open_regular(path) as file:
            while part := file.read(_PART):
                text += part
                start = text.find(b"\n__all__ = [")
                if start >= 0 and text.find(b"]", start) >= 0:
                    break
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise SourceError(path, f"the file cannot be read: {error.strerror or error}") from error
    return text


def _start(text: str, words: str) -> int | None:
    """Return the offset of the definition that begins with `words`, without its decorators."""
    for mark in ("(", ":"):
        if text.startswith(words + mark):
            return 0
        at = text.find(f"\n{words}{mark}")
        if at >= 0:
            return at + 1
    return None


def _definition(path: Path, text: str, start: int) -> ast.stmt:
    """The definition that begins at `start`."""
    # The line with the name has no indentation, nor has a `)` that ends the parameters.
    line_end = text.find("\n", start)
    position = line_end + 1 if line_end >= 0 else len(text)
    reason = "it does not parse"
    for _ in range(_MOST_EXTENSIONS):
        following = _NEXT.search(text, position)
        end = following.start() if following is not None else len(text)
        try:
            return parse(text[start:end]).body[0]
        except SyntaxError as error:
            line = text.count("\n", 0, start) + (error.lineno or 1)
            reason = f"line {line} does not parse: {error.msg}"
        if following is None:
            break
        position = end + 1
    raise SourceError(path, reason)
