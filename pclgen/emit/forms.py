"""Forms: how a language writes its statements, told by templates.

The text of a form depends on which of its slots are filled, and is cut where a slot is. Expressions and layout are the
business of printers: they put laid-out code into the slots, and where a line breaks depends on what stands before it. So a
template is rendered with a mark for each slot, once for each way of filling them, and costs nothing for each statement.

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
"""Around the name of a slot.  No program and no template holds it: `source` refuses controls."""

_ODD: Final = re.compile(r"[^A-Za-z0-9_:/.@-]")
"""What no token of a package holds, and could be more than a text in the language."""

Parts: TypeAlias = tuple[str, ...]
"""Text, name of a slot, text, ..., text."""


class Form(Struct, frozen=True):
    """One form of a language: its `slots`, which hold code, and its `facts`, texts that a template may ask about."""

    name: str
    slots: tuple[str, ...]
    facts: tuple[str, ...] = ()


class Forms:
    """The forms of `language`, in the user's words where the overlay has some."""

    def __init__(self, language: str, table: tuple[Form, ...], overlay: Overlay | None) -> None:
        self._language = language
        self._table = {form.name: form for form in table}
        self._overlay = overlay
        self._known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Parts] = {}

    def parts(self, name: str, filled: tuple[str, ...] = (), facts: tuple[str, ...] = ()) -> Parts:
        """The text of the form `name` around those of its slots that are `filled`; `facts` in the order of the table.
        Raises `TemplateFailureError`."""
        key = name, filled, facts
        parts = self._known.get(key)
        if parts is None:
            parts = self._known[key] = self._cut(self._table[name], filled, facts)
        return parts

    def text(self, name: str, slots: Mapping[str, str], facts: tuple[str, ...] = ()) -> str:
        """The form `name` around code whose layout depends on nothing; slots without code are empty."""
        filled = tuple([slot for slot, code in slots.items() if code])
        return "".join([slots[part] if at % 2 else part for at, part in enumerate(self.parts(name, filled, facts))])

    def around(self, name: str, slot: str, facts: tuple[str, ...]) -> tuple[str, str]:
        """Return what the form `name` puts before and behind its only slot, which has to stand in it once. `facts` are texts
        of programs and schemas, which a template may put between quotes."""
        parts = self.parts(name, (slot,), tuple([_ODD.sub("_", fact) for fact in facts]))
        if len(parts) != 3:
            raise TemplateFailureError(template_of(self._language, name), 1, f"`{slot}` has to be put down once")
        return parts[0], parts[2]

    def _cut(self, form: Form, filled: tuple[str, ...], facts: tuple[str, ...]) -> Parts:
        from pclgen.emit.environment import render

        view = {slot: f"{MARK}{slot}{MARK}" if slot in filled else "" for slot in form.slots}
        view.update(zip(form.facts, facts, strict=True))
        template = template_of(self._language, form.name)
        parts = tuple(render(template, self._overlay, s=SimpleNamespace(**view)).rstrip("\n").split(MARK))
        if len(parts) % 2 == 0 or any(part not in filled for part in parts[1::2]):
            raise TemplateFailureError(template, 1, "a slot was changed: it can be put down, and asked whether it is there")
        return parts


def template_of(language: str, form: str) -> str:
    """The name of a form's template."""
    return f"{language}/statements/{form}.jinja"


@cache
def forms(language: str, table: tuple[Form, ...], overlay: Overlay | None) -> Forms:
    """The forms of a language under an overlay; each is cut once in a process."""
    return Forms(language, table, overlay)
