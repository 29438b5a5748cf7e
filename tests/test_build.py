"""`pclgen build`: independent programs of a project; the files that are written, kept and removed, and the messages."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pclgen import pipeline
from pclgen.build import run, workerpool
from pclgen.build.model import BuildContext, Status, Task
from pclgen.build.plan import plan, shard
from pclgen.build.programs import find_programs
from pclgen.choices import Building, Choices
from pclgen.cli import app
from pclgen.emit.write import Places
from tests.support.commands import Ran, Run
from tests.support.files import write_files

GOOD = "output answer {\n  value = 42\n}\n"
BAD = "output answer {\n  value = nowhere\n}\n"
LOUD = "config name string {}\noutput loud {\n  value = name == \"x\" ? 1 : 2\n}\n"
"""A program that Pulumi YAML cannot express."""
ODD = 'resource pet "old:index:Pet" {\n}\n'
SCHEMA = {"name": "old", "version": "1.0.0", "resources": {"old:index:Pet": {"deprecationMessage": "gone soon"}}}
LANGUAGES = ("python", "typescript", "go")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project that is isolated from the machine's settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    configure("")
    return tmp_path


def configure(text: str) -> None:
    Path("pclgen.toml").write_text(text)


@pytest.fixture
def build(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    del project

    def go(*argv: str) -> Ran:
        capsys.readouterr()
        status = app.main(["build", *argv])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return go


def write(texts: Mapping[str, str]) -> None:
    write_files(Path(), texts)


def contents(folder: str = "build") -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def main_of(program: str, language: str = "python") -> Path:
    return Path("build", program, language, {"python": "__main__.py", "go": "main.go", "typescript": "index.ts"}[language])


def test_all_programs_in_all_languages(build: Run) -> None:
    write({"a/app/main.pp": GOOD, "b/app/main.pp": GOOD, "c/main.pp": GOOD})
    ran = build()
    assert (ran.status, ran.out, ran.err) == (0, "", "built 3 programs: 3 generated\n")
    assert all(main_of(program, language).is_file() for program in ("a/app", "b/app", "c") for language in LANGUAGES)
    assert build().err == build("--keep-going").err == "built 3 programs: 3 unchanged\n"
    assert build("--quiet") == Ran(0, "", "")


def test_a_language_that_cannot_express_a_program_stops_no_other(build: Run) -> None:
    write({"a/main.pp": LOUD, "b/main.pp": GOOD})
    ran = build("--language", "python,yaml,go")
    assert ran.status == 1
    assert "PCL0901" in ran.err and "cannot be written in Pulumi YAML" in ran.err
    assert ran.err.endswith("a: written in Python and Go, not in YAML\nbuilt 2 programs: 1 generated, 1 failed\n")
    before = contents()
    assert main_of("a").is_file() and main_of("a", "go").is_file() and not Path("build/a/yaml").exists()
    ran = build("--language", "python,yaml,go", "--output-format", "json")
    first, second = json.loads(ran.out)["programs"]
    assert (first["status"], first["written"], first["refused"], first["changes"]) == ("failed", ["python", "go"], ["yaml"], [])
    assert (second["status"], second["written"], second["refused"]) == ("unchanged", [], [])
    write({"a/main.pp": GOOD})
    assert build("--language", "python,yaml,go").status == 0
    write({"a/main.pp": LOUD, "old.json": json.dumps(SCHEMA)})
    stale = {path: data for path, data in contents().items() if path.startswith("build/a/yaml/")}
    assert stale and build("--language", "python,yaml,go").status == 1
    assert contents() == before | stale
    write({"a/main.pp": LOUD + ODD.replace("pet", "bert")})
    ran = build("--language", "python,yaml,go", "--schemas", ".", "--error-on", "warning")
    assert ran.status == 1 and ": written in" not in ran.err, "a warning that is an error is one of the program"
    assert contents() == before | stale


@pytest.mark.parametrize("wrong", ["", BAD])
@pytest.mark.parametrize("keeps_going", [False, True])
def test_generate_keeps_going_over_languages(
    project: Path, capsys: pytest.CaptureFixture[str], wrong: str, keeps_going: bool
) -> None:
    write({"a/main.pp": LOUD + wrong, "b/main.pp": GOOD})
    status = app.main(["generate", "a", "b", "--language", "python,yaml,go", *(["--keep-going"] if keeps_going else [])])
    assert status == 1
    err = capsys.readouterr().err
    programs = {"a", "b"} if not wrong else {"b"}
    languages = {"python", "go", "yaml"}
    expected = {(program, name) for program in programs for name in languages if (program, name) != ("a", "yaml")}
    pairs = {tuple(Path(path).parts[1:3]) for path in contents()}
    assert pairs == (expected if keeps_going else set())
    assert ("a: written in Python and Go, not in YAML\n" in err) is (keeps_going and not wrong)


def test_a_program_that_fails_neither_stops_nor_spoils_others(build: Run) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD, "c/main.pp": GOOD})
    build()
    before = contents()
    write({"a/main.pp": BAD, "b/main.pp": GOOD.replace("42", "43"), "d/main.pp": "output {", "e/main.pp": GOOD})
    ran = build()
    assert ran.status == 1
    assert ran.err.endswith("built 5 programs: 2 generated, 1 unchanged, 2 failed\n")
    assert "a/main.pp:2:11" in ran.err and "d/main.pp:1" in ran.err
    after = contents()
    assert {path for path in before if after[path] != before[path]} == {
        path for path in before if path.startswith("build/b/") and path.endswith((".py", "index.ts", "main.go", ".json"))
        and not path.endswith(("package.json", "tsconfig.json"))
    }  # fmt: skip  # one expression
    assert main_of("e").is_file() and not Path("build/d").exists()


def test_what_cannot_be_read_or_written_fails_alone(build: Run) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD, "c/main.pp": GOOD, "b/Pulumi.yaml": "main: ../..\n"})
    write({"build/c/go": "in the way"})
    ran = build("--output-format", "json")
    assert ran.status == 1
    programs = {entry["program"]: entry for entry in json.loads(ran.out)["programs"]}
    assert [entry["status"] for entry in programs.values()] == ["generated", "failed", "failed"]
    assert "leads out of the project" in programs["b"]["problem"]["message"]
    assert "is not a directory" in programs["c"]["problem"]["message"]
    assert {programs[name]["problem"]["blame"] for name in "bc"} == {"user"}
    assert "error: b: `main` of Pulumi.yaml" in build().err


def test_a_bug_in_pclgen_is_reported_and_stops_nothing(build: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    real = pipeline.generate

    def broken(sources: object, **settings: object) -> object:
        if getattr(sources, "name", "") == "a":
            raise ZeroDivisionError("oh")
        return real(sources, **settings)  # type: ignore[arg-type]  # forwarded unchanged

    monkeypatch.setattr(pipeline, "generate", broken)
    ran = build()
    assert ran.status == 3
    assert "a: pclgen itself failed (ZeroDivisionError: oh)" in ran.err
    assert main_of("b").is_file()


def test_only_what_differs_is_touched(build: Run) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    build()
    for path in contents():
        os.utime(path, ns=(1, 1))
    write({"a/main.pp": GOOD.replace("42", "43")})
    assert build().err == "built 2 programs: 1 generated, 1 unchanged\n"
    touched = {path for path in contents() if Path(path).stat().st_mtime_ns != 1}
    assert touched == {
        path.as_posix()
        for language in LANGUAGES
        for path in (main_of("a", language), main_of("a", language).with_name(".pclgen.json"))
    }


def test_the_configuration_says_how(build: Run) -> None:
    configure(
        """
