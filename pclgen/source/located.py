"""The location of the component that a block names.

The text behind the name of a component and the directory of the program determine a `Located`.
"""

from __future__ import annotations

import posixpath

from msgspec import Struct


class Located(Struct, frozen=True):
    """The directory of a component: `path` identifies it, and `name` is the base of its class name.

    `hint` suggests the intended directory if there is no such directory.
    """

    path: str
    name: str
    hint: str | None = None


def located_in(directory: str, text: str) -> Located:
    """Return the component `text` of a program in `directory`, both relative to the root program."""
    path = posixpath.normpath(posixpath.join(directory, text))
    return Located(path, posixpath.basename(path))
