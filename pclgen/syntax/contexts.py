"""The contexts of the lexer: the stack of open brackets, strings, heredocs and marks, and the shared state of its parts.

Tokens and faults are added to one `Lexed`.
"""

from __future__ import annotations

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import Diagnostic, Note
from pclgen.source.text import SourceFile, Span
from pclgen.syntax.tokens import MAX_DEPTH, OPERAND_ENDS, Lexed, Token

FILE, BLOCK, OBJECT, FOR, PAREN, SQUARE, MARK, STRING, HERE = range(9)
CLOSERS = {")": frozenset({PAREN}), "]": frozenset({SQUARE}), "}": frozenset({BLOCK, OBJECT, FOR, MARK})}
CLOSING = {BLOCK: "}", OBJECT: "}", FOR: "}", MARK: "}", PAREN: ")", SQUARE: "]"}
CLOSE_TYPES = {")": "RPAR", "]": "RSQB", "}": "RBRACE"}
HEADER, RESULT, FILTER = 1, 2, 3  # how far a `for` has come: its names, past `in`, past `if`


class Enclosure:
    """An open bracket, string or heredoc.

    `token` is the index of its opening token; `progress` that of a `for`; `choices` and `prefixes` count the `?` and the
    prefix operators around the next token; `directives` are the open `%{ if }`, `%{ for }` of a template, `broken` after a
    directive that did not fit; `limit` is the end of a heredoc's text and `outer_limit` the limit before it;
    `swallowed` means that a heredoc without an end may have taken the closing token.
    """

    __slots__ = (
        "broken", "choices", "directives", "end", "flush", "kind",
        "limit", "outer_limit", "prefixes", "progress", "start", "swallowed", "token",
    )  # fmt: skip  # a table with many short entries a line

    def __init__(self, kind: int, start: int, end: int, token: int) -> None:
        self.kind: int = kind
        self.start: int = start
        self.end: int = end
        self.token: int = token
        self.progress: int = 0
        self.choices: int = 0
        self.prefixes: int = 0
        self.directives: list[tuple[str, int, int]] = []
        self.broken: bool = False
        self.limit: int = 0
        self.outer_limit: int = 0
        self.flush: bool = False
        self.swallowed: bool = False


class State:
    """The state of one run, and helpers for it."""

    def __init__(self, source: SourceFile, *, unbalanced: Lexed | None, mended: bool) -> None:
        self.source = source
        self.text: str = source.text
        self.resync: bool = unbalanced is not None
        self.too_many_closers: bool = unbalanced is not None and bool(unbalanced.strays)
        self.mended = mended
        self.at: int = 0
        self.limit: int = len(source.text)
        self.out: Lexed = Lexed()
        self.tokens: list[Token] = self.out.tokens
        self.previous: str = "START"
        self.strip_next = False
        self.weight: int = 0
        self.stray_end = -1  # where the last bracket that closes nothing ends
        self.top: Enclosure = Enclosure(FILE, 0, 0, -1)
        self.stack: list[Enclosure] = [self.top]

    def put(self, type_: str, start: int, end: int, value: str) -> None:
        """Add a token; `start` and `end` are offsets in the text."""
        self.tokens.append(Token(type_, start, end, value))
        self.previous = type_

    def fault(self, diagnostic: Diagnostic, *, wide: bool = True) -> None:
        """Report a fault.  After a `wide` fault all tokens of the item are in doubt, else the token at its position."""
        span = diagnostic.primary
        assert span is not None
        if not self.out.cut_off:
            self.out.diagnostics.append(diagnostic)
        (self.out.wide_faults if wide else self.out.faults).append(span.start)

    def span(self, start: int, end: int) -> Span:
        """Return a span of the source, by offsets."""
        return Span(self.source, start, end)

    def push(self, kind: int, start: int, end: int) -> Enclosure:
        """Open a context; its opening token is the next one to be put."""
        self.top = Enclosure(kind, start, end, len(self.tokens))
        self.stack.append(self.top)
        if len(self.stack) + self.weight > MAX_DEPTH:
            self.give_up(start, end)
        return self.top

    def nest(self, start: int, end: int) -> None:
        """Count one level of nesting that is not a bracket."""
        self.weight += 1
        if len(self.stack) + self.weight > MAX_DEPTH:
            self.give_up(start, end)

    def unnest(self) -> None:
        """Leave a level of nesting."""
        self.weight -= 1

    def give_up(self, start: int, end: int) -> None:
        """Report excessive nesting, and stop."""
        self.weight = -len(self.text)
        self.fault(say.too_deep(self.span(start, end), MAX_DEPTH))
        self.out.too_deep = self.out.cut_off = True
        self.at = self.limit = len(self.text)

    def pop(self) -> Enclosure:
        """Leave the innermost context."""
        gone = self.stack.pop()
        self.top = self.stack[-1]
        self.weight -= gone.choices + gone.prefixes + len(gone.directives)
        if gone.kind == HERE:
            self.limit = gone.outer_limit
        return gone

    def indent(self, offset: int, blank: bool = False) -> int:
        """Return the number of characters before `offset` on its line; with `blank`, only of the leading blanks."""
        begin = self.text.rfind("\n", 0, offset) + 1
        if not blank:
            return offset - begin
        line = self.text[begin:offset]
        return len(line) - len(line.lstrip(" \t"))

    def line_end(self, start: int) -> int:
        """Return the end of the line of `start`, or of the lexed text."""
        end = self.text.find("\n", start, self.limit)
        return self.limit if end < 0 else end

    def called(self, context: Enclosure) -> str:
        """Return the user's name for an open bracket."""
        before = self.tokens[context.token - 1] if context.token > 0 else None
        if context.kind == MARK:
            return "`${`" if self.text[context.start] == "$" else "`%{`"
        if context.kind == PAREN and before is not None and before.type in ("IDENT", "QNAME"):
            return "call"
        if context.kind == SQUARE and before is not None and before.type in OPERAND_ENDS and before.end == context.start:
            return "index"
        return {BLOCK: "block", PAREN: "parenthesis", SQUARE: "list"}.get(context.kind, "object")

    def never_closed(self, noticed: Note | None = None) -> None:
        """Report the innermost open context, and put the token that closes it."""
        top = self.pop()
        self.out.unbalanced = True
        at = self.tokens[-1].end
        span = self.span(top.start, top.end)
        if top.kind == STRING or top.kind == HERE:
            self.open_directives(top)
            self.put("CQUOTE" if top.kind == STRING else "HEREDOC_END", at, at, "")
            return
        if not top.swallowed:
            self.fault(say.never_closed(span, self.called(top), CLOSING[top.kind], noticed))
        if top.kind == BLOCK and self.previous != "NL":
            self.put("NL", at, at, "\n")
        self.put("TCLOSE" if top.kind == MARK else CLOSE_TYPES[CLOSING[top.kind]], at, at, "")

    def open_directives(self, template: Enclosure) -> None:
        """Report the first directive that a finished template leaves open."""
        for word, start, end in () if template.broken else template.directives[:1]:
            self.fault(say.unclosed_directive(self.span(start, abs(end)), word))
