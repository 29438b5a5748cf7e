"""Components of other packages in programs: every command accepts them, and the lock file pins their versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pclgen import project_store
from pclgen.cli import app
from pclgen.pipeline import check, generate
from pclgen.source.load import load_program, program_in_memory
from tests.support.files import write_files
from tests.support.packages import manifest, served, write_index

STORAGE = {
    "pclgen.toml": manifest("storage", "1.5.3", exports='["bucket"]'),
    "bucket/main.pp": 'config prefix string {\n}\noutput name string {\n  value = "${prefix}-bucket"\n}\n',
}
NETWORK = {
    "pclgen.toml": manifest(
        "network", "1.0.6", dependencies={"storage": "~1.5.2"}, exports='{ "." = "all", vpc = "parts/vpc" }'
    ),
    "all/main.pp": 'config cidr string {\n}\noutput shown string {\n  value = "all ${cidr}"\n}\n',
    "parts/vpc/main.pp": (
        "config cidr string {\n}\n"
        'component logs "storage/bucket" {\n  prefix = cidr\n}\n'
        'component inner "../subnet" {\n  cidr = cidr\n}\n'
        "output bucket string {\n  value = logs.name\n}\n"
        "output subnet string {\n  value = inner.label\n}\n"
    ),
    "parts/subnet/main.pp": 'config cidr string {\n}\noutput label string {\n  value = "subnet ${cidr}"\n}\n',
}
SITE = (
    'component web "network/vpc" {\n  cidr = "10.0.0.0/16"\n}\n'
    'component whole "network" {\n  cidr = "10.1.0.0/16"\n}\n'
    'component own "./parts" {\n  label = "mine"\n}\n'
    'output shown string {\n  value = "${web.bucket} ${web.subnet} ${whole.shown} ${own.shown}"\n}\n'
)
OWN = 'config label string {\n}\noutput shown string {\n  value = "own ${label}"\n}\n'
EXPECTED = "10.0.0.0/16-bucket subnet 10.0.0.0/16 all 10.1.0.0/16 own mine"


FOLDERS = '[dependencies]\nnetwork = { path = "../network" }\nstorage = { path = "../storage" }\n'
"""The same two packages from folders."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project that uses `network`, which uses `storage`, both from an index; it has its own cache."""
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    write_files(tmp_path / "storage", STORAGE)
    write_files(tmp_path / "network", NETWORK)
    write_files(
        tmp_path / "app",
        {
            "pclgen.toml": 'indexes = ["../index"]\nprograms = ["site"]\n\n[dependencies]\nnetwork = "^1.0.6"\n',
            "site/main.pp": SITE,
            "site/parts/main.pp": OWN,
        },
    )
    for name in ("storage", "network"):
        assert app.main(["deps", "publish", "--project", str(tmp_path / name), "--index", str(tmp_path / "index")]) == 0
    assert app.main(["deps", "install", "--quiet", "--project", str(tmp_path / "app")]) == 0
    monkeypatch.chdir(tmp_path / "app")
    yield tmp_path


def run(*argv: str) -> int:
    return app.main(list(argv))


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> list[tuple[str, str]]:
    """The codes and positions of the errors of a command."""
    capsys.readouterr()
    assert run(*argv, "--output-format", "json") == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    return [(d["code"], f"{d['file']}:{d['start']['line']}:{d['start']['column']}") for d in diagnostics]


def test_all_commands_take_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "site") == 0
    assert run("evaluate", "site") == 0
    trace = capsys.readouterr().out
    assert EXPECTED in trace
    assert "network@1.0.6/parts/vpc/main.pp:3:11" in trace
    assert run("graph", "site") == 0
    assert "storage@1.5.3/bucket" in capsys.readouterr().out
    assert run("generate", "site", "--out", f"{place}/out/{{language}}") == 0
    for path in ("python/vpc.py", "typescript/vpc.ts", "go/vpc.go", "python/bucket.py", "python/all.py"):
        assert (place / "out" / path).is_file(), path
    assert run("config", "schema", "site") == 0


def test_it_is_the_same_from_folders(place: Path) -> None:
    store = project_store(place / "app/site")
    archived = generate(load_program(str(place / "app/site")), languages=("python", "typescript", "go"), store=store)
    write_files(place / "app", {"pclgen.toml": FOLDERS})
    assert run("deps", "install") == 0
    store = project_store(place / "app/site")
    result = generate(load_program(str(place / "app/site")), languages=("python", "typescript", "go"), store=store)
    assert archived.ok
    assert result.files == archived.files


