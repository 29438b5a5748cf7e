"""The types that a program names: `type "Size" "'small' | 'large'" { … }` (language.md, Type aliases).

What is known of them while a program is bound; `bind.typelabels` reads their labels, each when it is first asked for.
"""

from __future__ import annotations

from dataclasses import field

from pclgen.records import dataclass
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import Type
from pclgen.types.rules import Rule


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a label says: a type, and the rule that its values keep."""

    type: Type
    rule: Rule | None = None


@dataclass(slots=True, eq=False)
class Aliases:
    """The blocks by the name of their type, what is known of those that were read, and the chain of those being read."""

    blocks: dict[str, ast.Block] = field(default_factory=dict)
    known: dict[str, Labelled] = field(default_factory=dict)
    reading: list[tuple[str, Span]] = field(default_factory=list)
