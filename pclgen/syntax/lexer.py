"""The lexer.

A `SourceFile` becomes `Lexed` (tokens, comments, diagnostics). The meaning of a character depends on its context, so the
lexer keeps a stack of contexts: the file, blocks, brackets, strings, heredocs, `${ }` and `%{ }` (language.md, Lines;
Templates; Heredocs). Newlines become tokens only where they separate items; several become one. After a fault the lexer
mends the token stream (closes open brackets and strings), so that only the item at fault is lost.

In a second run, over text whose brackets do not match, a line that looks like the start of a top-level item closes all
open contexts, and the indentation of a closing bracket selects its opening bracket; the head of a block may lack its `{`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from pclgen.diagnostics import syntax as say
from pclgen.source.text import CONTROL, SourceFile
from pclgen.syntax.contexts import BLOCK, FILE, FILTER, FOR, HEADER, HERE, OBJECT, RESULT, SQUARE, STRING
from pclgen.syntax.templates import CHUNK, Templates
from pclgen.syntax.tokens import OPERAND_ENDS, SYMBOLS, Lexed, Token

_CODE = re.compile(
    rf"""[ \t]*+(?:
      (?P<IDENT>[A-Za-z_][A-Za-z0-9_-]*+(?![^\x00-\x7f])(?!::))
    | (?P<SYMBOL>\.\.\.|=>|==|!=|<=|>=|&&|\|\||(?:=|,|\.|\?|:(?!:)|!|-|\*(?!\*)|\+|/(?![/*])|%|<(?!<)|>))
    | (?P<NL>\r?\n(?:[ \t]*\r?\n)*+)
    | (?P<QSTRING>"(?:{CHUNK})*+")
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
_INDEX = re.compile(r"[0-9]+\.[A-Za-z_]")
_NUMBER_TAIL = re.compile(r"(?:\.(?!\.)|[\w])[\w.]*|\.(?!\.\.)")
_QUOTE = re.compile(r'(?<!\\)"')
_REST_OF_STRING = re.compile(r'(?:\$\{(?:[^{}"\n]|"[^"\n]*+")*+\}|\\[^\n]|[^"\\\n])*+"')
_COMMENT_AT_END = re.compile(r"[ \t](?:#|//)[^\n]*")
_TYPOGRAPHIC: Final = {
    "“”„‟": re.compile(r'[^"“”„‟\n]*["“”„‟]'),
    "‘’‚‛": re.compile(r"(?:[^‘’‚‛\n]|’(?=\w))*[‘’‛]"),
    "«»‹›": re.compile(r"[^«»‹›\n]*[«»‹›]"),
}
"""Typographic quotes, and the rest of a text that begins with one; ’ before a letter is an apostrophe."""
_LONGEST_LINE: Final = 2000  # that is searched for quotes
_MOST_CONTROLS: Final = 20
_LINES: Final = frozenset({FILE, BLOCK, OBJECT})  # contexts where a newline separates items


def lex(source: SourceFile, *, unbalanced: Lexed | None = None, mended: bool = False) -> Lexed:
    """Return the tokens of `source`.

    `unbalanced` is the result of an earlier run that found brackets that do not match.  With `mended`, U+FFFD may represent
    bytes that have been reported, and is skipped.
    """
    return _Lexer(source, unbalanced=unbalanced, mended=mended).run()


class _Lexer(Templates):
    """The part of the lexer for code outside of templates, and the loop over all parts."""

    def run(self) -> Lexed:
        """Lex to the end of the text."""
        self.refuse_controls()
        while True:
            kind = self.top.kind
            if kind == STRING:
                self.string()
            elif kind == HERE:
                self.heredoc_text()
            elif not self.code():
                break
        while len(self.stack) > 1:
            self.never_closed()
        if self.top.kind == FILE and self.previous not in ("NL", "START"):
            self.put("NL", self.at, self.at, "\n")
        return self.out

    def refuse_controls(self) -> None:
        """Report characters that are not allowed anywhere, even in comments and strings.

        Each run of the same character is reported once, and only a few in a file that is no text at all.
        """
        end = 0
        # Editors have blanks in place of everything above the cursor.
        first = len(self.text) - len(self.text.lstrip(" "))
        for match in islice(CONTROL.finditer(self.text, first), _MOST_CONTROLS):
            start = match.start()
            if start < end:
                continue
            end = start + 1
            while self.text[end : end + 1] == match[0]:
                end += 1
            self.fault(say.bad_character(self.span(start, end), self.text[start:end]), wide=False)

    def code(self) -> bool:
        """Lex until the context is a template's text; False at the end of the text."""
        match_code = _CODE.match
        text = self.text
        while True:
            match = match_code(text, self.at, self.limit)
            assert match is not None  # the pattern matches anything
            kind = match.lastgroup
            assert kind is not None
            start, end = match.span(kind)
            self.at = end
            if kind == "IDENT":
                word = match[kind]
                type_ = "IDENT" if word not in ("for", "in", "if") else self.keyword(word)
                self.tokens.append(Token(type_, start, end, word))
                self.previous = type_
            elif kind == "SYMBOL":
                self.symbol(match[kind], start, end)
            elif kind == "NL":
                self.newline(start, end)
            elif kind == "QSTRING":
                self.put("QSTRING", start, end, self.resolve(match[kind][1:-1], start + 1))
            elif kind == "LINE":
                self.out.comments.append((start, end - (text[end - 1] == "\r")))
            elif kind == "OPEN":
                self.open(match[kind], start, end)
            elif kind == "END":
                if self.limit == len(text):
                    return False
                self.heredoc_cut_short()
                return True
            else:
                self.rare(kind, start, end)
            if self.top.kind >= STRING:
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
            self.push(STRING, start, end)
            self.put("OQUOTE", start, end, '"')
        elif kind == "HEREDOC":
            self.heredoc(start)
        elif kind == "WORD":
            self.word(start)
        else:
            self.bad_character(start)

    def keyword(self, word: str) -> str:
        """Lex `for`, `in` and `if`, special only in `for` expressions and directives (language.md, Source text)."""
        top, previous = self.top, self.previous
        if word == "for":
            if (previous == "LSQB" and top.kind == SQUARE) or (previous == "LBRACE" and top.kind == OBJECT):
                top.kind = FOR if top.kind == OBJECT else SQUARE
                top.progress = HEADER
                return "FOR"
        elif word == "in":
            if top.progress == HEADER and previous == "IDENT":
                top.progress = RESULT
                return "IN"
        elif top.progress == RESULT and (previous in OPERAND_ENDS or previous == "ELLIPSIS"):
            top.progress = FILTER
            return "IF"
        return "IDENT"

    def word(self, start: int) -> None:
        """Lex a name with letters beyond ASCII, or a namespaced name."""
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
        """Reset the nesting: the next token is nested in no `?` and no prefix operator of this bracket."""
        self.weight -= self.top.prefixes + self.top.choices
        self.top.prefixes = self.top.choices = 0

    def newline(self, start: int, end: int) -> None:
        if self.resync and len(self.stack) > 1:
            self.look_for_item(end)
        if self.resync and self.top.kind in _LINES:
            self.look_for_opener(end)
        if self.too_many_closers:
            if self.previous in ("IDENT", "QSTRING") and self.top.kind <= BLOCK:
                self.look_for_head(end)
            elif self.previous in ("EQUAL", "COLON", "LPAR", "LSQB", "COMMA") and self.top.kind != FOR:
                self.look_for_keys(end)
        kind = self.top.kind
        if kind not in _LINES or self.previous in ("NL", "START"):
            return
        if kind == OBJECT and self.previous in ("LBRACE", "COMMA"):
            return
        self.end_expression()
        self.tokens.append(Token("NL", start, end, "\n"))
        self.previous = "NL"

    def number(self, start: int, end: int) -> None:
        text = self.text
        after_dot = self.previous == "DOT"
        if after_dot or (self.previous == "LSQB" and _INDEX.match(text, start, self.limit)):
            while end > start and not text[start:end].isdigit():
                end -= 1
            tail = re.compile(r"\.[0-9][\w.]*|\w[\w.]*").match(text, end, self.limit)  # `.name` is a step, not a fraction
        else:
            tail = _NUMBER_TAIL.match(text, end, self.limit)
        if tail is None:
            self.at = end
            self.put("NUMBER", start, end, text[start:end])
            return
        self.at = tail.end()
        span = self.span(start, self.at)
        self.fault(say.bad_legacy_index(span) if after_dot else say.bad_number(span), wide=False)
        self.put("NUMBER", start, self.at, "0")

    def block_comment(self, start: int) -> None:
        end = self.text.find("*/", start + 2, self.limit)
        if end < 0:
            self.fault(say.unclosed_comment(self.span(start, start + 2)))
            self.out.cut_off = True
            self.at = self.limit
            return
        self.at = end + 2
        self.out.comments.append((start, self.at))

    def bad_character(self, start: int) -> None:
        """Report a character that begins no token, and continue as if it were missing, or were the intended character."""
        text = self.text
        character = text[start]
        self.at = start + 1
        if (character == "\ufffd" and self.mended) or CONTROL.match(character) or self.mark_ended_before(start):
            return
        if character in "'`":
            close = re.compile(rf"[^{character}\n]*{character}").match(text, self.at, self.limit)
            if close is not None:
                self.at = close.end()
            self.fault(say.bad_character(self.span(start, self.at), character), wide=close is None)
            self.put("QSTRING", start, self.at, text[start + 1 : self.at])
            return
        string_end = self.lost_opening_quote(start)
        if string_end is not None:
            self.at = string_end
            length = 2 if text.startswith("::", start) else 1
            self.fault(say.bad_character(self.span(start, start + length), text[start : start + length], lost_quote=True))
            self.put("QSTRING", start, self.at, text[start : self.at - 1])
            return
        if text.startswith("**", start) or text.startswith("::", start):
            self.at = start + 2
        elif (quoted := next((rest for quotes, rest in _TYPOGRAPHIC.items() if character in quotes), None)) is not None:
            close = quoted.match(text, self.at, self.limit)
            if close is not None:
                self.at = close.end()
                self.fault(say.bad_character(self.span(start, self.at), character), wide=False)
                self.put("QSTRING", start, self.at, text[start + 1 : self.at - 1])
                return
        else:
            while self.at < self.limit and text[self.at] == character:
                self.at += 1
        operator = character in "&|^*≤≥≠×÷–—−" or text.startswith("::", start)
        self.fault(say.bad_character(self.span(start, self.at), text[start : self.at]), wide=not operator)
        if operator:
            self.put("BINOP", start, self.at, "+")

    def lost_opening_quote(self, start: int) -> int | None:
        """Return the end of a string that has lost its opening quote before `start`; None without evidence of such a string.

        The evidence is an odd number of quotes in the rest of the line.
        """
        text, end = self.text, self.line_end(start)
        if end - start > _LONGEST_LINE or any(context.kind >= STRING for context in self.stack):
            return None
        end -= len(text[start:end]) - len(_COMMENT_AT_END.sub("", text[start:end]))
        if len(_QUOTE.findall(text, start, end)) % 2 == 0:
            return None
        rest = _REST_OF_STRING.match(text, start, end)
        return rest.end() if rest is not None else text.rindex('"', start, end) + 1
