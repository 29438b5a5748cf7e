"""Scopes: the meaning of names (language.md, Names and scopes), and of the types that a program names (Type aliases).

A scope maps names to entries and has a parent. Functions have their own namespace (`stdlib.registry`), so that a resource
called `length` and the function `length(…)` coexist. All other definitions take precedence over outputs.

Types have a namespace of their own, too:

    type "Size" "'small' | 'large'" { … }

This module holds them during binding; `bind.typelabels` reads each label on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct, field

from pclgen.core.expr import Symbol
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types.model import Type
from pclgen.types.rules import Rule

SPLAT_ITEM = "*"
"""The name under which the item of a splat is in scope; which is not a valid identifier."""


class RangeEntry(Struct, frozen=True):
    """The name `range` inside a ranged body; `key` is None if the range has no keys (the key of a number is the index)."""

    key: Symbol | None
    item: Symbol | None


class SettingsEntry(Struct, frozen=True):
    """The name `pulumi` of a `pulumi` block, which has no value."""


Entry: TypeAlias = Symbol | RangeEntry | SettingsEntry


class Scope(Struct, eq=False):
    """One level of names.  Only the root scope grows, while nodes are bound in order of their dependencies."""

    parent: Scope | None = None
    names: dict[str, Entry] = field(default_factory=dict)
    outputs: dict[str, Entry] = field(default_factory=dict)

    def find(self, name: str) -> Entry | None:
        """The entry of `name` here, or None."""
        scope: Scope | None = self
        while scope is not None:
            entry = scope.names.get(name) or scope.outputs.get(name)
            if entry is not None:
                return entry
            scope = scope.parent
        return None

    def with_names(self, names: dict[str, Entry]) -> Scope:
        """A scope inside this one with `names`, which need not be Python identifiers."""
        return Scope(self, names)

    def visible(self) -> tuple[str, ...]:
        """Every name in scope, for suggestions."""
        names: dict[str, None] = {}
        scope: Scope | None = self
        while scope is not None:
            names.update(dict.fromkeys(scope.names))
            names.update(dict.fromkeys(scope.outputs))
            scope = scope.parent
        return tuple(names)


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
