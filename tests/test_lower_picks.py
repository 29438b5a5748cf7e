"""A projection with a literal key from a literal structure waits for no other component of the structure."""

from __future__ import annotations

import pytest

from pclgen.core.pretty import pretty
from pclgen.core.program import Local
from tests.support.lowering import CAPABILITIES, lower_text

SETUP = """config names "list(string)" {}
resource r "probe:index:Thing" {}
resource rs "probe:index:Thing" {
  options {
    range = 2
  }
}
"""


@pytest.mark.parametrize(
    ("expression", "lowered"),
    [
        # Found by random programs: lowering waited for the value although its type is plain.
        ('["k", r.out][0] == "k"', '"k" == "k"'),
        ('["k", r.out][1]', "r.out"),
        ("{ a = r.out, b = 1 }.b + 1", "1 + 1"),
        ('{ a = r.out, b = "x" }["a"]', "r.out"),
        # A loop that only copies a list is the list.
        ("[for x in names : x]", "names"),
        ("[for x in r.names : x]", "r.names"),
        ("[for i, x in r.names : x]", "r.names"),
        ("[for x in [for y in names : y] : x]", "names"),
    ],
)
@pytest.mark.parametrize("target", sorted(CAPABILITIES))
def test_parts_are_picked_and_lists_are_not_copied(expression: str, lowered: str, target: str) -> None:
    assert _lowered(expression, target) == lowered


@pytest.mark.parametrize(
    "expression",
    [
        "[for x in names : x if x != \"a\"]",
        "[for x in r.tags : x]",
        "[for x in [1, \"a\"] : x]",
        "[for i, x in names : i]",
        "{ for x in names : x => x }",
    ],
)
def test_other_loops_stay(expression: str) -> None:
    assert "for " in _lowered(expression, "everything")


@pytest.mark.parametrize(
    "expression",
    ['["k", rs[5].out][0]', '["k", r.tags.x][0]', '[r.out, notImplemented("x")][0]', '["k", r.out][length(names)]'],
)
def test_what_may_fail_stays(expression: str) -> None:
    assert "[" in _lowered(expression, "everything")


def _lowered(expression: str, target: str) -> str:
    node = lower_text(f"{SETUP}subject = {expression}\n", target).nodes[-1]
    assert isinstance(node, Local)
    return pretty(node.value)
