"""The lines of every comment are kept: in order, with their indentation, next to the code that they describe.

Programs are random: each entry has a comment whose lines occur once, in PCL and in Pulumi YAML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pclgen
from tests.support.corpus import ROOT

SCHEMAS = [ROOT / "tests" / "schemas"]
PET = "random:index/randomPet:RandomPet"
MAIN = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go", "yaml": "Pulumi.yaml"}
MARK = {"python": "#", "typescript": "//", "go": "//", "yaml": "#"}

LINES = st.lists(st.sampled_from(["", "text", "- item", "  - inner", "    code(1)", "1. one", "a: b"]), min_size=1, max_size=5)


@st.composite
def comments(draw: st.DrawFn) -> list[str]:
    """The lines of a comment; neither the first nor the last is empty."""
    return ["about", *draw(LINES), "end"]


PLACES = ("header", "config", "size", "names", "pet", "separator", "length", "keepers", "word", "other", "out", "last")
"""The entries with a comment above them, in order."""


def numbered(place: str, lines: Sequence[str]) -> list[str]:
    """`lines` with numbers, so that each line with text occurs once."""
    return [f"{line} {place}{number}" if line else "" for number, line in enumerate(lines)]


def above(indent: str, lines: Sequence[str]) -> str:
    return "".join(f"{indent}{f'# {line}'.rstrip()}\n" for line in lines)


def yaml_program(blocks: dict[str, list[str]]) -> str:
    """A program in Pulumi YAML with these comments."""
    return f"""{above("", blocks["header"])}
{above("", blocks["config"])}config:
{above("  ", blocks["size"])}  size: {{type: integer, default: 2}}
{above("  ", blocks["names"])}  names:
    type: string
variables:
{above("  ", blocks["word"])}  word: x-${{names}}
resources:
{above("  ", blocks["pet"])}  pet:
    type: {PET}
    properties:
{above("      ", blocks["separator"])}      separator: "_"
{above("      ", blocks["length"])}      length: ${{size}}
      keepers:
{above("        ", blocks["keepers"])}        first: ${{word}}
{above("  ", blocks["other"])}  other:
    type: {PET}
    properties:
      separator: ${{word}}
outputs:
{above("  ", blocks["out"])}  out: ${{pet.id}}
{above("", blocks["last"])}"""


def pcl_program(blocks: dict[str, list[str]]) -> str:
    """The same program in PCL."""
    return f"""{above("", blocks["header"])}
{above("", [*blocks["config"], "", *blocks["size"]])}config size int {{
  default = 2
}}
{above("", blocks["names"])}config names string {{}}
{above("", blocks["word"])}word = "x-${{names}}"
{above("", blocks["pet"])}resource pet "{PET}" {{
{above("  ", blocks["separator"])}  separator = "_"
{above("  ", blocks["length"])}  length = size
  keepers = {{
{above("    ", blocks["keepers"])}    first = word
  }}
}}
{above("", blocks["other"])}resource other "{PET}" {{
  separator = word
}}
{above("", blocks["out"])}output out {{
  value = pet.id
}}

