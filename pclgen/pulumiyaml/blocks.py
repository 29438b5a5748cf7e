"""Items of PCL for members of a YAML file, with their spans there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pclgen.pulumiyaml.names import is_identifier
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlNode, YamlScalar
from pclgen.syntax import ast

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
