"""Flow collections of YAML around a cursor: `{length: 2, prefix: …}`.

Text with a cursor in it is seldom valid YAML, so the reader takes any text: it follows brackets, quotes, commas and colons
from the key whose value begins with a bracket.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct, field

_BLOCK_LINE: Final = re.compile(
    r"(?P<indent> *)(?:- +)*(?:[^\s#{}\[\],'\"][^\n]*?: +|['\"][^\n]*?['\"]: +)?(?P<value>[^\n]*)"
)
_BLOCK_SCALAR: Final = re.compile(r"[|>][-+\d]*\s*(?:#.*)?")
_TOKEN: Final = re.compile(
    r"""(?P<quoted>"(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?)|(?P<comment>(?<!\S)\#[^\n]*)|(?P<mark>[{}\[\],]|:(?=[\s,\]}]|\Z))"""
    r"""|(?P<line>\n *)|(?P<plain>(?:[^\s{}\[\],:]|:(?![\s,\]}]|\Z))+)""",
    re.DOTALL,
)


class FlowLevel(Struct, eq=False):
    """A flow collection around the cursor.

    `members` are all members of a mapping with their scalars, `key` is the key whose value has the cursor.
    """

    is_mapping: bool
    members: dict[str, str] = field(default_factory=dict)
    key: str | None = None
    pending: str = ""

    def finish(self) -> None:
        """Handle the end of a member."""
        name = self.pending if self.key is None else self.key
        if self.is_mapping and name:
            self.members[name] = "" if self.key is None else self.pending
        self.key, self.pending = None, ""


class Flow(Struct, frozen=True, kw_only=True):
    """The flow collections around the cursor, outermost first, and the line (from 0) on which they begin.

    `keys` has for each level the key whose value has the cursor; None in a list, and where a key is typed. `start` is the
    offset of the word at the cursor, `word` the whole word.
    """

    line: int
    levels: tuple[FlowLevel, ...]
    keys: tuple[str | None, ...]
    start: int
    word: str


def flow_at(text: str, offset: int) -> Flow | None:
    """Return the flow collections around `offset`; None if there are none."""
    position = 0
    while position <= offset:
        end = text.find("\n", position)
        end = len(text) if end == -1 else end
        shape = _BLOCK_LINE.match(text, position, end)
        assert shape is not None
        indent, value = len(shape["indent"]), shape["value"]
        if value[:1] in ("{", "["):
            flow, end = _read(text, shape.start("value"), indent, offset)
            if flow is not None:
                return flow
        elif _BLOCK_SCALAR.fullmatch(value) is not None:
            end = _end_of_block(text, end, indent)
        following = text.find("\n", end)
        position = following + 1 if following != -1 else len(text) + 1
    return None


def _end_of_block(text: str, end: int, indent: int) -> int:
    """Return the end of the last line, from `end` on, that is indented more than `indent` or empty."""
    while end < len(text):
        following = text.find("\n", end + 1)
        following = len(text) if following == -1 else following
        line = text[end + 1 : following]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            return end
        end = following
    return end


def _read(text: str, start: int, indent: int, offset: int) -> tuple[Flow | None, int]:
    """Return the flow collections at `offset` of a value that begins at `start`, if it has any there, and its end."""
    levels: list[FlowLevel] = []
    flow: Flow | None = None
    for token in _TOKEN.finditer(text, start):
        if flow is None and offset < token.end() + (token["mark"] is None and token["line"] is None):
            if not levels or token["comment"]:
                return None, token.end()
            is_word = token["quoted"] or token["plain"]
            word = token[0] if is_word and token.start() <= offset else ""
            flow = _flow(text, levels, start, word=word, at=token.start() if word else offset)
        if token["line"] and not text.startswith(("}", "]"), token.end()) and len(token[0]) - 1 <= indent:
            following = text[token.end() : token.end() + 1].strip()
            if following:  # a key of the block around: brackets are missing
                return flow, token.start()
        if not _step(levels, token):
            return flow, token.end()
    if flow is None and levels and offset == len(text):
        flow = _flow(text, levels, start, word="", at=offset)
    return flow, len(text)


def _flow(text: str, levels: list[FlowLevel], start: int, *, word: str, at: int) -> Flow:
    keys = tuple([level.key for level in levels])
    return Flow(line=text.count("\n", 0, start), levels=tuple(levels), keys=keys, start=at, word=word.strip("'\""))


def _step(levels: list[FlowLevel], token: re.Match[str]) -> bool:
    """Follow one token; False at the end of the outermost collection."""
    match token["mark"]:
        case "{" | "[":
            levels.append(FlowLevel(is_mapping=token["mark"] == "{"))
        case "}" | "]":
            levels.pop().finish()
        case ",":
            levels[-1].finish()
        case ":":
            levels[-1].key, levels[-1].pending = levels[-1].pending, ""
        case _ if token["quoted"] or token["plain"]:
            levels[-1].pending = f"{levels[-1].pending} {token[0]}".strip(" '\"")
    return bool(levels)
