"""Prints the Go tree exactly as gofmt would leave it.

Comes in: a `tree.File` and the forms of statements and declarations, which are templates.  Goes out: the texts of the file's
parts, which a template puts together.  gofmt keeps the line breaks that it finds, so this module decides where
they are (a literal or a call that fits stays on one line) and follows gofmt in everything else: tabs, spaces around
operators by depth, columns of keys and of struct fields, order of imports.  The tests run gofmt over the results.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, assert_never

from pclgen.emit.forms import Forms, forms
from pclgen.emit.overlay import Overlay
from pclgen.records import dataclass
from pclgen.targets.comments import harmless
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.forms import FORMS

LINE_WIDTH = 100
_TOLERANCE = 20  # by how much the lines between two blocks of a call may be longer
_TAB = 4  # what a tab counts when lines are measured
_HIGHEST = 7
_UNARY = 6
_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 3,
    "<=": 3,
    ">": 3,
    ">=": 3,
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
    "%": 5,
}
_SMALL_KEY = 40  # gofmt: keys up to this size always share a column
_KEY_RATIO = 2.5  # gofmt: beyond it, keys share one unless their sizes differ by this factor
_STANDARD_LIBRARY_HAS_NO = "."  # gofmt does not know groups; goimports tells them by a dot in the path


Slot: TypeAlias = str | Callable[[int], str] | None
"""Code for a slot of a form: laid out already, or laid out when its column is known, or nothing."""


@dataclass(frozen=True, slots=True)
class FileView:
    """The parts of a file, laid out, for its template; `helpers` are names of functions that have templates of their own."""

    path: str
    header: tuple[str, ...]
    import_groups: tuple[tuple[str, ...], ...]
    declarations: tuple[str, ...]
    helpers: tuple[str, ...]


def view_file(path: str, file: go.File, overlay: Overlay | None) -> FileView:
    """The parts of the file at `path`: comment lines, import specs in gofmt's order, declarations without final newlines."""
    words = forms("go", FORMS, overlay)
    texts = [_Printer(words).declaration(d) for d in file.declarations if not isinstance(d, go.HelperDeclaration)]
    ordered = sorted(file.imports, key=lambda i: (i.path, i.alias))
    standard = tuple(_spec(i) for i in ordered if _is_standard(i.path))
    others = tuple(_spec(i) for i in ordered if not _is_standard(i.path))
    return FileView(
        path=path,
        header=tuple(_comment(line, 0) for line in file.header),
        import_groups=tuple(group for group in (standard, others) if group),
        declarations=tuple(texts),
        helpers=tuple(d.name for d in file.declarations if isinstance(d, go.HelperDeclaration)),
    )


def _spec(import_: go.Import) -> str:
    return (f"{import_.alias} " if import_.alias else "") + quoting.quote(import_.path)


def _is_standard(path: str) -> bool:
    return _STANDARD_LIBRARY_HAS_NO not in path.split("/", 1)[0]


_DIRECTIVES = re.compile(r"\+build|go:|nolint")
"""What the Go tools obey in a comment, some of them only above the package clause."""


def _comment(line: str, indent: int) -> str:
    text = harmless(line.strip("\r\n").rstrip(), _DIRECTIVES)
    space = " " if text and not text[0].isspace() else ""
    return "\t" * indent + "//" + space + text


def _precedence(e: go.Expr) -> int:
    """How tightly `e` binds; operands of a tighter place need parentheses."""
    match e:
        case go.Binary():
            return _PRECEDENCE[e.operator]
        case go.Unary() | go.Star():
            return _UNARY
        case go.Number():
            return _UNARY if e.text.startswith("-") else _HIGHEST
        case go.Text():
            return _PRECEDENCE["+"] if len(_rows(e)) > 1 else _HIGHEST
        case _:
            return _HIGHEST


def _rows(e: go.Text) -> list[str]:
    """The literals of a text: several make one with `+` between them."""
    return [quoting.tag_literal(e.value)] if e.raw else quoting.literals(e.value, multiline=e.multiline)


def _apart(operator: str, right: str, space: str) -> str:
    """The blank that keeps `operator` and the text behind it from being read as one token."""
    return " " if not space and (operator + right[:1]) in ("--", "/*", "<-") else ""


