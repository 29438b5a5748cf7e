"""Programs in an editor: sessions over texts, with `«` and `»` or `¦` as marks for places."""

from __future__ import annotations

from pathlib import Path

from pclgen.lsp.session import Session, View
from pclgen.lsp.workspace import Document
from pclgen.schema.discovery import Settings
from tests.support.corpus import ROOT

SCHEMAS = ROOT / "examples" / "schemas"
CURSOR = "¦"


def session(*schemas: Path) -> Session:
    """A session that reads only the schemas of `schemas`."""
    settings = Settings(schemas=schemas or (SCHEMAS,), isolated=True, no_cache=True)
    return Session(settings, {"PCLGEN_SOURCES": "files"})


def opened(folder: Path, text: str, *, name: str = "main.pp", over: Session | None = None) -> tuple[Session, Path, int]:
    """A session with one document, its path, and the position of its cursor."""
    at = text.find(CURSOR)
    path = folder / name
    editor = over or session()
    content = text.replace(CURSOR, "")
    editor.open(Document(uri=path.as_uri(), path=path, text=content, version=1))
    return editor, path, max(at, 0)


def viewed(folder: Path, text: str) -> tuple[View, int]:
    """The view of a program of one file, and the position of its cursor."""
    editor, path, at = opened(folder, text)
    view = editor.view(path)
    assert view is not None
    return view, at
