"""Prints the Go tree in gofmt's format.

The parts of a `tree.File` become texts, which a template combines; statements and declarations also have templates. gofmt
keeps existing line breaks, so `printing` chooses them (a literal or a call that fits stays on one line). It follows gofmt
in everything else: tabs, spaces around operators by depth, columns of keys and of struct fields. Imports are in gofmt's
order. The tests run gofmt on the results.

`FORMS` are the statements and declarations that have templates, with their slots and flags. The comment at the head of each
template describes it; a test compares the templates with `FORMS`.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from pclgen.emit.forms import Form, forms
from pclgen.emit.overlay import Overlay
from pclgen.targets.go import quoting
from pclgen.targets.go import tree as go
from pclgen.targets.go.naming import Import, NameAssignment
from pclgen.targets.go.printing.expressions import comment_text
from pclgen.targets.go.printing.statements import print_declaration
from pclgen.targets.origins import BindingLine, Recorder

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


_STANDARD_LIBRARY_HAS_NO: Final = "."  # gofmt has no import groups; goimports distinguishes them by a dot in the path


class FileView(Struct, frozen=True):
    """The formatted parts of a file for its template; `helpers` are names of functions with separate templates."""

    path: str
    header: tuple[str, ...]
    import_groups: tuple[tuple[str, ...], ...]
    declarations: tuple[str, ...]
    helpers: tuple[str, ...]


def view_file(
    path: str, file: go.File, names: NameAssignment, overlay: Overlay | None, *, recorder: Recorder | None = None
) -> FileView:
    """Return the parts of the file at `path`: comment lines, sorted import specs, declarations without final newlines."""
    words = forms("go", FORMS, overlay)
    called = {package.path: name for package, name in names.spellings.packages.items()}

    def spec(import_: Import) -> str:
        text = _spec(import_)
        return text if recorder is None else recorder.around(text, BindingLine((called[import_.path],)))

    standard = tuple(spec(i) for i in names.imports if _is_standard(i.path))
    others = tuple(spec(i) for i in names.imports if not _is_standard(i.path))
    return FileView(
        path=path,
        header=tuple(comment_text(line) for line in file.header),
        import_groups=tuple(group for group in (standard, others) if group),
        declarations=tuple(
            print_declaration(d, words, names.spellings, recorder)
            for d in file.declarations
            if not isinstance(d, go.HelperDeclaration)
        ),
        helpers=tuple(d.name for d in file.declarations if isinstance(d, go.HelperDeclaration)),
    )


def _spec(import_: Import) -> str:
    return (f"{import_.alias} " if import_.alias else "") + quoting.quote(import_.path)


def _is_standard(path: str) -> bool:
    return _STANDARD_LIBRARY_HAS_NO not in path.split("/", 1)[0]