def _doubles(e: go.Unary) -> bool:
    """Whether the operator would run into one of its operand (`--x` is no expression)."""
    inner = e.operand
    return e.operator in "-&" and (
        (isinstance(inner, go.Unary) and inner.operator == e.operator)
        or (isinstance(inner, go.Number) and inner.text.startswith(e.operator))
    )


def _glue_problem(operator: str, right: go.Expr) -> int:
    if isinstance(right, go.Star):
        return 5 if operator == "/" else 0
    mark = right.operator if isinstance(right, go.Unary) else right.text[0] if isinstance(right, go.Number) else ""
    if operator + mark == "&&&":
        return 5
    return 4 if operator + mark == "--" else 0


def _line_width(line: str) -> int:
    tabs = len(line) - len(line.lstrip("\t"))
    return tabs * _TAB + len(line) - tabs


def _width(text: str) -> int:
    return len(text)


def _column_after(column: int, text: str) -> int:
    """The column behind `text` when it starts at `column`."""
    last = text.rsplit("\n", 1)
    if len(last) == 1:
        return column + _width(text)
    line = last[1]
    tabs = len(line) - len(line.lstrip("\t"))
    return tabs * _TAB + _width(line) - tabs


class _Printer:
    """Prints one declaration; remembers the one-line forms of its expressions, and what it found of calls and operators
    that are looked at again while what is around them is laid out.
    """

    def __init__(self, words: Forms) -> None:
        self._words = words
        self._flat: dict[tuple[int, int], str | None] = {}
        self._calls: dict[tuple[int, int, int, int], str] = {}
        self._walked: dict[int, tuple[bool, bool, int]] = {}
        self._blocks: dict[int, bool] = {}

    # ------------------------------------------------------------------------------------------ declarations

    def declaration(self, d: go.Printable) -> str:
        """The text of a declaration, without a final newline."""
        comments = [_comment(line, 0) for line in d.comments]
        match d:
            case go.StructDeclaration():
                text = self._struct(d)
            case go.FunctionDeclaration():
                text = self._function(d)
            case go.AliasDeclaration():
                text = self._form("alias", {"name": d.name, "type": self._one_line(d.type)})
            case go.ConstantsDeclaration():
                text = self._form("constants", {"constants": self._constants(d)})
            case _:
                assert_never(d)
        return "\n".join([*comments, text])

    def _constants(self, d: go.ConstantsDeclaration) -> str:
        type_ = self._one_line(d.type)
        rows = [(name, type_, f"= {self._one_line(value)}") for name, value in d.values]
        return "\n".join(["(", *_columns(rows), ")"])

    def _struct(self, d: go.StructDeclaration) -> str:
        return self._form("struct", {"name": d.name, "fields": self._fields(d.fields) if d.fields else None})

    def _fields(self, fields: tuple[go.StructField, ...]) -> str:
        lines = ["{"]
        section: list[tuple[str, str, str]] = []
        for index, f in enumerate(fields):
            if (f.comments or f.blank_before) and section:
                lines.extend(_columns(section))
                section = []
            if f.blank_before and index:
                lines.append("")
            lines.extend(_comment(line, 1) for line in f.comments)
            section.append((f.name, self._one_line(f.type), quoting.tag_literal(f.tag) if f.tag else ""))
        lines.extend(_columns(section))
        return "\n".join([*lines, "}"])

    def _function(self, d: go.FunctionDeclaration) -> str:
        parameters = self._parameters(d.parameters)
        slots: dict[str, Slot] = {
            "receiver": self._one_line(d.receiver) if d.receiver is not None else None,
            "name": d.name,
            "parameters": parameters,
            "results": self._results(d.results).strip() or None,
            "body": "{",
        }
        if parameters and _width(self._form("function", slots)) > LINE_WIDTH:
            slots["parameters"] = f"\n\t{parameters},\n"
        return self._form("function", {**slots, "body": self._body(d.body, 0)})

    def _parameters(self, parameters: tuple[go.Parameter, ...]) -> str:
        texts = []
        for p in parameters:
            dots = "..." if p.variadic else ""
            texts.append(f"{p.name} {dots}{self._one_line(p.type)}".lstrip())
        return ", ".join(texts)

    def _results(self, results: tuple[go.Expr, ...]) -> str:
        if not results:
            return ""
        texts = ", ".join(self._one_line(r) for r in results)
        return f" ({texts})" if len(results) > 1 else f" {texts}"

    # -------------------------------------------------------------------------------------------- statements

    def _form(
        self, name: str, slots: Mapping[str, Slot], *, indent: int = 0, column: int = 0, facts: tuple[str, ...] = ()
    ) -> str:
        """The text of a form that starts at `column` of a line with `indent` tabs; slots without a value are empty."""
        text = ""
        filled = tuple([name for name, slot in slots.items() if slot is not None])
        for at, part in enumerate(self._words.parts(name, filled, facts)):
            if at % 2 == 0:
                text += part.replace("\n", "\n" + "\t" * indent) if "\n" in part else part
                continue
            slot = slots[part]
            if isinstance(slot, str):
                text += slot
            elif slot is not None:
                text += slot(_column_after(column, text))
        return text

    def _body(self, statements: tuple[go.Statement, ...], indent: int) -> str:
        """A block with its braces, in a line with `indent` tabs."""
        return "\n".join(["{", *self.block(statements, indent + 1), "\t" * indent + "}"])

    def block(self, statements: tuple[go.Statement, ...], indent: int) -> list[str]:
        """The texts of `statements`, without blank lines at the ends or next to each other."""
        lines: list[str] = []
        wants_blank = False
        for s in statements:
            if isinstance(s, go.Blank):
                wants_blank = bool(lines)
                continue
            if wants_blank:
                lines.append("")
                wants_blank = False
            if isinstance(s, go.Comment):
                lines.extend(_comment(line, indent) for line in s.lines)
            else:
                lines.append("\t" * indent + self._statement(s, indent, indent * _TAB))
        return lines

    def _statement(self, s: go.Statement, indent: int, column: int) -> str:
        """A statement that starts at `column` of a line with `indent` tabs."""
        match s:
            case go.ExpressionStatement():
                return self._form("do", {"call": self._slot(s.expression, indent)}, indent=indent, column=column)
            case go.Defer():
                return self._form("defer", {"call": self._slot(s.call, indent)}, indent=indent, column=column)
            case go.Variable():
                value = self._slot(s.value, indent) if s.value is not None else None
                slots: dict[str, Slot] = {"name": s.name, "type": self._one_line(s.type), "value": value}
                return self._form("variable", slots, indent=indent, column=column)
            case go.Assign():
                depth = 2 if len(s.targets) > 1 and len(s.values) > 1 else 1
                targets = ", ".join(self._text(t, depth) for t in s.targets)
                slots = {"targets": targets, "values": self._slots(s.values, depth, indent)}
                return self._form("assign", slots, indent=indent, column=column, facts=(s.operator,))
            case go.Return():
                values = self._slots(s.values, 1, indent) if s.values else None
                return self._form("return", {"values": values}, indent=indent, column=column)
            case go.If():
                return self._if(s, indent, column)
            case go.ForRange():
                slots = {
                    "key": s.key or ("_" if s.value is not None else None),
                    "value": s.value,
                    "collection": self._slot(s.collection, indent),
                    "body": self._body(s.body, indent),
                }
                return self._form("for", slots, indent=indent, column=column)
            case go.Comment() | go.Blank():
                raise AssertionError(s)
        assert_never(s)

    def _slot(self, value: go.Expr, indent: int) -> Slot:
        return lambda column: self.expression(value, 1, indent, column)

    def _slots(self, values: tuple[go.Expr, ...], depth: int, indent: int) -> Slot:
        return lambda column: self._list(values, depth, indent, column)

    def _list(self, values: tuple[go.Expr, ...], depth: int, indent: int, column: int) -> str:
        text = ""
        for index, value in enumerate(values):
            text += ", " if index else ""
            text += self.expression(value, depth, indent, _column_after(column, text))
        return text

    def _if(self, s: go.If, indent: int, column: int) -> str:
        first, init = s.otherwise[0] if s.otherwise else None, s.init
        otherwise: str | None = None
        if len(s.otherwise) == 1 and isinstance(first, go.If):
            otherwise = self._if(first, indent, column)
        elif s.otherwise:
            otherwise = self._body(s.otherwise, indent)
        slots: dict[str, Slot] = {
            "init": (lambda column: self._statement(init, indent, column)) if init is not None else None,
            "condition": self._slot(s.condition, indent),
            "body": self._body(s.body, indent),
            "otherwise": otherwise,
        }
        return self._form("if", slots, indent=indent, column=column)

    # ------------------------------------------------------------------------------------------- expressions

    def _text(self, e: go.Expr, depth: int = 1) -> str:
        return self.expression(e, depth, 0, 0)

    def _one_line(self, e: go.Expr) -> str:
        text = self.flat(e, 1)
        assert text is not None
        return text

    def expression(self, e: go.Expr, depth: int, indent: int, column: int) -> str:
        """`e` as text that starts at `column` of a line with `indent` tabs; on one line if it fits."""
        text: str | None = self.flat(e, depth)
        if text is not None and (column + _width(text) <= LINE_WIDTH or not _can_break(e)):
            return text
        match e:
            case go.Composite():
                return self._composite(e, indent, column)
            case go.Call():
                # A call is tried in two ways, and so is each call in it: together more ways than can be walked.
                key = (id(e), depth, indent, column)
                if key not in self._calls:
                    before, after = self._around(e)
                    self._calls[key] = before + self._call(e, depth, indent, column + _width(before)) + after
                return self._calls[key]
            case go.FunctionLiteral():
                return self._function_literal(e, indent)
            case go.Unary():
                tightness = _UNARY + 1 if _doubles(e) else _UNARY
                inner = column + len(e.operator)
                return e.operator + self._operand(e.operand, tightness, depth, indent=indent, column=inner)
            case go.Star():
                return "*" + self._operand(e.operand, _UNARY, 1, indent=indent, column=column + 1)
            case go.Selector():
                return self._operand(e.operand, _HIGHEST, depth, indent=indent, column=column) + "." + e.name
            case go.TypeAssertion():
                text = self._operand(e.operand, _HIGHEST, depth, indent=indent, column=column)
                return text + f".({self._one_line(e.type)})"
            case go.Index():
                head = self._operand(e.operand, _HIGHEST, 1, indent=indent, column=column) + "["
                return head + self.expression(e.key, depth + 1, indent, _column_after(column, head)) + "]"
            case go.Binary():
                return self._binary(e, depth, indent, column)
            case go.Text():
                lines = _rows(e)
                return lines[0] if len(lines) == 1 else self._lines(lines, depth, indent)
            case go.Name() | go.Qualified() | go.Number() | go.SliceType() | go.MapType():
                return self._one_line(e)
            case _:
                assert_never(e)

    def _operand(self, e: go.Expr, precedence: int, depth: int, *, indent: int, column: int) -> str:
        if _precedence(e) < precedence or (isinstance(e, go.FunctionLiteral) and precedence == _UNARY):
            return "(" + self.expression(e, max(1, depth - 1), indent, column + 1) + ")"
        return self.expression(e, depth, indent, column)

    def _binary(self, e: go.Binary, depth: int, indent: int, column: int) -> str:
        precedence = _PRECEDENCE[e.operator]
        space = " " if precedence < self._cutoff(e, depth) else ""
        same = isinstance(e.left, go.Binary) and _PRECEDENCE[e.left.operator] == precedence
        text = self._operand(e.left, precedence, depth + (0 if same else 1), indent=indent, column=column)
        text += f"{space}{e.operator}{space}"
        right = self._operand(e.right, precedence + 1, depth + 1, indent=indent, column=_column_after(column, text))
        return text + _apart(e.operator, right, space) + right

    def _lines(self, rows: list[str], depth: int, indent: int) -> str:
        """Literals that make one text, below each other; gofmt leaves the blank away inside of other things."""
        plus = " +\n" if depth == 1 else "+\n"
        return (plus + "\t" * (indent + 1)).join(rows)

    def _cutoff(self, e: go.Binary, depth: int) -> int:
        """Operators of a precedence below this get spaces around them."""
        has_sum, has_product, problem = self._walk_binary(e)
        if problem > 0:
            return problem + 1
        if has_sum and has_product:
            return 5 if depth == 1 else 4
        return 6 if depth == 1 else 4

    def _walk_binary(self, e: go.Binary) -> tuple[bool, bool, int]:
        """Whether sums and products occur in the tree of `e`, and the precedence of what must not be glued together."""
        known = self._walked.get(id(e))
        if known is not None:
            return known
        precedence = _PRECEDENCE[e.operator]
        has_sum, has_product, problem = precedence == 4, precedence == 5, 0
        for side, child in (("left", e.left), ("right", e.right)):
            if isinstance(child, go.Binary):
                inner = _PRECEDENCE[child.operator]
                if inner > precedence or (side == "left" and inner == precedence):
                    s, p, m = self._walk_binary(child)
                    has_sum, has_product, problem = has_sum or s, has_product or p, max(problem, m)
            elif side == "right":
                problem = max(problem, _glue_problem(e.operator, child))
        self._walked[id(e)] = has_sum, has_product, problem
        return has_sum, has_product, problem

    def _around(self, e: go.Call) -> tuple[str, str]:
        """What templates put around a call that makes a resource."""
        return self._words.around("construct", "construction", (e.token,)) if e.token else ("", "")

    def _call(self, e: go.Call, depth: int, indent: int, column: int) -> str:
        inner = depth + 1 if len(e.arguments) > 1 else depth
        head = self._operand(e.function, _HIGHEST, inner, indent=indent, column=column) + "("
        if not e.arguments:
            return head + ")"
        if any(self._is_block(a) for a in e.arguments):
            hugged = self._hugged(e, head, inner, indent=indent, column=column)
            if hugged is not None:
                return hugged
        if len(e.arguments) == 1 and not e.expand and not self._is_block(e.arguments[0]):
            return head + self.expression(e.arguments[0], inner, indent, _column_after(column, head)) + ")"
        lines = [head]
        pad = "\t" * (indent + 1)
        for index, argument in enumerate(e.arguments):
            dots = "..." if e.expand and index == len(e.arguments) - 1 else ""
            lines.append(pad + self.expression(argument, inner, indent + 1, (indent + 1) * _TAB) + dots + ",")
        return "\n".join([*lines, "\t" * indent + ")"])

    def _hugged(self, e: go.Call, head: str, depth: int, *, indent: int, column: int) -> str | None:
        """The call with its arguments on its own lines, blocks opening and closing among them; None if that reads badly.

            pkg.NewX(ctx, "x", &pkg.XArgs{
                A: 1,
            }, pulumi.Protect(true))

        What comes after the first block stands below it when it holds several blocks itself.
        """
        text, functions, broken, first = head, 0, list[int](), ""
        for index, argument in enumerate(e.arguments):
            text += ", " if index else ""
            start = _column_after(column, text)
            part = self.flat(argument, depth) if "\n" in text else None
            if part is None or start + _width(part) > LINE_WIDTH + _TOLERANCE:
                part = self.expression(argument, depth, indent, start)
            if "\n" in part and len(e.arguments) > 1 and not self._is_block(argument):
                return None
            functions += isinstance(argument, go.FunctionLiteral)
            broken += [index] if "\n" in part else []
            text += part
            first = first or (text if broken else "")
        if len(broken) > 2 and not e.expand:
            pad = "\t" * (indent + 1)
            rest = [self.expression(a, depth, indent + 1, (indent + 1) * _TAB) for a in e.arguments[broken[0] + 1 :]]
            return "\n".join([f"{first},", *(f"{pad}{part}," for part in rest), "\t" * indent + ")"])
        text += ("..." if e.expand else "") + ")"
        if len(e.arguments) == 1:
            return text
        # What stands inside of a block would only stand further in: the lines between blocks have to fit.
        between = ("\t" * indent + "}", "\t" * indent + ")")
        lines = [line for line in text.split("\n")[1:] if line.startswith(between)]
        fits = all(_line_width(line) <= LINE_WIDTH + _TOLERANCE for line in lines)
        return text if fits and functions < 2 else None

    def _is_block(self, e: go.Expr) -> bool:
        """Whether `e` opens lines of its own, so that a call holds it without breaking its argument list."""
        match e:
            case go.Composite():
                return bool(e.elements)
            case go.FunctionLiteral():
                return True
            case go.Unary() | go.Selector() | go.TypeAssertion():
                return self._is_block(e.operand)
            case go.Call():
                if id(e) not in self._blocks:
                    self._blocks[id(e)] = self._is_block(e.function) or any(self._is_block(a) for a in e.arguments)
                return self._blocks[id(e)]
            case go.Text():
                lines = _rows(e)
                return len(lines) == 1 and "\n" in lines[0]
            case _:
                return False

    def _function_literal(self, e: go.FunctionLiteral, indent: int) -> str:
        return f"func({self._parameters(e.parameters)}){self._results(e.results)} " + self._body(e.body, indent)

    def _composite(self, e: go.Composite, indent: int, column: int) -> str:
        head = (self.expression(e.type, 1, indent, column) if e.type is not None else "") + "{"
        pad = "\t" * (indent + 1)
        rows = [self._element(element, indent + 1) for element in e.elements]
        widths = _key_columns([(key, value) for key, value in rows], e.elements)
        lines = [head]
        for element, (key, value), width in zip(e.elements, rows, widths, strict=True):
            lines.extend(_comment(line, indent + 1) for line in element.comments)
            lines.append(pad + (f"{key}:".ljust(width) + " " if key else "") + value + ",")
        lines.extend(_comment(line, indent + 1) for line in e.closing)
        return "\n".join([*lines, "\t" * indent + "}"])

    def _element(self, element: go.Element, indent: int) -> tuple[str, str]:
        if element.key is None:
            return "", self.expression(element.value, 1, indent, indent * _TAB)
        key = self._text(element.key)
        return key, self.expression(element.value, 1, indent, indent * _TAB + _width(key) + 2)

    # ------------------------------------------------------------------------------------------ one-line forms

    def flat(self, e: go.Expr, depth: int) -> str | None:
        """`e` on one line, or None when it has to take several."""
        key = (id(e), depth)
        if key not in self._flat:
            self._flat[key] = self._make_flat(e, depth)
        return self._flat[key]

    def _make_flat(self, e: go.Expr, depth: int) -> str | None:
        match e:
            case go.Name():
                return e.name
            case go.Qualified():
                return f"{e.package}.{e.name}"
            case go.Number():
                return e.text
            case go.Text():
                lines = _rows(e)
                return lines[0] if len(lines) == 1 and "\n" not in lines[0] else None
            case go.SliceType():
                return self._join("[]", self.flat(e.element, 1))
            case go.MapType():
                return self._join("map[string]", self.flat(e.element, 1))
            case go.Selector():
                return self._join(self._flat_operand(e.operand, _HIGHEST, depth), "." + e.name)
            case go.TypeAssertion():
                return self._join(self._flat_operand(e.operand, _HIGHEST, depth), ".(", self.flat(e.type, 1), ")")
            case go.Index():
                return self._join(self._flat_operand(e.operand, _HIGHEST, 1), "[", self.flat(e.key, depth + 1), "]")
            case go.Unary():
                return self._join(e.operator, self._flat_operand(e.operand, _UNARY + 1 if _doubles(e) else _UNARY, depth))
            case go.Star():
                return self._join("*", self._flat_operand(e.operand, _UNARY, 1))
            case go.Binary():
                return self._flat_binary(e, depth)
            case go.Call():
                return self._flat_call(e, depth)
            case go.Composite():
                return self._flat_composite(e)
            case go.FunctionLiteral():
                return self._flat_function(e)
            case _:
                assert_never(e)

    def _join(self, *parts: str | None) -> str | None:
        texts = [p for p in parts if p is not None]
        return "".join(texts) if len(texts) == len(parts) else None

    def _flat_operand(self, e: go.Expr, precedence: int, depth: int) -> str | None:
        if _precedence(e) < precedence:
            return self._join("(", self.flat(e, max(1, depth - 1)), ")")
        return self.flat(e, depth)

    def _flat_binary(self, e: go.Binary, depth: int) -> str | None:
        precedence = _PRECEDENCE[e.operator]
        space = " " if precedence < self._cutoff(e, depth) else ""
        same = isinstance(e.left, go.Binary) and _PRECEDENCE[e.left.operator] == precedence
        left = self._flat_operand(e.left, precedence, depth + (0 if same else 1))
        right = self._flat_operand(e.right, precedence + 1, depth + 1)
        return self._join(left, f"{space}{e.operator}{space}", _apart(e.operator, right or "", space), right)

    def _flat_call(self, e: go.Call, depth: int) -> str | None:
        inner = depth + 1 if len(e.arguments) > 1 else depth
        arguments = [self.flat(a, inner) for a in e.arguments]
        if None in arguments:
            return None
        listed = ", ".join(a for a in arguments if a is not None)
        dots = "..." if e.expand else ""
        before, after = self._around(e)
        return self._join(before, self._flat_operand(e.function, _HIGHEST, inner), f"({listed}{dots})", after)

    def _flat_composite(self, e: go.Composite) -> str | None:
        keyed = sum(1 for element in e.elements if element.key is not None)
        if e.block or e.closing or keyed > 1 or any(element.comments for element in e.elements):
            return None
        texts = []
        for element in e.elements:
            value = self.flat(element.value, 1)
            key = self._text(element.key) + ": " if element.key is not None else ""
            if value is None:
                return None
            texts.append(key + value)
        head = self.flat(e.type, 1) if e.type is not None else ""
        return self._join(head, "{" + ", ".join(texts) + "}")

    def _flat_function(self, e: go.FunctionLiteral) -> str | None:
        """A function with one short statement may stay on one line (gofmt breaks those over 100 characters)."""
        if len(e.body) != 1 or not isinstance(e.body[0], go.Return):
            return None
        values = [self.flat(v, 1) for v in e.body[0].values]
        if None in values:
            return None
        listed = ", ".join(v for v in values if v is not None)
        done = self._words.text("return", {"values": listed})
        text = f"func({self._parameters(e.parameters)}){self._results(e.results)} {{ {done} }}"
        return text if _width(text) <= 80 else None


