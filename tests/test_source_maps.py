"""Source maps: exactly the parts of a generated file that come from a node of the program lead back to it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

import pclgen
from pclgen.cli import app
from pclgen.core import program as prog
from pclgen.core.expr import Convert, Expr, ListExpr, Literal, ObjectExpr
from pclgen.core.walk import components_of
from pclgen.format.python import Alignment
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import SourceMap
from pclgen.targets.origins import Attribute, attribute_origin, member_name, node_origin
from pclgen.types.model import NONE, resolve
from pclgen.verify.report import Status, Verdict
from pclgen.verify.verification import with_places
from tests.support.binding import SCHEMAS
from tests.support.corpus import needs_corpus, program_directories
from tests.support.files import write_files
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs

LANGUAGES = ("python", "typescript", "go")
MAIN = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}

PROGRAM = {
    "main.pp": """\
# What it is called.
config label string {}
config size int { default = 2 }
count = size + 1
resource first "probe:index:Thing" {
  label = "${label}-${count}" # behind
}
resource "rest" "probe:index:Thing" {
  options { range = count }
  label = label
}
component web "./web" { label = first.out }
output size { value = size }
output "é𝒳" { value = web.out }
""",
    "web/main.pp": """\
config label string {
  description = "Of the thing."
}
config more int { default = 3 }
resource r "probe:index:Thing" {
  label = "${label}-${more}"
}
output out { value = r.out }
""",
}


def generated(source: pclgen.Source, schemas: list[Path]) -> pclgen.GenerateResult:
    """A program with its source maps; without them its text is the same."""
    plain, mapped = (
        pclgen.generate(source, languages=LANGUAGES, schemas=schemas, lenient=True, source_maps=asked) for asked in (False, True)
    )
    assert plain.ok, pclgen.render_diagnostics(plain.diagnostics)
    assert plain.files == mapped.files
    assert plain.source_maps == {}
    return mapped


def nodes_of(program: prog.Program) -> Iterator[prog.Node]:
    for part in (program, *(component.program for component in components_of(program))):
        yield from part.nodes


def parts_of(node: prog.Node, language: str) -> Iterator[Attribute]:
    """The attributes of a node with their own text in a language."""
    if isinstance(node, prog.OutputVariable):
        yield node
    if not isinstance(node, prog.Resource | prog.ComponentUse):
        return
    for attribute in node.inputs:
        if not (language == "go" and resolve(attribute.value.type) is NONE):  # Go has no text for null
            yield attribute
            yield from members_of(attribute.value, language)
    declaration = node.declaration if isinstance(node, prog.Resource) else None
    for option in node.options:
        pinned = declaration is not None and option.name == "version" and isinstance(option.value, Literal)
        if not (language == "typescript" and pinned):  # TypeScript's SDKs know the version of their package
            yield option
            yield from members_of(option.value, language)


def members_of(value: Expr, language: str) -> Iterator[Attribute]:
    """The members of the object literals in `value`, as far as they have their own text."""
    match value:
        case ObjectExpr():
            latest = {member_name(item): item for item in value.items}  # Go's literals have no duplicates
            for item in latest.values():
                if not (language == "go" and resolve(item.value.type) is NONE) and item.when is None:
                    yield item
                    yield from members_of(item.value, language)
        case ListExpr():
            for element in value.elements:
                yield from members_of(element, language)
        case Convert():
            yield from members_of(value.value, language)


RENAMED = {"noParent": "parent"}
"""Members that an SDK names differently."""


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def assert_maps(result: pclgen.GenerateResult) -> None:
    """Check the properties of the maps of every program."""
    assert result.program is not None
    nodes = [
        n
        for n in nodes_of(result.program)
        if isinstance(n, prog.Resource | prog.ComponentUse | prog.ConfigVariable | prog.OutputVariable)
    ]
    for language, maps in result.source_maps.items():
        files = result.files[language]
        assert all(
            source_map.file.text == files[path] and source_map.file.name == str(path) for path, source_map in maps.items()
        )
        assert len(maps) == 1 + len(list(components_of(result.program)))
        mapped = {(item.origin.kind, item.origin.span) for source_map in maps.values() for item in source_map.mappings}
        origins = [*map(node_origin, nodes), *(attribute_origin(part) for n in nodes for part in parts_of(n, language))]
        missing = [item for item in origins if (item.kind, item.span) not in mapped]
        assert not [(item.kind, item.name, str(item.span)) for item in missing], language
        for source_map in maps.values():
            assert_consistent(source_map)


def assert_consistent(source_map: SourceMap) -> None:
    around: list[Span] = []
    for mapping in source_map.mappings:
        own = mapping.generated
        while around and around[-1].end <= own.start:
            around.pop()
        assert not around or own.end <= around[-1].end, "mappings overlap"
        around.append(own)
        assert own.text == own.text.strip()
        # In Pulumi YAML a node may need variables of other names.
        if mapping.origin.kind != "value" and source_map.file.name != "Pulumi.yaml":
            place = source_map.file.name, str(mapping.origin.span), own.text
            name = RENAMED.get(mapping.origin.name, mapping.origin.name)
            assert squeezed(name).removesuffix("s") in squeezed(own.text), place
        at = source_map.at(own.start)
        assert at is not None and at.generated.start == own.start
        assert mapping in source_map.of(mapping.origin.span.file.name, mapping.origin.span.start)
    assert decoded(source_map) == expected(source_map)


# -- Source Map v3 -----------------------------------------------------------------------------------------------------

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Segment = tuple[int, int, tuple[str, int, int, str] | None]


def numbers(text: str) -> Iterator[int]:
    value = shift = 0
    for digit in map(_DIGITS.index, text):
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            yield -(value >> 1) if value & 1 else value >> 1
            value = shift = 0


def decoded(source_map: SourceMap) -> dict[tuple[int, int], tuple[str, int, int, str] | None]:
    """The segments of the JSON, by line and column."""
    text = json.loads(source_map.to_json())
    result: dict[tuple[int, int], tuple[str, int, int, str] | None] = {}
    state = [0, 0, 0, 0]
    for row, line in enumerate(text["mappings"].split(";")):
        column = 0
        for segment in filter(None, line.split(",")):
            first, *rest = numbers(segment)
            assert first > 0 or column == 0
            column += first
            if rest:
                state = [a + b for a, b in zip(state, rest, strict=True)]
            source, there, place, name = state
            result[row, column] = (text["sources"][source], there, place, text["names"][name]) if rest else None
    return result


def units(file: SourceFile, offset: int) -> tuple[int, int]:
    before = file.text[:offset]
    return before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def expected(source_map: SourceMap) -> dict[tuple[int, int], tuple[str, int, int, str] | None]:
    """The same from the mappings: the answers of `at` where they change, and at line starts."""
    result: dict[tuple[int, int], tuple[str, int, int, str] | None] = {}
    text = source_map.file.text
    edges = {edge for mapping in source_map.mappings for edge in (mapping.generated.start, mapping.generated.end)}
    lines = {match.end() for match in re.finditer("\n", text)}
    before = None
    for offset in sorted(edges | lines):
        mapping = source_map.at(offset)
        if offset < len(text) and (mapping is not before or (mapping is not None and offset in lines)):
            origin = mapping.origin if mapping is not None else None
            result[units(source_map.file, offset)] = (
                (origin.span.file.name, *units(origin.span.file, origin.span.start), origin.name) if origin else None
            )
        before = mapping
    return result


# -- the programs ------------------------------------------------------------------------------------------------------


@needs_corpus
@pytest.mark.parametrize("directory", program_directories("field"), ids=lambda path: path.name)
def test_field_programs(directory: Path) -> None:
    assert_maps(generated(directory, [REAL_SCHEMAS]))


@pytest.mark.parametrize("directory", example_programs().values(), ids=lambda path: path.name)
def test_examples(directory: Path) -> None:
    assert_maps(generated(directory, [EXAMPLE_SCHEMAS]))


def test_components_configuration_and_merged_outputs() -> None:
    assert_maps(generated(PROGRAM, [SCHEMAS]))


def test_configuration_that_nothing_reads() -> None:
    result = generated({"main.pp": 'config c string {\n  default = "a"\n}\noutput o { value = "b" }\n'}, [])
    assert "cfg" not in result.files["go"][PurePosixPath("main.go")]  # Go refuses unused variables
    assert [m.generated.text for m in result.source_maps["go"][PurePosixPath("main.go")].mappings][-1] == 'pulumi.String("b")'


def test_a_program_that_waits_returns_its_outputs() -> None:
    program = {"main.pp": 'output default { value = "a" }\noutput other { value = "b" }\n'}
    result = generated(program, [SCHEMAS])
    assert_maps(result)
    source_map = result.source_maps["typescript"][PurePosixPath("index.ts")]
    assert [m.generated.text for m in source_map.mappings] == ['default: "a"', '"a"', 'other: "b"', '"b"']


def test_members_of_generated_pulumi_yaml() -> None:
    source = PROGRAM["main.pp"].replace('component web "./web" { label = first.out }\n', "").replace("web.out", "first.out")
    source = source.replace("range = count", "range = 2").replace("size + 1", "2")
    result = pclgen.generate({"main.pp": source}, languages=["yaml"], schemas=[SCHEMAS], source_maps=True)
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    source_map = result.source_maps["yaml"][PurePosixPath("Pulumi.yaml")]
    assert_consistent(source_map)
    lines = {m.generated.text.split("\n")[0]: (m.origin.kind, m.origin.name) for m in source_map.mappings}
    assert lines == {
        "# What it is called.": ("configuration", "label"),
        "size:": ("configuration", "size"),
        "count: 2": ("local", "count"),
        "countText:": ("resource", "first"),
        "first:": ("resource", "first"),
        "rest-0:": ("resource", "rest"),
        "rest-1:": ("resource", "rest"),
        "label: ${label}-${countText}  # behind": ("input", "label"),
        "label: ${label}": ("input", "label"),
        "size: ${size}": ("output", "size"),
        "${size}": ("value", "size"),
        '"é𝒳": ${first.out}': ("output", "é𝒳"),
        "${first.out}": ("value", "é𝒳"),
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1", "1"),
        ("[]", "[]"),
        ("{}", "{}"),
        ('"a: b" # c', '"a: b"'),
        ('"a\\nb\\n"', "|\n    a\n    b"),
        ("[1, 2]", "- 1\n    - 2"),
    ],
)
def test_values_of_outputs_in_generated_pulumi_yaml(value: str, text: str) -> None:
    result = pclgen.generate({"main.pp": f"output o {{\n value = {value}\n}}\n"}, languages=["yaml"], source_maps=True)
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    output, mapping = result.source_maps["yaml"][PurePosixPath("Pulumi.yaml")].mappings
    assert (output.origin.kind, mapping.origin.kind) == ("output", "value")
    assert mapping.generated.text == text


def test_members_of_values_in_generated_pulumi_yaml() -> None:
    source = """output o {
  value = {
    # above
    a = { b = ["c"] }
    d = [
      # first
      { e = "f\\ng" },
      {
        # of a member
        h = 1
      }, # behind
    ]
  }
}
"""
    plain, result = (pclgen.generate({"main.pp": source}, languages=["yaml"], source_maps=asked) for asked in (False, True))
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    assert plain.files == result.files
    source_map = result.source_maps["yaml"][PurePosixPath("Pulumi.yaml")]
    assert_consistent(source_map)
    assert {m.origin.name: m.generated.text for m in source_map.mappings if m.origin.kind == "member"} == {
        "a": "# above\n    a:\n      b:\n        - c",
        "b": "b:\n        - c",
        "d": "d:\n      # first\n      - e: |-\n          f\n          g\n      # behind\n      # of a member\n      - h: 1",
        "e": "e: |-\n          f\n          g",
        "h": "# of a member\n      - h: 1",
    }


@needs_corpus
@pytest.mark.parametrize("directory", program_directories("field"), ids=lambda path: path.name)
def test_field_programs_in_pulumi_yaml(directory: Path) -> None:
    plain, result = (
        pclgen.generate(directory, languages=["yaml"], schemas=[REAL_SCHEMAS], lenient=True, source_maps=asked)
        for asked in (False, True)
    )
    if not result.ok:
        return  # not every program can be written in Pulumi YAML
    assert result.program is not None
    assert plain.files == result.files
    source_map = result.source_maps["yaml"][PurePosixPath("Pulumi.yaml")]
    assert_consistent(source_map)
    nodes = [node for node in result.program.nodes if isinstance(node, prog.Resource | prog.OutputVariable)]
    mapped = {(item.origin.kind, item.origin.span) for item in source_map.mappings}
    parts = [part for node in nodes for part in parts_of(node, "yaml")]
    origins = [*map(node_origin, nodes), *map(attribute_origin, parts)]
    missing = [item for item in origins if (item.kind, item.span) not in mapped]
    assert not [(item.kind, item.name, str(item.span)) for item in missing]


def test_a_node_in_generated_code_and_back() -> None:
    result = generated(PROGRAM, [SCHEMAS])
    source = PROGRAM["main.pp"]
    begin = source.index("resource first")
    assert {
        language: [m.generated.text.split("\n")[0] for m in maps[PurePosixPath(MAIN[language])].of("main.pp", begin)]
        for language, maps in result.source_maps.items()
    } == {
        "python": ['first = probe.Thing('],
        "typescript": ['const first = new probe.Thing("first", {'],
        "go": ["first, err := probe.NewThing(ctx, \"first\", &probe.ThingArgs{"],
    }
    source_map = result.source_maps["python"][PurePosixPath("__main__.py")]
    assert source_map.at(0) is None
    back = source_map.at(source_map.file.text.index("first ="))
    assert back is not None
    assert (back.origin.kind, back.origin.name) == ("resource", "first")
    assert back.origin.span.text.startswith("resource first")


ATTRIBUTES = """\
# Of the resource.
resource first "probe:index:Thing" {
  # What it is called.
  label = "a"
  options {
    protect   = true
    dependsOn = []
  }
}
resource second "probe:index:Thing" {
  label = first.out
}
output all {
  value = [second.out, "b"]
}
"""


@pytest.mark.parametrize(
    ("language", "label", "protect", "depends", "passed", "value"),
    [
        (
            "python",
            'label="a"',
            "protect=True",
            "depends_on=[]",
            "label=first.out",
            '[second.out, "b"]',
        ),
        (
            "typescript",
            '// What it is called.\n        label: "a"',
            "protect: true",
            "dependsOn: []",
            "label: first.out",
            '[second.out, "b"]',
        ),
        (
            "go",
            'Label: pulumi.String("a")',
            "pulumi.Protect(true)",
            "pulumi.DependsOn([]pulumi.Resource{})",
            "Label: first.Out",
            'pulumi.StringArray{second.Out, pulumi.String("b")}',
        ),
    ],
)
def test_attributes_in_generated_code_and_back(
    language: str, label: str, protect: str, depends: str, passed: str, value: str
) -> None:
    result = pclgen.generate({"main.pp": ATTRIBUTES}, languages=[language], schemas=[SCHEMAS], source_maps=True)
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    source_map = result.source_maps[language][PurePosixPath(MAIN[language])]
    texts = [label, protect, depends, passed, value]
    places = ['label = "a"', "protect", "dependsOn", "label = first.out", "[second"]
    for text, source in zip(texts, places, strict=True):
        *_, part = source_map.of("main.pp", ATTRIBUTES.index(source))
        assert part.generated.text == text
        assert source_map.at(part.generated.end - 1) == part


def aligned(text: str, formatted: str, places: Sequence[tuple[int, int]]) -> tuple[Alignment, list[tuple[int, int]]]:
    """The alignment of a text that is cut at places, and the numbers of their parts."""
    cuts = sorted({0, len(text), *(edge for place in places for edge in place)})
    alignment = Alignment([text[start:end] for start, end in pairwise(cuts)], formatted)
    return alignment, [(cuts.index(start), cuts.index(end)) for start, end in places]


def test_places_are_found_again_in_any_layout() -> None:
    text = 'a = [1,2]\nb = f(x = "a\'b", y = """c\n# no comment""", z = \'\') # why\nif a: c = {}\né = "𝒳" + é\n'
    formatted = (
        'a = [\n    1,\n    2,\n]\nb = f(\n    x="a\'b",\n    y="""c\n# no comment""",\n    z="",\n)  # why\n'
        'if a:\n    c = {}\né = (\n    "𝒳"\n    + é\n)\n'
    )
    lines = [(0, 9), (10, text.index("# why") + 5), (text.index("if"), text.index("\né")), (text.index("é"), len(text) - 1)]
    alignment, parts = aligned(text, formatted, lines)
    assert alignment.is_same_text
    first, second, third, last = (formatted[slice(*alignment.lines(*part))] for part in parts)
    assert (first, third) == ("a = [\n    1,\n    2,\n]", "if a:\n    c = {}")
    assert last == 'é = (\n    "𝒳"\n    + é\n)'
    assert second.startswith("b = f(")
    assert second.endswith("# why")
    assert not Alignment([text], formatted + "d\n").is_same_text


