"""The configuration of programs: settings, patterns, errors, `pclgen init`, the JSON Schema."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pclgen.build.programs import find_programs
from pclgen.choices import Level, Strictness, is_named, matches
from pclgen.cli import app
from pclgen.languages import TARGETS
from pclgen.schema.config import ConfigurationError, SourceKind, find_configuration
from pclgen.schema.configfile import SCHEMA_FILE, SOURCES, json_schema
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS

EVERYTHING = """
programs = ["infra/*", "snippets/*.pp"]
exclude = ["infra/old"]
languages = ["go", "ts"]
output = "out/{path}/{language}"
project-files = false
copy-files = false
strictness = "lenient"

[levels]
PCL0420 = "off"
PCL0507 = "error"

[[overrides]]
programs = ["infra/legacy"]
languages = ["python"]

[[overrides]]
programs = ["infra/**"]
strictness = "strict"
project-files = true
levels = {PCL0420 = "warning"}
"""


def tables_of(schema: str) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(schema)["$defs"]
    return tables


def write(folder: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


@pytest.mark.parametrize(("file", "head"), [("pclgen.toml", ""), ("pyproject.toml", "tool.pclgen")])
def test_every_setting(tmp_path: Path, file: str, head: str) -> None:
    text = EVERYTHING
    if head:
        text = text.replace("[levels]", f"[{head}.levels]").replace("[[overrides]]", f"[[{head}.overrides]]")
        text = f"[{head}]\n{text}"
    (tmp_path / file).write_text(text)
    building = find_configuration(tmp_path).building
    assert (building.programs, building.exclude, building.output) == (
        ("infra/*", "snippets/*.pp"),
        ("infra/old",),
        "out/{path}/{language}",
    )
    plain = building.of("snippets/a")
    assert (plain.languages, plain.project_files, plain.copy_files) == (("typescript", "go"), False, False)
    assert (plain.strictness, plain.levels) == (Strictness.LENIENT, {"PCL0420": Level.OFF, "PCL0507": Level.ERROR})
    legacy = building.of("infra/legacy")
    assert (legacy.languages, legacy.project_files, legacy.strictness) == (("python",), True, Strictness.STRICT)
    assert legacy.levels == {"PCL0420": Level.WARNING, "PCL0507": Level.ERROR}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("progams = []", ":1:1: unknown setting `progams`", "did you mean `programs`?"),
        ("\nlanguages = ['rust']", ":2:1: there is no language `rust`", f"there are {', '.join(TARGETS)}"),
        ("languages = ['pyhton']", ":1:1: there is no language `pyhton`", "did you mean `python`?"),
        ("languages = []", ":1:1: `languages` is empty", f"there are {', '.join(TARGETS)}"),
        ("languages = 'go'", ":1:1: `languages`: expected a list, got a text", None),
        ("output = 'out/{lang}'", ":1:1: `output`: unknown placeholder `{lang}` in `out/{lang}`",
         "there are {path}, {program} and {language}"),
        ("strictness = 'lenint'", ":1:1: `lenint` is none of the values", "did you mean `lenient`?"),
        ("[levels]\nPCL0420 = 'warnin'", ":2:1: `warnin` is none of the values", "did you mean `warning`?"),
        ("[levels]\npcl420 = 'off'", ":2:1: there is no diagnostic `pcl420`", "did you mean `PCL0420`?"),
        ("levels = {PCL0420 = 3}", ":1:1: `levels`: expected a text, got a whole number", None),
        ("programs = ['../else']", ":1:1: `../else` names no program", "programs are named"),
        ("exclude = ['/else']", ":1:1: `/else` names no program", "programs are named"),
        ("[[overrides]]\nlanguages = ['go']", ":1:3: `overrides`: a table without `programs`", None),
        (
            "[[overrides]]\nprograms = ['a']\n[[overrides]]\nprograms = ['b']\nlanguages = ['java']",
            ":5:1: there is no language `java`", "there are",
        ),
        (
            "[[overrides]]\nprograms = ['a']\n[[overrides]]\nprograms = ['b']\nprogram = ['c']",
            ":5:1: unknown setting `program`", "did you mean `programs`?",
        ),
        (
            "[[overrides]]\nprograms = ['a']\nlevels = {PCL0420 = 'loud'}",
            ":3:11: `loud` is none of the values", "there are error, warning, off",
        ),
    ],
)  # fmt: skip  # a table
def test_mistakes_have_a_place_and_help(tmp_path: Path, text: str, message: str, hint: str | None) -> None:
    path = tmp_path / "pclgen.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        find_configuration(tmp_path)
    assert str(caught.value) == f"{path}{message}"
    assert (caught.value.hint or "").startswith(hint or "")


@pytest.mark.parametrize(
    ("pattern", "named", "others"),
    [
        ("infra/web", ["infra/web"], ["infra", "infra/web/x", "infra/webs"]),
        ("./infra/web/", ["infra/web"], ["infra"]),
        ("infra/*", ["infra/web"], ["infra", "infra/a/b"]),
        ("infra/**", ["infra/a", "infra/a/b"], ["infra", "other/a"]),
        ("**/web", ["web", "a/web", "a/b/web"], ["a/webs", "aweb"]),
        ("a/**/z", ["a/z", "a/b/z", "a/b/c/z"], ["a/bz", "z"]),
        ("v?.[x]", ["v1.[x]"], ["v12.[x]", "v1.x"]),
        ("**", ["a", "a/b"], []),
    ],
)
def test_patterns(pattern: str, named: list[str], others: list[str]) -> None:
    assert [label for label in [*named, *others] if matches(pattern, label)] == named
    assert all(is_named(pattern, label) and is_named(pattern, f"{label}/deeper/still") for label in named)


def is_named_by(pattern: list[str], parts: list[str]) -> bool:
    """The meaning of patterns, step by step."""
    match pattern:
        case []:
            return not parts
        case ["**", *rest]:
            return any(is_named_by(rest or ["*"], parts[at:]) for at in range(len(parts) + 1)) or (not rest and bool(parts))
        case [first, *rest]:
            return bool(parts) and fnmatchcase(parts[0], first) and is_named_by(rest, parts[1:])
    return False


def test_patterns_of_all_kinds() -> None:
    chance = random.Random(1)
    for _ in range(3_000):
        pattern = [chance.choice(["**", "*", "?", "a", "a*", "*b", "a*b", "*a*b*", "b?*"]) for _ in range(chance.randint(1, 5))]
        label = ["".join(chance.choices("ab", k=chance.randint(1, 4))) for _ in range(chance.randint(1, 6))]
        assert matches("/".join(pattern), "/".join(label)) == is_named_by(pattern, label), (pattern, label)


@pytest.mark.parametrize(
    ("pattern", "label"),
    [
        ("**/" * 100 + "z", "d/" * 100 + "d"),
        ("**/d/" * 30 + "z", "d/" * 100 + "d"),
        ("*a" * 50 + "b", "a" * 255),
        ("**/" + "*a" * 50 + "b/c", f"{'a' * 255}/" * 15 + "c"),
    ],
)  # fmt: skip  # a table
def test_patterns_that_would_take_for_ever(pattern: str, label: str) -> None:
    assert not matches(pattern, label)
    assert not is_named(pattern, label)


def test_a_long_line_of_brackets_is_looked_through_once(tmp_path: Path) -> None:
    """Each bracket may begin the list with the mistake; a bracket that ends the search at the end of the line would scan
    the line 200,000 times."""
    (tmp_path / "pclgen.toml").write_text('output = "' + "[" * 200_000 + '"\n"\\u0078yz" = 1\n')
    with pytest.raises(ConfigurationError, match="unknown setting `xyz`"):
        find_configuration(tmp_path)


def test_programs_are_folders_files_and_what_lies_below(tmp_path: Path) -> None:
    write(tmp_path, "infra/web/main.pp", "infra/app/main.pp", "infra/deep/er/main.pp", "snippets/a.pp", "snippets/b.pp")
    write(tmp_path, "infra/.hidden/main.pp", "infra/node_modules/x/main.pp", "infra/none/readme.md", "out/made/main.pp")
    write(tmp_path, "infra/site/main.pp", text='component "page" "../page" {\n}\n  component "x" "./part" {}\n')
    write(tmp_path, "infra/page/main.pp", "infra/site/part/main.pp")

    def labels(*patterns: str, exclude: tuple[str, ...] = ()) -> list[str]:
        programs = find_programs(tmp_path, patterns, exclude=exclude, skipped=[tmp_path / "out"]).present
        assert all(program.path.exists() for program in programs)
        return [program.label for program in programs]

    assert labels("infra") == ["infra/app", "infra/deep/er", "infra/site", "infra/web"], "components are not programs"
    assert labels("infra/*") == ["infra/app", "infra/site", "infra/web"]
    assert labels("infra/page") == ["infra/page"], "named as it stands"
    assert labels("snippets/*.pp") == ["snippets/a", "snippets/b"]
    assert labels("snippets") == ["snippets"]
    assert labels(".", exclude=("infra/deep", "snippets")) == ["infra/app", "infra/site", "infra/web"]
    assert find_programs(tmp_path, ["infra/web", "none/*"]).unmatched == ("none/*",)
    absent = find_programs(tmp_path, ["infra/wbe", "infra/none", "nowhere", "infra/web"]).missing
    assert [entry.pattern for entry in absent] == ["infra/wbe", "infra/none", "nowhere"]
    assert absent[0].hint == "did you mean `infra/web`?" and "there is no program at" in str(absent[0])


def test_init_writes_what_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "infra/web/main.pp", "infra/app/main.pp", "tool/main.pp", "house-style/go/file.go.jinja")
    assert app.main(["init"]) == 0
    assert "wrote pclgen.toml: 3 programs" in capsys.readouterr().err
    building = find_configuration(tmp_path).building
    assert building.programs == ("infra/app", "infra/web", "tool")
    text = (tmp_path / "pclgen.toml").read_text()
    # The commented settings are valid, too.
    (tmp_path / "pclgen.toml").write_text("\n".join(
        line.removeprefix("# ") if not line.endswith((".", ":")) and any(mark in line for mark in ("=", "# [")) else line
        for line in text.splitlines() if "schemas/" not in line and "vendor" not in line
    ))  # fmt: skip  # one expression
    building = find_configuration(tmp_path).building
    assert len(building.overrides) == 1 and building.exclude and building.choices.levels
    (tmp_path / "pclgen.toml").write_text(text)
    assert app.main(["init"]) == 2
    assert "there is a configuration already" in capsys.readouterr().err
    assert (tmp_path / "pclgen.toml").read_text() == text


@pytest.mark.parametrize(
    ("paths", "patterns"),
    [([], ["**"]), (["main.pp"], ["."]), ([f"infra/{n}/main.pp" for n in range(20)], ["infra/**"]),
     ([f"{n}/main.pp" for n in range(20)], ["**"]), (["a\\b/main.pp", 'c "d/main.pp'], ["a?b", 'c "d']),
     (["main.pp", "infra/web/main.pp"], [".", "infra/web"]), (["web/Pulumi.yaml"], ["web"]),
     (["build/web/go/main.pp", "web/main.pp"], ["web"])],
    ids=["none", "here", "many", "wide", "odd", "here-and-below", "yaml", "built"],
)  # fmt: skip  # a table
def test_init_names_folders_when_there_are_many(tmp_path: Path, paths: list[str], patterns: list[str]) -> None:
    write(tmp_path, *paths, text="outputs: {}\n" if paths == ["web/Pulumi.yaml"] else "x = 1\n")
    assert app.main(["init", str(tmp_path)]) == 0
    assert tomllib.loads((tmp_path / "pclgen.toml").read_text())["programs"] == patterns
    named = find_programs(tmp_path, find_configuration(tmp_path).building.programs or (), skipped=[tmp_path / "build"])
    assert len(named.present) == len([path for path in paths if not path.startswith("build/")]) and not named.missing


def test_the_shipped_json_schema_is_that_of_the_reader(capsys: pytest.CaptureFixture[str]) -> None:
    shipped = (ROOT / "pclgen" / SCHEMA_FILE).read_text(encoding="utf-8")
    assert shipped == json_schema()
    assert app.main(["init", "--json-schema"]) == 0
    assert capsys.readouterr().out == shipped


VALUES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "programs": (["[]", "['infra/*', './a', 'x..y/b']"], ["'a'", "['']", "['/a']", "['../a']", "['a/../b']", "['a\\\\b']", "[1]"]),
    "exclude": (["[]", "['infra/old']"], ["['..']", "true"]),
    "languages": (["['py', 'typescript', 'golang', 'yaml']"], ["[]", "['rust']", "'go'", "['Go']"]),
    "output": (["'out/{path}/{language}'", "'out'", "'{program}'"], ["''", "'{lang}'", "'a{'", "'a}b'", "1"]),
    "project-files": (["true", "false"], ["'yes'", "1"]),
    "copy-files": (["true"], ["0"]),
    "templates": (["'house'"], ["1", "[]"]),
    "strictness": (["'strict'", "'lenient'"], ["'loose'", "true"]),
    "runtime-checks": (["'none'", "'blame'"], ["'all'", "true"]),
    "json": (["'natural'", "'canonical'"], ["'pretty'", "true"]),
    "levels": (["{}", "{PCL0420 = 'off', PCL0507 = 'error'}"], ["{PCL0420 = 'loud'}", "{PCL042 = 'off'}", "{PCL0420 = 1}", "[]"]),
    "overrides": (["[]", "[{programs = ['a'], languages = ['go'], levels = {PCL0420 = 'off'}}]"],
                  ["[{}]", "[{programs = 'a'}]", "[{programs = ['../a']}]", "[{programs = ['a'], language = ['go']}]"]),
    "schemas": (["[]", "['house']"], ["'house'", "[1]"]),
    "sources": (["['files', 'sdk', 'plugin', 'cli', 'loader']", "[]"], ["['web']", "'files'"]),
    "sdk-folders": (["['.venv']"], ["'.venv'"]),
    "loader": (["'127.0.0.1:1234'"], ["1234"]),
    "time-limit": (["1", "0.5"], ["0", "-1", "'1'"]),
    "cache-size": (["1"], ["0", "-1", "1.5"]),
    "verify-cache-size": (["1"], ["0", "-1", "1.5"]),
    "packages": (["{}", "{aws = {version = '7.1.0', language = {go = {importBasePath = 'x'}}}}"], ["{aws = '7.1.0'}", "{aws = {versions = '7.1.0'}}"]),
    "functions": (["{acme = 'tools/functions.py:FUNCTIONS', own = 'a.b:C'}"], ["'tools.py:F'", "{acme = 1}", "{acme = 'x'}"]),
    "package": (["{name = 'net', version = '1.0.0', exports = ['a']}"], ["{name = 'net'}", "{version = '1.0.0'}", "'net'"]),
    "dependencies": (["{net = '^1', other = {path = '../x'}}"], ["{net = 1}", "{net = {pth = 'x'}}"]),
    "providers": (["{aws = '^7.0'}"], ["{aws = 7}"]),
    "indexes": (["['../packages']"], ["'../packages'"]),
    "policies": (["['policy.toml']"], ["'policy.toml'"]),
    "testing": (["[{}]", "[{programs = ['a'], languages = ['ts'], verify = 'run', diagnostics = true, config = {a = 'b'}}]"],
                ["{}", "[{languages = ['rust']}]", "[{verify = 'deep'}]", "[{program = ['a']}]", "[{config = {a = 1}}]"]),
}  # fmt: skip  # a table
"""Valid and invalid values of each setting."""


@pytest.mark.parametrize("setting", tables_of(json_schema())["File"]["properties"])
def test_an_editor_says_what_the_reader_says(tmp_path: Path, setting: str) -> None:
    (tmp_path / "house").mkdir()
    validator = jsonschema.Draft202012Validator(json.loads(json_schema()))
    for values, is_right in zip(VALUES[setting], (True, False), strict=True):
        for value in values:
            text = f"{setting} = {value}\n"
            (tmp_path / "pclgen.toml").write_text(text)
            assert validator.is_valid(tomllib.loads(text)) == is_right, text
            if is_right:
                find_configuration(tmp_path)
            else:
                with pytest.raises(ConfigurationError, match=r"pclgen\.toml:1:\d+: "):
                    find_configuration(tmp_path)


def test_an_editor_knows_all_sources() -> None:
    assert tuple(SourceKind) == SOURCES


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/pclgen.toml")), ids=lambda path: path.parent.name)
def test_the_examples_are_right_for_an_editor(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), json.loads(json_schema()))


def test_the_json_schema_knows_every_setting_and_no_other() -> None:
    tables = tables_of(json_schema())
    assert set(tomllib.loads(EVERYTHING)) <= set(tables["File"]["properties"])
    for name, table in tables.items():
        assert table["additionalProperties"] is False, name
        for setting, about in table["properties"].items():
            assert about.get("description") or "$ref" in json.dumps(about), f"{name}.{setting} says what it is for"


CHECKING = (
    "check web",
    "config schema web",
    "evaluate web",
    "generate web --dump-after bind",
    "generate web --language python --out out",
    "graph web",
    "pack web --out web.mupack",
    "verify web --languages python --level format",
)
"""The commands that check programs."""


@pytest.mark.parametrize("command", CHECKING)
def test_each_command_is_as_lenient_as_the_configuration(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "main.pp").write_text('resource pet "random:index/randomPet:RandomPet" {\n  lengthh = 2\n}\n')
    monkeypatch.chdir(tmp_path)
    words = [*command.split(), "--schemas", str(EXAMPLE_SCHEMAS)]
    for strictness, status in (("strict", 1), ("lenient", 0)):
        Path("pclgen.toml").write_text(f'strictness = "{strictness}"\n')
        assert app.main(words) == status, capsys.readouterr().err
