"""YAML trees as lines, in block style.

Texts are plain where they are unambiguous, in lines below `|` if they have several lines, else in double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pclgen.core.expr import Comments
from pclgen.targets.comments import comment_line
from pclgen.targets.origins import Recorder, without_marks
from pclgen.targets.settings import entry_lines, yaml_text
from pclgen.targets.yaml.tree import Item, Mapping, Member, Sequence, Text, Word, Yaml

_BLOCK: Final = re.compile(r"[^\s](?:[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff])*\n?")
_CALL: Final = re.compile(r"fn::[A-Za-z0-9]+")
_DIRECTIVES: Final = re.compile(r"yaml-language-server:")


def members(items: Iterable[Member], recorder: Recorder | None = None) -> Iterator[str]:
    """The lines of a mapping's members, with marks if there is a recorder."""
    for member in items:
        lines = [*comment_lines(member.comments.leading)]
        lines += _with_trailing(_entry(member, recorder), member.comments)
        if member.origin is not None and recorder is not None:
            before, behind = recorder.marks(member.origin)
            lines[0] = before + lines[0]
            lines[-1] += behind
        yield from lines


def comment_lines(comments: Iterable[str]) -> Iterator[str]:
    """Comments on lines of their own."""
    for line in comments:
        yield comment_line("#", line, _DIRECTIVES)


def _entry(member: Member, recorder: Recorder | None) -> list[str]:
    key, value = member.key, member.value
    spelled = key if _CALL.fullmatch(key) else yaml_text(key)
    before = behind = ""
    if recorder is not None and member.value_origin is not None:
        before, behind = recorder.marks(member.value_origin)
    match value:
        case Sequence(items=[_, *_]) | Mapping(members=[_, *_]):
            first, *others = _lines(value, recorder)
            lines = [*entry_lines(spelled, (before + first, *others))]
            above: list[str] = []
        case _:
            above, [first, *others] = _behind_key(value)
            lines = [*entry_lines(spelled, before + first), *_indented(others)]
    lines[-1] += behind
    return [*above, *lines]


def _behind_key(value: Yaml) -> tuple[list[str], list[str]]:
    """The comments above a scalar or an empty collection, and its lines, of which the first goes behind its key."""
    match value:
        case Word():
            return [], [value.value]
        case Text():
            return [], _block(value.value) or [yaml_text(value.value, in_block=True)]
        case _:
            return [*comment_lines(value.closing)], ["[]" if isinstance(value, Sequence) else "{}"]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _lines(value: Sequence | Mapping, recorder: Recorder | None) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from members(value.members, recorder)
    else:
        for item in value.items:
            yield from comment_lines(item.comments.leading)
            yield from _with_trailing(_item(item, recorder), item.comments)
    yield from comment_lines(value.closing)


def _item(item: Item, recorder: Recorder | None) -> list[str]:
    value = item.value
    match value:
        case Sequence(items=[_, *_]) | Mapping(members=[_, *_]):
            lines = list(_lines(value, recorder))
            at = next((at for at, line in enumerate(lines) if line and not without_marks(line).startswith("#")), 0)
            above, [first, *rest] = lines[:at], lines[at:]
        case _:
            above, [first, *rest] = _behind_key(value)
    return [*above, f"- {first}", *_indented(rest)]


def _with_trailing(lines: list[str], comments: Comments) -> Iterator[str]:
    """The lines of a value with its comment: at the end of a single line, else above the lines."""
    if not comments.trailing:
        yield from lines
    elif len(lines) == 1 and len(comments.trailing) == 1:
        yield f"{lines[0]}  {next(comment_lines(comments.trailing))}"
    else:
        yield from comment_lines(comments.trailing)
        yield from lines


def _block(text: str) -> list[str] | None:
    """A text of several lines below a mark; None for a text that must not have this form."""
    if "\n" not in text.rstrip("\n") or _BLOCK.fullmatch(text) is None or text.endswith("\n\n"):
        return None
    lines = text.split("\n")
    if any(line != line.rstrip() for line in lines):
        return None
    return ["|", *lines[:-1]] if text.endswith("\n") else ["|-", *lines]
