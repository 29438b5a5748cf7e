"""The types that a program names: `type "Size" "'small' | 'large'" { … }` (language.md, Type aliases).

This module holds their state during binding; `bind.typelabels` reads each label on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct, field

from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import Type
from pclgen.types.rules import Rule


class Labelled(Struct, frozen=True):
    """A type and the constraint from a label."""

    type: Type
    rule: Rule | None = None


Elsewhere: TypeAlias = "Callable[[str, str, Span], Aliases | None]"
"""Maps a folder and the text of a label to the types of the named folder; None after a report of a missing folder."""


def nowhere(folder: str, source: str, span: Span) -> Aliases | None:
    """Find no other folders."""
    del folder, source, span
    return None


class Aliases(Struct, eq=False):
    """The types of one folder: blocks by name, types that were read, and the chain of types being read.

    Labels may name types of another folder, which `elsewhere` returns.
    """

    blocks: dict[str, ast.Block] = field(default_factory=dict)
    labels: dict[str, Labelled] = field(default_factory=dict)
    reading: list[tuple[str, Span]] = field(default_factory=list)
    folder: str = "."
    elsewhere: Elsewhere = nowhere
