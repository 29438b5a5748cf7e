"""Pulumi's own language host runs the output of the target Pulumi YAML, and the input of the Pulumi YAML reader.

The host is built from its module.  Its registrations are compared with the evaluator's, except for `beyond_hosts`; its
previews are not, since a text stops at the first unknown value and omits the dependencies of later values.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from pclgen import pipeline
from pclgen.build.model import BuildContext
from pclgen.docs.work import DocsRequest, convert_docs
from pclgen.evaluate.models import EchoModel
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, load_program, program_in_memory
from pclgen.trace import json as trace_json
from pclgen.trace.compare import DEFAULT_ASPECTS, Difference, differences
from pclgen.trace.model import Trace
from pclgen.verify.limits import comparable
from pclgen.verify.results import content_of, key_of
from pclgen.verify.subjects import Subject, stage_data
from tests.support import earlier, real_yaml, toolchains
from tests.support.corpus import CORPUS, ROOT, needs_corpus, program_directories
from tests.support.field_runs import settings_of
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.random_programs import program
from tests.support.real_yaml import beyond_hosts, run_yaml
from tests.support.rules import for_all
from tests.support.yaml_programs import CONSTRUCTS, SCHEMA
from tests.support.yaml_runs import without_form, written

FIELD = {path.name: path for path in sorted((ROOT / "tests" / "cases" / "field").iterdir())}
CONFORMANCE = {
    folder.name: path for folder in program_directories("conformance") if any((path := folder / "program").glob("*.pp"))
}
CONFORMANCE_SCHEMAS = CORPUS / "schemas" / "conformance"

OF_THE_HOST: Mapping[str, str] = {
    "l2-component-component-resource-ref": "a component's outputs depend on the component",
    "l2-namespaced-provider": "a component's outputs depend on the component",
    "l2-provider-config-enum": "of a provider it knows the properties that are texts",
    "l2-resource-config": "values of a provider do not depend on it",
}
"""Conformance programs that the host does not run as Pulumi's SDKs do."""

BEYOND: Mapping[str, str] = {
    "anchors-and-merges": "alias nodes are not supported",
    "ways-to-values": "Index property access is only allowed on Maps and Lists",
    "configuration": "value must be one of",
    "one-resource-to-depend-on": "must be a list of resources",
    "functions": "fn::length",
    "json-is-yaml": "project is missing a 'name' attribute",
}
"""Constructs that the reader accepts and the host refuses, with the host's message."""


@pytest.fixture(scope="module", autouse=True)
def host() -> Path:
    try:
        return toolchains.pulumi_yaml()
    except toolchains.ToolError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"left out: the language host of Pulumi YAML cannot be built here: {error}")


STRICTER = ("is not assignable from", "no plugin docker")
"""Messages of the host where the reader converts (`'80'` for an integer), and for a missing version of docker."""


class Runs:
    """Both runs of a program, in a folder."""

    def __init__(self, sources: LoadedProgram, store: SchemaStore, settings: Settings, folder: Path) -> None:
        checked = pipeline.check(sources, store=store)
        assert checked.program is not None, [diagnostic.message for diagnostic in checked.diagnostics]
        self.folder = stage_data(sources, folder / "program")
        model = settings.default_model or EchoModel(checked.program.packages, settings.list_length)
        self._settings = replace(settings, directory=self.folder, root_directory=self.folder, default_model=model)
        self.evaluated = comparable(evaluate_program(checked.program, self._settings).trace, self.folder)

    def run(self, text: str, *schemas: Path, preview: bool = False) -> Trace:
        """Run `text` on the host, unless it did so in an earlier test run with the same configuration and answers."""
        self.folder.joinpath("Pulumi.yaml").write_text(text, encoding="utf-8")
        config = [f"{name} {value.text} {value.secret}" for name, value in sorted(self._settings.config.items())]
        inputs = (content_of([self.folder]), digest_of(schemas), trace_json.dumps(self.evaluated), str(preview), *config)
        key = key_of("yaml host", earlier.checking(__file__, real_yaml.__file__), toolchains.pulumi_yaml().parent.name, *inputs)
        stored = earlier.results().get(key)
        if stored is not None:
            return trace_json.loads(stored)
        trace = comparable(run_yaml(self.folder, schemas, replace(self._settings, preview=preview)), self.folder)
        if not trace.failed or any(words in reasons(trace) for words in STRICTER):
            earlier.results().put(key, trace_json.dumps(trace))
        return trace

    def differences(self, trace: Trace) -> list[Difference]:
        """The differences from the evaluator's run."""
        return [d for d in differences(self.evaluated, trace, DEFAULT_ASPECTS) if not beyond_hosts(d)]


