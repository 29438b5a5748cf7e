"""Layout of expressions: the only dispatch over their nodes.

Each node is laid out once per mode (`opened`: as the last argument of a call that opens on the call's line), so nesting
costs nothing extra.

Runs of one operator break together. They are indented unless the enclosing node already indents them. Conditionals put `?`
and `:` at the start of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from pclgen.core.expr import GAP, NO_COMMENTS, Comments
from pclgen.emit.forms import Forms
from pclgen.layout import (
    BOUNDARY,
    BREAK_PARENT,
    HARDLINE,
    LINE,
    SOFTLINE,
    TO_ROOT,
    Doc,
    GroupId,
    align,
    concat,
    enclose,
    fill,
    group,
    if_break,
    indent,
    join,
    line_suffix,
    literal_text,
    print_doc,
)
from pclgen.targets.comments import comment_line
from pclgen.targets.origins import Mark, Recorder
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier, property_key, quote, template_text
from pclgen.targets.typescript.printing.assignments import print_assignment
from pclgen.targets.typescript.printing.calls import Chain, is_computed, is_concise, print_arguments, print_chain
from pclgen.targets.typescript.printing.paths import (
    Path,
    bare,
    holds_inline,
    is_logical,
    is_member,
    is_multiline,
    is_template,
    leftmost,
    needs_parens,
    same_chain,
)
from pclgen.targets.typescript.printing.types import TypePrinter

_UNBOUNDED: Final = 10**9
_TAB_WIDTH: Final = 4

BlockPrinter: TypeAlias = Callable[[tuple[ts.Statement, ...], Path | None], Doc]
"""Prints statements in braces; the statement printer provides it."""


class ExpressionPrinter:
    """Prints the expressions of one statement; `expanded` are the objects with one property per line."""

    def __init__(
        self,
        expanded: frozenset[object],
        block: BlockPrinter,
        words: Forms,
        spellings: ts.Spellings,
        *,
        recorder: Recorder | None,
    ) -> None:
        self._words = words
        self._recorder = recorder
        self._spellings = spellings
        self.types: TypePrinter = TypePrinter(expanded, spellings)
        self._expanded = expanded
        self._block = block
        self._docs: dict[tuple[int, bool], Doc] = {}
        self._chains: dict[int, Chain] = {}

    def print(self, path: Path, *, opened: bool = False) -> Doc:
        """The document of the expression at `path`, in parentheses where it needs them."""
        leaf = _LEAVES.get(type(path.node))
        if leaf is not None:
            return leaf(self, path.node)
        key = (id(path.node), opened)
        doc = self._docs.get(key)
        if doc is None:
            doc = self._print(path, opened)
            if needs_parens(path):
                doc = concat("(", doc, ")")
            self._docs[key] = doc
        return doc

    def spelling(self, name: ts.Identifier | ts.Variable) -> str:
        """The text of a name."""
        if isinstance(name, ts.Name):
            name = name.variable
        return self._spellings[name] if isinstance(name, ts.Variable) else name.name

    def is_long_chain(self, path: Path) -> bool:
        """Return whether the call at `path` is a chain that may break at its dots."""
        node = path.node
        if not isinstance(node, ts.Call) or not is_member(node.callee) or _is_hugged_template(node):
            return False
        return self._chain(path).long

    def _chain(self, path: Path) -> Chain:
        chain = self._chains.get(id(path.node))
        if chain is None:
            chain = self._chains[id(path.node)] = print_chain(self, path)
        return chain

    def _print(self, path: Path, opened: bool) -> Doc:
        node = path.node
        match node:
            case ts.Member() | ts.Element():
                return self._member(path, node)
            case ts.Template():
                return self._template(path, node)
            case ts.Object():
                return self._object(path, node)
            case ts.Array():
                return self._array(path, node)
            case ts.Spread():
                return concat("...", self.print(Path(node.value, path, "value")))
            case ts.New():
                before, after = self._words.around("construct", "construction", (node.token,)) if node.token else ("", "")
                call = self._call(path, node)
                return concat(before, call, after) if before or after else call
            case ts.Call():
                return self._call(path, node)
            case ts.NonNull():
                return concat(self.print(Path(node.value, path, "value")), "!")
            case ts.As():
                printed = concat(self.print(Path(node.value, path, "value")), " as ", self.types.print(node.type))
                return _in_lines(path, printed)
            case ts.Unary():
                return concat(node.operator, self.print(Path(node.value, path, "value")))
            case ts.Await():
                return _in_lines(path, concat("await ", self.print(Path(node.value, path, "value"))))
            case ts.Binary():
                return print_operation(self, path)
            case ts.Conditional():
                return print_conditional(self, path)
            case ts.Arrow():
                return self._arrow(path, node, opened)
            case _:
                raise AssertionError(type(node))

    # -- literals -----------------------------------------------------------------------------------------------------

    def _template(self, path: Path, node: ts.Template) -> Doc:
        parts: list[Doc] = [BOUNDARY, "`", _template_part(node, 0)]
        columns = 0
        for at, value in enumerate(node.values):
            before = node.texts[at] if node.lines else ""
            if "\n" in before:
                columns = _leading_columns(before.rpartition("\n")[2])
            hole = self._hole(Path(value, path, "value"), columns, fresh=before.endswith("\n"))
            parts += [hole, _template_part(node, at + 1)]
        parts.append("`")
        if node.tag is not None:
            parts.insert(0, self.print(Path(node.tag, path, "tag")))
        return concat(*parts)

    def _hole(self, path: Path, columns: int, *, fresh: bool) -> Doc:
        """`${value}`: never broken unless the value must break, as the text around it determines the line length."""
        doc = self.print(path)
        flat = doc if isinstance(doc, str) else print_doc(doc, width=_UNBOUNDED).text
        if "\n" not in flat:
            return concat("${", flat, BOUNDARY, "}")
        value = path.node
        while isinstance(value, ts.NonNull):
            value = value.value
        if isinstance(value, ts.Identifier | ts.Member | ts.Element | ts.Conditional | ts.As | ts.Binary):
            doc = concat(indent(SOFTLINE, doc), SOFTLINE)
        # Lines in the hole are indented relative to the enclosing text.
        if columns:
            doc = align(TO_ROOT, align(columns, doc))
        elif fresh:
            doc = align(TO_ROOT, doc)
        return group("${", doc, BOUNDARY, "}")

    def _array(self, path: Path, node: ts.Array) -> Doc:
        if not node.elements:
            return _empty("[", node.closing, "]")
        printed = [self.print(Path(e, path, "element")) for e in node.elements]
        mark = GroupId()
        if is_concise(node) and not node.comments:
            parts: list[Doc] = []
            for at, element in enumerate(printed):
                end = "," if at + 1 < len(printed) else if_break(",", "", mark)
                parts += [concat(element, end), LINE]
            contents: Doc = fill(parts[:-1])
        else:
            comments = node.comments or [NO_COMMENTS] * len(printed)
            elements = [with_comments(group(d), around) for d, around in zip(printed, comments, strict=True)]
            contents = concat(join(concat(",", LINE), elements), if_break(","))
        broken = _has_rows(node)
        return group(
            "[", indent(SOFTLINE, contents, *_closing(node.closing)), SOFTLINE, "]", should_break=broken, id=mark
        )

    def _object(self, path: Path, node: ts.Object) -> Doc:
        if not node.properties:
            return _empty("{", node.closing, "}")
        properties = join(concat(",", LINE), (self._property(path, p) for p in node.properties))
        contents = concat(properties, *_closing(node.closing), if_break(","))
        broken = node.expanded or node in self._expanded
        mark = None if broken else GroupId(node)
        return group("{", indent(LINE, contents), LINE, "}", should_break=broken, id=mark)

    def _property(self, path: Path, node: ts.Property | ts.Spread) -> Doc:
        here = Path(node, path, "property")
        if isinstance(node, ts.Spread):
            return with_comments(self.print(here), node.comments)
        return self.marked(node.origin, with_comments(self._key_and_value(here, node), node.comments))

    def marked(self, origin: Mark | None, printed: Doc) -> Doc:
        """`printed` with marks of its origin, if there is a recorder."""
        if origin is None or self._recorder is None:
            return printed
        before, behind = self._recorder.marks(origin)
        return enclose(before, printed, behind)

    def _key_and_value(self, here: Path, node: ts.Property) -> Doc:
        value = node.value
        if not isinstance(node.key, str | ts.Variable):
            inner = self.print(Path(node.key, here, "key"))
            key: Doc = f"[{inner}]" if isinstance(inner, str) else concat("[", inner, "]")
        else:
            name = node.key if isinstance(node.key, str) else self.spelling(node.key)
            # A plain key of this name would set the prototype.
            key = f"[{quote(name)}]" if name == "__proto__" else property_key(name)
            if isinstance(value, ts.Identifier) and self.spelling(value) == key:
                return self.marked(node.value_origin, key)
        return print_assignment(self, key, ":", Path(value, here, "value"), origin=node.value_origin)

    # -- calls and members --------------------------------------------------------------------------------------------

    def _call(self, path: Path, node: ts.Call | ts.New) -> Doc:
        if _is_hugged_template(node):
            arguments: Doc = concat("(", self.print(Path(node.args[0], path, "argument")), ")")
        elif isinstance(node, ts.Call) and is_member(node.callee):
            return self._chain(path).doc
        else:
            arguments = print_arguments(self, path)
        callee = self.print(Path(node.callee, path, "callee"))
        if isinstance(node, ts.New):
            return concat("new ", callee, arguments)
        return concat(callee, self.types.arguments(node.types), arguments)

    def _member(self, path: Path, node: ts.Member | ts.Element) -> Doc:
        source = Path(node.source, path, "source")
        step = self.lookup(path)
        return concat(self.print(source), step if self._member_stays(path, node) else group(indent(SOFTLINE, step)))

    def _member_stays(self, path: Path, node: ts.Member | ts.Element) -> bool:
        """Return whether the step never moves to the next line."""
        around = path.parent
        child = path
        while around is not None and isinstance(around.node, ts.Member | ts.Element | ts.NonNull):
            child, around = around, around.parent
        outside = around.node if around is not None else None
        if isinstance(outside, ts.Assign) and not isinstance(outside.target, ts.Identifier):
            return True
        if isinstance(outside, ts.New) and child.key == "callee":
            return True
        if is_computed(node):
            return True
        beside = path.parent
        while beside is not None and isinstance(beside.node, ts.NonNull):
            beside = beside.parent
        next_node = beside.node if beside is not None else None
        begins = isinstance(node.source, ts.Identifier) and self.spelling(node.source) != "this"
        if begins and not is_member(next_node):
            return True
        if not isinstance(next_node, ts.Declare | ts.Assign):
            return False
        inner = bare(node.source)
        return isinstance(inner, ts.Call) and bool(inner.args)

    def lookup(self, path: Path) -> Doc:
        """`.name`, `["name"]`, `[key]`."""
        node = path.node
        if isinstance(node, ts.Member):
            if is_identifier(node.name):
                return f"{'?' if node.optional else ''}.{node.name}"
            return self._brackets(node.optional, quote(node.name), False)
        assert isinstance(node, ts.Element)
        key = self.print(Path(node.key, path, "key"))
        return self._brackets(node.optional, key, isinstance(node.key, ts.Number))

    def _brackets(self, optional: bool, key: Doc, number: bool) -> Doc:
        opening = "?.[" if optional else "["
        if number:
            return concat(opening, key, "]")
        return group(opening, indent(SOFTLINE, key), SOFTLINE, "]")

    # -- the rest -----------------------------------------------------------------------------------------------------

    def _arrow(self, path: Path, node: ts.Arrow, opened: bool) -> Doc:
        signature = group(self._parameters(node.parameters, opened))
        comma, end = (if_break(","), SOFTLINE) if opened else ("", "")
        body = node.body
        if isinstance(body, tuple):
            return group(signature, " =>", group(" ", self._block(body, path)))
        printed = self.print(Path(body, path, "body"))
        if isinstance(body, ts.Conditional) and not any(isinstance(part, ts.Object) for part in leftmost(body)):
            inner = (if_break("", "("), indent(SOFTLINE, printed), if_break("", ")"), comma, end)
            return group(signature, " =>", group(" ", group(*inner)))
        if isinstance(body, ts.Array | ts.Object) or is_multiline(body):
            return group(signature, " =>", group(" ", printed))
        return group(signature, " =>", group(indent(LINE, printed), comma, end))

    def _parameters(self, parameters: tuple[ts.Parameter, ...], opened: bool) -> Doc:
        printed = [self._parameter(p, opened) for p in parameters]
        if not printed:
            return "()"
        if opened:
            return group("(", join(", ", printed), ")")
        if len(parameters) == 1 and parameters[0].pattern:
            return concat("(", printed[0], ")")
        return group("(", indent(SOFTLINE, join(concat(",", LINE), printed)), if_break(","), SOFTLINE, ")")

    def _parameter(self, parameter: ts.Parameter, flat: bool) -> Doc:
        parts = self.names(parameter.variables)
        if not parameter.pattern:
            return parts[0]
        if flat:
            inner = ", ".join(parts)
            return f"[{inner}]" if parameter.pattern == "[" else f"{{ {inner} }}"
        opening, closing = ("[", "]") if parameter.pattern == "[" else ("{", "}")
        space = SOFTLINE if parameter.pattern == "[" else LINE
        return group(opening, indent(space, join(concat(",", LINE), parts)), if_break(","), space, closing)

    def names(self, variables: Iterable[ts.Variable | None]) -> list[str]:
        """The names of variables; "" for None."""
        return ["" if variable is None else self.spelling(variable) for variable in variables]


def _in_lines(path: Path, printed: Doc) -> Doc:
    """A cast or an `await`; before a call or a step it may stand on lines of its own, in parentheses."""
    return group(indent(SOFTLINE, printed), SOFTLINE) if path.key in ("callee", "source") else printed


def _print_text(node: ts.Text) -> Doc:
    if not is_multiline(node):
        return quote(node.value)
    return concat(BOUNDARY, "`", literal_text(template_text(node.value)), "`")


_LEAVES: Final[Mapping[type, Callable[[ExpressionPrinter, Any], Doc]]] = {
    **dict.fromkeys((ts.Name, ts.Global, ts.Imported, ts.Helper), ExpressionPrinter.spelling),
    **dict.fromkeys((ts.Number, ts.Constant), lambda _, node: node.text),
    ts.Text: lambda _, node: _print_text(node),
}
"""Expressions without parts, which need no parentheses."""


def _leading_columns(line: str) -> int:
    """The width of the blanks at the start of `line`."""
    columns = 0
    for c in line:
        if c == "\t":
            columns += _TAB_WIDTH - columns % _TAB_WIDTH
        elif c == " ":
            columns += 1
        else:
            break
    return columns


def _template_part(node: ts.Template, at: int) -> Doc:
    text = template_text(node.texts[at])
    return literal_text(text) if node.lines else text.replace("\n", "\\n").replace("\t", "\\t")


def _is_hugged_template(node: ts.Call | ts.New) -> bool:
    return len(node.args) == 1 and is_template(node.args[0]) and is_multiline(node.args[0])


def _has_rows(node: ts.Array) -> bool:
    """Return whether a list has several objects, or several lists, each with several members: one element per line."""
    elements = node.elements
    if len(elements) < 2:
        return False
    if all(isinstance(e, ts.Object) and len(e.properties) > 1 for e in elements):
        return True
    return all(isinstance(e, ts.Array) and len(e.elements) > 1 for e in elements)


def with_comments(doc: Doc, comments: Comments) -> Doc:
    """`doc` with its comments: lines above it, and the rest at the end of its line."""
    if comments == NO_COMMENTS:
        return doc
    above = [part for text in comments.leading for part in (comment_text(text), HARDLINE)]
    text = " ".join(line.strip() for line in comments.trailing if line.strip())
    behind = [line_suffix(" " + comment_text(text)), BREAK_PARENT] if text else []
    return concat(*above, doc, *behind)


_DIRECTIVES = re.compile(r"@ts-|prettier-ignore|eslint|@jsx|<reference|# ?source", re.IGNORECASE)
"""Directives in comments for the TypeScript compiler, prettier and eslint."""


def comment_text(text: str) -> str:
    """A comment line: two slashes and its text."""
    return comment_line("//", text, _DIRECTIVES)


def _closing(lines: tuple[str, ...]) -> list[Doc]:
    parts: list[Doc] = []
    gap: Doc = ""
    for text in lines:
        if text == GAP:
            gap = HARDLINE
            continue
        parts += [line_suffix(gap, HARDLINE, comment_text(text)), BREAK_PARENT]
        gap = ""
    return parts


def _empty(opening: str, closing: tuple[str, ...], end: str) -> Doc:
    if not closing:
        return opening + end
    lines: list[Doc] = [comment_text(text) for text in closing]
    return group(opening, indent(HARDLINE, join(HARDLINE, lines)), HARDLINE, end, should_break=True)


# -- operators and conditionals ---------------------------------------------------------------------------------------------

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
