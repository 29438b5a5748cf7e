"""Edits inside one item: a draft gives the same answers as an analysis of the whole text."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from lsprotocol import types
from msgspec.structs import replace
from pygls.lsp.server import LanguageServer

from pclgen.diagnostics.model import Diagnostic
from pclgen.lsp import server
from pclgen.lsp.analyses import Analyses, Problem, draft_of
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.server import Handlers
from pclgen.lsp.session import Session
from pclgen.lsp.workspace import Document
from pclgen.source.text import Span
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.editing import session

REAL = CORPUS / "schemas" / "real"
EDITS = 12
_TOKEN = re.compile(r"[A-Za-z_][\w-]*|[0-9]+|\"|[^\w\s]|\n")
_SESSIONS: list[Session] = []


def shared() -> Session:
    """The session for all tests, which reads the schemas once."""
    if not _SESSIONS:
        _SESSIONS.append(session(REAL))
    return _SESSIONS[0]


def analysed(file: Path, text: str) -> Analysis:
    own = shared()
    own.open(Document(uri=file.as_uri(), path=file, text=text, version=1))
    analysis = own.analyses.of(file)
    own.close(file)
    assert isinstance(analysis, Analysis)
    return analysis


def edits(text: str, rng: Random) -> Iterator[str]:
    """Texts with one edit: a token removed, doubled, or replaced by another token of the program."""
    tokens = list(_TOKEN.finditer(text))
    for _ in range(EDITS):
        token, other = rng.choice(tokens), rng.choice(tokens)
        new = rng.choice(("", f"{token[0]} {token[0]}", other[0], other[0], f"{other[0]}{token[0]}", "null", "[1]", "nothing"))
        yield text[: token.start()] + new + text[token.end() :]


def shown(diagnostics: Sequence[Diagnostic]) -> list[object]:
    """Everything that an editor shows of diagnostics."""

    def place(span: Span | None) -> object:
        return None if span is None else (span.file.name, span.start, span.end)

    return [
        (
            *(d.code, d.severity, d.message, d.label, d.help, place(d.primary)),
            [(note.message, place(note.span)) for note in d.notes],
            None if d.fix is None else (d.fix.title, d.fix.text, place(d.fix.span)),
        )
        for d in diagnostics
    ]


def drafted(base: Analysis, file: Path, text: str) -> Sequence[Diagnostic] | None:
    name = file.as_posix()
    files = [replace(raw, data=text.encode()) if raw.name == name else raw for raw in base.sources.files]
    draft = draft_of(base, replace(base.sources, files=tuple(files)))
    return None if draft is None else draft.diagnostics


@needs_corpus
@pytest.mark.parametrize("corpus", ["field", "bad", "accepted-beyond-peer"])
def test_a_draft_has_the_diagnostics_of_an_analysis(corpus: str) -> None:
    answered = 0
    for folder in program_directories(corpus):
        file = folder / "main.pp"
        base = shared().analyses.of(file)
        if not isinstance(base, Analysis) or base.bound.binding is None:
            continue
        text = file.read_text(encoding="utf-8")
        for changed in edits(text, Random(folder.name)):
            quick = drafted(base, file, changed)
            if quick is None:
                continue
            answered += 1
            whole = analysed(file, changed)
            assert shown(quick) == shown(whole.diagnostics), (folder.name, changed)
    assert answered > (100 if corpus != "accepted-beyond-peer" else 20)


LINE = 'name = "web"\n'
LARGE = LINE + "".join(
    f'resource pet{n} "random:index/randomPet:RandomPet" {{\n  prefix = name\n  length = 2\n}}\n' for n in range(400)
)


def typed(own: Session, path: Path, text: str) -> None:
    own.open(Document(uri=path.as_uri(), path=path, text=text, version=1))


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the texts that the server analyzes as a whole."""
    texts: list[str] = []
    analyse = Analyses._analyze

    def counted(self: Analyses, program: Path) -> Analysis | Problem:
        texts.append(self.workspace.text(program / "main.pp") or "")
        return analyse(self, program)

    monkeypatch.setattr(Analyses, "_analyze", counted)
    return texts


