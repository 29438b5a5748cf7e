"""Comments above config values, and their descriptions: both are kept in every language, and text in both appears once."""

from __future__ import annotations

import pytest

import pclgen
from pclgen.plan.build import comment_with_description
from tests.support.generated import LANGUAGES

BLOCKS = """
# Where things run.
config region string {
  description = "where things run"
}

# How large.
config size "object({ a = int })" {}

config count int {
  description = "A number."
  default     = 2
}

# Read by the team.
config note string {
  description = "A text."
}
"""
PROGRAM = {
    "main.pp": BLOCKS + 'component web "./web" {\n  region = region\n  size   = size\n  note   = note\n}\n',
    "web/main.pp": BLOCKS + 'output o {\n  value = "${region} ${size.a} ${count} ${note}"\n}\n',
}
SAID = ("Where things run", "How large", "A number", "Read by the team", "A text")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_kept_and_said_once(language: str) -> None:
    result = pclgen.generate(PROGRAM, languages=[language], program_only=True)
    assert result.ok
    for path, text in result.files[language].items():
        lines = [line.strip().lower() for line in text.splitlines()]
        comments = [line for line in lines if line.startswith(("#", "//", "/*", "*"))]
        # An input with a default is a parameter and a variable; both have its description.
        least = {phrase: sum(phrase.lower() in line for line in comments) for phrase in SAID}
        assert {
            phrase: count for phrase, count in least.items() if count != 1 and (phrase != "A number" or not count)
        } == {}, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_stand_at_what_they_describe(language: str) -> None:
    text = "\n".join(pclgen.generate(PROGRAM, languages=[language], program_only=True).files[language].values()).lower()
    for phrase, name in (("where things run", "region"), ("how large", "size"), ("a text", "note")):
        after = text.partition(phrase)[2].splitlines()[1:3]
        assert any(name in line for line in after), (phrase, after)


@pytest.mark.parametrize(
    ("comment", "description", "lines"),
    [
        ((), "", ()),
        (("a b",), "", ("a b",)),
        ((), "a b\n\nc", ("a b", "", "c")),
        (("A, b!",), "a b", ("A, b!",)),
        (("first a", "b last"), "a b", ("first a", "b last")),
        (("abc",), "b", ("abc", "b")),
        (("a",), "a b", ("a", "a b")),
        (("a",), "—", ("a", "—")),
    ],
)
def test_said_once(comment: tuple[str, ...], description: str, lines: tuple[str, ...]) -> None:
    assert comment_with_description(comment, description) == lines
