"""Single errors, planted at seeded places of valid programs.

Each kind of error yields the places of a valid program where it can be planted (`Plant`), each with the lines on which it
may be reported.  Declarations come from the bound program, so that a plant is certainly an error: an unknown member of an
`any` would be none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pclgen.bind.scope import free_names
from pclgen.core.expr import Attr, Expr
from pclgen.core.program import ComponentUse, Node, Program, Resource
from pclgen.core.walk import expressions_of, walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.lexer import lex
from pclgen.syntax.parse import parse_file
from pclgen.syntax.tokens import CLOSING, OPENING, Token
from pclgen.types.model import DYNAMIC, PrimitiveType, resolve, without_none

MISSPELT = "Zz"
_WRONG_TYPE = '[["wrong"]]'


@dataclass(frozen=True, slots=True)
class Plant:
    """An edit of one file: `start:end` becomes `text`; reported on one of the original lines `first` to `last`."""

    file: str
    start: int
    end: int
    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Soil:
    """A valid program: its texts by path, their trees, and the programs of its root and its components."""

    texts: Mapping[str, str]
    trees: tuple[ast.File, ...]
    programs: tuple[Program, ...]

    def nodes(self) -> Iterator[Node]:
        """All nodes, including those of components."""
        for program in self.programs:
            yield from program.nodes

    def items(self) -> Iterator[ast.Item]:
        """All items of all files."""
        for tree in self.trees:
            yield from tree.body.items

    def blocks(self, *types: str) -> Iterator[ast.Block]:
        """The top-level blocks of files whose keyword is among `types`."""
        for item in self.items():
            if isinstance(item, ast.Block) and item.type.text in types:
                yield item

    def tokens(self) -> Iterator[tuple[SourceFile, Token]]:
        """All tokens."""
        for tree in self.trees:
            for token in lex(tree.source).tokens:
                yield tree.source, token


def soil(texts: Mapping[str, str], program: Program) -> Soil:
    """A valid program to plant errors in, with only the files that the program reads."""
    programs: dict[str, Program] = {"": program}
    pending = [program]
    while pending:
        for component in pending.pop().components:
            if component.path not in programs:
                programs[component.path] = component.program
                pending.append(component.program)
    used = {name for name in texts if name.rpartition("/")[0] in programs}
    trees = tuple(parse_file(SourceFile(name, texts[name]), DiagnosticBag()) for name in sorted(used))
    return Soil(texts=texts, trees=trees, programs=tuple(programs.values()))


def _edit(span: Span, text: str, *, last: Span | None = None) -> Plant:
    end = span if last is None else last
    return Plant(span.file.name, span.start, span.end, text, span.start_position.line, end.end_position.line)


def _after(span: Span, text: str) -> Plant:
    return _edit(span.tail(), text)


def _unknown_name(soil: Soil) -> Iterator[Plant]:
    for value in _values(soil):
        for name, span in free_names(value):
            if span.text == name and name != "range":
                yield _after(span, MISSPELT)


def _values(soil: Soil) -> Iterator[ast.Expr]:
    """The values of locals and outputs, whose free names are names of the program."""
    for item in soil.items():
        if isinstance(item, ast.Attribute):
            yield item.value
    for block in soil.blocks("output"):
        yield from (inner.value for inner in block.body.items if isinstance(inner, ast.Attribute))


def _unknown_member(soil: Soil) -> Iterator[Plant]:
    for expr in _expressions(soil):
        if isinstance(expr, Attr) and expr.field is not None and expr.span.text.endswith(f".{expr.name}"):
            yield _after(expr.span, MISSPELT)


def _expressions(soil: Soil) -> Iterator[Expr]:
    for node in soil.nodes():
        for expression in expressions_of(node):
            yield from walk(expression)


def _bodies(soil: Soil) -> Iterator[tuple[ast.Block, Resource | ComponentUse]]:
    nodes = {
        (node.name_span.file.name, node.name_span.start): node
        for node in soil.nodes()
        if isinstance(node, Resource | ComponentUse)
    }
    for block in soil.blocks("resource", "component"):
        owner = nodes.get((block.labels[0].span.file.name, block.labels[0].span.start))
        if owner is not None:
            yield block, owner


def _attributes(soil: Soil) -> Iterator[tuple[ast.Attribute, Resource | ComponentUse]]:
    for block, node in _bodies(soil):
        yield from ((item, node) for item in block.body.items if isinstance(item, ast.Attribute))


def _unknown_property(soil: Soil) -> Iterator[Plant]:
    for attribute, node in _attributes(soil):
        if len(attribute.name.text) > 2 and any(
            argument.name == attribute.name.text and argument.field is not None for argument in node.inputs
        ):
            yield _after(attribute.name.span, MISSPELT)


def _missing_property(soil: Soil) -> Iterator[Plant]:
    for block, node in _bodies(soil):
        required = {argument.name for argument in node.inputs if argument.field is not None and argument.field.required}
        for item in block.body.items:
            if isinstance(item, ast.Attribute) and item.name.text in required:
                head = block.span.start_position.line
                last = block.span.end_position.line
                yield Plant(block.span.file.name, item.span.start, item.span.end, "", head, last)


def _wrong_type(soil: Soil) -> Iterator[Plant]:
    for attribute, node in _attributes(soil):
        declared = next((argument.field for argument in node.inputs if argument.name == attribute.name.text), None)
        plain = without_none(resolve(declared.type)) if declared is not None else DYNAMIC
        if isinstance(plain, PrimitiveType) and plain is not DYNAMIC:
            yield _edit(attribute.value.span, _WRONG_TYPE)


def _misspelt_token(soil: Soil) -> Iterator[Plant]:
    for block in soil.blocks("resource"):
        span = block.labels[1].span
        if block.labels[1].quoted:
            yield _edit(Span(span.file, span.end - 1, span.end), f'{MISSPELT}"')


def _misspelt_package(soil: Soil) -> Iterator[Plant]:
    for block in soil.blocks("resource"):
        label = block.labels[1]
        if label.quoted and not label.text.startswith("pulumi"):
            yield _edit(Span(label.span.file, label.span.start, label.span.start + 1), '"zz')


def _misspelt_function(soil: Soil) -> Iterator[Plant]:
    for value in _values(soil):
        for call in _calls(value):
            yield _after(call.name.span, MISSPELT)


def _calls(value: ast.Expr) -> Iterator[ast.Call]:
    for expr in parts(value):
        if isinstance(expr, ast.Call):
            yield expr


def _duplicate_name(soil: Soil) -> Iterator[Plant]:
    for item in soil.items():
        if isinstance(item, ast.Attribute):
            text = f"{item.name.text} = 1"
        elif item.type.text in ("config", "resource"):
            text = f"config {item.labels[0].span.text} string {{}}"
        else:
            continue
        file = item.span.file
        end = Span(file, len(file.text), len(file.text))
        start = end.start_position.line
        yield Plant(file.name, end.start, end.end, f"\n{text}\n", start, start + 1)


def _duplicate_property(soil: Soil) -> Iterator[Plant]:
    for attribute, _ in _attributes(soil):
        line = attribute.span.end_position.line
        text = f"\n{attribute.span.text}"
        yield Plant(attribute.span.file.name, attribute.span.end, attribute.span.end, text, line, line + 1 + text.count("\n"))


def _unknown_option(soil: Soil) -> Iterator[Plant]:
    for block, _ in _bodies(soil):
        for item in block.body.items:
            if isinstance(item, ast.Block) and item.type.text == "options":
                yield from (_after(o.name.span, MISSPELT) for o in item.body.items if isinstance(o, ast.Attribute))


def _range_without_range(soil: Soil) -> Iterator[Plant]:
    declares = any(isinstance(item, ast.Attribute) and item.name.text == "range" for item in soil.items())
    for attribute, node in _attributes(soil):
        if node.range is None and not declares:
            yield _edit(attribute.value.span, "range.value")


def _swapped_labels(soil: Soil) -> Iterator[Plant]:
    for block in soil.blocks("resource"):
        first, second = block.labels[0].span, block.labels[1].span
        yield _edit(first.to(second), f"{second.text} {first.text}")


def _unknown_block(soil: Soil) -> Iterator[Plant]:
    for item in soil.items():
        if isinstance(item, ast.Block):
            yield _after(item.type.span, MISSPELT)


def _missing_label(soil: Soil) -> Iterator[Plant]:
    for block in soil.blocks("resource"):
        yield _edit(block.labels[1].span, "", last=block.open_brace)


def _missing_value(soil: Soil) -> Iterator[Plant]:
    for item in soil.items():
        if isinstance(item, ast.Attribute):
            yield _edit(item.value.span, "")
    for attribute, _ in _attributes(soil):
        yield _edit(attribute.value.span, "")


def _missing_equal_sign(soil: Soil) -> Iterator[Plant]:
    for attribute, _ in _attributes(soil):
        file = attribute.span.file
        at = file.text.index("=", attribute.name.span.end)
        yield _edit(Span(file, at, at + 1), "")


def _missing_operand(soil: Soil) -> Iterator[Plant]:
    for item in soil.items():
        for value in _values_in(item):
            for expr in parts(value):
                if isinstance(expr, ast.Binary):
                    yield _edit(expr.right.span, "")
                if isinstance(expr, ast.Conditional):
                    yield _edit(expr.otherwise.span, "")


def _values_in(item: ast.Item) -> Iterator[ast.Expr]:
    if isinstance(item, ast.Attribute):
        yield item.value
    else:
        for inner in item.body.items:
            yield from _values_in(inner)


def _missing_token(types: frozenset[str]) -> Callable[[Soil], Iterator[Plant]]:
    """A missing bracket or quote, reported at or beside its place or the place of its partner.

    Strings inside strings, and strings with quotes in them, are skipped: their quotes are ambiguous.
    """

    def find(soil: Soil) -> Iterator[Plant]:
        for tree in soil.trees:
            opened: list[Token] = []
            for token in lex(tree.source).tokens:
                if token.type in OPENING:
                    opened.append(token)
                if token.type not in CLOSING:
                    continue
                opener = opened.pop()
                pair = tree.source.span(opener.start, token.end)
                nested = any(outer.type == "OQUOTE" for outer in opened[:-1]) or re.search(r"[\\']", pair.text) is not None
                for end in (opener, token):
                    if end.type in types and not (nested and end.type in ("OQUOTE", "CQUOTE", "TCLOSE")):
                        span = tree.source.span(end.start, end.end)
                        first, last = pair.start_position.line, pair.end_position.line
                        yield Plant(tree.source.name, span.start, span.end, "", first - 1, last + 1)

    return find


def _stray(types: frozenset[str], bracket: str) -> Callable[[Soil], Iterator[Plant]]:
    """An extra closing bracket, reported at the end of the item at the latest, since it may close another bracket."""

    def find(soil: Soil) -> Iterator[Plant]:
        ends = {source: _item_ends(source, tree) for tree in soil.trees for source in (tree.source,)}
        for source, token in soil.tokens():
            if token.type in types and token.end > token.start:
                line = source.position(token.end).line
                last = next((end for end in ends[source] if end >= line), line)
                yield Plant(source.name, token.end, token.end, bracket, line, last)

    return find


def _item_ends(source: SourceFile, tree: ast.File) -> list[int]:
    return [source.position(item.span.end).line for item in tree.body.items]


def _token(types: frozenset[str], change: Callable[[str], str]) -> Callable[[Soil], Iterator[Plant]]:
    """Replace a token by another text."""

    def find(soil: Soil) -> Iterator[Plant]:
        for source, token in soil.tokens():
            if token.type in types and token.end > token.start:
                span = source.span(token.start, token.end)
                yield _edit(span, change(span.text))

    return find


def parts(value: ast.Expr) -> Iterator[ast.Expr]:
    """`value` and the expressions inside it, except those of loops and templates."""
    pending = [value]
    while pending:
        expr = pending.pop()
        yield expr
        match expr:
            case ast.Call():
                pending += expr.args
            case ast.Unary():
                pending.append(expr.operand)
            case ast.Binary():
                pending += (expr.left, expr.right)
            case ast.Conditional():
                pending += (expr.condition, expr.then, expr.otherwise)
            case ast.TupleExpr():
                pending += [element.value for element in expr.elements]
            case ast.ObjectExpr():
                pending += [item.value for item in expr.items]
            case ast.Parens():
                pending.append(expr.inner)
            case _:
                pass


KINDS: Mapping[str, Callable[[Soil], Iterator[Plant]]] = {
    "unknown name": _unknown_name,
    "unknown member": _unknown_member,
    "unknown property": _unknown_property,
    "missing property": _missing_property,
    "wrong type": _wrong_type,
    "misspelt token": _misspelt_token,
    "misspelt package": _misspelt_package,
    "misspelt function": _misspelt_function,
    "duplicate name": _duplicate_name,
    "duplicate property": _duplicate_property,
    "unknown option": _unknown_option,
    "range without a range": _range_without_range,
    "swapped labels": _swapped_labels,
    "unknown block": _unknown_block,
    "missing label": _missing_label,
    "missing value": _missing_value,
    "missing equal sign": _missing_equal_sign,
    "missing operand": _missing_operand,
    "missing brace": _missing_token(frozenset({"LBRACE", "LBLOCK", "RBRACE"})),
    "missing parenthesis": _missing_token(frozenset({"LPAR", "RPAR"})),
    "missing bracket": _missing_token(frozenset({"LSQB", "RSQB"})),
    "missing quote": _missing_token(frozenset({"OQUOTE", "CQUOTE"})),
    "missing brace of an interpolation": _missing_token(frozenset({"TCLOSE"})),
    "doubled operator": _token(frozenset({"BINOP", "QMARK", "ARROW"}), lambda text: f"{text} {text}"),
    "doubled comma": _token(frozenset({"COMMA"}), lambda text: ",,"),
    "comparison for an equal sign": _token(frozenset({"EQUAL"}), lambda text: "=="),
    "stray character": _token(frozenset({"IDENT", "NUMBER"}), lambda text: f"{text} @"),
    "stray closing brace": _stray(frozenset({"NUMBER", "CQUOTE"}), "}"),
    "stray closing bracket": _stray(frozenset({"NUMBER", "CQUOTE"}), "]"),
    "stray closing parenthesis": _stray(frozenset({"NUMBER", "CQUOTE"}), ")"),
    "semicolon": _token(frozenset({"CQUOTE", "NUMBER"}), lambda text: f"{text};"),
}
