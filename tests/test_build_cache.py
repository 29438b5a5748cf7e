"""The cache of `pclgen build`: which programs are compiled again, which are not, and how the cache survives errors.

Compilations are counted, not timed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.build import compile as compiling
from pclgen.build.cache import cache_usage
from pclgen.cli import app
from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE
from tests.test_build import BAD, GOOD, contents, write
from tests.test_killed import killed_at

PET = {"inputProperties": {"name": {"type": "string"}, "coat": {"$ref": "#/types/zoo:index:Coat"}}}
SCHEMA = {
    "name": "zoo",
    "version": "1.0.0",
    "resources": {"zoo:index:Pet": PET, "zoo:index:Keeper": {"inputProperties": {"name": {"type": "string"}}}},
    "types": {
        "zoo:index:Coat": {"type": "object", "properties": {"color": {"type": "string"}}},
        "zoo:index:Hat": {"type": "object", "properties": {"size": {"type": "number"}}},
    },
}
USES_PET = 'resource p "zoo:index:Pet" {\n  coat = { color = "red" }\n}\n'
USES_KEEPER = 'resource k "zoo:index:Keeper" {\n  name = "Ann"\n}\n'

Compiled = Callable[..., list[str]]


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """Build in an empty project and return the names of the programs that were compiled."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / "pclgen.toml").touch()
    names: list[str] = []
    real = pipeline.generate

    def counted(sources, **settings):  # type: ignore[no-untyped-def]  # forwarded unchanged
        names.append(sources.name)
        return real(sources, **settings)

    monkeypatch.setattr(pipeline, "generate", counted)

    def build(*argv: str, status: int = 0) -> list[str]:
        names.clear()
        assert app.main(["build", "-l", "go,python", *argv]) == status
        return sorted(names)

    return build


def schema(change: Callable[[dict[str, dict[str, dict[str, object]]]], object] = lambda whole: None) -> None:
    whole = json.loads(json.dumps(SCHEMA))
    change(whole)
    write({"schemas/zoo.json": json.dumps(whole)})


def test_nothing_is_compiled_twice(compiled: Compiled, capsys: pytest.CaptureFixture[str]) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": BAD, "c/main.pp": GOOD})
    assert compiled(status=1) == ["a", "b", "c"]
    first = capsys.readouterr().err
    assert compiled(status=1) == [], "failures are kept, too"
    second = capsys.readouterr().err
    assert first.partition("built")[0] == second.partition("built")[0] and "b/main.pp:2:11" in second
    write({"b/main.pp": GOOD.replace("42", "1")})
    assert compiled() == ["b"]
    write({"b/main.pp": BAD})
    assert compiled(status=1) == [], "what was known before is known still"
    assert compiled("--output-format", "json", status=1) == []
    assert json.loads(capsys.readouterr().out)["summary"]["from_cache"] == 3


