"""Removes a mistake from the tokens of an item, so that the rest of the item can be parsed.

A hole replaces the smallest removable part around the token at fault: an element, an argument, an object item, the
inside of `${ }`.

    [1, 2 3, f(x)]  ->  [1, ?, f(x)]
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pclgen.syntax.tokens import CLOSING, OPENING, Token


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
    """Return a name without letters: `build` makes `Missing` of it."""
    return Token("IDENT", first.start, max(first.start, last.end), "")


def _replace(tokens: Sequence[Token], low: int, high: int, new: list[Token]) -> Mended:
    return Mended(
        tokens=[*tokens[:low], *new, *tokens[high:]],
        start=tokens[low].start,
        end=tokens[max(low, high - 1)].end,
        resume=low + len(new),
    )
