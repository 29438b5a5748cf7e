"""The documentation site: its versions in one folder, and its main pages in Chromium."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from scripts.versions import version_of
from tests.support.browser import BEYOND, visit
from tests.support.corpus import ROOT

PAGES = (
    "", "tutorial/", "guides/build/", "guides/view/", "reference/cli/", "reference/configuration/", "language/", "functions/",
    "reference/diagnostics/", "reference/api/", "explanation/how-it-works/", "contributing/decisions/0104-generated-code/",
)  # fmt: skip  # a list of pages
WIDTHS = (1400, 360)
MENU = "label.md-header__button[for=__drawer]"
"""The button that opens the navigation on a narrow screen."""


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the documentation and its build files."""
    folder = tmp_path_factory.mktemp("site") / "repository"
    for name in ("docs", "scripts"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("zensical.toml", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Documentation")
    return folder


@pytest.fixture(scope="module")
def published(repository: Path) -> Path:
    """The site after runs of the workflow for the main branch and for releases; the last run is for an older release."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8"))
    steps = [step for step in workflow["jobs"]["build"]["steps"] if "run" in step and "pip" not in step["run"]]
    assert len(steps) == 3
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for ref in ("main", "v1.9.0", "v1.10.0", "v1.9.1"):
        clone = repository.parent / ref
        git(repository.parent, "clone", "--quiet", str(repository), ref)
        home = clone / "docs" / "index.md"
        home.write_text(f"{home.read_text(encoding='utf-8')}\nDocumentation of {ref}\n", encoding="utf-8")
        for step in steps:
            subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=clone / step.get("working-directory", "."),
                env={**os.environ, "PATH": path, "GITHUB_REF_NAME": ref},
                capture_output=True,
                check=True,
            )
    return repository.parent / ref / "published"


def test_each_version_of_the_site_stays(published: Path) -> None:
    names = {path.name for path in published.iterdir() if path.is_dir()}
    assert names == {"1.9", "1.10", "dev", "latest"}
    documented = {name: (published / name / "index.html").read_text(encoding="utf-8") for name in names}
    for name, ref in {"1.9": "v1.9.1", "1.10": "v1.10.0", "latest": "v1.10.0", "dev": "main"}.items():
        assert f">Documentation of {ref}<" in documented[name]
    assert 'href="https://pclgen.github.io/pclgen/1.9/tutorial/"' in (published / "1.9/tutorial/index.html").read_text()
    versions = json.loads((published / "versions.json").read_text(encoding="utf-8"))
    assert [(entry["version"], entry["aliases"]) for entry in versions] == [("1.10", ["latest"]), ("1.9", []), ("dev", [])]
    assert '"version":{"provider":"mike"}' in documented["1.9"], "the theme shows no selector"
    assert "url=latest/" in (published / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("ref", ["v1.2", "1.2.3", "v1.2.3rc1", "v1.2.3/..", "feature"])
def test_other_refs_are_no_versions(ref: str) -> None:
    with pytest.raises(ValueError, match="neither `main` nor a tag"):
        version_of(ref)


@pytest.fixture
def address(published: Path) -> Iterator[str]:
    """The address of the site on its own server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(published))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_main_pages_at_two_widths(address: str) -> None:
    """They only scroll vertically, contact no other host, and their navigation is reachable."""
    pictures = os.environ.get("PCLGEN_PICTURES")
    steps: list[Sequence[object]] = []
    for width in WIDTHS:
        steps.append(("size", width, 900))
        for page in PAGES:
            steps += [("open", f"{address}1.9/{page}"), ("wait", "h1"), ("evaluate", BEYOND)]
            if pictures:
                name = f"{width}-{page.strip('/').replace('/', '-') or 'home'}.png"
                steps.append(("picture", str(Path(pictures) / name)))
    steps += [("click", MENU), ("wait", ".md-nav--primary >> text=Tutorial >> visible=true"), ("evaluate", "'reached'")]
    steps += [("size", 1400, 900), ("open", f"{address}1.9/"), ("click", ".md-tabs >> text=Reference"), ("wait", "h1")]
    steps += [("click", ".md-nav--primary >> text=Diagnostics >> visible=true"), ("wait", "h1:has-text('Diagnostics')")]
    steps += [("wait", ".md-version"), ("texts", ".md-version__link"), ("focus", ".md-version__current")]
    steps += [("click", ".md-version__link:has-text('1.10')"), ("wait", ".md-version__current:has-text('1.10')")]
    steps += [("evaluate", "location.pathname")]
    answer = visit(steps)
    answers = [value for value in answer.values if value is not None]
    beyond = dict(zip([(width, page) for width in WIDTHS for page in PAGES], answers, strict=False))
    assert {place: pixels for place, pixels in beyond.items() if pixels > 0} == {}
    assert answers[len(beyond) :] == ["reached", ["1.10", "1.9", "dev"], "/1.10/reference/diagnostics/"]
    assert answer.console == []
    assert [request for request in answer.requests if not request.startswith((address, "data:"))] == []