def test_errors_in_a_package_are_reported_at_their_place(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "config cidr string {\n}\noutput label string {\n  value = cird\n}\n"
    write_files(place / "network", {"parts/subnet/main.pp": text})
    write_files(place / "app", {"pclgen.toml": FOLDERS, "site/main.pp": SITE})
    assert run("deps", "install") == 0
    assert said(capsys, "check", "site") == [("PCL0501", "../network/parts/subnet/main.pp:4:11")]


@pytest.mark.parametrize(
    ("source", "code", "column", "hint"),
    [
        ("network/vcp", "PCL1602", 15, 'did you mean "network/vpc"?'),
        ("network/parts/vpc", "PCL1602", 15, "network/vpc"),
        ("network/../../x", "PCL1602", 15, "network/vpc"),
        ("netwrok/vpc", "PCL0705", 15, 'did you mean "network/vpc"?'),
        ("storage/bucket", "PCL0705", 15, None),
        ("network@1.0.6/parts/vpc", "PCL0705", 15, None),
    ],
)
def test_sources_that_are_none(
    place: Path, capsys: pytest.CaptureFixture[str], source: str, code: str, column: int, hint: str | None
) -> None:
    write_files(place / "app", {"site/main.pp": f'component web "{source}" {{\n}}\n'})
    assert run("check", "site", "--output-format", "json") == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(d["code"], d["start"]["line"], d["start"]["column"]) for d in diagnostics] == [(code, 1, column)]
    assert hint is None or hint in json.dumps(diagnostics[0]).replace("\\", "")


def test_a_folder_with_the_name_of_a_package_is_a_folder(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = SITE.replace("./parts", "./network@1.0.6/parts")
    write_files(place / "app", {"site/network@1.0.6/parts/main.pp": OWN, "site/main.pp": site})
    assert run("evaluate", "site") == 0
    assert EXPECTED in capsys.readouterr().out


def test_no_path_leads_out_of_a_package(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        'config cidr string {\n}\ncomponent up "../../app/site/parts" {\n  label = "x"\n}\n'
        "output shown string {\n  value = up.shown\n}\n"
    )
    write_files(place / "network", {"all/main.pp": text})
    write_files(place / "app", {"pclgen.toml": FOLDERS})
    assert run("deps", "install") == 0
    assert said(capsys, "check", "site") == [("PCL1602", "../network/all/main.pp:3:14")]


def test_a_link_out_of_a_package_is_not_followed(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "network/all/secret.pp").symlink_to(place / "app/site/main.pp")
    write_files(place / "app", {"pclgen.toml": FOLDERS})
    assert run("deps", "install") == 0
    assert [code for code, _ in said(capsys, "check", "site")] == ["PCL0705"]


def test_without_a_lock_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "app/pclgen.lock").unlink()
    assert said(capsys, "check", "site") == [("PCL1603", "site/main.pp:1:15"), ("PCL1603", "site/main.pp:4:17")]


