"""Names of Pulumi YAML as identifiers of PCL.

A name that is an identifier is unchanged; `my-bucket` and `index.html` become `myBucket` and `indexHtml`.  Identifiers are
unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

_WORD: Final = re.compile(r"[A-Za-z0-9_]+")
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TAKEN: Final = frozenset({"true", "false", "null", "pulumi"})


class Identifiers(Struct, eq=False):
    """The identifiers of one program's configuration, variables and resources."""

    by_name: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    def declare(self, names: Iterable[str]) -> None:
        """Give each of `names` an identifier; names that are identifiers keep theirs."""
        unique = list(dict.fromkeys(names))
        self.taken.update(name for name in unique if is_identifier(name))
        for name in unique:
            self.by_name[name] = name if is_identifier(name) else self._free(_identifier(name))

    def add(self, name: str) -> str:
        """Return the identifier of a name, and assign it at first use."""
        if name not in self.by_name:
            self.by_name[name] = self._free(name if is_identifier(name) else _identifier(name))
        return self.by_name[name]

    def _free(self, base: str) -> str:
        """Return `base`, with a number if another identifier has that name."""
        candidate, number = base, self.numbers.get(base, 2)
        while candidate in self.taken:
            candidate, number = f"{base}{number}", number + 1
        self.numbers[base] = number
        self.taken.add(candidate)
        return candidate


def is_identifier(name: str) -> bool:
    """Return whether `name` is an identifier of PCL that is not reserved."""
    return _PLAIN.fullmatch(name) is not None and name not in _TAKEN


def _identifier(name: str) -> str:
    first, *others = _WORD.findall(name) or ["value"]
    joined = first + "".join(word[:1].upper() + word[1:] for word in others)
    if joined[0].isdigit():
        joined = f"n{joined}"
    return f"{joined}Value" if joined in _TAKEN else joined
