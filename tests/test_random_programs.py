"""Random programs, run in all languages and compared with the evaluator.

300 programs with fixed numbers; a failure names the numbers, and `program(number)` of `tests.support.random_programs` has
the text.  Python and TypeScript also run programs with everything that Go does not support yet.

    PCLGEN_FRESH=7 pytest tests/test_random_programs.py -k in_all_languages       tries 300 others

Programs that once failed are stored below (`FOUND`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pytest

from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import ROOT
from tests.support.random_programs import packed, program
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

FIRST = 1_000_000 * int(os.environ.get("PCLGEN_FRESH") or 0)
MIXED = range(FIRST, FIRST + 300)
WHOLE = range(500_000, 500_060)
COMPARING = range(700_000, 700_045)
EACH = 15
"""The number of programs in a file."""

PETS = """
resource "pet" "random:index/randomPet:RandomPet" {
  length = 2
}
"""

FOUND: Mapping[str, str] = {
    "a function that waits sees its own round of a loop": PETS
    + """
resource "tools" "command:local:Command" {
  options {
    range = ["p", "q"]
  }
  create = "${range.value} ${pet.id}"
}

output "names" {
  value = [for key, value in { a = "x", b = "y" } : "${key}=${value} ${pet.id}"]
}
""",
    "a text in a map of optional texts": PETS
    + """
output "name" {
  value = lookup({ env = (pet.prefix == null ? "d" : pet.prefix), l = "m" }, "env", "d")
}
""",
    "a loop over what is not known yet": PETS
    + """
resource "list" "command:local:Command" {
  create      = "ls"
  interpreter = split(",", pet.id)
}

output "names" {
  value = [for item in list.interpreter : "${item} ${pet.id} ${list.stdout}"]
}
""",
    "what only the branch that is not taken waits for": PETS
    + """
resource "other" "random:index/randomPet:RandomPet" {
  length = 3
}

resource "uses" "command:local:Command" {
  create = pet.length == 2 ? "short" : other.id
  update = pet.length == 2 && other.length == 4 ? pet.id : "fixed"
  delete = try(pet.length, other.length) == 2 ? "first" : "second"
  stdin  = "%{ if pet.length == 2 }short%{ else }${other.id}%{ endif }!"
  triggers = [pet.length == 2 || other.id == "x", can(other.id), pet.length != 2 ? other.id : pet.length > 1 ? "b" : pet.id]
}
""",
    "parts of what is written out become what the other branch has": PETS
    + """
config "flag" "bool" { default = true }

output "values" {
  value = {
    lists   = flag ? [1] : ["a"]
    objects = flag ? { a = 1, l = [1, { z = 2 }] } : { a = "x", l = ["q", { z = "r" }] }
    later   = flag ? [pet.length, 1] : [pet.id, "x"]
    whole   = pet.length == 2 ? { a = pet.length } : { a = "x", b = pet.id }
    tried   = try(1, "a")
  }
}
""",
    "branches of every sort that wait for something": PETS
    + """
resource "other" "random:index/randomPet:RandomPet" {
  length  = 3
  keepers = { a = "b" }
}

resource "uses" "command:local:Command" {
  create      = (pet.length == 3 ? { a = other.id, b = 1 } : { a = "k", b = 2 }).a
  interpreter = pet.length == 2 ? [pet.id, "x"] : [other.id]
  environment = pet.length == 2 ? { A = "x", B = pet.id } : { C = other.id }
  stdin       = pet.length == 4 ? other.prefix : null
  delete      = pet.length == 2 ? null : other.id
  update      = join(",", [for k in ["a", "b"] : pet.length == 2 ? k : other.id])
  triggers = [
    pet.length == 2 ? null : other.id,
    pet.length == 3 ? other.keepers : { z = "z" },
    lookup(pet.length == 2 ? { a = "m" } : { a = other.id }, "a", "d"),
    toJSON({ a = pet.length == 2 ? "n" : other.id }),
    other.keepers == null ? [] : [for k, v in other.keepers : v == "b" ? k : pet.id],
  ]
}
""",
    "objects of the SDKs where nothing tells their names": PETS
    + """
