"""What the README shows is what pclgen does: the example and its three outputs, the errors, the commands, the library.

Comes in: the fenced blocks of README.md, by heading and language.  `PCLGEN_UPDATE_README=1 pytest tests/test_readme.py`
writes the outputs and errors anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mypy import api

import pclgen
from tests.support import toolchains
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS
from tests.support.toolchains import Sdks

README = ROOT / "README.md"
MAIN_FILES = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}

MISTAKES = {
    '"fra1"\n': '"fra1"\n  monitor = true\n',
    "= domain\n": "= domian\n",
    '"A"\n': '"A"\n  ttl    = "soon"\n',
    "ipv4Address": "ipv4Adress",
}
"""What is changed in the example to make the four mistakes."""


_IMPORT = r"^(?:import pclgen$|from pclgen import|from pclgen\.build\.model import)"
"""How the Python of the README that uses the library begins."""


def section(heading: str) -> str:
    """The text below a heading, up to the next."""
    return README.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]


def blocks(heading: str, language: str) -> list[str]:
    """The fenced blocks of that language below the heading."""
    return re.findall(rf"^```{language}\n(.*?)^```$", section(heading), re.MULTILINE | re.DOTALL)


def block(heading: str, language: str) -> str:
    """The only one."""
    found = blocks(heading, language)
    assert len(found) == 1, f"{len(found)} {language} blocks under {heading!r}"
    return found[0]


def hold(heading: str, language: str, text: str) -> None:
    """Compare a block with `text`, or write `text` into it when that is asked for."""
    shown = block(heading, language)
    if os.environ.get("PCLGEN_UPDATE_README"):
        whole = README.read_text(encoding="utf-8")
        below = section(heading)
        changed = below.replace(f"```{language}\n{shown}```", f"```{language}\n{text}```")
        README.write_text(whole.replace(below, changed), encoding="utf-8")
    else:
        assert shown == text


@cache
def example() -> Mapping[str, str]:
    """The main file of the README's program in each language."""
    program = {"main.pp": block("An example", "terraform")}
    result = pclgen.generate(program, schemas=[EXAMPLE_SCHEMAS], program_only=True, name="website")
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    files = {language: {str(p): text for p, text in made.items()} for language, made in result.files.items()}
    return {language: files[language][name] for language, name in MAIN_FILES.items()}


@pytest.mark.parametrize("language", MAIN_FILES)
def test_example(language: str) -> None:
    hold("An example", language, example()[language])


def test_errors() -> None:
    text = block("An example", "terraform")
    for right, wrong in MISTAKES.items():
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    result = pclgen.check({"main.pp": text}, schemas=[EXAMPLE_SCHEMAS], name="website")
    assert len(result.diagnostics) == len(MISTAKES)
    hold("How errors look", "text", pclgen.render_diagnostics(result.diagnostics).strip("\n") + "\n")


def commands() -> list[list[str]]:
    """Every pclgen command line in the README, without the name of the program."""
    text = README.read_text(encoding="utf-8")
    found = re.findall(r"^\| `pclgen (.+?)` \|", text, re.MULTILINE) + re.findall(r"/bin/pclgen (.+)$", text, re.MULTILINE)
    return [shlex.split(line) for line in found]


@pytest.mark.parametrize("arguments", commands(), ids=" ".join)
def test_commands(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs, in a folder with programs of the names that the README uses, and with the SDK that it installs."""
    from pclgen.cli.app import main

    monkeypatch.setenv("VIRTUAL_ENV", str(toolchains.python(Sdks.INSTALLED).home / "venv"))
    monkeypatch.setenv("PCLGEN_SOURCES", "files,sdk")

    for name in ("website", "a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.pp").write_text('output url {\n  value = "http://example.com/"\n}\n')
    (tmp_path / "website" / "Pulumi.prod.yaml").write_text("config: {}\n")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "examples" / "house-style" / "templates", tmp_path / "house")
    (tmp_path / "policy.toml").write_text('["random:index/randomPet:RandomPet".properties.length]\nmaximum = 10\n')
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("Words.\n")
    (tmp_path / "Pulumi.yaml").write_text('name: shop\nruntime: yaml\noutputs:\n  url: http://example.com/\n')
    (tmp_path / "shop.json").write_text('{"name": "shop", "version": "1.0.0"}')
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 0


@pytest.mark.parametrize(("at", "line"), [(0, r"main\.go \d+"), (1, None)], ids=["generate", "docs"])
def test_library(at: int, line: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    found = blocks("As a library", "python")
    assert len(found) == 2
    with contextlib.redirect_stdout(printed):
        exec(compile(found[at], "README.md", "exec"), {})
    # There is no Markdown beside the example program.
    assert printed.getvalue() == "" if line is None else re.search(f"^{line}$", printed.getvalue(), re.MULTILINE)


def test_any_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    for number in range(3):
        (tmp_path / f"s{number}.pp").write_text(f"output a {{\n  value = {number}\n}}\n")
    [snippet] = [text for text in blocks("Commands", "python") if "compile_tasks" in text]
    names: dict[str, Any] = {}
    exec(compile(snippet, "README.md", "exec"), names)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(names["compile_snippets"](tmp_path, pool)) == [f"s{number} generated" for number in range(3)]
    assert (tmp_path / "out" / "s2" / "go" / "main.go").is_file()


def test_python_type_checks() -> None:
    """Every piece of Python that uses the library, as a file of its own, in mypy's strictest mode."""
    text = README.read_text(encoding="utf-8")
    found = re.findall(r"^```python\n((?:import|from) .*?)^```$", text, re.MULTILINE | re.DOTALL)
    found = [snippet for snippet in found if re.search(_IMPORT, snippet, re.MULTILINE)]
    assert len(found) == len(re.findall(_IMPORT, text, re.MULTILINE)) >= 4
    folder = toolchains.cache_folder() / "readme-snippets"
    folder.mkdir(parents=True, exist_ok=True)
    with toolchains.locked("readme-snippets"):
        files = [folder / f"snippet_{at}.py" for at in range(len(found))]
        for path, text in zip(files, found, strict=True):
            path.write_text(text, encoding="utf-8")
        out, problems, status = api.run(
            ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={folder / 'mypy'}", *map(str, files)]
        )
    assert (out.splitlines()[:-1], problems, status) == ([], "", 0)


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
