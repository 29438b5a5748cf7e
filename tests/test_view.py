"""The page of `pclgen view` without a browser: its content, its secrets, its access control."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.cli import app
from pclgen.languages import LANGUAGES, TARGETS, TITLES
from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings
from pclgen.view.page import PARTS, Offsets, PageRequest, RunOptions, ViewedProgram, page
from pclgen.view.server import HOST, ViewServer
from tests.support.corpus import CORPUS, ROOT, needs_corpus, program_directories
from tests.support.generated import example_programs
from tests.support.rules import for_all

EXAMPLES = ROOT / "examples"
SETTINGS = Settings(schemas=(EXAMPLES / "schemas",), sources=(SourceKind.FILES,))

PETS = """\
config size int { default = 2 }
# 🐶 and more
resource pet "random:index/randomPet:RandomPet" { length = size }
output name { value = pet.id }
"""


def viewed(path: Path, **options: Any) -> ViewedProgram:
    given_options = {"config": {}, "secrets": {}, "stack": "dev", "organization": "organization", **options}
    return ViewedProgram(path.absolute(), SETTINGS, {}, RunOptions(**given_options))


def content_of(shown: ViewedProgram, asked: PageRequest) -> Any:
    """The content of a page, for tests that inspect it."""
    return shown.content(asked)


def completions_of(shown: ViewedProgram, asked: PageRequest, label: str, units: int) -> Any:
    """The completions at a place, for tests that inspect them."""
    return shown.completions(asked, label, units)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "pets"
    folder.mkdir()
    (folder / "main.pp").write_text(PETS, encoding="utf-8")
    return folder


# -- places ------------------------------------------------------------------------------------------------------------


@given(st.text(alphabet="a\r\n😀é"))
def test_offsets_are_those_of_editors_in_pages(text: str) -> None:
    offsets = Offsets(text)
    shown = text.replace("\r\n", "\n")
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n":
            continue  # no place is between the two
        before = text[:offset].replace("\r\n", "\n")
        units = len(before.encode("utf-16-le")) // 2
        assert offsets.shown(offset) == units
        assert text[: offsets.read(units)].replace("\r\n", "\n") == shown[: len(before)]


def cut(text: str, start: int, end: int) -> str:
    """A range of a text in the page's units."""
    data = text.replace("\r\n", "\n").encode("utf-16-le")
    return data[2 * start : 2 * end].decode("utf-16-le")


@pytest.mark.parametrize("name", example_programs())
def test_mappings_join_what_belongs_together(name: str) -> None:
    """Each range of generated code comes from a node of the program; every language covers every node."""
    content = content_of(viewed(example_programs()[name]), PageRequest())
    texts = {file["name"]: file["text"] for file in content["files"]}
    assert texts and not any(Path(name).is_absolute() for name in texts)
    origins: dict[str, set[tuple[str, int, int]]] = {}
    for language in ("python", "typescript", "go"):
        ranges = origins.setdefault(language, set())
        for file in content["languages"][language]["files"]:
            for start, end, source, first, last in file["mappings"]:
                assert cut(file["text"], start, end).strip()
                assert cut(texts[source], first, last).strip()
                ranges.add((source, first, last))
        assert ranges
    assert len({frozenset(ranges) for ranges in origins.values()}) == 1
    assert set(content["graph"]["nodes"]) == set(_nodes(content["graph"]["svg"]))


def test_cycles_that_are_errors_are_drawn(program: Path) -> None:
    shown = viewed(program)
    content = content_of(shown, PageRequest(files={"main.pp": PETS.replace("default = 2", "default = length(pet.id)")}))
    assert [item["code"] for item in content["diagnostics"]] == ["PCL0801"]
    graph = content["graph"]
    assert set(graph["nodes"]) == set(_nodes(graph["svg"])) and len(graph["nodes"]) == 3
    assert graph["svg"].count('<rect class="cycle"') == graph["svg"].count('<path class="cycle"') == 2


def _nodes(svg: str) -> list[str]:
    return [part.split('"')[0] for part in svg.split('data-node="')[1:]]


def test_what_the_page_of_a_program_shows(program: Path) -> None:
    content = content_of(viewed(program), PageRequest())
    assert content["name"] == "pets"
    assert [file["name"] for file in content["files"]] == ["main.pp"]
    assert content["diagnostics"] == []
    assert content["titles"] == TITLES and content["languages"].keys() == TITLES.keys()
    items = [content["languages"][name] for name in (*LANGUAGES, "yaml")]
    assert all(item["files"] and not item["refused"] for item in items)
    assert list(content["config"]["schema"]["properties"]) == ["size"]
    run = content["run"]
    assert [(item["type"], item["name"]) for item in run["registrations"][1:]] == [
        ("random:index/randomPet:RandomPet", "pet")
    ]
    assert run["registrations"][1]["inputs"] == {"length": 2}
    assert run["registrations"][1]["place"]["file"] == "main.pp"


