"""Detection of JSON texts that need the same bytes in every language.

A text that a program only forwards is written in the usual way of each language (`json.dumps`, `JSON.stringify`,
`json.Marshal`): its bytes differ between languages, its value does not. A text that the program itself inspects
(`sha1(toJSON(x))`, `"a${toJSON(x)}"`, `length(policy)`) affects other values, so it has the canonical form of
`stdlib.encoding`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.jsontext import is_json
from pclgen.core.predicates import is_null
from pclgen.core.walk import children, expressions_of, kinds_in, parts_of, programs_of, rewrite, with_children
from pclgen.stdlib.encoding import CANONICAL_JSON


def json_forms(program: prog.Program, *, canonical: bool) -> Callable[[core.Expr], core.Expr]:
    """Return a rewrite of expressions that puts texts into canonical form if they need it; with `canonical`, all texts."""
    return (lambda expr: rewrite(expr, _canonical)) if canonical else _Inspection(program).marked


def _canonical(expr: core.Expr) -> core.Expr:
    return replace(expr, function=CANONICAL_JSON) if isinstance(expr, core.Call) and is_json(expr) else expr


class _Inspection:
    """The calls of `toJSON` in a program and its components whose text the program inspects."""

    def __init__(self, program: prog.Program) -> None:
        self._inspected: list[core.Symbol] = []
        self._flows: defaultdict[core.Symbol, list[core.Symbol]] = defaultdict(list)
        self._texts: defaultdict[core.Symbol, list[core.Call]] = defaultdict(list)
        self._calls: set[core.Call] = set()
        programs = programs_of(program)
        if any(core.Call in kinds_in(inside) and any(map(is_json, parts_of(inside.nodes))) for inside in programs):
            for inside in programs:
                for node in inside.nodes:
                    self._add(node)
            self._close()

    def marked(self, expr: core.Expr) -> core.Expr:
        """Return `expr` with `canonicalJSON` in place of `toJSON` where the text is inspected."""
        if not self._calls:
            return expr
        if isinstance(expr, core.Call) and expr in self._calls:
            expr = _canonical(expr)
        return with_children(expr, [self.marked(part) for part in children(expr)])

    def _close(self) -> None:
        """Mark the texts in inspected names."""
        seen: set[core.Symbol] = set()
        while self._inspected:
            symbol = self._inspected.pop()
            if symbol not in seen:
                seen.add(symbol)
                self._calls.update(self._texts[symbol])
                self._inspected += self._flows[symbol]

    def _add(self, node: prog.Node) -> None:
        match node:
            case prog.Local() | prog.OutputVariable():
                self._visit(node.value, (node.symbol,))
            case prog.ConfigVariable():
                if node.default is not None:
                    self._visit(node.default, (node.symbol,))
            case prog.Resource() | prog.ComponentUse():
                self._add_inputs(node)
            case _:
                for expr in expressions_of(node):
                    self._visit(expr, ())

    def _add_inputs(self, node: prog.Resource | prog.ComponentUse) -> None:
        variables: dict[str, core.Symbol] = {}
        if isinstance(node, prog.ComponentUse) and node.component is not None:
            inside = node.component.program.nodes
            variables = {inner.logical_name: inner.symbol for inner in inside if isinstance(inner, prog.ConfigVariable)}
            self._flows[node.symbol] += [inner.symbol for inner in inside if isinstance(inner, prog.OutputVariable)]
        for item in node.inputs:
            self._visit(item.value, (variables[item.name],) if item.name in variables else ())
        for option in node.options:
            self._visit(option.value, ())
        if node.range is not None:
            names = (node.range.key, node.range.item)
            self._visit(node.range.value, tuple([name for name in names if name is not None]))
        if isinstance(node, prog.Resource) and node.read_id is not None:
            self._visit(node.read_id, ())

    def _visit(self, expr: core.Expr, holders: tuple[core.Symbol, ...], *, inspected: bool = False) -> None:
        """Record the texts and names in `expr`, whose value `holders` hold; `inspected`: an operation reads its text."""
        match expr:
            case core.Ref():
                if inspected:
                    self._inspected.append(expr.symbol)
                for holder in holders:
                    self._flows[holder].append(expr.symbol)
            case core.Call() if is_json(expr):
                if inspected:
                    self._calls.add(expr)
                for holder in holders:
                    self._texts[holder].append(expr)
        own, read = _by_use(expr)
        bound: tuple[core.Symbol, ...] = ()
        if isinstance(expr, core.For):
            bound = (expr.value,) if expr.key is None else (expr.key, expr.value)
        for part in own:
            over = bound if isinstance(expr, core.For) and part is expr.collection else ()
            self._visit(part, holders + over, inspected=inspected)
        for part in read:
            self._visit(part, holders, inspected=True)


def _by_use(expr: core.Expr) -> tuple[tuple[core.Expr, ...], tuple[core.Expr, ...]]:
    """Return the parts that flow into the value of `expr`, and the parts that it inspects."""
    match expr:
        case core.Binary(operator="==" | "!=") if is_null(expr.left) or is_null(expr.right):
            return children(expr), ()
        case core.Binary() | core.Unary():
            return (), children(expr)
        case core.Template():
            return (expr.parts, ()) if len(expr.parts) == 1 else ((), expr.parts)
        case core.Conditional():
            return (expr.then, expr.otherwise), (expr.condition,)
        case core.For():
            read = tuple([part for part in (expr.result_key, expr.condition) if part is not None])
            return (expr.collection, expr.result), read
        case core.Index():
            return (expr.source,), (expr.key,)
        case core.Attr():
            return (expr.source,), ()
        case core.Call() if not is_json(expr) and not expr.function.derives.forwards:
            return (), expr.args
        case _:
            return children(expr), ()
