"""Layout of chains of calls: `a.b(c).d(e)` on one line, or one call per line.

The layout of the enclosing expression depends on whether the chain is long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pclgen.layout import BREAK_PARENT, HARDLINE, Doc, alternatives, concat, group, indent, join, will_break
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier
from pclgen.targets.typescript.printing.calls import is_simple, print_arguments
from pclgen.targets.typescript.printing.parens import needs_parens
from pclgen.targets.typescript.printing.paths import Path, is_member

if TYPE_CHECKING:
    from pclgen.targets.typescript.printing.expressions import ExpressionPrinter

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
