"""Pulumi YAML as a target: the project's own reader reads the output back, and it has the program's registrations.

Values that YAML cannot express are reported with a place; `snapshots/yaml` holds the output of each program, with errors.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import pclgen
from pclgen import pipeline
from pclgen.cli.app import main
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program, program_in_memory
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlMap, YamlScalar, read_tree
from pclgen.targets.settings import yaml_text
from pclgen.targets.yaml.printer import members
from pclgen.targets.yaml.tree import Item, Mapping, Member, Sequence, Text
from pclgen.testing.snapshots import FileSnapshots
from pclgen.trace.json import to_json
from pclgen.verify.comparison import Evaluations
from pclgen.verify.report import Status
from pclgen.verify.rereading import reread
from pclgen.verify.subjects import Subject
from tests.support.corpus import CORPUS, ROOT, needs_corpus, program_directories
from tests.support.field_runs import settings_of
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.rules import for_all
from tests.support.yaml_runs import Written, differs, written

FIELD = {path.name: path for path in sorted((ROOT / "tests" / "cases" / "field").iterdir())}
CONFORMANCE = [path for folder in program_directories("conformance") if any((path := folder / "program").glob("*.pp"))]
NOT_READ = {"l2-invoke-multi-argument"}  # the reader passes the arguments of a function only as one object
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("\t\n${}:#-'\"\\ [],&*!|>%@`?=")) | st.sampled_from(
    ["no", "1e3", "0x1f", "~", "null", ": ", "a: b", "- a", "a #b", "${a}", "$${", "$", "<<", "a\n", "a\nb", " a\nb\n", ".inf"]
)


@pytest.fixture(scope="module")
def store() -> SchemaStore:
    """The schemas of published packages and of the examples."""
    return SchemaStore([REAL_SCHEMAS, EXAMPLE_SCHEMAS])


def check(name: str, path: Path, store: SchemaStore) -> Written:
    """Write a program as YAML and check that it has the same registrations."""
    sources = load_program(str(path))
    result = written(sources, store)
    if result.errors:
        assert all(": PCL0901: " in line for line in result.errors.splitlines())
        return result
    assert list(yaml.safe_load(result.text))[:2] == ["name", "runtime"]
    program = pipeline.check(sources, store=store).program
    subject = SimpleNamespace(key=name, name=name, source=sources, program=program)
    assert differs(sources, result.text, store, settings_of(cast(Subject, subject))) == []
    return result


@needs_corpus
@pytest.mark.parametrize("name", [*FIELD, *example_programs()])
def test_as_before(pcl_snapshots: FileSnapshots, store: SchemaStore, name: str) -> None:
    result = check(name, (FIELD | example_programs())[name], store)
    place = f"{ROOT}/"
    files = {"errors.txt": result.errors.replace(place, "")} if result.errors else {"Pulumi.yaml": result.text}
    pcl_snapshots.folder(f"yaml/{name}", files)


def test_no_snapshot_without_a_program(pcl_snapshots: FileSnapshots) -> None:
    pcl_snapshots.only("yaml", [*FIELD, *example_programs()])


@needs_corpus
@for_all("path", CONFORMANCE, names=lambda path: path.parent.name)
def test_conformance_programs_are_the_same(path: Path) -> None:
    """Every target refuses the programs with an invalid schema."""
    name = path.parent.name
    schemas = SchemaStore([CORPUS / "schemas" / "conformance"])
    if name in NOT_READ:
        assert "fn::invoke" in written(load_program(str(path)), schemas).text
    elif pipeline.check(load_program(str(path)), store=schemas).ok:
        check(name, path, schemas)


# --- texts -------------------------------------------------------------------------------------------------------------


def of_pyyaml(text: str) -> object:
    return yaml.safe_load(text)


def of_ours(text: str) -> object:
    def plain(node: Any) -> object:
        match node:
            case YamlScalar():
                return node.text
            case YamlMap():
                return {key.text: plain(value) for key, value in node.pairs}
            case _:
                return [plain(item) for item in node.items]

    return plain(read_tree(SourceFile("Pulumi.yaml", text)).top)


@pytest.mark.parametrize("read", [of_pyyaml, of_ours])
@given(st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=3))
def test_texts_are_read_as_they_are(read: Callable[[str], object], texts: dict[str, str]) -> None:
    """In keys, values, elements, and nested in others."""
    inside = Mapping(tuple(Member(key, Text(value)) for key, value in texts.items()))
    listed = Sequence(tuple(Item(Text(value)) for value in texts.values()))
    nested = Sequence((Item(inside), Item(listed)))
    document = "\n".join(members([Member("a", inside), Member("b", listed), Member("c", nested)]))
    values = list(texts.values())
    assert read(document) == {"a": texts, "b": values, "c": [texts, values]}


@given(TEXTS)
def test_plain_texts_are_texts(text: str) -> None:
    for in_block in (True, False):
        assert yaml.safe_load(yaml_text(text, in_block=in_block)) == text


@pytest.mark.parametrize(
    "text", ["${a}", "$${a}", "$", "$$", "no", "1e3", "0o7", "a: b", " a", "tab\there", "ümlaut ☃", "a\nb\n", "a\nb", "- a", "#", "$${", "é"]
)
def test_hostile_texts_of_programs(text: str) -> None:
    """The texts are constants, next to interpolations, and in objects, also as keys."""
    spelled = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("${", "$${")
    source = f'config a string {{ default = "A" }}\nx = "{spelled}"\n'
    source += f'output o {{ value = {{ "k{spelled}" = ["{spelled}", "{spelled}-${{a}}", "${{a}}{spelled}", x] }} }}\n'
    result = written(program_in_memory("p", {"main.pp": source}), SchemaStore([]))
    assert result.errors == ""
    runs = [pclgen.evaluate_program(files) for files in ({"main.pp": source}, {"Pulumi.yaml": result.text})]
    traces = [to_json(run.trace)["outputs"] for run in runs if run.trace is not None]
    assert traces == [{"o": {f"k{text}": [text, f"{text}-A", f"A{text}", text]}}] * 2


# --- what is known, and what is not --------------------------------------------------------------------------------------


def body(source: str) -> Any:
    result = written(program_in_memory("p", {"main.pp": source}), SchemaStore([]))
    assert result.errors == ""
    return yaml.safe_load(result.text)


@pytest.mark.parametrize(
    ("value", "folded"),
    [
        ('[for x in ["a", "b"] : "${x}-${c}"]', ["a-${c}", "b-${c}"]),
        ('{ for k, v in { b = 1, a = 2 } : k => v + 1 if v > 1 }', {"a": 3}),
        ('length(["x", "y"]) == 2 ? "two" : c', "two"),
        ("7 / 2", 3.5),
        ('"${c}"', "${c}"),
        ('"$${c}"', "$${c}"),
        ('"a$${c}${c}"', "a$${c}${c}"),
        ('"$" == "$" ? "x" : "y"', "x"),
        ("toJSON({ a = c })", {"fn::toJSON": {"a": "${c}"}}),
        ('"a-${toBase64(c)}"', {"fn::join": ["", ["a-", {"fn::toBase64": "${c}"}]]}),
        ('"$${"', "$${"),
        ('split(",", c)[1]', "${split[1]}"),
        ("stack()", "${pulumi.stack}"),
        ("secret(c)", {"fn::secret": "${c}"}),
    ],
)
def test_known_values_are_folded(value: str, folded: object) -> None:
    assert body(f'config c string {{ default = "C" }}\noutput o {{ value = {value} }}')["outputs"]["o"] == folded


def test_a_dollar_before_a_way_is_no_escape() -> None:
    """`$${c}` would be the text `${c}`."""
    text = body('config c string { default = "C" }\noutput o { value = "${c}$${c}$" }\noutput p { value = "US$ ${c}" }')
    assert text["outputs"] == {"o": "${c}$${c}$", "p": "US$ ${c}"}


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ('config c bool {}\noutput o { value = c ? "a" : "b" }', "2:20"),
        ('config c "list(string)" {}\noutput o { value = [for x in c : "a${x}"] }', "2:20"),
        ("config c int {}\noutput o { value = c + 1 }", "2:20"),
        ('config c "list(string)" {}\noutput o { value = length(c) }', "2:20"),
        ('output o { value = { "fn::x" = 1 } }', "1:22"),
        ("config c any {}", "1:1"),
        ('config c "int(maximum=10)" {}', "1:8"),
    ],
)
def test_what_has_no_form_is_an_error_with_a_place(source: str, place: str) -> None:
    result = written(program_in_memory("p", {"main.pp": source}), SchemaStore([]))
    assert result.text == ""
    assert f"main.pp:{place}" in result.errors


def test_numbers_in_texts_have_variables_that_are_used() -> None:
    source = 'config c number {\n  default = 1.5\n}\nconfig s string {\n  default = "x"\n}\n'
    content = body(source + 'output o { value = "${c} ${c}" }\noutput p { value = "${c}-${toBase64(s)}" }')
    assert content["variables"] == {"cText": {"fn::toJSON": "${c}"}}
    assert content["outputs"]["o"] == "${cText} ${cText}"
    assert content["outputs"]["p"] == {"fn::join": ["", [{"fn::toJSON": "${c}"}, "-", {"fn::toBase64": "${s}"}]]}
    alone = body(source + 'output p { value = "${c}-${toBase64(s)}" }')
    assert "variables" not in alone
    snow = body('config snow number {\n  __logicalName = "☃"\n  default = 1.5\n}\noutput o { value = "x${snow}" }')
    assert snow["variables"] == {"numberText": {"fn::toJSON": "${☃}"}}


def test_what_grows_is_refused() -> None:
    source = "xs = range(300)\noutput o { value = [for a in xs : [for b in xs : a + b]] }"
    errors = written(program_in_memory("p", {"main.pp": source}), SchemaStore([])).errors
    assert errors == "main.pp:2:1: PCL0901: what is made here cannot be written in Pulumi YAML\n"


def test_yaml_is_made_on_request_only() -> None:
    assert "yaml" not in pclgen.LANGUAGES
    assert set(pclgen.generate({"main.pp": "output o { value = 1 }"}).files) == set(pclgen.LANGUAGES)
    assert "Pulumi.yaml" in {str(path) for path in pclgen.generate({"main.pp": ""}, languages=["yaml"]).files["yaml"]}


# --- commands ------------------------------------------------------------------------------------------------------------


def test_verify_reads_it_back(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--languages", "yaml", "--schemas", str(EXAMPLE_SCHEMAS), "--no-cache"]
    assert main(["verify", str(ROOT / "examples" / "random-password"), *words]) == 0
    assert "yaml" in capsys.readouterr().out


def test_verify_finds_what_differs() -> None:
    """A text that differs from the program."""
    store = SchemaStore([])
    sources = program_in_memory("p", {"main.pp": "output o { value = 1 }"})
    result = pipeline.generate(sources, languages=["yaml"], store=store)
    assert result.program is not None
    right = Subject(key="p_", name="p", source=sources, program=result.program, files=result.files, store=store)
    ((path, text),) = result.files["yaml"].items()
    wrong = replace(right, key="q_", files={"yaml": {path: text.replace("o: 1", "o: 2")}})
    evaluations = Evaluations(lambda subject: Settings())
    verdicts = list(reread([right, wrong], ["compile", "run"], evaluations))
    assert [verdict.status for verdict in verdicts] == [Status.PASSED, Status.PASSED, Status.PASSED, Status.FAILED]
