"""The VS Code extension: it compiles, its package is complete, its grammar colors programs, its client starts the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import pclgen
from pclgen.diagnostics.model import Severity
from pclgen.stdlib.registry import FUNCTIONS
from tests.support.corpus import needs_corpus, program_directories
from tests.support.generated import example_programs
from tests.support.toolchains import node_commands, run, vscode

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = ROOT / "editors" / "vscode"
SUPPORT = ROOT / "tests" / "support" / "vscode"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the extension with its dependencies and its bundle."""
    copy = tmp_path_factory.mktemp("extension") / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    (copy / "node_modules").symlink_to(vscode().modules)
    script(copy, "bundle")
    return copy


def script(folder: Path, name: str) -> str:
    """Run a script of the extension's `package.json`."""
    node, npm = node_commands()
    path = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    return run([*npm, "run", "--silent", name], cwd=folder, env={"PATH": path})


def test_sources_compile_and_are_formatted(folder: Path) -> None:
    script(folder, "check")
    script(folder, "format")


def test_the_package_has_what_vs_code_loads_and_nothing_else(folder: Path) -> None:
    script(folder, "package")
    [package] = folder.glob("*.vsix")
    with zipfile.ZipFile(package) as files:
        names = {name.removeprefix("extension/").lower() for name in files.namelist() if name.startswith("extension/")}
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    contributed = manifest["contributes"]
    named = [manifest["main"], *(entry["path"] for kind in ("grammars", "snippets") for entry in contributed[kind])]
    named += [contributed["languages"][0]["configuration"], manifest["icon"]]
    assert {name.removeprefix("./").lower() for name in named} <= names
    assert names == {
        *("package.json", "readme.md", "changelog.md", "license.txt", "icon.png", "language-configuration.json"),
        *("dist/extension.js", "snippets/pcl.json", "syntaxes/pcl.tmlanguage.json", "syntaxes/markdown.tmlanguage.json"),
    }


# -- the grammar -------------------------------------------------------------------------------------------------------

def tokenized(texts: Sequence[str], scope: str = "source.pcl") -> list[Mapping[str, Any]]:
    """Texts as VS Code's engine tokenizes them: `lines` of pairs of a text and its scopes, `open` scopes at the end."""
    with tempfile.TemporaryDirectory() as folder:
        requests = Path(folder) / "requests.json"
        requests.write_text(json.dumps([{"scope": scope, "text": text} for text in texts]), encoding="utf-8")
        command = [vscode().node, SUPPORT / "tokenize.cjs", vscode().modules, EXTENSION, requests]
        answer: list[Mapping[str, Any]] = json.loads(run(command, cwd=ROOT))
    return answer


