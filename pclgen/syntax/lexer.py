"""From text to tokens.

Comes in: a `SourceFile`.  Goes out: `Lexed` (tokens, comments, diagnostics).  What a character means depends on where it
stands, so the lexer keeps a stack of contexts: the file, blocks, brackets, strings, heredocs, `${ }` and `%{ }` (spec 1.4,
1.6, 1.7).  Newlines become tokens only where they separate items; several make one.  After a fault the lexer mends the
token stream (closes what was left open), so that only the item at fault is lost.

In a second run, over text whose brackets do not match, a line that looks like the start of a top-level item closes all
that is open, and the indentation of `}` tells what it closes; the head of a block may lack its `{`.
"""

from __future__ import annotations

import re
from typing import Final

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.make import note
from pclgen.diagnostics.model import Diagnostic, Note
from pclgen.source.text import SourceFile, Span
from pclgen.syntax.strings import BLANKS, dedent, join_texts, resolve_escapes, resolve_marks
from pclgen.syntax.tokens import MAX_DEPTH, OPERAND_ENDS, SYMBOLS, Lexed, Token

_CHUNK = r'[^"\\$%\n]++|\\[^\n]|\$\$\{|%%\{|\$(?!\{)|%(?!\{)'
_CODE = re.compile(
    rf"""[ \t]*+(?:
      (?P<IDENT>[A-Za-z_][A-Za-z0-9_-]*+(?![^\x00-\x7f])(?!::))
    | (?P<SYMBOL>\.\.\.|=>|==|!=|<=|>=|&&|\|\||(?:=|,|\.|\?|:(?!:)|!|-|\*(?!\*)|\+|/(?![/*])|%|<(?!<)|>))
    | (?P<NL>\r?\n(?:[ \t]*\r?\n)*+)
    | (?P<QSTRING>"(?:{_CHUNK})*+")
    | (?P<OPEN>[(\[{{])
    | (?P<CLOSE>[)\]}}]|~\}})
    | (?P<NUMBER>[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    | (?P<LINE>\#[^\n]*|//[^\n]*)
    | (?P<BLOCK>/\*)
    | (?P<QUOTE>")
    | (?P<HEREDOC><<)
    | (?P<WORD>[^\W\d]|::)
    | (?P<END>\Z)
    | (?P<BAD>[\s\S])
    )""",
    re.VERBOSE,
)
_IN_STRING = re.compile(rf'(?P<TEXT>(?:{_CHUNK})++)|(?P<QUOTE>")|(?P<MARK>[$%]\{{~?)|(?P<END>)')
_IN_HEREDOC = re.compile(r"(?P<TEXT>(?:[^$%]++|\$\$\{|%%\{|\$(?!\{)|%(?!\{))++)|(?P<MARK>[$%]\{~?)|(?P<END>)")
_HEREDOC = re.compile(r"<<(-?)([^\W\d][\w-]*)([ \t]*)(\r?\n)")
_NEXT_MARK = re.compile(r'[^"}\n]*?(?:\$\{|")')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"[^\W\d][\w-]*")
_DIRECTIVE = re.compile(r"[ \t\r\n]*([A-Za-z_][\w-]*)?")
_ITEM_LINE = re.compile(
    r"""(?P<word>[A-Za-z_][\w-]*)(?:
        (?P<block>(?:[ \t]+(?:[A-Za-z_][\w-]*|"[^"\n]*"))*[ \t]*\{[ \t]*\}?[ \t]*\r?(?:\n|\Z|\#|//))
      | [ \t]*=(?!=))""",
    re.VERBOSE,
)
_NUMBER_TAIL = re.compile(r"(?:\.(?!\.)|[\w])[\w.]*|\.(?!\.\.)")

