"""Sessions with an editor: small programs, and random typing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types

from pclgen.diagnostics.codes import SITE
from pclgen.lsp.analyses import Analyses, Problem
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features import places, symbols
from pclgen.lsp.features.completion import complete, signature_at
from pclgen.lsp.features.diagnostics import Tag
from pclgen.lsp.features.hover import hints, hover
from pclgen.lsp.features.places import lenses
from pclgen.lsp.features.symbols import semantic_tokens
from pclgen.lsp.server import Handlers
from pclgen.lsp.workspace import Document, path_of
from tests.support.corpus import ROOT
from tests.support.editing import CURSOR, opened, session, viewed

PETS = (ROOT / "examples" / "pets" / "main.pp").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("config size int { default = 3 }\noutput x { value = si¦ze }", "config size: int"),
        ("a = 1\noutput x { value = [for it¦em in [a, 2] : item] }", "loop variable item: "),
        ("# How many.\ncou¦nt = 2\n", "How many."),
        ('output x { value = joi¦n("-", ["a"]) }', "join("),
        ('resource pet "rand¦om:index/randomPet:RandomPet" {}', 'resource "random:index/randomPet:RandomPet"'),
        ('resource pet "random:index/randomPet:RandomPet" {\n  len¦gth = 2\n}', "length: int"),
        ('resource pet "random:index/randomPet:RandomPet" {}\noutput x { value = pet.leng¦th }', "length: "),
        ('resource pet "random:index/randomPet:RandomPet" {\n  options {\n    pro¦tect = true\n  }\n}', "refuse to delete"),
        ("a = {b = 1}\noutput x { value = a.¦b }", "b: int"),
    ],
)
def test_hover_shows_type_and_documentation(text: str, shown: str, tmp_path: Path) -> None:
    view, at = viewed(tmp_path, text)
    answer = hover(view.analysis, view.file, at)
    assert answer is not None
    assert shown in answer.text


def test_a_program_with_a_syntax_error_still_answers(tmp_path: Path) -> None:
    view, at = viewed(tmp_path, "config size int { default = 3 }\nbroken = * 2\noutput x { value = si¦ze }")
    answer = hover(view.analysis, view.file, at)
    assert answer is not None and "config size: int" in answer.text


def test_diagnostics_have_what_an_editor_can_show(tmp_path: Path) -> None:
    session_, path, _ = opened(tmp_path, "size = 1\nsize = 2\noutput x { value = siez }\n")
    [report] = session_.reports()
    assert report.path == path
    twice, unknown = report.marks
    assert twice.related and twice.related[0][0].text == "size"
    assert unknown.href == f"{SITE}reference/diagnostics/#pcl0501" and "did you mean `size`?" in unknown.message
    [(_, fix)] = session_.fixes(path, unknown.span.start, unknown.span.start)
    assert (fix.title, fix.text, fix.span.text) == ("Replace with `size`", "size", "siez")
    assert unknown.tag is None and Tag.DEPRECATED


def test_the_documentation_is_where_the_site_is() -> None:
    assert f'site_url = "{SITE.removesuffix("latest/")}"' in (ROOT / "zensical.toml").read_text(encoding="utf-8")


def test_a_file_that_is_mended_has_its_diagnostics_taken_back(tmp_path: Path) -> None:
    session_, path, _ = opened(tmp_path, "a = b\n")
    assert [len(report.marks) for report in session_.reports()] == [1]
    session_.open(Document(uri=path.as_uri(), path=path, text="a = 1\n", version=2))
    assert [(report.path, report.marks) for report in session_.reports()] == [(path, ())]


def test_an_open_component_counts_before_the_file_on_disk(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "main.pp").write_text("output url { value = 1 }\n")
    session_, path, at = opened(tmp_path, 'component web "./web" {}\noutput x { value = web.lin¦k }\n')
    assert [len(report.marks) for report in session_.reports()] == [1]
    opened(tmp_path / "web", "output link { value = 1 }\n", over=session_)
    assert [len(report.marks) for report in session_.reports()] == [0, 0]
    view = session_.view(path)
    assert view is not None
    target = places.definition(view.analysis, view.file, at)
    assert target is not None and target.span is not None
    assert Path(target.span.file.name) == tmp_path / "web" / "main.pp" and target.span.text == "link"


def test_a_component_beside_the_program_is_the_document_that_is_open(tmp_path: Path) -> None:
    """`../db` and the document's path are the same file: its unsaved text counts, and locations have the document's path."""
    for name in ("web", "db"):
        (tmp_path / name).mkdir()
    (tmp_path / "db" / "main.pp").write_text("output url { value = 1 }\n")
    session_, path, at = opened(tmp_path / "web", 'component db "../db" {}\noutput x { value = db.lin¦k }\n')
    assert [len(report.marks) for report in session_.reports()] == [1]
    opened(tmp_path / "db", "output link { value = 1 }\n", over=session_)
    assert [len(report.marks) for report in session_.reports()] == [0, 0]
    view = session_.view(path)
    target = places.definition(view.analysis, view.file, at) if view is not None else None
    assert target is not None and target.span is not None
    assert target.span.file.name == (tmp_path / "db" / "main.pp").as_posix()


def test_the_call_hierarchy_of_components(tmp_path: Path) -> None:
    """Both directions, from a use, from its name in an expression, and from inside the component."""
    (tmp_path / ".git").mkdir()
    for name, text in {"app": 'component db "../db" {}\n', "db": "output url { value = 1 }\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.pp").write_text(text)
    text = 'component a "../db" {}\ncomponent b "../d¦b" {}\noutput x { value = "${a.url}${b.url}" }\n'
    (tmp_path / "web").mkdir()
    session_, path, at = opened(tmp_path / "web", text)
    session_.workspace.folders = (tmp_path,)
    view = session_.view(path)
    assert view is not None
    for offset, name in ((0, "db"), (at, "db"), (text.index("a.url") - 1, "db"), (text.index("output") - 1, "web")):
        unit = places.prepare(view.analysis, view.file, offset)
        assert unit is not None and unit.name == name, offset
    [out] = session_.called(path)
    assert (out.unit.name, [span.start for span in out.spans]) == ("db", [10, 33])
    callers = session_.callers(tmp_path / "db" / "main.pp")
    assert [(call.unit.name, len(call.spans)) for call in callers] == [("app", 1), ("web", 2)]
    assert session_.called(tmp_path / "db" / "main.pp") == session_.callers(path) == []


def test_the_file_that_a_call_reads_is_a_definition(tmp_path: Path) -> None:
    (tmp_path / "hello.txt").write_text("hello")
    view, at = viewed(tmp_path, 'output x { value = readFile("hel¦lo.txt") }')
    target = places.definition(view.analysis, view.file, at)
    assert target is not None and target.file is not None and target.file.name == "hello.txt"


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("a¦ = 1\nb = a\n", "b", "already in use"),
        ("a¦ = 1\nb = a\n", "1st", "is not a name"),
        ("a¦ = 1\nb = a\n", "x y", "is not a name"),
        ("a¦ = 1\nb = a\n", "true", "has a special meaning"),
        ("a¦ = 1\nb = [for c in [1] : c + a]\n", "c", "already in use"),
        ("a = 1¦\n", "b", "no name here"),
    ],
)
def test_a_name_that_clashes_is_refused(text: str, name: str, reason: str, tmp_path: Path) -> None:
    view, at = viewed(tmp_path, text)
    with pytest.raises(places.RenameError, match=reason):
        places.rename(view.analysis, view.file, at, name)


def test_hints_say_types_and_parameters(tmp_path: Path) -> None:
    text = 'config open {\n  default = "a"\n}\nparts = split("-", "a-b")\nplain = 2\nfirst = element(parts, 0)\n'
    session_, path, _ = opened(tmp_path, text)
    view = session_.view(path)
    assert view is not None
    shown = [(text[: hint.offset].count("\n"), hint.text) for hint in hints(view.analysis, view.file, 0, len(text))]
    assert shown == [
        (3, ": list(string)"), (3, "separator:"), (3, "string:"), (5, ": string"), (5, "index:"),
    ]  # fmt: skip  # pairs


def test_links_lead_to_files_and_components(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("x")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "part.pp").write_text("output o { value = 1 }\n")
    text = 'component part "./part" {}\na = readFile("./text.txt")\nb = readFile("./none.txt")\n'
    session_, path, _ = opened(tmp_path, text)
    view = session_.view(path)
    assert view is not None
    targets = places.links(view.analysis, view.file)
    assert [link.origin.text for link in targets] == ['"./part"', '"./text.txt"']
    part, read = targets
    assert part.span is not None and Path(part.span.file.name) == tmp_path / "part" / "part.pp"
    assert read.file == tmp_path / "text.txt"


def test_an_outline_has_what_a_file_declares(tmp_path: Path) -> None:
    text = "config size int {\n  default = 1\n}\n# a\n# b\nx = [\n  1,\n]\noutput y { value = x }\n"
    view, _ = viewed(tmp_path, text)
    outline = symbols.symbols(view.analysis, view.file)
    assert [(symbol.name, symbol.kind.value, symbol.detail) for symbol in outline] == [
        ("size", "config", "int"),
        ("x", "local", ""),
        ("y", "output", ""),
    ]
    assert [(fold.start, fold.end, fold.is_comment) for fold in symbols.folds(view.file)] == [
        (0, 1, False),
        (3, 4, True),
        (5, 6, False),
    ]


@pytest.mark.parametrize("uri", ["untitled:x", "file:///a\0b", "http://[", "", "file://"])
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) is None


_PIECES = st.sampled_from(
    ["", "{", "}", "(", ")", "[", '"', "${", "%{ for x in ", "<<E\n", "=", ".", ",", "\n", "range", "options {", "😀", "\r", "\ufeff",
     "\0", "component x \"./x\" {}", "output y { value = ", "invoke(", "/*", "#", "?", ":", "type T \"list(T)\" {}", "for", "null"]
)  # fmt: skip  # short entries


@given(
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), _PIECES), min_size=1, max_size=6),
    places_=st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_that_is_typed_makes_a_request_fail(
    edits: list[tuple[float, int, str]], places_: list[float], tmp_path: Path
) -> None:
    session_, path, _ = opened(tmp_path, PETS)
    text = PETS
    for at, gone, piece in edits:
        start = int(at * len(text))
        text = text[:start] + piece + text[start + gone :]
        session_.open(Document(uri=path.as_uri(), path=path, text=text, version=1))
        session_.reports()
        session_.formatted(path)
        session_.fixes(path, 0, len(text))
        session_.search("p")
        view = session_.view(path)
        assert view is not None
        symbols.symbols(view.analysis, view.file)
        symbols.folds(view.file)
        hints(view.analysis, view.file, 0, len(text))
        semantic_tokens(view.analysis, view.file)
        places.links(view.analysis, view.file)
        lenses(view.analysis, view.file)
        for place in places_:
            offset = int(place * len(text))
            hover(view.analysis, view.file, offset)
            complete(view.analysis, view.file, offset)
            signature_at(view.file, offset)
            symbols.selections(view.file, offset)
            session_.formatted_items(path, offset, offset)
            places.definition(view.analysis, view.file, offset)
            if (name := places.renamed_at(view.analysis, view.file, offset)) is not None:
                assert places.rename(view.analysis, view.file, name.span.start, "entirely_new")
    assert CURSOR not in text and session() is not session_


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a   = 1\n«b   = 2»\nc   = 3\n", "a   = 1\nb = 2\nc   = 3\n"),
        ("a   = 1\nb   «= 2\n\n\n\nc»   = 3\n", "a   = 1\nb = 2\n\nc = 3\n"),
        ("# one\nconfig  x   string  {\n default=1\n«»}\ny=1\n", "# one\nconfig x string {\n  default = 1\n}\ny=1\n"),
        ("a = 1«»\nb=2\n", "a = 1\nb=2\n"),
        ("a   = 1\n«b   = »\n", "a   = 1\nb   = \n"),
        ("«»# nothing\n", "# nothing\n"),
    ],
)
def test_the_items_of_a_stretch_are_formatted(text: str, expected: str, tmp_path: Path) -> None:
    start = text.index("«")
    end = text.index("»") - 1
    content = text.replace("«", "").replace("»", "")
    session_, path, _ = opened(tmp_path, content)
    edit = session_.formatted_items(path, start, end)
    result = content if edit is None else content[: edit.span.start] + edit.text + content[edit.span.end :]
    assert result == expected


@pytest.mark.parametrize(
    ("text", "pcl", "expected"),
    [
        ("name: site\nruntime: python\n", False, []),
        ("name: site\nruntime: python\n", True, []),
        ("name: site\nruntime: yaml\n", True, []),
        ("name: site\nruntime: yaml\n", False, ["PCL1213"]),
        ("name: site\nruntime: yaml\noutputs:\n  a: ${b\n", False, ["PCL1202"]),
    ],
)
def test_a_project_file_is_a_program_if_it_holds_one(text: str, pcl: bool, expected: list[str], tmp_path: Path) -> None:
    if pcl:
        (tmp_path / "main.pp").write_text("output a { value = 1 }\n", encoding="utf-8")
    path = tmp_path / "Pulumi.yaml"
    path.write_text(text, encoding="utf-8")
    session_, _, _ = opened(tmp_path, text, name="Pulumi.yaml")
    assert [mark.diagnostic.code for report in session_.reports() for mark in report.marks] == expected


def test_a_request_that_is_overtaken_analyses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten edits with a request each and a canceled request: the server analyzes and answers only for the newest text."""
    analysed: list[str] = []
    analyse = Analyses._analyze

    def counted(self: Analyses, program: Path) -> Analysis | Problem:
        analysed.append(str(self.workspace.text(program / "main.pp")))
        return analyse(self, program)

    monkeypatch.setattr(Analyses, "_analyze", counted)
    session_ = session()
    path = tmp_path / "main.pp"
    server: Any = SimpleNamespace(client_capabilities=types.ClientCapabilities())
    handlers = Handlers(server, session_)
    symbols_of = handlers.deferred("symbols", handlers.document_symbol)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri()))

    async def work() -> list[Any]:
        asked = []
        for number in range(10):
            opened(tmp_path, f"a{number} = 1\n", over=session_)
            asked.append(asyncio.ensure_future(symbols_of(params)))
            await asyncio.sleep(0)
        cancelled = asyncio.ensure_future(symbols_of(params))
        await asyncio.sleep(0)
        cancelled.cancel()
        return await asyncio.gather(*asked, cancelled, return_exceptions=True)

    *overtaken, newest, cancelled = asyncio.run(work())
    assert [entry.code for entry in overtaken] == [-32801] * 9
    assert [entry.name for entry in newest] == ["a9"] and isinstance(cancelled, asyncio.CancelledError)
    assert analysed == ["a9 = 1\n"]
