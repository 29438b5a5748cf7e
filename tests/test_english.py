"""Texts for users are plain English: spelled correctly, and free of phrases that nobody else uses.

`docs/contributing/style.md` has the rules. The list below contains the phrases that they replace most often."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.corpus import ROOT
from tests.support.rules import assert_followed

BANNED: Final = re.compile(
    r"""
    \b(?:
        (?:is|are|was|be)\ (?:told|said)\b (?!\ to\b)
      | tells?\ (?:how|which|who|what|that|more)
      | that\ (?:is|are)\ there\b | there\ (?:is|are)\ no\ other | and\ no\ other | and\ nothing\ else
      | is\ made\ of | are\ made\ of | comes?\ in: | goes\ out:
      | (?:held|hold|holds)\ (?:against|to\ (?:it|them|the|its))
      | called\ so | stands?\ for | at\ home\b | all\ the\ same | if\ need\ be
      | whoever | somebody | a\ stranger's? | of\ strangers | as\ ever\b
      | (?:is|are)\ (?:handed|passed)\ on | (?:is|are|be)\ left\ out | leaves?\ out
      | (?:look|looks|looked)\ into | look\ around | has\ not\ changed\ is\ not | so\ many\b
      | of\ (?:one's|their|its)\ own\ (?:kind|sort) | by\ way\ of | in\ a\ circle | in\ circles
      | knows?\ nothing | wants?\ nothing | nothing\ of | what\ is\ wrong
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Phrases of an older style of pclgen: passive verbs without an actor, inversions, and words that other projects do not use."""

QUOTING: Final = frozenset({"docs/contributing/style.md", "docs/contributing/english.md"})
"""Pages that quote phrases to avoid."""
MISSPELLED: Final = QUOTING | {"docs/reference/diagnostics.md"}
"""Pages with intentional misspellings, and their corrections."""
VAGUE: Final = frozenset({"found", "given", "made", "one", "said", "some", "told", "wanted"})
"""Names that do not describe the value of a variable: a match, a result, a statement, an argument."""


PAGES: Final = (
    *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("*.md")),
    *sorted(path.relative_to(ROOT).as_posix() for folder in ("docs", "examples") for path in (ROOT / folder).rglob("*.md")),
)


def banned(text: str) -> Iterator[str]:
    """The lines of a text that contain a banned phrase, with their numbers."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = BANNED.search(line)
        if match is not None:
            yield f"{number}: {match[0]!r} in: {line.strip()}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Problems are reported per program.", False),
        ("What is wrong with one program is told of that program only.", True),
        ("The parser is told to stop.", False),
        ("Types that are there, and no other.", True),
        ("Members without a value are omitted.", False),
    ],
)
def test_banned_phrases_are_found(line: str, expected: bool) -> None:
    assert bool(list(banned(line))) == expected


def test_pages_have_no_banned_phrases() -> None:
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES if page not in QUOTING}
    assert_followed("plain English (`BANNED`)", (f"{page}:{line}" for page, text in texts.items() for line in banned(text)))


def test_generated_code_has_no_banned_phrases() -> None:
    templates = sorted(path for path in (ROOT / "templates").rglob("*.jinja"))
    lines = (
        f"{path.relative_to(ROOT)}:{line}" for path in templates for line in banned(path.read_text(encoding="utf-8"))
    )
    assert_followed("plain English (`BANNED`)", lines)


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are not docstrings, with their lines: messages, help, comments in generated code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def test_messages_and_help_have_no_banned_phrases() -> None:
    modules = sorted((ROOT / "pclgen").rglob("*.py"))
    lines = (
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in modules
        for number, text in texts_of(path)
        for line in banned(text)
    )
    assert_followed("plain English (`BANNED`)", lines)


def test_words_are_spelled_correctly() -> None:
    texts = [page for page in PAGES if page not in MISSPELLED]
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare,en-GB_to_en-US", "--ignore-words-list", "ans", *texts]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "" and done.returncode == 0, done.stdout + done.stderr


def vague_names(text: str) -> Iterator[str]:
    """The lines of Python code that bind a name of `VAGUE`, with their numbers: parameters, variables, fields, captures."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.arg(arg=name, lineno=line) | ast.Name(id=name, ctx=ast.Store(), lineno=line):
                pass
            case ast.MatchAs(name=str(name), lineno=line) | ast.MatchStar(name=str(name), lineno=line):
                pass
            case ast.MatchMapping(rest=str(name), lineno=line):
                pass
            case ast.ExceptHandler(name=str(name), lineno=line):
                pass
            case _:
                continue
        if name in VAGUE:
            yield f"{line}: `{name}`"


@pytest.mark.parametrize(
    "text",
    [
        "one = 1",
        "one: int = 1",
        "if one := 1: pass",
        "for key, one in {}.items(): pass",
        "[one for one in ()]",
        "def f(one): pass",
        "f = lambda *one: one",
        "class C:\n    one: int",
        "with open('x') as one: pass",
        "match 1:\n    case int() as one: pass",
        "match []:\n    case [*one]: pass",
        "match {}:\n    case {**one}: pass",
        "try: pass\nexcept OSError as one: pass",
    ],
)
def test_vague_names_are_found(text: str) -> None:
    assert list(vague_names(text)) and not list(vague_names(text.replace("one", "item")))


def test_variables_are_named_by_nouns() -> None:
    lines = (
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("pclgen", "scripts", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in vague_names(path.read_text(encoding="utf-8"))
    )
    assert_followed("names of variables are nouns (`VAGUE`)", lines)
