"""Parsing a file that has mistakes, item by item.

The lexer has balanced the brackets; the body has everything that could be read. Each mistake gives one diagnostic: a block
that does not parse is read item by item, and from an expression the part at fault is taken out (`mistakes`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from pclgen.diagnostics import syntax as say
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.syntax.mistakes import diagnose, find_opener, mend
from pclgen.syntax.parser import Parser, Unexpected
from pclgen.syntax.tokens import CLOSING, OPENING, Lexed, Token

_UNFINISHED = frozenset({"BINOP", "MINUS", "STAR", "BANG", "QMARK", "COLON", "EQUAL"})  # an operand must follow these
_CONTINUING = frozenset({"BINOP", "MINUS", "STAR", "QMARK", "COLON", "DOT"})  # these begin a line that goes on with another
_MOST_MISTAKES = 20  # in one item; each costs reading the item again


def _any_between(offsets: list[int], start: int, end: int) -> bool:
    index = bisect_left(offsets, start)
    return index < len(offsets) and offsets[index] <= end


def recover_file(parser: Parser, lexed: Lexed, bag: DiagnosticBag) -> ast.Body:
    """Return the body of a file with mistakes."""
    bag.extend(lexed.diagnostics)
    recovery = _Recovery(parser, lexed, bag)
    items = [] if lexed.too_deep else recovery.items(0, len(lexed.tokens))
    bag.extend(recovery.strays.values())
    parser.builder.begin(parser.source, parser.comments)
    return parser.builder.body(items, 0, len(parser.source.text))


class _Recovery:
    """One recovery: the tokens, and the positions of the lexer's faults."""

    def __init__(self, parser: Parser, lexed: Lexed, bag: DiagnosticBag) -> None:
        self.parser = parser
        self.tokens = lexed.tokens
        self.faults = sorted(lexed.faults)
        self.wide_faults = sorted(lexed.wide_faults)
        self.strays = {d.primary.start: d for d in lexed.strays if d.primary is not None}
        self.stray_places = sorted(self.strays)
        self.bag = bag

    def items(self, start: int, end: int) -> list[ast.Item]:
        """Return the items in `tokens[start:end]`."""
        items = (self.item(low, high) for low, high in self.join(self.divide(start, end)))
        return [item for item in items if item is not None]

    def divide(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield stretches of tokens, each up to a newline outside of brackets."""
        depth = 0
        low = start
        for index in range(start, end):
            kind = self.tokens[index].type
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth = max(0, depth - 1)
            elif kind == "NL" and depth == 0:
                yield low, index + 1
                low = index + 1
        if low < end:
            yield low, end

    def join(self, stretches: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield stretches, joining those that are a single mistake.

        These are a block head and the `{` on the next line, or an operator at the end of a line and its operand on the next.
        """
        held: tuple[int, int] | None = None
        for low, high in stretches:
            if held is None:
                held = low, high
            elif self.goes_on(held, low):
                held = held[0], high
            else:
                yield held
                held = low, high
        if held is not None:
            yield held

    def goes_on(self, held: tuple[int, int], low: int) -> bool:
        """Return whether the stretch at `low` belongs to the previous stretch."""
        tokens = self.tokens
        if tokens[low].type == "LBRACE":
            return all(token.type in ("IDENT", "QSTRING", "NL") for token in tokens[held[0] : held[1]])
        if held[1] - held[0] < 2:
            return False
        if tokens[low].type in _CONTINUING:
            return tokens[held[0]].type in _CONTINUING
        if tokens[held[1] - 2].type not in _UNFINISHED:
            return False
        begins_item = tokens[low].type == "IDENT" and tokens[low + 1].type in ("IDENT", "QSTRING", "EQUAL", "LBLOCK")
        return not begins_item

    def item(self, low: int, high: int) -> ast.Item | None:
        """Return the item in `tokens[low:high]`, as far as it can be parsed."""
        tokens = self.tokens[low:high]
        if len(tokens) == 1 and tokens[0].type == "NL":
            return None
        in_doubt = _any_between(self.wide_faults, tokens[0].start, tokens[-1].end)
        mended = tokens
        resume = 0
        reported: set[tuple[str, int]] = set()
        for _ in range(_MOST_MISTAKES):
            try:
                item: ast.Item = self.parser.parse(mended, "line")
            except Unexpected as failure:
                self.parser.comments.release(tokens[0].start, tokens[-1].end)
                block = self.block(low, high) if mended is tokens else None
                if block is not None:
                    return block
                if failure.token.type == "$END" and high < len(self.tokens):
                    failure.token = self.tokens[high]
                explains = mended is tokens and self.explains_strays(tokens, failure.token)
                in_doubt = in_doubt or (mended is tokens and not explains and self.has_strays(tokens))
                mending = mend(mended, failure.index)
                if not (in_doubt or (mending and _any_between(self.faults, mending.start, mending.end))):
                    bracket = mended[find_opener(mended, failure.index)].start
                    self.report(diagnose(self.parser, mended, failure), bracket, reported)
                in_doubt = in_doubt or explains
                if mending is None or failure.index < resume:
                    break
                mended, resume = mending.tokens, mending.resume
            else:
                self.report_built(in_doubt)
                return item
        return self.salvage(tokens)

    def report(self, diagnostic: Diagnostic, bracket: int, reported: set[tuple[str, int]]) -> None:
        """Report a mistake inside the bracket at an offset, unless it was reported before.

        The lexer has reported its own faults; and one report about a name for a value in a bracket covers all of them.
        """
        at = diagnostic.primary.start if diagnostic.primary is not None else -1
        if _any_between(self.faults, at - 1, at):
            return
        if diagnostic.code != "PCL0129" or (diagnostic.code, bracket) not in reported:
            self.bag.add(diagnostic)
        reported.add((diagnostic.code, bracket))

    def strays_in(self, tokens: list[Token]) -> list[int]:
        low = bisect_left(self.stray_places, tokens[0].start)
        return self.stray_places[low : bisect_right(self.stray_places, tokens[-1].end)]

    def has_strays(self, tokens: list[Token]) -> bool:
        """Return whether an item has an extra closing bracket, which is then its mistake."""
        return bool(self.strays_in(tokens))

    def explains_strays(self, tokens: list[Token], failing: Token) -> bool:
        """Return whether the token `failing` precedes extra closing brackets.

        Then it is the only mistake of the item, and the brackets are none.
        """
        here = self.strays_in(tokens)
        if not here or here[0] <= failing.start:
            return False
        for at in here:
            self.strays.pop(at, None)
        return True

    def report_built(self, in_doubt: bool) -> None:
        """Report the diagnostics of the builder, unless the lexer reported them."""
        for diagnostic in self.parser.builder.diagnostics:
            span = diagnostic.primary
            if span is not None and not (in_doubt or _any_between(self.faults, span.start, span.end)):
                self.bag.add(diagnostic)

    def block(self, low: int, high: int) -> ast.Block | None:
        """Return the block in `tokens[low:high]`, parsed item by item; None when it is not a block over several lines."""
        brace = low
        while brace < high and self.tokens[brace].type in ("IDENT", "QSTRING"):
            brace += 1
        close = high - 2
        tokens = self.tokens
        if not (low < brace < close and tokens[brace].type == "LBLOCK" and tokens[brace + 1].type == "NL"):
            return None
        if tokens[close].type != "RBRACE" or tokens[high - 1].type != "NL" or not self.closes(brace, close):
            return None
        try:
            head, open_brace = self.parser.parse(tokens[low : brace + 1], "head_line")
        except Unexpected:
            return None
        items = [] if self.is_object(low, brace) else self.items(brace + 2, close)
        builder = self.parser.builder
        builder.begin(self.parser.source, self.parser.comments)
        block = builder.make_block(head, open_brace, items, tokens[close])
        self.bag.extend(builder.diagnostics)
        return block

    def is_object(self, low: int, brace: int) -> bool:
        """Return whether an apparent block is an object that has lost its `=`: it has no labels, and a quoted key first."""
        key, sign = self.tokens[brace + 2 : brace + 4]
        if brace != low + 1 or key.type not in ("QSTRING", "OQUOTE") or sign.type not in ("EQUAL", "COLON", "TEXT", "TOPEN"):
            return False
        name = self.tokens[low].value
        span = Span(self.parser.source, self.tokens[brace].start, self.tokens[brace].end)
        self.bag.add(say.after_name(span, name, f"its keys are quoted: for an object write {name} = {{"))
        return True

    def closes(self, brace: int, close: int) -> bool:
        """Return whether the bracket at `close` closes the bracket at `brace`."""
        depth = 0
        for index in range(brace, close):
            kind = self.tokens[index].type
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0:
                return False
        return depth == 1

    def salvage(self, tokens: list[Token]) -> ast.Item | None:
        """Return the known part of an item at fault: its name, so that references to it are not reported too."""
        if tokens[0].type != "IDENT":
            return None
        source = self.parser.source
        name = ast.Name(text=tokens[0].value, span=Span(source, tokens[0].start, tokens[0].end))
        span = Span(source, tokens[0].start, tokens[-1].start)
        if len(tokens) > 1 and tokens[1].type == "EQUAL":
            return ast.Attribute(name=name, value=ast.Missing(span=span), span=span)
        return None
