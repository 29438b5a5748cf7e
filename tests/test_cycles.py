"""Components that depend on each other: programs finish in all languages, and register the same as in the evaluator.

If the registration of a component waited for an input of such a cycle, the resources inside it and the other components
would wait for it forever.  No mock shows this; the recording monitor does, since the SDKs wait as they do for the engine."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import pclgen
from pclgen.core.walk import components_of
from pclgen.evaluate.settings import Settings
from pclgen.graph.dependencies import late_inputs
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status
from tests.support.binding import bind_text
from tests.support.corpus import ROOT
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

PART = """
config "input" "string" {}
config "other" "string" {
  default = "o"
}

resource "free" "random:index/randomPet:RandomPet" {
  length = 2
}

resource "bound" "random:index/randomPet:RandomPet" {
  prefix = "${input}${other}"
}

output "free" {
  value = free.id
}

output "bound" {
  value = bound.id
}
"""

NESTED = """
config "input" "string" {}

between = "${input}!"

component "inner" "../c" {
  input = between
}

component "apart" "../c" {
  input = "x"
  other = own.id
}

resource "own" "random:index/randomPet:RandomPet" {}

output "free" {
  value = own.id
}

output "bound" {
  value = inner.bound
}
"""

PARTS: Mapping[str, str] = {"a": PART, "b": PART, "c": PART, "d": NESTED}

USES: Mapping[str, str] = {
    "two": """
component "first" "./a" {
  input = second.free
}
component "second" "./b" {
  input = first.free
  other = "p"
}
component "outside" "./b" {
  input = first.bound
}
""",
    "three": """
component "first" "./a" {
  input = "${third.free} and ${second.free}"
}
component "second" "./b" {
  input = first.free
}
component "third" "./b" {
  input = second.free
}
""",
    "one of them ranged": """
component "first" "./a" {
  input = join("", [for _, one in many : one.free])
}
component "many" "./b" {
  options {
    range = 2
  }
  input = first.free
}
output "ranged" {
  value = many[*].bound
}
""",
    "through a local": """
component "first" "./a" {
  input = between
}
component "second" "./b" {
  input = first.free
}
between = "${second.free}!"
""",
    "a way back from what the cycle gives": """
component "first" "./a" {
  input = second.free
}
component "second" "./b" {
  input = first.free
}
component "after" "./c" {
  input = second.bound
  other = first.bound
}
""",
    "components inside of those of the cycle": """
component "first" "./d" {
  input = second.free
}
component "second" "./d" {
  input = first.bound
}
""",
}
"""Programs with `PARTS` as components."""


@pytest.fixture(scope="module")
def report() -> Report:
    """The verification of all programs."""
    parts = {f"{name}/main.pp": text for name, text in PARTS.items()}
    programs = {name: {"main.pp": text, **parts} for name, text in USES.items()}
    subjects = programs_in_memory(programs, SchemaStore([ROOT / "examples" / "schemas"]))
    return verified(subjects, lambda subject: Settings(), tools=environments())


@pytest.mark.parametrize("name", USES)
def test_they_run_in_all_languages(report: Report, name: str) -> None:
    verdicts = [v for v in report.verdicts if report.names[v.key] == name]
    assert len(verdicts) == len(LANGUAGES)
    assert [(v.language, v.messages, v.differences) for v in verdicts if v.status is not Status.PASSED] == []


def late(name: str) -> dict[str, frozenset[str]]:
    program, diagnostics = bind_text(USES[name], components=PARTS)
    assert diagnostics == ()
    inputs = late_inputs(program)
    return {component.name: inputs[component.value] for component in components_of(program) if component.value in inputs}


def test_only_what_comes_from_a_cycle_is_late() -> None:
    assert late("two") == {"A": {"input"}, "B": {"input"}}
    assert late("a way back from what the cycle gives") == {"A": {"input"}, "B": {"input"}}


def test_what_components_hand_on_of_it_is_late_inside_of_them() -> None:
    assert late("components inside of those of the cycle") == {"D": {"input"}, "C": {"input"}}


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"a": 'length("${a.free}")'}, "`a` depends on itself"),
        ({"a": "length(b)", "b": "length(a)"}, "`a` and `b` refer to each other in a cycle"),
        ({"a": "length(between)"}, "`a` and `between` refer to each other in a cycle"),
    ],
)
def test_a_range_waits_for_no_component_that_waits_for_it(ranges: Mapping[str, str], message: str) -> None:
    blocks = [f'component {name} "./{name}" {{\n options {{ range = {of} }}\n input = "x"\n}}\n' for name, of in ranges.items()]
    text = "".join([*blocks, "between = [a]\n"])
    _, diagnostics = bind_text(text, components=dict.fromkeys(ranges, PART))
    assert [d.message for d in diagnostics] == [message]


def test_options_that_need_what_comes_late_cannot_be_written_in_go() -> None:
    files = {
        "main.pp": 'component one "./pair" { peer = two.url }\ncomponent two "./pair" { peer = one.url }\n',
        "pair/main.pp": """config peer string {}
resource base "random:index/randomPet:RandomPet" {}
resource late "random:index/randomPet:RandomPet" { prefix = peer }
component inner "../site" {
  options { dependsOn = [late] }
}
component free "../site" {
  options { dependsOn = [base] }
}
output url { value = base.id }
""",
        "site/main.pp": 'resource thing "random:index/randomPet:RandomPet" {}\n',
    }
    for language, expected in (("python", []), ("typescript", []), ("go", [("PCL0901", 4)])):
        result = pclgen.generate(files, schemas=[ROOT / "examples" / "schemas"], languages=[language])
        places = [(d.code, d.primary.start_position.line) for d in result.diagnostics if d.primary is not None]
        assert places == expected