def test_configuration_and_texts_of_a_page_count(program: Path) -> None:
    shown = viewed(program)
    content = content_of(shown, PageRequest(config={"size": "7"}, files={"main.pp": PETS.replace('"random:', '"random:')}))
    assert content["run"]["registrations"][1]["inputs"] == {"length": 7}
    configured = viewed(program, config={"size": "5"})
    lengths = [content_of(configured, asked)["run"]["registrations"][1]["inputs"] for asked in (PageRequest(), PageRequest(config={}))]
    assert lengths == [{"length": 5}, {"length": 2}]
    content = content_of(shown, PageRequest(files={"main.pp": "output one { value = 1 }\n", "more.pp": "output two { value = 2 }\n"}))
    assert content["run"]["outputs"] == {"one": 1, "two": 2}
    assert [file["name"] for file in content["files"]] == ["main.pp", "more.pp"]
    shown.reload()
    assert content_of(shown, PageRequest())["files"] == content_of(viewed(program), PageRequest())["files"]
    assert sorted(path.name for path in program.iterdir()) == ["main.pp"]


def test_an_error_has_its_place_and_no_code_is_shown(program: Path) -> None:
    content = content_of(viewed(program), PageRequest(files={"main.pp": '# 🐶\noutput x { value = nothing }\n'}))
    [problem] = content["diagnostics"]
    text = content["files"][0]["text"]
    assert (problem["code"], cut(text, *problem["place"][1:]), problem["at"]) == ("PCL0501", "nothing", "main.pp:2:20")
    assert content["languages"] == {} and content["run"] is None


def test_yaml_that_cannot_be_written_is_no_problem_of_the_program(program: Path) -> None:
    text = '''config all "list(string)" { }
resource pet "random:index/randomPet:RandomPet" {
  options { range = all }
}
'''
    content = content_of(viewed(program), PageRequest(files={"main.pp": text}))
    assert content["diagnostics"] == []
    assert content["languages"]["yaml"]["files"] == []
    assert {diagnostic["code"] for diagnostic in content["languages"]["yaml"]["refused"]} == {"PCL0901"}