@cache
def digest_of(schemas: tuple[Path, ...]) -> str:
    """A digest of folders of schemas."""
    return content_of(schemas)


def reasons(trace: Trace) -> str:
    return "\n".join(entry.message for entry in trace.log)


@needs_corpus
@for_all("name", [*FIELD, *example_programs()])
def test_it_registers_what_the_program_does(name: str, tmp_path: Path) -> None:
    sources = load_program(str((FIELD | example_programs())[name]))
    store = SchemaStore([REAL_SCHEMAS, EXAMPLE_SCHEMAS])
    result = written(sources, store)
    if result.errors:
        return  # they are a snapshot of `test_yaml_target`
    program = pipeline.check(sources, store=store).program
    assert program is not None
    settings = settings_of(Subject(key=name, name=name, source=sources, program=program, files={}, store=store))
    runs = Runs(sources, store, replace(settings, project=name), tmp_path)
    trace = runs.run(result.text, REAL_SCHEMAS, EXAMPLE_SCHEMAS)
    assert not trace.failed, reasons(trace)
    assert runs.differences(trace) == []
    preview = runs.run(result.text, REAL_SCHEMAS, EXAMPLE_SCHEMAS, preview=True)
    assert not preview.failed, reasons(preview)
    assert {registration.urn for registration in preview.registrations} == {
        registration.urn for registration in trace.registrations
    }


@needs_corpus
@for_all("name", CONFORMANCE)
def test_conformance_programs(name: str, tmp_path: Path) -> None:
    sources, store = load_program(str(CONFORMANCE[name])), SchemaStore([CONFORMANCE_SCHEMAS])
    if not pipeline.check(sources, store=store).ok:
        return
    result = written(sources, store)
    if result.errors:
        return
    runs = Runs(sources, store, Settings(project=name, stack="dev", organization="acme"), tmp_path)
    if runs.evaluated.failed:
        return  # it requires configuration, or values that no sample has
    trace = runs.run(result.text, CONFORMANCE_SCHEMAS)
    assert (trace.failed or runs.differences(trace) != []) is (name in OF_THE_HOST), (reasons(trace), runs.differences(trace))


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_constructs_of_the_reference(name: str, tmp_path: Path) -> None:
    """The reader's own table, which `test_pulumi_yaml` compares with PCL."""
    body, _ = CONSTRUCTS[name]
    text = body if "runtime:" in body or body.startswith("{") else f"name: p\nruntime: yaml\n{body}"
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    schemas.joinpath("acme-1.2.3.json").write_text(json.dumps(SCHEMA))
    runs = Runs(
        program_in_memory("p", {"Pulumi.yaml": text}),
        SchemaStore([schemas]),
        Settings(project="p", stack="dev", organization="acme"),
        tmp_path,
    )
    trace = runs.run(text, schemas)
    if name in BEYOND:
        assert BEYOND[name] in reasons(trace) + repr(trace.outputs)
        return
    assert trace.failed is runs.evaluated.failed, reasons(trace)
    assert runs.differences(trace) == []


REAL = sorted(REAL_SCHEMAS.glob("*.json"))


