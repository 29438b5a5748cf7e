"""Where the component is that a block names.

Comes in: the directory of a program, and the text behind the name of the component.  Goes out: `Located`.
"""

from __future__ import annotations

import posixpath

from pclgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Located:
    """The directory of a component: `path` tells it apart from all others, `name` is what its class is called after.

    `hint` says what may be meant if there is no such directory.
    """

    path: str
    name: str
    hint: str | None = None


def located_in(directory: str, text: str) -> Located:
    """The component `text` of a program in `directory`, both relative to the root program."""
    path = posixpath.normpath(posixpath.join(directory, text))
    return Located(path, posixpath.basename(path))
