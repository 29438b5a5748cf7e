"""Layout of statements and declarations: templates around the documents of their parts.

The text of a declaration has no final newline.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from pclgen.emit.forms import Forms
from pclgen.layout import HARDLINE, Doc, alternatives, body, concat, join, print_doc
from pclgen.targets.comments import without_gaps
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.printing.expressions import ExpressionPrinter, Spellings, comment_text, in_columns
from pclgen.targets.origins import BindingLine, Mark, Recorder

LINE_WIDTH: Final = 100
_TAB_WIDTH: Final = 4
_SLACK: Final = 20
"""The number of columns by which lines between two blocks of a call may exceed the width."""


def print_declaration(d: go.Printable, forms: Forms, spellings: Spellings, recorder: Recorder | None = None) -> str:
    """Return the text of a declaration, without a final newline."""
    doc = StatementPrinter(forms, spellings, recorder).declaration(d)
    return print_doc(doc, width=LINE_WIDTH, step=_TAB_WIDTH, slack=_SLACK, tabs=True).text


class StatementPrinter:
    """The printer of one declaration."""

    def __init__(self, forms: Forms, spellings: Spellings, recorder: Recorder | None) -> None:
        self._forms = forms
        self._recorder = recorder
        self._spellings = spellings
        self._expressions = ExpressionPrinter(self.block, forms, spellings, recorder)

    def _form(self, name: str, slots: Mapping[str, Doc | None], facts: tuple[str, ...] = ()) -> Doc:
        """Return the statement template `name` around code; slots that are None are empty."""
        filled = tuple([slot for slot, code in slots.items() if code is not None])
        parts: list[Doc] = []
        for at, part in enumerate(self._forms.parts(name, filled, facts)):
            code = slots[part] if at % 2 else _lines(part)
            parts.append(code or "")
        return concat(*parts)

    # -- declarations ------------------------------------------------------------------------------------------------

    def declaration(self, d: go.Printable) -> Doc:
        """Return a declaration with its comments."""
        match d:
            case go.StructDeclaration():
                doc = self._form("struct", {"name": d.name, "fields": self._fields(d.fields) if d.fields else None})
            case go.FunctionDeclaration():
                doc = self._function(d)
            case go.AliasDeclaration():
                doc = self._form("alias", {"name": d.name, "type": self._expressions.text(d.type)})
            case go.ConstantsDeclaration():
                doc = self._form("constants", {"constants": self._constants(d)})
            case _:
                assert_never(d)
        return join(HARDLINE, [*map(comment_text, without_gaps(d.comments)), doc])

    def _constants(self, d: go.ConstantsDeclaration) -> Doc:
        type_ = self._expressions.text(d.type)
        rows = [(name, type_, f"= {self._expressions.text(value)}") for name, value in d.values]
        return concat("(", body(*in_columns(rows)), ")")

    def _fields(self, fields: tuple[go.StructField, ...]) -> Doc:
        lines: list[str] = []
        section: list[go.StructField] = []
        for index, f in enumerate(fields):
            if (f.comments or f.blank_before) and section:
                lines.extend(self._section(section))
                section = []
            if f.blank_before and index:
                lines.append("")
            lines.extend(map(comment_text, without_gaps(f.comments)))
            section.append(f)
        lines.extend(self._section(section))
        return concat("{", body(*lines), "}")

    def _section(self, fields: list[go.StructField]) -> list[str]:
        text = self._expressions.text
        lines = in_columns([(f.name, text(f.type), quoting.tag_literal(f.tag) if f.tag else "") for f in fields])
        if self._recorder is None:
            return lines
        origins = [(f.origin,) if f.origin is not None else () for f in fields]
        return [self._recorder.around(line, *marks) for marks, line in zip(origins, lines, strict=True)]

    def _function(self, d: go.FunctionDeclaration) -> Doc:
        parameters = self._expressions.parameters(d.parameters)
        slots = {
            "receiver": self._expressions.text(d.receiver) if d.receiver is not None else None,
            "name": d.name,
            "parameters": alternatives(parameters, body(parameters + ",")) if parameters else "",
            "results": self._expressions.results(d.results) or None,
            "body": self.block(d.body),
        }
        return self._form("function", slots)

    # -- statements --------------------------------------------------------------------------------------------------

    def block(self, statements: tuple[go.Statement, ...]) -> Doc:
        """Return statements in braces, without blank lines at the ends and without adjacent blank lines."""
        lines: list[Doc] = []
        wants_blank = False
        first, mark = 0, None
        for s in statements:
            if isinstance(s, go.Place):
                self._mark(lines, first, mark)
                first, mark = len(lines), self._mark_of(s)
                continue
            if isinstance(s, go.Blank):
                wants_blank = bool(lines)
                continue
            if wants_blank:
                lines.append("")
                wants_blank = False
            if isinstance(s, go.Comment):
                lines.extend(map(comment_text, s.lines))
            else:
                lines.append(self._statement(s))
        return concat("{", body(*lines), "}")

    def _mark_of(self, place: go.Place) -> Mark | None:
        if place.binds is None:
            return place.origin
        name = self._spellings.variables.get(place.binds)  # an unused variable is not declared and has no name
        return None if name is None else BindingLine((name,))

    def _mark(self, lines: list[Doc], first: int, mark: Mark | None) -> None:
        """Put marks around the lines from number `first` on."""
        if lines[first : first + 1] == [""]:
            first += 1
        if mark is None or self._recorder is None or first >= len(lines):
            return
        before, behind = self._recorder.marks(mark)
        lines[first] = concat(before, lines[first])
        lines[-1] = concat(lines[-1], behind)

    def _statement(self, s: go.Statement) -> Doc:
        value = self._expressions.print
        match s:
            case go.ExpressionStatement():
                return self._form("do", {"call": value(s.expression)})
            case go.VariableStatement():
                initial = value(s.value) if s.value is not None else None
                name = self._spellings.variables[s.variable]
                return self._form("variable", {"name": name, "type": self._expressions.text(s.type), "value": initial})
            case go.Assign():
                depth = 2 if len(s.targets) > 1 and len(s.values) > 1 else 1
                targets = join(", ", [value(t, depth) for t in s.targets])
                values = self._expressions.marked(s.origin, join(", ", [value(v, depth) for v in s.values]))
                return self._form("assign", {"targets": targets, "values": values}, facts=(s.operator,))
            case go.Return():
                return self._form("return", {"values": join(", ", map(value, s.values)) if s.values else None})
            case go.If():
                return self._if(s)
            case go.ForRange():
                slots: dict[str, Doc | None] = {
                    "key": self._variable(s.key) or ("_" if s.value is not None else None),
                    "value": self._variable(s.value),
                    "collection": value(s.collection),
                    "body": self.block(s.body),
                }
                return self._form("for", slots)
            case go.Comment() | go.Blank() | go.Place():
                raise AssertionError(s)
        assert_never(s)

    def _variable(self, variable: go.Variable | None) -> str | None:
        return self._spellings.variables[variable] if variable is not None else None

    def _if(self, s: go.If) -> Doc:
        otherwise: Doc | None = None
        if len(s.otherwise) == 1 and isinstance(s.otherwise[0], go.If):
            otherwise = self._if(s.otherwise[0])
        elif s.otherwise:
            otherwise = self.block(s.otherwise)
        slots = {
            "init": self._statement(s.init) if s.init is not None else None,
            "condition": self._expressions.print(s.condition),
            "body": self.block(s.body),
            "otherwise": otherwise,
        }
        return self._form("if", slots)


def _lines(text: str) -> Doc:
    """Return the text of a template, with lines indented like the surrounding code."""
    return join(HARDLINE, text.split("\n")) if "\n" in text else text
