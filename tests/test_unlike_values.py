"""Elements of different shapes: objects that lack members, null among objects, scalars of different types, resources that
may not exist.

Each output is compared with the evaluator's value, which `test_judge.py` compares with HCL.
"""

from __future__ import annotations

import pytest

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import environments, programs_in_memory, verified

SOURCES = """
config flag bool { default = true }
rules    = [{ name = "a" }, { name = "b", days = 5 }]
levels   = [{ in = null }, { in = { v = 5 } }]
expiries = [{ expiry = null }, { expiry = { days = 3 } }]
sized    = flag ? { size = 3 } : null
mixed    = [1, "two", true]
named    = { a = { x = 1 }, b = { x = 2, y = "t" } }
policy   = { policies = ["a"], maxAge = 3600 }
resource web "command:local:Command" {
  options { range = flag }
  create = "web"
}
resource app "command:local:Command" { create = "app" }
"""

READ = {
    "a member that all have": "rules[*].name",
    "by a computed index": "[for i in [0, 1] : rules[i].name]",
    "whole": "rules",
    "a member that some lack": "[for r in rules : try(r.days, 0)]",
    "or null": "[for r in rules : try(r.days, null)]",
    "whether it is there": "[for r in rules : can(r.days)]",
    "looked up": '[for r in rules : lookup(r, "days", 7)]',
    "below null": "[for l in levels : try(l.in.v, 1)]",
    "whether it is there, below null": "[for l in levels : can(l.in.v)]",
    "of the second": "expiries[1].expiry.days",
    "of one that may be null": "try(sized.size, 1)",
    "of unlike objects in an object": '[for k, v in named : "${k}-${try(v.y, "none")}"]',
    "of unlike members": 'lookup(policy, "maxAge", 60)',
    "that no member has": 'lookup(policy, "minAge", 60)',
    "scalars as they are": "[for v in mixed : v]",
    "scalars as texts": '[for v in mixed : "v${v}"]',
    "scalars joined": 'join(",", mixed)',
    "a resource that exists": "try(web.create, app.create)",
    "whether a resource exists": "can(web.create)",
}


@needs_corpus
@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_unlike_elements_are_read_alike(language: str) -> None:
    outputs = (
        f'output out{at} {{\n  __logicalName = "{title}"\n  value = {value}\n}}\n'
        for at, (title, value) in enumerate(READ.items())
    )
    subjects = programs_in_memory(
        {"unlike": {"main.pp": SOURCES + "".join(outputs)}}, SchemaStore([REAL_SCHEMAS]), [language]
    )
    results = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


def test_products_in_go_report_overflow_with_a_position() -> None:
    text = "config big int { default = 9000000000 }\noutput all {\n  value = [big * big, big * 1000, 2 * 3]\n}\n"
    source = program_in_memory("products", {"main.pp": text})
    result = pipeline.generate(source, languages=["go"], store=SchemaStore([]))
    [main] = [content for path, content in result.files["go"].items() if path.name == "main.go"]
    assert 'product(big, big, "main.pp:3:12")' in main
    assert "big * 1000" in main and "2 * 3" in main
