"""Members of enums in texts, and where a text is wanted: their values, in all languages.

Python's SDK makes members of its enum classes of what a provider answers; these print as `Logging.STDOUT`.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import environments, subjects_in_memory, verified

pytestmark = needs_corpus

RESOURCE = """
config flag bool {
  default = true
}
resource c "command:local:Command" {
  create  = "x"
  logging = "stdout"
}
logging = c.logging
mixed   = [c.logging, "x"]
either  = flag ? c.logging : "none"
"""

TEXTS: Mapping[str, str] = {
    "alone": '"${c.logging}"',
    "in a text": '"${c.logging}-x"',
    "twice": '"${c.logging}${c.logging}"',
    "of a local": '"l=${logging}"',
    "one of two": '"l=${either}"',
    "a branch": "flag ? c.logging : c.create",
    "compared": '"l ${c.logging}" == "l stdout"',
    "itself compared": 'c.logging == "stdout" ? "yes" : "no"',
    "in a loop": '[for k in ["a"] : "${k}-${c.logging}"]',
    "looped over": '[for l in [c.logging] : "l=${l}"]',
    "looped over with texts": '[for l in [c.logging, "x"] : "l=${l}"]',
    "a local with texts, looped over": '[for l in mixed : "${c.id}-${l}"]',
    "an object with texts, looped over": '[for k, l in { a = c.logging, b = "x" } : "${k}-${l}"]',
    "a key": '{ for k in ["a"] : "${k}-${c.logging}" => 1 }',
    "a whole key": "{ for k in [1] : c.logging => k }",
    "joined": 'join(",", [c.logging, c.id])',
    "split": 'split("d", c.logging)',
    "encoded": "toBase64(c.logging)",
    "of JSON": "toJSON({ a = c.logging })",
    "an index": "{ stdout = 1 }[c.logging]",
    "under a condition": 'c.logging == "stdout" && c.create == "x" ? "l${logging}" : "no"',
    "passed on": "c.logging",
}

USED = """
resource d "command:local:Command" {
  create      = "${c.logging}"
  update      = c.logging
  environment = { A = c.logging, B = "b${c.logging}" }
  logging     = c.logging
}
"""


def program() -> str:
    outputs = (
        f'output out{at} {{\n  __logicalName = "{title}"\n  value = {value}\n}}\n'
        for at, (title, value) in enumerate(TEXTS.items())
    )
    return RESOURCE + "".join(outputs) + USED


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_values_are_printed(language: str) -> None:
    subjects = subjects_in_memory({"texts": program()}, SchemaStore([REAL_SCHEMAS]), [language])
    found = verified(subjects, settings_of, given=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in found.verdicts} == {Status.PASSED}, to_text(found)
