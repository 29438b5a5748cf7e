"""The page of `pclgen view` in Chromium, and the script that it runs."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings
from pclgen.view.page import PageRequest, RunOptions, ViewedProgram, page
from pclgen.view.server import ViewServer
from tests.support.browser import BEYOND, visit
from tests.support.corpus import ROOT
from tests.support.generated import example_programs
from tests.support.toolchains import node_commands, run, view

SOURCE = ROOT / "editors" / "view"
SETTINGS = Settings(schemas=(ROOT / "examples" / "schemas",), sources=(SourceKind.FILES,))
PETS = """\
config size int { default = 2 }
config suffix string { }

resource pet "random:index/randomPet:RandomPet" {
  length = size
}

output name { value = "${pet.id}-${suffix}" }
"""
LINES = "#source .cm-content"
OUTPUT = "#output .cm-content"
WIDTHS = (360, 800, 1400)

# -- the script ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the page's source with its packages."""
    copy = tmp_path_factory.mktemp("page") / "view"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("node_modules"))
    (copy / "node_modules").symlink_to(view().modules)
    return copy


def script(folder: Path, name: str, *words: str) -> str:
    """Run a script of `package.json`."""
    node, npm = node_commands()
    path = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    return run([*npm, "run", "--silent", name, *(["--", *words] if words else [])], cwd=folder, env={"PATH": path})


def test_the_sources_compile_and_are_formatted(folder: Path) -> None:
    script(folder, "check")
    script(folder, "format")


