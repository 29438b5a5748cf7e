"""The forms of Go: which statements and declarations are templates, and what these see.

Comes in: nothing.  Goes out: `FORMS`; docs/templates.md tells users the same.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("assign", ("targets", "values"), "assigns to variables, or declares them (`:=`)", facts=("operator",)),
    Form("construct", ("construction",), "makes a resource, wherever that happens", facts=("token",)),
    Form("defer", ("call",), "puts a call off to the end of a function"),
    Form("do", ("call",), "a call for its effect"),
    Form("for", ("key", "value", "collection", "body"), "repeats a block; `key` or both names may be empty"),
    Form("function", ("receiver", "name", "parameters", "results", "body"), "declares a function or a method"),
    Form("if", ("init", "condition", "body", "otherwise"), "a branch; `otherwise` is a block or another branch"),
    Form("return", ("values",), "ends a function"),
    Form("struct", ("name", "fields"), "declares a struct; `fields` may be empty"),
    Form("variable", ("name", "type", "value"), "declares a variable; `value` may be empty"),
)
