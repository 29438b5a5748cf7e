"""Descriptions of nodes, merged into their comments.

Targets print the comments of a node where the language has a place for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.program import ConfigVariable, Node, OutputVariable
from pclgen.source.text import split_lines


def with_description(node: Node, *, is_inside: bool) -> Node:
    """Return `node` with its description among the comments above it.

    The description of an output of a component (`is_inside`) is not added: it documents the member of the component.
    """
    if isinstance(node, ConfigVariable) or (isinstance(node, OutputVariable) and not is_inside):
        comments = node.comments
        leading = comment_with_description(comments.leading, node.description)
        return replace(node, comments=replace(comments, leading=leading))
    return node


def comment_with_description(comment: Sequence[str], description: str) -> tuple[str, ...]:
    """Return the lines of `comment` and `description`; the comment alone if it contains the words of the description."""
    words = _words(description)
    if not description.strip() or (words and f" {words} " in f" {_words(' '.join(comment))} "):
        return tuple(comment)
    return (*comment, *split_lines(description.strip()))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
