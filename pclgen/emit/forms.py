"""Forms: statement templates of a language.

pclgen renders a form once for each combination of filled slots, with a mark in place of each slot, and cuts the text at the
marks. Printers put code between the pieces: they need the text before a slot, on which line breaks in the slot depend. So
a statement costs no rendering.

    go/statements/return.jinja      return{% if s.values %} {{ s.values }}{% endif %}
    ("return", ("values",))         ("return ", "values", "")
    ("return", ())                  ("return",)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.emit.overlay import Overlay, TemplateFailureError

MARK: Final = "\x00"
"""The delimiter of a slot name. It occurs in no program and no template, since `source` refuses control characters."""

_ODD: Final = re.compile(r"[^A-Za-z0-9_:/.@-]")
"""Characters that occur in no token of a package; some of them could end a string literal in the language."""

Parts: TypeAlias = tuple[str, ...]
"""Text, name of a slot, text, ..., text."""


class Form(Struct, frozen=True):
    """A form of a language: its `slots`, which take code, and its `facts`, texts that a template may test."""

    name: str
    slots: tuple[str, ...]
    facts: tuple[str, ...] = ()


class Forms:
    """The forms of `language`; templates of the overlay replace pclgen's."""

    def __init__(self, language: str, table: tuple[Form, ...], overlay: Overlay | None) -> None:
        self._language = language
        self._table = {form.name: form for form in table}
        self._overlay = overlay
        self._layouts: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Parts] = {}

    def parts(self, name: str, filled: tuple[str, ...] = (), facts: tuple[str, ...] = ()) -> Parts:
        """Return the text of the form `name` around its `filled` slots; `facts` are in the order of the table.
        Raises `TemplateFailureError`."""
        key = name, filled, facts
        parts = self._layouts.get(key)
        if parts is None:
            parts = self._layouts[key] = self._cut(self._table[name], filled, facts)
        return parts

    def text(self, name: str, slots: Mapping[str, str], facts: tuple[str, ...] = ()) -> str:
        """Return the text of the form `name`, with code that needs no layout in its slots; slots without code are empty."""
        filled = tuple([slot for slot, code in slots.items() if code])
        return "".join([slots[part] if at % 2 else part for at, part in enumerate(self.parts(name, filled, facts))])

    def around(self, name: str, slot: str, facts: tuple[str, ...]) -> tuple[str, str]:
        """Return the texts before and after the only slot of the form `name`, which must occur in it once.

        `facts` are texts of programs and schemas. A template may put them between quotes, so
        `_` replaces their special characters.
        """
        parts = self.parts(name, (slot,), tuple([_ODD.sub("_", fact) for fact in facts]))
        if len(parts) != 3:
            raise TemplateFailureError(template_of(self._language, name), 1, f"`{slot}` must occur exactly once")
        return parts[0], parts[2]

    def _cut(self, form: Form, filled: tuple[str, ...], facts: tuple[str, ...]) -> Parts:
        from pclgen.emit.environment import render

        view = {slot: f"{MARK}{slot}{MARK}" if slot in filled else "" for slot in form.slots}
        view.update(zip(form.facts, facts, strict=True))
        template = template_of(self._language, form.name)
        parts = tuple(render(template, self._overlay, s=SimpleNamespace(**view)).rstrip("\n").split(MARK))
        if len(parts) % 2 == 0 or any(part not in filled for part in parts[1::2]):
            reason = "a slot was changed: a template can write it, or test whether it is filled"
            raise TemplateFailureError(template, 1, reason)
        return parts


def template_of(language: str, form: str) -> str:
    """Return the name of a form's template."""
    return f"{language}/statements/{form}.jinja"


@cache
def forms(language: str, table: tuple[Form, ...], overlay: Overlay | None) -> Forms:
    """Return the forms of a language with an overlay; each is cut once per process."""
    return Forms(language, table, overlay)
