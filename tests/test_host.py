"""The language host generates the same files as `pclgen generate`, with schemas from the loader that a request names."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pclgen import pipeline
from pclgen.host.languages import HOST_LANGUAGES
from pclgen.protocol.rpc import CallFailed, Refused
from pclgen.results import GenerateResult
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.support.conformance import programs
from tests.support.corpus import needs_corpus, program_directories
from tests.support.fake_provider import SCHEMA
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.hosting import GET_SCHEMA, Host, hosting, rpc, texts_below
from tests.support.waiting import PATIENCE, threads_end

RUNTIMES = tuple(HOST_LANGUAGES)
SHOP = 'resource server "shop:index:Server" {\n    size = 3\n}\n'


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Ignore the user's settings, and check that no thread remains."""
    for name in ("PCLGEN_SCHEMAS", "PCLGEN_SOURCES", "PCLGEN_LOADER", "PCLGEN_TIME_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    before = set(threading.enumerate())
    yield
    assert threads_end(before)


def expected(folder: Path, schemas: Sequence[Path]) -> GenerateResult:
    """The result of `pclgen generate` for a program."""
    result = pipeline.generate(
        load_program(str(folder)), languages=[entry.target for entry in HOST_LANGUAGES.values()], store=SchemaStore(schemas)
    )
    assert result.ok, result.diagnostics
    return result


def project_json(folder: Path) -> str:
    """The project as the CLI passes it: from the folder's Pulumi.yaml, or with the folder's name."""
    facts = load_program(str(folder)).project
    named = {"name": facts.name or folder.resolve().name, "description": facts.description, "main": facts.main}
    return json.dumps({"runtime": "yaml", **{key: value for key, value in named.items() if value}})


def check_program(hosts: Mapping[str, Host], folder: Path, schemas: Sequence[Path], scratch: Path) -> None:
    """Check that both methods give the output of `pclgen generate` in all languages."""
    result = expected(folder, schemas)
    sources = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.pp")}
    for runtime, host in hosts.items():
        host.loader.folders = schemas
        target = HOST_LANGUAGES[runtime].target
        files = {str(path): text.encode() for path, text in result.files[target].items()}
        data = {str(path): source.read_bytes() for path, source in result.data[target].items()}
        out = scratch / runtime
        request = {"source_directory": str(folder), "target_directory": str(out), "project": project_json(folder)}
        answer = host.ask("GenerateProject", strict=True, **request)
        assert not isinstance(answer, CallFailed), answer
        assert texts_below(out) == files | data
        program = host.ask("GenerateProgram", strict=True, source=sources)
        assert not isinstance(program, CallFailed), program
        texts = dict(program.source)
        main = load_program(str(folder)).project.main
        assert texts == {name: text for name, text in files.items() if (name.removeprefix(f"{main}/")) in texts}
        assert len(texts) >= 1


@pytest.fixture
def hosts() -> Iterator[Mapping[str, Host]]:
    with hosting("python") as python, hosting("nodejs") as nodejs, hosting("go") as go:
        yield {"python": python, "nodejs": nodejs, "go": go}


@pytest.mark.parametrize("name", sorted(example_programs()))
def test_examples_are_generated_as_by_the_command(name: str, hosts: Mapping[str, Host], tmp_path: Path) -> None:
    check_program(hosts, example_programs()[name], [EXAMPLE_SCHEMAS], tmp_path)
    assert all(host.loader.asked for host in hosts.values())


@needs_corpus
@pytest.mark.parametrize("part", range(4))
def test_field_programs_are_generated_as_by_the_command(part: int, hosts: Mapping[str, Host], tmp_path: Path) -> None:
    folders = program_directories("field")
    assert len(folders) == 40
    for folder in folders[part::4]:
        check_program(hosts, folder, [REAL_SCHEMAS], tmp_path / folder.name)


@needs_corpus
@pytest.mark.parametrize("part", range(4))
def test_conformance_programs_are_generated_as_by_the_command(part: int, hosts: Mapping[str, Host], tmp_path: Path) -> None:
    conformance = [(name, program) for name, program in programs() if name.startswith("conformance/")]
    assert len(conformance) > 150
    for name, program in conformance[part::4]:
        check_program(hosts, program.folder, program.schemas, tmp_path / name)


class TestProjectFiles:
    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        folder = tmp_path / "shop"
        folder.mkdir()
        (folder / "main.pp").write_text(SHOP)
        (tmp_path / "schemas").mkdir()
        (tmp_path / "schemas" / "shop-1.2.3.json").write_text(json.dumps(SCHEMA))
        return folder

    def generate(self, runtime: str, source: Path, project: Any, local: Mapping[str, str]) -> Mapping[str, str]:
        out = source.parent / "out" / runtime
        with hosting(runtime, source.parent / "schemas") as host:
            answer = host.ask(
                "GenerateProject",
                source_directory=str(source),
                target_directory=str(out),
                project=json.dumps(project),
                strict=True,
                local_dependencies=local,
            )
        assert not isinstance(answer, CallFailed) and not answer.diagnostics, answer
        return {name: text.decode() for name, text in texts_below(out).items()}

    def test_local_sdks_of_python(self, source: Path) -> None:
        local = {"pulumi": "./core.whl", "shop": "/sdks/shop", "unused": "/sdks/unused"}
        files = self.generate("python", source, {"name": "web"}, local)
        assert files["requirements.txt"] == "./core.whl\n/sdks/shop\n"
        assert files["Pulumi.yaml"] == 'name: web\nruntime: {"name": "python", "options": {"virtualenv": "venv"}}\n'

    def test_local_sdks_of_node(self, source: Path) -> None:
        files = self.generate("nodejs", source, {"name": "web"}, {"pulumi": "core.tgz", "shop": "sdks/shop"})
        assert json.loads(files["package.json"])["dependencies"] == {
            "@pulumi/pulumi": "core.tgz",
            "@pulumi/shop": "file:sdks/shop",
        }

    def test_local_sdks_of_go(self, source: Path) -> None:
        files = self.generate("go", source, {"name": "web"}, {"pulumi": "/sdks/the core", "shop": "./sdks/shop"})
        assert files["go.mod"].endswith(
            ")\n\n"
            "replace example.com/pulumi-shop/sdk => ./sdks/shop\n"
            'replace github.com/pulumi/pulumi/sdk/v3 => "/sdks/the core"\n'
        )

    def test_what_the_project_says_otherwise_is_carried_over(self, source: Path) -> None:
        (source / "main.pp").write_text('config mode string {}\nconfig "count" int {}\n' + SHOP)
        project = {
            "name": "web",
            "main": "src",
            "runtime": {"name": "pclgen-python", "options": {"toolchain": "uv"}},
            "config": {"web:mode": {"default": "a\u2028b"}, "aws:region": {"value": "x"}},
            "packages": {"tf": "terraform-provider@1"},
            "license": None,
        }
        files = self.generate("python", source, project, {})
        assert sorted(files) == ["Pulumi.yaml", "src/.gitignore", "src/__main__.py", "src/requirements.txt"]
        assert files["Pulumi.yaml"] == (
            "name: web\n"
            'runtime: {"name": "python", "options": {"toolchain": "uv"}}\n'
            "main: src\n"
            "config:\n"
            "  count:\n"
            "    type: integer\n"
            '  "web:mode":\n    default: "a\\u2028b"\n'
            '  "aws:region":\n    value: x\n'
            'packages:\n  tf: "terraform-provider@1"\n'
        )

    def test_options_of_another_runtime_are_left_out(self, source: Path) -> None:
        project = {"name": "web", "runtime": {"name": "nodejs", "options": {"packagemanager": "yarn"}}}
        assert self.generate("go", source, project, {})["Pulumi.yaml"] == "name: web\nruntime: go\n"

    def test_files_that_lie_in_the_folder_already_are_not_taken_over(self, source: Path) -> None:
        (source / "note.txt").write_text("mine")
        (source / "main.pp").write_text('output note {\n    value = readFile("./note.txt")\n}\n')
        with hosting("go") as host:
            request = {"source_directory": str(source), "target_directory": str(source)}
            answer = host.ask("GenerateProject", strict=True, **request)
        assert not isinstance(answer, CallFailed) and not answer.diagnostics, answer
        assert "note.txt" not in json.loads((source / ".pclgen.json").read_text())["files"]


class TestDiagnostics:
    def test_they_have_places(self, tmp_path: Path) -> None:
        (tmp_path / "main.pp").write_text('output "é" {\n    value = "é${nothing}"\n}\n')
        with hosting("python") as host:
            answer: Any = host.ask(
                "GenerateProject", source_directory=str(tmp_path), target_directory=str(tmp_path / "out"), strict=True
            )
        (diagnostic,) = [d for d in answer.diagnostics if d.severity == 1]
        assert "nothing" in diagnostic.summary and "PCL" in diagnostic.summary
        subject = diagnostic.subject
        assert (subject.filename, subject.start.line, subject.start.column, subject.start.byte) == ("main.pp", 2, 17, 31)
        assert (subject.end.line, subject.end.column, subject.end.byte) == (2, 24, 38)
        assert not (tmp_path / "out").exists()

    def test_those_of_programs_in_memory_do_too(self) -> None:
        with hosting("go") as host:
            answer: Any = host.ask("GenerateProgram", source={"a.pp": "x = nothing\n", "b/main.pp": ""}, strict=True)
        assert [d.subject.filename for d in answer.diagnostics] == ["a.pp"]
        assert dict(answer.source) == {}

    def test_what_is_not_strict_goes_on(self) -> None:
        with hosting("go") as host:
            answer: Any = host.ask("GenerateProgram", source={"main.pp": "output x {\n    value = nothing\n}\n"})
        assert [d.severity for d in answer.diagnostics] == [2]
        assert "main.go" in answer.source


class TestRefusals:
    """Each refusal is a status with a sentence, and the host keeps running."""

    def refused(self, host: Host, method: str, **fields: Any) -> CallFailed:
        answer = host.ask(method, **fields)
        assert isinstance(answer, CallFailed), answer
        after = host.ask("GenerateProgram", source={"main.pp": ""})
        assert not isinstance(after, CallFailed), after
        return answer

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({}, "`source_directory` must name a directory"),
            ({"source_directory": "/nowhere"}, "`target_directory` must name a directory"),
            ({"source_directory": "/nowhere", "target_directory": "x"}, "there is no directory `/nowhere`"),
            ({"source_directory": "-", "target_directory": "x"}, "there is no directory `-`"),
            ({"project": "{"}, "`project` is not JSON"),
            ({"project": "[]"}, "`project` must be a JSON object"),
            ({"project": '{"main": "../.."}'}, "leads out of the project"),
            ({"local_dependencies": {"shop": "a\nb"}}, "the local dependency 'shop' has no path"),
        ],
    )
    def test_a_request_that_cannot_be_followed(self, fields: Mapping[str, Any], words: str, tmp_path: Path) -> None:
        (tmp_path / "main.pp").write_text("")
        usual = {"source_directory": str(tmp_path), "target_directory": str(tmp_path / "out")}
        with hosting("python") as host:
            whole = fields if not fields or "source_directory" in fields else {**usual, **fields}
            failed = self.refused(host, "GenerateProject", **whole)
        assert failed.status == "INVALID_ARGUMENT"
        assert words in failed.details
        assert not (tmp_path / "out").exists()

    def test_a_target_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "main.pp").write_text("")
        with hosting("python") as host:
            target = str(tmp_path / "main.pp")
            failed = self.refused(host, "GenerateProject", source_directory=str(tmp_path), target_directory=target)
        assert failed.status == "FAILED_PRECONDITION"
        assert "is not a directory" in failed.details

    def test_names_that_are_no_files_of_a_program(self) -> None:
        with hosting("python") as host:
            failed = self.refused(host, "GenerateProgram", source={"../main.pp": ""})
        assert failed.status == "INVALID_ARGUMENT" and "inside the program" in failed.details

    def test_bytes_that_are_no_message(self) -> None:
        with hosting("python") as host, rpc().connect(host.address) as connection:
            call = connection.relay("/pulumirpc.LanguageRuntime/GenerateProject", iter([b"\xff"]), timeout=PATIENCE, metadata=())
            with pytest.raises(rpc().call_error):
                list(call)
        assert call.code().name == "INVALID_ARGUMENT"
        assert call.details() == "the request is no message `pulumirpc.GenerateProjectRequest`"

    def test_a_loader_that_is_not_there(self) -> None:
        gone = rpc().serve({})
        gone.stop()
        with hosting("python") as host:
            failed = self.refused(host, "GenerateProgram", source={"main.pp": SHOP}, loader_target=gone.address)
        assert failed.status == "UNAVAILABLE"
        assert "main.pp:1:17" in failed.details and gone.address in failed.details

    def test_a_loader_that_hangs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PCLGEN_TIME_LIMIT", "0.2")
        release = threading.Event()

        def hang(request: Any) -> Any:
            release.wait(PATIENCE)
            raise Refused("UNKNOWN", "late")

        with hosting("python") as host, rpc().serve({GET_SCHEMA: hang}) as server:
            failed = self.refused(host, "GenerateProgram", source={"main.pp": SHOP}, loader_target=server.address)
            release.set()
        assert failed.status == "UNAVAILABLE"
        assert "did not answer within 0.2 s" in failed.details

    @pytest.mark.parametrize(
        ("lie", "status", "words"),
        [
            (b"\x00nonsense", "UNAVAILABLE", "shop"),
            (b'{"name": "mall", "version": "1.2.3"}', "UNAVAILABLE", "mall"),
            (b'{"name": "shop", "version": "1.2.3", "resources": {"shop:index:Server": {"inputProperties": 7}}}', "FAILED_PRECONDITION", "inputProperties"),
        ],
    )
    def test_a_schema_that_lies(self, lie: bytes, status: str, words: str) -> None:
        def answer(request: Any) -> Any:
            return rpc().message("codegen.GetSchemaResponse", schema=lie)

        with hosting("python") as host, rpc().serve({GET_SCHEMA: answer}) as server:
            failed = self.refused(host, "GenerateProgram", source={"main.pp": SHOP}, loader_target=server.address, strict=True)
        assert failed.status == status
        assert words in failed.details

    def test_a_mistake_of_ours(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        def broken(*args: Any, **kwargs: Any) -> Any:
            raise ZeroDivisionError("oh")

        monkeypatch.delenv("PCLGEN_TRACEBACK", raising=False)
        with hosting("python") as host:
            with monkeypatch.context() as patch:
                patch.setattr(pipeline, "generate", broken)
                failed: Any = host.ask("GenerateProgram", source={"main.pp": ""})
            assert not isinstance(host.ask("GenerateProgram", source={"main.pp": ""}), CallFailed)
        assert failed.status == "INTERNAL" and "ZeroDivisionError: oh" in failed.details
        assert "Traceback" not in capfd.readouterr().err
