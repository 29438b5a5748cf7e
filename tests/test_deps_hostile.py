"""Untrusted manifests, archives, indexes and lock files: one clear error each, and no access to files outside."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.cli import app
from pclgen.deps import archive
from pclgen.deps.archive import ArchiveError, digest_of, read_archive, write_archive
from pclgen.deps.manifest import ManifestError, read_manifest
from tests.support.files import write_files
from tests.support.packages import manifest, write_index

GOOD = {"pclgen.toml": manifest("evil", "1.0.0").encode(), "part/main.pp": b""}


def packed(make: Callable[[tarfile.TarFile], None]) -> bytes:
    """An archive with a manifest and the members that `make` adds."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for name, data in GOOD.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
        make(tar)
    return gzip.compress(plain.getvalue(), mtime=0)


def member(name: str, *, kind: bytes = tarfile.REGTYPE, target: str = "") -> Callable[[tarfile.TarFile], None]:
    def make(tar: tarfile.TarFile) -> None:
        info = tarfile.TarInfo(name)
        info.type = kind
        info.linkname = target
        tar.addfile(info, io.BytesIO())

    return make


def many(tar: tarfile.TarFile) -> None:
    for number in range(archive.COUNT_LIMIT + 1):
        tar.addfile(tarfile.TarInfo(f"x{number}"), io.BytesIO())


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "above": lambda: packed(member("../evil.pp")),
    "far above": lambda: packed(member("part/../../../evil.pp")),
    "absolute": lambda: packed(member("/etc/evil.pp")),
    "drive": lambda: packed(member("C:/evil.pp")),
    "backslash": lambda: packed(member("..\\evil.pp")),
    "control": lambda: packed(member("part/\x1b[31m.pp")),
    "twice": lambda: packed(member("part/main.pp")),
    "symbolic link": lambda: packed(member("part/a.pp", kind=tarfile.SYMTYPE, target="/etc/passwd")),
    "hard link": lambda: packed(member("part/a.pp", kind=tarfile.LNKTYPE, target="pclgen.toml")),
    "device": lambda: packed(member("part/a.pp", kind=tarfile.CHRTYPE)),
    "pipe": lambda: packed(member("part/a.pp", kind=tarfile.FIFOTYPE)),
    "many files": lambda: packed(many),
    "bomb": lambda: gzip.compress(bytes(archive.UNPACKED_LIMIT + 1)),
    "cut off": lambda: write_archive(GOOD)[:-9],
    "cut off inside": lambda: gzip.compress(gzip.decompress(write_archive(GOOD))[:1200]),
    "something behind": lambda: write_archive(GOOD) + b"x",
    "two in one": lambda: write_archive(GOOD) * 2,
    "empty": lambda: b"",
    "no archive": lambda: b"hello",
    "only gzip": lambda: gzip.compress(b"hello" * 300),
    "zlib": lambda: zlib.compress(b"hello"),
    "no manifest": lambda: write_archive({"part/main.pp": b""}),
    "broken manifest": lambda: write_archive({"pclgen.toml": b"[package"}),
    "no package": lambda: write_archive({"pclgen.toml": b"languages = ['go']"}),
    "another package": lambda: write_archive({"pclgen.toml": manifest("good", "1.0.0").encode()}),
    "another version": lambda: write_archive({"pclgen.toml": manifest("evil", "1.0.1").encode()}),
    "other dependencies": lambda: write_archive(
        {"pclgen.toml": manifest("evil", "1.0.0", dependencies={"x": "*"}).encode()}
    ),
    "a folder of ours": lambda: write_archive(
        {"pclgen.toml": manifest("evil", "1.0.0", dependencies={"x": '{ path = "/etc" }'}).encode()}
    ),
    "an address without a digest": lambda: write_archive(
        {"pclgen.toml": manifest("evil", "1.0.0", dependencies={"x": '{ url = "http://127.0.0.1:9/x" }'}).encode()}
    ),
    "an export that leads out": lambda: write_archive(
        {"pclgen.toml": manifest("evil", "1.0.0", exports='["../../secrets"]').encode()}
    ),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_archives(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = ARCHIVES[case]()
    folder = write_index(tmp_path / "index", {"evil": {"1.0.0": {}}})
    rows = json.loads((folder / "index.json").read_text())
    rows["packages"]["evil"][0]["digest"] = digest_of(data)
    (folder / "index.json").write_text(json.dumps(rows))
    (folder / "evil-1.0.0.tar.gz").write_bytes(data)
    write_files(tmp_path / "app", {"pclgen.toml": 'indexes = ["../index"]\n[dependencies]\nevil = "*"\n'})
    monkeypatch.chdir(tmp_path / "app")
    before = {path for path in tmp_path.rglob("*") if "cache" not in path.parts}
    assert app.main(["deps", "install", "--output-format", "json"]) == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(diagnostic["code"], diagnostic["start"]["line"]) for diagnostic in diagnostics] == [("PCL1608", 3)]
    assert "\x1b" not in json.dumps(diagnostics)
    assert {path for path in tmp_path.rglob("*") if "cache" not in path.parts} == before