programs = ["infra/*", "snippets/*.pp"]
exclude = ["infra/old"]
languages = ["go"]
output = "out/{language}/{path}"
project-files = false

[[overrides]]
programs = ["infra/both"]
languages = ["go", "python"]
project-files = true
"""
    )
    write({f"infra/{name}/main.pp": GOOD for name in ("one", "both", "old")} | {"snippets/s.pp": GOOD, "other/main.pp": GOOD})
    assert build().status == 0
    assert [path for path in sorted(contents("out")) if not path.endswith(".pclgen.json")] == [
        "out/go/infra/both/.gitignore", "out/go/infra/both/Pulumi.yaml", "out/go/infra/both/go.mod",
        "out/go/infra/both/main.go", "out/go/infra/one/main.go", "out/go/snippets/s/main.go",
        "out/python/infra/both/.gitignore", "out/python/infra/both/Pulumi.yaml", "out/python/infra/both/__main__.py",
        "out/python/infra/both/requirements.txt",
    ]  # fmt: skip  # a table


def test_options_go_over_the_configuration(build: Run) -> None:
    configure('languages = ["go"]\noutput = "out/{path}/{language}"\n')
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    build()
    assert build("a", "-l", "ts", "-l", "py").err == "built 1 program: 1 generated\n"
    assert sorted(path.parent.as_posix() for path in Path("out").rglob(".pclgen.json")) == [
        "out/a/go", "out/a/python", "out/a/typescript", "out/b/go",
    ]  # fmt: skip  # a table
    assert build("--out", "else/{program}-{language}", "--program-only").status == 0
    assert sorted(contents("else")) == [f"else/{p}-go/{file}" for p in "ab" for file in (".pclgen.json", "main.go")]


@pytest.mark.parametrize("from_here", ["", "infra", "infra/web"])
def test_from_any_folder_of_the_project(build: Run, monkeypatch: pytest.MonkeyPatch, from_here: str) -> None:
    write({"infra/web/main.pp": BAD})
    monkeypatch.chdir(Path(from_here) if from_here else Path())
    ran = build()
    assert f"--> {os.path.relpath('/x/infra/web/main.pp', f'/x/{from_here}')}:2:11" in ran.err
    write({os.path.relpath("/x/infra/web/main.pp", f"/x/{from_here}"): GOOD})
    assert build().status == 0


def test_strictness_and_levels(build: Run) -> None:
    write({"schemas/old.json": json.dumps(SCHEMA), "a/main.pp": ODD, "b/main.pp": 'resource x "none:index:X" {}\n'})
    ran = build("-l", "go")
    assert (ran.status, "1 generated, 1 failed" in ran.err) == (1, True)
    configure('strictness = "lenient"\n')
    assert "built 2 programs: 1 generated, 1 unchanged\n" in build("-l", "go").err
    configure('[levels]\nPCL0420 = "error"\n[[overrides]]\nprograms = ["b"]\nstrictness = "lenient"\n')
    ran = build("-l", "go")
    assert ran.err.endswith("1 unchanged, 1 failed\n") and "error[PCL0420]" in ran.err
    configure('exclude = ["b"]\n[levels]\nPCL0420 = "off"\n')
    assert build("-l", "go", "--error-on", "warning") == Ran(0, "", "built 1 program: 1 unchanged, 1 folder removed\n")
    configure('exclude = ["b"]\n')
    assert build("-l", "go", "--error-on", "warning").status == 1
    assert build("-l", "go").status == 0


@pytest.mark.parametrize("command", ["check", "generate"])
def test_other_commands_follow_strictness_and_levels(project: Path, command: str) -> None:
    del project
    write({"schemas/old.json": json.dumps(SCHEMA), "a/main.pp": ODD, "b/main.pp": 'resource x "none:index:X" {}\n'})
    assert (app.main([command, "a", "-q"]), app.main([command, "b"])) == (0, 1)
    assert app.main([command, "a", "--error-on", "warning"]) == 1
    configure('[levels]\nPCL0420 = "error"\n[[overrides]]\nprograms = ["b"]\nstrictness = "lenient"\n')
    assert (app.main([command, "a"]), app.main([command, "b"])) == (1, 0)
    assert app.main([command, "a", "b", "--isolated", "--lenient", "--schemas", "schemas"]) == 0


class TestAbsent:
    """An entry of the configuration that matches no program."""

    def test_the_others_are_built(self, build: Run) -> None:
        write({"infra/web/main.pp": GOOD, "infra/app/main.pp": GOOD})
        configure('languages = ["go"]\nprograms = ["infra/wbe", "infra/app"]\n')
        ran = build()
        assert (ran.status, main_of("infra/app", "go").is_file()) == (1, True)
        assert "pclgen.toml:2:1: there is no program at `infra/wbe`\n  = help: did you mean `infra/web`?\n" in ran.err
        assert ran.err.endswith("built 2 programs: 1 generated, 1 failed\n")
        programs = json.loads(build("--output-format", "json").out)["programs"]
        assert [entry["status"] for entry in programs] == ["failed", "unchanged"]

    def test_only_a_build_of_its_folder_reports_it(self, build: Run) -> None:
        write({"infra/app/main.pp": GOOD, "tool/main.pp": GOOD})
        configure('languages = ["go"]\nprograms = ["infra/app", "infra/none", "tool"]\n')
        assert [build(*argv).status for argv in (("tool",), ("infra",), ("--shard", "2/2"), ("--shard", "1/2"))] == [0, 1, 0, 1]

    def test_what_was_made_of_it_stays(self, build: Run) -> None:
        write({"infra/app/main.pp": GOOD, "snippets/a.pp": GOOD, "tool/main.pp": GOOD})
        configure('programs = ["infra", "snippets/a.pp", "tool"]\n')
        assert build().status == 0
        before = contents()
        Path("infra").rename("away")
        Path("snippets/a.pp").unlink()
        assert build().status == 1 and contents() == before
        configure('programs = ["tool"]\n')
        assert build().err == "built 1 program: 1 unchanged, 6 folders removed\n"

    def test_nothing_at_all_is_wrong_use(self, build: Run) -> None:
        assert build().status == 2


def test_patterns_without_matches_are_reported(build: Run) -> None:
    write({"infra/web/main.pp": GOOD})
    configure('languages = ["go"]\nprograms = ["infra/*", "tools/*"]\n[[overrides]]\nprograms = ["infra/wbe", "infra"]\n[[overrides]]\nprograms = ["old/**"]\n')
    notes = ["`tools/*` in `programs`", "`infra/wbe` in `overrides`", "`old/**` in `overrides`"]
    messages = "".join(f"note: {note} names no program\n" for note in notes)
    assert build() == Ran(0, "", f"{messages}built 1 program: 1 generated\n")
    assert build("--quiet").err == ""


def test_two_programs_of_one_folder(build: Run) -> None:
    write({"a/app/main.pp": GOOD, "b/app/main.pp": GOOD})
    configure('output = "out/{program}/{language}"\n')
    ran = build()
    assert ran.status == 2
    assert "`a/app` in python and `b/app` in python would both be written to `out/app/python`" in ran.err
    assert "{path}" in ran.err and not Path("out").exists()


class TestGone:
    """Programs that were deleted."""

    def test_what_a_build_wrote_is_removed(self, build: Run) -> None:
        write({"a/main.pp": GOOD, "deep/er/b/main.pp": GOOD})
        build()
        Path("deep/er/b/main.pp").unlink()
        assert build("--check").out == "".join(f"build/deep/er/b/{name}/\n" for name in sorted(LANGUAGES))
        assert build("a").err == "built 1 program: 1 unchanged\n", "others are not looked at"
        assert build("--shard", "2/2").err == "built 0 programs\n"
        assert main_of("deep/er/b").is_file()
        assert build().err == "built 1 program: 1 unchanged, 3 folders removed\n"
        assert [path.name for path in Path("build").iterdir()] == ["a"]

    def test_a_language_that_is_not_wanted_any_more(self, build: Run) -> None:
        write({"a/main.pp": GOOD})
        build()
        assert build("-l", "go").err == "built 1 program: 1 unchanged\n", "left out once is not gone"
        configure('languages = ["go"]\n')
        assert build().err == "built 1 program: 1 unchanged, 2 folders removed\n"

    def test_another_place_for_once_takes_nothing_away(self, build: Run) -> None:
        write({"a/main.pp": GOOD, "b/main.pp": GOOD})
        build()
        build("--out", "once/{path}-{language}")
        before = contents() | contents("once")
        assert build("--out", "{path}/made/{language}", "-l", "go").err == "built 2 programs: 2 generated\n"
        assert contents() | contents("once") == before
        Path("b/main.pp").unlink()
        assert build("--out", "{path}/made/{language}").err == "built 1 program: 1 generated, 7 folders removed\n", "it is gone"

    def test_edited_and_foreign_files_stay(self, build: Run) -> None:
        write({"a/main.pp": GOOD, "b/main.pp": GOOD})
        build()
        Path("b/main.pp").unlink()
        main_of("b").write_text("mine")
        write({"build/b/go/notes.txt": "mine", "build/c/python/__main__.py": "mine", "build/c/python/.pclgen.json": "{}"})
        build()
        assert sorted(path for path in contents() if not path.startswith("build/a/")) == [
            "build/b/go/notes.txt", "build/b/python/__main__.py", "build/c/python/.pclgen.json",
            "build/c/python/__main__.py",
        ]  # fmt: skip  # a table

    def test_what_others_generated_stays(self, build: Run) -> None:
        write({"a/main.pp": GOOD, "sub/pclgen.toml": 'output = "../build/{path}/{language}"\n', "sub/x/main.pp": GOOD})
        configure('programs = ["a"]\n')
        Path(".git").mkdir()  # a configuration writes in its repository
        assert app.main(["generate", "sub/x", "--out", "build/by-hand/{language}"]) == 0
        os.chdir("sub")
        assert build().status == 0
        os.chdir("..")
        before = contents()
        assert build().err == "built 1 program: 1 generated\n"
        assert {path: data for path, data in contents().items() if path in before} == before


def test_files_edited_by_hand_are_not_overwritten(build: Run) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    build()
    main_of("a").write_text("mine")
    ran = build()
    assert (ran.status, main_of("a").read_text()) == (1, "mine")
    assert "a: will not overwrite `build/a/python/__main__.py`" in ran.err
    assert build("--force").err == "built 2 programs: 1 generated, 1 unchanged\n"
    assert build().status == 0


class TestNothingWritten:
    """`--check`, `--diff` and `--dry-run` report the changes that a build makes."""

    @pytest.mark.parametrize("option", ["--check", "--diff", "--dry-run"])
    def test_they_agree_with_a_build(self, build: Run, option: str) -> None:
        write({"a/main.pp": GOOD, "b/main.pp": GOOD, "c/main.pp": GOOD})
        build()
        write({"a/main.pp": GOOD.replace("42", "43"), "d/main.pp": GOOD})
        Path("c/main.pp").unlink()
        before = contents()
        ran = build(option)
        assert ran.status == (0 if option == "--dry-run" else 1)
        assert ran.err == "looked at 3 programs: 2 would change, 1 unchanged, 3 folders would be removed\n"
        assert contents() == before
        build()
        after = contents()
        changed = {path for path in {*before, *after} if before.get(path) != after.get(path) and ".pclgen.json" not in path}
        if option == "--diff":
            lines = ran.out.splitlines()
            printed = {line[4:] for line in lines if line.startswith(("+++ ", "--- ")) and line[4:] != "/dev/null"}
            assert "+    43" in ran.out or "43" in ran.out
        else:
            printed = {line for line in ran.out.splitlines() if not line.endswith("/")}
        assert printed == {path for path in changed if not path.startswith("build/c/")}
        assert build(option).status == 0

    @pytest.mark.parametrize("output_format", ["github", "sarif"])
    @pytest.mark.parametrize("option", ["--check", "--diff"])
    def test_other_formats_do_not_hide_why_it_fails(self, build: Run, option: str, output_format: str) -> None:
        write({"a/main.pp": GOOD, "b/main.pp": GOOD})
        build("-l", "go")
        write({"a/main.pp": GOOD.replace("42", "43")})
        Path("b/main.pp").unlink()
        ran = build("-l", "go", option, "--output-format", output_format)
        assert (ran.status, "not up to date" in ran.out) == (1, False)
        assert ran.err == "build/a/go/main.go is not up to date\nbuild/b/go/ would be removed\n"
        assert app.main(["generate", "a", "-l", "go", "--out", "build/{path}/{language}", option, "--output-format", output_format]) == 1

    def test_a_diff_can_be_applied(self, build: Run) -> None:
        write({"a/main.pp": GOOD})
        build("-l", "go")
        write({"a/main.pp": GOOD.replace("42", "43")})
        out = build("-l", "go", "--diff").out
        removed = [line for line in out.splitlines() if line.startswith("-") and not line.startswith("---")]
        assert out.startswith("--- build/a/go/main.go\n+++ build/a/go/main.go\n@@ ") and len(removed) == 1


class TestMany:
    """Builds over processes, and over executors of others."""

    def test_processes_give_what_one_gives(self, build: Run) -> None:
        write({f"p/{n:02}/main.pp": BAD if n % 7 == 0 else GOOD.replace("42", str(n)) for n in range(40)})
        serial = build("--jobs", "1", "--out", "one/{path}/{language}")
        parallel = build("--jobs", "2", "--out", "two/{path}/{language}")
        assert serial == parallel and serial.err.endswith("built 40 programs: 34 generated, 6 failed\n")
        assert len(contents("one")) > 300
        first, second = ({path.partition("/")[2]: data for path, data in contents(name).items()} for name in ("one", "two"))
        assert first == second

    def test_any_executor_in_chunks_bounded_in_flight(self, project: Path) -> None:
        write({f"p/{n}/main.pp": GOOD for n in range(10)})
        tasks = plan(project, find_programs(project, ["p/*"]).present, Building(), Choices(languages=("go",)), places=Places(None))
        with ThreadPoolExecutor(2) as pool:
            results = list(run.compile_tasks(BuildContext(root=project), iter(tasks), pool, size=3, in_flight=2))
        assert sorted(result.label for result in results) == [f"p/{n}" for n in range(10)]
        assert {result.status for result in results} == {Status.GENERATED}

    @pytest.mark.parametrize("kind", ["threads", "processes"])
    def test_any_executor_writes_what_a_build_writes(self, build: Run, project: Path, kind: str) -> None:
        write({f"p/{n}/main.pp": BAD if n == 3 else GOOD.replace("42", str(n)) for n in range(9)})
        pool: Executor = ThreadPoolExecutor(2) if kind == "threads" else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
        request = run.BuildRequest(context=BuildContext(root=Path()), building=Building(programs=("p/*",)), jobs=2)
        with pool:
            summary = run.build(request, executor=pool)
        assert [summary.count(status) for status in Status] == [8, 0, 1]
        assert summary.results[3].diagnostics[0].code == "PCL0501"
        configure('programs = ["p/*"]\n')
        assert build("--jobs", "1").err.endswith("built 9 programs: 8 unchanged, 1 failed\n")

    def test_an_executor_that_fails_loses_what_it_had_and_nothing_else(self, project: Path) -> None:
        write({f"p/{n}/main.pp": GOOD for n in range(8)})
        tasks = plan(project, find_programs(project, ["p/*"]).present, Building(), Choices(languages=("go",)), places=Places(None))
        results = {
            result.label: result
            for result in run.compile_tasks(BuildContext(root=project), tasks, Failing(), size=1, in_flight=3)
        }
        messages = {label: result.problem.message for label, result in results.items() if result.problem is not None}
        assert messages == {
            "p/1": "the process that compiled it could not be started: no room",
            "p/2": "the process that compiled it ended: gone",
            "p/3": "the process that compiled it ended: CancelledError",
        }  # fmt: skip  # a table
        assert (
            all(result.status is Status.GENERATED for label, result in results.items() if label not in messages)
            and len(results) == 8
        )

    def test_a_machine_that_starts_no_process_ends_the_build(self, build: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        write({f"p/{n:02}/main.pp": GOOD for n in range(40)})
        monkeypatch.setattr(workerpool, "own_pool", lambda workers: Failing(works=0))
        ran = build("-l", "go", "--jobs", "2", "--no-cache")
        assert (ran.status, ran.out) == (3, "") and ran.err.endswith("built 40 programs: 40 failed\n")
        assert ran.err.count("could not be started: no room") == 40

    def test_a_stream_is_read_only_as_far_as_there_is_room(self) -> None:
        read = 0

        def stream() -> object:
            nonlocal read
            for number in range(1000):
                read += 1
                yield number

        ahead = []
        with ThreadPoolExecutor(1) as pool:
            for done, (chunk, answer) in enumerate(workerpool.over(pool, list, stream(), size=10, in_flight=3)):  # type: ignore[arg-type,var-annotated]  # a generator fits
                assert list(chunk) == answer
                ahead.append(read - done * 10)
        assert read == 1000 and max(ahead) <= 40

    def test_who_wants_no_more_results_has_no_more_work_done(self) -> None:
        class Unhurried(Executor):
            """An executor that runs its first task only; the others stay pending until they are canceled."""

            def __init__(self) -> None:
                self.futures: list[Future[Any]] = []

            def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
                self.futures.append(Future())
                if len(self.futures) == 1:
                    self.futures[0].set_result(fn(*args))
                return self.futures[-1]

        pool = Unhurried()
        answers = workerpool.over(pool, list, iter(range(100)), size=10, in_flight=4)
        assert next(answers) == (tuple(range(10)), [*range(10)])
        answers.close()  # type: ignore[attr-defined]  # it is a generator
        assert [future.cancelled() for future in pool.futures] == [False, True, True, True]

    def test_only_what_kills_its_process_is_lost(self) -> None:
        answers = dict(_answers(workerpool.over_worker_processes(_double, iter(range(50)), 2, size=5)))
        assert {number for number, answer in answers.items() if isinstance(answer, Exception)} == {13, 37}
        assert all(answer == 2 * number for number, answer in answers.items() if number not in (13, 37))
        assert len(answers) == 50

    def test_shards_are_parts(self, build: Run) -> None:
        write({f"p{n}/main.pp": GOOD for n in range(5)})
        summaries = [build("-l", "go", "--shard", f"{part}/3").err for part in (1, 2, 3)]
        assert summaries == [f"built {n} program{'s' * (n > 1)}: {n} generated\n" for n in (2, 2, 1)]
        assert len(list(Path("build").iterdir())) == 5
        tasks = [Task(label=str(n), path=Path(), options=None, root=Path(), pattern="") for n in range(7)]  # type: ignore[arg-type]  # not used
        assert sorted((t for n in range(1, 4) for t in shard(tasks, n, 3)), key=tasks.index) == tasks

    @pytest.mark.parametrize("part", ["0/3", "4/3", "1", "a/b", "1/0"])
    def test_shards_that_are_none(self, build: Run, part: str) -> None:
        assert build("--shard", part).status == 2


class Failing(Executor):
    """An executor that fails for its second, third and fourth task, or for all tasks after the first `works`."""

    def __init__(self, works: int | None = None) -> None:
        self._works = works
        self._asked = -1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._asked += 1
        if self._asked == 1 if self._works is None else self._asked >= self._works:
            raise OSError("no room")
        future: Future[Any] = Future()
        if self._asked == 2:
            future.set_exception(ConnectionError("gone"))
        elif self._asked == 3:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(fn(*args))
        return future


def _double(numbers: Sequence[int]) -> list[int]:
    if {13, 37} & set(numbers):
        os._exit(9)
    return [2 * number for number in numbers]


def _answers(pairs: object) -> list[tuple[int, object]]:
    answers: list[tuple[int, object]] = []
    for chunk, answer in pairs:  # type: ignore[attr-defined]  # an iterator of pairs
        answers += [(n, answer) for n in chunk] if isinstance(answer, Exception) else zip(chunk, answer, strict=True)
    return answers


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("nowhere",), "there is no file or directory `nowhere`"),
        (("..",), "lies outside of the project"),
        (("--out", "{lang}"), "unknown placeholder `{lang}`"),
        (("--jobs", "many"), "`--jobs many`: expected a whole number"),
        (("--jobs", "0"), "`--jobs 0`: there must be one at least"),
        (("--error-on", "info"), "cannot be `info`"),
        (("--chek",), "did you mean `--check`?"),
    ],
)
def test_wrong_use(build: Run, argv: tuple[str, ...], message: str) -> None:
    write({"a/main.pp": GOOD})
    ran = build(*argv)
    assert (ran.status, ran.out) == (2, "") and message in ran.err


@pytest.mark.parametrize("output_format", ["github", "sarif"])
def test_machine_formats_are_all_there_is_on_standard_output(build: Run, output_format: str) -> None:
    write({"a/main.pp": BAD, "b/main.pp": GOOD})
    ran = build("--output-format", output_format)
    assert ran.status == 1 and ran.err == ""
    assert json.loads(ran.out)["version"] == "2.1.0" if output_format == "sarif" else ran.out.startswith("::error file=a/main.pp")
