"""Templates: quoted strings, heredocs, and the marks `${ }` and `%{ }` in them (language.md, Templates; Heredocs).

The text inside of quotes or between heredoc markers becomes TEXT tokens, with their values (escapes resolved, indentation of
heredocs removed), and tokens of marks. The rest of the lexer reads the code between the marks.
"""

from __future__ import annotations

import re
from typing import Final

from pclgen.diagnostics import syntax as say
from pclgen.source.text import Span
from pclgen.syntax.contexts import (
    BLOCK,
    CLOSE_TYPES,
    CLOSERS,
    CLOSING,
    HEADER,
    HERE,
    ITEM_LINE,
    MARK,
    STRING,
    Brackets,
    Enclosure,
)
from pclgen.syntax.tokens import Token

CHUNK = r'[^"\\$%\n]++|\\[^\n]|\$\$\{|%%\{|\$(?!\{)|%(?!\{)'
_IN_STRING = re.compile(rf'(?P<TEXT>(?:{CHUNK})++)|(?P<QUOTE>")|(?P<MARK>[$%]\{{~?)|(?P<END>)')
_IN_HEREDOC = re.compile(r"(?P<TEXT>(?:[^$%]++|\$\$\{|%%\{|\$(?!\{)|%(?!\{))++)|(?P<MARK>[$%]\{~?)|(?P<END>)")
_HEREDOC = re.compile(r"<<(-?)([^\W\d][\w-]*)([ \t]*)(\r?\n)")
_NEXT_MARK = re.compile(r'[^"}\n]{0,1000}?(?:\$\{|")')
_CLOSERS = re.compile(r"(?:[)\]}, \t]|(?<=[)\]}])\.[A-Za-z_][\w.-]*+(?=[)\]}, \t]|\Z))++")
_WRONG_QUOTE = re.compile(r"([“”„‟])[)\]}, \t]*+$")
_MOST_LINES = 50  # of a string that the author wrote over several lines
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"[^\W\d][\w-]*")
_DIRECTIVE = re.compile(r"[ \t\r\n]*([A-Za-z_][\w-]*)?")
_DIRECTIVES = {"if": "DIR_IF", "else": "DIR_ELSE", "endif": "DIR_ENDIF", "for": "DIR_FOR", "endfor": "DIR_ENDFOR"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|([\s\S]))|(\$\$\{|%%\{)")
_DOUBLED_MARKS = re.compile(r"([$%])\1\{")
_BLANKS: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""The blanks of strip marks and dedent: the white space of Unicode."""

_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_MARK_STARTS = frozenset({"TOPEN", "DIR_IF", "DIR_ELSE", "DIR_ENDIF", "DIR_FOR", "DIR_ENDFOR"})
_MARK_ENDS = frozenset({"TCLOSE"})


class Templates(Brackets):
    """The part of the lexer for templates."""

    def resolve(self, text: str, start: int) -> str:
        """Return the value of template text written at `start`."""
        if "\\" not in text and "{" not in text:
            return text
        value, wrong = _resolve_escapes(text)
        for offset, length in wrong:
            self.fault(say.bad_escape(self.span(start + offset, start + offset + length)), wide=False)
        return value

    def text_token(self, start: int, end: int, value: str) -> None:
        """Put a text, even when a strip mark empties it: `" ${~ x}"` is not `x` alone (language.md, Templates)."""
        if self.strip_next:
            value = value.lstrip(_BLANKS)
            self.strip_next: bool = False
        self.put("TEXT", start, end, value)

    def string(self) -> None:
        """Lex the text of a quoted template up to its end or the next mark."""
        match = _IN_STRING.match(self.text, self.at, self.limit)
        assert match is not None  # it matches the empty text
        kind, (start, end) = match.lastgroup, match.span()
        self.at: int = end
        if kind == "TEXT":
            self.text_token(start, end, self.resolve(match[0], start))
        elif kind == "MARK":
            self.mark(match[0], start, end)
        elif kind == "QUOTE":
            self.strip_next = False
            self.open_directives(self.pop())
            self.put("CQUOTE", start, end, '"')
        else:
            self.unterminated_string()

    def unterminated_string(self) -> None:
        """Handle the end of a line or the file inside a quoted template: close the contexts that began on the line."""
        top, text = self.top, self.text
        self.at = self.line_end(self.at)
        end = self.at - (text[self.at - 1] == "\r")
        self.strip_next = False
        culprit = self.unclosed_mark(top)
        if culprit is None:
            self.pop()
            later = self.end_on_later_line(end)
            glued = text[top.start - 1 : top.start].isalnum()
            wrong = _WRONG_QUOTE.search(text, top.end, end)
            self.fault(
                say.unterminated_string(
                    self.span(top.start, end),
                    several_lines=later is not None,
                    after_word=glued,
                    wrong_quote=wrong[1] if wrong is not None else None,
                )
            )
            self.at = later or self.brackets_at_end(top, end)
            del self.tokens[top.token + 1 :]
            self.put("CQUOTE", self.at, self.at, "")
            return
        if self.tokens[-1].type in ("OQUOTE", "TEXT"):
            del self.tokens[top.token :]  # the apparent nested string is the end of the outer string
            self.at = end = top.end
        self.pop()
        self.fault(say.never_closed(self.span(culprit.start, culprit.end), self.called(culprit), "}"))
        while self.top is not culprit:
            self.put(CLOSE_TYPES[CLOSING[self.pop().kind]], end, end, "")
        self.pop()
        self.put("TCLOSE", end, end, "")
        self.pop()
        self.put("CQUOTE", end, end, "")

    def end_on_later_line(self, end: int) -> int | None:
        """Return the end of a string over several lines, None if there is none.

        The end is on the first line with an odd number of quotes, before any line that begins an item.
        """
        text = self.text
        line = text.find("\n", end, self.limit) + 1
        for _ in range(_MOST_LINES):
            stop = self.line_end(line)
            follows = text[line:stop].strip()
            if line == 0 or follows.startswith(("}", "]", ")")) or ITEM_LINE.match(text, line, self.limit):
                return None
            if text.count('"', line, stop) % 2:
                return text.rindex('"', line, stop) + 1
            line = stop + 1 if stop < self.limit else 0
        return None

    def brackets_at_end(self, string: Enclosure, end: int) -> int:
        """Return the start of the brackets that a string without an end has swallowed.

        `f(["a)]` leaves `)]`, `f("a).b` leaves `).b`. If the brackets do not match the open ones, return `end`.
        """
        text = self.text
        last = self.tokens[-1]
        first = last.start if last.type == "TEXT" else last.end
        start = next((run.start() for run in _CLOSERS.finditer(text, first, end) if run.end() == end), end)
        if start == end or not text[start:end].strip(" \t,"):
            opens = text[string.end : end].rstrip(" \t").endswith("{")
            if opens and self.top.kind <= BLOCK and self.in_head(string.token):
                return text.rindex("{", string.end, end)
            return end
        level = len(self.stack) - 1
        for bracket in text[start:end]:
            if bracket in CLOSERS:
                if self.stack[level].kind not in CLOSERS[bracket] or self.stack[level].kind == MARK:
                    return end
                level -= 1
        return start

    def in_head(self, token: int) -> bool:
        """Return whether the tokens before `token` on its line can be a block's head: at least one token, and no `=`."""
        index = token - 1
        while index >= 0 and self.tokens[index].type not in ("NL", "EQUAL"):
            index -= 1
        return index < token - 1 and (index < 0 or self.tokens[index].type == "NL")

    def unclosed_mark(self, string: Enclosure) -> Enclosure | None:
        """Return the `${` around `string`, in which a line ends, if the string around the `${` began on the same line."""
        for index in range(len(self.stack) - 2, 1, -1):
            context, around = self.stack[index], self.stack[index - 1]
            if context.kind >= STRING or self.text.find("\n", context.start, string.start) >= 0:
                return None
            if context.kind == MARK:
                return context if around.kind == STRING else None
        return None

    def mark_ended_before(self, start: int) -> bool:
        """Return to the string around a `${` without its `}`; return whether there is one.

        The characters at `start`, which begin no token, are text of that string if another `${` or a quote follows on the
        line before any `}`.
        """
        follows = _NEXT_MARK.match(self.text, start, self.limit)
        mark = len(self.stack) - 1
        while self.stack[mark].kind in CLOSING and self.stack[mark].kind != MARK:
            mark -= 1
        if follows is None or self.stack[mark].kind != MARK or self.stack[mark - 1].kind < STRING:
            return False
        culprit = self.stack[mark]
        if self.text.find("\n", culprit.start, start) >= 0:
            return False
        self.fault(say.never_closed(self.span(culprit.start, culprit.end), self.called(culprit), "}"))
        end = self.tokens[-1].end
        while self.top is not culprit:
            self.put(CLOSE_TYPES[CLOSING[self.pop().kind]], end, end, "")
        self.pop()
        self.put("TCLOSE", end, end, "")
        self.at = start
        return True

    def mark(self, mark: str, start: int, end: int) -> None:
        """Lex `${`, or `%{` with the word after it."""
        if mark[-1] == "~" and self.tokens[-1].type == "TEXT":
            self.tokens[-1].value = self.tokens[-1].value.rstrip(_BLANKS)
        self.strip_next = False
        template = self.top
        context = self.push(MARK, start, end)
        if mark[0] == "$":
            self.put("TOPEN", start, end, mark)
            return
        directive = _DIRECTIVE.match(self.text, end, self.limit)
        word = directive[1] or "" if directive is not None else ""
        type_ = _DIRECTIVES.get(word)
        if type_ is None or directive is None:
            self.fault(say.unknown_directive(self.span(start, directive.end() if directive and word else end), word))
            self.put("TOPEN", start, end, mark)
            return
        self.at = directive.end()
        self.directive(word, template, start)
        if word == "for":
            context.progress = HEADER
        self.put(type_, start, self.at, word)
        if word == "for":
            self.previous = "FOR"

    def directive(self, word: str, template: Enclosure, start: int) -> None:
        """Check that `else`, `endif` and `endfor` have a matching `if` or `for`."""
        opened = template.directives
        if template.broken:
            return
        if word in ("if", "for"):
            opened.append((word, start, self.at))
            self.nest(start, self.at)
            return
        opener = "for" if word == "endfor" else "if"
        if not opened or opened[-1][0] != opener or (word == "else" and opened[-1][2] < 0):
            begin = self.span(opened[-1][1], abs(opened[-1][2])) if opened else None
            self.fault(say.unmatched_directive(self.span(start, self.at), word, begin))
            template.broken = True
        elif word == "else":
            opened[-1] = ("if", opened[-1][1], -opened[-1][2])
        else:
            opened.pop()
            self.unnest()

    def heredoc(self, start: int) -> None:
        """Open a heredoc, and find its end, so that no inner context can extend beyond it."""
        text = self.text
        opening = _HEREDOC.match(text, start, self.limit)
        if opening is None:
            self.at = self.line_end(start)
            self.fault(say.bad_heredoc(self.span(start, self.at)))
            word = _WORD.search(text, start, self.at)
            close = self.find_marker(word[0], self.at) if word else None
            self.at = close.end(1) if close else self.at
            self.put("QSTRING", start, self.at, "")
            return
        marker = opening[2]
        begin = opening.end()
        close = self.find_marker(marker, begin)
        intro = self.span(start, opening.start(3))
        if close is None:
            almost = self.almost_marker(marker, begin)
            self.fault(say.unterminated_heredoc(intro, marker, almost))
            if almost is None:
                # Its text may contain the closers of the brackets around it.
                for context in self.stack:
                    context.swallowed = True
            self.at = self.resume_after_heredoc(begin) if almost is None else self.line_end(almost.end)
            self.put("QSTRING", start, self.at, "")
            return
        context = self.push(HERE, start, opening.start(3))
        context.flush = bool(opening[1])
        context.outer_limit, context.limit = self.limit, close.end(1)
        self.limit: int = close.start()
        self.put("HEREDOC", start, opening.start(3), opening[1] + marker)
        self.at = begin

    def find_marker(self, marker: str, begin: int) -> re.Match[str] | None:
        """Return the line that ends a heredoc."""
        pattern = re.compile(rf"^[ \t]*({re.escape(marker)})[ \t]*\r?$", re.MULTILINE)
        return pattern.search(self.text, begin, self.limit)

    def almost_marker(self, marker: str, begin: int) -> Span | None:
        """Return the span of a line that begins with the marker of a heredoc, but in another case or with more text."""
        pattern = re.compile(rf"^[ \t]*({re.escape(marker)}\b[^\n]*)$", re.MULTILINE | re.IGNORECASE)
        match = pattern.search(self.text, begin, self.limit)
        return self.span(match.start(1), match.end(1)) if match is not None else None

    def resume_after_heredoc(self, begin: int) -> int:
        """Return where code continues after a heredoc without an end: before the next line that looks like a block."""
        line = begin
        while 0 < line < self.limit:
            item = ITEM_LINE.match(self.text, line, self.limit)
            if item is not None and item["block"]:
                return line - 1
            line = self.text.find("\n", line, self.limit) + 1
        return self.limit

    def heredoc_text(self) -> None:
        """Lex the text of a heredoc up to its end or the next mark."""
        match = _IN_HEREDOC.match(self.text, self.at, self.limit)
        assert match is not None  # it matches the empty text
        kind, (start, end) = match.lastgroup, match.span()
        self.at = end
        if kind == "TEXT":
            for line in _LINE.findall(match[0]):  # one token a line: strip marks reach no further
                self.text_token(start, start + len(line), _resolve_marks(line))
                start += len(line)
        elif kind == "MARK":
            self.mark(match[0], start, end)
        else:
            self.end_heredoc()

    def end_heredoc(self) -> None:
        """End a heredoc at its marker, and remove the shared indentation of a `<<-` heredoc (language.md, Heredocs)."""
        start = self.limit
        context = self.pop()
        self.strip_next = False
        self.open_directives(context)
        if context.flush:
            _dedent(self.tokens, context.token + 1)
        _join_texts(self.tokens, context.token + 1)
        self.at = context.limit
        self.put("HEREDOC_END", start, self.at, "")

    def heredoc_cut_short(self) -> None:
        """Report a heredoc that ends inside `${ }`, and close all contexts down to the heredoc."""
        self.at = self.limit
        heredoc = max(index for index, context in enumerate(self.stack) if context.kind == HERE)
        self.stack[heredoc].broken = True
        begin = self.stack[heredoc + 1].start
        self.out.diagnostics[:] = [d for d in self.out.diagnostics if d.primary is None or d.primary.start < begin]
        end = self.tokens[-1].end
        while len(self.stack) - 1 > heredoc + 1:
            inner = self.pop().kind
            closer = "CQUOTE" if inner == STRING else "TCLOSE" if inner == MARK else CLOSE_TYPES[CLOSING[inner]]
            self.put(closer, end, end, "")
        self.never_closed()


def _resolve_escapes(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the value of quoted text, and `offset, length` of each invalid escape.

    `a\\n` -> a and a newline; `$${` -> `${`; surrogates and numbers beyond Unicode are invalid.
    """
    wrong: list[tuple[int, int]] = []

    def value(escape: re.Match[str]) -> str:
        if escape[4]:
            return escape[4][1:]
        digits = escape[1] or escape[2]
        if digits:
            number = int(digits, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif escape[3] in _SIMPLE_ESCAPES:
            return _SIMPLE_ESCAPES[escape[3]]
        wrong.append((escape.start(), len(escape[0])))
        return escape[0]

    return _ESCAPE.sub(value, text), wrong


def _resolve_marks(text: str) -> str:
    """Return the value of heredoc text: only `$${` and `%%{` are special."""
    return _DOUBLED_MARKS.sub(r"\1{", text) if "{" in text else text


def _dedent(tokens: list[Token], first: int) -> None:
    """Remove the smallest indentation from the lines of a `<<-` heredoc, whose parts are `tokens[first:]`, one text a line.

    A line that begins with an interpolation has no indentation. Blank lines do not count, and stay unchanged. As in the
    reference implementation, strip marks apply first: a line that a mark has joined to the line above does not count.
    """
    depth = 0
    smallest: int | None = None
    indented: list[Token] = []
    at_line_start = True
    for token in tokens[first:]:
        if depth == 0 and token.type not in _MARK_ENDS:
            text = token.value if token.type == "TEXT" else ""
            if at_line_start and (text.strip(_BLANKS) or not text.endswith("\n")):
                indent = len(text) - len(text.lstrip(_BLANKS))
                smallest = indent if smallest is None else min(smallest, indent)
                if token.type == "TEXT":
                    indented.append(token)
            at_line_start = text.endswith("\n")
        depth += token.type in _MARK_STARTS
        depth -= token.type in _MARK_ENDS
    for token in indented if smallest else ():
        token.value = token.value[smallest:]


def _join_texts(tokens: list[Token], first: int) -> None:
    """Make one token of each run of texts in `tokens[first:]`."""
    joined: list[Token] = []
    values: list[str] = []
    for token in tokens[first:]:
        if token.type == "TEXT" and values:
            values.append(token.value)
            joined[-1].end = token.end
            continue
        if len(values) > 1:
            joined[-1].value = "".join(values)
        values = [token.value] if token.type == "TEXT" else []
        joined.append(token)
    if len(values) > 1:
        joined[-1].value = "".join(values)
    tokens[first:] = joined
