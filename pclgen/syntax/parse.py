"""Bytes to text, text to tree.

The bytes of a file become a `SourceFile` and an `ast.File`; mistakes are reported to the bag. A file without mistakes is
parsed in one run. When that fails the tokens are divided into items (`recover`), so that each mistake is reported once and
the rest of the file is still checked.
"""

from __future__ import annotations

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.ast import Comments, split_header
from pclgen.syntax.lexer import lex
from pclgen.syntax.parser import Parser, Unexpected

BOM = b"\xef\xbb\xbf"


def decode_source(name: str, data: bytes, bag: DiagnosticBag) -> SourceFile:
    """Return the text of a file: UTF-8, without its byte-order mark.

    Bytes that are not UTF-8 are reported and become U+FFFD.
    """
    skipped = len(BOM) if data.startswith(BOM) else 0
    data = data[skipped:]
    try:
        return SourceFile(name, data.decode("utf-8"))
    except UnicodeDecodeError as failure:
        offset = len(data[: failure.start].decode("utf-8"))
        source = SourceFile(name, data.decode("utf-8", errors="replace"))
        bag.add(say.invalid_utf8(Span(source, offset, offset + 1), data[failure.start], skipped + failure.start))
        return source


def parse_file(source: SourceFile, bag: DiagnosticBag) -> ast.File:
    """Return the tree of a file.

    After mistakes (reported to `bag`) it has the items that could be parsed, with `Missing` values.
    """
    lexed = lex(source, mended=bag.has_errors)
    comments = Comments(source, lexed.comments)
    parser = Parser(source, comments)
    if not lexed.diagnostics and not lexed.strays:
        try:
            body = parser.parse(lexed.tokens, "file")
        except Unexpected:
            comments.release(0, len(source.text))
        else:
            bag.extend(parser.builder.diagnostics)
            return _file(source, body)
    from pclgen.syntax.recover import recover_file

    if lexed.unbalanced and not lexed.cut_off:
        lexed = lex(source, unbalanced=lexed, mended=bag.has_errors)
        comments = Comments(source, lexed.comments)
        parser = Parser(source, comments)
    return _file(source, recover_file(parser, lexed, bag))


def _file(source: SourceFile, body: ast.Body) -> ast.File:
    header, body = split_header(source, body)
    return ast.File(source=source, body=body, header=header)