{above("", blocks["last"])}"""


BELOW = {
    "size": r"\bsize\b", "names": r"\bnames\b", "word": r"\bword\b", "pet": r"\bpet\b", "separator": r"(?i)\bseparator\b",
    "length": r"(?i)\blength\b", "keepers": r"\bfirst\b", "other": r"\bother\b", "out": r"\bout\b",
}  # fmt: skip  # a table
"""A pattern for the first line of code below a comment."""


def check(text: str, language: str, blocks: dict[str, list[str]]) -> None:
    """Check that `text` has each comment unchanged, above the code that it describes, and the header at the top."""
    mark = MARK[language]
    written = [line.strip() for line in text.split("\n")]
    for place, lines in blocks.items():
        expected = [f"{mark} {line}".rstrip() for line in lines]
        at = written.index(expected[0])
        assert written[at : at + len(expected)] == expected, f"{place}\n{text}"
        assert sum(line in written[:at] or line in written[at + len(expected) :] for line in expected if line != mark) == 0
        if place in BELOW:
            code = next(line for line in written[at:] if line and not line.startswith(mark))
            assert re.search(BELOW[place], code), f"{place}: {code}\n{text}"
    assert text.startswith(f"{mark} {blocks['header'][0]}\n"), text
    assert text.index(blocks["config"][0]) > text.index(
        "main()" if language == "go" else "import" if language != "yaml" else "runtime"
    )


@pytest.mark.parametrize("program", [yaml_program, pcl_program])
@settings(max_examples=25, deadline=None)
@given(st.lists(comments(), min_size=len(PLACES), max_size=len(PLACES)))
def test_comments_come_out_whole(program: object, drawn: list[list[str]]) -> None:
    blocks = {place: numbered(place, lines) for place, lines in zip(PLACES, drawn, strict=True)}
    assert callable(program)
    name = "Pulumi.yaml" if program is yaml_program else "main.pp"
    result = pclgen.generate({name: program(blocks)}, languages=list(MAIN), schemas=SCHEMAS, program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    for language, file in MAIN.items():
        check(result.files[language][PurePosixPath(file)], language, blocks)


def generated(source: str, language: str, name: str = "Pulumi.yaml") -> str:
    result = pclgen.generate({name: source}, languages=[language], schemas=SCHEMAS, program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    return result.files[language][PurePosixPath(MAIN[language])]


MARKS = {
    "## More": ("## More", "// More"),
    "### More": ("### More", "// More"),
    "##More": ("## More", "// More"),
    "##########": ("##########", "// #########"),
    "#1 is first": ("# 1 is first", "// 1 is first"),
    "# #2 is second": ("# #2 is second", "// #2 is second"),
    "#  far in": ("#  far in", "//  far in"),
}


@pytest.mark.parametrize("comment", MARKS)
def test_more_marks_than_one(comment: str) -> None:
    python, typescript = MARKS[comment]
    for name, source in (
        ("Pulumi.yaml", f"config:\n  {comment}\n  size:\n    default: 1\noutputs:\n  o: ${{size}}\n"),
        ("main.pp", f"{comment}\nconfig size int {{ default = 1 }}\n"),
    ):
        assert f"\n{python}\nsize" in generated(source, "python", name)
        assert f"\n{typescript}\nconst size" in generated(source, "typescript", name)


def test_a_line_of_slashes() -> None:
    text = generated("/// a\n// b\nconfig size int { default = 1 }\n", "typescript", "main.pp")
    assert "\n// a\n// b\nconst size" in text


INSIDE = """config:
  size: # behind the key
    # above the type
    type: integer # behind the type
    default: 2 # behind the default
    # at the end
variables:
  ids:
    fn::toJSON:
      - a # behind a
      # after a
resources:
  pet:
    # above the type of pet
    type: random:RandomPet # behind the type of pet
    properties:
      prefix: |  # behind the bar
        text
      # length: 3
  other:
    type: random:RandomPet
    properties: {keepers: {a: "${ids}"}} # behind all
# at the very end
"""


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_comments_inside_entries_of_yaml_stay_with_them(language: str) -> None:
    text = generated(INSIDE, language)
    matches = re.findall(r"(?:#|//) (behind.*|above.*|at the.*|after a|length: 3)$", text, re.MULTILINE)
    assert sorted(matches) == sorted(re.findall(r"# (behind.*|above.*|at the.*|after a|length: 3)$", INSIDE, re.MULTILINE))
    pet = re.search(r"^.*\"pet\"", text, re.MULTILINE)
    other = re.search(r"^.*\"other\"", text, re.MULTILINE)
    assert pet is not None
    assert other is not None
    for comment, start, end in (
        ("behind the default", 0, pet.start()),
        ("at the end", 0, pet.start()),
        ("length: 3", pet.start(), other.start()),
        ("behind all", pet.end(), len(text)),
    ):
        assert start <= text.index(comment) < end, text
