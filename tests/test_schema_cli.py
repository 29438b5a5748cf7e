"""`pclgen schema` and the options for sources, as a user types them; downloads come from a loopback server."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.schema.fetch import FetchError, expected, fetch
from tests.support.bigschemas import big_schema, settle
from tests.support.commands import Ran, Run
from tests.support.schemas import Schema, write_schema
from tests.support.waiting import PATIENCE

SHOP: Schema = {
    "name": "shop",
    "version": "1.0.0",
    "resources": {
        "shop:index:Cart": {
            "description": "A cart.\n\n## Example\n\ncode",
            "inputProperties": {
                "size": {"type": "integer", "description": "How much fits in.", "default": 3},
                "items": {"type": "array", "items": {"$ref": "#/types/shop:index:Item"}},
                "colour": {"$ref": "#/types/shop:index:Colour", "deprecationMessage": "paint it"},
                "key": {"type": "string", "secret": True},
            },
            "requiredInputs": ["items"],
            "properties": {"total": {"type": "number"}},
            "methods": {"pay": "shop:index:Cart/pay"},
            "aliases": [{"type": "shop:index:Basket"}],
        }
    },
    "types": {
        "shop:index:Item": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
        "shop:index:Colour": {"type": "string", "enum": [{"name": "Red", "value": "red"}, {"value": "blue"}]},
    },
    "functions": {
        "shop:index:getCart": {
            "description": "Looks a cart up.",
            "inputs": {"properties": {"id": {"type": "string"}}, "required": ["id"]},
            "outputs": {"properties": {"total": {"type": "number"}}, "required": ["total"]},
        },
        "shop:index:Cart/pay": {
            "inputs": {"properties": {"__self__": {"$ref": "#/resources/shop:index:Cart"}, "sum": {"type": "number"}}},
            "outputs": {"properties": {"paid": {"type": "boolean"}}},
        },
    },
}
BODY = json.dumps(SHOP).encode()


GO_MODULE = "/proxy/github.com/!acme/pulumi-shop/sdk/go/shop/@v/v1.0.0.info"
"""The modules of the server's Go module proxy."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in an empty project."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)

    def go(*argv: str) -> Ran:
        status = app.main(argv)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return go


def left() -> list[str]:
    """The files in the project."""
    return sorted(str(path) for path in Path().rglob("*") if path.is_file())


