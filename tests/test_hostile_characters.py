"""Control characters, and characters that some language treats as a line end, in comments and texts of programs."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import PurePosixPath
from typing import Final

import pytest

import pclgen
from pclgen.source.text import CONTROL, LINE_END, one_line, split_lines
from tests.support.rules import for_all

LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
CONTROLS = "\x00\x01\x07\x08\x1a\x1b\x1f\x7f\x80\x84\x9b\x9f\ufeff"
MAIN = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}

PLACES: Final = (
    "# x{}evil()\na = 1\n",
    "a = 1 // x{}evil()\n",
    "/* x{}evil() */\na = 1\n",
    "/* x\n * {}evil() */\na = [1]\n",
    "a = [ # x{}evil()\n  1,\n  2, # y{}evil()\n  # z{}evil()\n]\n",
    "a = {{ # x{}evil()\n  b = 1 # y{}evil()\n  # z{}evil()\n}}\n",
    "a = max(1, # x{}evil()\n  2)\n",
    "a = 1\noutput o {{ # x{}evil()\n  # y{}evil()\n  value = 1 # z{}evil()\n  # w{}evil()\n}}\n# v{}evil()\n",
)
"""Comments wherever a program may have them."""


@for_all("character", LINE_ENDS, names=lambda character: f"{ord(character):04x}")
def test_a_comment_ends_where_any_language_ends_it(character: str) -> None:
    for place in PLACES:
        source = place.replace("{}", character).replace("{{", "{").replace("}}", "}") + "output p {\n  value = a\n}\n"
        result = pclgen.generate({"main.pp": source}, program_only=True)
        assert list(result.diagnostics) == [], source
        for language, name in MAIN.items():
            text = result.files[language][PurePosixPath(name)]
            assert LINE_END.sub("", text) == text.replace("\n", ""), repr(text)
            mark = "#" if language == "python" else "//"
            assert all(mark in line for line in text.split("\n") if "evil" in line), text


def test_a_description_is_a_comment_on_every_line() -> None:
    escapes = "".join(f"a\\u{ord(c):04X}evil()" for c in LINE_ENDS + CONTROLS)
    source = f'config c string {{\n  description = "{escapes}"\n}}\noutput o {{\n  value = c\n  description = "{escapes}"\n}}\n'
    result = pclgen.generate({"main.pp": source}, program_only=True)
    assert list(result.diagnostics) == []
    for language, name in MAIN.items():
        text = result.files[language][PurePosixPath(name)]
        mark = "#" if language == "python" else "//"
        assert text.count("evil") >= len(LINE_ENDS + CONTROLS)
        assert all(line.lstrip().startswith(mark) for line in text.split("\n") if "evil" in line), text
        assert CONTROL.search(text) is None
    tree = ast.parse(result.files["python"][PurePosixPath("__main__.py")])
    assert "evil" not in ast.dump(tree)


@for_all("character", CONTROLS, names=lambda character: f"{ord(character):04x}")
@pytest.mark.parametrize("place", ["# x{}y\n", "/* x{}y */\n", 'a = "x{}y"\n', "a = <<E\nx{}y\nE\n", "a = 1{}\n"])
def test_controls_stand_nowhere_in_a_file(character: str, place: str) -> None:
    source = place.replace("{}", character)
    (diagnostic,) = pclgen.check({"main.pp": source}).diagnostics
    assert diagnostic.code == "PCL0102"
    assert diagnostic.primary is not None and diagnostic.primary.text == character
    assert f"U+{ord(character):04X}" in diagnostic.message
    assert f"\\u{ord(character):04X}" in (diagnostic.help or "")


def test_a_file_of_control_characters_has_few_diagnostics() -> None:
    diagnostics = pclgen.check({"main.pp": "\x00\x01" * 5000}).diagnostics
    assert 0 < len(diagnostics) <= 20


def test_lines_are_the_same_to_everybody() -> None:
    everything = "".join(chr(code) for code in range(0x3000) if not 0xD800 <= code < 0xE000)
    lines = split_lines(everything)
    assert "".join(lines) == LINE_END.sub("", everything)
    assert all(line.splitlines() in ([line], []) for line in lines)
    assert len(split_lines("a\r\nb\n")) == 2
    flat = one_line(everything)
    assert flat.splitlines() == [flat]
    comment = next(tokenize.generate_tokens(io.StringIO(f"# {flat}\n").readline))
    assert comment.string == f"# {flat}"