def test_a_good_archive_is_read() -> None:
    assert read_archive(write_archive(GOOD)) == GOOD
    assert write_archive(dict(reversed(GOOD.items()))) == write_archive(GOOD)
    assert read_archive(packed(member("docs", kind=tarfile.DIRTYPE))) == GOOD


def test_mutated_archives_are_read_or_refused() -> None:
    chance = random.Random(7)
    plain = gzip.decompress(write_archive(GOOD))
    for _ in range(300):
        data = bytearray(plain)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            files = read_archive(gzip.compress(bytes(data), 1))
        except ArchiveError:
            continue
        assert all(archive.path_problem(name) is None for name in files)


INDEXES = {
    "no json": b"{",
    "no text": b"\xff\xfe",
    "a list": b"[]",
    "deep": b"[" * 100_000,
    "a later format": b'{"format": 2, "packages": {}}',
    "no format": b'{"packages": {}}',
    "a version that is none": b'{"format": 1, "packages": {"evil": [{"version": "new", "file": "x", "digest": "sha256:0"}]}}',
    "a huge version": b'{"format": 1, "packages": {"evil": [{"version": "' + b"9" * 5000 + b'.0.0", "file": "x", "digest": ""}]}}',
    "a file elsewhere": (
        b'{"format": 1, "packages": {"evil": [{"version": "1.0.0", "file": "../../etc/passwd", "digest": "sha256:'
        + b"0" * 64
        + b'"}]}}'
    ),
    "an address for a file": (
        b'{"format": 1, "packages": {"evil": [{"version": "1.0.0", "file": "http://127.0.0.1:9/x", "digest": "sha256:'
        + b"0" * 64
        + b'"}]}}'
    ),
    "no digest": b'{"format": 1, "packages": {"evil": [{"version": "1.0.0", "file": "x", "digest": ""}]}}',
    "a range that is none": (
        b'{"format": 1, "packages": {"evil": [{"version": "1.0.0", "file": "x", "digest": "sha256:'
        + b"0" * 64
        + b'", "dependencies": {"a": "newest"}}]}}'
    ),
    "a version twice": (
        b'{"format": 1, "packages": {"evil": ['
        + b",".join([b'{"version": "1.0.0", "file": "x", "digest": "sha256:' + b"0" * 64 + b'"}'] * 2)
        + b"]}}"
    ),
    "wrong types": b'{"format": 1, "packages": {"evil": "1.0.0"}}',
}


