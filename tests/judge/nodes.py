"""Text of programs as trees, so that a differing program can be reduced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of text: `form` with the texts of `parts` in place of `{}`; `joint` joins all of them in one place.

    `fixed`: it is not an expression of its own (a member of an object, a piece of a template), but a sequence may omit it.
    """

    form: str
    parts: tuple[Node, ...] = ()
    joint: str | None = None
    fixed: bool = False

    def __str__(self) -> str:
        texts = [str(part) for part in self.parts]
        if self.joint is not None:
            texts = [self.joint.join(texts)]
        pieces = self.form.split("\0")
        assert len(pieces) == len(texts) + 1, (self.form, texts)
        return "".join(text for pair in zip(pieces, [*texts, ""], strict=True) for text in pair)


def node(form: str, *parts: Node | str, joint: str | None = None, fixed: bool = False) -> Node:
    """A node; each `@` of `form` marks the place of a part."""
    children = tuple(part if isinstance(part, Node) else text(part) for part in parts)
    return Node(form.replace("@", "\0"), children, joint, fixed)


def text(value: str) -> Node:
    """A node without parts."""
    return Node(value)


def smaller(whole: Node) -> Iterator[Node]:
    """Reductions of `whole` in one place, the largest first."""
    if not whole.fixed:
        yield from _inside(whole)
        if whole.parts:
            yield from (text(literal) for literal in ("null", "1", '"a"'))
    if whole.joint is not None:
        for index in range(len(whole.parts)):
            yield replace(whole, parts=whole.parts[:index] + whole.parts[index + 1 :])
    for index, part in enumerate(whole.parts):
        for less in smaller(part):
            yield replace(whole, parts=(*whole.parts[:index], less, *whole.parts[index + 1 :]))


def _inside(whole: Node) -> Iterator[Node]:
    """The expressions within `whole`."""
    for part in whole.parts:
        if not part.fixed:
            yield part
        yield from _inside(part)