def test_completion_in_the_page(program: Path) -> None:
    text = PETS + "# 🐶\noutput more {\n  value = pe"
    items = completions_of(viewed(program), PageRequest(files={"main.pp": text}), "main.pp", len(text.encode("utf-16-le")) // 2)
    [pet] = [item for item in items if item["label"] == "pet"]
    assert cut(text, pet["start"], pet["start"] + 2) == "pe"
    assert completions_of(viewed(program), PageRequest(), "../../other.pp", 0) == []


def test_a_page_gets_the_parts_that_it_asks_for(program: Path) -> None:
    shown = viewed(program)
    whole = content_of(shown, PageRequest())
    for part in PARTS:
        content = content_of(shown, PageRequest(parts=(part,)))
        for name in ("graph", "run"):
            assert content[name] == (whole[name] if name == part else None)
        assert content["languages"] == ({part: whole["languages"][part]} if part in whole["languages"] else {})


def test_what_did_not_change_is_computed_once(program: Path) -> None:
    shown = viewed(program)
    first = content_of(shown, PageRequest())
    again, preview = content_of(shown, PageRequest()), content_of(shown, PageRequest(preview=True))
    assert again["run"] is first["run"] is not preview["run"] != first["run"]
    edited = content_of(shown, PageRequest(files={"main.pp": PETS + "# end\n"}))
    for name in TARGETS:
        assert first["languages"][name] is preview["languages"][name] is not edited["languages"][name]
    assert first["graph"] is preview["graph"] is not edited["graph"]


def test_a_new_page_of_a_large_program_has_no_parts(program: Path) -> None:
    shown = viewed(program)
    small: Any = shown.opened()
    assert not small["large"] and small == content_of(shown, PageRequest())
    (program / "main.pp").write_text(PETS + "".join(f'a{n} = "{"x" * 30}"\n' for n in range(600)), encoding="utf-8")
    large: Any = shown.opened()
    assert large["large"] and large["config"] and (large["languages"], large["graph"], large["run"]) == ({}, None, None)


def test_problems_after_an_edit_are_those_of_the_page(program: Path) -> None:
    page = viewed(program)
    for text in (PETS, PETS.replace("size }", "sizes }"), PETS.replace("length", "lengths"), PETS + "}", PETS):
        request = PageRequest(files={"main.pp": text})
        assert page.problems(request)["diagnostics"] == viewed(program).content(request)["diagnostics"]


EXCERPTS = 0.8
"""The minimum share of value edits that have an excerpt."""


@needs_corpus
def test_the_code_of_an_edited_item_is_that_of_the_whole_program() -> None:
    """The program's code with the excerpt inserted equals the code after the edit, with the same mappings."""
    settings = Settings(schemas=(CORPUS / "schemas" / "real",), sources=(SourceKind.FILES,))
    edits = excerpts = 0
    for path in program_directories("field")[::2]:
        options = RunOptions(config={}, secrets={}, stack="dev", organization="organization")
        shown = ViewedProgram(path, settings, {}, options)
        content = content_of(shown, PageRequest(parts=()))
        if content["config"] is None:
            continue
        source = next(file["text"] for file in content["files"] if file["name"] == "main.pp")
        for number, value in enumerate(re.finditer(r"^ +\w+ += (?:\d|\"[a-z])(?=[\w-]*\"?$)", source, re.MULTILINE)):
            parts = (TARGETS[number % len(TARGETS)],)
            before, edited = source, source[: value.end()] + "1" + source[value.end() :]
            old = content_of(shown, PageRequest(files={"main.pp": before}, parts=parts))
            quick: Any = shown.problems(PageRequest(files={"main.pp": edited}, parts=parts))
            new = content_of(shown, PageRequest(files={"main.pp": edited}, parts=parts))
            if new["config"] is not None and new["languages"][parts[0]]["files"]:
                edits += 1
                if quick["excerpt"] is not None:
                    excerpts += 1
                    assert quick["excerpt"]["version"] == old["version"]
                    files = with_excerpt(old["languages"][parts[0]], quick["excerpt"])
                    assert files == new["languages"][parts[0]]["files"], (path.name, value.group())
    assert edits > 50 and excerpts > EXCERPTS * edits


@pytest.mark.parametrize("edited", [PETS.replace("int {", "number {"), PETS + "a = 1", PETS.replace("default", "defaults")])
def test_there_is_no_excerpt_where_other_items_notice_the_edit(program: Path, edited: str) -> None:
    page, asked = viewed(program), PageRequest(files={"main.pp": PETS}, parts=("python",))
    assert content_of(page, asked)["languages"]["python"]["files"]
    assert page.problems(PageRequest(files={"main.pp": edited}, parts=("python",)))["excerpt"] is None
    assert content_of(page, asked)["config"] is not None
    same: Any = page.problems(PageRequest(files={"main.pp": PETS.replace("= 2", "= 3")}, parts=("python",)))
    assert same["excerpt"]["text"].endswith("3)")


def with_excerpt(language: Any, excerpt: Any) -> Any:
    """The files with an excerpt, inserted like in the page's `withExcerpt`."""
    label, first, last = excerpt["item"]
    grown = len(excerpt["text"].encode("utf-16-le")) // 2 - excerpt["end"] + excerpt["start"]
    files = []
    for file in language["files"]:
        mappings: list[Any] = []
        behind: list[Any] = []
        for start, end, origin, of, to in file["mappings"]:
            moved = excerpt["itemEnd"] - last if origin == label and of >= last else 0
            is_after = file["name"] == excerpt["file"] and start >= excerpt["end"]
            by = grown if is_after else 0
            if not (origin == label and first <= of and to <= last):
                (behind if is_after else mappings).append([start + by, end + by, origin, of + moved, to + moved])
        if file["name"] == excerpt["file"]:
            at = excerpt["start"]
            mappings += [[start + at, end + at, *place] for start, end, *place in excerpt["mappings"]]
            units = file["text"].encode("utf-16-le")
            above, below = units[: 2 * at].decode("utf-16-le"), units[2 * excerpt["end"] :].decode("utf-16-le")
            file = {**file, "text": above + excerpt["text"] + below}
        files.append({**file, "mappings": mappings + behind})
    return files


@needs_corpus
@for_all("path", [*program_directories("bad"), *program_directories("field")], names=lambda path: path.name)
def test_every_program_has_a_page(path: Path) -> None:
    settings = Settings(schemas=(CORPUS / "schemas",), sources=(SourceKind.FILES,))
    shown = ViewedProgram(path, settings, {}, RunOptions(config={}, secrets={}, stack="dev", organization="organization"))
    content = content_of(shown, PageRequest())
    document = page(content, live=False)
    assert parsed(document) == {"live": False, "content": json.loads(json.dumps(content))}
    has_errors = any(diagnostic["severity"] == "error" for diagnostic in content.get("diagnostics", []))
    assert "problem" in content or has_errors != bool(content["languages"])


# -- secrets and hostile texts -------------------------------------------------------------------------------------------


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[tuple[Mapping[str, str | None], list[str]]] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), []))

    def handle_data(self, data: str) -> None:
        if self.scripts and self.tags[-1] == "script":
            self.scripts[-1][1].append(data)


