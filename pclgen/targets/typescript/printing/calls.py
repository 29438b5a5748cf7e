"""Layout of call arguments.

`(…)` is on one line, with the last argument open, or with one argument per line. (prettier may also open the first of two
arguments, a function with a block, where generated programs have none.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pclgen.layout import (
    BREAK_PARENT,
    LINE,
    SOFTLINE,
    Doc,
    alternatives,
    concat,
    group,
    if_break,
    indent,
    will_break,
)
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.printing.paths import Path, bare, is_multiline, is_number

if TYPE_CHECKING:
    from pclgen.targets.typescript.printing.expressions import ExpressionPrinter


def print_arguments(printer: ExpressionPrinter, path: Path) -> Doc:
    """`(a, b)`."""
    node = path.node
    assert isinstance(node, ts.Call | ts.New)
    args = node.args
    if not args:
        return "()"
    paths = [Path(arg, path, "argument") for arg in args]
    last = len(args) - 1
    printed = [
        printer.print(at) if i == last else concat(printer.print(at), ",", LINE) for i, at in enumerate(paths)
    ]
    comma = if_break(",")

    def broken_out() -> Doc:
        return group("(", indent(LINE, *printed), comma, LINE, ")", should_break=True)

    if _composes_functions(args):
        return broken_out()
    if opens_last(args):
        return _open_last(printer, paths[-1], printed, broken_out())
    contents = concat("(", indent(SOFTLINE, *printed), comma, SOFTLINE, ")")
    return group(contents, should_break=any(will_break(part) for part in printed))


def _open_last(printer: ExpressionPrinter, last: Path, printed: list[Doc], broken_out: Doc) -> Doc:
    rest = printed[:-1]
    if any(will_break(part) for part in rest):
        return broken_out
    opened = printer.print(last, opened=True)
    in_lines = concat("(", *rest, group(opened, should_break=True), ")")
    if will_break(opened):
        return concat(BREAK_PARENT, alternatives(in_lines, broken_out))
    return alternatives(concat("(", *rest, opened, ")"), in_lines, broken_out)


def _composes_functions(args: tuple[ts.TsExpr, ...]) -> bool:
    """Return whether several arguments are functions, or an argument is a call with a function: one argument per line."""
    if len(args) < 2:
        return False
    if sum(isinstance(arg, ts.Arrow) for arg in args) > 1:
        return True
    calls = [call for arg in args if isinstance(call := bare(arg), ts.Call)]
    return any(isinstance(arg, ts.Arrow) for call in calls for arg in call.args)


def opens_last(args: tuple[ts.TsExpr, ...]) -> bool:
    """Return whether the last argument may open on the line of the call: `f(a, {` …"""
    last = args[-1]
    before = args[-2] if len(args) > 1 else None
    if not _can_open(last) or (before is not None and type(before) is type(last)):
        return False
    if len(args) == 2 and isinstance(before, ts.Arrow) and isinstance(last, ts.Array):
        return False
    return not (len(args) > 1 and isinstance(last, ts.Array) and is_concise(last))


def _can_open(node: ts.TsExpr) -> bool:
    match node:
        case ts.Object():
            return bool(node.properties or node.closing)
        case ts.Array():
            return bool(node.elements or node.closing)
        case ts.As():
            return _can_open(node.value)
        case ts.Arrow():
            body = node.body
            return isinstance(body, tuple | ts.Object | ts.Array | ts.Conditional) or isinstance(bare(body), ts.Call)
        case _:
            return False


def is_concise(node: ts.Array) -> bool:
    """Return whether the node is a list of numbers, which fills lines."""
    return bool(node.elements) and all(is_number(e) for e in node.elements)


def is_simple(node: ts.TsExpr, depth: int = 2) -> bool:
    """Return whether an argument is so simple that a chain of calls with it may stay on one line."""
    if depth <= 0:
        return False
    node = bare(node)
    match node:
        case ts.Name() | ts.Global() | ts.Imported() | ts.Helper() | ts.Number() | ts.Constant():
            return True
        case ts.Text():
            return not (node.lines and "\n" in node.value)
        case ts.Template():
            return node.tag is None and not is_multiline(node) and all(is_simple(v, depth - 1) for v in node.values)
        case ts.Object():
            return all(_is_simple_property(p, depth) for p in node.properties)
        case ts.Array():
            return all(is_simple(e, depth - 1) for e in node.elements)
        case ts.Call() | ts.New():
            return (
                is_simple(node.callee, depth)
                and len(node.args) <= depth
                and all(is_simple(a, depth - 1) for a in node.args)
            )
        case ts.Member():
            return is_simple(node.source, depth)
        case ts.Element():
            return is_simple(node.source, depth) and is_simple(node.key, depth)
        case ts.Unary():
            return is_simple(node.value, depth)
        case _:
            return False


def _is_simple_property(node: ts.Property | ts.Spread, depth: int) -> bool:
    return isinstance(node, ts.Property) and isinstance(node.key, str) and is_simple(node.value, depth - 1)
