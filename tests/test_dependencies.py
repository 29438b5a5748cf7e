"""The dependencies and ranges of resources, through locals, conditionals and collections: the same as in the evaluator."""

from __future__ import annotations

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

pytestmark = needs_corpus

MADE = """
config flag bool {
  default = true
}
resource a "random:index:RandomPet" {}
resource b "random:index:RandomPet" {}
resource u "random:index:RandomUuid" {}
resource many "random:index:RandomPet" {
  options {
    range = 2
  }
}
resource keyed "random:index:RandomPet" {
  options {
    range = { x = 1, y = 2 }
  }
}
resource maybe "random:index:RandomPet" {
  options {
    range = flag
  }
}
one    = a
deps   = [a, b]
kinds  = [a, u]
mixed  = [a, many, u]
nested = [[a, b], many, [keyed]]
"""

DEPENDENCIES = (
    "a",
    "one",
    "[one]",
    "[a, b]",
    "deps",
    "[deps]",
    "kinds",
    "mixed",
    "nested",
    "many",
    "[many]",
    "keyed",
    "maybe",
    "[deps, keyed, maybe, u]",
    "flag ? deps : [b]",
    "flag ? many : [a]",
    "[for x in many : x]",
    "[[a, b], u]",
)


def dependents() -> str:
    resources = (
        f'resource r{at} "random:index:RandomPet" {{\n  options {{\n    dependsOn = {value}\n  }}\n}}\n'
        for at, value in enumerate(DEPENDENCIES)
    )
    replaced = 'resource other "random:index:RandomPet" {\n  options {\n    replaceWith = deps\n  }\n}\n'
    return MADE + "".join(resources) + replaced


ABSENT = """
config spec "object({ count = optional(int), tags = optional(list(string)), ages = optional(map(int)), on = optional(bool) })" {
  default = {}
}
config count int {
  default = null
}
config tags "list(string)" {
  default = null
}
resource server "digitalocean:index:Droplet" {
  image  = "i"
  region = "nyc1"
  size   = "s-1vcpu-1gb"
}
resource job "command:local:Command" {
  create = "x"
}
"""
RANGES = ("spec.count", "spec.tags", "spec.ages", "spec.on", "count", "tags", "server.tags", "job.environment")


def ranged() -> str:
    resources = (
        f'resource r{at} "random:index:RandomPet" {{\n  prefix = "p"\n  options {{\n    range = {value}\n  }}\n}}\n'
        for at, value in enumerate(RANGES)
    )
    return ABSENT + "".join(resources)


def check(text: str, language: str) -> None:
    subjects = subjects_in_memory({"program": text}, SchemaStore([REAL_SCHEMAS]), [language])
    report = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)


@pytest.mark.parametrize("language", LANGUAGES)
def test_dependencies(language: str) -> None:
    check(dependents(), language)


@pytest.mark.parametrize("language", ["python"])
def test_a_range_that_is_null_makes_nothing(language: str) -> None:
    check(ranged(), language)
