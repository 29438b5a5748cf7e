"""Texts of schemas as Markdown that an editor can show."""

from __future__ import annotations

import re

from pclgen.syntax import ast

_SHORTCODE = re.compile(r"\{\{%.*?%\}\}", re.DOTALL)
_EXAMPLES = re.compile(r"\{\{% examples %\}\}.*?\{\{% /examples %\}\}", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LONGEST = 4000


def documentation(text: str) -> str:
    """The documentation of a schema, without the examples and the marks of the registry's site."""
    cleaned = _COMMENT.sub("", _SHORTCODE.sub("", _EXAMPLES.sub("", text))).strip()
    return cleaned if len(cleaned) <= _LONGEST else f"{cleaned[:_LONGEST]}…"


def code(text: str) -> str:
    """A fence of PCL."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}pcl\n{text}\n{ticks}"


def page(head: str, *, deprecated: str = "", doc: str = "") -> str:
    """A declaration with what its schema says."""
    warning = f"**Deprecated:** {documentation(deprecated)}" if deprecated else ""
    return "\n\n".join(part for part in (code(head), warning, documentation(doc)) if part)


def comment(item: ast.Item | None) -> str:
    """The comment above an item."""
    return "" if item is None else "\n".join(line for comment in item.leading for line in comment.lines)
