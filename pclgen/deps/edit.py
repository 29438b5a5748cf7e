"""Edits of dependencies in the text of a `pclgen.toml`; all other lines are preserved."""

from __future__ import annotations

import json
import re
import tomllib

from pclgen.deps.manifest import NAME

_TABLE = re.compile(r"^[ \t]*\[(?P<name>[^\[\]\n]*)\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)


class EditError(Exception):
    """The text cannot be edited; the message shows the edit to make by hand."""


def entry(*, version: str = "", path: str = "", url: str = "", digest: str = "") -> str:
    """Return the TOML value of a dependency."""
    if version and not (path or url or digest):
        return json.dumps(version, ensure_ascii=False)
    fields = {"version": version, "path": path, "url": url, "digest": digest}
    written = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value]
    return f"{{ {', '.join(written)} }}"


def with_dependency(text: str, name: str, written: str, *, prefix: str = "") -> str:
    """Return `text` with the dependency `name`: an existing entry is replaced, a new one ends its table.

    `prefix` is the table of pclgen in a `pyproject.toml`. Raises `EditError`.
    """
    assert NAME.fullmatch(name) is not None
    table = f"{prefix}.dependencies" if prefix else "dependencies"
    line = f"{name} = {written}"
    header = next((match for match in _TABLE.finditer(text) if match["name"].replace(" ", "") == table), None)
    if header is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        edited = f"{text}{gap}[{table}]\n{line}\n"
    else:
        following = _TABLE.search(text, header.end())
        array = re.compile(r"^[ \t]*\[\[", re.MULTILINE).search(text, header.end())
        end = min([match.start() for match in (following, array) if match is not None], default=len(text))
        body = text[header.end() : end]
        existing = re.compile(rf"^[ \t]*\"?{re.escape(name)}\"?[ \t]*=[^\n]*$", re.MULTILINE).search(body)
        if existing is not None:
            body = f"{body[: existing.start()]}{line}{body[existing.end() :]}"
        else:
            head = body.rstrip()
            rest = body[len(head) :].removeprefix("\n")
            body = f"{head}\n{line}\n{rest}"
        edited = text[: header.end()] + body + text[end:]
    if not _says(edited, table, name, written):
        raise EditError(f"write it yourself, in [{table}]: {line}")
    return edited


def _says(text: str, table: str, name: str, written: str) -> bool:
    """Return whether the edited text parses and defines the dependency as `written`."""
    try:
        value = tomllib.loads(text)
        for part in table.split("."):
            value = value[part]
        return bool(value[name] == tomllib.loads(f"x = {written}")["x"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, RecursionError):
        return False
