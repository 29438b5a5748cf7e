"""The types that a program names: `type "Size" "'small' | 'large'" { … }` (language.md, Type aliases).

What is known of them while a program is bound; `bind.typelabels` reads their labels, each when it is first asked for.
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
    """What a label says: a type, and the rule that its values keep."""

    type: Type
    rule: Rule | None = None


Elsewhere: TypeAlias = "Callable[[str, str, Span], Aliases | None]"
"""From a folder and the text of a label to the types of the folder that is meant; None after a report that there is none."""


def nowhere(folder: str, source: str, span: Span) -> Aliases | None:
    """No other folders."""
    del folder, source, span
    return None


class Aliases(Struct, eq=False):
    """The types of one folder: the blocks by name, what is known of those that were read, and the chain of those being read.

    Labels may name types of another folder: `elsewhere` gives these.
    """

    blocks: dict[str, ast.Block] = field(default_factory=dict)
    known: dict[str, Labelled] = field(default_factory=dict)
    reading: list[tuple[str, Span]] = field(default_factory=list)
    folder: str = "."
    elsewhere: Elsewhere = nowhere
