"""The forms of Python: which statements are templates, and what these see.

Comes in: nothing.  Goes out: `FORMS`; docs/templates.md tells users the same.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("assign", ("target", "annotation", "value"), "assigns; `annotation` may be empty"),
    Form("construct", ("construction",), "makes a resource, wherever that happens", facts=("token",)),
    Form("define", ("name", "parameter", "returns", "body"), "defines a function inside of the program"),
    Form("do", ("call",), "a call for its effect"),
    Form("for", ("targets", "values", "body"), "repeats a block for each value"),
    Form("import", ("module", "alias"), "imports a module; `alias` may be empty"),
    Form("import-names", ("module", "names"), "imports names from a module"),
    Form("return", ("value",), "ends a function"),
    Form("unpack", ("declarations", "targets", "value"), "assigns to several variables, declared above"),
)