def test_expressions_are_found_again_in_any_layout() -> None:
    text = "f(a=[-x, (1)], b={}, c=g(h()), d=((y + z)), *e, [], -1, ((p) + q), é='𝒳é', ü=(v))"
    formatted = (
        "f(\n    a=[\n        -x,\n        (1),\n    ],\n    b={},\n    c=g(h()),\n    d=(y + z),\n    *e,\n    [],\n    -1,\n"
        '    ((p) + q),\n    é="𝒳é",\n    ü=(\n        v\n    ),\n)\n'
    )
    parts = ["a=[-x, (1)]", "-x", "(1)", "b={}", "c=g(h())", "h()", "d=((y + z))", "*e", "[]", "-1", "((p) + q)", "é='𝒳é'", "ü=(v)"]
    places = [(text.index(part), text.index(part) + len(part)) for part in parts]
    for each in (places, *([place] for place in places)):  # cut at all places, and at a single place
        alignment, numbers = aligned(text, formatted, each)
        assert alignment.is_same_text
        actual = ["".join(formatted[slice(*alignment.expression(*number))].split()).replace(",]", "]") for number in numbers]
        original = [text[start:end].replace(" ", "").replace("'", '"').replace("((y+z))", "(y+z)") for start, end in each]
        assert actual == original


