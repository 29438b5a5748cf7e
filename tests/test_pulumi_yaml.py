"""Programs in Pulumi YAML: each construct of its reference has the same meaning as its PCL equivalent, mistakes are reported
at their places in the YAML, and `fmt --from yaml` prints the same program."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pclgen
from pclgen.bind.reading import as_texts
from pclgen.cli import app
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml.program import read_programs
from pclgen.schema.load import SchemaStore
from pclgen.source.text import SourceFile
from pclgen.syntax.format import format_source
from pclgen.syntax.parse import parse_file
from pclgen.syntax.write import quote, write_file
from pclgen.trace.json import to_json
from pclgen.trace.normal import normalise
from tests.support.corpus import SHARED, needs_corpus, pp_files
from tests.support.rules import for_all
from tests.support.yaml_programs import CONSTRUCTS, SCHEMA
from tests.test_syntax_format import PROGRAMS, essence

REPLAY = "answers/replay.json"
ANSWERS = {"stacks": {"o/p/s": {"x": 1, "y": "two"}}}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "acme.json").write_text(json.dumps(SCHEMA))
    (folder / "answers").mkdir()
    (folder / REPLAY).write_text(json.dumps(ANSWERS))
    return folder


def as_pcl(text: str) -> str:
    bag = DiagnosticBag()
    (tree,) = as_texts(read_programs([SourceFile("snippet.yaml", text)], bag)[-1:])
    written = format_source(SourceFile("main.pp", write_file(tree)), bag)
    assert written is not None, [f"{d.message} {d.primary}" for d in bag]
    return written


def registrations(program: Mapping[str, str], schemas: Path) -> object:
    """The registrations of an evaluator run, without places."""
    result = pclgen.evaluate_program(program, schemas=[schemas], replay_file=schemas / REPLAY)
    assert result.trace is not None, [f"{d.message} {d.primary}" for d in result.diagnostics]
    assert not result.trace.failed, [f"{d.message} {d.primary}" for d in result.diagnostics]
    return without_places(to_json(normalise(result.trace)))


def without_places(data: object) -> object:
    if isinstance(data, dict):
        return {key: without_places(value) for key, value in data.items() if key not in ("place", "places")}
    return [without_places(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_means_what_it_means_in_pcl(name: str, schemas: Path) -> None:
    yaml, pcl = CONSTRUCTS[name]
    expected = registrations({"main.pp": pcl}, schemas)
    assert registrations({"Pulumi.yaml": yaml}, schemas) == expected
    assert registrations({"main.pp": as_pcl(yaml)}, schemas) == expected


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_the_tree_is_that_of_the_pcl(name: str) -> None:
    """The printed program parses to the tree that was read."""
    bag = DiagnosticBag()
    tree = read_programs([SourceFile("Pulumi.yaml", CONSTRUCTS[name][0])], bag)[-1]
    again = parse_file(SourceFile("main.pp", write_file(tree)), bag)
    assert [d.message for d in bag] == []
    assert plain(essence(again.body)) == plain(essence(tree.body))


MISTAKES: Mapping[str, tuple[str, str, str, str]] = {
    "unknown-name": ("outputs:\n  a: x${nope.b}\n", "PCL0501", "2:9", "nope"),
    "unknown-member": ("variables: {v: {a: 1}}\noutputs:\n  a: ${v.b}\n", "PCL0502", "3:10", "b"),
    "a-misspelled-name": ("variables: {size: 1}\noutputs:\n  a: ${sise}\n", "PCL0501", "3:8", "sise"),
    "in-a-literal-block": ("outputs:\n  a: |\n    one\n    ${nope}\n", "PCL1211", "4:7", "nope"),
    "the-second-of-two": ("variables: {v: 1}\noutputs:\n  a: ${v} ${v} ${w}\n", "PCL1211", "3:18", "w"),
    "in-escapes": ('outputs:\n  a: "\\u0041 ${nope}"\n', "PCL1211", "2:16", "nope"),
    "in-folded-text": ("outputs:\n  a: >\n    one\n    ${nope}\n", "PCL1211", "4:7", "nope"),
    "an-output": ("outputs:\n  first: 1\n  second: ${first}\n", "PCL1214", "3:13", "first"),
    "an-output-in-a-text": ("outputs:\n  first: 1\n  second: x${first}\n", "PCL1214", "3:14", "first"),
    "configuration-called-like-an-output": ("outputs:\n  first: ${first}\n  second: ${first}\n", "PCL1211", "2:12", "first"),
    "a-key-in-another-case": ("Outputs: {a: 1}", "PCL1210", "1:1", "Outputs"),
    "a-key-of-a-resource-in-another-case": ("resources: {a: {Type: 'acme:Thing'}}", "PCL1210", "1:17", "Type"),
    "an-option-in-another-case": ("resources: {a: {type: 'acme:Thing', options: {dependson: []}}}", "PCL1210", "1:47", "dependson"),
    "twice-in-two-cases": ("resources: {a: {type: 'acme:Thing', Type: 'acme:Thing'}}", "PCL1201", "1:37", "Type"),
    "nothing": ("name: x\nruntime: yaml\n", "PCL1213", "1:1", "name"),
    "nothing-but-configuration": ("config: {a: {type: string}}", "PCL1213", "1:1", "config"),
    "a-name-that-is-computed": ("variables: {x: a}\nresources: {a: {type: 'acme:Thing', name: 'a-${x}'}}", "PCL1204", "2:43", "'a-${x}'"),
    "no-two-arguments": ("outputs: {a: {fn::stackReference: [a]}}", "PCL1204", "1:35", "[a]"),
    "wrong-type": ("resources:\n  a:\n    type: acme:Thing\n    properties: {size: big}\n", "PCL0406", "4:24", "big"),
    "unknown-property": ("resources:\n  a:\n    type: acme:Thing\n    properties: {siez: 1}\n", "PCL0402", "4:18", "siez"),
    "unknown-option": ("resources: {a: {type: 'acme:Thing', options: {protct: true}}}", "PCL1205", "1:47", "protct"),
    "unknown-function": ("outputs: {a: {fn::nope: 1}}", "PCL1203", "1:15", "fn::nope"),
    "call-with-neighbours": ("outputs: {a: {fn::secret: 1, b: 2}}", "PCL1204", "1:15", "fn::secret"),
    "not-closed": ("outputs:\n  a: x${b\n", "PCL1202", "2:7", "${b"),
    "operators": ("variables: {b: 1}\noutputs:\n  a: ${b + 1}\n", "PCL1202", "3:6", "${b "),
    "not-yaml": ("outputs:\n  a: [1\n", "PCL1201", "3:1", ""),
    "a-tab": ("outputs:\n\ta: 1\n", "PCL1201", "2:1", "\t"),
    "twice": ("outputs: {a: 1, a: 2}", "PCL1201", "1:17", "a"),
    "two-things-of-one-name": ("variables: {a: 1}\nconfig: {a: 2}\n", "PCL1207", "2:10", "a"),
    "no-section": ("resource: {}", "PCL1205", "1:1", "resource"),
    "no-mapping": ("resources: [a]", "PCL1204", "1:12", "[a]"),
    "a-misspelled-type": ("resources: {a: {typ: 'acme:Thing'}}", "PCL1206", "1:17", "typ"),
    "a-misspelled-function": ("outputs: {a: {fn::invoke: {functon: 'acme:getThing'}}}", "PCL1206", "1:28", "functon"),
    "a-call-as-in-pcl": ("variables: {b: [1]}\noutputs: {a: '${length(b)}'}", "PCL1202", "2:15", "${length(b)}"),
    "an-option-too-high": ("resources: {a: {type: 'acme:Thing', protect: true}}", "PCL1205", "1:37", "protect"),
    "a-property-too-high": ("resources: {a: {type: 'acme:Thing', size: 3}}", "PCL1205", "1:37", "size"),
    "no-type": ("resources: {a: {properties: {}}}", "PCL1206", "1:13", "a"),
    "no-value-of-pulumi": ("outputs: {a: '${pulumi.user}'}", "PCL1202", "1:15", "${pulumi.user}"),
    "the-type-of-a-configuration": ("config: {a: {type: strin}}", "PCL1209", "1:20", "strin"),
}


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        ("resources: {a: {typ: 'acme:Thing'}}", "did you mean `type`?"),
        ("resources: {a: {type: 'acme:Thing', protect: true}}", "move it below options:"),
        ("resources: {a: {type: 'acme:Thing', size: 3}}", "to set a property, move it below properties:"),
        ("resources: {a: {type: 'acme:Thing', propertys: {}}}", "did you mean `properties`?"),
        ("outputs: {a: '${length(b.c)}'}", "write fn::length: ${b.c}"),
        ("outputs: {a: '${lookup(b)}'}", "write fn::lookup: [${b}]"),
        ("outputs: {a: '${stack()}'}", "write ${pulumi.stack}"),
    ],
)
def test_the_help_says_what_to_write(text: str, help_text: str, schemas: Path) -> None:
    (diagnostic,) = pclgen.check({"Pulumi.yaml": text}, schemas=[schemas]).diagnostics
    assert str(diagnostic.help) == help_text


NO_YAML: Mapping[str, tuple[str, str]] = {
    "outputs:\n  a: *\n": ("2:6", '`*` begins an alias, which needs a name: put the text in quotes: "*"'),
    "outputs:\n  a: &\n": ("2:6", "`&` begins an anchor, which needs a name: put the text in quotes"),
    "outputs:\n  a: *b\n": ("2:6", "the alias `*b` has no anchor: put the text in quotes if it is no alias"),
    "outputs:\n  a: b: c\n": ("2:7", "a `:` that begins no value: put a text with a `:` in quotes, or correct the indentation"),
    "outputs:\n  a: 1\n b: 2\n": (
        "3:2", "the indentation fits nothing above: indent the members of a mapping, or the items of a list, alike"
    ),
    "outputs:\n  a: \"x\n  b: 2\n": ("2:6", "unterminated string: add the closing quote"),
    "outputs:\n  a: @x\n": ("2:6", "`@` cannot begin a value: put the value in quotes"),
    "outputs:\n  a: 1\n  b\n  c: 2\n": (
        "4:3", "missing `:` after a key: write `key: value`, or correct the indentation above"
    ),
    "outputs:\n  a: [1, 2\n  b: 3\n": ("3:4", "expected `,` or `]`: close the list with `]`"),
    "outputs:\n  a: {b: 1\n": ("3:1", "expected `,` or `}`: close the mapping with `}`"),
    "outputs: {}\n---\na: 1\n": ("2:1", "the file holds several documents: keep one program in a file"),
    "outputs:\n\ta: 1\n": ("2:1", "a tab in the indentation: indent with spaces"),
}


@pytest.mark.parametrize("text", NO_YAML)
def test_what_is_no_yaml_says_what_to_change(text: str) -> None:
    (diagnostic,) = pclgen.check({"Pulumi.yaml": text}, schemas=[]).diagnostics
    assert diagnostic.primary is not None
    at, message = diagnostic.primary.start_position, diagnostic.message.removeprefix("invalid YAML: ")
    assert (f"{at.line}:{at.column}", f"{message}: {diagnostic.help}") == NO_YAML[text]


@pytest.mark.parametrize("name", MISTAKES)
def test_errors_are_reported_at_their_places(name: str, schemas: Path) -> None:
    text, code, place, underlined = MISTAKES[name]
    (diagnostic,) = pclgen.check({"Pulumi.yaml": text}, schemas=[schemas]).diagnostics
    assert diagnostic.primary is not None
    at = diagnostic.primary.start_position
    assert (diagnostic.code, f"{at.line}:{at.column}", diagnostic.primary.text) == (code, place, underlined)


def test_comments_are_kept() -> None:
    text = (
        "# About the program.\n\nconfig:\n  # How many.\n  size: 3 # three\nresources:\n  # A thing.\n  a:\n    type: acme:Thing\n"
        "    properties:\n      # Its size.\n      size: ${size} # as configured\n      names:\n        # The first.\n        - x\n"
        "# The end.\n"
    )
    assert as_pcl(text) == (
        "# About the program.\n\n# How many.\nconfig size int {\n  default = 3\n} # three\n\n# A thing.\n"
        'resource a "acme:Thing" {\n  # Its size.\n  size = size # as configured\n  names = [\n    # The first.\n    "x",\n  ]\n}\n'
        "\n# The end.\n"
    )


TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co", "Zl", "Zp"], exclude_characters="\ufeff"), max_size=30)


@given(TEXTS)
def test_no_text_is_ever_anything_else(text: str) -> None:
    """Every text survives the conversion to PCL."""
    bag = DiagnosticBag()
    tree = parse_file(SourceFile("main.pp", f"a = {quote(text)}\n"), bag)
    item = tree.body.items[0]
    value = getattr(item, "value")  # noqa: B009  # an attribute, or the test fails
    assert [d.message for d in bag] == []
    assert "".join(part.value for part in value.parts) == text


@given(st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=4))
def test_texts_of_yaml_come_through(outputs: dict[str, str]) -> None:
    text = json.dumps({"outputs": {name: value.replace("${", "$${") for name, value in outputs.items()}}, ensure_ascii=False)
    result = pclgen.evaluate_program({"Pulumi.yaml": text})
    assert result.trace is not None, [d.message for d in result.diagnostics]
    assert to_json(result.trace)["outputs"] == {normalize("NFC", key): normalize("NFC", text) for key, text in outputs.items()}


@settings(max_examples=60)
@given(PROGRAMS)
def test_programs_are_written_as_they_are(text: str) -> None:
    """Every PCL tree is printed so that it parses to itself."""
    bag = DiagnosticBag()
    tree = parse_file(SourceFile("main.pp", text), bag)
    again = parse_file(SourceFile("main.pp", write_file(tree)), bag)
    assert [d.message for d in bag] == []
    assert plain(essence(again.body)) == plain(essence(tree.body))


def plain(node: object) -> object:
    """A tree without its comments and the spelling of its texts."""
    if isinstance(node, list):
        return [plain(part) for part in node]
    if isinstance(node, tuple):
        kind, parts = node
        if kind == "Parens":
            return plain(parts["inner"])
        if kind == "Template":
            return (kind, plain(joined(parts["parts"])))
        if kind == "Comment":
            return (kind,)
        if kind == "Block":
            parts = {**parts, "labels": [label[1]["text"] for label in parts["labels"]]}
        return (kind, {name: plain(part) for name, part in parts.items() if name not in ("leading", "trailing", "header", "closing")})
    return node


def joined(parts: list[object]) -> list[object]:
    """Merge adjacent texts of a template."""
    out: list[object] = []
    for part in parts:
        if isinstance(part, tuple) and part[0] == "TemplateText":
            if not part[1]["value"]:
                continue
            if out and isinstance(out[-1], tuple) and out[-1][0] == "TemplateText":
                out[-1] = ("TemplateText", {"value": out[-1][1]["value"] + part[1]["value"]})
                continue
        out.append(part)
    return out


class TestCommandLine:
    def test_a_project_is_a_program(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        place = tmp_path / "shop"
        place.mkdir()
        (place / "Pulumi.yaml").write_text("name: my-shop\nruntime: yaml\noutputs:\n  answer: 42\n")
        for named in (place, place / "Pulumi.yaml"):
            out = tmp_path / f"out-{named.name}"
            assert app.main(["generate", str(named), "-l", "python", "--out", str(out)]) == 0, capsys.readouterr().err
            assert (out / "__main__.py").read_text() == 'import pulumi\n\npulumi.export("answer", 42)\n'
            assert "name: my-shop" in (out / "Pulumi.yaml").read_text()

    def test_what_is_printed_is_the_program(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        place = tmp_path / "Pulumi.yaml"
        place.write_text("outputs:\n  answer: ${x}\nvariables: {x: 1}\n")
        assert app.main(["fmt", "--from", "yaml", str(place)]) == 0
        assert capsys.readouterr().out == "output answer {\n  value = x\n}\n\nx = 1\n"
        place.write_text("outputs: {answer: '${'}\n")
        assert app.main(["fmt", "--from", "yaml", str(place)]) == 1
        shown = capsys.readouterr()
        assert shown.out == "" and "PCL1202" in shown.err
        assert app.main(["fmt", "--from", "yaml", str(place), "--check"]) == 2

    def test_a_project_file_beside_pcl_is_no_program(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "main.pp").write_text("output a { value = 1 }\n")
        (tmp_path / "Pulumi.yaml").write_text("name: x\nruntime: yaml\noutputs: {a: 2}\n")
        assert app.main(["evaluate", str(tmp_path)]) == 0
        assert "a = 1" in capsys.readouterr().out.replace(": ", " = ")


FENCE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
REAL = SHARED / "corpus" / "schemas" / "real"


def fences() -> list[tuple[str, str]]:
    """The Pulumi YAML programs in the descriptions of real schemas, with the name of the schema."""
    programs = []
    for path in sorted(REAL.glob("*.json")):
        text = json.dumps(json.loads(path.read_text()))
        for written in re.findall(r'"description": "((?:[^"\\]|\\.)*)"', text):
            programs += [(path.stem, fence) for fence in FENCE.findall(json.loads(f'"{written}"')) if is_program(fence)]
    return programs


def is_program(text: str) -> bool:
    return re.search(r"^(?:resources|variables|outputs):", text, re.MULTILINE) is not None


def unplaced(files: Mapping[str, Mapping[PurePosixPath, str]]) -> list[str]:
    """The words of generated files, without source places."""
    texts = [re.sub(r"(?:main\.pp|snippet\.yaml):[\d:]+", "", text) for folder in files.values() for text in folder.values()]
    return [word for text in texts for word in re.findall(r"\w+|\S", text) if word != ","]


@needs_corpus
def test_programs_of_real_schemas_are_the_same_in_pcl() -> None:
    """Each of some 500 examples that binds gives the same code from YAML and from its conversion to PCL."""
    bound = 0
    store = SchemaStore([REAL])
    for name, text in fences():
        result = pclgen.generate({"snippet.yaml": text}, languages=["python"], store=store, program_only=True)
        if not result.ok:
            continue
        bound += 1
        again = pclgen.generate({"main.pp": as_pcl(text)}, languages=["python"], store=store, program_only=True)
        assert unplaced(again.files) == unplaced(result.files), (name, text)
    assert bound > 400


@needs_corpus
@for_all("path", pp_files("field"), names=lambda path: str(path.relative_to(SHARED)))
def test_field_programs_are_written_as_they_are(path: Path) -> None:
    bag = DiagnosticBag()
    tree = parse_file(SourceFile(path.name, path.read_text()), bag)
    again = parse_file(SourceFile(path.name, write_file(tree)), bag)
    assert not bag.has_errors
    assert plain(essence(again.body)) == plain(essence(tree.body))


@pytest.mark.parametrize(
    "text",
    ["", "~", "[]", "x", "outputs:", "resources: {a: }", "? [a]\n: b", "a: &a [*a]", "--- 1\n--- 2\n", "outputs: {a: \u2028}",
     "outputs: {a: !!binary x}", "outputs: {a: !!int x}", "a: " + "[" * 500, "outputs: {a: '${" + "a." * 3000 + "b}'}",
     "outputs: {'': 1}", "resources: {'': {type: ''}}", "config: {a: {type: array, items: {type: array, items: {type: x}}}}"],
    ids=range(17),
)  # fmt: skip  # a table of short texts
def test_odd_files_are_reported(text: str) -> None:
    """A file may hold anything; pclgen reports it and does not crash."""
    result = pclgen.check({"Pulumi.yaml": text})
    assert all(diagnostic.primary is not None for diagnostic in result.diagnostics)
