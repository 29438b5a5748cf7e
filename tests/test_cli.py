"""The command line, run in this process with a fake compiler."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pytest

from pclgen.cli import app
from pclgen.diagnostics.model import Diagnostic, Note, Severity
from pclgen.languages import TARGETS
from pclgen.pipeline import GraphFormat
from pclgen.schema.errors import NotFound
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, RawFile
from pclgen.source.text import SourceFile
from pclgen.sourcemaps import SourceMap
from pclgen.version import VERSION
from tests.support.commands import Ran, Run


@dataclass(frozen=True)
class Result:
    """A result with the attributes of every result that the commands expect."""

    diagnostics: tuple[Diagnostic, ...] = ()
    files: Mapping[str, Mapping[PurePosixPath, str]] = field(default_factory=dict)
    data: Mapping[str, Mapping[PurePosixPath, Path]] = field(default_factory=dict)
    source_maps: Mapping[str, Mapping[PurePosixPath, SourceMap]] = field(default_factory=dict)
    text: str | None = None


def findings(files: Sequence[RawFile]) -> tuple[Diagnostic, ...]:
    """The fake compiler's language: `BAD` is an error, `ODD` a warning."""
    diagnostics = []
    for raw in files:
        text = raw.data.decode()
        file = SourceFile(raw.name, text)
        for word, severity in (("BAD", Severity.ERROR), ("ODD", Severity.WARNING)):
            if word in text:
                span = file.span(text.index(word), text.index(word) + 3)
                note = Note(message="because", span=file.span(0, 1))
                diagnostics.append(
                    Diagnostic(code="PCL0101", severity=severity, message=f"found {word}", primary=span, notes=(note,))
                )
    return tuple(diagnostics)


def tried_by(store: SchemaStore) -> tuple[str, ...]:
    """The sources that a store tries, as text."""
    answer = store.find("no-such-package")
    assert isinstance(answer, NotFound)
    return answer.tried


