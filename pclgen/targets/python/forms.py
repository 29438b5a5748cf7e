"""The statement templates of Python, and the values that they read.

The comment at the head of each template describes it. A test compares the templates with `FORMS`.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("assign", ("target", "annotation", "value")),
    Form("construct", ("construction",), facts=("token",)),
    Form("define", ("name", "parameter", "returns", "body")),
    Form("do", ("call",)),
    Form("for", ("targets", "values", "body")),
    Form("import", ("module", "alias")),
    Form("import-names", ("module", "names")),
    Form("record", ("name", "base", "members"), facts=("partial",)),
    Form("return", ("value",)),
    Form("unpack", ("declarations", "targets", "value")),
)