@pytest.mark.parametrize("case", INDEXES)
def test_indexes(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index/index.json").write_bytes(INDEXES[case])
    write_files(tmp_path / "app", {"pclgen.toml": 'indexes = ["../index"]\n[dependencies]\nevil = "*"\n'})
    monkeypatch.chdir(tmp_path / "app")
    assert app.main(["deps", "install", "--output-format", "json"]) == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [diagnostic["code"] for diagnostic in diagnostics] == ["PCL1608"]


MANIFESTS = {
    "name": '[package]\nname = "../x"\nversion = "1.0.0"\n',
    "no version": '[package]\nname = "x"\n',
    "version": '[package]\nname = "x"\nversion = "1"\n',
    "v": '[package]\nname = "x"\nversion = "v1.0.0"\n',
    "exports": '[package]\nname = "x"\nversion = "1.0.0"\nexports = ["/etc"]\n',
    "exports above": '[package]\nname = "x"\nversion = "1.0.0"\nexports = { a = "../b" }\n',
    "unknown": '[package]\nname = "x"\nversion = "1.0.0"\nlicence = "MIT"\n',
    "dependency name": '[dependencies]\n"a/b" = "*"\n',
    "range": '[dependencies]\na = "newest"\n',
    "number": "[dependencies]\na = 1\n",
    "nothing said": "[dependencies]\na = {}\n",
    "both": '[dependencies]\na = { path = "x", url = "https://example.org/x" }\n',
    "url": '[dependencies]\na = { url = "file:///etc/passwd" }\n',
    "digest": '[dependencies]\na = { version = "*", digest = "sha256:12" }\n',
    "unknown key": '[dependencies]\na = { versoin = "*" }\n',
    "provider": '[providers]\naws = "latest"\n',
    "deep": "x = " + "[" * 5000,
    "long": "# " + "x" * (1 << 20),
    "many": "[dependencies]\n" + "".join(f'a{number} = "*"\n' for number in range(1001)),
}


@pytest.mark.parametrize("case", MANIFESTS)
def test_manifests(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ManifestError):
        read_manifest(MANIFESTS[case].encode())
    write_files(tmp_path / "evil", {"pclgen.toml": MANIFESTS[case]})
    write_files(tmp_path / "app", {"pclgen.toml": '[dependencies]\nevil = { path = "../evil" }\n'})
    monkeypatch.chdir(tmp_path / "app")
    assert app.main(["deps", "install", "--output-format", "json"]) == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [diagnostic["code"] for diagnostic in diagnostics] == ["PCL1608"]


@pytest.mark.parametrize("case", [case for case in MANIFESTS if case != "long"])
def test_manifests_of_the_project_itself(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, {"pclgen.toml": MANIFESTS[case], "web/main.pp": ""})
    assert app.main(["check", str(tmp_path / "web"), "--output-format", "json"]) in (1, 2)
    captured = capsys.readouterr()
    if captured.out:
        assert [diagnostic["code"] for diagnostic in json.loads(captured.out)["diagnostics"]] == ["PCL1601"]
    else:
        assert "pclgen.toml" in captured.err


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader_of_manifests(data: bytes) -> None:
    try:
        read_manifest(data)
    except ManifestError as error:
        assert str(error)


LOCKED: dict[str, object] = {"name": "evil", "version": "1.0.0", "source": "index", "place": "../index", "file": "evil-1.0.0.tar.gz"}
LOCKS: dict[str, dict[str, object]] = {
    "a file elsewhere": {**LOCKED, "digest": "sha256:" + "0" * 64, "file": "../../etc/passwd"},
    "no digest": LOCKED,
    "a digest that is a path": {**LOCKED, "digest": "sha256:../../../etc/passwd"},
    "a name that is a path": {**LOCKED, "name": "../evil", "digest": "sha256:" + "0" * 64},
    "a version that is a path": {**LOCKED, "version": "../1", "digest": "sha256:" + "0" * 64},
    "an export that leads out": {**LOCKED, "digest": "sha256:" + "0" * 64, "exports": {"x": "../../secrets"}},
    "a dependency that is not there": {**LOCKED, "digest": "sha256:" + "0" * 64, "dependencies": {"x": "*"}},
    "a source that is none": {**LOCKED, "source": "git", "digest": "sha256:" + "0" * 64},
}


@pytest.mark.parametrize("case", LOCKS)
def test_lock_files(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lock = {"version": 1, "wants": {"evil": "*"}, "packages": [LOCKS[case]]}
    write_files(
        tmp_path / "app",
        {
            "pclgen.toml": '[dependencies]\nevil = "*"\n',
            "pclgen.lock": json.dumps(lock),
            "web/main.pp": 'component x "evil/x" {\n}\n',
        },
    )
    monkeypatch.chdir(tmp_path / "app")
    for argv in (["check", "web"], ["deps", "install"]):
        assert app.main([*argv, "--output-format", "json"]) == 1
        diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
        assert [diagnostic["code"] for diagnostic in diagnostics] == ["PCL1603"]


def test_a_lock_file_that_lies_about_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_index(tmp_path / "index", {"evil": {"1.0.0": {}}})
    write_files(tmp_path / "app", {"pclgen.toml": 'indexes = ["../index"]\n[dependencies]\nevil = "*"\n'})
    monkeypatch.chdir(tmp_path / "app")
    assert app.main(["deps", "install"]) == 0
    lock = json.loads(Path("pclgen.lock").read_text())
    lock["packages"][0]["exports"] = {"other": "part"}
    Path("pclgen.lock").write_text(json.dumps(lock))
    capsys.readouterr()
    assert app.main(["deps", "install", "--output-format", "json"]) == 1
    assert [diagnostic["code"] for diagnostic in json.loads(capsys.readouterr().out)["diagnostics"]] == ["PCL1608"]


def test_an_index_that_is_replaced_behind_the_lock_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_index(tmp_path / "index", {"evil": {"1.0.0": {}}})
    write_files(tmp_path / "app", {"pclgen.toml": 'indexes = ["../index"]\n[dependencies]\nevil = "*"\n'})
    monkeypatch.chdir(tmp_path / "app")
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "one"))
    assert app.main(["deps", "install"]) == 0
    (tmp_path / "index/evil-1.0.0.tar.gz").write_bytes(write_archive({**GOOD, "part/other.pp": b"x = 1\n"}))
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "two"))
    capsys.readouterr()
    assert app.main(["deps", "install", "--output-format", "json"]) == 1
    assert [diagnostic["code"] for diagnostic in json.loads(capsys.readouterr().out)["diagnostics"]] == ["PCL1607"]


def test_a_search_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many packages with many versions and no solution."""
    names = [f"p{number}" for number in range(12)]
    index = {
        name: {f"{major}.0.0": {other: f"^{major + 1}" for other in names if other > name} for major in range(12)}
        for name in names
    }
    write_index(tmp_path / "index", index)
    wants = "".join(f'{name} = "*"\n' for name in names)
    write_files(tmp_path / "app", {"pclgen.toml": f'indexes = ["../index"]\n[dependencies]\n{wants}'})
    monkeypatch.chdir(tmp_path / "app")
    assert app.main(["deps", "install"]) in (0, 1)
