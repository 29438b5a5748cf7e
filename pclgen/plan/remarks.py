"""What is said of the nodes of a program, once and in one place: their descriptions are comments, too.

The `comments` of a node come to hold its description, too. Targets print them where the language has a place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.program import ConfigVariable, Node, OutputVariable
from pclgen.source.text import split_lines


def with_remarks(node: Node, *, is_inside: bool) -> Node:
    """`node` with its description among the comments above it.  That of an output of a component (`is_inside`) documents the
    member, which has a place of its own."""
    if isinstance(node, ConfigVariable) or (isinstance(node, OutputVariable) and not is_inside):
        comments = node.comments
        return replace(node, comments=replace(comments, leading=said_once(comments.leading, node.description)))
    return node


def said_once(comment: Sequence[str], description: str) -> tuple[str, ...]:
    """The lines above something that has a comment and a description; where the comment says it already, the comment."""
    words = _words(description)
    if not description.strip() or (words and f" {words} " in f" {_words(' '.join(comment))} "):
        return tuple(comment)
    return (*comment, *split_lines(description.strip()))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
