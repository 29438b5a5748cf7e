"""Text of schemas and programs reaches a terminal without controls; help never invents a package to install."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import pclgen
from pclgen.cli import app
from pclgen.diagnostics.render import render_text
from pclgen.schema.recovery.conventions import PUBLISHED
from pclgen.schema.recovery.source import InstalledSource
from pclgen.schema.sources import Requirement
from tests.support.rules import for_all

EVIL = "a\x1b[2Jb\x9b31mc\x07d\x1b]0;title\x07e\u202ef\x7fg"
GOOD = "output x {\n  value=1\n}\n"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def schema(folder: Path) -> Path:
    """A schema in which every text is hostile."""
    content = {
        "name": "shop",
        "version": "1.0.0",
        "resources": {
            "shop:index:Server": {
                "description": EVIL,
                "deprecationMessage": EVIL,
                "inputProperties": {
                    "size": {"type": "string", "description": EVIL, "default": EVIL, "deprecationMessage": EVIL},
                    "count": {"type": "integer", "description": EVIL},
                },
            }
        },
    }
    (folder / "shop.json").write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize("color", ["never", "always"])
@pytest.mark.parametrize(
    "command", [["schema", "show", "shop:index:Server"], ["schema", "show", "shop"], ["schema", "list"], ["check", "web"]]
)
def test_commands(tmp_path: Path, capfd: pytest.CaptureFixture[str], command: list[str], color: str) -> None:
    schema(tmp_path)
    (tmp_path / "web").mkdir()
    source = f'resource web "shop:index:Server" {{\n  size = "{EVIL[:1]}"\n  count = "{EVIL[0]}\u202e"\n}}\n# \u2028\u202e\n'
    (tmp_path / "web" / "main.pp").write_text(source)
    paths = [str(tmp_path / word) if word == "web" else word for word in command]
    app.main([*paths, "--schemas", str(tmp_path), *([] if command[0] == "schema" else ["--color", color])])
    printed = "".join(capfd.readouterr())
    assert printed
    plain = re.sub("\x1b\\[[0-9;]*m", "", printed) if color == "always" else printed
    assert CONTROLS.search(plain) is None, repr(plain)


COMMANDS = (
    *("check EVIL", "generate EVIL -o o/{program} -l go", "generate EVIL --check", "generate EVIL --diff", "fmt --check EVIL"),
    *("fmt --diff EVIL", "graph EVIL", "evaluate EVIL", "build", "build --check", "build --diff", "build EVIL --out x", "init"),
    *("check EVIL/nothing", "check EVIL/x.txt", "schema check EVIL", "build --manifest EVIL/main.pp/x", "schema list"),
)


@for_all("text", [GOOD, "output x {\n  value = nope\n}\n", "@"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_is_no_line_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str, text: str
) -> None:
    """A directory may be called `a`, line end, `SPOOF: ...`: no printed line starts with `SPOOF`."""
    monkeypatch.chdir(tmp_path)
    evil = "a\nSPOOF: all is well\r\x85\u2028\x1b[2J"
    Path(evil, "schemas").mkdir(parents=True)
    Path(evil, "main.pp").write_text(text)
    Path(evil, "schemas", "shop-1.0.0.json").write_text('{"name": "shop", "version": "1.0.0"}')
    Path("schemas").symlink_to(Path(evil, "schemas"))
    app.main([word.replace("EVIL", evil) for word in command.split()])
    printed = "".join(capfd.readouterr())
    assert not re.search("^SPOOF", printed, re.MULTILINE), printed
    assert CONTROLS.search(printed) is None, repr(printed)


def test_a_text_of_a_program_is_no_line_of_its_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Labels, logical names, keys and values, in the output of runs and in diagnostics."""
    schema(tmp_path)
    evil = '"a\\nSPOOF: all is well"'
    good = (
        f"output {evil} {{\n  value = {{ {evil} = {evil} }}\n}}\n"
        f'resource {evil} "shop:index:Server" {{\n  __logicalName = {evil}\n  size = {evil}\n}}\n'
        f"config {evil} string {{\n  default = {evil}\n}}\n"
    )
    wrong = f'resource r "shop:index:Server" {{\n  size = {{ {evil} = 1 }}\n  {evil} = 2\n  count = {evil}\n}}\n'
    failing = f"output o {{\n  value = notImplemented({evil})\n}}\nconfig {evil} string {{}}\n"
    for text in (good, wrong, failing, f"a = {{}}[{evil}]\n", f'component c {evil} {{}}\n', f'a = invoke({evil}, {{}})\n'):
        (tmp_path / "main.pp").write_text(text)
        for command in ("check", "evaluate", "generate", "graph"):
            options = ["--out", str(tmp_path / "o/{language}")] if command == "generate" else []
            app.main([command, str(tmp_path), "--schemas", str(tmp_path / "shop.json"), *options])
            printed = "".join(capfd.readouterr())
            assert printed and not re.search("^SPOOF", printed, re.MULTILINE), printed


def test_diagnostics_of_a_bad_schema(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(json.dumps({"name": "shop", "version": EVIL}))
    diagnostics = pclgen.check({"main.pp": 'resource web "shop:index:Server" {\n}\n'}, schemas=[tmp_path]).diagnostics
    text = render_text(diagnostics, color=False)
    assert "#/version" in text and CONTROLS.search(text) is None


@pytest.mark.parametrize("name", ["s3", "toJSON", "shop", "aws-cdk", "utils", "kubernets"])
def test_help_invents_no_package(name: str, tmp_path: Path) -> None:
    assert name not in PUBLISHED
    assert InstalledSource((tmp_path,)).command(Requirement(name=name)) is None
    source = f'resource web "{name}:index:Server" {{\n}}\n'
    store = pclgen.project_store(tmp_path, cache=False)
    assert "pip install" not in render_text(pclgen.check({"main.pp": source}, store=store).diagnostics, color=False)


def test_help_names_packages_that_are_published(tmp_path: Path) -> None:
    assert InstalledSource((tmp_path,)).command(Requirement(name="aws")) == "pip install pulumi-aws"
