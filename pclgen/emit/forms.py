"""Forms: statement templates of a language.

The text of a form depends on which of its slots are filled, and is cut at its slots. Printers lay out expressions: they
put laid-out code into the slots, and a line break depends on the text before it. So a template is rendered with a mark
for each slot, once per combination of filled slots, and costs nothing per statement.

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
"""Characters that no token of a package has, and that could end a string literal in the language."""

Parts: TypeAlias = tuple[str, ...]
"""Text, name of a slot, text, ..., text."""


class Form(Struct, frozen=True):
    """A form of a language: its `slots`, which take code, and its `facts`, texts that a template may test."""

    name: str
    slots: tuple[str, ...]
    facts: tuple[str, ...] = ()


class Forms:
    """The forms of `language`, from the overlay where it has them."""

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
        """Return the form `name` with code whose layout depends on nothing; slots without code are empty."""
        filled = tuple([slot for slot, code in slots.items() if code])
        return "".join([slots[part] if at % 2 else part for at, part in enumerate(self.parts(name, filled, facts))])

    def around(self, name: str, slot: str, facts: tuple[str, ...]) -> tuple[str, str]:
        """Return the texts before and after the only slot of the form `name`, which must occur in it once. `facts` are texts
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
    """Return the forms of a language with an overlay; each is cut once per process."""
    return Forms(language, table, overlay)