resource "wall" "digitalocean:index/firewall:Firewall" {
  inboundRules = [{
    portRange       = "22"
    protocol        = "tcp"
    sourceAddresses = ["<a>&b", pet.id]
  }]
}

resource "other" "digitalocean:index/loadBalancer:LoadBalancer" {
  name   = "other"
  region = "ams3"
  forwardingRules = [{
    entryPort      = 80
    entryProtocol  = "http"
    targetPort     = 8080
    targetProtocol = "http"
  }]
}

resource "uses" "command:local:Command" {
  create = toJSON(wall.inboundRules)
  update = toJSON({ rules = wall.inboundRules, "name" = other.name, "-" = [for r in other.forwardingRules : r.entryPort] })
  delete = toJSON({ first = other.forwardingRules[0], check = other.healthcheck, missing = wall.dropletIds })
  triggers = [wall.inboundRules, { a = other.forwardingRules[0], b = pet.id }, other.healthcheck]
}

output "rules" {
  value = "${pet.id} ${toJSON([for r in wall.inboundRules : { rule = r, name = other.name }])}"
}
""",
    "the sign of a remainder is that of what is divided": """
config "offset" "int" {
  default = -18
}

output "rest" {
  value = offset % 7
}
""",
    "resources ranged over an output, all of them and one": """
resource "mix" "random:index/randomShuffle:RandomShuffle" {
  inputs = ["a", "b"]
}

resource "each" "random:index/randomId:RandomId" {
  options {
    range = mix.results
  }
  byteLength = 8
}

resource "named" "random:index/randomId:RandomId" {
  options {
    range = { for name in mix.results : name => name }
  }
  byteLength = 8
}

resource "some" "random:index/randomId:RandomId" {
  options {
    range = length(mix.results) > 0
  }
  byteLength = 4
}

output "values" {
  value = { each = each[*].hex, named = [for name, id in named : "${name}=${id.hex}"] }
}
""",
    "numbers are doubles also where a compiler computes them": """
output "sums" {
  value = [0.1 + 0.2, 0.5 + 0.25 + 0.1 + 0.2, 1 - 0.9, 1 / 3 * 3 - 0.1 * 3, max(0.1, 0.2) + 0.1, -(0.1 + 0.2), 7 / 2]
}

output "tests" {
  value = [0.1 + 0.2 == 0.3, 0.1 + 0.2 > 0.3, 60 * 60 * 24 == 86400]
}
""",
    "one of several objects, chosen when the program runs": """
config "stage" "string" {
  default = "prod"
}

table  = { dev = { names = [], size = 1, more = "x" }, prod = { names = ["a"], size = 2.5 } }
deep   = { dev = { net = { zones = [], n = 1 } }, prod = { net = { zones = ["z"], n = 2 } } }
listed = [{ names = [] }, { names = ["b"] }]

resource "command" "command:local:Command" {
  create      = stage
  interpreter = table[stage].names
}

later = { dev = { names = [], text = command.stdout }, prod = { names = ["a"], text = "x" } }
parts = { dev = { names = [] }, prod = { names = [command.stdout] } }

output "chosen" {
  value = {
    names = table[stage].names
    each  = [for name in table[stage].names : name]
    sizes = [table[stage].size + 1, table.dev.size + 1]
    size  = "${table[stage].size}"
    more  = try(table[stage].more, "none")
    zones = deep[stage].net.zones
    all   = { for key, value in deep : key => length(value.net.zones) }
    last  = listed[length(listed) - 1].names
    later = "${later[stage].text} ${join(",", later[stage].names)}"
    parts = [for key, value in parts : join(",", value.names)]
  }
}
""",
    "settings that nobody reads": """
config "text" "string" {
  nullable = true
}

config "count" "int" {
  default = 3
}

config "name" "string" {
  default = "x"
}