def test_outputs_come_from_the_cache(compiled: Compiled) -> None:
    write({"a/main.pp": 'output a { value = readFile("./x.txt") }\n', "a/x.txt": "text", "b/main.pp": GOOD})
    compiled()
    before = contents()
    for path in contents():
        Path(path).unlink()
    assert compiled() == [] and contents() == before
    Path("build/b/go/main.go").unlink()
    assert compiled() == [] and contents() == before
    write({"a/x.txt": "other"})
    assert compiled() == [], "files that are copied are no part of what is compiled"
    assert Path("build/a/go/x.txt").read_text() == "other"


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (lambda: write({"a/other.pp": "output more { value = 1 }\n"}), ["a"]),
        (lambda: write({"a/Pulumi.yaml": "name: shop\n"}), ["a"]),
        (lambda: write({"part/main.pp": 'config x string {}\noutput y { value = "${x}!" }\n'}), ["a"]),
        (lambda: write({"part/more.pp": "output z { value = 1 }\n"}), ["a"]),
        (lambda: Path("part/main.pp").rename("part/other.pp"), ["a"]),
        (lambda: Path("data.txt").rename("b/data.txt"), ["b"]),
        (lambda: write({"pclgen.toml": 'strictness = "lenient"\n'}), ["a", "b", "c"]),
        (lambda: write({"pclgen.toml": "project-files = false\n"}), ["a", "b", "c"]),
        (lambda: write({"pclgen.toml": '[levels]\nPCL0420 = "off"\n'}), []),
        (lambda: write({"pclgen.toml": 'output = "else/{path}-{language}"\n'}), []),
        (lambda: Path("a").rename("d"), ["d"]),
        (lambda: schema(lambda whole: whole["resources"]["zoo:index:Pet"].update(description="!")), []),
    ],
)  # fmt: skip  # a table
def test_what_counts(compiled: Compiled, change: Callable[[], object], again: list[str]) -> None:
    write({
        "a/main.pp": 'component p "../part" {\n  x = "y"\n}\n', "part/main.pp": "config x string {}\noutput y { value = x }\n",
        "b/main.pp": 'output b { value = fileAsset("./data.txt") }\n', "data.txt": "text", "c/main.pp": GOOD,
    })  # fmt: skip  # a table
    assert compiled() == ["a", "b", "c"]
    change()
    assert compiled() == again


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (lambda whole: whole["types"]["zoo:index:Hat"].update(description="unused"), []),
        (lambda whole: whole["resources"]["zoo:index:Keeper"].update(isComponent=True), ["keeper"]),
        (lambda whole: whole["types"]["zoo:index:Coat"]["properties"].update(size={"type": "string"}), ["pet"]),
        (lambda whole: whole["resources"]["zoo:index:Pet"].update(deprecationMessage="gone"), ["pet"]),
        (lambda whole: whole["types"].update({"zoo:index:New": {"type": "object"}}), ["keeper", "pet"]),
        (lambda whole: whole.update(version="1.0.1"), ["keeper", "pet"]),
    ],
)  # fmt: skip  # a table
def test_of_schemas_only_members_that_are_used_count(
    compiled: Compiled, change: Callable[[dict[str, dict[str, dict[str, object]]]], object], again: list[str]
) -> None:
    write({"pet/main.pp": USES_PET, "keeper/main.pp": USES_KEEPER, "plain/main.pp": GOOD})
    schema()
    assert compiled() == ["keeper", "pet", "plain"]
    assert compiled() == []
    schema(change)
    assert compiled() == again
    fresh = contents()
    assert compiled("--no-cache") == ["keeper", "pet", "plain"]
    assert contents() == fresh


HOUSE = {"house/go/statements/do.jinja": "/* ours */ {{ s.call }}\n"}


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (("-l", "ts"), {}),
        (("--lenient",), {}),
        (("--program-only",), {}),
        (("--no-copy-files",), {}),
        (("--allow-outside",), {}),
        (("--templates", "house"), HOUSE),
        ((), {"pclgen.toml": 'templates = "house"\n', **HOUSE}),
        ((), {"pclgen.toml": '[[overrides]]\nprograms = ["pet"]\ncopy-files = false\n'}),
        ((), {"pclgen.toml": '[packages.zoo]\nversion = "1.0.0"\n'}),
        ((), {"pclgen.toml": '[packages.zoo.language.go]\nimportBasePath = "example.org/zoo"\n'}),
        (("--policy", "policy.toml"), {"policy.toml": '["zoo:index:Pet".properties.name]\nmaxLength = 40\n'}),
        (
            (),
            {
                "pclgen.toml": 'policies = ["policy.toml"]\n',
                "policy.toml": '["zoo:index:Pet".properties.name]\nmaxLength = 40\n',
            },
        ),
        ((), {"pclgen.toml": 'indexes = ["index"]\n', "index/index.json": '{"format": 1, "packages": {}}'}),
        ((), {"pet/more.pp": "output more { value = 1 }\n"}),
        ((), {"pet/Pulumi.yaml": "name: shop\n"}),
        ((), {"schemas/zoo-1.1.0.json": json.dumps({**SCHEMA, "version": "1.1.0"})}),
    ],
    ids=lambda value: " ".join(value) or "files",
)
def test_every_option_and_file_counts(compiled: Compiled, argv: tuple[str, ...], files: dict[str, str]) -> None:
    """The program is compiled again once with the change; without it, the old result is found, never a wrong result."""
    schema()
    write({"pet/main.pp": USES_PET})
    assert compiled() == ["pet"]
    plain = contents()
    before = {path: Path(path).read_text() for path in files if Path(path).exists()}
    write(files)
    assert compiled(*argv) == ["pet"]
    assert compiled(*argv) == []
    changed = contents()
    assert compiled("--no-cache", *argv) == ["pet"] and contents() == changed
    for path in files.keys() - before.keys():
        Path(path).unlink()
    write(before)
    assert compiled() == []
    assert {path: data for path, data in contents().items() if path in plain} == plain


