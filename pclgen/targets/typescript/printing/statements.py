"""Statements as text: the entry point of the printer.

Prettier keeps a broken object broken when it formats the text again, which may change the layout around it. So the printer
lays out a statement with a broken object again, with that object expanded, until the layout is stable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from pclgen.emit.forms import Forms
from pclgen.layout import (
    HARDLINE,
    LINE,
    SOFTLINE,
    Doc,
    concat,
    group,
    if_break,
    indent,
    join,
    print_doc,
)
from pclgen.targets.origins import Recorder
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.printing.assignments import print_assignment
from pclgen.targets.typescript.printing.expressions import (
    ExpressionPrinter,
    comment_text,
    with_comments,
)
from pclgen.targets.typescript.printing.paths import Path
from pclgen.targets.typescript.printing.types import doc_comment


def print_statement(
    statement: ts.Statement,
    words: Forms,
    spellings: ts.Spellings,
    *,
    level: int = 0,
    recorder: Recorder | None = None,
) -> str:
    """The text of `statement`, every line except the first indented by `level` steps; without a final newline."""
    return _settle(lambda expanded: StatementPrinter(expanded, words, spellings, recorder).print(statement, None), level)


def print_type_member(
    member: ts.TypeMember, words: Forms, spellings: ts.Spellings, *, readonly: bool = False
) -> str:
    """`name?: T;` as a member of an interface; `readonly` in a class."""

    def layout(expanded: frozenset[object]) -> Doc:
        printer = StatementPrinter(expanded, words, spellings)
        slots = {"member": printer.expressions.types.member(member)}
        return concat(*doc_comment(member.doc), group(printer.form("member", slots, "readonly" if readonly else "")))

    return _settle(layout, 1)


def print_doc_comment(lines: tuple[str, ...]) -> str:
    """A comment above a declaration, without a final newline; empty without lines."""
    return print_doc(concat(*doc_comment(lines)[:-1]), level=0).text


def print_type_alias(variable: ts.Variable, type_: ts.TsType, words: Forms, spellings: ts.Spellings) -> str:
    """`export type Name = T;`."""

    def layout(expanded: frozenset[object]) -> Doc:
        printer = StatementPrinter(expanded, words, spellings)
        return group(printer.form("type", {"alias": printer.expressions.types.alias(variable, type_)}))

    return _settle(layout, 0)


def print_comment(lines: Iterable[str]) -> list[str]:
    """Comment lines with their slashes."""
    return [comment_text(line) for line in lines]


def _settle(layout: Callable[[frozenset[object]], Doc], level: int) -> str:
    expanded: frozenset[object] = frozenset()
    while True:
        printed = print_doc(layout(expanded), level=level)
        broken = expanded.union(label for label in printed.broken if label is not None)
        if broken == expanded:
            return printed.text
        expanded = broken


class StatementPrinter:
    """The printer of one statement."""

    def __init__(
        self, expanded: frozenset[object], words: Forms, spellings: ts.Spellings, recorder: Recorder | None = None
    ) -> None:
        self.expressions: ExpressionPrinter = ExpressionPrinter(expanded, self.block, words, spellings, recorder=recorder)
        self._words = words

    def form(self, name: str, slots: Mapping[str, Doc], *facts: str) -> Doc:
        """The statement template `name`, filled with code."""
        parts: list[Doc] = []
        for at, part in enumerate(self._words.parts(name, tuple(slots), facts)):
            if at % 2:
                parts.append(slots[part])
            else:
                lines: list[Doc] = [*part.split("\n")]
                parts.append(join(HARDLINE, lines))
        return concat(*parts)

    def block(self, body: tuple[ts.Statement, ...], path: Path | None) -> Doc:
        """`{ … }`, with each statement on its line."""
        lines = join(HARDLINE, (self.print(s, path) for s in body))
        return concat("{", indent(HARDLINE, lines), HARDLINE, "}")

    def print(self, statement: ts.Statement, parent: Path | None) -> Doc:
        """The document of `statement`."""
        path = Path(statement, parent, "statement")
        match statement:
            case ts.Declare():
                return self._declare(path, statement)
            case ts.Assign():
                target = self.expressions.print(Path(statement.target, path, "target"))
                value = Path(statement.value, path, "value")
                assignment = print_assignment(self.expressions, target, " =", value, origin=statement.origin)
                return self.form("assign", {"assignment": assignment})
            case ts.Do():
                return self.form("do", {"call": self._expression(statement.value, path)})
            case ts.Export():
                return self.form("export", {"local": self.expressions.spelling(statement.local), "name": statement.name})
            case ts.Return():
                return self._return(path, statement)
            case ts.Count():
                return self._count(path, statement)
            case ts.Each():
                values = self._expression(statement.values, path)
                names = self._names(statement.variables)
                slots = {"names": names, "values": values, "body": self.block(statement.body, path)}
                return group(self.form("each", slots))
            case ts.Try():
                body, handler = self.block(statement.body, path), self.block(statement.handler, path)
                return self.form("try", {"body": body, "handler": handler})
            case ts.Comment():
                lines: list[Doc] = [comment_text(line) for line in statement.lines]
                return join(HARDLINE, lines)
            case ts.Commented():
                return with_comments(self.print(statement.statement, parent), statement.comments)
            case _:
                assert_never(statement)

    def _expression(self, node: ts.TsExpr, path: Path) -> Doc:
        return self.expressions.print(Path(node, path, "value"))

    def _declare(self, path: Path, statement: ts.Declare) -> Doc:
        left = self._names(statement.variables)
        if statement.type is not None:
            left = concat(left, ": ", self.expressions.types.print(statement.type))
        right = Path(statement.value, path, "value")
        declaration = print_assignment(self.expressions, left, " =", right, origin=statement.origin)
        return group(self.form("declare", {"declaration": declaration}, "exported" if statement.exported else "", "const"))

    def _return(self, path: Path, statement: ts.Return) -> Doc:
        value = self._expression(statement.value, path)
        if isinstance(statement.value, ts.Binary):
            value = group(if_break("("), indent(SOFTLINE, value), SOFTLINE, if_break(")"))
        return self.form("return", {"value": value})

    def _count(self, path: Path, statement: ts.Count) -> Doc:
        name = self.expressions.spelling(statement.variable)
        test = self._expression(ts.Binary("<", ts.Name(statement.variable), statement.limit), path)
        head = group(indent(SOFTLINE, f"let {name} = 0;", LINE, test, ";", LINE, f"{name}++"), SOFTLINE)
        return self.form("count", {"head": head, "body": self.block(statement.body, path)})

    def _names(self, variables: tuple[ts.Variable | None, ...]) -> Doc:
        """A name, or an array pattern, which omits a last variable without a name."""
        names = self.expressions.names(variables)
        if len(names) == 1:
            return names[0]
        names = names if names[-1] else names[:-1]
        return group("[", indent(SOFTLINE, join(concat(",", LINE), names)), if_break(","), SOFTLINE, "]")
