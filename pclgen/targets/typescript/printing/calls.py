"""Layout of call arguments, and of chains of calls.

The arguments `(…)` are on one line, with the last argument open, or with one argument per line. (prettier may also open the
first of two arguments, a function with a block, where generated programs have none.)

A chain `a.b(c).d(e)` is on one line, or has one call per line. The layout of the enclosing expression depends on whether the
chain is long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pclgen.layout import (
    BREAK_PARENT,
    HARDLINE,
    LINE,
    SOFTLINE,
    Doc,
    alternatives,
    concat,
    group,
    if_break,
    indent,
    join,
    will_break,
)
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier
from pclgen.targets.typescript.printing.paths import Path, bare, is_member, is_multiline, is_number, needs_parens

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


# -- chains -----------------------------------------------------------------------------------------------------------------

_FACTORY: Final = re.compile(r"[A-Z]|[$_]+\Z")
_TAB_WIDTH: Final = 4


class _Link(Struct, frozen=True):
    """A step of the chain and its text."""

    node: ts.TsExpr
    doc: Doc


class Chain(Struct, frozen=True):
    """The document of a chain; `long`: it may break at its dots."""

    doc: Doc
    long: bool


def print_chain(printer: ExpressionPrinter, path: Path) -> Chain:
    """The chain that ends in the call at `path`."""
    links = _links(printer, path)
    groups = _groups(links)
    merged = len(groups) >= 2 and _keeps_first(printer, groups, isinstance(path.above, ts.Do))
    one_line = concat(*(_line(g) for g in groups))
    if len(groups) <= (3 if merged else 2):
        return Chain(group(one_line), False)
    head = 2 if merged else 1
    rest = groups[head:]
    broken = concat(
        *(_line(g) for g in groups[:head]), indent(HARDLINE, join(HARDLINE, (_line(g) for g in rest)))
    )
    if _must_break(links, groups):
        return Chain(group(broken), True)
    tail = alternatives(one_line, broken)
    return Chain(concat(BREAK_PARENT, tail) if will_break(one_line) else tail, True)


def _line(links: list[_Link]) -> Doc:
    return concat(*(link.doc for link in links))


def _must_break(links: list[_Link], groups: list[list[_Link]]) -> bool:
    calls = [link.node for link in links if isinstance(link.node, ts.Call)]
    if len(calls) > 2 and any(not is_simple(arg) for call in calls for arg in call.args):
        return True
    lines = [_line(g) for g in groups]
    if any(will_break(line) for line in lines[:-1]):
        return True
    last = groups[-1][-1].node
    functions = any(isinstance(arg, ts.Arrow) for call in calls[:-1] for arg in call.args)
    return isinstance(last, ts.Call) and will_break(lines[-1]) and functions


def _links(printer: ExpressionPrinter, path: Path) -> list[_Link]:
    links: list[_Link] = []
    current = path
    while True:
        node = current.node
        if isinstance(node, ts.Call) and (current is path or is_member(node.callee)):
            links.append(_Link(node, concat(printer.types.arguments(node.types), print_arguments(printer, current))))
            current = Path(node.callee, current, "callee")
        elif isinstance(node, ts.Member | ts.Element) and not needs_parens(current):
            links.append(_Link(node, printer.lookup(current)))
            current = Path(node.source, current, "source")
        elif isinstance(node, ts.NonNull):
            links.append(_Link(node, "!"))
            current = Path(node.value, current, "value")
        else:
            assert isinstance(node, ts.TsExpr)
            links.append(_Link(node, printer.print(current)))
            links.reverse()
            return links


def _groups(links: list[_Link]) -> list[list[_Link]]:
    """The head, then runs of members that end in their calls."""
    first = [links[0]]
    at = 1
    while at < len(links) and (isinstance(links[at].node, ts.Call | ts.NonNull) or _is_numbered(links[at].node)):
        first.append(links[at])
        at += 1
    if not isinstance(links[0].node, ts.Call):
        while at + 1 < len(links) and is_member(links[at].node) and is_member(links[at + 1].node):
            first.append(links[at])
            at += 1
    groups = [first]
    run: list[_Link] = []
    called = False
    for link in links[at:]:
        if called and is_member(link.node) and not _is_numbered(link.node):
            groups.append(run)
            run = []
            called = False
        called = called or isinstance(link.node, ts.Call)
        run.append(link)
    return [*groups, run] if run else groups


def _is_numbered(node: ts.TsExpr) -> bool:
    return isinstance(node, ts.Element) and isinstance(node.key, ts.Number)


def _keeps_first(printer: ExpressionPrinter, groups: list[list[_Link]], is_statement: bool) -> bool:
    """Return whether the first call stays on the line of the head: after `this`, capitals, short names of statements."""
    computed = is_computed(groups[1][0].node)
    if len(groups[0]) == 1:
        node = groups[0][0].node
        if not isinstance(node, ts.Identifier):
            return False
        name = printer.spelling(node)
        short = is_statement and len(name) <= _TAB_WIDTH
        return name == "this" or _FACTORY.match(name) is not None or short or computed
    match groups[0][-1].node:
        case ts.Member(name=name) if is_identifier(name):
            return computed or _FACTORY.match(name) is not None
        case ts.Element(key=key) if isinstance(key, ts.Identifier):
            return computed or _FACTORY.match(printer.spelling(key)) is not None
        case _:
            return False


def is_computed(node: ts.TsExpr) -> bool:
    """Return whether the step prints as `a[b]`, also for names that are not identifiers."""
    return isinstance(node, ts.Element) or (isinstance(node, ts.Member) and not is_identifier(node.name))