def test_templates_count_by_what_they_say(compiled: Compiled) -> None:
    write({"pclgen.toml": 'templates = "house"\n', "a/main.pp": GOOD, **HOUSE})
    assert compiled() == ["a"] and compiled() == []
    write({path: text.replace("ours", "mine") for path, text in HOUSE.items()})
    assert compiled() == ["a"] and "/* mine */" in Path("build/a/go/main.go").read_text()


def test_pclgen_itself_counts(compiled: Compiled, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write({"a/main.pp": GOOD})
    assert compiled() == ["a"]
    monkeypatch.setattr(compiling, "compiler_identity", lambda: "another")
    assert compiled() == ["a"] and compiled() == []
    monkeypatch.undo()
    copy = tmp_path / "copy" / "pclgen"
    shutil.copytree(ROOT / "pclgen" / "build", copy / "build", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates" / "go", tmp_path / "copy" / "templates" / "go")
    monkeypatch.setattr(compiling, "_PACKAGE", copy)
    monkeypatch.setattr(compiling, "compiler_files", compiling.compiler_files.__wrapped__)
    identities: set[str] = set()
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: write({str(copy / "build" / "plan.py"): "# changed\n"}),
        lambda: write({str(copy / "build" / "new.py"): ""}),
        lambda: write({str(tmp_path / "copy" / "templates" / "go" / "file.go.jinja"): "changed\n"}),
        lambda: monkeypatch.setattr(compiling, "VERSION", "99"),
        lambda: monkeypatch.setattr(compiling, "version", lambda name: "2" if name == "black" else "1"),
    ]
    for change in changes:
        change()
        identities.add(compiling.compiler_identity.__wrapped__())
    assert len(identities) == len(changes)
    assert identities.isdisjoint({compiling.compiler_identity()})


def test_a_name_that_is_none_depends_on_the_whole_schema(compiled: Compiled) -> None:
    write({"lost/main.pp": 'resource l "zoo:index:Lost" {}\n', "keeper/main.pp": USES_KEEPER})
    schema()
    assert compiled(status=1) == ["keeper", "lost"]
    assert compiled(status=1) == []
    # Any member may have an alias with the name.
    schema(lambda whole: whole["resources"]["zoo:index:Pet"].update(aliases=[{"type": "zoo:index:Lost"}]))
    assert compiled() == ["lost"]
    schema()
    assert compiled(status=1) == []


def test_a_package_that_turns_up_later(compiled: Compiled) -> None:
    write({"a/main.pp": USES_PET})
    assert compiled(status=1) == ["a"]
    assert compiled(status=1) == []
    schema()
    assert compiled() == ["a"]
    write({"schemas/zoo-2.0.0.json": json.dumps({**SCHEMA, "version": "2.0.0"})})
    assert compiled() == ["a"]
    assert "2.0.0" in Path("build/a/python/requirements.txt").read_text()
    Path("schemas/zoo-2.0.0.json").unlink()
    assert compiled() == []


def test_without_a_cache(compiled: Compiled, tmp_path: Path) -> None:
    write({"a/main.pp": GOOD})
    assert compiled("--no-cache") == compiled("--no-cache") == ["a"]
    assert not (tmp_path / ".cache").exists()
    assert compiled() == ["a"]
    (tmp_path / "file").touch()
    assert compiled("--cache-dir", str(tmp_path / "file" / "below")) == ["a"], "a place that cannot be used keeps nothing"


@pytest.mark.parametrize("damage", [b"", b"{}", b"half", b"0" * 64 + b"\n[]"])
def test_damaged_files_are_as_none(compiled: Compiled, tmp_path: Path, damage: bytes) -> None:
    write({"a/main.pp": GOOD})
    compiled()
    before = contents()
    for path in [path for path in (tmp_path / ".cache").rglob("*") if path.is_file()]:
        whole = path.read_bytes()
        path.write_bytes(whole[:-9] if damage == b"half" else damage)
        assert compiled() == ["a"] and compiled() == []
    assert contents() == before


def test_the_size_is_bounded_and_reported(
    compiled: Compiled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path / "tools"))
    cache = tmp_path / ".cache"
    write({f"p{n}/main.pp": GOOD.replace("42", f'"{n}{"x" * 300_000}"') for n in range(4)})
    compiled()
    capsys.readouterr()
    assert app.main(["cache", "info", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["directory"] == str(cache) and info["results"]["files"] == 8 and info["results"]["bytes"] > 2_000_000
    write({"pclgen.toml": "cache-size = 1\n", "p0/main.pp": GOOD})
    assert compiled() == ["p0"]
    kept = cache_usage(cache)[0]
    assert 0 < kept.size <= 1_000_000
    assert app.main(["cache", "clean"]) == 0
    assert cache_usage(cache)[0].files == 0 and not list(cache.glob("results*"))
    assert compiled() == ["p0", "p1", "p2", "p3"]
    assert app.main(["cache", "burn"]) == 2


def test_nothing_changed_loads_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema()
    late = "output l { value = later }\nlater = 1\n"
    write(
        {
            "a/main.pp": USES_PET + late,
            "b/main.pp": BAD,
            "c/main.pp": 'output a { value = readFile("./x") }\n',
            "c/x": "",
            "pclgen.toml": "",
        }
    )
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PCLGEN_CACHE_DIR": str(tmp_path / ".cache"),
        "PCLGEN_SOURCES": "files",
    }

    def loaded() -> set[str]:
        command = [sys.executable, "-X", "importtime", "-m", "pclgen", "build"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=PATIENCE)
        assert ran.returncode == 1 and "1 failed" in ran.stderr, ran.stderr[-2000:]
        lines = (line for line in ran.stderr.splitlines() if line.startswith("import time:"))
        return {line.rsplit("|", 1)[1].strip() for line in lines}

    heavy = {"lark", "networkx", "jinja2", "black", "pclgen.pipeline", "multiprocessing", "sqlite3", "difflib", "rich"}
    assert loaded() & heavy >= {"lark", "networkx", "jinja2", "pclgen.pipeline"}
    assert loaded() & heavy == set()


def test_killed_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each use of the cache's directory, for the first build and for a build that finds an older result."""
    monkeypatch.chdir(tmp_path)
    write({"a/main.pp": GOOD, "pclgen.toml": 'languages = ["go"]\n'})

    def build(text: str) -> int:
        write({"b/main.pp": text})
        return app.main(["build", "--jobs", "1", "--quiet"])

    moments = {"new": 0, "changed": 0}
    for kind in moments:
        while True:
            cache = tmp_path / f"{kind}{moments[kind]}"
            monkeypatch.setenv("PCLGEN_CACHE_DIR", str(cache))
            if kind == "changed":
                build(GOOD.replace("42", "41"))
            died = killed_at(moments[kind] + 1, cache, lambda: build(GOOD.replace("42", "43")))
            assert build(GOOD.replace("42", "43")) == 0
            assert "43" in Path("build/b/go/main.go").read_text()
            assert build(GOOD.replace("42", "41")) == 0
            assert "41" in Path("build/b/go/main.go").read_text()
            if not died:
                break
            moments[kind] += 1
    assert min(moments.values()) >= 8, moments


def test_builds_at_once(tmp_path: Path) -> None:
    write(
        {f"{tmp_path}/p{n}/main.pp": GOOD.replace("42", str(n)) for n in range(6)}
        | {f"{tmp_path}/pclgen.toml": 'languages = ["go"]\n'}
    )
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PCLGEN_CACHE_DIR": str(tmp_path / ".cache"),
        "PCLGEN_SOURCES": "files",
    }
    command = [sys.executable, "-m", "pclgen", "build", "--jobs", "1"]
    runs = [subprocess.Popen(command, cwd=tmp_path, env=environ, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [run.communicate()[1].startswith("built 6 programs: ") for run in runs] == [True] * 4
    assert {run.returncode for run in runs} == {0}
    again = subprocess.run(
        [*command, "--output-format", "json"], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True
    )
    assert json.loads(again.stdout)["summary"] == {
        "generated": 0,
        "unchanged": 6,
        "failed": 0,
        "removed": 0,
        "from_cache": 6,
    }
