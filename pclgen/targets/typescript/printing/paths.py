"""The position of a node: layouts and parentheses depend on the nodes around an expression.

The printers extend a `Path` as they walk down. Their shared predicates are here. The rules for parentheses are the
language's, and prettier's additional rules (`%` beside `*`, mixed logical operators).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.targets.typescript import tree as ts

TsNode: TypeAlias = "ts.TsExpr | ts.Statement | ts.Property"


class Path(Struct, frozen=True, eq=False):
    """A node, the path of its parent, and its role in the parent."""

    node: TsNode
    parent: Path | None
    key: str

    @property
    def above(self) -> TsNode | None:
        """The parent node."""
        return self.parent.node if self.parent is not None else None


LOGICAL = ("&&", "||", "??")

PRECEDENCE: Final = {
    "??": 0,
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("==", "===", "!=", "!=="), 3),
    **dict.fromkeys(("<", ">", "<=", ">=", "in"), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "%"), 6),
}


def is_member(node: TsNode | None) -> bool:
    """Return whether the node is `a.b` or `a[b]`."""
    return isinstance(node, ts.Member | ts.Element)


def is_logical(node: TsNode | None) -> bool:
    """Return whether the node is `a && b`, `a || b` or `a ?? b`."""
    return isinstance(node, ts.Binary) and node.operator in LOGICAL


def same_chain(outer: str, inner: str) -> bool:
    """Return whether `inner` as the left operand of `outer` continues its chain: `a + b + c`, but not `a * b % c`."""
    if PRECEDENCE[outer] != PRECEDENCE[inner]:
        return False
    equality, factors = ("==", "===", "!=", "!=="), ("*", "/", "%")
    if outer in equality and inner in equality:
        return False
    return not (outer in factors and inner in factors and (outer != inner or outer == "%"))


def holds_inline(node: TsNode) -> bool:
    """Return whether a logical operation has an object or a list as its right operand, which stays on its line."""
    if not isinstance(node, ts.Binary) or node.operator not in LOGICAL:
        return False
    right = node.right
    return (isinstance(right, ts.Object) and bool(right.properties)) or (
        isinstance(right, ts.Array) and bool(right.elements)
    )


def breaks_like_operation(node: TsNode) -> bool:
    """Return whether the node is a binary operation that moves to the next line as a unit."""
    return isinstance(node, ts.Binary) and not holds_inline(node)


def bare(node: ts.TsExpr) -> ts.TsExpr:
    """`node` without a trailing `!`."""
    while isinstance(node, ts.NonNull):
        node = node.value
    return node


def is_number(node: ts.TsExpr) -> bool:
    """Return whether the node is a number, with or without a sign."""
    if isinstance(node, ts.Unary) and node.operator == "-":
        node = node.value
    return isinstance(node, ts.Number)


def is_multiline(node: ts.TsExpr) -> bool:
    """Return whether the node is a template literal over several lines."""
    if isinstance(node, ts.Text):
        return node.lines and "\n" in node.value
    return isinstance(node, ts.Template) and node.lines and any("\n" in text for text in node.texts)


def is_template(node: ts.TsExpr) -> bool:
    """Return whether the node is a template literal, with or without a tag."""
    return isinstance(node, ts.Template) or is_multiline(node)


def leftmost(node: TsNode) -> Iterator[TsNode]:
    """Yield `node`, and the nodes inside it with which its text starts, outermost first."""
    current: TsNode | None = node
    while current is not None:
        yield current
        current = _first_part(current)


def _first_part(node: TsNode) -> TsNode | None:
    """Return the child with which the text of `node` starts."""
    match node:
        case ts.Binary():
            return node.left
        case ts.Member() | ts.Element():
            return node.source
        case ts.Call():
            return node.callee
        case ts.Conditional():
            return node.condition
        case ts.As() | ts.NonNull():
            return node.value
        case ts.Template():
            return node.tag
        case _:
            return None


# -- parentheses ------------------------------------------------------------------------------------------------------------

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
