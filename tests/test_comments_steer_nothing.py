"""Comments reach the generated code, but no tool that reads it obeys them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

import pclgen

STEERING = {
    # Comments of programs, not of this file.
    "python": ("type: ignore", "fmt: off", "mypy: ignore-errors", "pyright: basic", "noqa", "ruff: noqa"),
    "typescript": ("@ts-nocheck", "@ts-ignore", "prettier-ignore", "eslint-disable"),
    "go": ("+build ignore", "go:build ignore", "nolint"),
}
MAIN = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}
MARK = {"python": "# ", "typescript": "// ", "go": "// "}


def generated(language: str, comment: str) -> str:
    """The files of a program with `comment` above everything, above and behind a statement, and inside a list."""
    source = f"# {comment}\n\n# {comment}\na = [\n  1, # {comment}\n  2,\n]\nb = 1 # {comment}\noutput c {{ value = [a, b] }}\n"
    result = pclgen.generate({"main.pp": source}, languages=[language], program_only=True)
    assert list(result.diagnostics) == []
    return result.files[language][PurePosixPath(MAIN[language])]


@pytest.mark.parametrize(("language", "comment"), [(lang, text) for lang, texts in STEERING.items() for text in texts])
def test_what_a_tool_would_obey_stands_in_parentheses(language: str, comment: str) -> None:
    text = generated(language, comment)
    assert text.count(f"{MARK[language]}({comment})") == 4, text
    assert f"{MARK[language]}{comment}" not in text


@pytest.mark.parametrize("language", MAIN)
def test_other_comments_are_as_they_were(language: str) -> None:
    assert generated(language, "Types: ignore the format.").count(f"{MARK[language]}Types: ignore the format.") == 4


@pytest.mark.parametrize("comment", ["-*- coding: rot13 -*-", "vim: set fileencoding=utf-7 :"])
def test_the_encoding_of_a_python_file_is_utf_8(comment: str) -> None:
    text = generated("python", comment)
    assert not any(re.match(r"^[ \t\f]*#.*?coding[:=]", line) for line in text.splitlines()[:2])
    compile(text.encode(), "program", "exec")


def test_a_comment_at_the_top_stays_there() -> None:
    source = "# All about it.\n# In two lines.\n\n# The number.\nn = 1\noutput o { value = n }\n"
    result = pclgen.generate({"main.pp": source, "aaa.pp": "# Not here.\n\nm = 2\n"}, program_only=True)
    for language, name in MAIN.items():
        mark, text = MARK[language], result.files[language][PurePosixPath(name)]
        assert text.startswith(f"{mark}All about it.\n{mark}In two lines.\n\n"), text
        assert text.count("All about it") == 1
        assert f"{mark}Not here." in text
        assert f"{mark}The number." in text
