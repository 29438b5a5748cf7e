"""The tree of a YAML document.

`values` and `nodes` build it, `printer` prints it. Texts are what the reader of Pulumi YAML is to get, with `${ }` in them:
quoting is the printer's.
"""

from __future__ import annotations

from typing import TypeAlias

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.records import dataclass
from pclgen.sourcemaps import Origin
from pclgen.targets.origins import Attribute


@dataclass(frozen=True, slots=True)
class Text:
    """A text."""

    value: str


@dataclass(frozen=True, slots=True)
class Word:
    """A number, a truth value or null, as YAML spells it."""

    value: str


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a list, with its comments."""

    value: Yaml
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a mapping, with its comments; `origin` is the node or attribute that it comes from."""

    key: str
    value: Yaml
    comments: Comments = NO_COMMENTS
    origin: Origin | Attribute | None = None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list; `closing` are comments after its last element."""

    items: tuple[Item, ...]
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping; `closing` are comments after its last member."""

    members: tuple[Member, ...]
    closing: tuple[str, ...] = ()


Yaml: TypeAlias = Text | Word | Sequence | Mapping