TOKENS: Mapping[str, Sequence[tuple[str, str]]] = {
    "# a comment": [("#", "punctuation.definition.comment.pcl"), (" a comment", "comment.line.pcl")],
    "/* a */ x = 1": [(" a ", "comment.block.pcl"), ("x", "variable.other.property.pcl"), ("1", "constant.numeric.pcl")],
    'config size int { default = 2 }': [
        ("config", "storage.type.block.pcl"),
        ("size", "entity.name.label.pcl"),
        ("int", "support.type.primitive.pcl"),
        ("default", "variable.other.property.pcl"),
    ],
    'resource web "aws:s3/bucket:Bucket" {}': [
        ("resource", "storage.type.block.pcl"),
        ("web", "entity.name.label.pcl"),
        ("aws:s3/bucket:Bucket", "entity.name.type.pcl"),
    ],
    'name = "a-${web.id}\\n"': [
        ("a-", "string.quoted.double.pcl"),
        ("${", "punctuation.section.interpolation.begin.pcl"),
        ("web", "variable.other.readwrite.pcl"),
        ("id", "variable.other.member.pcl"),
        ("\\n", "constant.character.escape.pcl"),
    ],
    'text = "%{ if on }yes%{ endif }"': [("if", "keyword.control.pcl"), ("endif", "keyword.control.pcl")],
    'escaped = "$${a} \\q"': [("$$", "constant.character.escape.pcl"), ("\\q", "invalid.illegal.escape.pcl")],
    "names = [for name in names : name if name != null]": [
        ("for", "keyword.control.pcl"),
        ("in", "keyword.control.pcl"),
        ("if", "keyword.control.pcl"),
        ("null", "constant.language.null.pcl"),
    ],
    "both = { for k, v in m : k => v... }": [
        ("=>", "keyword.operator.arrow.pcl"),
        ("...", "keyword.operator.expansion.pcl"),
    ],
    "all = rules[*].name": [("*", "keyword.operator.splat.pcl"), ("name", "variable.other.member.pcl")],
    "ok = !a && b >= 1.5e3 ? true : false": [
        ("&&", "keyword.operator.logical.pcl"),
        (">=", "keyword.operator.comparison.pcl"),
        ("1.5e3", "constant.numeric.pcl"),
        ("?", "keyword.operator.ternary.pcl"),
        ("true", "constant.language.boolean.pcl"),
    ],
    'x = toJSON(own::shout("a"))': [
        ("toJSON", "support.function.builtin.pcl"),
        ("own::shout", "entity.name.function.pcl"),
    ],
    "x = <<EOT\na ${b}\nEOT\ny = 1": [
        ("EOT", "entity.name.tag.heredoc.pcl"),
        ("a ", "string.unquoted.heredoc.pcl"),
        ("b", "variable.other.readwrite.pcl"),
        ("y", "variable.other.property.pcl"),
    ],
    "x = f(1))": [(")", "invalid.illegal.unbalanced.pcl")],
}


def test_tokens_have_their_scopes() -> None:
    for text, result in zip(TOKENS, tokenized(list(TOKENS)), strict=True):
        scopes = [(part, scope) for line in result["lines"] for part, scopes in line for scope in scopes]
        missing = [pair for pair in TOKENS[text] if pair not in scopes]
        assert missing == [], text


def assert_colored(paths: Sequence[Path]) -> None:
    """Check that programs have no invalid token, and that no scope is open after their last line."""
    assert paths
    results = tokenized([path.read_text(encoding="utf-8").rstrip("\n") for path in paths])
    for path, result in zip(paths, results, strict=True):
        invalid = [part for line in result["lines"] for part, scopes in line if any("invalid" in scope for scope in scopes)]
        assert (path.name, invalid, result["open"]) == (path.name, [], ["source.pcl"])


def test_examples_are_colored() -> None:
    assert_colored([path for folder in example_programs().values() for path in sorted(folder.rglob("*.pp"))])


@needs_corpus
def test_field_programs_are_colored() -> None:
    assert_colored([path for folder in program_directories("field") for path in sorted(folder.rglob("*.pp"))])


def test_every_builtin_function_is_colored() -> None:
    results = tokenized([f"x = {name}(" for name in FUNCTIONS])
    plain = [
        name
        for name, result in zip(FUNCTIONS, results, strict=True)
        if [name, "support.function.builtin.pcl"] not in [[part, scopes[-1]] for part, scopes in result["lines"][0]]
    ]
    assert plain == []


def test_programs_in_markdown_are_colored() -> None:
    text = "# Title\n\n```pcl\nconfig size int {}\n```\n\n```hcl pcl\nx = 1\n```\n\n```python\nconfig = 1\n```\n"
    [result] = tokenized([text], "text.html.markdown")
    words = {part: scopes[-1] for line in result["lines"] for part, scopes in line if part.strip()}
    assert words["size"] == "entity.name.label.pcl"
    assert words["x"] == "variable.other.property.pcl"
    assert words["config = 1"] == "text.html.markdown"


# -- the client --------------------------------------------------------------------------------------------------------


