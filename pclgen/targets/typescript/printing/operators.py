"""Layout of binary operations and conditionals.

Runs of one operator break together. They are indented unless the enclosing node already indents them. Conditionals put `?`
and `:` at the start of lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pclgen.layout import LINE, SOFTLINE, Doc, align, concat, group, if_break, indent
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier
from pclgen.targets.typescript.printing.paths import Path, holds_inline, is_logical, same_chain

if TYPE_CHECKING:
    from pclgen.targets.typescript.printing.expressions import ExpressionPrinter


def print_operation(printer: ExpressionPrinter, path: Path) -> Doc:
    """`a + b + c`."""
    node, above = path.node, path.above
    assert isinstance(node, ts.Binary)
    parts = _parts(printer, path)
    if path.key == "callee" or isinstance(above, ts.Unary) or _is_named(above):
        return group(indent(SOFTLINE, *parts), SOFTLINE)
    is_assigned = isinstance(above, ts.Declare | ts.Assign | ts.Property)
    if _stands_indented(path) or _is_all_inline(node) or (is_assigned and not holds_inline(node)):
        return group(*parts)
    return group(parts[0], indent(*parts[1:]))


def _stands_indented(path: Path) -> bool:
    above = path.above
    if isinstance(above, ts.Conditional):
        around = path.parent.above if path.parent is not None else None
        return not isinstance(around, ts.Return | ts.Call | ts.New)
    return isinstance(above, ts.Return | ts.Template | ts.Count | ts.Arrow)


def _is_all_inline(node: ts.TsExpr) -> bool:
    if not isinstance(node, ts.Binary) or not holds_inline(node):
        return False
    left = node.left
    return not (isinstance(left, ts.Binary) and same_chain(node.operator, left.operator)) or _is_all_inline(left)


def _parts(printer: ExpressionPrinter, path: Path) -> list[Doc]:
    """The first operand, then for each operator a space and the operator with its right operand."""
    run = [path]
    while True:
        node = run[-1].node
        assert isinstance(node, ts.Binary)
        left = node.left
        if not (isinstance(left, ts.Binary) and same_chain(node.operator, left.operator)):
            break
        run.append(Path(left, run[-1], "left"))
    parts: list[Doc] = [group(printer.print(Path(left, run[-1], "left")))]
    for level in reversed(run):
        node = level.node
        assert isinstance(node, ts.Binary)
        right = printer.print(Path(node.right, level, "right"))
        step = concat(node.operator, " ", right) if holds_inline(node) else concat(node.operator, LINE, right)
        kinds = [_kind(level.above), _kind(node.left), _kind(node.right)]
        if _kind(node) not in kinds:
            step = group(step)
        parts += [" ", step]
    return parts


def _kind(node: object) -> str | None:
    if not isinstance(node, ts.Binary):
        return None
    return "logical" if is_logical(node) else "arithmetic"


_ASSIGNING: Final = (ts.Declare, ts.Assign, ts.Return, ts.Unary, ts.Await)
"""The nodes in whose value a conditional with steps stands on its own lines."""


def print_conditional(printer: ExpressionPrinter, path: Path) -> Doc:
    """`condition ? then : otherwise`; conditionals chained in the last branch share one indentation."""
    node, above = path.node, path.above
    assert isinstance(node, ts.Conditional)
    inside = isinstance(above, ts.Conditional)
    in_test = path.key == "condition"
    test = printer.print(Path(node.condition, path, "condition"))
    then = align(2, printer.print(Path(node.then, path, "then")))
    if isinstance(node.then, ts.Conditional):
        then = concat(if_break("", "("), then, if_break("", ")"))
    otherwise = align(2, printer.print(Path(node.otherwise, path, "otherwise")))
    branches = concat(LINE, "? ", then, LINE, ": ", otherwise)
    if path.key == "then":
        branches = align(2, branches)
    if path.key == "otherwise":
        test = align(2, test)
    opens = _opens_assigned(path)
    closes = _is_named(above) and not opens
    body = concat(test, branches if inside and not in_test else indent(branches), SOFTLINE if closes else "")
    result = body if inside and not in_test else group(body)
    return group(indent(SOFTLINE, result), SOFTLINE) if in_test or opens else result


def _is_named(above: object) -> bool:
    """Return whether a step by name follows: `.id`, but not `["dash-x"]`."""
    return isinstance(above, ts.Member) and is_identifier(above.name)


def _opens_assigned(path: Path) -> bool:
    """Return whether steps or a cast follow the conditional, and their result is assigned, returned or an operand.

    prettier then gives the conditional lines of its own in its parentheses.
    """
    whole = path
    while (up := whole.parent) is not None and (whole.key in ("callee", "source") or isinstance(up.node, ts.NonNull)):
        whole = up
    if up is not None and isinstance(up.node, ts.As):
        whole = up
    return whole is not path and whole.key == "value" and isinstance(whole.above, _ASSIGNING)