def converts(difference: Difference) -> bool:
    """Whether the reader coerces an input to the type in its schema and the host keeps the type in the file.

    Also true for an empty sample of an archive, which the host forwards as an object.
    """
    return difference.reason.startswith(("a string on the left, a ", "an archive on the left, an object"))


def fences(schema: Path) -> list[str]:
    """The Pulumi YAML programs in the descriptions of a schema."""
    request = DocsRequest(paths=(str(schema),), context=BuildContext(root=Path()), languages=("pcl",), lenient=True)
    entries = [entry for docs in convert_docs(request) for entry in docs.entries]
    return [entry.snippet.text for entry in entries if entry.snippet.language == "yaml"]


@needs_corpus
@for_all("schema", REAL, names=lambda path: path.stem)
def test_examples_of_published_providers(schema: Path, tmp_path: Path) -> None:
    """The reader's registrations are the host's."""
    same, refused = 0, 0
    for number, text in enumerate(fences(schema)):
        full = text if "runtime:" in text else f"name: p\nruntime: yaml\n{text}"
        sources, store = program_in_memory("p", {"Pulumi.yaml": full}), SchemaStore([REAL_SCHEMAS])
        if not pipeline.check(sources, store=store).ok:
            refused += 1
            continue
        runs = Runs(sources, store, Settings(project="p", stack="dev", organization="acme"), tmp_path / str(number))
        if runs.evaluated.failed:
            continue  # it requires configuration, or values that no sample has
        trace = runs.run(full, REAL_SCHEMAS)
        assert not trace.failed or any(words in reasons(trace) for words in STRICTER), (text, reasons(trace))
        remaining = [] if trace.failed else [d for d in runs.differences(trace) if not converts(d)]
        if not any("fn::length" in repr(d.right) for d in remaining):  # the host has no such function
            assert remaining == [], text
        same += 1
    print(f"{schema.stem}: {same} the same, {refused} refused")


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_programs(first: int, tmp_path: Path) -> None:
    """The parts of them that Pulumi YAML can express."""
    store, sizes = SchemaStore([EXAMPLE_SCHEMAS]), []
    for number in range(first, first + 10):
        text = without_form(program(number), store)
        sources = program_in_memory("p", {"main.pp": text})
        result = written(sources, store)
        assert result.errors == ""
        settings = Settings(project="p", stack="dev", organization="acme")
        runs = Runs(sources, store, settings, tmp_path / str(number))
        trace = runs.run(result.text, EXAMPLE_SCHEMAS)
        assert not trace.failed, (number, text, reasons(trace))
        # A stack output that contains a secret is secret as a whole.
        remaining = [d for d in runs.differences(trace) if not d.reason.endswith("a secret on the right")]
        assert remaining == [], (number, text, result.text)
        sizes.append(result.text.count("\n"))
    assert sum(sizes) > 150, "something is left of them"


WITHOUT_DEFAULTS: Mapping[str, tuple[str, str]] = {
    "text": ("string", "x"),
    "number": ("number", "1.5"),
    "whole": ("number", "3"),
    "numbers": ("list(number)", "[1.5, 2]"),
    "texts": ("list(string)", '["a", "b"]'),
    "integers": ("list(int)", "[1, 2]"),
    "flags": ("list(bool)", "[true, false]"),
    "objects": ("list(object({ a = string }))", '[{"a": "b"}]'),
    "maps": ("list(map(string))", '[{"a": "b"}]'),
}
"""Types that only the older section of configuration declares without a default, each with a value."""


