"""Layout of expressions: on one line if they fit, otherwise over several lines.

Layout depends on the names from `assign_names`, and on the nesting depth of expressions (gofmt's depth, which controls
blanks). An expression with a one-line text is an `Attempt`, so that a text that fits needs no document.

    pkg.NewX(ctx, "x", &pkg.XArgs{      a block opens its own lines, and a call contains it without breaking its arguments
        A: 1,
    }, pulumi.Protect(true))

The precedence of operators decides which expressions need parentheses, and up to which precedence operators have blanks
around them: the deeper the expression, the fewer blanks.

gofmt's columns are for keys of composite literals, fields of structs, and constants. The heads of rows, or the cells of a
whole section, determine the widths of columns. Like gofmt, this module counts characters, not terminal columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.emit.forms import Forms
from pclgen.layout import (
    HARDLINE,
    Attempt,
    Cell,
    Doc,
    Outlined,
    Row,
    Table,
    body,
    concat,
    enclose,
    indent,
    join,
    literal_text,
    one_line,
)
from pclgen.targets.comments import comment_line, without_gaps
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.origins import Attribute, Recorder, printed_length

_SHORT_FUNCTION: Final = 80
"""Functions up to this width may stay on one line (gofmt breaks those over 100 characters)."""

BlockPrinter: TypeAlias = Callable[[tuple[go.Statement, ...]], Doc]
"""Prints statements in braces; the statement printer provides it."""


_Part: TypeAlias = tuple[go.Expr, int]
"""A subexpression and its depth."""

_Pieces: TypeAlias = tuple[str | _Part, ...]


class Spellings(Struct, frozen=True, kw_only=True):
    """The final names of one file."""

    variables: Mapping[go.Variable, str]
    packages: Mapping[go.Package, str]


class ExpressionPrinter:
    """Prints the expressions of one declaration, and caches their one-line texts."""

    def __init__(self, block: BlockPrinter, forms: Forms, spellings: Spellings, recorder: Recorder | None) -> None:
        self._block = block
        self._recorder = recorder
        self._forms = forms
        self._spellings = spellings
        self._spacing = Spacing()
        self._flat: dict[tuple[int, int], str | None] = {}
        self._blocks: dict[int, bool] = {}

    def print(self, e: go.Expr, depth: int = 1) -> Doc:
        """Return the document of `e`."""
        text = self.flat(e, depth)
        if text is None:
            return self._broken(e, depth)
        return text if _is_solid(e) else Attempt(text, partial(self._broken, e, depth))

    def flat(self, e: go.Expr, depth: int = 1) -> str | None:
        """Return `e` on one line, or None if it needs several lines."""
        read = _LEAVES.get(type(e))
        if read is not None:
            return read(self._spellings, e)
        key = (id(e), depth)
        text = self._flat.get(key, "")
        if text == "":  # an expression is never empty
            text = self._flat[key] = self._make_flat(e, depth)
        return text

    def marked(self, origin: Attribute | None, printed: Doc) -> Doc:
        """Return `printed` with marks of its origin, if there is a recorder."""
        if origin is None or self._recorder is None:
            return printed
        before, behind = self._recorder.marks(origin)
        return enclose(before, printed, behind)

    def _marked_text(self, origin: Attribute | None, text: str) -> str:
        return text if origin is None or self._recorder is None else self._recorder.around(text, origin)

    def text(self, e: go.Expr) -> str:
        """Return `e`, a type or a name, on one line."""
        text = self.flat(e)
        assert text is not None
        return text

    def parameters(self, parameters: tuple[go.Parameter, ...]) -> str:
        """Return parameters separated by commas."""
        texts = []
        for p in parameters:
            dots = "..." if p.variadic else ""
            texts.append(f"{self._spellings.variables[p.variable]} {dots}{self.text(p.type)}")
        return ", ".join(texts)

    def results(self, results: tuple[go.Expr, ...]) -> str:
        """Return the types of results, in parentheses if there are several."""
        texts = ", ".join(map(self.text, results))
        return f"({texts})" if len(results) > 1 else texts

    # -- pieces: parts without separate lines ------------------------------------------------------------------------

    def _pieces(self, e: go.Expr, depth: int) -> _Pieces:
        """Return the texts and subexpressions of `e`, which are adjacent in every layout."""
        match e:
            case go.Selector():
                return (*_operand(e.operand, HIGHEST, depth), "." + e.name)
            case go.TypeAssertion():
                return (*_operand(e.operand, HIGHEST, depth), ".(", (e.type, 1), ")")
            case go.Index():
                return (*_operand(e.operand, HIGHEST, 1), "[", (e.key, depth + 1), "]")
            case go.Unary():
                return (e.operator, *_operand(e.operand, operand_precedence(e), depth))
            case go.Star():
                return ("*", *_operand(e.operand, UNARY, 1))
            case go.Binary():
                return self._operation(e, depth)
            case go.Tail():
                start = e.start.text if e.start is not None else ""
                return (*_operand(e.operand, HIGHEST, 1), f"[{start}:]")
            case go.SliceType():
                return ("[]", (e.element, 1))
            case go.MapType():
                return ("map[string]", (e.element, 1))
            case go.Call() | go.Composite() | go.FunctionLiteral() | go.Text():
                raise AssertionError(e)
            case go.Name() | go.Builtin() | go.Declared() | go.Helper() | go.Field() | go.Qualified() | go.Number():
                raise AssertionError(e)
        assert_never(e)

    def _operation(self, e: go.Binary, depth: int) -> _Pieces:
        precedence = PRECEDENCE[e.operator]
        space = self._spacing.around(e, depth)
        same = isinstance(e.left, go.Binary) and PRECEDENCE[e.left.operator] == precedence
        left = _operand(e.left, precedence, depth + (0 if same else 1))
        right = _operand(e.right, precedence + 1, depth + 1)
        separator = " " if not space and would_join(e.operator, self._first(right[0])) else ""
        return (*left, f"{space}{e.operator}{space}{separator}", *right)

    def _first(self, piece: str | _Part) -> str:
        """Return the first character of a piece, as far as it can belong to an operator."""
        while not isinstance(piece, str):
            text = self.flat(*piece)
            if text is not None:
                return text[:1]
            if isinstance(piece[0], go.Call | go.Composite | go.FunctionLiteral | go.Text):
                return ""
            piece = self._pieces(*piece)[0]
        return piece[:1]

    # -- on one line -------------------------------------------------------------------------------------------------

    def _make_flat(self, e: go.Expr, depth: int) -> str | None:
        match e:
            case go.Call():
                return self._flat_call(e, depth)
            case go.Text():
                literals = literals_of(e)
                return literals[0] if len(literals) == 1 and "\n" not in literals[0] else None
            case go.Composite():
                return self._flat_composite(e)
            case go.FunctionLiteral():
                return self._flat_function(e)
            case _:
                return self._joined(self._pieces(e, depth))

    def _joined(self, pieces: _Pieces) -> str | None:
        result = ""
        for piece in pieces:
            text = piece if isinstance(piece, str) else self.flat(*piece)
            if text is None:
                return None
            result += text
        return result

    def _flat_list(
        self, values: tuple[go.Expr, ...], depth: int, origins: tuple[Attribute | None, ...] = ()
    ) -> str | None:
        texts = []
        for value, origin in _with_origins(values, origins):
            text = self.flat(value, depth)
            if text is None:
                return None
            texts.append(self._marked_text(origin, text))
        return ", ".join(texts)

    def _flat_call(self, e: go.Call, depth: int) -> str | None:
        inner = depth + 1 if len(e.arguments) > 1 else depth
        arguments = self._flat_list(e.arguments, inner, e.origins)
        if arguments is None:
            return None
        function = self._joined(_operand(e.function, HIGHEST, inner))
        if function is None:
            return None
        before, after = self._around(e)
        return f"{before}{function}({arguments}{'...' if e.expand else ''}){after}"

    def _flat_composite(self, e: go.Composite) -> str | None:
        if e.block or e.closing:
            return None
        texts = []
        keyed = False
        for element in e.elements:
            if element.comments or (keyed and element.key is not None):
                return None
            value = self.flat(element.value)
            if value is None:
                return None
            keyed = keyed or element.key is not None
            text = f"{self.text(element.key)}: {value}" if element.key is not None else value
            texts.append(self._marked_text(element.origin, text))
        return f"{self.text(e.type) if e.type is not None else ''}{{{', '.join(texts)}}}"

    def _flat_function(self, e: go.FunctionLiteral) -> str | None:
        if len(e.body) != 1 or not isinstance(e.body[0], go.Return):
            return None
        values = self._flat_list(e.body[0].values, 1)
        if values is None:
            return None
        text = f"{self._signature(e)} {{ {self._forms.text('return', {'values': values})} }}"
        return text if printed_length(text) <= _SHORT_FUNCTION else None

    def _signature(self, e: go.FunctionLiteral) -> str:
        results = self.results(e.results)
        return f"func({self.parameters(e.parameters)}){' ' if results else ''}{results}"

    def _around(self, e: go.Call) -> tuple[str, str]:
        """Return the texts that templates put before and after a call that creates a resource."""
        return self._forms.around("construct", "construction", (e.token,)) if e.token else ("", "")

    # -- over several lines ------------------------------------------------------------------------------------------

    def _broken(self, e: go.Expr, depth: int) -> Doc:
        match e:
            case go.Composite():
                return self._composite(e)
            case go.Call():
                before, after = self._around(e)
                call = self._call(e, depth)
                return concat(literal_text(before), call, literal_text(after)) if before or after else call
            case go.FunctionLiteral():
                return concat(self._signature(e), " ", self._block(e.body))
            case go.Text():
                first, *others = map(literal_text, literals_of(e))
                plus = " +" if depth == 1 else "+"  # gofmt omits the blank inside other expressions
                rows: list[Doc] = [first]
                for other in others:
                    rows += [plus, HARDLINE, other]
                return indent(*rows)
            case _:
                return concat(*self._docs(self._pieces(e, depth)))

    def _docs(self, pieces: _Pieces) -> list[Doc]:
        return [p if isinstance(p, str) else self.print(*p) for p in pieces]

    def _composite(self, e: go.Composite) -> Doc:
        head = concat(self.print(e.type), "{") if e.type is not None else "{"
        rows: list[Doc | Row] = []
        for element in e.elements:
            if element.comments:
                rows.extend(map(comment_text, without_gaps(element.comments)))
            printed = self.print(element.value)
            if element.key is None:
                rows.append(concat(printed, ","))
                continue
            before = behind = ""
            if element.origin is not None and self._recorder is not None:
                before, behind = self._recorder.marks(element.origin)
            rest = f"{printed}{behind}," if isinstance(printed, str) else concat(printed, behind, ",")
            rows.append(Row(f"{self.text(element.key)}:", rest, before))
        rows.extend(map(comment_text, without_gaps(e.closing)))
        return concat(head, body(Table(tuple(rows), pad_keys)) if rows else HARDLINE, "}")

    def _call(self, e: go.Call, depth: int) -> Doc:
        inner = depth + 1 if len(e.arguments) > 1 else depth
        head = concat(*self._docs(_operand(e.function, HIGHEST, inner)), "(")
        if not e.arguments:
            return concat(head, ")")
        arguments = [self.marked(origin, self.print(a, inner)) for a, origin in _with_origins(e.arguments, e.origins)]
        dots = "..." if e.expand else ""
        blocks = [self._is_block(a) for a in e.arguments]
        if len(e.arguments) == 1 and (blocks[0] or not e.expand):
            return concat(head, arguments[0], dots, ")")
        listed = partial(_listed, head, arguments, dots)
        hugged = self._hugged(e, inner, arguments, blocks) if any(blocks) else None
        if hugged is None:
            return listed()
        document = concat(head, hugged, ")")
        is_lone_body = _is_body(e.arguments[-1]) and all(isinstance(a, str) for a in arguments[:-1])
        return document if is_lone_body else Outlined(document, listed)  # the text after a lone body is short

    def _hugged(self, e: go.Call, depth: int, arguments: list[Doc], blocks: list[bool]) -> Doc | None:
        """Return the arguments of a call with blocks that open and close on its lines; None if that is hard to read.

        If three or more blocks need several lines, each argument after the first of these begins a line.
        """
        tall = [index for index, a in enumerate(e.arguments) if self.flat(a, depth) is None]
        if not all(blocks[index] for index in tall):
            return None
        parts = [a if block else one_line(a) for a, block in zip(arguments, blocks, strict=True)]
        if len(tall) > 2 and not e.expand:
            first = tall[0] + 1
            return concat(join(", ", parts[:first]), ",", body(*[concat(a, ",") for a in arguments[first:]]))
        if sum(isinstance(a, go.FunctionLiteral) for a in e.arguments) > 1:
            return None
        return concat(join(", ", parts), "..." if e.expand else "")

    def _is_block(self, e: go.Expr) -> bool:
        """Return whether `e` opens its own lines, so that a call can contain it without breaking its argument list."""
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
                literals = literals_of(e)
                return len(literals) == 1 and "\n" in literals[0]
            case _:
                return False


def _with_origins(
    values: tuple[go.Expr, ...], origins: tuple[Attribute | None, ...]
) -> Iterator[tuple[go.Expr, Attribute | None]]:
    """Return values with their origins; `origins` belong to the last values."""
    return zip(values, (None,) * (len(values) - len(origins)) + origins, strict=True)


def _listed(head: Doc, arguments: list[Doc], dots: str) -> Doc:
    """Return a call with a line for each argument."""
    return concat(head, body(*[concat(a, ",") for a in arguments[:-1]], concat(arguments[-1], dots, ",")), ")")


def _is_body(e: go.Expr) -> bool:
    """Return whether `e` is a composite or function literal, which ends with a brace on its own line."""
    return isinstance(e.operand if isinstance(e, go.Unary) else e, go.Composite | go.FunctionLiteral)


def _is_solid(e: go.Expr) -> bool:
    """Return whether `e`, which has a one-line text, has no other layout."""
    match e:
        case go.Call() | go.FunctionLiteral() | go.Index() | go.Tail() | go.TypeAssertion():
            return False
        case go.Selector() | go.Star() | go.Unary():
            return _is_solid(e.operand)
        case go.Binary():
            return _is_solid(e.left) and _is_solid(e.right)
        case go.Composite():
            return not e.elements
        case _:  # names, numbers, texts, types
            return True


def _operand(e: go.Expr, precedence: int, depth: int) -> _Pieces:
    if precedence_of(e) < precedence:
        return ("(", (e, max(1, depth - 1)), ")")
    return ((e, depth),)


_DIRECTIVES: Final = re.compile(r"\+build|go:|nolint")
"""Directives of the Go tools in comments, some of them only above the package clause."""


def comment_text(line: str) -> str:
    """Return a comment line with its slashes."""
    return comment_line("//", line, _DIRECTIVES)


_LEAVES: Final[Mapping[type[go.Expr], Callable[[Spellings, Any], str]]] = {  # names and numbers
    go.Name: lambda spellings, e: spellings.variables[e.variable],
    go.Builtin: lambda _, e: str(e.name),
    go.Declared: lambda _, e: str(e.name),
    go.Field: lambda _, e: str(e.name),
    go.Helper: lambda _, e: str(e.key),
    go.Qualified: lambda spellings, e: f"{spellings.packages[e.package]}.{e.name}",
    go.Number: lambda _, e: str(e.text),
}
"""The text of names and numbers."""


# -- operators --------------------------------------------------------------------------------------------------------------

HIGHEST: Final = 7
UNARY: Final = 6
PRECEDENCE: Final = {
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


_LOOSE: Final = (go.Binary, go.Unary, go.Star, go.Number, go.Text)
"""The classes of expressions that may need parentheses."""


def precedence_of(e: go.Expr) -> int:
    """Return the precedence of `e`; as an operand of a tighter operator, it needs parentheses."""
    if type(e) not in _LOOSE:
        return HIGHEST
    match e:
        case go.Binary():
            return PRECEDENCE[e.operator]
        case go.Unary() | go.Star():
            return UNARY
        case go.Number():
            return UNARY if e.text.startswith("-") else HIGHEST
        case go.Text():
            return PRECEDENCE["+"] if len(literals_of(e)) > 1 else HIGHEST
        case _:
            return HIGHEST


def literals_of(e: go.Text) -> list[str]:
    """Return the literals of a text, which are joined with `+`."""
    return [quoting.tag_literal(e.value)] if e.raw else quoting.literals(e.value, multiline=e.multiline)


def operand_precedence(e: go.Unary) -> int:
    """Return the minimum precedence of the operand of `e`; higher if both operators would join (`--x`)."""
    inner = e.operand
    doubles = e.operator in "-&" and (
        (isinstance(inner, go.Unary) and inner.operator == e.operator)
        or (isinstance(inner, go.Number) and inner.text.startswith(e.operator))
    )
    return UNARY + 1 if doubles else UNARY


def would_join(operator: str, begins: str) -> bool:
    """Return whether `operator` and a following text that starts with `begins` would be read as one token."""
    return operator + begins in ("--", "/*", "<-")


class Spacing:
    """Blanks around operators; caches the results for operands."""

    __slots__ = ("_walked",)

    def __init__(self) -> None:
        self._walked: dict[int, tuple[bool, bool, int]] = {}

    def around(self, e: go.Binary, depth: int) -> str:
        """Return the text on both sides of the operator of `e`: a blank or nothing."""
        return " " if PRECEDENCE[e.operator] < self._cutoff(e, depth) else ""

    def _cutoff(self, e: go.Binary, depth: int) -> int:
        """Return the precedence below which operators get blanks."""
        has_sum, has_product, problem = self._walk(e)
        if problem > 0:
            return problem + 1
        if has_sum and has_product:
            return 5 if depth == 1 else 4
        return 6 if depth == 1 else 4

    def _walk(self, e: go.Binary) -> tuple[bool, bool, int]:
        """Return whether `e` contains sums and products, and the highest precedence whose operators must not lose blanks."""
        cached = self._walked.get(id(e))
        if cached is not None:
            return cached
        precedence = PRECEDENCE[e.operator]
        has_sum, has_product, problem = precedence == 4, precedence == 5, 0
        for side, child in (("left", e.left), ("right", e.right)):
            if isinstance(child, go.Binary):
                inner = PRECEDENCE[child.operator]
                if inner > precedence or (side == "left" and inner == precedence):
                    s, p, m = self._walk(child)
                    has_sum, has_product, problem = has_sum or s, has_product or p, max(problem, m)
            elif side == "right":
                problem = max(problem, _glue_problem(e.operator, child))
        self._walked[id(e)] = has_sum, has_product, problem
        return has_sum, has_product, problem


def _glue_problem(operator: str, right: go.Expr) -> int:
    if isinstance(right, go.Star):
        return 5 if operator == "/" else 0
    mark = right.operator if isinstance(right, go.Unary) else right.text[0] if isinstance(right, go.Number) else ""
    if operator + mark == "&&&":
        return 5
    return 4 if operator + mark == "--" else 0


# -- columns ----------------------------------------------------------------------------------------------------------------

_SMALL_KEY: Final = 40
"""Keys up to this size always share a column."""
_KEY_RATIO: Final = 2.5
"""Larger keys share a column unless their sizes differ by this factor."""


def pad_keys(rows: Sequence[Cell | None]) -> list[int]:
    """Return the number of blanks after each key (with its colon) of a composite literal.

    Neighboring rows of one line each share a column. A value of several lines, a line without a key, or a large change
    of key size (in bytes) begins a new column.
    """
    blanks: list[int] = []
    section: list[str] = []
    logs = 0.0  # sum of the logarithms of the sizes in the section
    previous = 0
    for cell in rows:
        size = 0 if cell is None or cell.tall else len(cell.head.encode()) - 1
        if not (previous and size and _share_column(previous, size, logs / len(section))):
            blanks += _filled(section)
            section, logs = [], 0.0
        if cell is not None and size:
            section.append(cell.head)
            logs += math.log(size)
        else:
            blanks.append(0)
        previous = size
    return blanks + _filled(section)


def _share_column(previous: int, size: int, mean: float) -> bool:
    """Return whether a key of `size` bytes shares the column of the keys above.

    The previous key has `previous` bytes; `mean` is the mean of the logarithms of the sizes.
    """
    if previous <= _SMALL_KEY and size <= _SMALL_KEY:
        return True
    return 1 / _KEY_RATIO < size / math.exp(mean) < _KEY_RATIO


def _filled(section: Sequence[str]) -> list[int]:
    """Return the number of blanks that makes each head as wide as the widest."""
    width = max(map(len, section), default=0)
    return [width - len(head) for head in section]


def in_columns(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return aligned lines for rows of a name, a type and a tag.

    Embedded fields have no name. Types without a tag do not count for the width of the type column.
    """
    names = max((len(name) for name, _, _ in rows), default=0)
    types = max((len(type_) for name, type_, tag in rows if name and tag), default=0)
    lines = []
    for name, type_, tag in rows:
        if not name:
            lines.append(type_)
        elif tag:
            lines.append(f"{name.ljust(names)} {type_.ljust(types)} {tag}")
        else:
            lines.append(f"{name.ljust(names)} {type_}")
    return lines
