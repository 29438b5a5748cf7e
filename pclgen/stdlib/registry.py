"""All built-in functions by name.

It has `FUNCTIONS`, `find` and `names`; and the names of `invoke` and `call`, which look like functions but are separate
forms in the binder (language.md, Invokes; Methods).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pclgen.stdlib import collections, control, deployment, encoding, files, numeric
from pclgen.stdlib.model import Function

_TOPICS = (collections, control, deployment, encoding, files, numeric)

INVOKE = "invoke"
CALL = "call"
FORMS = (CALL, INVOKE)

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {row.name: row for row in sorted((row for topic in _TOPICS for row in topic.FUNCTIONS), key=lambda row: row.name)}
)
"""Every built-in function, sorted by name."""


def find(name: str) -> Function | None:
    """Return the built-in function called `name`."""
    return FUNCTIONS.get(name)


def names() -> tuple[str, ...]:
    """Return the names that can be called, sorted: the functions and the two forms."""
    return tuple(sorted((*FUNCTIONS, *FORMS)))
