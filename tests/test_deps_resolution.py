"""Resolution of packages, and the messages when there is no solution.

The cases follow the semantics of npm's ranges and the conventions of resolvers that allow one version of each package (Cargo
within a major version, pip, poetry); they were written for this project."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.deps.archive import ArchiveCache
from pclgen.deps.catalog import Catalog
from pclgen.deps.lock import Locked, lock_bytes
from pclgen.deps.manifest import Project
from pclgen.deps.program import open_project
from pclgen.deps.resolve import resolve
from pclgen.diagnostics.model import Diagnostic
from pclgen.testing.snapshots import FileSnapshots
from tests.support.files import write_files
from tests.support.packages import manifest, write_index

Index = Mapping[str, Mapping[str, Mapping[str, str]]]

STORAGE: Index = {"storage": {"1.5.2": {}, "1.5.9": {}, "1.6.0": {}, "2.0.0": {}, "2.1.0-beta.1": {}, "2.1.0-beta.2": {}}}

CHOICES: dict[str, tuple[Index, Mapping[str, str], str]] = {
    "the newest that fits": (STORAGE, {"storage": "~1.5.2"}, "storage@1.5.9"),
    "the newest of a major version": (STORAGE, {"storage": "^1.5.2"}, "storage@1.6.0"),
    "any": (STORAGE, {"storage": "*"}, "storage@2.0.0"),
    "exact": (STORAGE, {"storage": "1.5.2"}, "storage@1.5.2"),
    "a side": (STORAGE, {"storage": "<2"}, "storage@1.6.0"),
    "two sides": (STORAGE, {"storage": ">=1.5, <1.6"}, "storage@1.5.9"),
    "one of two": (STORAGE, {"storage": "~1.5.2 || ^2"}, "storage@2.0.0"),
    "the other of two": (STORAGE, {"storage": "~1.5.2 || ^3"}, "storage@1.5.9"),
    "two that each want one of two": (
        {"a": {"1.0.0": {"c": "^1 || ^2"}}, "b": {"1.0.0": {"c": "^2 || ^3"}}, "c": {"1.0.0": {}, "2.0.0": {}, "3.0.0": {}}},
        {"a": "*", "b": "*"},
        "a@1.0.0 b@1.0.0 c@2.0.0",
    ),
    "no pre-release unless asked for": (STORAGE, {"storage": ">=2"}, "storage@2.0.0"),
    "a pre-release that is asked for": (STORAGE, {"storage": "^2.1.0-beta.1"}, "storage@2.1.0-beta.2"),
    "an exact pre-release": (STORAGE, {"storage": "2.1.0-beta.1"}, "storage@2.1.0-beta.1"),
    "only pre-releases": ({"a": {"1.0.0-rc.1": {}}}, {"a": "1.0.0-rc.1"}, "a@1.0.0-rc.1"),
    "numbers are no texts": ({"a": {"1.9.0": {}, "1.10.0": {}}}, {"a": "^1"}, "a@1.10.0"),
    "what is needed by others": (
        {"a": {"1.0.0": {"b": "^1"}}, "b": {"1.0.0": {"c": "*"}}, "c": {"3.0.0": {}}},
        {"a": "^1"},
        "a@1.0.0 b@1.0.0 c@3.0.0",
    ),
    "a diamond has one top": (
        {"a": {"1.0.0": {"d": "^1.1"}}, "b": {"1.0.0": {"d": "~1.2"}}, "d": {"1.1.0": {}, "1.2.5": {}, "1.3.0": {}}},
        {"a": "*", "b": "*"},
        "a@1.0.0 b@1.0.0 d@1.2.5",
    ),
    "an older one of those who want it": (
        {"a": {"1.0.0": {"c": "^1"}, "1.1.0": {"c": "^2"}}, "b": {"1.0.0": {"c": "^1"}}, "c": {"1.0.0": {}, "2.0.0": {}}},
        {"a": "^1", "b": "^1"},
        "a@1.0.0 b@1.0.0 c@1.0.0",
    ),
    "back over several": (
        {
            "a": {"1.0.0": {"x": "^1"}, "1.1.0": {"x": "^2"}, "1.2.0": {"x": "^3"}},
            "b": {"1.0.0": {"x": "^1"}, "1.1.0": {"x": "^2"}},
            "c": {"1.0.0": {"x": "^1"}},
            "x": {"1.0.0": {}, "2.0.0": {}, "3.0.0": {}},
        },
        {"a": "^1", "b": "^1", "c": "^1"},
        "a@1.0.0 b@1.0.0 c@1.0.0 x@1.0.0",
    ),
    "around a version that needs what is not there": (
        {"a": {"1.0.0": {}, "1.1.0": {"gone": "^1"}}},
        {"a": "^1"},
        "a@1.0.0",
    ),
    "what was needed by an older version is left out": (
        {"a": {"1.0.0": {"b": "*"}, "1.1.0": {}}, "b": {"1.0.0": {}}},
        {"a": "^1"},
        "a@1.1.0",
    ),
    "nothing": ({}, {}, ""),
}


def project_in(folder: Path, wants: Mapping[str, str]) -> Project:
    """A project with dependencies; the index is in the folder beside it."""
    lines = [f"{name} = {json.dumps(text) if not text.startswith('{') else text}" for name, text in wants.items()]
    write_files(folder, {"pclgen.toml": 'indexes = ["../index"]\n' + "\n".join(["[dependencies]", *lines, ""])})
    project = open_project(folder / "pclgen.toml")
    assert isinstance(project, Project)
    return project


def chosen(place: Path, index: Index, wants: Mapping[str, str], kept: str = "", updated: set[str] | None = None) -> str:
    """The resolved packages, or the code of the diagnostic."""
    write_index(place / "index", index)
    project = project_in(place / "app", wants)
    catalog = Catalog(project.folder, project.manifest.indexes, ArchiveCache(place / "cache"))
    before = {
        name: Locked(name=name, version=version, source="index", place="../index", digest="sha256:" + "0" * 64)
        for name, _, version in (word.partition("@") for word in kept.split())
    }
    result = resolve(project, catalog, locked=before, updated=updated if updated is not None else set())
    return result.code if isinstance(result, Diagnostic) else " ".join(package.identity for package in result)


@pytest.mark.parametrize("case", CHOICES)
def test_choices(case: str, tmp_path: Path) -> None:
    index, wants, expected = CHOICES[case]
    assert chosen(tmp_path, index, wants) == expected


@pytest.mark.parametrize(
    ("kept", "updated", "expected"),
    [
        ("storage@1.5.2", set(), "storage@1.5.2"),
        ("storage@1.5.2", {"storage"}, "storage@1.6.0"),
        ("storage@1.5.2", {"other"}, "storage@1.5.2"),
        ("storage@2.0.0", set(), "storage@1.6.0"),
        ("storage@1.5.3", set(), "storage@1.6.0"),
    ],
    ids=["stays", "is updated", "another is updated", "does not fit any more", "is not there any more"],
)
def test_what_was_chosen_before(kept: str, updated: set[str], expected: str, tmp_path: Path) -> None:
    assert chosen(tmp_path, STORAGE, {"storage": "^1.5"}, kept, updated) == expected


def test_a_digest_says_which(tmp_path: Path) -> None:
    write_index(tmp_path / "index", STORAGE)
    rows = json.loads((tmp_path / "index/index.json").read_text())["packages"]["storage"]
    digest = next(row["digest"] for row in rows if row["version"] == "2.1.0-beta.1")
    assert chosen(tmp_path, STORAGE, {"storage": digest}) == "storage@2.1.0-beta.1"
    other = "sha256:" + "a" * 64
    assert chosen(tmp_path, STORAGE, {"storage": f'{{ version = "^1.5", digest = "{other}" }}'}) == "PCL1606"


def test_the_first_index_that_has_a_name_counts(tmp_path: Path) -> None:
    write_index(tmp_path / "first", {"a": {"1.0.0": {}}})
    write_index(tmp_path / "second", {"a": {"1.5.0": {}}, "b": {"2.0.0": {}}})
    write_files(
        tmp_path / "app", {"pclgen.toml": 'indexes = ["../first", "../second"]\n[dependencies]\na = "^1"\nb = "*"\n'}
    )
    project = open_project(tmp_path / "app/pclgen.toml")
    assert isinstance(project, Project)
    packages = resolve(project, Catalog(project.folder, project.manifest.indexes, ArchiveCache(tmp_path / "cache")))
    assert not isinstance(packages, Diagnostic)
    assert [package.identity for package in packages] == ["a@1.0.0", "b@2.0.0"]


def test_a_folder_goes_before_the_index(tmp_path: Path) -> None:
    index: Index = {"network": {"1.0.0": {"storage": "^1"}}, "storage": {"1.9.0": {}}}
    write_files(tmp_path / "mine", {"pclgen.toml": manifest("storage", "1.2.0")})
    assert chosen(tmp_path, index, {"network": "*", "storage": '{ path = "../mine" }'}) == "network@1.0.0 storage@1.2.0"


def test_the_lock_file_is_the_same_each_time(tmp_path: Path) -> None:
    index = CHOICES["back over several"][0]
    texts = set()
    for attempt in range(3):
        place = tmp_path / str(attempt)
        names = ["a", "b", "c"] if attempt != 1 else ["c", "b", "a"]
        write_index(place / "index", {name: index[name] for name in sorted(index, reverse=bool(attempt))})
        project = project_in(place / "app", dict.fromkeys(names, "^1"))
        packages = resolve(project, Catalog(project.folder, project.manifest.indexes, ArchiveCache(place / "cache")))
        assert not isinstance(packages, Diagnostic)
        texts.add(lock_bytes(project.manifest.wants["dependencies"], packages))
    assert len(texts) == 1


FOLDERS = {
    "network/pclgen.toml": manifest("network", "1.0.6", dependencies={"storage": '{ path = "../storage" }'}),
    "website/pclgen.toml": manifest("website", "2.0.0", dependencies={"storage": '{ path = "../old" }'}),
    "storage/pclgen.toml": manifest("storage", "1.5.3"),
    "old/pclgen.toml": manifest("storage", "1.4.0"),
    "loop/pclgen.toml": manifest("loop", "1.0.0", dependencies={"ring": '{ path = "../ring" }'}),
    "ring/pclgen.toml": manifest("ring", "1.0.0", dependencies={"loop": '{ path = "../loop" }'}),
    "back/pclgen.toml": manifest("back", "1.0.0", dependencies={"app": '{ path = "../app" }'}),
    "bare/main.pp": "",
    "broken/pclgen.toml": "[package\n",
    "badrange/pclgen.toml": manifest("badrange", "1.0.0", dependencies={"x": "about 1"}),
}

NO_CHOICE: dict[str, tuple[Index, str]] = {
    "conflict": (
        {"network": {"1.0.6": {"storage": "^1.5"}}, "website": {"2.0.0": {"storage": "^2"}}, **STORAGE},
        'network = "^1.0"\nwebsite = "*"\n',
    ),
    "conflict with the project": (
        {"network": {"1.0.6": {"storage": "^1.5"}}, **STORAGE},
        'network = "^1.0"\nstorage = "^2"\n',
    ),
    "conflict far down": (
        {
            "a": {"1.0.0": {"b": "*"}},
            "b": {"1.0.0": {"c": "*"}},
            "c": {"1.0.0": {"storage": "<2"}},
            "d": {"1.0.0": {"e": "*"}},
            "e": {"1.0.0": {"storage": ">=2"}},
            **STORAGE,
        },
        'a = "*"\nd = "*"\n',
    ),
    "no version": (STORAGE, 'storage = "^3"\n'),
    "no version for another": ({"network": {"1.0.6": {"storage": "^3"}}, **STORAGE}, 'network = "*"\n'),
    "only pre-releases": ({"a": {"1.0.0-rc.1": {}}}, 'a = "*"\n'),
    "no package": (STORAGE, 'storrage = "^1"\n'),
    "no package for another": ({"network": {"1.0.6": {"storrage": "^1"}}, **STORAGE}, 'network = "*"\n'),
    "cycle": ({"a": {"1.0.0": {"b": "*"}}, "b": {"1.0.0": {"c": "*"}}, "c": {"1.0.0": {"a": "*"}}}, 'a = "*"\n'),
    "cycle of folders": ({}, 'loop = { path = "../loop" }\n'),
    "cycle through the project": ({}, 'back = { path = "../back" }\n'),
    "two folders": ({}, 'network = { path = "../network" }\nwebsite = { path = "../website" }\n'),
    "a folder that does not fit": (STORAGE, 'storage = { path = "../storage", version = "^2" }\n'),
    "a folder that others do not want": (
        {"website": {"2.0.0": {"storage": "^2"}}},
        'storage = { path = "../storage" }\nwebsite = "*"\n',
    ),
    "a folder of another name": ({}, 'store = { path = "../storage" }\n'),
    "a folder that is not there": ({}, 'gone = { path = "../gone" }\n'),
    "a folder that is no package": ({}, 'bare = { path = "../bare" }\n'),
    "a broken manifest": ({}, 'broken = { path = "../broken" }\n'),
    "a manifest with a wrong range": ({}, 'badrange = { path = "../badrange" }\n'),
    "a digest of a folder": ({}, 'storage = { path = "../storage", digest = "sha256:' + "0" * 64 + '" }\n'),
}


@pytest.mark.parametrize("case", NO_CHOICE)
def test_what_is_said(
    case: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pcl_snapshots: FileSnapshots,
) -> None:
    index, wants = NO_CHOICE[case]
    write_index(tmp_path / "index", index)
    write_files(tmp_path, FOLDERS)
    package = '[package]\nname = "app"\nversion = "0.1.0"\n\n' if case == "cycle through the project" else ""
    write_files(tmp_path / "app", {"pclgen.toml": f'indexes = ["../index"]\n\n{package}[dependencies]\n{wants}'})
    monkeypatch.chdir(tmp_path / "app")
    assert app.main(["deps", "update"]) == 1
    stderr = capsys.readouterr().err
    assert not (tmp_path / "app/pclgen.lock").exists()
    pcl_snapshots.folder(f"deps/{case.replace(' ', '-')}", {"said.txt": stderr.replace(str(tmp_path), "<folder>")})


def test_no_snapshot_without_a_case(pcl_snapshots: FileSnapshots) -> None:
    pcl_snapshots.only("deps", [case.replace(" ", "-") for case in NO_CHOICE])


def test_without_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"pclgen.toml": '[dependencies]\nnetwork = "^1"\n'})
    monkeypatch.chdir(tmp_path)
    assert app.main(["deps", "install"]) == 1
    assert "set `indexes` in pclgen.toml" in capsys.readouterr().err
