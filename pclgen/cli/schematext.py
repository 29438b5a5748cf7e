"""Descriptions of schema members as text for a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pclgen.cli.console import Console
from pclgen.diagnostics.style import Role, Style

if TYPE_CHECKING:
    from pclgen.schema.describe import Description, Property

_WIDEST = 100
_CHOICES_SHOWN = 12


def terminal_width(console: Console) -> int:
    """Return the number of columns to use."""
    return min(_WIDEST, shutil.get_terminal_size().columns) if console.out.isatty() else _WIDEST


def description_lines(entry: Description, style: Style, width: int) -> Iterator[str]:
    """Yield the description of a member: kind and token, documentation, and properties by section."""
    version = f" {entry.version}" if entry.version else ""
    yield style.paint(Role.STRONG, f"{entry.kind} {entry.token}") + f"  (package {entry.package}{version})"
    if entry.deprecated:
        yield from _wrapped(f"deprecated: {entry.deprecated}", width, "  ")
    if entry.doc:
        yield from _wrapped(_prose(entry.doc), width, "  ")
    if entry.former:
        yield from _wrapped(f"once called {', '.join(entry.former)}", width, "  ")
    for title, properties in entry.sections.items():
        yield ""
        yield style.paint(Role.STRONG, f"{title}:") + ("" if properties else " none")
        for each in properties:
            yield from _property_lines(each, style, width)
    yield ""


def _property_lines(each: Property, style: Style, width: int) -> Iterator[str]:
    words = [word for word, holds in (("required", each.required), ("secret", each.secret)) if holds]
    if each.default:
        words.append(f"default {each.default}")
    about = f" ({', '.join(words)})" if words else ""
    name = f"{style.paint(Role.CAUSE, each.name)}: " if each.name else ""
    yield f"  {name}{each.type}{about}"
    if each.deprecated:
        yield from _wrapped(f"deprecated: {each.deprecated}", width, "      ")
    if each.doc:
        yield from _wrapped(_prose(each.doc), width, "      ")
    if each.choices:
        shown = ", ".join(each.choices[:_CHOICES_SHOWN])
        more = f", … ({len(each.choices)} in all)" if len(each.choices) > _CHOICES_SHOWN else ""
        yield from _wrapped(f"one of {shown}{more}", width, "      ")
    elif each.refers:
        yield from _wrapped(f"see {', '.join(each.refers)}", width, "      ")


def _prose(doc: str) -> str:
    """Return the first paragraphs of Markdown, up to the first heading or example."""
    text = re.split(r"^(?:#|```|\{\{%|<!--)", doc, maxsplit=1, flags=re.MULTILINE)[0].strip()
    return text or doc.strip().partition("\n")[0]


def _wrapped(text: str, width: int, indent: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        yield from textwrap.wrap(
            " ".join(paragraph.split()), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
