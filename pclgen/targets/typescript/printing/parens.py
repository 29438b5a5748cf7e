"""Placement of parentheses.

The rules are the language's, and prettier's additional rules (`%` beside `*`, mixed logical operators).
"""

from __future__ import annotations

from typing import Final

from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.printing.paths import LOGICAL, Path, is_member, precedence, same_chain, starts_with

_LOOSE: Final = (ts.Object, ts.Binary, ts.As, ts.Conditional, ts.Arrow, ts.Unary, ts.Await)
"""The classes of expressions that may need parentheses."""


def needs_parens(path: Path) -> bool:
    """Return whether the expression at `path` needs parentheses."""
    node = path.node
    if type(node) not in _LOOSE:
        return False
    match node:
        case ts.Object():
            return _opens_body(path)
        case ts.Binary():
            return _operation(path, node)
        case ts.As():
            return _cast(path)
        case ts.Conditional():
            return _conditional(path)
        case ts.Arrow():
            return _arrow(path)
        case ts.Unary():
            return _unary(path, node)
        case ts.Await():
            return _await(path)
        case _:
            return False


def _opens_body(path: Path) -> bool:
    """Return whether the object starts an arrow's body or a statement, where it would read as a block."""
    up = path.parent
    while up is not None:
        if isinstance(up.node, ts.Arrow):
            body = up.node.body
            return not isinstance(body, tuple) and starts_with(body, path.node)
        if isinstance(up.node, ts.Do):
            return starts_with(up.node.value, path.node)
        up = up.parent
    return False


def _operand_place(path: Path) -> bool | None:
    """Return whether an operation or cast needs parentheses here; None where that depends on the node."""
    above = path.above
    if isinstance(above, ts.Spread | ts.Await | ts.NonNull | ts.Unary):
        return True
    if isinstance(above, ts.Template):
        return path.key == "tag"
    if isinstance(above, ts.Call | ts.New):
        return path.key == "callee"
    if is_member(above):
        return path.key == "source"
    return None


def _operation(path: Path, node: ts.Binary) -> bool:
    place = _operand_place(path)
    if place is not None:
        return place
    above = path.above
    if isinstance(above, ts.As) or (isinstance(above, ts.Conditional) and node.operator == "??"):
        return True
    if not isinstance(above, ts.Binary):
        return False
    if above.operator in LOGICAL and node.operator in LOGICAL:
        return above.operator != node.operator
    outer, inner = precedence(above.operator), precedence(node.operator)
    return (
        outer > inner
        or (path.key == "right" and outer == inner)
        or (outer == inner and not same_chain(above.operator, node.operator))
        or (outer < inner and node.operator == "%" and above.operator in "+-")
    )


def _cast(path: Path) -> bool:
    place = _operand_place(path)
    if place is not None:
        return place
    return isinstance(path.above, ts.Conditional | ts.Binary)


def _conditional(path: Path) -> bool:
    place = _operand_place(path)
    if place is not None:
        return place
    above = path.above
    return isinstance(above, ts.Binary | ts.As) or (isinstance(above, ts.Conditional) and path.key == "condition")


def _arrow(path: Path) -> bool:
    above = path.above
    if isinstance(above, ts.Spread):
        return False
    place = _operand_place(path)
    if place is not None:
        return place
    return isinstance(above, ts.Binary | ts.As) or (isinstance(above, ts.Conditional) and path.key == "condition")


def _unary(path: Path, node: ts.Unary) -> bool:
    above = path.above
    if isinstance(above, ts.Unary):
        return node.operator == above.operator and node.operator in "+-"
    if isinstance(above, ts.Call | ts.New):
        return path.key == "callee"
    return isinstance(above, ts.NonNull) or (is_member(above) and path.key == "source")


def _await(path: Path) -> bool:
    above = path.above
    if isinstance(above, ts.Unary | ts.Spread | ts.As | ts.NonNull | ts.Binary):
        return True
    if isinstance(above, ts.Conditional):
        return path.key == "condition"
    if isinstance(above, ts.Call | ts.New):
        return path.key == "callee"
    return is_member(above) and path.key == "source"
