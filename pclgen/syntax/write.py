"""The text of a tree: PCL for trees of other front ends.

The text of an `ast.File` parses to the same tree, comments included; `syntax.format` lays it out.

    Attribute(name=Name("a"), value=Template((TemplateText("x\\ny"),)))   ->   a = "x\\ny"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from pclgen.source.numbers import decimal_text
from pclgen.source.text import CONTROL, LINE_END, MORE_MARKS
from pclgen.syntax import ast

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL: Final = re.compile(f'["\\\\\t]|{LINE_END.pattern}|{CONTROL.pattern}|[\ud800-\udfff]')
_MARKS: Final = re.compile(r"([$%]+)\{")
_IN_NO_HEREDOC: Final = re.compile(f"(?!\n)(?:{LINE_END.pattern}|{CONTROL.pattern})|[$%]{{2,}}\\{{|[\ud800-\udfff]")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STEPS: Final = (ast.Variable, ast.GetAttr, ast.Index, ast.Splat, ast.SplatItem, ast.Call, ast.Parens)


def write_file(file: ast.File) -> str:
    """Return the text of a file."""
    header = [*_comments(file.header), ""] if file.header else ()
    return "".join(f"{line}\n" for line in (*header, *_body(file.body, blank=True)))


def quote(text: str) -> str:
    """Return `text` as a string of PCL, with its quotes."""
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return _MARKS.sub(_doubled, _SPECIAL.sub(lambda match: "".join(_spelled(c) for c in match[0]), text))


def _doubled(match: re.Match[str]) -> str:
    """Return a mark before `{` twice; the last mark of several is escaped, since two would be read as one."""
    marks = match[1]
    return f"{marks}{marks}{{" if len(marks) == 1 else f"{marks[:-1]}\\u{ord(marks[-1]):04x}{{"


def _spelled(character: str) -> str:
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _body(body: ast.Body, *, blank: bool) -> Iterator[str]:
    for number, item in enumerate(body.items):
        if blank and number and ast.Block in (type(item), type(body.items[number - 1])):
            yield ""
        yield from _item(item)
    yield from _comments(body.closing)


def _item(item: ast.Item) -> Iterator[str]:
    yield from _comments(item.leading)
    end = "" if isinstance(item, ast.Attribute) and _heredoc(item.value) is not None else _trailing(item.trailing)
    if not end:
        yield from _comments(item.trailing)
    if isinstance(item, ast.Attribute):
        yield f"{item.name.text} = {_value(item.value)}{end}"
        return
    labels = "".join(f" {quote(label.text) if label.quoted else label.text}" for label in item.labels)
    if not item.body.items and not item.body.closing and not item.header:
        yield f"{item.type.text}{labels} {{}}{end}"
        return
    yield f"{item.type.text}{labels} {{{_trailing(item.header)}"
    yield from _body(item.body, blank=False)
    yield f"}}{end}"


def _comments(comments: Sequence[ast.Comment]) -> Iterator[str]:
    for comment in comments:
        if comment.gap_before:
            yield ""
        for line in comment.lines:
            is_joined = line.startswith("#") and MORE_MARKS.match(line)
            yield f"#{'' if is_joined else ' '}{line}".rstrip()


def _trailing(comments: Sequence[ast.Comment]) -> str:
    lines = [line for comment in comments for line in comment.lines]
    return f" # {' '.join(lines)}" if lines else ""


def _expr(expr: ast.Expr) -> str:
    match expr:
        case ast.NumberLit():
            return decimal_text(expr.value)
        case ast.BoolLit():
            return "true" if expr.value else "false"
        case ast.NullLit() | ast.Missing():
            return "null"
        case ast.Template():
            return f'"{_parts(expr.parts)}"'
        case ast.Variable():
            return expr.name
        case ast.GetAttr():
            return f"{_source(expr.source)}.{expr.name.text}"
        case ast.Index(legacy=True):
            return f"{_source(expr.source)}.{_expr(expr.key)}"
        case ast.Index():
            return f"{_source(expr.source)}[{_expr(expr.key)}]"
        case ast.SplatItem():
            return ""
        case ast.Splat():
            return f"{_source(expr.source)}{'[*]' if expr.full else '.*'}{_expr(expr.each)}"
        case ast.Call():
            args = ", ".join(_expr(arg) for arg in expr.args)
            return f"{expr.name.text}({args}{'...' if expr.expand else ''})"
        case ast.Unary():
            operand = _expr(expr.operand) if isinstance(expr.operand, ast.NumberLit) else _source(expr.operand)
            return f"{expr.operator}{operand}"
        case ast.Binary():
            return f"{_operand(expr.left)} {expr.operator} {_operand(expr.right)}"
        case ast.Conditional():
            parts = (expr.condition, expr.then, expr.otherwise)
            condition, then, otherwise = (_operand(part) for part in parts)
            return f"{condition} ? {then} : {otherwise}"
        case ast.TupleExpr():
            return _list(expr)
        case ast.ObjectExpr():
            return _object(expr)
        case ast.ForExpr():
            return _loop(expr)
        case ast.Parens():
            return f"({_expr(expr.inner)})"
        case _:
            assert_never(expr)


def _value(expr: ast.Expr) -> str:
    """Return the text of a value at the end of an item, where a text of several lines may be a heredoc."""
    return _heredoc(expr) or _expr(expr)


def _heredoc(expr: ast.Expr) -> str | None:
    """Return a heredoc for a template that was a heredoc, if possible."""
    if not isinstance(expr, ast.Template) or expr.heredoc is None:
        return None
    last = expr.parts[-1] if expr.parts else None
    if not isinstance(last, ast.TemplateText) or not last.value.endswith("\n"):
        return None
    written: list[str] = []
    for part in expr.parts:
        if isinstance(part, ast.TemplateText):
            if _IN_NO_HEREDOC.search(part.value) or (part is not last and part.value.endswith(("$", "%"))):
                return None
            written.append(_MARKS.sub(r"\1\1{", part.value))
        elif isinstance(part, ast.Interpolation):
            written.append(_part(part))
        else:
            return None
    text = "".join(written)
    lines = {line.strip() for line in text.split("\n")}
    marker = next(name for number in range(len(lines) + 1) if (name := f"EOT{number or ''}") not in lines)
    return f"<<{marker}\n{text}{marker}"


def _source(expr: ast.Expr) -> str:
    """Return the text of an expression that steps may follow."""
    written = _expr(expr)
    return written if isinstance(expr, _STEPS) else f"({written})"


def _operand(expr: ast.Expr) -> str:
    written = _expr(expr)
    return f"({written})" if isinstance(expr, ast.Binary | ast.Conditional) else written


def _parts(parts: Sequence[ast.TemplatePart]) -> str:
    """Return a template; a mark at the end of a text is escaped, since the next part begins with a mark."""
    written = [_part(part) for part in parts]
    for number in range(len(written) - 1):
        if isinstance(parts[number], ast.TemplateText) and written[number].endswith(("$", "%")):
            written[number] = f"{written[number][:-1]}\\u{ord(written[number][-1]):04x}"
    return "".join(written)


def _part(part: ast.TemplatePart) -> str:
    match part:
        case ast.TemplateText():
            return _escaped(part.value)
        case ast.Interpolation():
            return f"${{{_expr(part.value)}}}"
        case ast.TemplateIf():
            then, otherwise = _parts(part.then), _parts(part.otherwise)
            other = f"%{{ else }}{otherwise}" if part.otherwise else ""
            return f"%{{ if {_expr(part.condition)} }}{then}{other}%{{ endif }}"
        case ast.TemplateFor():
            head = f"%{{ for {_variables(part.key, part.value)} in {_expr(part.collection)} }}"
            return f"{head}{_parts(part.body)}%{{ endfor }}"
        case _:
            assert_never(part)


def _variables(key: ast.Name | None, value: ast.Name) -> str:
    return value.text if key is None else f"{key.text}, {value.text}"


def _list(expr: ast.TupleExpr) -> str:
    flat = all(not element.leading and not element.trailing for element in expr.elements) and not expr.closing
    short = ast.NumberLit | ast.BoolLit | ast.Variable | ast.GetAttr
    simple = all(isinstance(element.value, short) for element in expr.elements)
    if not expr.elements and flat:
        return "[]"
    if flat and (simple or len(expr.elements) == 1):
        return f"[{', '.join(_expr(element.value) for element in expr.elements)}]"
    lines = ["["]
    for element in expr.elements:
        lines += [*_comments(element.leading), f"{_expr(element.value)},{_trailing(element.trailing)}"]
    return "\n".join([*lines, *_comments(expr.closing), "]"])


def _object(expr: ast.ObjectExpr) -> str:
    if not expr.items and not expr.closing:
        return "{}"
    lines = ["{"]
    for item in expr.items:
        value = _expr(item.value) if item.trailing else _value(item.value)
        lines += [*_comments(item.leading), f"{_key(item.key)} = {value}{_trailing(item.trailing)}"]
    return "\n".join([*lines, *_comments(expr.closing), "}"])


def _key(key: ast.ObjectKey) -> str:
    if isinstance(key, ast.BareKey):
        return key.text if _NAME.fullmatch(key.text) else quote(key.text)
    return _expr(key.value) if isinstance(key.value, ast.Template) else f"({_expr(key.value)})"


def _loop(expr: ast.ForExpr) -> str:
    head = f"for {_variables(expr.key, expr.value)} in {_expr(expr.collection)} : "
    condition = "" if expr.condition is None else f" if {_expr(expr.condition)}"
    if expr.result_key is None:
        return f"[{head}{_expr(expr.result)}{condition}]"
    return f"{{{head}{_expr(expr.result_key)} => {_expr(expr.result)}{'...' if expr.group else ''}{condition}}}"
