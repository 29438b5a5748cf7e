"""`pclgen serve` and `generate --request`: JSON in, JSON out, as documented in docs/serve.md."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pclgen
from pclgen import pipeline
from pclgen.build import cache, serve
from pclgen.build.serve import Server
from pclgen.cli import app
from pclgen.schema.discovery import Settings
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE
from tests.test_build import BAD, GOOD, ODD, SCHEMA, configure, write

KEYS = {"format_version", "id", "ok", "files", "data", "diagnostics", "problem"}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.chdir(tmp_path)
    configure("")
    return Server(Settings(), {"PCLGEN_CACHE_DIR": str(tmp_path / ".cache"), "PCLGEN_SOURCES": "files"})


def ask(server: Server, **request: object) -> dict[str, Any]:
    (line,) = server.lines([json.dumps(request).encode()])
    answer: dict[str, Any] = json.loads(line)
    assert line.endswith("\n") and line.count("\n") == 1 and set(answer) == KEYS
    return answer


def test_answers_are_what_generate_gives(server: Server) -> None:
    write({"web/main.pp": 'output x { value = readFile("./a.txt") }\n', "web/a.txt": "text"})
    answer = ask(server, id=[1, "a"], path="web")
    result = pclgen.generate("web")
    assert answer["id"] == [1, "a"] and answer["ok"] and answer["problem"] is None and answer["diagnostics"] == []
    assert answer["files"] == {
        name: {str(path): text for path, text in files.items()} for name, files in result.files.items()
    }
    assert answer["data"] == {language: {"a.txt": "web/a.txt"} for language in pclgen.LANGUAGES}
    assert ask(server, path="web", copy_files=False, languages=["ts"])["data"] == {}


def test_programs_in_memory(server: Server) -> None:
    use = 'component c "./part" {\n}\noutput x { value = c.y }\n'
    files = {"main.pp": use, "part/main.pp": "output y { value = 1 }\n"}
    answer = ask(server, files=files, name="shop", languages=["py"])
    assert answer["ok"] and "name: shop\n" in answer["files"]["python"]["Pulumi.yaml"]
    assert list(ask(server, files=files, project_files=False, languages=["go"])["files"]["go"]) == ["main.go", "part.go"]
    write({"main.pp": 'output x { value = readFile("./a.txt") }\n', "a.txt": "text"})
    text = Path("main.pp").read_text()
    assert ask(server, files={"main.pp": text}, name=Path().resolve().name)["data"]["go"] == {}
    assert ask(server, path=".")["data"]["go"] == {"a.txt": "a.txt"}, "what is in memory has no files beside it"


def test_mistakes_of_programs(server: Server) -> None:
    answer = ask(server, id=1, files={"main.pp": BAD})
    assert not answer["ok"] and answer["files"] == {} and answer["problem"] is None
    (item,) = answer["diagnostics"]
    assert (item["code"], item["file"], item["start"]["line"]) == ("PCL0501", "main.pp", 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"nonsense", "not a request: JSON is malformed"),
        (b"[]", "not a request: expected `object`, got `array`"),
        (b'{"pth": "web"}', "unknown field `pth`"),
        (b"{}", "either `path` or `files`"),
        (b'{"path": "web", "files": {}}', "either `path` or `files`"),
        (b'{"path": "nowhere"}', "there is no file or directory `nowhere`"),
        (b'{"path": "-"}', "standard input has the requests"),
        (b'{"path": "web", "name": "x"}', "`name` is for `files`"),
        (b'{"files": {"../main.pp": ""}}', "is not the path of a .pp file inside the program"),
        (b'{"files": {"main.pp": ""}, "languages": ["cobol"]}', "there is no language `cobol`"),
        (b"\xff\xfe", "not a request"),
        (b"[" * 100_000, "not a request"),
        # Python reads these values but may refuse to write them.
        *[(b'{"id": ' + b"[" * n + b"]" * n + b"}", "not a request: ") for n in (40, *range(960, 1010), 20_000)],
        *[(b'{"id": ' + b'{"a":' * n + b"1" + b"}" * n + b"}", "not a request: ") for n in (40, *range(960, 1010, 3))],
    ],
)
def test_what_is_no_request_is_answered_and_ends_nothing(server: Server, line: bytes, message: str) -> None:
    good = json.dumps({"id": 2, "files": {"main.pp": GOOD}}).encode()
    first, second = (json.loads(answer) for answer in server.lines([line, b"\n", good]))
    assert message in first["problem"]["message"] and not first["ok"]
    assert first["problem"]["blame"] == "user" and (second["id"], second["ok"]) == (2, True)


def test_a_mistake_of_pclgen_ends_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    real = pipeline.generate
    monkeypatch.setattr(pipeline, "generate", lambda *_, **__: 1 // 0)
    assert ask(server, id=1, files={"main.pp": GOOD})["problem"]["blame"] == "pclgen"
    monkeypatch.setattr(pipeline, "generate", real)
    assert ask(server, id=1, files={"main.pp": GOOD})["ok"]


def test_the_configuration_counts_until_it_is_read_again(server: Server) -> None:
    write({"schemas/old.json": json.dumps(SCHEMA), "a/main.pp": ODD})
    configure('languages = ["go"]\n[levels]\nPCL0420 = "error"\n')
    assert [item["severity"] for item in ask(server, path="a")["diagnostics"]] == ["error"]
    configure('languages = ["go"]\n[levels]\nPCL0420 = "off"\n')
    assert not ask(server, path="a")["ok"]
    answer = ask(server, path="a", reload=True)
    assert answer["ok"] and answer["diagnostics"] == [] and list(answer["files"]) == ["go"]


def test_a_build_and_a_server_share_what_they_compile(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    write({"a/main.pp": GOOD, "b/main.pp": BAD})
    assert app.main(["build", "--quiet"]) == 1
    monkeypatch.setattr(pipeline, "generate", lambda *_, **__: 1 // 0)
    answer = ask(server, path="a")
    assert answer["ok"] and answer["files"]["go"]["main.go"] == Path("build/a/go/main.go").read_text()
    assert [item["code"] for item in ask(server, path="b")["diagnostics"]] == ["PCL0501"]


def test_the_cache_keeps_its_size(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure("cache-size = 1\n")
    monkeypatch.setattr(serve, "_TIDY", 3)
    requests = [json.dumps({"files": {"main.pp": GOOD.replace("42", f'"{n}{"x" * 100_000}"')}}).encode() for n in range(20)]
    sizes = [cache.cache_usage(tmp_path / ".cache")[0].size for _ in server.lines(requests)]
    assert max(sizes) < 2_000_000 and sizes[2] > 500_000, "three results more at most"
    assert cache.cache_usage(tmp_path / ".cache")[0].size <= 1_000_000


def test_many_requests_have_many_answers_in_their_order(server: Server) -> None:
    texts = [BAD if number % 7 == 0 else GOOD.replace("42", str(number)) for number in range(60)]
    lines = [json.dumps({"id": at, "files": {"main.pp": text}, "languages": ["go"]}).encode() for at, text in enumerate(texts)]
    lines[30:30] = [b"nonsense", b"\n"]
    answers = [json.loads(line) for line in server.lines(iter(lines))]
    assert [answer["id"] for answer in answers] == [*range(30), None, *range(30, 60)]
    assert [answer["id"] for answer in answers if not answer["ok"]] == [0, 7, 14, 21, 28, None, 35, 42, 49, 56]
    assert all(str(answer["id"]) in answer["files"]["go"]["main.go"] for answer in answers if answer["ok"])


@pytest.mark.parametrize("text", ["x" * 5_000_000, 'output a {\n  value = "' + "y" * 3_000_000 + '"\n}\n', "\n" * 3_000_000])
def test_large_requests(server: Server, text: str) -> None:
    answer = ask(server, id=1, files={"main.pp": text}, languages=["go"])
    assert answer["problem"] is None and answer["ok"] == (text[:1] != "x")
    assert ask(server, id=2, files={"main.pp": GOOD})["ok"]


@pytest.mark.parametrize(("how", "status", "output"), [("interrupted", 130, b"interrupted\n"), ("not read", 141, b"")])
def test_a_caller_that_has_enough(tmp_path: Path, how: str, status: int, output: bytes) -> None:
    """A caller that ends the process or stops reading leaves nothing behind: no traceback, and a working cache."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PCLGEN_CACHE_DIR": str(tmp_path / ".cache")}
    command = [sys.executable, "-m", "pclgen", "serve", "--sources", "files"]
    line = json.dumps({"files": {"main.pp": GOOD}}).encode() + b"\n"
    pipes: dict[str, object] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Shells start background processes, perhaps this suite, with the signal ignored.
    pipes["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, cwd=tmp_path, env=environ, **pipes) as process:  # type: ignore[call-overload]  # pipes
        process.stdin.write(line)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["ok"]
        if how == "interrupted":
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(line * 2)
            process.stdin.flush()
            process.stdin.close()
        assert (process.wait(PATIENCE), process.stderr.read()) == (status, output)
    again = subprocess.run(command, cwd=tmp_path, env=environ, input=line, capture_output=True, check=True, timeout=PATIENCE)
    assert json.loads(again.stdout)["ok"] and again.stderr == b""


def test_over_a_pipe(tmp_path: Path) -> None:
    """A real process answers each line before the next line arrives, and ends at the end of its input."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PCLGEN_CACHE_DIR": str(tmp_path / ".cache")}
    command = [sys.executable, "-m", "pclgen", "serve", "--sources", "files"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=environ, **pipes) as process:  # type: ignore[call-overload]  # pipes
        for number in range(3):
            request = {"id": number, "files": {"main.pp": GOOD.replace("42", str(number))}}
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["id"], answer["ok"]) == (number, True)
        rest, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest, errors) == (0, b"", b"")


def test_one_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    write({"good.json": json.dumps({"files": {"main.pp": GOOD}}), "bad.json": json.dumps({"files": {"main.pp": BAD}})})
    assert app.main(["generate", "--request", "good.json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert app.main(["generate", "--request", "bad.json"]) == 1
    assert not json.loads(capsys.readouterr().out)["ok"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("good.json").read_bytes())))
    assert app.main(["generate", "--request", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    write({"none.json": "{]"})
    for argv in (["--request", "none.json"], ["--request", "nowhere.json"], ["--request", "good.json", "a"], []):
        assert app.main(["generate", *argv]) == 2
        assert capsys.readouterr().out == ""


def test_the_document_shows_what_happens(server: Server) -> None:
    shown = re.findall(r"```json\n(.*?)\n```", (ROOT / "docs" / "serve.md").read_text(encoding="utf-8"))
    request, answer = map(json.loads, shown)
    assert ask(server, **request) == answer
