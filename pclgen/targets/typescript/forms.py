"""The forms of TypeScript: which statements are templates, and what these see.

Comes in: nothing.  Goes out: `FORMS`; docs/templates.md tells users the same.
"""

from __future__ import annotations

from typing import Final

from pclgen.emit.forms import Form

FORMS: Final = (
    Form("assign", ("assignment",), "assigns: `target = value`"),
    Form("construct", ("construction",), "makes a resource, wherever that happens", facts=("token",)),
    Form("count", ("head", "body"), "repeats a block for each number"),
    Form("declare", ("declaration",), "declares a name: `name: type = value`", facts=("exported", "kind")),
    Form("do", ("call",), "a call for its effect"),
    Form("each", ("names", "values", "body"), "repeats a block for each value"),
    Form("export", ("local", "name"), "exports a variable under a name that no variable can have"),
    Form("if", ("condition", "body"), "a branch"),
    Form("import", ("name", "module"), "imports a package"),
    Form("import-component", ("name", "module"), "imports the class of a component of the project"),
    Form("member", ("member",), "a member of an interface, or of a class (`readonly`)", facts=("readonly",)),
    Form("return", ("value",), "ends a function"),
    Form("try", ("body", "handler"), "does something else when a block fails"),
)