@pytest.mark.parametrize("secret", [False, True], ids=["plain", "secret"])
def test_configuration_without_a_default(tmp_path: Path, *, secret: bool) -> None:
    body = "{\n  secret = true\n}" if secret else "{}"
    source = "".join(
        f'config {name} "{type_}" {body}\noutput {name} {{\n  value = {name}\n}}\n'
        for name, (type_, _) in WITHOUT_DEFAULTS.items()
    )
    values = {f"p:{name}": ConfigValue(value, secret=secret) for name, (_, value) in WITHOUT_DEFAULTS.items()}
    sources, store = program_in_memory("p", {"main.pp": source}), SchemaStore([])
    result = written(sources, store)
    assert result.errors == ""
    runs = Runs(sources, store, Settings(project="p", stack="dev", organization="acme", config=values), tmp_path)
    trace = runs.run(result.text)
    assert not trace.failed, reasons(trace)
    assert runs.differences(trace) == []
    read = pipeline.generate(program_in_memory("p", {"Pulumi.yaml": result.text}), store=store, languages=["yaml"])
    assert next(iter(read.files["yaml"].values())) == result.text


HOSTILE = (
    "${a}", "$${a}", "$", "$$", "$${", "no", "1e3", "0o7", "0x1F", "~", "null", "a: b", " a", "tab\there", "ümlaut ☃", "a\nb\n", "a\nb", "- a", "#",
    "a #b", "fn::join", "<<", "'", '"', "\\", "{{x}}", "%", "@", "`", "!a", "&a", "*a", "|", ">", "2020-01-01", "1_000", "\u0085", "\u2028", "\ufeff",
)  # fmt: skip  # a table


def quoted(text: str) -> str:
    """`text` as a PCL literal."""
    return json.dumps(text).replace("${", "$${").replace("%{", "%%{")


def test_hostile_texts(tmp_path: Path) -> None:
    """The texts are values, keys, next to interpolations, and in JSON."""
    source = 'config a string { default = "A" }\n'
    for number, text in enumerate(HOSTILE):
        source += f"output o{number} {{\n  value = {{ {quoted('k' + text)} = [{quoted(text)}, "
        # The host's JSON is that of Go, where `<` is `\\u003c`: the same value in another text.
        json_text = quoted("" if set(text) & set("<>&\u2028") else text)
        source += f'"${{a}}{quoted(text)[1:-1]}", "{quoted(text)[1:-1]}-${{a}}", toJSON({json_text})] }}\n}}\n'
    sources, store = program_in_memory("p", {"main.pp": source}), SchemaStore([])
    result = written(sources, store)
    assert result.errors == ""
    runs = Runs(sources, store, Settings(project="p", stack="dev", organization="acme"), tmp_path)
    trace = runs.run(result.text)
    assert not trace.failed, reasons(trace)
    assert runs.differences(trace) == []
    for number, text in enumerate(HOSTILE):
        value = trace.outputs[f"o{number}"]
        assert isinstance(value, Mapping)
        assert value[f"k{text}"][:3] == (text, f"A{text}", f"{text}-A")  # type: ignore[index]  # a list


@pytest.mark.parametrize("number", ["1", "1000000", "123456789", "0.1", "-2.5"])
def test_numbers_in_texts(number: str, tmp_path: Path) -> None:
    """The host would write 1000000 as `1e+06`."""
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    properties = {"n": {"type": "number"}, "t": {"type": "string"}}
    thing = {"inputProperties": properties, "properties": properties, "required": ["n", "t"]}
    schemas.joinpath("num-1.0.0.json").write_text(json.dumps({"name": "num", "version": "1.0.0", "resources": {"num:index:Thing": thing}}))
    source = f'resource a "num:index:Thing" {{\n  n = {number}\n}}\nresource b "num:index:Thing" {{\n  t = a.n\n}}\n'
    source += 'output o {\n  value = "n ${a.n} ${b.t}"\n}\n'
    sources, store = program_in_memory("p", {"main.pp": source}), SchemaStore([schemas])
    result = written(sources, store)
    assert result.errors == ""
    runs = Runs(sources, store, Settings(project="p", stack="dev", organization="acme"), tmp_path)
    trace = runs.run(result.text, schemas)
    assert not trace.failed, reasons(trace)
    assert runs.differences(trace) == []