def parsed(document: str) -> object:
    """The data of a page; the rest is the same as in every page."""
    parser = _Scripts()
    parser.feed(document)
    assert parser.tags == ["html", "head", *["meta"] * 4, "title", "link", "style", "body", "noscript", "script", "script"]
    (data, texts), (script, _) = parser.scripts
    assert data["type"] == "application/json" and script == {"type": "module"}
    return json.loads("".join(texts))


HOSTILE = "</script><script>alert(1)</script><!--<script>]]>&quot;\u2028"


def test_texts_of_a_program_are_never_markup(tmp_path: Path) -> None:
    folder = tmp_path / "<img src=x onerror=alert(1)>"
    folder.mkdir()
    text = f'# {HOSTILE}\noutput x {{\n  __logicalName = {json.dumps(HOSTILE)}\n  value = {json.dumps(HOSTILE)}\n}}\n'
    (folder / "main.pp").write_text(text, encoding="utf-8")
    content = content_of(viewed(folder), PageRequest())
    assert content["languages"], content["diagnostics"]
    assert parsed(page(content, live=True)) == {"live": True, "content": json.loads(json.dumps(content))}


def test_no_secret_value_is_in_a_page(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text(
        """\
config given string { }
config declared string { secret = true }
output a { value = "${given}!" }
output b { value = { inner = [declared] } }
output c { value = secret(toJSON([declared])) }
""",
        encoding="utf-8",
    )
    shown = viewed(tmp_path, secrets={"given": "geheim", "declared": "verborgen"})
    content = content_of(shown, PageRequest())
    assert content["run"]["outputs"]["a"] == {"$secret": None}
    document = page(content, live=False).lower()
    assert "geheim" not in document and "verborgen" not in document


def test_pages_are_the_same_wherever_the_program_is(tmp_path: Path) -> None:
    documents = []
    for place in ("one", "two/deeper"):
        folder = tmp_path / place / "pets"
        folder.mkdir(parents=True)
        (folder / "main.pp").write_text(PETS, encoding="utf-8")
        documents.append(page(content_of(viewed(folder), PageRequest()), live=False))
    assert documents[0] == documents[1]


# -- the server ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(program: Path) -> Iterator[ViewServer]:
    with ViewServer(viewed(program), 0) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def ask(
    server: ViewServer, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str, Mapping[str, str]]:
    connection = http.client.HTTPConnection(HOST, server.server_port)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in {name.replace("_", "-") for name in headers}:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), dict(answer.headers)
    finally:
        connection.close()


def test_the_server_gives_its_page_with_a_strict_policy(server: ViewServer) -> None:
    status, document, headers = ask(server, "GET", f"/{server.token}/")
    assert status == 200
    data = parsed(document)
    assert isinstance(data, dict) and data["live"] is True
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer" and headers["X-Content-Type-Options"] == "nosniff"


