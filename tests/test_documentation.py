"""The documentation site builds, its reference is up to date, and the tutorial is correct."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.reference import DOCS, generate
from tests.support import pages
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS
from tests.support.verified import environments

TUTORIAL = DOCS / "tutorial.md"
MAIN_FILES = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}


def test_the_reference_is_fresh() -> None:
    stale = [path.name for path, text in generate().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `python -m scripts.reference`"


def test_the_site_builds_without_a_broken_link(tmp_path: Path) -> None:
    configuration = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    (tmp_path / "zensical.toml").write_text(configuration, encoding="utf-8")
    for folder in ("docs", "scripts/theme"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    command = [str(Path(sys.executable).parent / "zensical"), "build", "--strict"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    in_navigation = set(re.findall(r'"([\w/-]+\.md)"', configuration))
    assert in_navigation == {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}


def test_the_tutorial(tmp_path: Path) -> None:
    """Its commands print the output that it shows; the SDKs are those of the tests."""
    environment = {"PCLGEN_SCHEMAS": str(EXAMPLE_SCHEMAS), "PCLGEN_CACHE_DIR": str(tmp_path / "cache")}
    sdks = environments()
    installed = f"--python {sdks.python} --node-modules {sdks.node_modules} --go-module {sdks.go_module}".split()
    source = tmp_path / "pets" / "main.pp"
    program = output = ""
    commands: list[str] = []
    for language, text, _ in pages.pieces(TUTORIAL):
        if language == "terraform":
            program = text
            source.parent.mkdir()
        elif language == "sh" and text.startswith("pclgen "):
            # The second time, the tutorial makes a mistake on purpose.
            source.write_text(program.replace("prefix", "prefx") if text in commands else program, encoding="utf-8")
            _, output = pages.run(tmp_path, text, *(installed if " verify " in text else []), environment=environment)
            commands.append(text)
        elif language == "text":
            assert output == text
        elif language in MAIN_FILES:
            assert (tmp_path / "build" / "pets" / language / MAIN_FILES[language]).read_text(encoding="utf-8") == text
    assert len(commands) == 5
