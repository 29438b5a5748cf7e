"""The tree of a YAML document.

`values` and `nodes` build it, `printer` prints it. Texts are unquoted, as Pulumi YAML's parser returns them, with `${ }` in
them. The printer quotes them.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.sourcemaps import Origin
from pclgen.targets.origins import Attribute


class Text(Struct, frozen=True):
    """A text."""

    value: str


class Word(Struct, frozen=True):
    """A number, a truth value or null, in YAML syntax."""

    value: str


class Item(Struct, frozen=True):
    """An element of a list, with its comments."""

    value: Yaml
    comments: Comments = NO_COMMENTS


class Member(Struct, frozen=True):
    """A member of a mapping, with its comments.

    `origin` is the node or attribute of the member, `value_origin` that of its value.
    """

    key: str
    value: Yaml
    comments: Comments = NO_COMMENTS
    origin: Origin | Attribute | None = None
    value_origin: Attribute | None = None


class Sequence(Struct, frozen=True):
    """A list; `closing` are comments after its last element."""

    items: tuple[Item, ...]
    closing: tuple[str, ...] = ()


class Mapping(Struct, frozen=True):
    """A mapping; `closing` are comments after its last member."""

    members: tuple[Member, ...]
    closing: tuple[str, ...] = ()


Yaml: TypeAlias = Text | Word | Sequence | Mapping