_FILE, _BLOCK, _LONE, _OBJECT, _FOR, _PAREN, _SQUARE, _MARK, _STRING, _HERE = range(10)
_LINES: Final = frozenset({_FILE, _BLOCK, _OBJECT})  # contexts where a newline separates items
_CLOSERS = {")": frozenset({_PAREN}), "]": frozenset({_SQUARE}), "}": frozenset({_BLOCK, _OBJECT, _FOR, _MARK})}
_CLOSING = {_BLOCK: "}", _OBJECT: "}", _FOR: "}", _MARK: "}", _PAREN: ")", _SQUARE: "]"}
_CLOSE_TYPES = {")": "RPAR", "]": "RSQB", "}": "RBRACE"}
_DIRECTIVES = {"if": "DIR_IF", "else": "DIR_ELSE", "endif": "DIR_ENDIF", "for": "DIR_FOR", "endfor": "DIR_ENDFOR"}
_HEADER, _RESULT, _FILTER = 1, 2, 3  # how far a `for` has come: its names, past `in`, past `if`


class _Context:
    """An open bracket, string or heredoc.

    `token` is the index of its opening token; `progress` of a `for`; `choices` and `prefixes` count the `?` and the prefix
    operators that what follows is nested in; `directives` are the open `%{ if }`, `%{ for }` of a template, `broken` after
    one that did not fit; `limit` is where the text of a heredoc ends and `outer_limit` what was the limit before.
    """

    __slots__ = (
        "broken", "choices", "directives", "end", "flush", "kind",
        "limit", "outer_limit", "prefixes", "progress", "start", "token",
    )  # fmt: skip

    def __init__(self, kind: int, start: int, end: int, token: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.token = token
        self.progress = self.choices = self.prefixes = 0
        self.directives: list[tuple[str, int, int]] = []
        self.broken = False
        self.limit = self.outer_limit = 0
        self.flush = False


def lex(source: SourceFile, *, unbalanced: Lexed | None = None, expression: bool = False, mended: bool = False) -> Lexed:
    """The tokens of `source`; of a lone expression, where newlines mean nothing, with `expression`.

    `unbalanced` is the result of an earlier run that found brackets that do not match.  With `mended`, U+FFFD may stand for
    bytes that have been reported, and is passed over.
    """
    return _Lexer(source, unbalanced=unbalanced, expression=expression, mended=mended).run()


class _Lexer:
    """The state of one run."""

    def __init__(self, source: SourceFile, *, unbalanced: Lexed | None, expression: bool, mended: bool) -> None:
        self.source = source
        self.text = source.text
        self.resync = unbalanced is not None
        self.too_many_closers = unbalanced is not None and bool(unbalanced.strays)
        self.mended = mended
        self.at = 0
        self.limit = len(source.text)
        self.out = Lexed()
        self.tokens = self.out.tokens
        self.previous = "START"
        self.strip_next = False
        self.weight = 0
        self.stray_end = -1  # where the last bracket that closes nothing ends
        self.top = _Context(_LONE if expression else _FILE, 0, 0, -1)
        self.stack = [self.top]

    def run(self) -> Lexed:
        """Lex to the end of the text."""
        while True:
            kind = self.top.kind
            if kind == _STRING:
                self.string()
            elif kind == _HERE:
                self.heredoc_text()
            elif not self.code():
                break
        while len(self.stack) > 1:
            self.never_closed()
        if self.top.kind == _FILE and self.previous not in ("NL", "START"):
            self.put("NL", self.at, self.at, "\n")
        return self.out

    # -- small tools

    def put(self, type_: str, start: int, end: int, value: str) -> None:
        self.tokens.append(Token(type_, start, end, value))
        self.previous = type_

    def fault(self, diagnostic: Diagnostic, *, wide: bool = True) -> None:
        """Report.  After a `wide` fault all tokens of the item are in doubt, else the one at the place."""
        span = diagnostic.primary
        assert span is not None
        if not self.out.too_deep:
            self.out.diagnostics.append(diagnostic)
        (self.out.wide_faults if wide else self.out.faults).append(span.start)

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def push(self, kind: int, start: int, end: int) -> _Context:
        """Open a context; its opening token is the next one to be put."""
        self.top = _Context(kind, start, end, len(self.tokens))
        self.stack.append(self.top)
        if len(self.stack) + self.weight > MAX_DEPTH:
            self.give_up(start, end)
        return self.top

    def nest(self, start: int, end: int) -> None:
        """Count one level of nesting that is not a bracket."""
        self.weight += 1
        if len(self.stack) + self.weight > MAX_DEPTH:
            self.give_up(start, end)

    def give_up(self, start: int, end: int) -> None:
        """Report nesting beyond all sense, and read no further."""
        self.weight = -len(self.text)
        self.fault(say.too_deep(self.span(start, end), MAX_DEPTH))
        self.out.too_deep = True
        self.at = self.limit = len(self.text)

    def pop(self) -> _Context:
        gone = self.stack.pop()
        self.top = self.stack[-1]
        self.weight -= gone.choices + gone.prefixes + len(gone.directives)
        if gone.kind == _HERE:
            self.limit = gone.outer_limit
        return gone

    # -- code

    def code(self) -> bool:
        """Lex until the context is a template's text; False at the end of the text."""
        match = _CODE.match
        text = self.text
        while True:
            found = match(text, self.at, self.limit)
            assert found is not None  # the pattern matches anything
            kind = found.lastgroup
            assert kind is not None
            start, end = found.span(kind)
            self.at = end
            if kind == "IDENT":
                word = found[kind]
                type_ = "IDENT" if word not in ("for", "in", "if") else self.keyword(word)
                self.tokens.append(Token(type_, start, end, word))
                self.previous = type_
            elif kind == "SYMBOL":
                self.symbol(found[kind], start, end)
            elif kind == "NL":
                self.newline(start, end)
            elif kind == "QSTRING":
                self.put("QSTRING", start, end, self.resolve(found[kind][1:-1], start + 1))
            elif kind == "LINE":
                self.out.comments.append((start, end - (text[end - 1] == "\r")))
            elif kind == "OPEN":
                self.open(found[kind], start, end)
            elif kind == "END":
                if self.limit == len(text):
                    return False
                self.heredoc_cut_short()
                return True
            else:
                self.rare(kind, start, end)
            if self.top.kind >= _STRING:
                return True

    def rare(self, kind: str, start: int, end: int) -> None:
        """The less frequent kinds of token."""
        if kind == "CLOSE":
            self.close(start, end)
        elif kind == "NUMBER":
            self.number(start, end)
        elif kind == "BLOCK":
            self.block_comment(start)
        elif kind == "QUOTE":
            self.push(_STRING, start, end)
            self.put("OQUOTE", start, end, '"')
        elif kind == "HEREDOC":
            self.heredoc(start)
        elif kind == "WORD":
            self.word(start)
        else:
            self.bad_character(start)

    def keyword(self, word: str) -> str:
        """`for`, `in` and `if` are special only in `for` expressions and directives (spec 1.2)."""
        top, previous = self.top, self.previous
        if word == "for":
            if (previous == "LSQB" and top.kind == _SQUARE) or (previous == "LBRACE" and top.kind == _OBJECT):
                top.kind = _FOR if top.kind == _OBJECT else _SQUARE
                top.progress = _HEADER
                return "FOR"
        elif word == "in":
            if top.progress == _HEADER and previous == "IDENT":
                top.progress = _RESULT
                return "IN"
        elif top.progress == _RESULT and (previous in OPERAND_ENDS or previous == "ELLIPSIS"):
            top.progress = _FILTER
            return "IF"
        return "IDENT"

    def word(self, start: int) -> None:
        """A name with letters beyond ASCII, or a namespaced name."""
        text = self.text
        end = start
        while end < self.limit:
            character = text[end]
            if character == "-" or ("a" + character).isidentifier():
                end += 1
            elif text.startswith("::", end) and end > start and text[end + 2 : end + 3].isidentifier():
                end += 3
            else:
                break
        if end == start:
            self.bad_character(start)
            return
        self.at = end
        word = text[start:end]
        self.put("QNAME" if "::" in word else "IDENT", start, end, word)

    def symbol(self, symbol: str, start: int, end: int) -> None:
        type_ = SYMBOLS[symbol]
        top = self.top
        if type_ in ("BANG", "MINUS") and self.previous not in OPERAND_ENDS:
            if self.previous not in ("BANG", "MINUS"):
                self.end_prefixes()
            top.prefixes += 1
            self.nest(start, end)
        elif type_ == "QMARK":
            top.choices += 1
            self.nest(start, end)
        elif type_ == "EQUAL" or type_ == "COMMA":
            self.end_expression()
        self.tokens.append(Token(type_, start, end, symbol))
        self.previous = type_

    def end_prefixes(self) -> None:
        self.weight -= self.top.prefixes
        self.top.prefixes = 0

    def end_expression(self) -> None:
        """What comes now is nested in no `?` and no prefix operator of this bracket."""
        self.weight -= self.top.prefixes + self.top.choices
        self.top.prefixes = self.top.choices = 0

    def newline(self, start: int, end: int) -> None:
        if self.resync and len(self.stack) > 1:
            self.look_for_item(end)
        if self.too_many_closers and self.previous in ("IDENT", "QSTRING") and self.top.kind <= _BLOCK:
            self.look_for_head(end)
        kind = self.top.kind
        if kind not in _LINES or self.previous in ("NL", "START"):
            return
        if kind == _OBJECT and self.previous in ("LBRACE", "COMMA"):
            return
        self.end_expression()
        self.tokens.append(Token("NL", start, end, "\n"))
        self.previous = "NL"

    def number(self, start: int, end: int) -> None:
        text = self.text
        after_dot = self.previous == "DOT"
        if after_dot:
            while end > start and not text[start:end].isdigit():
                end -= 1
            tail = re.compile(r"\.[0-9][\w.]*|\w[\w.]*").match(text, end, self.limit)
        else:
            tail = _NUMBER_TAIL.match(text, end, self.limit)
        if tail is None:
            self.at = end
            self.put("NUMBER", start, end, text[start:end])
            return
        self.at = tail.end()
        whole = self.span(start, self.at)
        self.fault(say.bad_legacy_index(whole) if after_dot else say.bad_number(whole), wide=False)
        self.put("NUMBER", start, self.at, "0")

    def block_comment(self, start: int) -> None:
        end = self.text.find("*/", start + 2, self.limit)
        if end < 0:
            self.fault(say.unclosed_comment(self.span(start, start + 2)))
            self.at = self.limit
            return
        self.at = end + 2
        self.out.comments.append((start, self.at))

    def bad_character(self, start: int) -> None:
        """Report a character that no token begins with, and lex on as if it were not there, or were what was meant."""
        text = self.text
        character = text[start]
        self.at = start + 1
        if (character == "\ufffd" and self.mended) or self.mark_ended_before(start):
            return
        if character in "'`":
            close = re.compile(rf"[^{character}\n]*{character}").match(text, self.at, self.limit)
            if close is not None:
                self.at = close.end()
            self.fault(say.bad_character(self.span(start, self.at), character), wide=close is None)
            self.put("QSTRING", start, self.at, text[start + 1 : self.at])
            return
        if text.startswith("**", start) or text.startswith("::", start):
            self.at = start + 2
        elif character in "“”„‟":
            close = re.compile(r'[^"“”„‟\n]*["“”„‟]').match(text, self.at, self.limit)
            if close is not None:
                self.at = close.end()
                self.fault(say.bad_character(self.span(start, start + 1), character), wide=False)
                self.put("QSTRING", start, self.at, text[start + 1 : self.at - 1])
                return
        else:
            while self.at < self.limit and text[self.at] == character:
                self.at += 1
        operator = character in "&|^*≤≥≠×÷–—−" or text.startswith("::", start)
        self.fault(say.bad_character(self.span(start, self.at), text[start : self.at]), wide=not operator)
        if operator:
            self.put("BINOP", start, self.at, "+")

    def mark_ended_before(self, start: int) -> bool:
        """Go back to the string around a `${` that has lost its `}`: what no token begins with is text of the string, when
        the next mark on the line is not that `}`.
        """
        follows = _NEXT_MARK.match(self.text, start, self.limit)
        mark = len(self.stack) - 1
        while self.stack[mark].kind in _CLOSING and self.stack[mark].kind != _MARK:
            mark -= 1
        if follows is None or self.stack[mark].kind != _MARK or self.stack[mark - 1].kind != _STRING:
            return False
        culprit = self.stack[mark]
        if self.text.find("\n", culprit.start, start) >= 0:
            return False
        self.fault(say.never_closed(self.span(culprit.start, culprit.end), self.called(culprit), "}"))
        end = self.tokens[-1].end
        while self.top is not culprit:
            self.put(_CLOSE_TYPES[_CLOSING[self.pop().kind]], end, end, "")
        self.pop()
        self.put("TCLOSE", end, end, "")
        self.at = start
        return True

    # -- brackets

    def open(self, bracket: str, start: int, end: int) -> None:
        if bracket == "(":
            self.push(_PAREN, start, end)
            self.put("LPAR", start, end, bracket)
        elif bracket == "[":
            self.push(_SQUARE, start, end)
            self.put("LSQB", start, end, bracket)
        elif self.top.kind <= _BLOCK and self.previous in ("IDENT", "QSTRING", "CQUOTE"):
            self.push(_BLOCK, start, end)
            self.put("LBLOCK", start, end, bracket)
        else:
            self.push(_OBJECT, start, end)
            self.put("LBRACE", start, end, bracket)

    def close(self, start: int, end: int) -> None:
        bracket = self.text[end - 1]
        kinds = _CLOSERS[bracket]
        if end - start == 2 and self.top.kind != _MARK:  # `~}` is one mark only at the end of `${ }` and `%{ }`
            self.at = start + 1
            self.fault(say.bad_character(self.span(start, start + 1), "~"), wide=False)
            return
        if self.is_stray(bracket, start):
            self.out.unbalanced = True
            between = self.text[self.stray_end : start]
            if self.stray_end < 0 or ("\n" in between and between.strip()):  # several in a row or on a line are one mistake
                self.out.strays.append(say.extra_closing(self.span(start, end), bracket))
            self.stray_end = end
            return
        if self.top.kind not in kinds or (self.resync and bracket == "}"):
            self.prepare_close(bracket, start)
        top = self.top
        if top.kind not in kinds:
            self.out.unbalanced = True
            opener = self.span(top.start, top.end)
            self.fault(say.wrong_closing(self.span(start, end), _CLOSING[top.kind], bracket, opener))
            bracket = _CLOSING[top.kind]
        self.pop()
        if top.kind == _MARK:
            self.strip_next = end - start == 2
            self.put("TCLOSE", start, end, self.text[start:end])
            return
        self.put(_CLOSE_TYPES[bracket], start, end, bracket)

    def find_open(self, bracket: str) -> int:
        """The index of the innermost context that a closing bracket can close, 0 for none."""
        kinds = _CLOSERS[bracket]
        target = len(self.stack) - 1
        while target > 0 and self.stack[target].kind not in kinds:
            if self.stack[target].kind >= _STRING:
                return 0
            target -= 1
        return target

    def is_stray(self, bracket: str, start: int) -> bool:
        """Whether a closing bracket is one too many, rather than the end of something around it."""
        top, text = self.top, self.text
        line = text.rfind("\n", 0, start) + 1
        first_on_line = not text[line:start].strip(" \t")
        if top.kind in _CLOSERS[bracket]:  # a block ends on a line of its own, unless it began there
            return self.too_many_closers and top.kind == _BLOCK and top.start < line and not first_on_line
        if top.kind <= _LONE:
            return self.find_open(bracket) == 0
        target = self.find_open(bracket)
        if target and self.stack[target].kind == _MARK:
            return False
        if top.start >= line:
            return text.find(_CLOSING[top.kind], start + 1, self.line_end(start)) >= 0
        return target == 0 and not first_on_line

    def prepare_close(self, bracket: str, start: int) -> None:
        """Close what stands between a closing bracket and the one that it closes."""
        target = self.find_open(bracket)
        if target == 0:
            return
        if self.resync and bracket == "}" and self.stack[target].kind != _MARK:
            target = self.by_indentation(target, start)
        while len(self.stack) - 1 > target:
            self.never_closed(note(f'noticed here: this "{bracket}" closes what is around it', self.span(start, start + 1)))

    def by_indentation(self, target: int, start: int) -> int:
        """Which open brace a `}` that begins its line closes: one whose line is indented like it, if there is any."""
        indent = self.indent(start)
        if self.text[start - indent : start].strip(" \t") or self.indent(self.stack[target].start, True) <= indent:
            return target
        for index in range(target - 1, 0, -1):
            context = self.stack[index]
            if context.kind >= _STRING:
                break
            if context.kind in _CLOSERS["}"] and self.indent(context.start, True) == indent:
                return index
        return target

    def indent(self, offset: int, blank: bool = False) -> int:
        """Characters before `offset` on its line; with `blank`, only the blanks that the line begins with."""
        begin = self.text.rfind("\n", 0, offset) + 1
        if not blank:
            return offset - begin
        line = self.text[begin:offset]
        return len(line) - len(line.lstrip(" \t"))

    def never_closed(self, noticed: Note | None = None) -> None:
        """Report the innermost open context, and put the token that closes it."""
        top = self.pop()
        self.out.unbalanced = True
        at = self.tokens[-1].end
        span = self.span(top.start, top.end)
        if top.kind == _STRING or top.kind == _HERE:
            self.open_directives(top)
            self.put("CQUOTE" if top.kind == _STRING else "HEREDOC_END", at, at, "")
            return
        self.fault(say.never_closed(span, self.called(top), _CLOSING[top.kind], noticed))
        if top.kind == _BLOCK and self.previous != "NL":
            self.put("NL", at, at, "\n")
        self.put("TCLOSE" if top.kind == _MARK else _CLOSE_TYPES[_CLOSING[top.kind]], at, at, "")

    def called(self, context: _Context) -> str:
        """What people call an open bracket."""
        before = self.tokens[context.token - 1] if context.token > 0 else None
        if context.kind == _MARK:
            return "`${`" if self.text[context.start] == "$" else "`%{`"
        if context.kind == _PAREN and before is not None and before.type in ("IDENT", "QNAME"):
            return "call"
        if context.kind == _SQUARE and before is not None and before.type in OPERAND_ENDS and before.end == context.start:
            return "index"
        return {_BLOCK: "block", _PAREN: "parenthesis", _SQUARE: "list"}.get(context.kind, "object")

    def look_for_head(self, line: int) -> None:
        """Open a block where its head has lost its `{`: the next line is indented, or is the `}` of the block."""
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
            self.push(_BLOCK, head.end, head.end)
            self.put("LBLOCK", head.end, head.end, "{")

    def look_for_item(self, line: int) -> None:
        """Close everything when the line at offset `line` looks like a top-level item in an indented file."""
        found = _ITEM_LINE.match(self.text, line, self.limit)
        if found is None or self.limit != len(self.text):
            return
        outer = self.stack[1]
        after = self.text.find("\n", outer.end) + 1
        while after and after < line and self.text[after : after + 1] in ("\r", "\n"):
            after = self.text.find("\n", after) + 1
        if after < line and self.text[after : after + 1] not in (" ", "\t"):
            return
        while len(self.stack) > 1:
            self.never_closed(note("noticed here: this looks like the next item", self.span(line, found.end("word"))))

    # -- templates

    def resolve(self, text: str, start: int) -> str:
        """The value of template text written at `start`."""
        if "\\" not in text and "{" not in text:
            return text
        value, wrong = resolve_escapes(text)
        for offset, length in wrong:
            self.fault(say.bad_escape(self.span(start + offset, start + offset + length)), wide=False)
        return value

    def text_token(self, start: int, end: int, value: str) -> None:
        """Text, even when a strip mark leaves nothing of it: `" ${~ x}"` is not `x` alone (spec 1.6)."""
        if self.strip_next:
            value = value.lstrip(BLANKS)
            self.strip_next = False
        self.put("TEXT", start, end, value)

    def string(self) -> None:
        """Lex the text of a quoted template up to its end or the next mark."""
        found = _IN_STRING.match(self.text, self.at, self.limit)
        assert found is not None  # it matches the empty text
        kind, (start, end) = found.lastgroup, found.span()
        self.at = end
        if kind == "TEXT":
            self.text_token(start, end, self.resolve(found[0], start))
        elif kind == "MARK":
            self.mark(found[0], start, end)
        elif kind == "QUOTE":
            self.strip_next = False
            self.open_directives(self.pop())
            self.put("CQUOTE", start, end, '"')
        else:
            self.unterminated_string()

    def unterminated_string(self) -> None:
        """A line or the file ends inside a quoted template: close what began on the line."""
        top, text = self.top, self.text
        self.at = self.line_end(self.at)
        end = self.at - (text[self.at - 1] == "\r")
        self.strip_next = False
        culprit = self.unclosed_mark(top)
        if culprit is None:
            self.pop()
            self.fault(say.unterminated_string(self.span(top.start, end)))
            self.at = self.brackets_at_end(top, end)
            del self.tokens[top.token + 1 :]
            self.put("CQUOTE", self.at, self.at, "")
            return
        if self.tokens[-1].type in ("OQUOTE", "TEXT"):
            del self.tokens[top.token :]  # what looks like a nested string is the end of the outer one
            self.at = end = top.end
        self.pop()
        self.fault(say.never_closed(self.span(culprit.start, culprit.end), self.called(culprit), "}"))
        while self.top is not culprit:
            self.put(_CLOSE_TYPES[_CLOSING[self.pop().kind]], end, end, "")
        self.pop()
        self.put("TCLOSE", end, end, "")
        self.pop()
        self.put("CQUOTE", end, end, "")

    def brackets_at_end(self, string: _Context, end: int) -> int:
        """Where brackets begin that a string without an end has swallowed: `f(["a)]` leaves `)]`; `end` when none fit."""
        text = self.text
        start = end
        while start > string.end and text[start - 1] in ")]}, \t":
            start -= 1
        if start == end or not text[start:end].strip(" \t,"):
            opens = text[string.end : end].rstrip(" \t").endswith("{")
            if opens and self.top.kind <= _BLOCK and self.in_head(string.token):
                return text.rindex("{", string.end, end)
            return end
        level = len(self.stack) - 1
        for bracket in text[start:end]:
            if bracket in _CLOSERS:
                if self.stack[level].kind not in _CLOSERS[bracket] or self.stack[level].kind == _MARK:
                    return end
                level -= 1
        return start

    def in_head(self, token: int) -> bool:
        """Whether what comes before a token on its line can be the head of a block: there is something, and no `=`."""
        index = token - 1
        while index >= 0 and self.tokens[index].type not in ("NL", "EQUAL"):
            index -= 1
        return index < token - 1 and (index < 0 or self.tokens[index].type == "NL")

    def unclosed_mark(self, string: _Context) -> _Context | None:
        """The `${` around a string that a line ends in, when the string around that began on the same line."""
        for index in range(len(self.stack) - 2, 1, -1):
            context, around = self.stack[index], self.stack[index - 1]
            if context.kind >= _STRING or self.text.find("\n", context.start, string.start) >= 0:
                return None
            if context.kind == _MARK:
                return context if around.kind == _STRING else None
        return None

    def mark(self, mark: str, start: int, end: int) -> None:
        """`${`, or `%{` with the word after it."""
        if mark[-1] == "~" and self.tokens[-1].type == "TEXT":
            self.tokens[-1].value = self.tokens[-1].value.rstrip(BLANKS)
        self.strip_next = False
        template = self.top
        context = self.push(_MARK, start, end)
        if mark[0] == "$":
            self.put("TOPEN", start, end, mark)
            return
        found = _DIRECTIVE.match(self.text, end, self.limit)
        word = found[1] or "" if found is not None else ""
        type_ = _DIRECTIVES.get(word)
        if type_ is None or found is None:
            self.fault(say.unknown_directive(self.span(start, found.end() if found and word else end), word))
            self.put("TOPEN", start, end, mark)
            return
        self.at = found.end()
        self.directive(word, template, start)
        if word == "for":
            context.progress = _HEADER
        self.put(type_, start, self.at, word)
        if word == "for":
            self.previous = "FOR"

    def directive(self, word: str, template: _Context, start: int) -> None:
        """Check that `else`, `endif` and `endfor` have their beginning."""
        opened = template.directives
        if template.broken:
            return
        if word in ("if", "for"):
            opened.append((word, start, self.at))
            self.nest(start, self.at)
            return
        wants = "for" if word == "endfor" else "if"
        if not opened or opened[-1][0] != wants or (word == "else" and opened[-1][2] < 0):
            begin = self.span(opened[-1][1], abs(opened[-1][2])) if opened else None
            self.fault(say.unmatched_directive(self.span(start, self.at), word, begin))
            template.broken = True
        elif word == "else":
            opened[-1] = ("if", opened[-1][1], -opened[-1][2])
        else:
            opened.pop()
            self.weight -= 1

    def open_directives(self, template: _Context) -> None:
        """Report the first directive that a finished template leaves open."""
        for word, start, end in () if template.broken else template.directives[:1]:
            self.fault(say.unclosed_directive(self.span(start, abs(end)), word))

    def heredoc(self, start: int) -> None:
        """Open a heredoc: find where it ends, so that nothing inside can run past that."""
        text = self.text
        found = _HEREDOC.match(text, start, self.limit)
        if found is None:
            self.at = self.line_end(start)
            self.fault(say.bad_heredoc(self.span(start, self.at)))
            word = _WORD.search(text, start, self.at)
            close = self.find_marker(word[0], self.at) if word else None
            self.at = close.end(1) if close else self.at
            self.put("QSTRING", start, self.at, "")
            return
        marker = found[2]
        begin = found.end()
        close = self.find_marker(marker, begin)
        intro = self.span(start, found.start(3))
        if close is None:
            almost = self.almost_marker(marker, begin)
            self.fault(say.unterminated_heredoc(intro, marker, almost))
            self.at = self.resume_after_heredoc(begin) if almost is None else self.line_end(almost.end)
            self.put("QSTRING", start, self.at, "")
            return
        context = self.push(_HERE, start, found.start(3))
        context.flush = bool(found[1])
        context.outer_limit, context.limit = self.limit, close.end(1)
        self.limit = close.start()
        self.put("HEREDOC", start, found.start(3), found[1] + marker)
        self.at = begin

    def find_marker(self, marker: str, begin: int) -> re.Match[str] | None:
        """The line that ends a heredoc."""
        pattern = re.compile(rf"^[ \t]*({re.escape(marker)})[ \t]*\r?$", re.MULTILINE)
        return pattern.search(self.text, begin, self.limit)

    def almost_marker(self, marker: str, begin: int) -> Span | None:
        """A line that would end a heredoc but for what else stands on it, or for the case of its letters."""
        pattern = re.compile(rf"^[ \t]*({re.escape(marker)}\b[^\n]*)$", re.MULTILINE | re.IGNORECASE)
        found = pattern.search(self.text, begin, self.limit)
        return self.span(found.start(1), found.end(1)) if found is not None else None

    def line_end(self, start: int) -> int:
        """Where the line of `start` ends, or what is being lexed."""
        found = self.text.find("\n", start, self.limit)
        return self.limit if found < 0 else found

    def resume_after_heredoc(self, begin: int) -> int:
        """Where code goes on after a heredoc without an end: before the next line that looks like a block."""
        line = begin
        while 0 < line < self.limit:
            found = _ITEM_LINE.match(self.text, line, self.limit)
            if found is not None and found["block"]:
                return line - 1
            line = self.text.find("\n", line, self.limit) + 1
        return self.limit

    def heredoc_text(self) -> None:
        """Lex the text of a heredoc up to its end or the next mark."""
        found = _IN_HEREDOC.match(self.text, self.at, self.limit)
        assert found is not None  # it matches the empty text
        kind, (start, end) = found.lastgroup, found.span()
        self.at = end
        if kind == "TEXT":
            for line in _LINE.findall(found[0]):  # one token a line: strip marks reach no further
                self.text_token(start, start + len(line), resolve_marks(line))
                start += len(line)
        elif kind == "MARK":
            self.mark(found[0], start, end)
        else:
            self.end_heredoc()

    def end_heredoc(self) -> None:
        start = self.limit
        context = self.pop()
        self.strip_next = False
        self.open_directives(context)
        if context.flush:
            dedent(self.tokens, context.token + 1)
        join_texts(self.tokens, context.token + 1)
        self.at = context.limit
        self.put("HEREDOC_END", start, self.at, "")

    def heredoc_cut_short(self) -> None:
        """A heredoc ends inside `${ }`: report that, and close down to the heredoc."""
        self.at = self.limit
        while self.top.kind != _HERE:
            self.never_closed()
