"""`--manifest` and `--depfile`, and the build tools that read them: real make, ninja and Bazel build the example."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from pclgen.build.model import Result, Status, Summary
from pclgen.build.report import depfile_of
from pclgen.cli import app
from pclgen.emit.write import WriteError
from tests.support.borrowed import bazel
from tests.support.corpus import ROOT
from tests.support.toolchains import cache_folder
from tests.support.waiting import PATIENCE
from tests.test_build import BAD, GOOD, write

EXAMPLE = ROOT / "examples" / "build-tools"
MANIFEST = Path("build/pclgen.json")
BOTH = ("build", "--quiet", "--manifest", "build/pclgen.json", "--depfile", "build/pclgen.d")
SCHEMA = {"name": "zoo", "version": "1.0.0", "resources": {"zoo:index:Pet": {}}}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example as the current directory."""
    copy = tmp_path / "a project"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("build"))
    monkeypatch.chdir(copy)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    return copy


@pytest.fixture
def runs(example: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run a tool and count the starts of pclgen."""
    tools, log = example.parent / "tools", example.parent / "log"
    tools.mkdir()
    script = tools / "pclgen"
    script.write_text(f'#!/bin/sh\necho run >> "{log}"\nexec "{sys.executable}" -m pclgen "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(tool: str, *arguments: str, status: int = 0) -> int:
        log.write_text("")
        ran = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert (ran.returncode != 0) == bool(status), ran.stdout + ran.stderr
        return len(log.read_text().splitlines())

    return run


def settled() -> None:
    """Set the times of all files to before the manifest, so that new files do not look newer on a coarse clock."""
    mtime = MANIFEST.stat().st_mtime_ns
    for path in [*Path().rglob("*"), Path()]:
        if path != MANIFEST and path.stat().st_mtime_ns >= mtime - 10_000_000_000 and path.parts[:1] != ("build",):
            os.utime(path, ns=(mtime - 10_000_000_000,) * 2)


@pytest.mark.parametrize("tool", ["make", "ninja"])
def test_a_second_run_does_nothing_and_a_change_is_built(runs: Callable[..., int], tool: str) -> None:
    assert shutil.which(tool) is not None, f"{tool} is needed: it comes with pclgen[test] or with the system"
    assert runs(tool) == 1
    assert Path("build/infra/web/go/main.go").is_file()
    assert runs(tool) == 0
    changes: list[tuple[str, Callable[[str], str] | None]] = [
        ("parts/greeting/main.pp", lambda text: text.replace("Hello", "Good morning")),
        ("infra/jobs/rules.json", lambda text: "{}"),
        ("pclgen.toml", lambda text: text + "project-files = false\n"),
        ("infra/new/main.pp", lambda text: GOOD),
        ("infra/new/main.pp", None),
    ]
    for path, change in changes:
        settled()
        if change is None:
            Path(path).unlink()
        else:
            write({path: change(Path(path).read_text() if Path(path).exists() else "")})
        assert runs(tool) == 1
        assert runs(tool) == 0
    assert "Good morning" in "".join(path.read_text() for path in Path("build/infra/web/go").rglob("*.go"))
    assert not Path("build/infra/new").exists()


@pytest.mark.parametrize("tool", ["make", "ninja"])
def test_what_fails_is_tried_again(runs: Callable[..., int], tool: str) -> None:
    write({"infra/web/main.pp": BAD})
    assert runs(tool, status=1) == 1
    assert runs(tool, status=1) == 1
    write({"infra/web/main.pp": GOOD})
    assert runs(tool) == 1
    assert runs(tool) == 0


def test_bazel_builds_in_its_sandbox_what_a_build_makes(
    runs: Callable[..., int], example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bazel() is None:
        pytest.skip("the registries have Bazel for Linux on x86-64 only")
    tool, place = str(bazel()), example.parent
    monkeypatch.chdir(example.rename(place / "project"))  # this version of Bazel rejects paths with spaces
    options = ["--symlink_prefix=/", f"--sandbox_writable_path={place}", "--action_env=PYTHONPATH", "--action_env=PCLGEN_SOURCES"]
    start = ["--batch", f"--install_base={cache_folder() / 'bazel-install'}", f"--output_base={place / 'base'}"]

    def build() -> int:
        return runs(tool, *start, "build", *options, "//:infra")

    def outputs() -> dict[str, bytes]:
        [archive] = (place / "base").glob("execroot/*/bazel-out/*/bin/infra.tar")
        with tarfile.open(archive) as tar:
            return {
                entry.name.removeprefix("./"): file.read() for entry in tar if (file := tar.extractfile(entry)) is not None
            }

    assert build() == 1
    assert build() == 0
    assert app.main(["build", "--quiet"]) == 0
    files = {path for path in Path("build").rglob("*") if path.is_file() and path.name != ".pclgen.json"}
    assert outputs() == {path.relative_to("build").as_posix(): path.read_bytes() for path in files}
    assert "infra/jobs/go/rules.json" in outputs(), "what programs name comes along"
    write({"parts/greeting/main.pp": Path("parts/greeting/main.pp").read_text().replace("Hello", "Good morning")})
    assert build() == 1 and build() == 0
    assert b"Good morning" in b"".join(outputs().values())
    write({"infra/web/main.pp": BAD})
    runs(tool, *start, "build", *options, "//:infra", status=1)


def test_a_manifest_tells_what_was_read_and_made(example: Path) -> None:
    write({"schemas/zoo-1.0.0.json": json.dumps(SCHEMA), "infra/pet/main.pp": 'resource p "zoo:index:Pet" {}\n'})
    write({"infra/bad/main.pp": BAD})
    assert app.main([*BOTH]) == 1
    document = json.loads(MANIFEST.read_text())
    programs = {entry["program"]: entry for entry in document["programs"]}
    assert document["format_version"] == 1 and set(document["pclgen"]) == {"version", "digest"}
    assert {name: set(entry["inputs"]) for name, entry in programs.items()} == {
        "infra/bad": {"infra/bad/Pulumi.yaml", "infra/bad/main.pp", "pclgen.toml"},
        "infra/jobs": {"infra/jobs/Pulumi.yaml", "infra/jobs/main.pp", "infra/jobs/rules.json", "pclgen.toml"},
        "infra/pet": {"infra/pet/Pulumi.yaml", "infra/pet/main.pp", "schemas/zoo-1.0.0.json", "pclgen.toml"},
        "infra/web": {"infra/web/Pulumi.yaml", "infra/web/main.pp", "parts/greeting/main.pp", "pclgen.toml"},
    }
    for entry in programs.values():
        for path, digest in {**entry["inputs"], **entry["outputs"]}.items():
            place = Path(path)
            assert digest == (sha256(place.read_bytes()).hexdigest() if place.exists() else None)
    assert [entry["ok"] for entry in programs.values()] == [False, True, True, True]
    assert [item["code"] for item in programs["infra/bad"]["diagnostics"]] == ["PCL0501"]
    assert programs["infra/bad"]["outputs"] == {}
    assert set(programs["infra/jobs"]["outputs"]) == {
        path.relative_to(example).as_posix()
        for path in (example / "build/infra/jobs").rglob("*")
        if path.is_file() and path.name != ".pclgen.json"
    }
    assert set(programs["infra/pet"]["folders"]) == {"infra/pet", "schemas"}


def test_a_manifest_is_the_same_whatever_was_there(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def manifest(*options: str) -> bytes:
        assert app.main([*BOTH, *options]) == 0
        return MANIFEST.read_bytes() + Path("build/pclgen.d").read_bytes()

    first = manifest()
    assert manifest() == first, "all from the cache"
    assert manifest("--no-cache") == first
    shutil.rmtree("build")
    assert manifest("--jobs", "2") == first
    monkeypatch.chdir("infra")
    assert app.main(["build", "--quiet", "--manifest", "../m.json"]) == 0
    assert "../parts/greeting/main.pp" in Path("../m.json").read_text()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--manifest", "infra/web/main.pp"), "will not overwrite `infra/web/main.pp`, which is no manifest of pclgen"),
        (("--manifest", "build/pclgen.d"), "will not overwrite `build/pclgen.d`, which is no manifest of pclgen"),
        (("--manifest", "new.json", "--depfile", "Makefile"), "will not overwrite `Makefile`, which is no depfile of pclgen"),
        (("--manifest", "new.json", "--depfile", "pclgen.toml"), "which is no depfile of pclgen"),
        (("--manifest", "new.json", "--depfile", "./new.json"), "the manifest and the depfile cannot both be `new.json`"),
    ],
)
def test_lists_take_the_place_of_lists_only(
    example: Path, argv: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main([*BOTH]) == app.main([*BOTH]) == 0
    before = {path: path.read_bytes() for path in example.rglob("*") if path.is_file()}
    assert app.main(["build", "--quiet", *argv]) == 2
    assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in example.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--depfile", "x.d"), "`--depfile` says what the manifest depends on"),
        (("--manifest", "x.json", "--check"), "`--check` builds nothing"),
        (("--manifest", "x.json", "--dry-run"), "`--dry-run` builds nothing"),
        (("--manifest", "pclgen.toml/x.json"), "pclgen.toml`: Not a directory"),
    ],
)
def test_wrong_use(
    example: Path, argv: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    del example
    assert app.main(["build", *argv]) == 2
    assert message in capsys.readouterr().err
    assert not Path("x.json").exists() and not Path("x.d").exists()


HOSTILE = ("a b", "a#b", "a$b", "a:b", "a%b", "a\\b", "a\\ b", "~a", "a'b\"c", "ä", "a=b", "a,b", "(a)")


@pytest.mark.parametrize("tool", ["make", "ninja"])
@pytest.mark.parametrize("name", HOSTILE)
def test_names_come_through(example: Path, tool: str, name: str) -> None:
    """A file of that name with a time after the target makes the tool build again; with a time before it, it does not."""
    write({name: ""})
    result = Result(label="a", status=Status.GENERATED, inputs={name: "digest", "pclgen.toml": "digest"})
    text = depfile_of(Summary(results=(result,)), Path("out"), Path("out.d"), [])
    write({
        "out.d": text, "Makefile": "out:\n\techo run >> log; touch out\n-include out.d\n",
        "build.ninja": "rule r\n  command = echo run >> log; touch out\n  depfile = out.d\nbuild out: r\n",
    })  # fmt: skip  # a table

    def count() -> int:
        Path("log").write_text("")
        environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        ran = subprocess.run([tool], capture_output=True, text=True, check=False, timeout=PATIENCE, env=environ)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return len(Path("log").read_text().splitlines())

    assert count() == 1, "there is nothing yet"
    os.utime("out", (2_000_000_000, 2_000_000_000))
    assert count() == 0
    os.utime(name, (3_000_000_000, 3_000_000_000))
    assert count() == 1


@pytest.mark.parametrize("name", ["a\nb", "a;b", "a|b", "a\\#b"])
def test_names_that_cannot_be_written_are_refused(name: str) -> None:
    result = Result(label="a", status=Status.GENERATED, inputs={name: "digest"})
    with pytest.raises(WriteError, match="a depfile cannot name"):
        depfile_of(Summary(results=(result,)), Path("out"), Path("out.d"), [])