def test_the_server_drops_requests_that_are_overtaken(server: ViewServer, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[PageRequest] = []
    content = ViewedProgram.content

    def recorded(own: ViewedProgram, request: PageRequest) -> Any:
        answered.append(request)
        return content(own, request)

    monkeypatch.setattr(ViewedProgram, "content", recorded)
    with server.turn:
        body = b'{"preview": true}'
        overtaken = http.client.HTTPConnection(HOST, server.server_port)
        overtaken.request("POST", f"/{server.token}/content", body)
        overtaken.close()
    status, _, _ = ask(server, "POST", f"/{server.token}/content", b'{"parts": ["graph"]}')
    assert status == 200 and [request.preview for request in answered] == [False]


def test_the_server_answers_its_page(server: ViewServer) -> None:
    body = json.dumps({"files": {"main.pp": "output x { value = 1 }"}, "config": {}, "preview": True}).encode()
    status, text, _ = ask(server, "POST", f"/{server.token}/content", body)
    assert (status, json.loads(text)["run"]["outputs"]) == (200, {"x": 1})
    body = json.dumps({"files": {"main.pp": "output x { value = y }"}}).encode()
    status, text, _ = ask(server, "POST", f"/{server.token}/problems", body)
    assert status == 200 and [item["at"] for item in json.loads(text)["diagnostics"]] == ["main.pp:1:20"]
    body = json.dumps({"file": "main.pp", "offset": 0}).encode()
    status, text, _ = ask(server, "POST", f"/{server.token}/complete", body)
    assert status == 200 and "resource" in {item["label"] for item in json.loads(text)}


def test_the_address_may_be_forwarded(server: ViewServer) -> None:
    status, _, _ = ask(server, "GET", f"/{server.token}/", Host="localhost:4321")
    assert status == 200
    status, _, _ = ask(server, "POST", f"/{server.token}/content", b"{}", Host="localhost:4321", Origin="http://localhost:4321")
    assert status == 200


REFUSED: Mapping[str, tuple[str, str, bytes | None, Mapping[str, str], int]] = {
    "no token": ("GET", "/", None, {}, 404),
    "another token": ("GET", "/guess/", None, {}, 404),
    "another host, which leads here": ("GET", "/{token}/", None, {"Host": "evil.example"}, 404),
    "another port of this machine": ("POST", "/{token}/content", b"{}", {"Origin": "http://127.0.0.1:1"}, 404),
    "another page": ("POST", "/{token}/content", b"{}", {"Origin": "https://evil.example"}, 404),
    "another page without an address": ("POST", "/{token}/content", b"{}", {"Origin": "null"}, 404),
    "another action": ("POST", "/{token}/write", b"{}", {}, 404),
    "no JSON": ("POST", "/{token}/content", b"{", {}, 400),
    "a field that nobody knows": ("POST", "/{token}/content", b'{"path": "/etc/passwd"}', {}, 400),
    "too much": ("POST", "/{token}/content", b"", {"Content-Length": "9000000000"}, 413),
    "no length": ("POST", "/{token}/content", b"", {"Content-Length": "-1"}, 413),
    "another method": ("PUT", "/{token}/content", b"{}", {}, 501),
}


@pytest.mark.parametrize("case", REFUSED)
def test_requests_that_are_not_from_the_page_are_refused(server: ViewServer, case: str) -> None:
    method, path, body, headers, expected = REFUSED[case]
    status, text, _ = ask(server, method, path.format(token=server.token), body, **headers)
    assert status == expected
    assert "RandomPet" not in text and server.token not in text


def test_a_page_reaches_no_file_that_the_program_does_not_read(program: Path) -> None:
    outside = program.parent / "outside.pp"
    outside.write_text("output x { value = 1 }", encoding="utf-8")
    files = {"main.pp": PETS, "../outside.pp": "changed", "sub/deep.pp": "changed", "notes.txt": "changed", "/abs.pp": "changed"}
    content = content_of(viewed(program), PageRequest(files=files))
    assert [file["name"] for file in content["files"]] == ["main.pp"]
    assert outside.read_text(encoding="utf-8") == "output x { value = 1 }"


# -- the command ---------------------------------------------------------------------------------------------------------


def test_a_page_is_written_to_a_file(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    words = ["view", str(program), "--html", str(target), "--schemas", str(EXAMPLES / "schemas"), "--config", "size=5"]
    assert app.main(words) == 0
    assert capsys.readouterr() == ("", "")
    data = parsed(target.read_text(encoding="utf-8"))
    assert isinstance(data, dict) and data["live"] is False
    assert data["content"]["run"]["registrations"][1]["inputs"] == {"length": 5}


def test_the_page_of_a_program_with_errors_says_so(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program / "main.pp").write_text("output x { value = nothing }", encoding="utf-8")
    target = tmp_path / "page.html"
    assert app.main(["view", str(program), "--html", str(target)]) == 1
    assert "`pclgen check" in capsys.readouterr().err
    assert target.exists()


WRONG: Mapping[str, tuple[list[str], str]] = {
    "no program": (["{empty}"], "{empty}"),
    "nothing there": (["{empty}/none"], "{empty}/none"),
    "a file and a server": (["{program}", "--html", "x.html", "--no-open"], "`--html` writes a file"),
    "no port": (["{program}", "--port", "99999"], "expected a number from 1 to 65535"),
    "no value": (["{program}", "--html", "x.html", "--config", "size"], "expected KEY=VALUE"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use(program: Path, tmp_path: Path, case: str, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    arguments, expected = WRONG[case]
    assert app.main(["view", *(argument.format(program=program, empty=empty) for argument in arguments)]) == 2
    output = capsys.readouterr()
    assert expected.format(empty=empty) in output.err and "Traceback" not in output.err and output.out == ""


def test_a_taken_port_is_wrong_use(server: ViewServer, program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["view", str(program), "--no-open", "--port", str(server.server_port)]) == 2
    assert f"`--port {server.server_port}`" in capsys.readouterr().err