config "hidden" "string" {
  nullable = true
  secret   = true
}

chosen = text == null ? "x" : text
unused = secret("${name}-${count}")

resource "pet" "random:index/randomPet:RandomPet" {
  length = 2
}
""",
    "a template with a loop as a whole value": PETS
    + """
output "texts" {
  value = ["%{ for name in ["a", "b"] }x${name}%{ endfor }", "%{ for name in ["a", "b"] }${name}${pet.id}%{ endfor }"]
}

output "text" {
  value = "%{ for name in ["a", "b"] }x${name}%{ endfor }"
}

resource "command" "command:local:Command" {
  create = "%{ for name in ["a", "b"] }x${name}%{ endfor }"
}
""",
    "functions that nobody asks and functions in loops": """
unused = invoke("command:local:run", { command = "ls" })
alone  = invoke("command:local:run", { command = "ls" }).stdout

all = [for word in ["a", "b"] : invoke("command:local:run", { command = word })]
map = { for word in ["a", "b"] : word => invoke("command:local:run", { command = word }) }

output "values" {
  value = {
    all    = all[*].stdout
    first  = all[0].stdout
    last   = element(all, 1).stdout
    map    = { for key, value in map : key => value.stdout }
    here   = [for word in ["a", "b"] : invoke("command:local:run", { command = word }).stdout]
    listed = join(",", [for one in all : "${one.stdout}!"])
    some   = [for one in all : one.stdout if one.stdout != "a"]
  }
}
""",
}
"""Programs that once failed."""


def settings_of(subject: Subject) -> Settings:
    """Settings without configuration."""
    return Settings(stack="dev")


def packs(numbers: Sequence[int]) -> list[Sequence[int]]:
    """The numbers in groups, a file's worth at a time."""
    return [numbers[at : at + EACH] for at in range(0, len(numbers), EACH)]


def verified_texts(texts: Mapping[str, str], languages: Sequence[str]) -> Report:
    store = SchemaStore([ROOT / "tests" / "schemas", ROOT / "examples" / "schemas"])
    subjects = subjects_in_memory(texts, store, languages)
    return verified(subjects, settings_of, tools=environments(), languages=languages)


def assert_all_passed(report: Report) -> None:
    failed = [verdict for verdict in report.verdicts if verdict.status is not Status.PASSED]
    names = {verdict.key: report.names[verdict.key] for verdict in failed}
    assert not failed, to_text(Report(verdicts=tuple(failed), names=names))


def test_the_same_number_makes_the_same_program() -> None:
    assert program(7) == program(7)
    assert len({program(number) for number in range(50)}) == 50


def test_programs_in_all_languages() -> None:
    texts = {f"mixed-{numbers[0]}-to-{numbers[-1]}": packed(numbers) for numbers in packs(MIXED)}
    assert_all_passed(verified_texts(texts, LANGUAGES))


def test_whole_programs_in_python_and_typescript() -> None:
    texts = {f"whole-{numbers[0]}-to-{numbers[-1]}": packed(numbers, whole=True) for numbers in packs(WHOLE)}
    assert_all_passed(verified_texts(texts, ("python", "typescript")))


def test_programs_that_compare_in_all_languages() -> None:
    texts = {f"comparing-{numbers[0]}-to-{numbers[-1]}": packed(numbers, compares=True) for numbers in packs(COMPARING)}
    assert_all_passed(verified_texts(texts, LANGUAGES))


@pytest.fixture(scope="module")
def report_of_differences() -> Report:
    """One verification of the programs that once failed."""
    return verified_texts({f"found {number}": text for number, text in enumerate(FOUND.values())}, LANGUAGES)


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found(report_of_differences: Report, name: str) -> None:
    key = f"p_found_{list(FOUND).index(name)}_"
    verdicts = tuple(report_of_differences.of(key))
    assert len(verdicts) == len(LANGUAGES)
    assert_all_passed(Report(verdicts=verdicts, names={key: name}))
