"""The README and the guides show pclgen's behavior: programs, generated code, pictures, the library.

`PCLGEN_UPDATE_README=1 pytest tests/test_readme.py` rewrites the generated code; `python -m scripts.pictures` the pictures.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mypy import api

import pclgen
from scripts.pictures import check_picture
from tests.support import toolchains
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS
from tests.support.recursion import deep_recursion

README = ROOT / "README.md"
GUIDES = ROOT / "docs" / "guides"
MAIN_FILES = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}
LIBRARY = r"^(?:import pclgen$|from pclgen import|from pclgen\.build\.model import)"
"""A line of Python that imports the library."""


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@cache
def example() -> Mapping[str, str]:
    """The main file of the README's program in each language."""
    [source] = blocks(README, "terraform")
    result = pclgen.generate({"main.pp": source}, schemas=[EXAMPLE_SCHEMAS], program_only=True, name="website")
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    files = {language: {str(path): text for path, text in texts.items()} for language, texts in result.files.items()}
    return {language: files[language][name] for language, name in MAIN_FILES.items()}


@pytest.mark.parametrize("language", MAIN_FILES)
def test_the_example_is_what_pclgen_generates(language: str) -> None:
    [shown] = blocks(README, language)
    if os.environ.get("PCLGEN_UPDATE_README"):
        text = README.read_text(encoding="utf-8")
        text = text.replace(f"```{language}\n{shown}```", f"```{language}\n{example()[language]}```")
        README.write_text(text, encoding="utf-8")
    else:
        assert shown == example()[language]


def test_the_picture_of_diagnostics_is_fresh() -> None:
    shown = (ROOT / "docs" / "images" / "check.svg").read_text(encoding="utf-8")
    assert shown == check_picture(), "run `python -m scripts.pictures`"


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_architecture_is_short() -> None:
    page = ROOT / "pclgen" / "ARCHITECTURE.md"
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 300, "reasons are for docs/contributing/decisions"


def test_recipes_name_files_that_exist() -> None:
    recipes = (ROOT / "pclgen" / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Recipes")[2]
    paths = re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?|\w+(?:/\w+)+(?:\.\w+)?)`", recipes)
    assert len(paths) > 50
    assert [path for path in paths if not any((top / path).exists() for top in (ROOT, ROOT / "pclgen"))] == []


@pytest.mark.parametrize(("at", "line"), [(0, r"main\.go \d+"), (1, None)], ids=["generate", "docs"])
def test_the_library_guide_runs(at: int, line: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    snippets = blocks(GUIDES / "library.md", "python")
    assert len(snippets) == 2
    with contextlib.redirect_stdout(printed):
        exec(compile(snippets[at], "library.md", "exec"), {})
    # There is no Markdown next to the example program.
    assert printed.getvalue() == "" if line is None else re.search(f"^{line}$", printed.getvalue(), re.MULTILINE)


def test_the_build_guide_compiles_with_any_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    for number in range(3):
        (tmp_path / f"s{number}.pp").write_text(f"output a {{\n  value = {number}\n}}\n")
    [snippet] = blocks(GUIDES / "build.md", "python")
    names: dict[str, Any] = {}
    exec(compile(snippet, "build.md", "exec"), names)
    with ThreadPoolExecutor(2) as pool:
        assert sorted(names["compile_snippets"](tmp_path, pool)) == [f"s{number} generated" for number in range(3)]
    assert (tmp_path / "out" / "s2" / "go" / "main.go").is_file()


def test_python_of_the_guides_type_checks() -> None:
    """Each snippet that uses the library is a separate file for mypy's strict mode."""
    snippets = [
        snippet
        for page in sorted(GUIDES.glob("*.md"))
        for snippet in blocks(page, "python")
        if re.search(LIBRARY, snippet, re.MULTILINE)
    ]
    assert len(snippets) >= 4
    folder = toolchains.cache_folder() / "readme-snippets"
    folder.mkdir(parents=True, exist_ok=True)
    with toolchains.locked("readme-snippets"), deep_recursion():  # mypy raises the limit, and leaves it so
        files = [folder / f"snippet_{at}.py" for at in range(len(snippets))]
        for path, text in zip(files, snippets, strict=True):
            path.write_text(text, encoding="utf-8")
        out, problems, status = api.run(
            ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={folder / 'mypy'}", *map(str, files)]
        )
    assert (out.splitlines()[:-1], problems, status) == ([], "", 0)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
def test_links_of_pages_outside_of_the_site_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
