"""The statement templates of TypeScript, and the values that they read.

The comment at the head of each template describes it. A test compares the templates with `FORMS`.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("assign", ("assignment",)),
    Form("construct", ("construction",), facts=("token",)),
    Form("count", ("head", "body")),
    Form("declare", ("declaration",), facts=("exported", "kind")),
    Form("do", ("call",)),
    Form("each", ("names", "values", "body")),
    Form("export", ("local", "name")),
    Form("import", ("name", "module")),
    Form("import-component", ("name", "module")),
    Form("member", ("member",), facts=("readonly",)),
    Form("return", ("value",)),
    Form("try", ("body", "handler")),
    Form("type", ("alias",)),
)
