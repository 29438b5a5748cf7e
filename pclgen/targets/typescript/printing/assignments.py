"""Layout of `left = right` and `key: value`: whether, and how, the right side moves to the next line.

The document of the assignment follows from the printed left side and the path of the right side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pclgen.layout import (
    BOUNDARY,
    LINE,
    Concat,
    Doc,
    Fill,
    Group,
    GroupId,
    IfBreak,
    Indent,
    IndentIfBreak,
    Line,
    group,
    indent,
    indent_if_break,
    will_break,
)
from pclgen.targets.origins import Attribute
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import quote
from pclgen.targets.typescript.printing.paths import Path, breaks_like_operation, is_multiline, is_template
from pclgen.widths import text_width

if TYPE_CHECKING:
    from pclgen.targets.typescript.printing.expressions import ExpressionPrinter

SHORT_KEY = 7  # a key narrower than this gains nothing from a value on the next line
SHORT_ARGUMENT = 20  # a quarter of the line

_NEXT_LINE: Final = indent(LINE)
_STAYS: Final = frozenset((ts.Array, ts.Arrow, ts.Constant, ts.New, ts.Number, ts.Object, ts.Template))
"""The classes of expressions that stay on the line: they have good break points themselves, or none."""


def print_assignment(
    printer: ExpressionPrinter, left: Doc, operator: str, right: Path, *, origin: Attribute | None = None
) -> Doc:
    """Return the document of `left operator right`; the right side comes from `origin`.

    `right.above` is the node of the assignment.
    """
    assert not isinstance(right.node, ts.Property)
    node, above = right.node, right.above
    value = printer.marked(origin, printer.print(right))
    breakable = can_break(left)
    if isinstance(above, ts.Declare) and (_has_complex_type(above) or (breakable and isinstance(above.value, ts.Arrow))):
        return group(left, operator, " ", group(value))
    left_group = left if isinstance(left, str) else group(left)
    short = isinstance(above, ts.Property) and isinstance(left, str) and text_width(left) < SHORT_KEY
    if _goes_to_next_line(printer, right, short):
        return group(left_group, operator, group(indent(LINE, value)))
    if not breakable and (short or isinstance(node, ts.Number) or _is_template_or_flag(node)):
        return group(left_group, operator, " ", value)
    mark = GroupId()
    return group(left_group, operator, group(_NEXT_LINE, id=mark), BOUNDARY, indent_if_break(value, mark))


def _is_template_or_flag(node: object) -> bool:
    if isinstance(node, ts.Constant):
        return node.text != "null"
    return isinstance(node, ts.Template | ts.Text) and is_template(node)


def _goes_to_next_line(printer: ExpressionPrinter, right: Path, short: bool) -> bool:
    node = right.node
    if type(node) in _STAYS:
        return False
    if breaks_like_operation(node):
        return True
    if isinstance(node, ts.Conditional):
        return breaks_like_operation(node.condition)
    if short:
        return False
    path = right
    while isinstance(path.node, ts.Unary | ts.Await | ts.NonNull):
        path = Path(path.node.value, path, "value")
    inner = path.node
    if isinstance(inner, ts.Text) and not is_multiline(inner):
        return True
    return _breaks_poorly(printer, path, deep=False)


def _breaks_poorly(printer: ExpressionPrinter, path: Path, *, deep: bool) -> bool:
    """Return whether a member chain has no good line-break point."""
    node = path.node
    match node:
        case ts.NonNull():
            return _breaks_poorly(printer, Path(node.value, path, "value"), deep=True)
        case ts.Call():
            if printer.is_long_chain(path):
                return False
            short = not node.args or (len(node.args) == 1 and is_short_argument(printer, node.args[0]))
            if not short or _has_complex_arguments(printer, node):
                return False
            return _breaks_poorly(printer, Path(node.callee, path, "callee"), deep=True)
        case ts.Member() | ts.Element():
            return _breaks_poorly(printer, Path(node.source, path, "source"), deep=True)
        case ts.Name() | ts.Global() | ts.Imported() | ts.Helper():
            return deep
        case _:
            return False


def is_short_argument(printer: ExpressionPrinter, node: ts.TsExpr) -> bool:
    """Return whether the node is a constant or name so short that breaking its call gains nothing."""
    match node:
        case ts.Name() | ts.Global() | ts.Imported() | ts.Helper():
            return len(printer.spelling(node)) <= SHORT_ARGUMENT
        case ts.Text():
            return not is_multiline(node) and len(quote(node.value)) <= SHORT_ARGUMENT
        case ts.Template():
            return node.tag is None and not node.values and len(node.texts[0]) <= SHORT_ARGUMENT
        case ts.Number() | ts.Constant():
            return True
        case ts.Unary():
            return is_short_argument(printer, node.value)
        case ts.Call():
            if node.args or not isinstance(node.callee, ts.Identifier):
                return False
            return len(printer.spelling(node.callee)) <= SHORT_ARGUMENT - 2
        case _:
            return False


def _has_complex_arguments(printer: ExpressionPrinter, node: ts.Call) -> bool:
    has_structure = any(isinstance(t, ts.TypeUnion | ts.TypeObject) for t in node.types)
    return len(node.types) > 1 or has_structure or will_break(printer.types.arguments(node.types))


def _has_complex_type(node: ts.Declare) -> bool:
    """Return whether the type has several type arguments and an argument with arguments: `Map<string, Array<T>>`."""
    if not isinstance(node.type, ts.TypeName) or len(node.type.args) < 2:
        return False
    return any(isinstance(t, ts.TypeName) and t.args for t in node.type.args)


def can_break(doc: Doc) -> bool:
    """Return whether a line may end inside `doc`."""
    match doc:
        case str():
            return False
        case Line():
            return True
        case Concat() | Fill():
            return any(can_break(part) for part in doc.parts)
        case Indent() | Group() | IndentIfBreak():
            return can_break(doc.contents)
        case IfBreak():
            return can_break(doc.broken) or can_break(doc.flat)
        case _:
            return False
