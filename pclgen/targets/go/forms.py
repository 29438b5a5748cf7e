"""The statement templates of Go: which statements and declarations have templates, with their slots and flags.

The comment at the head of each template describes it; a test compares the templates with `FORMS`.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("alias", ("name", "type")),
    Form("assign", ("targets", "values"), facts=("operator",)),
    Form("constants", ("constants",)),
    Form("construct", ("construction",), facts=("token",)),
    Form("do", ("call",)),
    Form("for", ("key", "value", "collection", "body")),
    Form("function", ("receiver", "name", "parameters", "results", "body")),
    Form("if", ("init", "condition", "body", "otherwise")),
    Form("return", ("values",)),
    Form("struct", ("name", "fields")),
    Form("variable", ("name", "type", "value")),
)
