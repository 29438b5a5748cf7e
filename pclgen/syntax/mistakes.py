"""Mistakes in the tokens of an item: a diagnostic for a token that the grammar does not accept, and its removal.

The terminals that the parser would have accepted show its context: where `=>` is accepted, an object `for` lacks it;
where `,` and `]` are, list elements lack a comma. The result is one diagnostic.

The mistake is then removed, so that the rest of the item can be parsed. A hole replaces the smallest removable part around
the token at fault: an element, an argument, an object item, the inside of `${ }`.

    [1, 2 3, f(x)]  ->  [1, ?, f(x)]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.habits import block_help, set_head_help, statement_help
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import SourceFile, Span
from pclgen.syntax.tokens import CLOSING, OPENING, Token

if TYPE_CHECKING:
    from pclgen.syntax.parser import Parser, Unexpected


_NAMES: Final = {
    "IDENT": "a name", "QNAME": "a function name", "NUMBER": "a number", "QSTRING": "a string", "OQUOTE": "a string",
    "NL": "the end of the line", "$END": "the end", "EQUAL": "`=`", "ARROW": "`=>`", "COMMA": "`,`", "DOT": "`.`",
    "ELLIPSIS": "`...`", "QMARK": "`?`", "COLON": "`:`", "RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`", "LPAR": "`(`",
    "LSQB": "`[`", "LBRACE": "`{`", "LBLOCK": "`{`", "TCLOSE": "`}`", "CQUOTE": 'the closing `"`', "TOPEN": "`${`",
    "FOR": "`for`", "IN": "`in`", "IF": "`if`", "HEREDOC": "a heredoc", "HEREDOC_END": "the end of the heredoc",
}  # fmt: skip  # a table with many short entries a line


_BLOCK_WORDS: Final = frozenset(
    {"resource", "read", "config", "output", "component", "hook", "package", "pulumi", "options", "parameterization"}
)  # elsewhere a word with one label has rather lost its `=` than its `{`
_FOREIGN_WORDS: Final = {
    "and": "`&&`", "or": "`||`", "is": "`==`", "then": "`c ? a : b`", "else": "`c ? a : b`", "if": "`c ? a : b`",
    "mod": "`%`", "div": "`/`", "eq": "`==`", "ne": "`!=`",
}  # fmt: skip  # a table with many short entries a line

_ENDS: Final = CLOSING | {"COMMA", "NL", "$END"}
"""Tokens that end an expression: an operand missing before such a token is missing behind the operator, wherever it is."""

_BARE_TOKEN: Final = re.compile(r"[\w-]+(?:[:/][\w./-]+)+")
_BARE_TYPE: Final = re.compile(r"\w+\((?:[^()\"\n]|\((?:[^()\"\n]|\([^()\"\n]*\))*\))*\)")
"""A configuration type with brackets, up to three deep."""


def diagnose(parser: Parser, tokens: Sequence[Token], failure: Unexpected) -> Diagnostic:
    """Return the diagnostic for the failing token of an item."""
    accepted = parser.accepted(tokens[: failure.index])
    return _Mistake(parser.source, tokens, failure, accepted).diagnostic()


class _Mistake:
    """The failing token, the previous token, and the bracket around them."""

    def __init__(self, source: SourceFile, tokens: Sequence[Token], failure: Unexpected, accepted: frozenset[str]) -> None:
        self.source = source
        self.tokens = tokens
        self.token = failure.token
        self.index = failure.index
        self.accepted = accepted
        self.before = tokens[self.index - 1] if self.index > 0 else None
        self.opener_index = find_opener(tokens, self.index)
        self.opener = tokens[self.opener_index] if self.opener_index >= 0 else None

    def span(self, token: Token | None = None) -> Span:
        token = token or self.token
        return Span(self.source, token.start, token.end)

    def shown(self) -> str:
        token = self.token
        if token.type in ("IDENT", "NUMBER", "BINOP", "BANG", "MINUS", "STAR"):
            return f"`{self.source.text[token.start : token.end]}`"
        return _NAMES.get(token.type, "this")

    def place(self) -> Span:
        """Return the reported position: the token, or just behind the previous token when the token is the end of a line."""
        if self.token.type in ("NL", "$END") and self.before is not None:
            return Span(self.source, self.before.end, self.before.end)
        return self.span()

    def diagnostic(self) -> Diagnostic:
        if self.before is None or self.before.type == "NL":
            return self.at_start()
        for attempt in (self.foreign, self.in_for, self.in_value, self.in_head, self.in_brackets, self.after_item):
            diagnostic = attempt()
            if diagnostic is not None:
                return diagnostic
        expected = [_NAMES[name] for name in sorted(self.accepted) if name in _NAMES]
        return say.unexpected(self.place(), self.shown(), expected if len(expected) <= 3 else ())

    def at_start(self) -> Diagnostic:
        """Diagnose an item whose first token is no name."""
        token = self.token
        if "NUMBER" in self.accepted:
            return say.unexpected(self.place(), self.shown(), ["a value"], self.spread_help())
        help_text = None
        if token.type in ("QSTRING", "OQUOTE"):
            help_text = "names of attributes and types of blocks are written without quotes"
        elif self.source.text.startswith("--", token.start):
            help_text = "a comment begins with # or //"
        elif token.type in ("BINOP", "MINUS", "STAR", "QMARK", "COLON", "DOT"):
            help_text = "an expression ends with its line; inside ( ) it may go on in the next"
        elif token.type in ("LBRACE", "LBLOCK"):
            help_text = "the opening brace stands on the line of the block's type and labels"
        elif token.type == "COMMA":
            help_text = "attributes of a block are separated by new lines only"
        return say.item_expected(self.span(), self.shown(), help_text)

    def next_token(self) -> Token | None:
        return self.tokens[self.index + 1] if self.index + 1 < len(self.tokens) else None

    def foreign(self) -> Diagnostic | None:
        """Diagnose operators of other languages where a value is complete or has begun."""
        before, token, follows = self.before, self.token, self.next_token()
        assert before is not None
        text = self.source.text
        if self.wants_value():
            if token.type == "EQUAL" and before.value in ("==", "!=") and before.end == token.start:
                both = Span(self.source, before.start, token.end)
                return say.foreign(both, text[before.start : token.end], f"`{before.value}`")
            if before.type == "QMARK" and token.type in ("QMARK", "DOT") and before.end == token.start:
                both = Span(self.source, before.start, token.end)
                step = token.type == "DOT"
                return say.foreign(both, "?." if step else "??", "`try(a.b, null)`" if step else "`a == null ? b : a`")
            if before.type in ("BINOP", "MINUS", "STAR") and token.type == "BINOP" and before.end == token.start:
                return say.unexpected(self.span(), self.shown(), ["a value"])
            return None
        if "QMARK" not in self.accepted:
            return None
        if token.type == "IDENT" and before.type == "IDENT" and before.value in ("not", "if"):
            instead = "`!`" if before.value == "not" else "`c ? a : b`"
            return say.foreign(self.span(before), before.value, instead)
        if token.type == "IDENT" and before.type == "IDENT" and before.value == "new":
            help_text = 'declare the resource in a block: resource name "package:module:Type" { … }'
            return say.unexpected(self.span(before), "`new`", ["a value"], help_text)
        if token.type == "LPAR" and before.type == "IDENT":
            return self.method_call(before)
        goes_on = follows is not None and follows.type not in ("NL", "EQUAL", "LBLOCK")
        in_header = token.type == "IF" and "COLON" in self.accepted
        if token.type in ("IDENT", "IF") and token.value in _FOREIGN_WORDS and goes_on and not in_header:
            return say.foreign(self.span(), token.value, _FOREIGN_WORDS[token.value])
        if token.type == "EQUAL" and "EQUAL" not in self.accepted:
            return self.sign_in_value()
        return None

    def method_call(self, name: Token) -> Diagnostic:
        """Diagnose `(` after the step `.name`."""
        first = self.index - 2  # the dot
        while self.tokens[first].type == "DOT" and self.tokens[first - 1].type == "IDENT":
            first -= 2
        path = [token.value for token in self.tokens[first + 1 : self.index - 2 : 2]]
        return say.method_call(self.span(), name.value, path if self.tokens[first].type != "DOT" else ())

    def sign_in_value(self) -> Diagnostic:
        """Diagnose `=` after a complete value."""
        opener, before = self.opener, self.before
        assert before is not None
        if opener is not None and opener.type == "LPAR" and self.opener_index > 0:
            callee = self.tokens[self.opener_index - 1]
            if callee.type in ("IDENT", "QNAME") and self.index - self.opener_index >= 2 and before.type == "IDENT":
                return say.named_argument(Span(self.source, before.start, self.token.end), before.value)
        if "ARROW" in self.accepted:
            return say.sign_in_value(self.span(), "write => between the key and the value")
        in_loop = self.tokens[self.opener_index + 1].type == "FOR"
        if opener is not None and opener.type == "LSQB" and not in_loop:
            return say.sign_in_value(self.span(), "a list holds values only: for keys and values write { key = value }")
        return say.sign_in_value(self.span(), "to compare write ==")

    def wants_value(self) -> bool:
        """Return whether an expression must begin here."""
        return "NUMBER" in self.accepted and "QSTRING" in self.accepted

    def in_for(self) -> Diagnostic | None:
        """Diagnose a token inside the brackets of a `for`."""
        opener = self.opener
        if opener is None:
            return None
        follows = self.tokens[self.opener_index + 1] if self.opener_index + 1 < len(self.tokens) else None
        if opener.type == "DIR_FOR":
            where = "template"
        elif follows is not None and follows.type == "FOR" and self.index > self.opener_index + 1:
            where = "object" if opener.type == "LBRACE" else "list"
        else:
            return None
        accepted = self.accepted
        if "IN" in accepted:
            return say.bad_for(self.place(), '"in" missing', where)
        if self.token.type == "ARROW" and "COLON" in accepted:
            return say.bad_for(self.span(), '":" missing', where)
        if "ARROW" in accepted:
            return say.bad_for(self.place(), '"=>" missing', where)
        if self.token.type == "ARROW":
            return say.bad_for(self.place(), 'a key and "=>" are not allowed', where)
        if "IDENT" in accepted and "NUMBER" not in accepted and self.before is not None and self.before.type != "DOT":
            return say.bad_for(self.place(), "a name expected", where)
        if "COLON" in accepted and not self.waits_for_branch():
            return say.bad_for(self.place(), '":" missing', where)
        return None

    def in_value(self) -> Diagnostic | None:
        """Diagnose a token where an expression must begin."""
        if not self.wants_value() or self.before is None:
            return None
        before, token, follows = self.before, self.token, self.next_token()
        if token.type == "DOT" and follows is not None and follows.type == "NUMBER" and follows.start == token.end:
            return say.bad_number(Span(self.source, token.start, follows.end))
        if token.type in ("IF", "FOR", "IN"):
            return say.unexpected(self.span(), f"`{token.value}`", ["a value"])
        after = self.source.text[before.start : before.end] if before.type != "OQUOTE" else "this"
        if before.type in ("LPAR", "LSQB", "LBRACE", "TOPEN", "DIR_IF", "COMMA"):
            return say.unexpected(self.place(), self.shown(), ["a value"], self.spread_help())
        place = self.place()
        if before.type != "EQUAL" and (token.type in _ENDS or "\n" in self.source.text[before.end : token.start]):
            place = Span(self.source, before.end, before.end)
        return say.missing_value(place, after, goes_on=token.type == "NL" and self.next_line_is_value())

    def next_line_is_value(self) -> bool:
        """Return whether the line after the failing token begins with a value, and not with an item."""
        next_line = [token.type for token in self.tokens[self.index + 1 : self.index + 3]]
        return bool(next_line) and next_line[0] not in _ENDS and "EQUAL" not in next_line

    def spread_help(self) -> str | None:
        """Return the help for `...x` where a value must begin."""
        if self.token.type != "ELLIPSIS" or self.opener is None:
            return None
        return say.spread_help(self.opener.type)

    def in_head(self) -> Diagnostic | None:
        """Diagnose a token after the name of an attribute, or the type and labels of a block."""
        if (self.opener is not None and self.opener.type != "LBLOCK") or "LBLOCK" not in self.accepted:
            return None
        token, before = self.token, self.before
        assert before is not None
        if token.type == "OQUOTE":
            return say.template_label(self.span())
        if "EQUAL" in self.accepted:
            return say.after_name(self.place(), before.value, self.after_name_help(before.value))
        first = self.tokens[self.opener_index + 1]
        if token.type in ("NL", "$END") and self.index - self.opener_index == 3 and first.value not in _BLOCK_WORDS:
            help_text = statement_help(first.value, "") or f"to set it write {first.value} = …"
            return say.after_name(self.span(before), first.value, help_text)
        head = self.source.text[first.start : before.end].strip()
        if token.type == "EQUAL":
            follows = self.next_token() if first.value in _BLOCK_WORDS else None
            alone = "remove =" if follows is not None and follows.type == "QSTRING" else None
            return say.unexpected(self.span(), "`=`", ["`{`"], set_head_help(first.value, before.value) or alone)
        return say.brace_expected(self.place(), head, self.head_help(first, before))

    def after_name_help(self, name: str) -> str | None:
        """Return the help for a token after `name` where `=` or `{` must follow."""
        token = self.token
        if token.type == "COLON":
            return "write = instead of :"
        if token.type == "BINOP" and token.value == "==":
            return "write = to set it"
        if token.type == "LPAR" or name == "return":
            statement = statement_help(name, "") or block_help(name, None)
            if statement is not None:
                return statement
        if token.type in ("BINOP", "MINUS", "STAR"):
            return "a name is set once and never changed"
        if token.type in ("LSQB", "LBRACE", "NUMBER", "NL", "$END"):
            return f"to set it write {name} = …"
        if self.stands_for_value():
            return "write value = … inside the block"
        return "only plain names can be set" if token.type == "DOT" else None

    def head_help(self, first: Token, last: Token) -> str | None:
        """Return a help when the head of a block is that of a statement, or lacks quotes around its last label."""
        if first.value not in _BLOCK_WORDS:
            return statement_help(first.value, last.value) or block_help(first.value, None)
        if self.token.type == "DOT":
            return "a name has letters, digits, _ and -"
        match = (_BARE_TYPE if self.token.type == "LPAR" else _BARE_TOKEN).match(self.source.text, last.start)
        return f'write it in quotes: "{match[0]}"' if match is not None else None

    def in_brackets(self) -> Diagnostic | None:
        """Diagnose a token after a complete value inside brackets, or in a conditional."""
        opener, token, accepted = self.opener, self.token, self.accepted
        if self.waits_for_branch():
            return say.missing_branch(self.place())
        if "DOT" not in accepted and "QMARK" not in accepted and self.before is not None:
            if self.before.type == "DOT":
                return say.unexpected(self.place(), self.shown(), ["a name"])
            if opener is None or opener.type == "LBLOCK":
                return None
        if opener is None or opener.type == "LBLOCK":
            return None
        if opener.type == "LBRACE":
            if "EQUAL" in accepted:
                if token.type == "LBRACE" and self.before is not None and self.before.type == "IDENT":
                    return say.block_in_object(self.place(), self.before.value)
                first = self.key_start()
                start = self.tokens[first].start
                compared = next((t for t in self.tokens[first : self.index] if t.type == "BINOP" and t.value == "=="), None)
                if compared is not None:
                    help_text = "write = to set it"
                    return say.key_sign_expected(self.span(compared), self.source.text[start : compared.start], help_text)
                end = self.before.end if self.before else start
                return say.key_sign_expected(self.place(), self.source.text[start:end])
            if token.type == "COMMA":
                return say.unexpected(self.span(), "`,`", ["a key"])
            return say.separator_expected(self.place(), "the items of an object", "`,` or a new line")
        if opener.type == "LPAR":
            called = "COMMA" in accepted
            if called:
                return say.separator_expected(self.place(), "arguments", "`,`", self.arrow_help())
            return say.unexpected(self.place(), self.shown(), ["`)`"])
        if opener.type == "LSQB":
            if "COMMA" in accepted:
                begins = "write [for x in list : value]" if token.value == "for" else None
                return say.separator_expected(self.place(), "the elements of a list", "`,`", begins)
            return say.unexpected(self.place(), self.shown(), ["`]`"], say.SLICE_HELP if token.type == "COLON" else None)
        if opener.type in ("TOPEN", "DIR_IF", "DIR_FOR", "DIR_ELSE", "DIR_ENDIF", "DIR_ENDFOR"):
            return say.extra_in_template(self.place(), self.span(opener))
        return None

    def key_start(self) -> int:
        index = self.index
        depth = 0
        while index - 1 > self.opener_index:
            kind = self.tokens[index - 1].type
            depth += (kind in CLOSING) - (kind in OPENING)
            if depth == 0 and kind in ("COMMA", "NL"):
                break
            index -= 1
        return index

    def waits_for_branch(self) -> bool:
        """Return whether an earlier `?` inside the same brackets still has no `:`."""
        if "COLON" not in self.accepted:
            return False
        depth = waiting = 0
        for index in range(self.opener_index + 1, self.index):
            kind = self.tokens[index].type
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0:
                waiting += (kind == "QMARK") - (kind == "COLON" and waiting > 0)
                waiting *= kind not in ("COMMA", "NL", "EQUAL")
        return waiting > 0

    def after_item(self) -> Diagnostic | None:
        """Diagnose a token after a complete attribute or block: only a new line fits."""
        token = self.token
        if self.one_line_block():
            before_name = self.before is not None and self.before.type == "IDENT"
            if "EQUAL" in self.accepted and token.type not in ("LBLOCK", "QSTRING", "OQUOTE") and before_name:
                name = self.tokens[self.index - 1].value
                help_text = "write value = … inside the block" if self.stands_for_value() else f"to set it write {name} = …"
                return say.after_name(self.place(), name, help_text)
            if token.type == "LBLOCK" or (self.before is not None and self.before.type == "LBLOCK"):
                return say.one_line_block(self.place(), "a block on one line holds no other block")
            if token.type == "NL" or token.type == "$END":
                return say.one_line_block(self.place(), "a block that begins with an attribute ends on the same line")
            return say.one_line_block(self.span(), "a block on one line has one attribute at most")
        if "NL" not in self.accepted:
            return None
        what = "a block" if self.before is not None and self.ends_block() else "an attribute"
        if token.type == "RBRACE":
            return say.new_line_expected(self.span(), what, "put the closing brace on a line of its own")
        if token.type == "COMMA":
            return say.new_line_expected(self.span(), what, "attributes are separated by new lines only")
        quoted = self.before is not None and self.before.type in ("QSTRING", "CQUOTE")
        if quoted and self.before is not None and token.type == "IDENT" and token.start == self.before.end:
            return say.new_line_expected(self.span(), "a string", 'for a quote inside a string write \\"')
        named = self.before is not None and self.before.type == "IDENT" and self.before.end == token.start
        if token.type in ("QSTRING", "OQUOTE") and named:
            return say.new_line_expected(self.span(), "an attribute", "a string has no prefix; ${ } works in every string")
        follows = self.next_token()
        if token.type == "IDENT" and follows is not None and follows.type in ("EQUAL", "LBLOCK", "IDENT", "QSTRING"):
            return say.new_line_expected(self.span(), what)
        help_text = self.arrow_help() or "an operator is missing before it, or a new line"
        return say.new_line_expected(self.span(), what, help_text)

    def arrow_help(self) -> str | None:
        """Return the help for `x => …`."""
        return "write [for x in xs : …] for each element: values are never functions" if self.token.type == "ARROW" else None

    def stands_for_value(self) -> bool:
        """Return whether a block `output` has its value without `value =` here."""
        index = self.opener_index
        while index > 0 and self.tokens[index - 1].type in ("IDENT", "QSTRING"):
            index -= 1
        return index >= 0 and self.opener is not None and self.tokens[index].value == "output"

    def one_line_block(self) -> bool:
        follows = self.opener_index + 1
        return (
            self.opener is not None
            and self.opener.type == "LBLOCK"
            and follows < len(self.tokens)
            and self.tokens[follows].type != "NL"
        )

    def ends_block(self) -> bool:
        if self.before is None or self.before.type != "RBRACE":
            return False
        first = self.opener_index + 1
        return not any(t.type == "EQUAL" for t in self.tokens[first : first + 2])


# -- holes ------------------------------------------------------------------------------------------------------------------

class Mended(Struct, frozen=True, kw_only=True):
    """Tokens with a hole: the removed tokens were at the offsets `start:end`; parsing continues at the index `resume`."""

    tokens: list[Token]
    start: int
    end: int
    resume: int


def mend(tokens: Sequence[Token], index: int) -> Mended | None:
    """Return `tokens` without the failing part at `index`; None when that is not inside brackets or a template."""
    opener = find_opener(tokens, index)
    if opener < 0 or tokens[opener].type == "LBLOCK":
        return None
    kind = tokens[opener].type
    close = _find_close(tokens, opener)
    if kind in ("OQUOTE", "HEREDOC"):
        return _replace(tokens, opener, close + 1, [_hole(tokens[opener], tokens[close])])
    low, high = opener + 1, close
    inner = [_hole(tokens[low], tokens[max(low, high - 1)])]
    if kind == "DIR_FOR":
        name = Token("IDENT", tokens[low].start, tokens[low].start, "_")
        return _replace(tokens, low, high, [name, Token("IN", name.start, name.start, "in"), *inner])
    if kind in ("TOPEN", "DIR_IF") or (tokens[low].type == "FOR" and kind == "LSQB"):
        return _replace(tokens, low, high, inner)
    if kind in ("DIR_ELSE", "DIR_ENDIF", "DIR_ENDFOR") or tokens[low].type == "FOR":
        return _replace(tokens, low, high, [])
    return _element(tokens, index, low, high)


def _element(tokens: Sequence[Token], index: int, low: int, high: int) -> Mended:
    """Remove the element at `index` of the bracket that holds `tokens[low:high]`."""
    is_object = tokens[high].type == "RBRACE"
    separators = ("COMMA", "NL") if is_object else ("COMMA",)
    first, last, depth = low, low, 0
    while last < high:
        kind = tokens[last].type
        depth += (kind in OPENING) - (kind in CLOSING)
        if depth == 0 and kind in separators:
            if last >= index:
                break
            first = last + 1
        last += 1
    if is_object:
        return _replace(tokens, first, min(last + 1, high), [])
    return _replace(tokens, first, last, [_hole(tokens[first], tokens[max(first, last - 1)])])


def find_opener(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the bracket that is open at `index`, -1 for none."""
    depth = 0
    for at in range(min(index, len(tokens)) - 1, -1, -1):
        kind = tokens[at].type
        if kind in CLOSING:
            depth += 1
        elif kind in OPENING:
            if depth == 0:
                return at
            depth -= 1
    return -1


def _find_close(tokens: Sequence[Token], opener: int) -> int:
    depth = 0
    for at in range(opener, len(tokens)):
        kind = tokens[at].type
        depth += (kind in OPENING) - (kind in CLOSING)
        if depth == 0:
            return at
    return len(tokens) - 1


def _hole(first: Token, last: Token) -> Token:
    """Return a name without letters: the parser makes `Missing` of it."""
    return Token("IDENT", first.start, max(first.start, last.end), "")


def _replace(tokens: Sequence[Token], low: int, high: int, new: list[Token]) -> Mended:
    return Mended(
        tokens=[*tokens[:low], *new, *tokens[high:]],
        start=tokens[low].start,
        end=tokens[max(low, high - 1)].end,
        resume=low + len(new),
    )
