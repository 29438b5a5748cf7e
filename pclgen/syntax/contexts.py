"""The contexts of the lexer: the stack of open brackets, strings, heredocs and marks, and the shared state of its parts.

Tokens and faults are added to one `Lexed`.

`Brackets` is the part of the lexer for openers and closers. Tokens are made to balance, and each bracket without a partner
is one fault. In a second run over text whose brackets do not match, indentation and the look of lines show where a bracket
is missing.
"""

from __future__ import annotations

import re

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import Diagnostic, Note, note
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


# -- brackets ---------------------------------------------------------------------------------------------------------------

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?P<bracket>[()\[\]{}])')
_LINE_AFTER = re.compile(r"\n([ \t]*)([^ \t\r\n])")
_KEY_LINE = re.compile(r'(?:[ \t]*(?:\#|//)[^\n]*\n)*+([ \t]+)(?:[A-Za-z_][\w-]*|"[^"\n]*")[ \t]*(?:=(?!=)|:(?!:))')
ITEM_LINE = re.compile(
    r"""(?P<word>[A-Za-z_][\w-]*)(?:
        (?P<block>(?:[ \t]+(?:[A-Za-z_][\w-]*|"[^"\n]*"))*[ \t]*\{[ \t]*\}?[ \t]*\r?(?:\n|\Z|\#|//))
      | [ \t]*=(?!=))""",
    re.VERBOSE,
)


