"""A dependency written into the text of a `pclgen.toml`, which stays as it is but for one line.

Comes in: the text, and what is to be wanted of a package.  Goes out: the new text, or `EditError` where that would not say
what it should.
"""

from __future__ import annotations

import json
import re
import tomllib

from pclgen.deps.manifest import NAME

_TABLE = re.compile(r"^[ \t]*\[(?P<name>[^\[\]\n]*)\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)


class EditError(Exception):
    """A text that cannot be edited; it says what to write by hand."""


def entry(*, version: str = "", path: str = "", url: str = "", digest: str = "") -> str:
    """What stands behind the name of a package."""
    if version and not (path or url or digest):
        return json.dumps(version, ensure_ascii=False)
    given = {"version": version, "path": path, "url": url, "digest": digest}
    written = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items() if value]
    return f"{{ {', '.join(written)} }}"


def with_dependency(text: str, name: str, written: str, *, prefix: str = "") -> str:
    """`text` with the dependency `name`, in the place of the one that was there, or at the end of its table.

    `prefix` is what the table of pclgen is called in a `pyproject.toml`.
    """
    assert NAME.fullmatch(name) is not None
    table = f"{prefix}.dependencies" if prefix else "dependencies"
    line = f"{name} = {written}"
    header = next((found for found in _TABLE.finditer(text) if found["name"].replace(" ", "") == table), None)
    if header is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        made = f"{text}{gap}[{table}]\n{line}\n"
    else:
        following = _TABLE.search(text, header.end())
        array = re.compile(r"^[ \t]*\[\[", re.MULTILINE).search(text, header.end())
        end = min([found.start() for found in (following, array) if found is not None], default=len(text))
        body = text[header.end() : end]
        own = re.compile(rf"^[ \t]*\"?{re.escape(name)}\"?[ \t]*=[^\n]*$", re.MULTILINE).search(body)
        if own is not None:
            body = f"{body[: own.start()]}{line}{body[own.end() :]}"
        else:
            kept = body.rstrip()
            rest = body[len(kept) :].removeprefix("\n")
            body = f"{kept}\n{line}\n{rest}"
        made = text[: header.end()] + body + text[end:]
    if not _says(made, table, name, written):
        raise EditError(f"write it yourself, in [{table}]: {line}")
    return made


def _says(text: str, table: str, name: str, written: str) -> bool:
    """Whether the new text says what it should, whatever the old one looked like."""
    try:
        found = tomllib.loads(text)
        for part in table.split("."):
            found = found[part]
        return bool(found[name] == tomllib.loads(f"x = {written}")["x"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, RecursionError):
        return False