def test_the_client_starts_the_server(folder: Path, tmp_path: Path) -> None:
    """It runs against a stub of VS Code's API: trust, a missing command, diagnostics, explanations, generated code and
    its matching lines, the page of a program."""
    program = 'config name string { default = "hello" }\noutput greeting { value = nmae }\n'
    (tmp_path / "main.pp").write_text(program, encoding="utf-8")
    (tmp_path / "yaml").mkdir()
    (tmp_path / "yaml" / "Pulumi.yaml").write_text("name: site\nruntime: yaml\n", encoding="utf-8")
    (tmp_path / "yaml" / "Main.yaml").write_text("outputs:\n  greeting: ${missing}\n", encoding="utf-8")
    command = tmp_path / "pclgen"
    log = 'if [ "$1" = lsp ]; then exec 2>> "$0.log"; fi'
    command.write_text(f'#!/bin/sh\n{log}\nexec "{sys.executable}" -m pclgen "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    client = [vscode().node, SUPPORT / "run_client.cjs", folder / "dist" / "extension.js", tmp_path, command, ROOT / "examples" / "schemas"]
    seen = json.loads(run(client, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}))
    assert seen["untrusted"] == {"running": False, "messages": []}
    assert "Cannot start `/nowhere/pclgen lsp`" in seen["missing"][-1]
    assert len(seen["broken"]) == 2 and "Cannot start `/bin/false lsp`" in seen["broken"][-1]
    assert seen["running"] is True
    assert seen["wrong"][0] == ["PCL0501", 1, 26]
    assert seen["yaml"] == [["PCL1211", 1, 14]]
    assert [path for path, _ in seen["explained"]] == ["/PCL0501.md"]
    assert seen["refused"]["shown"] == [] and "pclgen cannot generate the program" in seen["refused"]["messages"][0]
    assert seen["right"] == []
    generated = dict(seen["generated"])
    assert 'pulumi.export("greeting", name)' in generated["/python/__main__.py"]
    assert "export const greeting = name" in generated["/typescript/index.ts"]
    assert 'ctx.Export("greeting"' in generated["/go/main.go"]
    assert seen["partners"] == {
        "program": [[[[3, 3]], [[11, 14]]], [[[5, 5]], [[16, 16]]], [[], []]],  # lines in Python and in Go
        "go": [[[]], [[[0, 0]]], [[[0, 0]]], [[[1, 1]]]],
    }
    assert "goodbye" in seen["refreshed"][1]
    assert seen["page"]["same"] and seen["page"]["count"] == 2 and "greeting" in seen["page"]["text"]
    assert len(seen["noPage"]) == 1 and "nowhere" in seen["noPage"][0]
    assert seen["stopped"] is False
    assert (tmp_path / "pclgen.log").read_text(encoding="utf-8") == ""


# -- snippets ----------------------------------------------------------------------------------------------------------


def expanded(body: str | Sequence[str]) -> str:
    """A snippet with its defaults and the first of its choices; a list where the default is empty."""
    text = body if isinstance(body, str) else "\n".join(body)
    for pattern, value in ((r"= \$0", "= []"), (r"\$0", ""), (r"\$\{\d+\|([^,|]*)[^|]*\|\}", r"\1"), (r"\$\{\d+(?::([^{}]*))?\}", r"\1")):
        text = re.sub(pattern, value, text)
    return text


SNIPPETS: Mapping[str, Mapping[str, Any]] = json.loads((EXTENSION / "snippets" / "pcl.json").read_text(encoding="utf-8"))
AROUND = {"Options": 'resource web "shop:index:Server" {\n@\n}', "For list": "x = @", "For object": "x = @"}
UNFINISHED = {"PCL0302", "PCL0501", "PCL0705"}
"""Packages, variables and folders that do not exist yet."""


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_are_programs(name: str) -> None:
    text = AROUND.get(name, "@").replace("@", expanded(SNIPPETS[name]["body"]))
    codes = {d.code for d in pclgen.check({"main.pp": text}).diagnostics if d.severity is Severity.ERROR}
    assert codes <= UNFINISHED, (text, codes)
