"""A build does not read files that are unchanged (`build.cache`), and still sees every change.

The programs that are read are counted, not timed.  Before each build all new files get an older time of change, no two of
them the same, as if time had passed."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pclgen.build import cache
from pclgen.build.compile import Compiler
from pclgen.cli import app
from tests.test_build import BAD, GOOD, contents, write
from tests.test_build_cache import USES_PET, schema

LookedInto = Callable[..., list[str]]
HOUR = 3_600_000_000_000
LONG_AGO = 300_000 * HOUR
MOMENTS = itertools.count(step=1_000_000)


@pytest.fixture
def looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LookedInto:
    """Build in an empty project and return the names of the programs that were read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / ".cache"))
    # Tests cannot set a file's change time (ctime): recent times count as old, too.
    monkeypatch.setattr(cache, "_SETTLED", -HOUR)
    (tmp_path / "pclgen.toml").touch()
    names: list[str] = []
    real = Compiler.cached

    def counted(self, task):  # type: ignore[no-untyped-def]  # forwarded unchanged
        names.append(task.label)
        return real(self, task)

    monkeypatch.setattr(Compiler, "cached", counted)

    def build(*argv: str, status: int = 0) -> list[str]:
        names.clear()
        age(tmp_path)
        assert app.main(["build", "-l", "go,python", *argv]) == status
        return sorted(names)

    return build


def age(top: Path) -> None:
    for path in top.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_mtime_ns not in range(LONG_AGO, LONG_AGO + HOUR):
            then = LONG_AGO + next(MOMENTS)
            os.utime(path, ns=(then, then))


def settle(looked_into: LookedInto) -> None:
    """Build until the mtime cache knows every file."""
    looked_into()
    looked_into()
    assert looked_into() == []


def test_what_nobody_touched_is_not_looked_into(looked_into: LookedInto) -> None:
    schema()
    write({"a/main.pp": GOOD, "b/main.pp": USES_PET, "c/main.pp": GOOD.replace("42", "43")})
    assert looked_into() == ["a", "b", "c"]
    before = contents()
    assert looked_into() == ["a", "b", "c"], "what was written by the build before is compared once"
    assert looked_into() == [] and contents() == before
    write({"c/main.pp": GOOD.replace("42", "44")})
    assert looked_into() == ["c"]
    assert "44" in Path("build/c/go/main.go").read_text()


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (lambda: write({"a/other.pp": "output more { value = 1 }\n"}), ["a"]),
        (lambda: write({"a/main.pp": GOOD.replace("42", "24")}), ["a"]),
        (lambda: Path("a/main.pp").rename("a/other.pp"), ["a"]),
        (lambda: write({"a/Pulumi.yaml": "name: shop\n"}), ["a"]),
        (lambda: write({"a/pclgen.toml": "project-files = false\n"}), ["a"]),
        (lambda: write({"pclgen.toml": 'strictness = "lenient"\n'}), ["a", "b", "s"]),
        (lambda: write({"pclgen.toml": '[levels]\nPCL0420 = "off"\n'}), ["a", "b", "s"]),
        (lambda: write({"pclgen.toml": 'output = "else/{path}-{language}"\n'}), ["a", "b", "s"]),
        (lambda: schema(lambda whole: whole["resources"]["zoo:index:Pet"].update(description="!")), ["s"]),
        (lambda: schema(lambda whole: whole["resources"]["zoo:index:Keeper"].update(description="!")), []),
        (lambda: write({"build/a/go/mine.txt": "x"}), []),
        (lambda: Path("build/a/go/go.mod").unlink(), ["a"]),
        (lambda: Path("build/a/go/.pclgen.json").unlink(), ["a"]),
        (lambda: Path("a").rename("d"), ["d"]),
    ],
)
def test_every_change_is_seen(looked_into: LookedInto, change: Callable[[], object], again: list[str]) -> None:
    schema()
    write({"a/main.pp": GOOD, "b/main.pp": GOOD.replace("42", "1"), "s/main.pp": USES_PET})
    settle(looked_into)
    change()
    assert looked_into() == again
    assert "main.go" in "".join(map(str, contents()))


def test_a_change_of_the_same_size_and_time_is_seen(looked_into: LookedInto) -> None:
    write({"a/main.pp": GOOD})
    settle(looked_into)
    path = Path("a/main.pp")
    then = path.stat().st_mtime_ns
    other = Path("other")
    other.write_text(GOOD.replace("42", "24"))
    os.utime(other, ns=(then, then))
    other.replace(path)
    assert looked_into() == ["a"]
    assert "24" in Path("build/a/go/main.go").read_text()


def test_a_file_that_was_edited_is_not_lost(looked_into: LookedInto) -> None:
    write({"a/main.pp": GOOD})
    settle(looked_into)
    write({"build/a/go/main.go": "package other\n"})
    assert looked_into(status=1) == ["a"]
    assert Path("build/a/go/main.go").read_text() == "package other\n"


@pytest.mark.parametrize(
    "files",
    [
        {"a/main.pp": BAD},
        {"a/main.pp": 'component p "../part" {}\n', "part/main.pp": "output y { value = 1 }\n"},
        {"a/main.pp": 'output a { value = readFile("./x.txt") }\n', "a/x.txt": "text"},
        {"a/main.pp": GOOD, "a/pyproject.toml": ""},
    ],
)
def test_who_has_more_to_look_at_is_looked_into(looked_into: LookedInto, files: dict[str, str]) -> None:
    write(files)
    status = int(files["a/main.pp"] == BAD)
    for _ in range(3):
        assert "a" in looked_into(status=status)


def test_links_are_followed_each_time(looked_into: LookedInto) -> None:
    write({"a/main.pp": GOOD, "one.txt": GOOD, "two.txt": GOOD.replace("42", "24")})
    Path("a/more.pp").symlink_to("../one.txt")
    Path("a/main.pp").unlink()
    for _ in range(3):
        assert looked_into() == ["a"]
    Path("a/more.pp").unlink()
    Path("a/more.pp").symlink_to("../two.txt")
    assert looked_into() == ["a"]
    assert "24" in Path("build/a/go/main.go").read_text()


def test_what_was_changed_just_now_may_change_unseen(looked_into: LookedInto, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a/main.pp": GOOD})
    monkeypatch.setattr(cache, "_SETTLED", HOUR)
    for _ in range(3):
        assert looked_into() == ["a"]


def test_other_options_are_another_build(looked_into: LookedInto) -> None:
    write({"a/main.pp": GOOD, "b/main.pp": GOOD})
    settle(looked_into)
    assert looked_into("--lenient") == ["a", "b"]
    settle(looked_into)
    assert looked_into("a") == []
    assert looked_into() == [], "what a part of the programs was built for leaves the others known"
    assert looked_into("--check") == ["a", "b"]
    assert looked_into("--manifest", "m.json") == ["a", "b"]