class Brackets(State):
    """The part of the lexer for brackets."""

    def open(self, bracket: str, start: int, end: int) -> None:
        """Push an opening bracket; the meaning of a `{` depends on its position."""
        if bracket == "(":
            self.push(PAREN, start, end)
            self.put("LPAR", start, end, bracket)
        elif bracket == "[":
            self.push(SQUARE, start, end)
            self.put("LSQB", start, end, bracket)
        elif self.top.kind <= BLOCK and self.previous in ("IDENT", "QSTRING", "CQUOTE"):
            self.push(BLOCK, start, end)
            self.put("LBLOCK", start, end, bracket)
        else:
            self.push(OBJECT, start, end)
            self.put("LBRACE", start, end, bracket)

    def close(self, start: int, end: int) -> None:
        """Handle a closing bracket: it closes its context, or is reported as an extra or wrong bracket."""
        bracket = self.text[end - 1]
        kinds = CLOSERS[bracket]
        if end - start == 2 and self.stack[self.find_open("}")].kind != MARK:  # `~}` is one mark only in `${ }` and `%{ }`
            self.at: int = start + 1
            self.fault(say.bad_character(self.span(start, start + 1), "~"), wide=False)
            return
        if self.is_stray(bracket, start):
            self.out.unbalanced = True
            between = self.text[self.stray_end : start]
            if self.stray_end < 0 or ("\n" in between and between.strip()):  # several in a row or on a line are one mistake
                self.out.strays.append(say.extra_closing(self.span(start, end), bracket))
            self.stray_end = end
            return
        if self.top.kind not in kinds or self.resync:
            self.prepare_close(bracket, start)
        top = self.top
        if top.kind not in kinds:
            self.out.unbalanced = True
            opener = self.span(top.start, top.end)
            self.fault(say.wrong_closing(self.span(start, end), CLOSING[top.kind], bracket, opener))
            bracket = CLOSING[top.kind]
        self.pop()
        if top.kind == MARK:
            self.strip_next: bool = end - start == 2
            self.put("TCLOSE", start, end, self.text[start:end])
            return
        self.put(CLOSE_TYPES[bracket], start, end, bracket)

    def find_open(self, bracket: str) -> int:
        """Return the index of the innermost context that a closing bracket can close, 0 for none."""
        kinds = CLOSERS[bracket]
        target = len(self.stack) - 1
        while target > 0 and self.stack[target].kind not in kinds:
            if self.stack[target].kind >= STRING:
                return 0
            target -= 1
        return target

    def is_stray(self, bracket: str, start: int) -> bool:
        """Return whether a closing bracket is an extra bracket, rather than the end of an outer context."""
        top, text = self.top, self.text
        line = text.rfind("\n", 0, start) + 1
        first_on_line = not text[line:start].strip(" \t")
        if top.kind in CLOSERS[bracket]:  # a block ends on a line of its own, unless it began there
            if not self.too_many_closers or top.start >= line or first_on_line:
                return False
            return top.kind == BLOCK or self.goes_on(top, start)
        if top.kind <= BLOCK:
            return self.find_open(bracket) == 0
        target = self.find_open(bracket)
        if target and self.stack[target].kind == MARK:
            return False
        if top.start >= line:
            if target == 0:
                return text.find(CLOSING[top.kind], start + 1, self.line_end(start)) >= 0
            return self.left_open(len(self.stack), start + 1, line) < self.left_open(target, start + 1, line)
        begins_line = first_on_line or not text[line:start].strip(" \t)]}")
        return not begins_line and (target == 0 or self.ends_line(self.stack[target]) or self.goes_on(top, start))

    def ends_line(self, opened: Enclosure) -> bool:
        """Return whether only brackets follow an opening bracket on its line; then the closing bracket begins a line."""
        return not self.text[opened.end : self.line_end(opened.end)].strip(" \t\r([{")

    def left_open(self, depth: int, start: int, line: int) -> int:
        """Return the number of unmatched brackets on a line from the offset `start`, when `depth` contexts are open."""
        here = [context.kind for context in self.stack[:depth] if context.start >= line]
        opened = [CLOSING[kind] for kind in here if kind in CLOSING]
        wrong = 0
        for match in _BRACKET.finditer(self.text, start, self.line_end(start)):
            bracket = match["bracket"]
            if bracket in _PAIRS:
                opened.append(_PAIRS[bracket])
            elif bracket is not None and bracket in opened:
                while opened.pop() != bracket:
                    wrong += 1
            elif bracket is not None:
                wrong += 1
        return wrong + len(opened)

    def goes_on(self, opened: Enclosure, start: int) -> bool:
        """Return whether the lines after a closing bracket are still inside of the object, according to their indentation.
        """
        follows = _LINE_AFTER.search(self.text, self.line_end(start), self.limit)
        if follows is None or not self.ends_line(opened):
            return False
        inner, outer = len(follows[1]), self.indent(opened.start, True)
        return inner > outer or (inner == outer and follows[2] == "}")

    def prepare_close(self, bracket: str, start: int) -> None:
        """Close the brackets between a closing bracket and its opening bracket."""
        target = self.find_open(bracket)
        if target == 0:
            return
        if self.resync and self.stack[target].kind != MARK:
            target = self.by_indentation(target, bracket, start)
        while len(self.stack) - 1 > target:
            self.never_closed(note(f'noticed here: this "{bracket}" closes what is around it', self.span(start, start + 1)))

    def by_indentation(self, target: int, bracket: str, start: int) -> int:
        """Return the index of the opening bracket for a closing bracket that begins its line.

        It is the bracket that opened on a line with the same indentation, if any; otherwise `target`.
        """
        indent = self.indent(start)
        if self.text[start - indent : start].strip(" \t") or self.indent(self.stack[target].start, True) <= indent:
            return target
        for index in range(target - 1, 0, -1):
            context = self.stack[index]
            if context.kind >= STRING:
                break
            if context.kind in CLOSERS[bracket] and self.indent(context.start, True) == indent:
                return index
        return target

    def look_for_head(self, line: int) -> None:
        """Open a block whose head has lost its `{`: the next line is indented, or is the `}` of the block."""
        tokens = self.tokens
        index = len(tokens) - 1
        while index >= 0 and tokens[index].type in ("IDENT", "QSTRING"):
            index -= 1
        if index == len(tokens) - 1 or (index >= 0 and tokens[index].type != "NL"):
            return
        head = self.span(tokens[index + 1].start, tokens[-1].end)
        follows = re.compile(r"[ \t]*").match(self.text, line)
        assert follows is not None  # it matches the empty text
        deeper = len(follows[0]) - self.indent(head.start, True)
        if deeper > 0 or (deeper == 0 and self.text.startswith("}", follows.end())):
            self.fault(say.brace_expected(head.tail(), head.text), wide=False)
            self.push(BLOCK, head.end, head.end)
            self.put("LBLOCK", head.end, head.end, "{")

    def look_for_opener(self, line: int) -> None:
        """Open a list or a call whose bracket is missing at the end of a line.

        The next line is indented, and the closing bracket begins the first line that is not.
        """
        if self.previous not in ("EQUAL", "COLON", "IDENT"):
            return
        last = self.tokens[-1]
        indent = self.indent(last.start, True)
        if self.top.start >= self.text.rfind("\n", 0, last.start) + 1 > 0:
            return
        end = re.compile(rf"^(?:[ \t]{{0,{indent}}})(?=[^ \t\r\n])", re.MULTILINE).search(self.text, line, self.limit)
        bracket = "(" if self.previous == "IDENT" else "["
        if end is None or end.start() == line or not self.text.startswith(_PAIRS[bracket], end.end()):
            return
        self.fault(say.opening_expected(self.span(last.end, last.end), bracket), wide=False)
        self.open(bracket, last.end, last.end)

    def look_for_keys(self, line: int) -> None:
        """Open an object that has lost its `{`: the next line is indented and begins with a key."""
        if self.previous == "COMMA" and self.top.kind not in (PAREN, SQUARE):
            return
        follows = _KEY_LINE.match(self.text, line)
        if follows is None or self.indent(follows.end(1)) <= self.indent(self.tokens[-1].start, True):
            return
        at = self.tokens[-1].end
        self.fault(say.object_expected(self.span(at, at)), wide=False)
        begin, end = follows.end(1), self.line_end(follows.end(1))
        if self.text.count("}", begin, end) > self.text.count("{", begin, end):
            at = begin  # the object ends on the line of its keys, so it began there
        self.push(OBJECT, at, at)
        self.put("LBRACE", at, at, "{")

    def look_for_item(self, line: int) -> None:
        """Close everything when the line at offset `line` looks like a top-level item in an indented file."""
        item = ITEM_LINE.match(self.text, line, self.limit)
        if item is None or self.limit != len(self.text):
            return
        outer = self.stack[1]
        after = self.text.find("\n", outer.end) + 1
        while after and after < line and self.text[after : after + 1] in ("\r", "\n"):
            after = self.text.find("\n", after) + 1
        if after < line and self.text[after : after + 1] not in (" ", "\t"):
            return
        while len(self.stack) > 1:
            self.never_closed(note("noticed here: this looks like the next item", self.span(line, item.end("word"))))