def test_the_script_of_the_page_is_built_from_its_sources(folder: Path, tmp_path: Path) -> None:
    script(folder, "build", "--out", str(tmp_path))
    for name in ("page.js", "NOTICE.txt"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (ROOT / "pclgen" / "view" / name).read_text(encoding="utf-8")


# -- the browser -----------------------------------------------------------------------------------------------------------


def drive(steps: Sequence[Sequence[object]]) -> list[Any]:
    """The answers to the steps (`tests/support/view/drive.cjs`); the page logs no errors and contacts only its server."""
    answer = visit(steps)
    assert answer.console == []
    [opened] = {step[1] for step in steps if step[0] == "open"}
    assert isinstance(opened, str)
    assert all(request.startswith(opened.partition("#")[0]) for request in answer.requests)
    return answer.values


def viewed(path: Path, config: Mapping[str, str]) -> ViewedProgram:
    options = RunOptions(config=config, secrets={}, stack="dev", organization="organization")
    return ViewedProgram(path.absolute(), SETTINGS, {}, options)


@contextmanager
def served(path: Path, config: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address of the page of a program."""
    with ViewServer(viewed(path, config or {}), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "pets"
    folder.mkdir()
    (folder / "main.pp").write_text(PETS, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", example_programs())
def test_the_page_of_each_example_works_from_disk(name: str, tmp_path: Path) -> None:
    content = viewed(example_programs()[name], {}).content(PageRequest())
    file = tmp_path / "page.html"
    file.write_text(page(content, live=False), encoding="utf-8")
    steps: list[Sequence[object]] = [("open", file.as_uri()), ("wait", LINES)]
    for language in ("python", "typescript", "go"):
        steps += [("click", f"[data-tab={language}]"), ("count", f"{OUTPUT} .cm-line")]
    steps += [("click", "[data-tab=graph]"), ("focus", "[data-node]"), ("press", "Enter")]
    steps += [("count", ".lit"), ("count", "#source .partner"), ("count", "#output .partner")]
    for width in WIDTHS:
        steps += [("size", width, 800), ("evaluate", BEYOND)]
    values = [value for value in drive(steps) if value is not None]
    lines, partners, beyond = values[:3], values[3:6], values[6:]
    assert all(number > 3 for number in lines)
    assert all(number > 0 for number in partners), "a node that is chosen in the graph lights on both sides"
    assert all(number <= 0 for number in beyond), "the page is not wider than the window"


def test_a_program_is_edited(program: Path) -> None:
    with served(program, {"suffix": "x"}) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("texts", "#status"),
                ("click", f"{LINES} .cm-line:nth-child(5)"),
                ("texts", "#output .partner"),
                ("press", "Control+End"),
                ("type", "\noutput more {\n  value = pe"),
                ("wait", ".cm-tooltip-autocomplete [role=option]"),
                ("texts", ".cm-tooltip-autocomplete [role=option]"),
                ("wait", "#below li:has-text('unknown variable `pe`')"),
                ("texts", "#below li"),
                ("attribute", "body", "class"),
                ("click", ".cm-tooltip-autocomplete [role=option]"),
                ("wait", "#status:text('No problems')"),
                ("click", "[data-tab=typescript]"),
                ("texts", OUTPUT),
                ("attribute", "body", "class"),
            ]
        )
    results = [value for value in values if value is not None]
    assert results[0] == ["No problems"]
    assert "".join(results[1]) == "length=size"
    assert results[2][0].startswith("pet")
    assert "unknown variable `pe` main.pp:11:11" in results[3][0]
    assert results[4] == "stale"
    assert "export const more = pet" in results[5][0]
    assert results[6] == ""
    assert (program / "main.pp").read_text(encoding="utf-8") == PETS


def test_a_large_program_shows_its_problems_first_and_computes_only_what_is_visible(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program / "main.pp").write_text(PETS + "".join(f'a{n} = "{"x" * 30}"\n' for n in range(600)), encoding="utf-8")
    asked: list[tuple[str, ...]] = []
    for name in ("problems", "content"):
        answer = getattr(ViewedProgram, name)

        def recorded(own: ViewedProgram, request: PageRequest, name: str = name, answer: Any = answer) -> Any:
            asked.append((name, *(request.parts if name == "content" else ())))
            return answer(own, request)

        monkeypatch.setattr(ViewedProgram, name, recorded)
    with served(program, {"suffix": "x"}) as url:
        values = drive(
            [
                ("open", url),
                ("wait", f"{OUTPUT} .cm-line:has-text('RandomPet')"),
                ("click", f"{LINES} .cm-line:nth-child(5)"),
                ("press", "End"),
                ("type", "s"),
                ("wait", "#below li:has-text('unknown variable `sizes`')"),
                ("attribute", "body", "class"),
                ("press", "Backspace"),
                ("type", " + 40"),
                ("wait", "#status:text('No problems')"),
                ("wait", f"{OUTPUT} .cm-line:has-text('+ 40')"),
                ("attribute", "body", "class"),
                ("click", "[data-tab=typescript]"),
                ("wait", f"{OUTPUT} .cm-line:has-text('new random.RandomPet')"),
                ("click", "[data-tab=python]"),
                ("click", "[data-tab=graph]"),
                ("wait", ".picture svg"),
                ("click", "[data-tab=run]"),
                ("wait", "details li:has-text('length 42')"),
            ]
        )
    assert [value for value in values if value is not None] == ["stale", ""]
    assert asked[:3] == [("content",), ("content", "python"), ("problems",)]
    edited = len(asked) - 1 - asked[::-1].index(("problems",))
    # The code of the edited item appears at once; the tabs decide whether to wait for the program's.
    assert set(asked[edited + 1 :]) == {("content", part) for part in ("python", "typescript", "graph", "run")}
    assert asked[-2:] == [("content", "graph"), ("content", "run")]


def test_the_code_of_an_edited_item_does_not_wait_for_the_whole_program(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program / "main.pp").write_text(PETS + "".join(f'a{n} = "{"x" * 30}"\n' for n in range(600)), encoding="utf-8")
    content, shown = ViewedProgram.content, threading.Event()

    def late(own: ViewedProgram, request: PageRequest) -> Any:
        if request.files is not None and "size + 4" in request.files["main.pp"]:
            shown.wait()
        return content(own, request)

    monkeypatch.setattr(ViewedProgram, "content", late)
    with served(program) as url:
        try:
            values = drive(
                [
                    ("open", url),
                    ("wait", f"{OUTPUT} .cm-line:has-text('RandomPet')"),
                    ("click", f"{LINES} .cm-line:nth-child(5)"),
                    ("press", "End"),
                    ("type", " + 4"),
                    ("wait", f"{OUTPUT} .cm-line:has-text('+ 4')"),
                    ("count", "body.stale"),
                    ("hover", f"{OUTPUT} .cm-line:has-text('a0 =') .tok-variableName"),
                    ("texts", "#source .partner"),
                ]
            )
        finally:
            shown.set()
    age, partners = [value for value in values if value is not None]
    assert age == 0 and "".join(partners).startswith("a0 = ")


def test_configuration_changes_the_run(program: Path) -> None:
    with served(program) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("click", "[data-tab=run]"),
                ("texts", "#below .log li"),
                ("click", "[data-tab=config]"),
                ("texts", ".field label"),
                ("fill", "#config-size", "7"),
                ("fill", "#config-suffix", "<b>end</b>"),
                ("click", "[data-tab=run]"),
                ("wait", "summary:has-text('pet')"),
                ("wait", "details li:has-text('length 7')"),
                ("wait", "#below .panel > div > ul li:has-text('end')"),
                ("texts", "details li"),
                ("texts", "#below .panel > div > ul li"),
                ("check", "#preview"),
                ("wait", "#below .panel .badge:text('unknown')"),
                ("count", "#below b:text('end')"),
            ]
        )
    log, labels, inputs, outputs, markup = [value for value in values if value is not None]
    assert log == ["config variable `suffix` has no value"]
    assert labels == ["size", "suffixrequired"]
    assert inputs == ["length 7"]
    assert len(outputs) == 1 and outputs[0].startswith("name") and outputs[0].endswith('-<b>end</b>"')
    assert markup == 0


def test_pieces_light_their_partners(program: Path) -> None:
    with served(program, {"suffix": "x"}) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("hover", f"{LINES} .cm-line:nth-child(4) .tok-keyword"),
                ("texts", "#output .partner"),
                ("click", "[data-tab=go]"),
                ("hover", f"{OUTPUT} .cm-line:has-text('cfg.Require') .tok-variableName"),
                ("texts", "#source .partner"),
                ("hover", "h1"),
                ("count", ".partner"),
            ]
        )
    python, pcl, without = [value for value in values if value is not None]
    assert "".join(python).startswith("pet = random.RandomPet")
    assert "".join(pcl) == "config suffix string { }"
    assert without == 0


def test_the_graph_shows_cycles_and_can_be_zoomed(program: Path) -> None:
    part = program / "part"
    part.mkdir()
    (part / "main.pp").write_text('config x string { default = "" }\noutput y { value = x }\n', encoding="utf-8")
    uses = 'component one "./part" {\n  x = two.y\n}\n\ncomponent two "./part" {\n  x = one.y\n}\n'
    (program / "main.pp").write_text(uses, encoding="utf-8")
    with served(program) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("texts", "[data-tab$='.pp']"),
                ("click", "[data-tab=graph]"),
                ("count", "path.cycle"),
                ("attribute", ".picture svg", "viewBox"),
                ("click", "[title='Zoom in']"),
                ("attribute", ".picture svg", "viewBox"),
                ("click", "[title='Show everything']"),
                ("attribute", ".picture svg", "viewBox"),
            ]
        )
    files, cycles, whole, near, again = [value for value in values if value is not None]
    assert files == ["main.pp", "part/main.pp"] and cycles == 2
    assert near != whole == again


def test_each_place_of_an_error_can_be_opened(program: Path) -> None:
    (program / "main.pp").write_text("a = b\n\nb = a\n", encoding="utf-8")
    where = "getSelection().anchorNode.parentElement.closest('.cm-line').textContent"
    with served(program) as url:
        values = drive(
            [
                ("open", url),
                ("wait", "#below li button"),
                ("click", "#below li button:nth-of-type(1)"),
                ("evaluate", where),
                ("click", "#below li button:nth-of-type(2)"),
                ("evaluate", where),
            ]
        )
    assert [value for value in values if value is not None] == ["a = b", "b = a"]


def test_a_link_carries_the_program(program: Path) -> None:
    with served(program, {"suffix": "x"}) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("click", f"{LINES} .cm-line:nth-child(5)"),
                ("press", "Control+Home"),
                ("type", "# 🐶 from a link\n"),
                ("wait", f"{OUTPUT} .cm-line:has-text('from a link')"),
                ("click", "header button"),
                ("wait", "#status:has-text('The link is in')"),
                ("evaluate", "location.hash"),
            ]
        )
        fragment = values[-1]
        values = drive([("open", url + fragment), ("wait", f"{OUTPUT} .cm-line:has-text('from a link')"), ("texts", LINES)])
        assert values[-1][0].startswith("# 🐶 from a link")
        values = drive([("open", f"{url}#program=%25"), ("wait", "#status:has-text('damaged')"), ("texts", LINES)])
    assert fragment.startswith("#program=") and len(fragment) < 400
    assert values[-1][0].startswith("config size")


def test_the_page_needs_no_mouse(program: Path) -> None:
    """The arrow keys move between tabs; each control has a name; nothing moves for users who prefer no motion."""
    unnamed = (
        "[...document.querySelectorAll('button, input, select, [role=tablist], [role=textbox], [tabindex=\"0\"]')]"
        ".filter((one) => !(one.ariaLabel || one.textContent || (one.labels ?? []).length)).length"
    )
    moving = "document.getAnimations().length"
    with served(program, {"suffix": "x"}) as url:
        values = drive(
            [
                ("open", url),
                ("wait", LINES),
                ("focus", "[data-tab=python]"),
                ("press", "ArrowRight"),
                ("evaluate", "document.activeElement.dataset.tab"),
                ("press", "End"),
                ("evaluate", "document.activeElement.dataset.tab"),
                ("press", "ArrowRight"),
                ("evaluate", "document.activeElement.dataset.tab"),
                ("click", "[data-tab=config]"),
                ("evaluate", unnamed),
                ("evaluate", moving),
            ]
        )
    assert [value for value in values if value is not None] == ["typescript", "yaml", "python", 0, 0]


def luminance(color: str) -> float:
    """The relative luminance of `rgb(…)`, as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in color.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out(program: Path, scheme: str) -> None:
    """The contrast between texts and their backgrounds is at least 4.5 to 1 (WCAG 2, AA)."""
    variables = ["--text", "--quiet", "--accent", "--error", "--warning"]
    read = (
        f"(() => {{ document.documentElement.style.colorScheme = '{scheme}'; const probe = document.createElement('p');"
        "document.body.append(probe); const found = {}; for (const name of ['--back', '--raised', '--partner', "
        f"...{json.dumps(variables)}]) {{ probe.style.color = `var(${{name}})`; found[name] = getComputedStyle(probe).color; }}"
        "return found; })()"
    )
    with served(program) as url:
        colors = drive([("open", url), ("wait", LINES), ("evaluate", read)])[-1]
    for name in variables:
        for behind in ("--back", "--raised"):
            low, high = sorted((luminance(colors[name]), luminance(colors[behind])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, f"{name} on {behind}"