def test_a_lock_file_of_another_time(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"pclgen.toml": 'indexes = ["../index"]\n[dependencies]\nnetwork = "^1.0.7"\n'})
    assert {code for code, _ in said(capsys, "check", "site")} == {"PCL1603"}
    assert said(capsys, "deps", "install", "--locked") == [("PCL1603", "pclgen.toml:2:2")]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 2}', '{"version": 1, "packages": [{}]}', "\0", '{"version": 1, "x": 1}']
)
def test_a_broken_lock_file(place: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (place / "app/pclgen.lock").write_text(text)
    assert {code for code, _ in said(capsys, "check", "site")} == {"PCL1603"}
    assert run("deps", "install", "--output-format", "json") == 1
    assert [diagnostic["code"] for diagnostic in json.loads(capsys.readouterr().out)["diagnostics"]] == ["PCL1603"]
    assert run("deps", "update", "--quiet") == 0
    assert run("check", "site") == 0


def test_an_archive_that_is_gone_or_damaged(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kept in (place / "cache/packages-1").iterdir():
        kept.write_bytes(kept.read_bytes()[:-3])
    assert {code for code, _ in said(capsys, "check", "site")} == {"PCL1603"}
    assert run("deps", "install") == 0
    assert run("check", "site") == 0


def test_a_build_knows_when_a_package_changes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("build") == 0
    assert run("build") == 0
    assert "1 unchanged" in capsys.readouterr().err
    write_files(
        place / "network",
        {
            "pclgen.toml": NETWORK["pclgen.toml"].replace("1.0.6", "1.1.0"),
            "all/main.pp": NETWORK["all/main.pp"].replace("all $", "new $"),
        },
    )
    assert run("deps", "publish", "--project", "../network", "--index", "../index") == 0
    assert run("build") == 0
    assert "1 unchanged" in capsys.readouterr().err
    assert run("deps", "update") == 0
    assert "~ network@1.0.6 → network@1.1.0" in capsys.readouterr().err
    assert run("build") == 0
    assert "1 generated" in capsys.readouterr().err
    assert "new" in (place / "app/build/site/python/all.py").read_text()


def test_a_build_knows_when_a_folder_changes(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"pclgen.toml": f'programs = ["site"]\n{FOLDERS}'})
    assert run("deps", "install") == 0
    assert run("build") == 0
    assert run("build") == 0
    assert "1 unchanged" in capsys.readouterr().err
    write_files(place / "storage", {"bucket/main.pp": STORAGE["bucket/main.pp"].replace("-bucket", "-box")})
    assert run("build") == 0
    assert "1 generated" in capsys.readouterr().err
    write_files(place / "network", {"pclgen.toml": NETWORK["pclgen.toml"].replace('"all"', '"parts/subnet"')})
    assert run("build") == 1
    assert "PCL1603" in capsys.readouterr().err


def test_offline_once_locked(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(place / "index") as (address, asked):
        write_files(place / "app", {"pclgen.toml": f'indexes = ["{address}"]\n[dependencies]\nnetwork = "^1.0.6"\n'})
        (place / "app/pclgen.lock").unlink()
        for kept in (place / "cache/packages-1").iterdir():
            kept.unlink()
        assert run("deps", "install", "--offline") == 1
        assert "would have to be asked" in capsys.readouterr().err
        assert run("deps", "install") == 0
        assert sorted(asked) == ["/index.json", "/network-1.0.6.tar.gz", "/storage-1.5.3.tar.gz"]
        locked = (place / "app/pclgen.lock").read_text()
        before = len(asked)
        assert run("deps", "install") == 0
        assert len(asked) == before
    assert run("deps", "install", "--frozen") == 0
    assert run("check", "site") == 0
    assert run("evaluate", "site") == 0
    assert EXPECTED in capsys.readouterr().out
    assert (place / "app/pclgen.lock").read_text() == locked
    assert run("deps", "update") == 1
    assert "PCL1608" in capsys.readouterr().err
    assert (place / "app/pclgen.lock").read_text() == locked


def test_an_address_and_its_digest(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "solo", {"pclgen.toml": manifest("solo", "0.1.0"), "part/main.pp": OWN})
    assert run("deps", "publish", "--project", "../solo", "--out", "../solo") == 0
    digest = capsys.readouterr().out.strip()
    with served(place / "solo") as (address, _):
        url = f"{address}/solo-0.1.0.tar.gz"
        assert run("deps", "add", "solo", "--url", url, "--digest", "sha256:" + "0" * 64) == 1
        assert "PCL1607" in capsys.readouterr().err
        assert "solo" not in Path("pclgen.toml").read_text()
        assert run("deps", "add", "solo", "--url", url, "--digest", digest) == 0
        assert run("deps", "add", "solo", "--url", f"{address}/gone.tar.gz") == 1
        assert "PCL1608" in capsys.readouterr().err
    write_files(place / "app", {"site/main.pp": 'component one "solo/part" {\n  label = "x"\n}\n'})
    assert run("check", "site") == 0
    assert run("deps", "why", "solo") == 0
    assert "this project wants solo" in capsys.readouterr().out


def test_who_wants_what(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("deps", "why", "storage") == 0
    assert capsys.readouterr().out == ("storage@1.5.3 (../index)\n  this project → network@1.0.6 wants storage ~1.5.2\n")
    assert run("deps", "list") == 0
    assert capsys.readouterr().out == "network  1.0.6  ../index\nstorage  1.5.3  ../index\n"
    assert run("deps", "list", "--json") == 0
    assert [package["name"] for package in json.loads(capsys.readouterr().out)] == ["network", "storage"]
    assert run("deps", "why", "storrage") == 2
    assert "did you mean `storage`?" in capsys.readouterr().err


def test_provider_packages_have_ranges(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = {"name": "probe", "version": "1.4.0", "resources": {"probe:index:Thing": {}}}
    write_files(
        place,
        {
            "app/schemas/probe.json": json.dumps(schema),
            "app/site/main.pp": 'component web "needy/part" {\n  label = "x"\n}\n',
            "needy/pclgen.toml": manifest("needy", "1.0.0", providers={"probe": "^2.0"}),
            "needy/part/main.pp": OWN + 'resource thing "probe:index:Thing" {\n}\n',
            "app/pclgen.toml": '[dependencies]\nneedy = { path = "../needy" }\n\n[providers]\nprobe = "^1"\n',
        },
    )
    assert run("deps", "install") == 0
    capsys.readouterr()
    assert run("check", "site") == 1
    text = capsys.readouterr().err
    assert "PCL1609" in text
    assert "this project → needy@1.0.0 wants probe ^2.0" in text
    assert "pclgen.toml:2:1" in text
    for fits in ("^1.4", "^3 || ^1.4"):
        write_files(place, {"needy/pclgen.toml": manifest("needy", "1.0.0", providers={"probe": fits})})
        assert run("deps", "install") == 0
        assert run("check", "site") == 0
    write_files(place, {"needy/pclgen.toml": manifest("needy", "1.0.0", providers={"probe": "^2 || ^3"})})
    assert run("deps", "install") == 0
    capsys.readouterr()
    assert run("check", "site") == 1
    assert "wants probe ^2 || ^3" in capsys.readouterr().err
    write_files(place, {"needy/pclgen.toml": manifest("needy", "1.0.0", providers={"probe": "^1.4"})})
    assert run("deps", "install") == 0
    write_files(place, {"app/pclgen.toml": '[dependencies]\nneedy = { path = "../needy" }\n\n[providers]\nprobe = "<1"\n'})
    assert ("PCL1609", "pclgen.toml:5:1") in said(capsys, "check", "site")


def test_who_uses_no_configuration_has_no_packages(place: Path) -> None:
    assert run("check", "site", "--isolated") == 1
    result = check(program_in_memory("x", {"main.pp": SITE, "parts/main.pp": OWN}))
    assert {diagnostic.code for diagnostic in result.diagnostics} == {"PCL0705"}


def test_programs_in_memory_use_packages_of_their_store(place: Path) -> None:
    store = project_store(place / "app")
    assert check(program_in_memory("x", {"main.pp": SITE, "parts/main.pp": OWN}), store=store).ok


def test_the_index_keeps_what_is_published(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run("deps", "publish", "--project", "../storage", "--index", "../index") == 0
    assert "there is already" in capsys.readouterr().err
    write_files(place / "storage", {"bucket/main.pp": OWN})
    assert run("deps", "publish", "--project", "../storage", "--index", "../index") == 1
    assert "with other content" in capsys.readouterr().err


def test_adding_edits_one_line(place: Path) -> None:
    before = (
        '# mine\nindexes = ["../index"]  # here\n\n[dependencies]\n# networks\nnetwork = "^1.0.6"  # yes\n\n'
        '[levels]\nPCL0420 = "off"\n'
    )
    write_files(place / "app", {"pclgen.toml": before})
    assert run("deps", "add", "storage") == 0
    after = before.replace("# yes\n", '# yes\nstorage = "^1.5.3"\n')
    assert Path("pclgen.toml").read_text() == after
    assert run("deps", "add", "storage@~1.5.2") == 0
    assert Path("pclgen.toml").read_text() == after.replace("^1.5.3", "~1.5.2")
    assert run("deps", "add", "storage@^9") == 1
    assert Path("pclgen.toml").read_text() == after.replace("^1.5.3", "~1.5.2")


def test_adding_makes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_index(tmp_path / "index", {"a": {"1.2.0": {}}})
    (tmp_path / "new/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "new")
    write_files(tmp_path / "a", {"pclgen.toml": manifest("a", "1.0.0")})
    assert run("deps", "add", "a", "--path", "../a") == 0
    assert Path("pclgen.toml").read_text() == '[dependencies]\na = { path = "../a" }\n'
    assert Path("pclgen.lock").is_file()


def test_a_pack_of_a_program_has_its_packages(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("generate", "site", "--out", str(place / "out/{language}")) == 0
    assert run("pack", "site", "--out", str(place / "away/site.mupack.json")) == 0
    assert run("evaluate", "site") == 0
    capsys.readouterr()
    assert run("evaluate", str(place / "away/site.mupack.json"), "--isolated") == 0
    trace = capsys.readouterr().out
    assert EXPECTED in trace
    assert " network@1.0.6/parts/vpc/main.pp:3:11" in trace
    assert run("generate", str(place / "away/site.mupack.json"), "--isolated", "--out", str(place / "again/{language}")) == 0
    files = {path.relative_to(place / "out"): path.read_bytes() for path in (place / "out").rglob("*.*") if path.is_file()}
    assert len(files) > 10
    assert files == {
        path.relative_to(place / "again"): path.read_bytes() for path in (place / "again").rglob("*.*") if path.is_file()
    }


def test_parts_of_the_same_name(place: Path) -> None:
    for name in ("a", "b"):
        write_files(place / name, {"pclgen.toml": manifest(name, "1.0.0"), "part/main.pp": OWN})
    write_files(
        place / "app",
        {
            "pclgen.toml": '[dependencies]\na = { path = "../a" }\nb = { path = "../b" }\n',
            "site/main.pp": 'component x "a/part" {\n  label = "x"\n}\ncomponent y "b/part" {\n  label = "y"\n}\n',
        },
    )
    assert run("deps", "install") == 0
    assert run("generate", "site", "--language", "python", "--out", str(place / "out")) == 0
    assert {path.name for path in (place / "out").glob("*.py")} == {"__main__.py", "part.py", "b_part.py"}


def test_a_mistake_in_the_manifest_is_one_error(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(place / "app", {"pclgen.toml": '# x\n[dependencies]\nnetwork = "about 1"\n'})
    assert said(capsys, "check", "site") == [("PCL1601", "pclgen.toml:3:1")]


def test_the_cache_counts_packages(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(tmp_path / "tools"))
    capsys.readouterr()
    assert run("cache", "info", "--json") == 0
    assert json.loads(capsys.readouterr().out)["packages"]["files"] == 2
    assert run("cache", "clean") == 0
    assert run("deps", "install", "--frozen") == 0  # the index is a folder
    assert run("check", "site") == 0


def test_a_pyproject_has_dependencies_too(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "app/pclgen.toml").unlink()
    (place / "app/pclgen.lock").unlink()
    text = '[project]\nname = "x"\n[project.optional-dependencies]\nnetwork = ["x"]\n[tool.pclgen]\nindexes = ["../index"]\n'
    write_files(place / "app", {"pyproject.toml": text})
    assert run("deps", "add", "network@^1") == 0
    assert Path("pyproject.toml").read_text() == text + '\n[tool.pclgen.dependencies]\nnetwork = "^1"\n'
    assert run("check", "site") == 0
    write_files(place / "app", {"pyproject.toml": Path("pyproject.toml").read_text().replace('"^1"', '"^2"')})
    assert said(capsys, "deps", "install") == [("PCL1606", "pyproject.toml:9:1")]


def test_ranges_choose_versions_of_provider_packages(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def schema(version: str) -> str:
        member = f"from{version.replace('.', '').replace('-', '')}"
        thing = {"inputProperties": {member: {"type": "string"}}}
        return json.dumps({"name": "probe", "version": version, "resources": {"probe:index:Thing": thing}})

    versions = ("1.4.0", "1.9.0", "2.0.0-beta.1", "2.1.0", "3.0.0")
    write_files(place, {f"app/schemas/probe-{version}.json": schema(version) for version in versions})

    def chosen(own: str, needed: str) -> str:
        """The version that a program uses, and whether a package refuses it."""
        write_files(
            place,
            {
                "needy/pclgen.toml": manifest("needy", "1.0.0", providers={"probe": needed} if needed else {}),
                "needy/part/main.pp": OWN,
                "app/site/main.pp": 'component web "needy/part" {\n  label = "x"\n}\nresource it "probe:index:Thing" {\n  no = 1\n}\n',
                "app/pclgen.toml": '[dependencies]\nneedy = { path = "../needy" }\n'
                + (f'[providers]\nprobe = "{own}"\n' if own else ""),
            },
        )
        assert run("deps", "install") == 0
        capsys.readouterr()
        assert run("check", "site", "--verbose") == 1
        stderr = capsys.readouterr().err
        [match] = {version for version in versions if f"from{version.replace('.', '').replace('-', '')}" in stderr}
        return f"{match} refused" if "PCL1609" in stderr else match

    assert chosen("", "") == "3.0.0"
    assert chosen("^1", "") == "1.9.0"
    assert chosen("", "~1.4") == "1.4.0"
    assert chosen("^1 || ^3", "<3") == "1.9.0"
    assert chosen("^2", "") == "2.1.0"
    assert chosen("^2.0.0-alpha", "<=2.0.0-z") == "2.0.0-beta.1"
    assert chosen("^1", "^2") == "3.0.0 refused"
    assert chosen("^4", "") == "3.0.0 refused"
    write_files(place, {"app/pclgen.toml": '[packages.probe]\nversion = "2.1.0"\n[providers]\nprobe = "^1"\n'})
    write_files(place, {"app/site/main.pp": 'resource it "probe:index:Thing" {\n}\n'})
    assert run("deps", "install") == 0
    capsys.readouterr()
    assert run("check", "site") == 1
    assert "PCL1609" in capsys.readouterr().err