class Handler(BaseHTTPRequestHandler):
    """A handler that answers according to the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        kind = self.path.split("/")[1].removesuffix(".json")
        if kind == "hang":
            self._wait_for_end()
            return
        if kind == "drip":
            self._drip()
        elif kind in ("headers", "continue"):
            self._never_begin({"headers": b"X: x\r\n", "continue": b"HTTP/1.1 100 Continue\r\n\r\n"}[kind])
        elif kind == "round":
            time.sleep(0.1)
            self._send_on(self.path)
        elif kind == "missing" or (kind == "proxy" and self.path != GO_MODULE):
            self.send_error(404, "Not Found")
        elif kind in ("moved", "file", "loop"):
            self._send_on({"moved": "/shop.json", "file": "file:///etc/hostname", "loop": self.path}[kind])
        elif kind == "truncated":
            self.send_response(200)
            self.send_header("Content-Length", str(len(BODY)))
            self.end_headers()
            self.wfile.write(BODY[:100])
            self.close_connection = True
        elif kind == "chunked":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s" % (len(BODY), BODY[:100]))
            self.close_connection = True
        else:
            self._whole({"shop": BODY, "page": b"<html></html>"}.get(kind, b"{}"))

    def _whole(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _wait_for_end(self) -> None:
        """Send nothing until the client has left."""
        with suppress(OSError):
            self.rfile.read(1)
        self.close_connection = True

    def _drip(self) -> None:
        """Send a byte now and then: no single wait is long."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def _never_begin(self, piece: bytes) -> None:
        """Send pieces of an answer without ever reaching the requested content."""
        if piece.startswith(b"X"):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        try:
            while True:
                self.wfile.write(piece)
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def _send_on(self, target: str) -> None:
        self.send_response(302)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
        """Print nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


class TestAdd:
    def test_from_a_url(self, run: Run, server: str) -> None:
        ran = run("schema", "add", "shop", "--from", f"{server}/shop.json")
        messages = f"getting {server}/shop.json ...\nadded schemas/shop-1.0.0.json from {server}/shop.json\n"
        assert ran == Ran(0, "", messages)
        assert left() == ["schemas/pclgen.lock", "schemas/shop-1.0.0.json"]
        assert Path("schemas/shop-1.0.0.json").read_bytes() == BODY
        assert json.loads(Path("schemas/pclgen.lock").read_text()) == {
            "version": 1,
            "schemas": [
                {
                    "name": "shop",
                    "version": "1.0.0",
                    "file": "shop-1.0.0.json",
                    "sha256": hashlib.sha256(BODY).hexdigest(),
                    "source": f"{server}/shop.json",
                }
            ],
        }

    def test_with_the_go_module(self, run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The settings for the module are written into the schema, in JSON or YAML; existing settings stay."""
        language: dict[str, object] = {"nodejs": {"respectSchemaVersion": True}}
        schema = {**SHOP, "repository": "https://github.com/Acme/pulumi-shop", "language": language}
        Path("shop.yaml").write_text(json.dumps(schema))
        monkeypatch.setenv("GOPROXY", f"direct,{server}/missing|{server}/proxy/")
        ran = run("schema", "add", "shop", "--from", "shop.yaml", "--ask-go-proxy")
        module = "github.com/Acme/pulumi-shop/sdk/go/shop"
        asked = f"asking for github.com/Acme/pulumi-shop/sdk v1.0.0 ...\nasking for {module} v1.0.0 ...\n"
        added = "added schemas/shop-1.0.0.json from shop.yaml\n"
        assert ran == Ran(0, "", f"{asked}its Go module is {module}\n{added}")
        settings = {"importBasePath": module, "modulePath": module, "rootPackageName": "shop"}
        data = Path("schemas/shop-1.0.0.json").read_bytes()
        assert json.loads(data) == {**schema, "language": {**language, "go": settings}}
        [entry] = json.loads(Path("schemas/pclgen.lock").read_text())["schemas"]
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        Path("main.pp").write_text('resource c "shop:index:Cart" {\n  items = []\n}\n')
        assert run("generate", "main.pp", "--language", "go", "--out", "out").status == 0
        assert f'\t{module} v1.0.0\n' in Path("out/go.mod").read_text()
        again = run("schema", "add", "shop", "--from", "schemas/shop-1.0.0.json", "--ask-go-proxy", "--quiet")
        assert (again.status, Path("schemas/shop-1.0.0.json").read_bytes()) == (0, data)

    def test_without_a_go_module(self, run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is written when no proxy has the module, or none can be reached."""
        command = ["schema", "add", "shop", "--from", f"{server}/shop.json", "--ask-go-proxy", "-q"]
        modules = ", ".join(f"github.com/pulumi/pulumi-shop/sdk{below}" for below in ("", "/go/shop", "/go"))
        for proxy, status, message in (
            (f"{server}/proxy", 1, f"error: no module of Go has v1.0.0 of `shop`: {modules}\n"),
            ("http://127.0.0.1:9", 1, "error: http://127.0.0.1:9/github.com/pulumi/pulumi-shop/sdk/@v/v1.0.0.info: no connection"),
            ("off", 1, "error: GOPROXY is `off`, which names no proxy\n"),
        ):
            monkeypatch.setenv("GOPROXY", proxy)
            ran = run(*command)
            assert (ran.status, ran.err[: len(message)]) == (status, message)
        assert left() == []

    @pytest.mark.parametrize("quiet", ["--quiet", "-q"])
    def test_quietly(self, run: Run, server: str, tmp_path: Path, quiet: str) -> None:
        source = ["--from", f"{server}/shop.json"]
        assert run("schema", "add", "shop", *source, quiet) == Ran(0, "", "")
        assert run("schema", "remove", "shop", quiet) == Ran(0, "", "")
        path = tmp_path / "schemas" / "mart.json"
        path.parent.mkdir()
        path.write_text(json.dumps({**SHOP, "name": "mart"}))
        assert run("schema", "add", "mart", "--schemas", str(path.parent), quiet) == Ran(0, "", "")
        assert run("schema", "check", str(path), quiet) == Ran(0, "", "")

    def test_errors_are_printed_with_quiet_too(self, run: Run, server: str) -> None:
        ran = run("schema", "add", "shop", "--from", f"{server}/missing", "--quiet")
        assert ran.status == 1
        assert ran.err.startswith("error: ")
        assert run("schema", "remove", "shop", "--quiet").err.startswith("error: ")

    def test_the_program_uses_it_at_once(self, run: Run, server: str) -> None:
        Path("infra/web").mkdir(parents=True)
        Path("infra/web/main.pp").write_text('resource cart "shop:index:Cart" {\n  items = []\n}\n')
        assert "PCL0302" in run("check", "infra/web").err
        run("schema", "add", "shop", "--from", f"{server}/shop.json")
        ran = run("check", "infra/web", "--verbose")
        assert ran.status == 0
        assert ran.err == (
            "package shop 1.0.0: schemas/shop-1.0.0.json, locked in schemas/pclgen.lock\n"
            "checked 1 program, 1 file: no problems\n"
        )

    def test_from_a_file(self, run: Run, tmp_path: Path) -> None:
        path = write_schema(tmp_path, SHOP, "anything.json")
        assert run("schema", "add", "shop@1.0.0", "--from", str(path)).status == 0
        entry = json.loads(Path("schemas/pclgen.lock").read_text())["schemas"][0]
        assert entry["source"] == "anything.json", "a folder of this machine says nothing on another"

    def test_yaml_stays_yaml(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "shop.yaml").write_text("name: shop\nresources: {'shop:index:Cart': {}}\n")
        assert run("schema", "add", "shop@2.0.0", "--from", str(tmp_path / "shop.yaml")).status == 0
        assert left() == ["schemas/pclgen.lock", "schemas/shop-2.0.0.yaml"]
        assert run("schema", "path", "shop").out.endswith("schemas/shop-2.0.0.yaml\n")

    def test_from_another_source_of_the_project(self, run: Run, tmp_path: Path) -> None:
        write_schema(tmp_path / "vendor", SHOP)
        Path("pclgen.toml").write_text(f"schemas = ['{tmp_path / 'vendor'}']\n")
        assert run("schema", "add", "shop").status == 0
        written = json.loads(Path("schemas/shop-1.0.0.json").read_text())
        assert {key: value for key, value in written.items() if value is not None} == SHOP
        assert run("schema", "add", "mart").status == 1

    def test_a_right_checksum(self, run: Run, server: str) -> None:
        checksum = hashlib.sha256(BODY).hexdigest()
        assert run("schema", "add", "shop", "--from", f"{server}/shop.json", "--sha256", f"sha256:{checksum}").status == 0

    def test_a_redirection(self, run: Run, server: str) -> None:
        assert run("schema", "add", "shop", "--from", f"{server}/moved").status == 0

    @pytest.mark.parametrize(
        ("place", "message"),
        [
            ("missing", "the server answered 404 Not Found"),
            ("truncated", "the download broke off: 100 of {size} bytes came"),
            ("chunked", "the download broke off: "),
            ("page", "not a package schema: not valid JSON"),
            ("empty", "not a package schema: object missing required field `name`"),
            ("file", "Redirection to url 'file:///etc/hostname' is not allowed"),
            ("loop", "the server answered 302"),
            ("hang", "no answer within 0.3 s"),
            ("drip", "no answer within 0.3 s"),
            ("headers", "no answer within 0.3 s"),
            ("continue", "no answer within 0.3 s"),
            ("round", "no answer within 0.3 s"),
        ],
    )
    def test_what_goes_wrong_leaves_nothing(self, run: Run, server: str, place: str, message: str) -> None:
        limit = "0.3" if "0.3" in message else f"{PATIENCE:g}"
        ran = run("schema", "add", "shop", "--from", f"{server}/{place}", "--time-limit", limit)
        assert ran.status == 1
        assert ran.out == ""
        step, _, error = ran.err.partition("\n")
        assert step == f"getting {server}/{place} ..."
        assert error.startswith(f"error: {server}/{place}: "), ran.err
        assert message.format(size=len(BODY)) in error
        assert error.count("error:") == 1
        assert "\n" not in error.partition("\n  = help")[0].rstrip("\n")
        assert left() == []
        assert not Path("schemas").exists()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("shop", "--sha256", "0" * 64), "wrong checksum: its SHA-256 is "),
            (("mart",), "the schema is that of package `shop`, not `mart`"),
            (("shop@2.0.0",), "the schema is that of version 1.0.0, not 2.0.0"),
        ],
    )
    def test_what_was_not_asked_for(self, run: Run, server: str, arguments: tuple[str, ...], message: str) -> None:
        ran = run("schema", "add", *arguments, "--from", f"{server}/shop.json")
        assert ran.status == 1
        assert message in ran.err
        assert left() == []

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("add", "shop", "--sha256", "abc"), "`abc` is not a SHA-256"),
            (("add", "shop@new"), "`new` is not a version"),
            (("add", "../shop"), "`../shop` is not the name of a package"),
            (("remove", "shop@new"), "`new` is not a version"),
        ],
    )
    def test_what_can_be_no_package(self, run: Run, arguments: tuple[str, ...], message: str) -> None:
        ran = run("schema", *arguments)
        assert (ran.status, ran.out, left()) == (2, "", [])
        assert ran.err.startswith(f"error: {message}")

    def test_no_server(self, run: Run) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
            ran = run("schema", "add", "shop", "--from", f"http://127.0.0.1:{port}/")
        assert ran.status == 1
        assert "no connection: Connection refused\n  = help: check the address, the network and the proxy\n" in ran.err

    @pytest.mark.parametrize("place", ["ftp://example.org/shop.json", "file:///shop.json", "nowhere.json", "."])
    def test_places_that_are_none(self, run: Run, place: str) -> None:
        ran = run("schema", "add", "shop", "--from", place)
        assert ran.status == 1
        assert ran.err.startswith(f"error: {place}: ")
        assert left() == []

    def test_too_large(self, server: str) -> None:
        with pytest.raises(FetchError, match="larger than 0 MB"):
            fetch(f"{server}/shop.json", expected("shop"), size_limit=100)

    def test_a_failure_keeps_what_was_there(self, run: Run, server: str) -> None:
        run("schema", "add", "shop", "--from", f"{server}/shop.json")
        before = {path: Path(path).read_bytes() for path in left()}
        assert run("schema", "add", "shop", "--from", f"{server}/truncated").status == 1
        assert {path: Path(path).read_bytes() for path in left()} == before

    def test_a_folder_that_cannot_be_written(self, run: Run, server: str) -> None:
        Path("schemas").write_text("in the way")
        ran = run("schema", "add", "shop", "--from", f"{server}/shop.json")
        assert ran.status == 1
        assert "cannot be written" in ran.err
        assert left() == ["schemas"]

    @pytest.mark.parametrize("command", [("add", "shop", "--from", "{server}/shop.json"), ("remove", "shop"), ("list",)])
    def test_a_spoiled_lock_file(self, run: Run, server: str, command: tuple[str, ...]) -> None:
        Path("schemas").mkdir()
        Path("schemas/pclgen.lock").write_text("<<<<<<< ours")
        ran = run("schema", *(word.format(server=server) for word in command))
        assert ran.status in (1, 2)
        assert "not a lock file of pclgen" in ran.err
        assert left() == ["schemas/pclgen.lock"]

    def test_the_lock_file_cannot_be_written(self, run: Run, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device", "pclgen.lock")

        monkeypatch.setattr("pclgen.disk.Journal.decide", full)
        ran = run("schema", "add", "shop", "--from", f"{server}/shop.json")
        assert ran.err.splitlines()[1:] == ["error: pclgen.lock: cannot be written: No space left on device"]
        assert left() == []


class TestRemove:
    def test_one(self, run: Run, server: str) -> None:
        run("schema", "add", "shop", "--from", f"{server}/shop.json")
        assert run("schema", "remove", "shop") == Ran(0, "", "removed schemas/shop-1.0.0.json\n")
        assert left() == []

    def test_one_of_two_versions(self, run: Run, tmp_path: Path) -> None:
        for version in ("1.0.0", "2.0.0"):
            path = write_schema(tmp_path, {"name": "shop", "version": version})
            run("schema", "add", "shop", "--from", str(path))
        ran = run("schema", "remove", "shop")
        assert ran.status == 1
        assert "say which: `shop@1.0.0` or `shop@2.0.0`" in ran.err
        assert run("schema", "remove", "shop@1.0.0").status == 0
        assert left() == ["schemas/pclgen.lock", "schemas/shop-2.0.0.json"]

    def test_what_was_not_added(self, run: Run) -> None:
        write_schema(Path("schemas"), SHOP)
        ran = run("schema", "remove", "shop")
        assert ran.status == 1
        assert "no schema of shop was added here" in ran.err
        assert left() == ["schemas/shop-1.0.0.json"]


class TestLook:
    def test_list(self, run: Run, tmp_path: Path) -> None:
        assert run("schema", "list") == Ran(0, "", "no schemas were found; `pclgen schema path` lists the sources\n")
        path = write_schema(tmp_path, SHOP)
        run("schema", "add", "shop", "--from", str(path))
        write_schema(Path("schemas"), {"name": "a-mart"})
        ran = run("schema", "list")
        assert ran.out == "a-mart  -      schemas/a-mart.json\nshop    1.0.0  schemas/shop-1.0.0.json (locked)\n"
        assert [entry["name"] for entry in json.loads(run("schema", "list", "--json").out)] == ["a-mart", "shop"]
        assert run("schema", "list", "shop").out.count("\n") == 1
        assert run("schema", "list", "nobody").status == 1

    def test_path(self, run: Run) -> None:
        write_schema(Path("schemas"), SHOP)
        ran = run("schema", "path", "--sources", "files,cli,plugin", "--schemas", ".")
        assert ran.out.splitlines()[:2] == [".", "schemas"]
        assert len(ran.out.splitlines()) == 4
        assert run("schema", "path", "shop").out == f"{Path('schemas/shop-1.0.0.json').absolute()}\n"
        ran = run("schema", "path", "shop@2.0.0")
        assert ran.status == 1
        assert "there are 1.0.0" in ran.err

    def test_show_a_resource(self, run: Run) -> None:
        write_schema(Path("schemas"), SHOP)
        ran = run("schema", "show", "shop:Cart")
        assert ran.status == 0
        assert ran.out == (
            "resource shop:index:Cart  (package shop 1.0.0)\n"
            "  A cart.\n"
            "  once called shop:index:Basket\n"
            "\n"
            "inputs:\n"
            "  items: list(Item) (required)\n"
            "      see shop:index:Item\n"
            "  size: int (default 3)\n"
            "      How much fits in.\n"
            "  colour: Colour\n"
            "      deprecated: paint it\n"
            '      one of "red", "blue"\n'
            "  key: string (secret)\n"
            "\n"
            "further outputs:\n"
            "  id: string (required)\n"
            "  urn: string (required)\n"
            "  total: number\n"
            "\n"
            "methods:\n"
            "  pay: (sum) -> result of Cart/pay\n"
            "\n"
        )

    @pytest.mark.parametrize(
        ("token", "parts"),
        [
            ("shop:getCart", ["function shop:index:getCart", "Looks a cart up.", "  id: string (required)", "  total: number"]),
            ("shop:index:Item", ["object type shop:index:Item", "  sku: string (required)"]),
            ("shop:index:Colour", ["enum shop:index:Colour", '  Red: "red"', '  "blue"']),
            ("pulumi:providers:shop", ["provider pulumi:providers:shop", "inputs: none"]),
            ("pulumi:index:Stash", ["resource pulumi:index:Stash", "  input: any (required)"]),
        ],
    )
    def test_show_others(self, run: Run, token: str, parts: list[str]) -> None:
        write_schema(Path("schemas"), SHOP)
        out = run("schema", "show", token).out
        assert [part for part in parts if part not in out] == []

    def test_show_as_json(self, run: Run) -> None:
        write_schema(Path("schemas"), SHOP)
        (shown,) = json.loads(run("schema", "show", "shop:index:Cart", "--json").out)
        assert (shown["kind"], shown["package"], shown["version"]) == ("resource", "shop", "1.0.0")
        assert shown["sections"]["inputs"][2]["choices"] == ['"red"', '"blue"']

    @pytest.mark.parametrize(
        ("token", "message"),
        [
            ("shop:Crat", "did you mean `shop:Cart`?"),
            ("shop:getCrat", "did you mean `shop:getCart`?"),
            ("mart:Cart", "no schema of package `mart` was found"),
        ],
    )
    def test_what_is_not_there(self, run: Run, token: str, message: str) -> None:
        write_schema(Path("schemas"), SHOP)
        ran = run("schema", "show", token)
        assert ran.status == 1
        assert message in ran.err

    def test_colours_only_when_asked(self, run: Run) -> None:
        write_schema(Path("schemas"), SHOP)
        assert "\x1b" not in run("schema", "show", "shop:Cart").out
        assert "\x1b" in run("schema", "show", "shop:Cart", "--color", "always").out


class TestUse:
    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (("schema", "lsit"), "did you mean `list`?"),
            (("schema", "show", "a:b:c:d"), "`a:b:c:d` is no token"),
            (("schema", "list", "--schemas", "nowhere"), "it does not exist"),
            (("schema", "list", "--sources", "pluign"), "did you mean `plugin`?"),
            (("schema", "list", "--time-limit", "-1"), "must be greater than 0"),
        ],
    )
    def test_wrong_use(self, run: Run, argv: tuple[str, ...], message: str) -> None:
        ran = run(*argv)
        assert ran.status == 2
        assert message in ran.err

    def test_help(self, run: Run) -> None:
        assert "pclgen schema add aws@7.48.0" in run("schema", "--help").out
        assert run("schema").status == 2
        for command in ("list", "show", "add", "remove", "path"):
            assert "--project" in run("schema", command, "--help").out

    def test_a_wrong_configuration(self, run: Run) -> None:
        Path("pclgen.toml").write_text("scheams = []\n")
        Path("main.pp").write_text("a = 1\n")
        ran = run("check", "main.pp")
        assert ran.status == 2
        assert ran.err == (
            f"error: {Path('pclgen.toml').absolute()}:1:1: unknown setting `scheams`\n  = help: did you mean `schemas`?\n"
        )
        assert run("check", "main.pp", "--isolated").status == 0

    def test_the_cache(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        settle(write_schema(Path("schemas"), big_schema()))
        Path("main.pp").write_text('resource c "shop:cart:Cart" {\n  items = []\n}\n')
        cache = tmp_path / "kept"
        assert run("check", "main.pp", "--no-cache", "--cache-dir", str(cache)).status == 0
        assert not cache.exists()
        assert run("check", "main.pp", "--cache-dir", str(cache)).status == 0
        assert len(list(cache.glob("*/*.index"))) == 1
        other = tmp_path / "other"
        monkeypatch.setenv("PCLGEN_CACHE_DIR", str(other))
        assert run("generate", "main.pp", "--language", "go", "--out", "out").status == 0
        assert len(list(other.glob("*/*.index"))) == 1

    def test_verbose_tells_programs_apart(self, run: Run) -> None:
        for name, version in (("one", "1.0.0"), ("two", "2.0.0")):
            write_schema(Path(name) / "schemas", {**SHOP, "version": version})
            (Path(name) / "main.pp").write_text('resource c "shop:Cart" {\n  items = []\n}\n')
        ran = run("check", "one", "two", "-v")
        assert "package shop 1.0.0: one/schemas/shop-1.0.0.json, the only version that was found (for one)" in ran.err
        assert "package shop 2.0.0: two/schemas/shop-2.0.0.json, the only version that was found (for two)" in ran.err


class TestMembers:
    """`pclgen schema show` of a package or a module."""

    def test_of_a_package(self, run: Run, tmp_path: Path) -> None:
        write_schema(tmp_path, SHOP)
        ran = run("schema", "show", "shop", "--schemas", str(tmp_path))
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == "resources:\n  shop:Cart\nfunctions:\n  shop:getCart\n"

    def test_of_a_module(self, run: Run, tmp_path: Path) -> None:
        resources: Schema = {"shop:index:Cart": {}, "shop:web/page:Page": {}, "shop:web/site:Site": {}}
        write_schema(tmp_path, {"name": "shop", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}, "resources": resources})
        ran = run("schema", "show", "shop:web", "--json", "--schemas", str(tmp_path))
        assert json.loads(ran.out) == {"resources": ["shop:web:Page", "shop:web:Site"], "functions": []}
        assert run("schema", "show", "shop:wob", "--schemas", str(tmp_path)).status == 1

    def test_of_an_unknown_package(self, run: Run, tmp_path: Path) -> None:
        write_schema(tmp_path, SHOP)
        ran = run("schema", "show", "shpo", "--schemas", str(tmp_path))
        assert (ran.status, ran.out) == (1, "")
        assert "did you mean `shop`?" in ran.err
