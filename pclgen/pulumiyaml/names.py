"""Names of Pulumi YAML as identifiers of PCL, and items of PCL for members of a YAML file, with their spans there.

A name that is an identifier is unchanged; `my-bucket` and `index.html` become `myBucket` and `indexHtml`.  Identifiers are
unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from pclgen.source.text import Span
from pclgen.source.yamltree import YamlNode, YamlScalar
from pclgen.syntax import ast

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


LOGICAL_NAME = "__logicalName"


class Head(Struct, frozen=True):
    """The head of a block: its type and labels, with the spans of its key and of the value of the key."""

    kind: str
    labels: tuple[ast.Label, ...]
    key: Span
    node: Span

    def block(
        self,
        body: Iterable[ast.Item],
        around: tuple[tuple[ast.Comment, ...], tuple[ast.Comment, ...]] = ((), ()),
        inside: tuple[tuple[ast.Comment, ...], tuple[ast.Comment, ...]] = ((), ()),
    ) -> ast.Block:
        """Return the block with the comments around it, and those at the beginning and the end of its body."""
        at = self.key
        inner = self.node if self.node.end >= at.end else at
        return ast.Block(
            type=ast.Name(text=self.kind, span=at),
            labels=self.labels,
            body=ast.Body(items=tuple(body), span=inner, closing=inside[1]),
            span=at.to(inner),
            head=at,
            open_brace=at.tail(),
            leading=around[0],
            header=inside[0],
            trailing=around[1],
        )


def head(kind: str, labels: tuple[ast.Label, ...], key: YamlScalar, node: YamlNode) -> Head:
    """Return the head of the block for `key: node`."""
    return Head(kind, labels, key.span, node.span)


def attribute(
    name: str, at: Span, value: ast.Expr, *, around: tuple[Sequence[ast.Comment], Sequence[ast.Comment]] = ((), ())
) -> ast.Attribute:
    """Return the attribute `name = value`, with the comments before and behind it."""
    span = at.to(value.span) if value.span.end >= at.end else at
    return ast.Attribute(
        name=ast.Name(text=name, span=at), value=value, span=span, leading=tuple(around[0]), trailing=tuple(around[1])
    )


def label(text: str, span: Span) -> ast.Label:
    """Return a label, in quotes where PCL needs them."""
    return ast.Label(text=text, quoted=not is_identifier(text), span=span)
