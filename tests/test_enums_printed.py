"""Members of enums in strings, and where a string is expected: their values, in all languages.

Python's SDK turns the answers of a provider into members of its enum classes; these print as `Logging.STDOUT`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import environments, programs_in_memory, verified

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
copied  = [for l in mixed : l]
named   = { a = c.logging, b = "x" }
nested  = [{ l = c.logging, m = c.logging }, { l = "x", m = c.logging }]
config way string {
  default = c.logging
}
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
    "in a key": '{ for l in mixed : "k${l}" => l }',
    "a key of its own": '{ for l in mixed : l => "t${l}" }',
    "collected": '{ for l in mixed : "g" => "x${l}"... }',
    "a key that is looped over": '[for k, v in { for l in mixed : l => 1 } : "${k}-${v}"]',
    "a key in brackets": '[for k, v in { (c.logging) = 1 } : "${k}-${v}"]',
    "a key of JSON": "toJSON({ (c.logging) = mixed, either = either })",
    "tried": '"v-${try(c.logging, "x")}"',
    "tried with another": '"${try(either, "x")}-${try(c.logging, either)}"',
    "an element": '"v-${element(mixed, 0)}"',
    "by an index": '[for i in [0, 1] : "v-${mixed[i]}"]',
    "of a copy": '"${copied[0]}-v"',
    "of a list on the spot": '[for l in [for x in mixed : x] : "v-${l}"]',
    "in an object of a list": '"${[for l in mixed : { a = l }][0].a}-v"',
    "of some objects": '[for e in nested : "${e.l}-${e.m}"]',
    "looked up": '"l-${lookup(named, "a")}-${lookup(named, "z", "y")}"',
    "looked up by a variable": '[for k in ["a", "b"] : "l-${named[k]}-${lookup(named, k)}"]',
    "of entries": '[for e in entries(named) : "${e.key}-${e.value}"]',
    "a secret": '"${secret(either)}-${unsecret(secret(either))}"',
    "the only one": '"${singleOrNone([either])}-x"',
    "of the configuration": '"w-${way}"',
    "in a directive": '"%{ for l in mixed }<${l}>%{ endfor }"',
    "a branch in a text": '"${flag ? mixed[0] : "z"}-${flag ? "a${c.logging}" : either}"',
    "an index that may be one": "{ stdout = 1, none = 2 }[either]",
    "a key to look up": "lookup({ stdout = 1, none = 2 }, c.logging)",
    "an index in a loop": "[for l in mixed : { stdout = 1, x = 2 }[l]]",
    "a list joined": 'join("-", mixed)',
    "the separator": 'join(c.logging, ["a", "b"])',
    "compared in a loop": '[for l in mixed : l == "stdout" ? "yes" : "no-${l}"]',
    "hashed": "[sha1(c.logging), fromBase64(toBase64(either))]",
    "an element compared": '[for i in [0, 1] : [element(mixed, i) == "stdout", mixed[i] == "x"]]',
    "compared with a member": "[for l in mixed : l == c.logging]",
    "an optional text compared": '[for l in [c.create, "x"] : [l == "x", l == c.create]]',
    "an optional text by an index": '[for i in [0, 1] : [element([c.create, "y"], i) == "x", [c.create, "y"][i] == "y"]]',
    "a number beside texts": '[for e in entries({ a = c.logging, b = 3, d = "x" }) : [e, "${e.value}-", e.value == "stdout"]]',
    "counted": "[length(c.logging), length(either)]",
}

USED = """
resource d "command:local:Command" {
  create      = "${c.logging}"
  update      = c.logging
  environment = { A = c.logging, B = "b${c.logging}" }
  logging     = c.logging
}
resource listed "command:local:Command" {
  options { range = mixed }
  create      = "${range.value}-d"
  environment = { (c.logging) = range.value, "x${range.value}" = c.logging }
}
resource keyed "command:local:Command" {
  options { range = { for l in mixed : l => "v-${l}" } }
  create = "${range.key}-${range.value}"
}
"""

COMPONENT = {
    "main.pp": """
resource c "command:local:Command" {
  create  = "x"
  logging = "stdout"
}
component used "./inner" {
  text  = c.logging
  texts = [c.logging, "x"]
  free  = { a = c.logging }
  given = c.logging
}
output texts { value = "${used.whole}-${used.first}-${used.either}-${used.logging}-${used.kept}" }
output all { value = [for l in used.mixed : "l-${l}"] }
""",
    "inner/main.pp": """
config text string {}
config texts "list(string)" {}
config free {}
config given string { default = d.logging }
config own string { default = d.logging }
config hidden string {
  secret  = true
  default = d.logging
}
resource d "command:local:Command" {
  create  = text
  logging = "stderr"
}
output whole { value = "${text}-${join("+", [for t in texts : "t${t}"])}-${free.a}" }
output first { value = "${texts[0]}-${given}-${own}" }
output kept { value = "${hidden}!" }
output either { value = text == "stdout" ? d.logging : "none" }
output logging { value = d.logging }
output mixed { value = [d.logging, text] }
output copied { value = [for l in [d.logging, text] : l] }
""",
}


def program() -> str:
    outputs = (
        f'output out{at} {{\n  __logicalName = "{title}"\n  value = {value}\n}}\n'
        for at, (title, value) in enumerate(TEXTS.items())
    )
    return RESOURCE + "".join(outputs) + USED


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_values_are_printed(language: str) -> None:
    programs = {"texts": {"main.pp": program()}, "component": COMPONENT}
    subjects = programs_in_memory(programs, SchemaStore([REAL_SCHEMAS]), [language])
    report = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
