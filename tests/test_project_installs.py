"""A generated project works as written: its dependencies install, and the program compiles (in Python: runs).

The manifests are used unchanged, with pip, npm and go as a user runs them; the installed packages are those that they name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

import pclgen
from pclgen.targets.go import target
from tests.support import projects
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS, LANGUAGES

PROGRAM = {
    "main.pp": """
config length int {
  default = 12
}

config labels "map(string)" {
  default = { team = "web" }
}

resource pet "random:index:RandomPet" {
  length = 2
}

resource key "tls:index:PrivateKey" {
  algorithm = "ED25519"
}

resource greeting "command:local:Command" {
  create      = "echo ${pet.id} ${labels.team}"
  environment = { KEY = key.publicKeyOpenssh }
}

component login "./login" {
  size = length
}

output greeting {
  value = greeting.stdout
}

output password {
  value = login.password
}
""",
    "login/main.pp": """
config size int {}

resource password "random:index:RandomPassword" {
  length = size
}

output password {
  value = password.result
}
""",
}


@pytest.fixture(scope="module")
def files() -> Mapping[str, Mapping[PurePosixPath, str]]:
    result = pclgen.generate(PROGRAM, schemas=[EXAMPLE_SCHEMAS], name="my-shop")
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    return result.files


def test_pip(files: Mapping[str, Mapping[PurePosixPath, str]]) -> None:
    pins = files["python"][PurePosixPath("requirements.txt")].splitlines()
    assert pins == ["pulumi-command==1.2.1", "pulumi-random==4.21.1", "pulumi-tls==5.5.1", "pulumi>=3.0.0,<4.0.0"]
    have = dict(line.replace("_", "-").split("==") for line in projects.install_python(files["python"]).splitlines())
    assert [f"{name}=={version}" for name, version in sorted(have.items()) if name.startswith("pulumi-")] == pins[:-1]
    assert tuple(int(part) for part in have["pulumi"].split(".")[:2]) >= (3, 200)


def test_npm(files: Mapping[str, Mapping[PurePosixPath, str]]) -> None:
    have = projects.install_typescript(files["typescript"])
    exact = {"@pulumi/command": "1.2.1", "@pulumi/random": "4.21.1", "@pulumi/tls": "5.5.1"}
    assert {name: version for name, version in have.items() if name in exact} == exact
    assert have["@pulumi/pulumi"].startswith("3.") and have["typescript"].startswith("5.")


def test_go(files: Mapping[str, Mapping[PurePosixPath, str]]) -> None:
    written = files["go"][PurePosixPath("go.mod")]
    tidied = projects.install_go(files["go"])
    needed = dict(re.findall(r"^\t(\S+) (v\S+)$", tidied, re.MULTILINE))
    asked = dict(re.findall(r"^\t(\S+) (v\S+)$", written, re.MULTILINE))
    assert len(asked) == 4 and {*needed} == {*asked}
    # Other SDKs may require a later core SDK, which may require a later Go.
    core = "github.com/pulumi/pulumi/sdk/v3"
    assert {path: version for path, version in needed.items() if path != core} == {
        path: version for path, version in asked.items() if path != core
    }
    assert _numbers(needed[core]) >= _numbers(asked[core])
    language = re.compile(r"^go (\S+)$", re.MULTILINE)
    assert _numbers(language.findall(tidied)[0]) >= _numbers(language.findall(written)[0])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.removeprefix("v").split("."))


def test_the_version_of_go_is_what_the_core_sdk_asks_for() -> None:
    """That core SDK declares all names that programs in the snapshots use."""
    core = projects.go_module(target.CORE_VERSION)
    assert re.search(rf"^go {re.escape(target.GO_VERSION)}$", (core / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    sources = [path.read_text(encoding="utf-8") for path in (core / "go" / "pulumi").glob("**/*.go")]
    declared = {name for text in sources for name in re.findall(r"^func (?:\(.*?\) )?(\w+)", text, re.MULTILINE)}
    declared |= {name for text in sources for name in re.findall(r"^(?:type |\t)([A-Z]\w*)\b", text, re.MULTILINE)}
    programs = [path.read_text(encoding="utf-8") for path in (ROOT / "snapshots").glob("**/*.go*")]
    used = {name for text in programs for name in re.findall(r"\b(?:pulumi|ctx|cfg)\.([A-Z]\w*)", text)}
    assert len(used) > 100
    assert used - declared == set()


CONFIG = r"""
config region string {
  default     = "eu: \"west\"\nnorth"
  description = "Where: here"
}
config count int { default = -3 }
config large int { default = 9007199254740991 }
config on bool { default = false }
config ratio number { default = 0.5 }
config tiny number { default = 0.0000001 }
config huge number { default = 1e300 }
config weight number { description = "In kilograms" }
config any any {}
config token string { secret = true }
config factor number { secret = true }
config known string {
  default = "hush"
  secret  = true
}
config keys "map(string)" { secret = true }
config names "list(string)" {}
config grid "list(list(int))" { default = [[1, 2], []] }
config ratios "list(number)" { default = [1, 2.5] }
config rows "list(object({ a = string }))" {}
config labels "map(string)" { default = { a = "x", "b c" = "yes", "1" = "", "${"e"}" = "z" } }
config limits "map(number)" {}
config site "object({ name = string, ports = list(int), deep = map(bool) })" {
  default = { name = "n", ports = [80], deep = { on = true } }
}
config note string { nullable = true }
config none string { default = null }
config holes "map(optional(string))" { default = { a = null } }
config later string { default = stack() }
config wide "list(object({ a = string, b = list(list(string)) }))" {
  default = [{ a = "x", b = [["y", "- z"], []] }, { a = "", b = [] }]
}
config empty "map(list(map(string)))" { default = { a = [], b = [{}], c = [{ d = "e" }, { f = "g" }] } }
config bare "map(string)" { default = {} }
config "aws:region" string {}
output o { value = [region, token] }
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_as_the_cli_reads_them(language: str) -> None:
    """Read the settings with Pulumi's own reader, which refuses unknown settings."""
    result = pclgen.generate({"main.pp": CONFIG}, languages=[language], name="my-shop")
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    read = projects.read_settings({"shop": result.files[language][PurePosixPath("Pulumi.yaml")]})
    assert read == {
        "shop": {
            "config": {
                "region": {"type": "string", "description": "Where: here", "default": 'eu: "west"\nnorth'},
                "count": {"type": "integer", "default": -3},
                "large": {"type": "integer", "default": 9007199254740991},
                "on": {"type": "boolean", "default": False},
                "ratio": {"default": 0.5},
                "tiny": {"default": 1e-7},
                "huge": {"default": 1e300},
                "weight": {"description": "In kilograms"},
                "any": {},
                "token": {"type": "string", "secret": True},
                "factor": {"secret": True},
                "keys": {"type": "object", "secret": True},
                "names": {"type": "array", "items": {"type": "string"}},
                "grid": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "integer"}},
                    "default": [[1, 2], []],
                },
                "ratios": {"default": [1, 2.5]},
                "rows": {"type": "array", "items": {"type": "object"}},
                "labels": {"type": "object", "default": {"a": "x", "b c": "yes", "1": "", "e": "z"}},
                "limits": {"type": "object"},
                "site": {"type": "object", "default": {"name": "n", "ports": [80], "deep": {"on": True}}},
                "wide": {
                    "type": "array",
                    "items": {"type": "object"},
                    "default": [{"a": "x", "b": [["y", "- z"], []]}, {"a": "", "b": []}],
                },
                "empty": {"type": "object", "default": {"a": [], "b": [{}], "c": [{"d": "e"}, {"f": "g"}]}},
                "bare": {"type": "object", "default": {}},
            }
        }
    }


def test_the_cli_refuses_what_we_leave_out() -> None:
    """Pulumi refuses a type for a setting of another package, so the test above would notice a generated type."""
    text = "name: a\nruntime: go\nconfig:\n  aws:region:\n    type: string\n"
    read = projects.read_settings({"a": text, "b": text.replace("aws:region", "n").replace("string", "number")})
    assert "should not define a type" in str(read["a"]["error"])
    assert "must be one of" in str(read["b"]["error"])