def _can_break(e: go.Expr) -> bool:
    """Whether lines can be broken inside `e` at all."""
    match e:
        case go.Composite():
            return bool(e.elements)
        case go.Call():
            return bool(e.arguments) or _can_break(e.function)
        case go.FunctionLiteral():
            return True
        case go.Unary() | go.Star() | go.Selector() | go.TypeAssertion() | go.Index():
            return _can_break(e.operand)
        case go.Binary():
            return _can_break(e.left) or _can_break(e.right)
        case _:
            return False


def _columns(rows: list[tuple[str, str, str]]) -> list[str]:
    """Lines of struct fields in columns."""
    names = max((len(name) for name, _, _ in rows), default=0)
    types = max((len(type_) for name, type_, tag in rows if name and tag), default=0)
    lines = []
    for name, type_, tag in rows:
        if not name:
            lines.append(f"\t{type_}")
        elif tag:
            lines.append(f"\t{name.ljust(names)} {type_.ljust(types)} {tag}")
        else:
            lines.append(f"\t{name.ljust(names)} {type_}")
    return lines


def _key_columns(rows: list[tuple[str, str]], elements: tuple[go.Element, ...]) -> list[int]:
    """For each element the width of its key column (with the colon): gofmt's rule for composite literals.

    Neighbours that take one line each share a column; a value of several lines, a comment, or a large change of key
    size (in bytes) begins a new one.
    """
    widths = [0] * len(rows)
    section: list[int] = []
    logs: list[float] = []
    previous = 0

    def close() -> None:
        width = max((len(rows[i][0]) + 1 for i in section), default=0)
        for i in section:
            widths[i] = width
        section.clear()
        logs.clear()

    for index, (key, value) in enumerate(rows):
        size = len(key.encode()) if key and "\n" not in value and "\n" not in key else 0
        together = previous > 0 and size > 0
        if together and logs and not (previous <= _SMALL_KEY and size <= _SMALL_KEY):
            ratio = size / math.exp(sum(logs) / len(logs))
            together = 1 / _KEY_RATIO < ratio < _KEY_RATIO
        if not together or elements[index].comments:
            close()
        if size:
            section.append(index)
            logs.append(math.log(size))
        elif not size:
            widths[index] = len(key) + 1
        previous = size
    close()
    return widths
