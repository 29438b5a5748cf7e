"""Names of Pulumi YAML as identifiers of PCL.

Comes in: the names of a program's configuration, variables and resources, in order.  Goes out: for each an identifier; no
two are alike.  A name that is one already keeps it; `my-bucket` and `index.html` become `myBucket` and `indexHtml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_WORD: Final = re.compile(r"[A-Za-z0-9_]+")
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TAKEN: Final = frozenset({"true", "false", "null", "pulumi"})


def identifiers(names: Iterable[str]) -> Mapping[str, str]:
    """The identifier of each name."""
    wanted = list(dict.fromkeys(names))
    kept = {name for name in wanted if is_identifier(name)}
    taken = set(kept)
    next_number: dict[str, int] = {}
    found: dict[str, str] = {}
    for name in wanted:
        if name in kept:
            found[name] = name
            continue
        base = _identifier(name)
        candidate, number = base, next_number.get(base, 2)
        while candidate in taken:
            candidate, number = f"{base}{number}", number + 1
        next_number[base] = number
        taken.add(candidate)
        found[name] = candidate
    return found


def is_identifier(name: str) -> bool:
    """Whether PCL can call something `name`."""
    return _PLAIN.fullmatch(name) is not None and name not in _TAKEN


def _identifier(name: str) -> str:
    first, *others = _WORD.findall(name) or ["value"]
    joined = first + "".join(word[:1].upper() + word[1:] for word in others)
    if joined[0].isdigit():
        joined = f"n{joined}"
    return f"{joined}Value" if joined in _TAKEN else joined
