"""Placement of parentheses.

The rules are the language's, and prettier's additional rules (`%` beside `*`, mixed logical operators).
"""

from __future__ import annotations

from typing import Final

from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.printing.paths import LOGICAL, PRECEDENCE, Path, leftmost, same_chain

_LOOSE: Final = (ts.Object, ts.Binary, ts.As, ts.Conditional, ts.Arrow, ts.Unary, ts.Await)
"""The classes of expressions that may need parentheses."""


def needs_parens(path: Path) -> bool:
    """Return whether the expression at `path` needs parentheses."""
    node, above = path.node, path.above
    if type(node) not in _LOOSE:
        return False
    if isinstance(node, ts.Object):
        return _opens_body(path)
    if path.key in ("callee", "source", "tag") or isinstance(above, ts.NonNull):
        return True
    if isinstance(node, ts.Unary):
        return isinstance(above, ts.Unary) and node.operator == above.operator == "-"
    if isinstance(above, ts.Spread | ts.Await | ts.Unary):
        return True
    if isinstance(node, ts.Binary):
        return _operation(path, node)
    if isinstance(node, ts.As):
        return isinstance(above, ts.Conditional | ts.Binary)
    return isinstance(above, ts.Binary | ts.As) or path.key == "condition"


def _opens_body(path: Path) -> bool:
    """Return whether the object starts an arrow's body, where it would read as a block."""
    up = path.parent
    while up is not None:
        if isinstance(up.node, ts.Arrow):
            body = up.node.body
            return not isinstance(body, tuple) and path.node in leftmost(body)
        up = up.parent
    return False


def _operation(path: Path, node: ts.Binary) -> bool:
    """Return whether an operation needs parentheses beside the operator of the node above it."""
    above = path.above
    if isinstance(above, ts.As) or (isinstance(above, ts.Conditional) and node.operator == "??"):
        return True
    if not isinstance(above, ts.Binary):
        return False
    if above.operator in LOGICAL and node.operator in LOGICAL:
        return above.operator != node.operator
    outer, inner = PRECEDENCE[above.operator], PRECEDENCE[node.operator]
    return (
        outer > inner
        or (path.key == "right" and outer == inner)
        or (outer == inner and not same_chain(above.operator, node.operator))
        or (outer < inner and node.operator == "%" and above.operator in "+-")
    )