def test_an_edit_inside_of_an_item_is_answered_without_an_analysis(tmp_path: Path, analyses: list[str]) -> None:
    own, path = session(), tmp_path / "main.pp"
    typed(own, path, LARGE)
    assert [len(report.marks) for report in own.reports()] == [0]
    changed = LARGE.replace("  length = 2\n", "  length = true\n  \n  keepers = name\n", 1)
    typed(own, path, changed)
    [report] = own.reports()
    assert [(mark.diagnostic.code, mark.span.text) for mark in report.marks] == [("PCL0401", "true"), ("PCL0401", "name")]
    labels = [item.label for item in own.analyses.complete(path, changed.index("  \n") + 2)]
    assert "separator" in labels and "length" not in labels
    at = changed.index("keepers = name") + len("keepers = na")
    assert {item.label for item in own.analyses.complete(path, at)} >= {"name", "pet3", "length"}
    assert own.fixes(path, 0, len(changed)) == []
    assert analyses == [LARGE]


def test_a_call_in_an_edited_item_shows_its_parameters_without_an_analysis(tmp_path: Path, analyses: list[str]) -> None:
    own, path = session(), tmp_path / "main.pp"
    typed(own, path, LARGE)
    own.reports()
    changed = LARGE.replace("  length = 2\n", '  length = 2\n  prefix = join("-", \n', 1)
    typed(own, path, changed)
    signature = own.analyses.signature(path, changed.index('"-", ') + 5)
    assert signature is not None and signature.label.startswith("join(") and signature.active == 1
    assert own.analyses.signature(path, changed.index("length = 2") + 3) is None
    assert analyses == [LARGE]


def test_an_item_knows_its_loops_and_its_new_type(tmp_path: Path, analyses: list[str]) -> None:
    own, path = session(), tmp_path / "main.pp"
    text = 'rows = [{a = 1}]\nshown = [for row in rows : row.a]\nresource r "random:index/randomPet:RandomPet" {\n  \n}\n'
    typed(own, path, text)
    own.reports()
    loop = text.replace("row.a]", "[row., 2]]")
    typed(own, path, loop)
    assert [item.label for item in own.analyses.complete(path, loop.index("row.,") + 4)] == ["a"]
    other = text.replace("randomPet:RandomPet", "randomPassword:RandomPassword")
    typed(own, path, other)
    labels = {item.label for item in own.analyses.complete(path, other.index("  \n") + 2)}
    assert "minLower" in labels and "separator" not in labels
    assert analyses == [text]


def test_what_a_draft_cannot_tell_is_analyzed(tmp_path: Path, analyses: list[str]) -> None:
    own, path = session(), tmp_path / "main.pp"
    text = "a = [1]\nb = a\nc = b[0]\n"
    for changed in ("d = [1]\nb = a\nc = b[0]\n", "a = c\nb = a\nc = b[0]\n", "a = [1\nb = a\nc = b[0]\n", "# x\n" + text):
        typed(own, path, text)
        own.reports()
        analyses.clear()
        typed(own, path, changed)
        own.reports()
        assert analyses == [changed], changed


def test_items_that_notice_an_edit_are_bound_again(tmp_path: Path, analyses: list[str]) -> None:
    own, path = session(), tmp_path / "main.pp"
    text = "a = [1]\nb = a\nc = b[0]\nd = 1 + c\n"
    typed(own, path, text)
    assert [mark.message for report in own.reports() for mark in report.marks] == []
    typed(own, path, text.replace("[1]", "[[1]]"))
    [mark] = [mark for report in own.reports() for mark in report.marks]
    assert mark.span.file.position(mark.span.start).line == 4 and analyses == [text]


def test_a_request_about_a_large_program_waits_for_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    own, path = session(), tmp_path / "main.pp"
    typed(own, path, LARGE)
    own.reports()
    handlers = Handlers(cast("LanguageServer", SimpleNamespace(client_capabilities=types.ClientCapabilities())), own)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    document = types.TextDocumentIdentifier(path.as_uri())
    symbols = handlers.deferred("symbols", handlers.document_symbol)
    completion = handlers.deferred("completion", handlers.completion, is_prompt=True)

    async def ask() -> None:
        await symbols(types.DocumentSymbolParams(document))
        typed(own, path, LARGE.replace("2", "3", 1))
        await completion(types.CompletionParams(document, types.Position(2, 3)))
        await symbols(types.DocumentSymbolParams(document))
        await symbols(types.DocumentSymbolParams(document))

    asyncio.run(ask())
    assert slept == [server._SETTLING, server._SETTLING, server._PAUSE, server._SETTLING]