def test_the_text_of_the_sources_is_carried_on_request() -> None:
    source_map = generated(PROGRAM, [SCHEMAS]).source_maps["go"][PurePosixPath("main.go")]
    assert "sourcesContent" not in json.loads(source_map.to_json())
    carried = json.loads(source_map.to_json(with_sources=True))
    assert carried["sourcesContent"] == [PROGRAM["main.pp"]]
    assert carried["sources"] == ["main.pp"]
    assert carried["file"] == "main.go"


def test_complaints_of_tools_name_the_program() -> None:
    result = generated(PROGRAM, [SCHEMAS])
    text = result.files["go"][PurePosixPath("main.go")]
    line = text[: text.index("probe.NewThing(")].count("\n") + 1
    messages = (f"main.go:{line}:3: no", "main.go:1:1: no", "main.go:99999:1: no", "other.go:1: no", "it failed")
    verdict = Verdict(key="k", language="go", level="compile", status=Status.FAILED, messages=messages)
    first, *rest = with_places(verdict, result.source_maps).messages
    assert first == f"{messages[0]}\n  from main.pp:5:1: resource `first`"
    assert tuple(rest) == messages[1:]
    passed = replace(verdict, status=Status.PASSED)
    assert with_places(passed, result.source_maps) is passed


# -- the command line --------------------------------------------------------------------------------------------------


def test_maps_are_files_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "site", PROGRAM)
    monkeypatch.chdir(tmp_path)
    command = ["generate", "site", "--out", "out/{language}", "--schemas", str(SCHEMAS), "--quiet"]

    def written() -> set[str]:
        return {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.map")}

    assert app.main([*command, "--source-map"]) == 0
    assert written() == {
        *("python/__main__.py.map", "python/web.py.map", "typescript/index.ts.map", "typescript/web.ts.map"),
        *("go/main.go.map", "go/web.go.map"),
    }
    text = json.loads((tmp_path / "out" / "go" / "web.go.map").read_text(encoding="utf-8"))
    assert text["sources"] == ["../../site/web/main.pp"]
    assert app.main(command) == 0
    assert written() == set(), "files that are no longer generated are deleted"


def test_maps_need_a_folder(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a = 1\n")))
    assert app.main(["generate", "-", "--language", "go", "--out", "-", "--source-map"]) == 2
    assert "--source-map" in capsys.readouterr().err
