"""The plan of a program: its statements in order, in the notation of `core.pretty`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.lower.program import lower_program
from pclgen.plan.build import fallback_name, plan_project
from pclgen.plan.model import Plan
from pclgen.plan.pretty import pretty_plan
from pclgen.targets.base import target
from tests.support.binding import bind_text
from tests.support.go_target import go_files

PART = """config x string {}
config count int { default = 1 }
resource t "probe:index:Thing" {
  out = x
  options { range = count }
}
output y { value = x }
output ys { value = [x] }
"""


def planned(text: str, components: Mapping[str, str] | None = None) -> str:
    """The plan for Python of an error-free program, as text."""
    program, diagnostics = bind_text(text, components=components)
    assert list(diagnostics) == []
    bag = DiagnosticBag()
    lowered = lower_program(program, target("python").capabilities, bag)
    assert list(bag) == []
    return pretty_plan(plan_project(lowered))


def main_of(text: str) -> str:
    """The plan of the program itself, without those of its components."""
    return planned(text, {"one": PART, "two": PART}).partition("\n\n")[0] + "\n"


def test_a_statement_says_whether_something_uses_it() -> None:
    text = """resource a "probe:index:Thing" {}
resource b "probe:index:Thing" { out = a.out }
n = 1
output o { value = n }
"""
    assert planned(text) == (
        "resource a probe:index:Thing\nresource b probe:index:Thing (unused)\n  out = a.out\nn = 1\noutput o = n\n"
    )


def test_what_comes_later_is_deferred_and_resolved_once_it_is_there() -> None:
    assert main_of('component a "./one" { x = b.y }\ncomponent b "./two" { x = a.y }\n') == (
        "defer aX: string\ncomponent a one\n  x = aX\ncomponent b two\n  x = a.y\nresolve aX = b.y\n"
    )


def test_a_value_waits_for_the_last_of_its_components() -> None:
    text = """component a "./one" { x = "${b.y}${c.y}" }
component b "./two" { x = a.y }
component c "./two" { x = b.y }
"""
    assert main_of(text) == (
        "defer aX: string\ncomponent a one\n  x = aX\ncomponent b two\n  x = a.y\n"
        'component c two\n  x = b.y\nresolve aX = i"${b.y}${c.y}"\n'
    )


RANGED = """component a "./one" {
  options { range = b.ys }
  x = range.value
}
component b "./two" { x = a[0].y }
"""


def test_a_range_is_deferred_like_an_input() -> None:
    assert main_of(RANGED).splitlines()[:3] == ["defer aRange: [string]", "component a one", "  range list = aRange"]
    assert "aRange, resolveARange, _ := ctx.NewOutput()" in go_files(RANGED, components={"one": PART, "two": PART})["main.go"]


def test_plain_and_late_inputs_are_those_of_the_component() -> None:
    text = planned('component a "./one" { x = b.y }\ncomponent b "./two" { x = a.y }\n', {"one": PART, "two": PART})
    inside = text.partition("\n\n")[2].splitlines()
    assert inside[:3] == ["component One (one):", "  plain count", "  late x"]


def plan_of(text: str) -> Plan:
    """The plan of a program without components."""
    program, _ = bind_text(text)
    return plan_project(lower_program(program, target("python").capabilities, DiagnosticBag())).main


def test_statements_of_one_kind_are_a_group_until_something_is_said() -> None:
    text = """config a string {}
config b string {}
# Said of c.
config c string { description = "d" }
config e string { description = "Said, too." }
n = 1
m = 2
resource r "probe:index:Thing" {}
output o { value = n }
output p { value = m }
"""
    assert [statement.group for statement in plan_of(text).statements] == [1, 1, 2, 3, 4, 4, 5, 6, 6]


def test_descriptions_are_among_the_comments_once() -> None:
    text = """# The size.
config a int { description = "the size" }
config b int { description = "first\\nsecond" }
output o {
  description = "what it is"
  value       = a
}
"""
    assert [node.comments.leading for node in plan_of(text).program.nodes] == [
        ("The size.",),
        ("first", "second"),
        ("what it is",),
    ]


@pytest.mark.parametrize(
    ("block", "name"),
    [
        ("config size int {}", "sizeConfig"),
        ("size = 1", "sizeValue"),
        ('resource web "probe:index:Thing" {}', "webThing"),
        ('resource Thing "probe:index:Thing" {}', "ThingResource"),
        ('resource thing "probe:index:ThingWithName" {}', "thingWithName"),
        ('resource thin "probe:index:Thing" {}', "thinThing"),
        ('resource hooked "probe:index:Thing" {}', "hookedThing"),
    ],
)
def test_the_second_choice_of_a_name_says_what_it_is(block: str, name: str) -> None:
    program, _ = bind_text(block, lenient=True)
    assert fallback_name(program.nodes[0]) == name
