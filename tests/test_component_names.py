"""Names of a component's outputs: names that its SDK defines are refused, all others work in every language."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pclgen.bind.variables import HIDDEN, OBJECT, OWN, is_own
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support import toolchains
from tests.support.binding import bind_text
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

PUBLIC = sorted({name for names in OWN.values() for name in names})


def _refused(name: str, block: str = 'output {} {{\n  value = "x"\n}}') -> bool:
    _, diagnostics = bind_text('component c "./c" {}', components={"c": block.format(name)})
    assert all(d.code == "PCL0216" for d in diagnostics)
    return bool(diagnostics)


@pytest.mark.parametrize("name", [*PUBLIC, "get-provider", "Urn", "_type", "__name", "__init__"])
def test_an_output_cannot_be_called_like_what_every_component_has(name: str) -> None:
    assert _refused(name)


@pytest.mark.parametrize("name", ["id", "name", "type", "provider", "args", "opts", "self", "_other", "urns"])
def test_other_names_are_free(name: str) -> None:
    assert not _refused(name)


@pytest.mark.parametrize("name", [*OBJECT, "__proto__", "_"])
def test_an_input_cannot_be_called_like_what_every_object_has(name: str) -> None:
    assert _refused(name, 'config {} string {{ default = "d" }}')


@pytest.mark.parametrize("name", ["urn", "registerOutputs", "opts", "name", "resource_name", "args"])
def test_other_inputs_are_free(name: str) -> None:
    assert not _refused(name, 'config {} string {{ default = "d" }}')


def test_an_input_and_an_output_may_share_a_name() -> None:
    block = 'config a-b string {{ default = "d" }}\noutput a_b {{\n  value = "{0}"\n}}\n'
    _, diagnostics = bind_text('component c "./c" {}', components={"c": block.format("x")})
    assert list(diagnostics) == []


def test_in_a_program_these_names_are_free() -> None:
    _, diagnostics = bind_text("\n".join(f'output {name} {{ value = "x" }}' for name in PUBLIC))
    assert list(diagnostics) == []


def test_the_table_is_that_of_the_python_sdk() -> None:
    code = "import pulumi; print(*dir(pulumi.ComponentResource), *pulumi.Resource.__annotations__)"
    output = subprocess.run([toolchains.python().python, "-c", code], capture_output=True, text=True, check=True).stdout
    names = [name for name in output.split() if not name.startswith("__") and name.lower() == name]
    assert [name for name in names if not is_own(name)] == []
    assert set(OWN["python"]) <= set(names)


def test_the_table_is_that_of_the_typescript_sdk() -> None:
    text = (toolchains.node().modules / "@pulumi" / "pulumi" / "resource.d.ts").read_text(encoding="utf-8")
    names: set[str] = set()
    for name in ("abstract class Resource", "class ComponentResource"):
        body = re.search(rf"^export declare {name}\b.*?^}}", text, re.MULTILINE | re.DOTALL)
        assert body is not None
        names.update(re.findall(r"^    (?:(?:private|protected|readonly|abstract) )*(\w+)[?(:<]", body[0], re.MULTILINE))
    assert [name for name in sorted(names) if not is_own(name)] == []
    assert set(OWN["typescript"]) <= names


def test_the_table_is_that_of_the_go_sdk() -> None:
    tools = toolchains.go()
    command: list[str | Path] = [tools.go, "list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"]
    folder = Path(toolchains.run(command, cwd=tools.module, env=tools.environment).strip())
    text = (folder / "go" / "pulumi" / "resource.go").read_text(encoding="utf-8")
    names = set(re.findall(r"^func \(\w+ \*ResourceState\) ([A-Z]\w*)\(", text, re.MULTILINE))
    assert names == set(OWN["go"]) - {"ResourceState"}


def test_what_is_hidden_has_no_doubles() -> None:
    assert len(set(HIDDEN)) == len(HIDDEN)


ALIKE = {
    "main.pp": """
component x "./one" {
  aB  = "1"
  a-b = "2"
  a_b = "3"
  foo = "4"
  FOO = "5"
}
output first { value = x.out-put }
output second { value = x.outPut }
""",
    "one/main.pp": """
config aB string {}
config a-b string {}
config a_b string {}
config foo string {}
config FOO string {}
output outPut { value = "${aB} ${a-b} ${a_b} ${foo} ${FOO}" }
output out-put { value = aB }
""",
}
"""Members with the same name in Go, where fields begin with a capital and dashes are not allowed, and in Python."""


def test_members_that_look_alike_differ() -> None:
    subjects = programs_in_memory({"alike": ALIKE}, SchemaStore([]), LANGUAGES)
    settings = Settings()
    report = verified(
        subjects, lambda subject: settings, tools=environments(), languages=LANGUAGES, levels=("compile", "run")
    )
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