class FakeCompiler:
    """A minimal compiler that the commands can call; records the settings."""

    def __init__(self) -> None:
        self.settings: dict[str, object] = {}

    def check(self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool) -> Result:
        self.settings = {"tried": tried_by(store), "lenient": lenient}
        if any(b"CRASH" in file.data for file in sources.files):
            raise KeyError("boom")
        if any(b"INTERRUPT" in file.data for file in sources.files):
            raise KeyboardInterrupt
        return Result(diagnostics=findings(sources.files))

    def generate(
        self,
        sources: LoadedProgram,
        *,
        languages: Sequence[str],
        store: SchemaStore,
        lenient: bool,
        program_only: bool,
        copy_files: bool,
        overlay: object = None,
        keep_going: bool = False,
        style: object = None,
        source_maps: bool = False,
        jobs: int = 1,
    ) -> Result:
        self.settings = {"languages": languages, "program_only": program_only, "lenient": lenient}
        assert overlay is None
        assert not source_maps
        self.settings |= {} if copy_files else {"copy_files": False}
        text = b"".join(file.data for file in sources.files).decode()
        files = {language: {PurePosixPath("src/main"): f"{language}: {text}"} for language in languages}
        diagnostics = findings(sources.files)
        errors = any(item.severity is Severity.ERROR for item in diagnostics)
        return Result(diagnostics=diagnostics, files={} if errors else files)

    def graph(self, sources: LoadedProgram, *, store: SchemaStore, lenient: bool, graph_format: GraphFormat) -> Result:
        diagnostics = findings(sources.files)
        errors = any(item.severity is Severity.ERROR for item in diagnostics)
        return Result(diagnostics=diagnostics, text=None if errors else f"{graph_format}: é\n")

    def format_source(self, source: RawFile) -> Result:
        diagnostics = findings([source])
        return Result(diagnostics=diagnostics, text=None if diagnostics else " ".join(source.data.decode().split()) + "\n")


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> FakeCompiler:
    fake = FakeCompiler()
    for function in ("check", "generate", "graph"):
        monkeypatch.setattr(f"pclgen.pipeline.{function}", getattr(fake, function))
    monkeypatch.setattr("pclgen.formatting.format_source", fake.format_source)
    return fake


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], compiler: FakeCompiler) -> Run:
    """Run the command line in an empty directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "PCLGEN_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)

    def go(*argv: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = app.main(argv)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return go


def write(path: str, text: str = "x = 1\n") -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def files() -> dict[str, str]:
    """All files below the current directory, except sources and manifests."""
    paths = (path for path in Path().rglob("*") if path.is_file() and path.suffix not in (".pp", ".json"))
    return {path.as_posix(): path.read_text() for path in paths}


class TestTop:
    def test_version(self, run: Run) -> None:
        assert run("--version") == Ran(0, f"pclgen {VERSION}\n", "")

    def test_help_lists_the_commands(self, run: Run) -> None:
        ran = run("--help")
        assert ran.status == 0
        assert all(f"  {name} " in ran.out for name in app.COMMANDS)
        assert run("help") == ran

    def test_nothing_is_wrong_usage(self, run: Run) -> None:
        assert (run().status, run().out) == (2, "")

    @pytest.mark.parametrize("command", sorted(app.COMMANDS))
    def test_every_command_has_help_with_examples(self, run: Run, command: str) -> None:
        ran = run(command, "--help")
        assert ran.status == 0
        assert ran.err == ""
        assert f"usage: pclgen {command} " in ran.out
        assert f"  pclgen {command} " in ran.out.partition("examples:")[2]
        assert run("help", command) == ran

    def test_unknown_commands(self, run: Run) -> None:
        write("web/main.pp")
        assert run("genrate") == Ran(2, "", "error: there is no command `genrate`\n  = help: did you mean `generate`?\n")
        assert "type `pclgen generate web`" in run("web").err
        assert "the commands are" in run("zzzzz").err


class TestUsage:
    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (("check",), "needs PATH"),
            (("check", "web", "--lenint"), "did you mean `--lenient`?"),
            (("check", "web", "--output-format", "xml"), "cannot be `xml`"),
            (("check", "web", "--schemas", "nowhere"), "`--schemas nowhere`: it does not exist"),
            (("check", "web", "--schemas", "web/main.pp"), "is not a directory"),
            (("check", "nowhere"), "there is no file or directory `nowhere`"),
            (("check", "-", "-"), "only once"),
            (("generate", "web", "--language", "pyhton"), "did you mean `python`?"),
            (("generate", "web", "--language", "nodjs"), f"there are {', '.join(TARGETS)} and all"),
            (("generate", "web", "--language", "cobol"), f"there are {', '.join(TARGETS)} and all"),
            (("generate", "web", "--out", "{lang}"), "unknown placeholder `{lang}`"),
            (("generate", "web", "--out", "{program!r}"), "unknown placeholder"),
            (("generate", "web", "--out", "a{"), "unbalanced brace"),
            (("generate", "web", "--out", ""), "must not be empty"),
            (("generate", "web", "--out", "x"), "web in python and web in typescript would both be written to `x`"),
            (("generate", "web", "api", "--out", "{language}"), "web in python and api in python would both"),
            (("generate", "web", "other/web"), "two programs are named web"),
            (("graph", "web", "api"), "unexpected argument `api`"),
            (("graph", "web", "--format", "png"), "cannot be `png`"),
            (("fmt", "-", "web"), "cannot be mixed"),
            (("fmt",), "needs PATH"),
            (("explain", "PCL0101", "PCL0102"), "unexpected argument `PCL0102`"),
        ],
    )
    def test_wrong_usage_is_status_2(self, run: Run, argv: tuple[str, ...], message: str) -> None:
        for path in ("web", "api", "other/web"):
            write(f"{path}/main.pp")
        ran = run(*argv)
        assert (ran.status, ran.out) == (2, "")
        assert message in ran.err
        assert ran.err.startswith("error: ")
        assert files() == {}


class TestCheck:
    def test_clean(self, run: Run, compiler: FakeCompiler) -> None:
        write("web/main.pp")
        write("web/more.pp")
        assert run("check", "web", "--lenient", "--schemas", ".") == Ran(0, "", "checked 1 program, 2 files: no problems\n")
        assert compiler.settings["lenient"] is True
        assert compiler.settings["tried"] == (".",)

    def test_one_file_of_several(self, run: Run) -> None:
        for name in ("main", "more", "other"):
            write(f"web/{name}.pp")
        stderr = run("check", "web/main.pp").err
        assert stderr == (
            "checked 1 program, 1 file: no problems\nnot read: 2 other .pp files in `web`; `pclgen check web` reads them all\n"
        )

    def test_errors(self, run: Run) -> None:
        write("web/main.pp", "a = BAD\n")
        write("api/main.pp", "a = ODD\n")
        ran = run("check", "web", "--color", "never", "api")
        assert (ran.status, ran.out) == (1, "")
        assert "error[PCL0101]: found BAD\n --> web/main.pp:1:5\n" in ran.err
        assert ran.err.endswith("1 error, 1 warning\n")

    def test_warnings_are_status_0(self, run: Run) -> None:
        write("web/main.pp", "a = ODD\n")
        assert run("check", "web").status == 0

    def test_machine_formats_have_standard_output_to_themselves(self, run: Run) -> None:
        write("web/main.pp", "a = BAD\n")
        ran = run("check", "web", "--output-format", "json")
        assert (ran.status, ran.err) == (1, "")
        assert json.loads(ran.out)["diagnostics"][0]["start"] == {"line": 1, "column": 5, "offset": 4}
        assert run("check", "web", "--output-format", "github").out.startswith("::error file=web/main.pp,line=1,col=5,")
        assert json.loads(run("check", "web", "--output-format", "sarif").out)["version"] == "2.1.0"

    def test_standard_input(self, run: Run) -> None:
        ran = run("check", "-", stdin=b"a = BAD\n")
        assert (ran.status, "<stdin>:1:5" in ran.err) == (1, True)


class TestColor:
    def test_never_in_a_pipe(self, run: Run) -> None:
        write("web/main.pp", "a = BAD\n")
        assert "\x1b" not in run("check", "web").err

    def test_always(self, run: Run) -> None:
        write("web/main.pp", "a = BAD\n")
        assert "\x1b[1;31merror" in run("check", "web", "--color", "always").err
        assert "\x1b" not in run("check", "web", "--color", "always", "--output-format", "json").out

    @pytest.mark.parametrize(
        ("environ", "colored"),
        [
            ({}, True),
            ({"NO_COLOR": "1"}, False),
            ({"NO_COLOR": ""}, True),
            ({"TERM": "dumb"}, False),
            ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
            ({"FORCE_COLOR": "0"}, False),
        ],
    )
    def test_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], colored: bool) -> None:
        write("web/main.pp", "a = BAD\n")
        monkeypatch.setenv("TERM", "xterm")
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        assert ("\x1b" in run("check", "web").err) is colored

    def test_force_without_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        write("web/main.pp", "a = BAD\n")
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b" in run("check", "web").err


class TestGenerate:
    def test_default_is_everything_in_build(self, run: Run) -> None:
        write("web/main.pp", "p")
        ran = run("generate", "web")
        assert (ran.status, ran.out) == (0, "")
        assert files() == {f"build/web/{name}/src/main": f"{name}: p" for name in ("python", "typescript", "go")}
        assert "wrote build/web/python: 1 file, 1 changed\n" in ran.err
        assert "wrote build/web/python: 1 file, nothing new\n" in run("generate", "web").err

    def test_languages_and_patterns(self, run: Run, compiler: FakeCompiler) -> None:
        write("web/main.pp", "p")
        write("api.pp", "q")
        ran = run(
            "generate", "web", "--language", "go,python", "api.pp", "--out", "out/{language}/{program}", "--program-only"
        )
        assert ran.status == 0
        assert sorted(files()) == [f"out/{a}/{b}/src/main" for a in ("go", "python") for b in ("api", "web")]
        assert compiler.settings == {"languages": ("python", "go"), "program_only": True, "lenient": False}

    def test_one_language_to_a_plain_folder(self, run: Run) -> None:
        assert run("generate", "-", "--language", "go", "--out", "x", stdin=b"p").status == 0
        assert files() == {"x/src/main": "go: p"}

    def test_an_error_in_one_program_stops_no_other_that_is_to_go_on(self, run: Run) -> None:
        write("web/main.pp", "BAD")
        write("odd/main.pp", "ODD")
        ran = run("generate", "web", "odd", "--keep-going", "--error-on", "warning", "--language", "py", "--out", "out/{program}")
        assert (ran.status, Path("out").exists()) == (1, False), "warnings that are to be errors are such"
        ran = run("generate", "web", "odd", "--keep-going", "--check", "--language", "py", "--out", "out/{program}")
        assert (ran.status, Path("out").exists(), "out/odd/" in ran.out, "out/web" in ran.out) == (1, False, True, False)
        ran = run("generate", "web", "odd", "--keep-going", "--language", "py", "--out", "out/{program}")
        assert (ran.status, sorted(path.name for path in Path("out").iterdir())) == (1, ["odd"])
        assert "error[PCL0101]" in ran.err and "wrote out/odd: " in ran.err

    def test_an_error_in_one_program_stops_all(self, run: Run) -> None:
        write("web/main.pp", "p")
        write("api/main.pp", "BAD")
        ran = run("generate", "web", "api")
        assert ran.status == 1
        assert "found BAD" in ran.err
        assert not Path("build").exists()

    def test_warnings_stop_nothing(self, run: Run) -> None:
        write("web/main.pp", "ODD")
        ran = run("generate", "web", "--output-format", "json")
        assert (ran.status, ran.err) == (0, "")
        assert json.loads(ran.out)["diagnostics"][0]["severity"] == "warning"
        assert len(files()) == 3

    def test_edited_files_are_safe(self, run: Run) -> None:
        write("web/main.pp", "p")
        run("generate", "web", "--language", "go")
        write("build/web/go/src/main", "mine")
        write("web/main.pp", "q")
        ran = run("generate", "web")
        assert (ran.status, ran.out) == (2, "")
        assert "will not overwrite `build/web/go/src/main`" in ran.err
        assert files() == {"build/web/go/src/main": "mine"}
        assert run("generate", "web", "--language", "go", "--force").status == 0
        assert files() == {"build/web/go/src/main": "go: q"}


class TestGraph:
    def test_formats(self, run: Run) -> None:
        write("web/main.pp")
        assert run("graph", "web") == Ran(0, "dot: é\n", "")
        assert run("graph", "web", "--format", "mermaid").out == "mermaid: é\n"

    def test_errors(self, run: Run) -> None:
        write("web/main.pp", "BAD")
        ran = run("graph", "web", "--output-format", "json")
        assert (ran.status, ran.out) == (1, "")
        assert json.loads(ran.err)["diagnostics"]


class TestFmt:
    def test_in_place(self, run: Run) -> None:
        write("a.pp", "x  =  1\n")
        write("sub/b.pp", "y = 1\n")
        ran = run("fmt", ".", "a.pp")
        assert (ran.status, ran.out) == (0, "")
        assert ran.err == "1 file formatted, 1 already fine\n"
        assert Path("a.pp").read_text() == "x = 1\n"

    def test_check_changes_nothing(self, run: Run) -> None:
        write("a.pp", "x  =  1\n")
        assert run("fmt", ".", "--check") == Ran(1, "a.pp\n", "1 file would be formatted, 0 already fine\n")
        assert Path("a.pp").read_text() == "x  =  1\n"
        write("a.pp", "x = 1\n")
        assert run("fmt", ".", "--check").status == 0

    def test_diff_changes_nothing(self, run: Run) -> None:
        write("a.pp", "x  =  1")
        ran = run("fmt", "a.pp", "--diff")
        assert ran.status == 1
        assert ran.out.splitlines() == [
            "--- a.pp",
            "+++ a.pp (formatted)",
            "@@ -1 +1 @@",
            "-x  =  1",
            "\\ No newline at end of file",
            "+x = 1",
        ]
        assert Path("a.pp").read_text() == "x  =  1"

    def test_a_bad_file_stays_and_the_others_are_formatted(self, run: Run) -> None:
        write("a.pp", "BAD  x\n")
        write("b.pp", "x  =  1\n")
        ran = run("fmt", ".")
        assert ran.status == 1
        assert "found BAD" in ran.err
        assert (Path("a.pp").read_text(), Path("b.pp").read_text()) == ("BAD  x\n", "x = 1\n")

    def test_standard_input(self, run: Run) -> None:
        assert run("fmt", "-", stdin="é  =  1".encode()) == Ran(0, "é = 1\n", "")
        assert run("fmt", "-", "--check", stdin=b"x  = 1") == Ran(1, "", "")
        bad = run("fmt", "-", stdin=b"BAD")
        assert (bad.status, bad.out) == (1, "")


class TestFailure:
    def test_a_bug_of_ours_is_named_so(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        write("web/main.pp", "CRASH")
        ran = run("check", "web")
        assert (ran.status, ran.out) == (3, "")
        assert ran.err.startswith("error: pclgen itself failed (KeyError: 'boom')")
        assert "Traceback" not in ran.err
        monkeypatch.setenv("PCLGEN_TRACEBACK", "1")
        assert "Traceback" in run("check", "web").err

    def test_interrupt(self, run: Run) -> None:
        write("web/main.pp", "INTERRUPT")
        assert run("check", "web") == Ran(130, "", "interrupted\n")

    def test_text_that_a_terminal_cannot_show(self, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
        write("wéb/main.pp", "x = BAD # é")
        written = io.BytesIO()
        narrow = io.TextIOWrapper(written, encoding="ascii")
        monkeypatch.setattr(sys, "stderr", narrow)
        assert app.main(["check", "wéb"]) == 1
        narrow.flush()
        assert b"w\\xe9b/main.pp" in written.getvalue()
