"""Types of configuration that a program uses and does not declare (language.md, Pulumi YAML).

The program is bound once with these variables as `any`. The types expected by their uses then become their declared types.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.configtypes import ANY, shapes_of
from pclgen.core.program import Program
from pclgen.syntax import ast

_TEXT = "string"
"""The type of a variable without a more specific use; `pulumi config set name value` sets a string."""


def has_guesses(trees: Sequence[ast.File]) -> bool:
    """Return whether some configuration still has guessed types."""
    return any(tree.guessed for tree in trees)


def with_types(trees: Sequence[ast.File], program: Program) -> list[ast.File]:
    """Return the trees with the types that the uses in `program` expect in place of guesses."""
    shapes = shapes_of({name for tree in trees for name in tree.guessed}, program)
    labels = {name: _TEXT if (label := shape.label()) == ANY else label for name, shape in shapes.items()}
    return [_typed(tree, labels) if tree.guessed else tree for tree in trees]


def as_texts(trees: Sequence[ast.File]) -> list[ast.File]:
    """Return the trees with the type string in place of guesses, if no schema shows the expected types."""
    return [_typed(tree, dict.fromkeys(tree.guessed, _TEXT)) for tree in trees]


def _typed(tree: ast.File, labels: dict[str, str]) -> ast.File:
    items: list[ast.Item] = []
    for item in tree.body.items:
        if isinstance(item, ast.Block) and item.type.text == "config" and item.labels[0].text in tree.guessed:
            name = item.labels[0]
            item = replace(item, labels=(name, ast.Label(text=labels[name.text], quoted=True, span=name.span)))
        items.append(item)
    return replace(tree, body=replace(tree.body, items=tuple(items)), guessed=frozenset())
