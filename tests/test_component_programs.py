"""Components, run in Python, TypeScript and Go as updates and previews: each registers the same as in the evaluator.

Every program is compiled and run; a program may need only the limits (`pclgen.verify.limits`) that it lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Level, Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import ROOT
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

LEVELS: tuple[Level, ...] = ("compile", "run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program: its files by path, its config, and its limits by language."""

    files: Mapping[str, str]
    config: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, frozenset[str]] = field(default_factory=dict)


CASES: Mapping[str, Case] = {
    "inputs are registered as they are given, and the body has the defaults": Case(
        files={
            "main.pp": """
                component plain "./c" {}
                component given "./c" {
                  a = pet.id
                  m = 4
                }
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "all" { value = [plain.all, given.all] }
            """,
            "c/main.pp": """
                config "b" "string" { default = "${a}-b" }
                config "a" "string" { default = "A" }
                config "n" "int" { default = null }
                config "m" "int" { default = 3 }
                config "tags" "map(string)" { default = {} }
                resource "pet" "random:index/randomPet:RandomPet" {
                  prefix  = "${a}${b}"
                  length  = m
                  keepers = tags
                }
                output "all" { value = { a = a, b = b, n = n, m = m + 1 } }
            """,
        }
    ),
    "plain values pass through components that only hand them on": Case(
        files={
            "main.pp": """
                component given "./outer" { name = "a" }
                component each "./outer" {
                  name = "b${range.value}"
                  options { range = 2 }
                }
                output "all" { value = [given.text, each[1].text] }
            """,
            "outer/main.pp": """
                config "name" "string" {}
                config "unused" "string" { default = null }
                component "middle" "../middle" {
                  who   = name
                  other = unused
                }
                output "text" { value = middle.text }
            """,
            "middle/main.pp": """
                config "who" "string" {}
                config "other" "string" { default = null }
                component "inner" "../inner" { parts = { list = [who], other = other } }
                output "text" { value = inner.text }
            """,
            "inner/main.pp": """
                config "parts" "object({ list = list(string), other = optional(string) })" {}
                resource "pet" "random:index/randomPet:RandomPet" { prefix = "${parts.list[0]}-x" }
                output "text" { value = pet.prefix }
            """,
        },
    ),
    "defaults refer to what the component has made": Case(
        files={
            "main.pp": 'component c "./c" {}\noutput "all" { value = c.all }',
            "c/main.pp": """
                config "b" "string" { default = x }
                x = "loc"
                config "z" "string" { default = pet.id }
                resource "pet" "random:index/randomPet:RandomPet" { prefix = b }
                output "all" { value = [b, z] }
            """,
        }
    ),
    "inputs that are secret inside": Case(
        files={
            "main.pp": """
                component c "./c" {
                  req = "r"
                  lst = ["a"]
                }
                component d "./c" {
                  req = pet.id
                  num = pet.length
                  opt = pet.prefix
                  lst = ["b"]
                }
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "c" { value = [c.text, c.sum, c.opt, c.list] }
                output "d" { value = [d.text, d.sum, d.opt, d.list] }
            """,
            "c/main.pp": """
                config "req" "string" { secret = true }
                config "num" "int" {
                  secret  = true
                  default = 7
                }
                config "opt" "string" {
                  secret  = true
                  default = null
                }
                config "lst" "list(string)" { secret = true }
                config "flag" "bool" {
                  secret  = true
                  default = true
                }
                resource "pet" "random:index/randomPet:RandomPet" {
                  prefix  = opt
                  length  = num
                  keepers = { a = lst[0] }
                }
                output "text" { value = "${req}-${num}-${flag}" }
                output "sum" { value = num + 1 }
                output "opt" { value = opt }
                output "list" { value = [for x in lst : "<${x}>"] }
            """,
        }
    ),
    "what nobody gives is null": Case(
        files={
            "main.pp": """
                config "token" "string" {
                  secret  = true
                  default = null
                }
                component without "./c" {}
                component with "./c" {
                  text = pet.prefix
                  n    = pet.length
                  list = pet.keepers == null ? null : ["k"]
                  any  = pet.id
                }
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "token" { value = token }
                output "without" { value = [without.text, without.n, without.none, without.any, without.word] }
                output "with" { value = [with.text, with.n, with.none, with.any, with.word] }
            """,
            "c/main.pp": """
                config "text" "string" { default = null }
                config "n" "int" { default = null }
                config "list" "list(string)" { default = null }
                config "any" { default = null }
                resource "pet" "random:index/randomPet:RandomPet" {
                  prefix = text
                  length = n
                }
                output "text" { value = text }
                output "n" { value = n }
                output "list" { value = list }
                output "any" { value = any }
                output "none" { value = null }
                output "word" { value = text == null ? "none" : text }
            """,
        }
    ),
    "ranged components, and what is in them": Case(
        files={
            "main.pp": """
                config "names" "list(string)" { default = ["a", "b"] }
                config "table" "map(object({size=int, tag=string}))" {
                  default = { x = { size = 1, tag = "t" }, y = { size = 2, tag = "u" } }
                }
                config "on" "bool" { default = true }
                config "n" "int" { default = 2 }
                component counted "./c" {
                  options { range = n }
                  name = "k${range.value}"
                }
                component listed "./c" {
                  options { range = names }
                  name = range.value
                  size = range.key + 1
                }
                component mapped "./c" {
                  options { range = table }
                  name = range.value.tag
                  size = range.value.size
                }
                component maybe "./c" {
                  options { range = on }
                  name = "maybe"
                }
                component never "./c" {
                  options { range = !on }
                  name = "never"
                }
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "counted" { value = counted[*].id }
                output "counted0" { value = counted[0].info.size }
                output "listed" { value = [for c in listed : c.info] }
                output "listedn" { value = { for i, c in listed : names[i] => c.id } }
                output "mapped" { value = { for k, c in mapped : k => c.info.name } }
                output "mappedx" { value = mapped["x"].id }
                output "maybe" { value = on ? maybe.id : "none" }
                output "len" { value = [length(counted), length(mapped)] }
                output "join" { value = join(",", [for c in listed : c.id]) }
                output "secret" { value = listed[0].pass }
                output "kids" { value = listed[1].kids }
                output "kid" { value = listed[1].kids[0] }
                resource "after" "random:index/randomPet:RandomPet" {
                  prefix = join("-", [for k, c in mapped : c.info.name])
                  options { dependsOn = [listed[0], maybe] }
                }
            """,
            "c/main.pp": """
                config "name" "string" {}
                config "size" "int" { default = 2 }
                resource "pets" "random:index/randomPet:RandomPet" {
                  options { range = size }
                  prefix = "${name}-${range.value}"
                }
                resource "pw" "random:index/randomPassword:RandomPassword" {
                  length = size
                }
                output "id" { value = pets[0].id }
                output "info" { value = { name = name, size = size, ids = pets[*].id } }
                output "pass" { value = pw.result }
                output "kids" { value = [for p in pets : "${p.prefix}!"] }
            """,
        },
        limits={"go": frozenset({"known-parts"})},
    ),
    "options of components": Case(
        files={
            "main.pp": """
                resource "base" "random:index/randomPet:RandomPet" {}
                component c "./c" {
                  name = "n"
                  options {
                    dependsOn = [base]
                    protect = true
                  }
                }
                component d "./c" {
                  name = base.id
                  options {
                    parent = c
                    aliases = [{ name = "oldd" }, "urn:pulumi:dev::before::components:index:C::older"]
                  }
                }
                component e "./c" {
                  name = "e"
                  options {
                    parent = base
                    deleteBeforeReplace = true
                    retainOnDelete = true
                  }
                }
                component f "./c" {
                  name = "f"
                  options {
                    dependsOn = [e, d]
                    protect = false
                  }
                }
                component g "./c" {
                  name = base.id
                  options {
                    range = 2
                    dependsOn = [base]
                    aliases = [{ noParent = true }]
                  }
                }
                resource "child" "random:index/randomPet:RandomPet" {
                  options { parent = c }
                }
                resource "child2" "random:index/randomPet:RandomPet" {
                  options {
                    parent = g[0]
                    dependsOn = [g[1]]
                  }
                }
                output "o" { value = [c.id, g[1].id] }
            """,
            "c/main.pp": """
                config "name" "string" {}
                resource "pet" "random:index/randomPet:RandomPet" {
                  prefix = name
                }
                component inner "../inner" {
                  name = "${name}-x"
                  options {
                    dependsOn = [pet]
                    protect = false
                  }
                }
                resource "after" "random:index/randomPet:RandomPet" {
                  prefix = inner.id
                  options {
                    parent = inner
                    aliases = [{ name = "before" }]
                  }
                }
                output "id" { value = inner.id }
            """,
            "inner/main.pp": """
                config "name" "string" {}
                resource "pet" "random:index/randomPet:RandomPet" {
                  prefix = name
                }
                output "id" { value = pet.id }
            """,
        }
    ),
    "providers of components": Case(
        files={
            "main.pp": """
                resource "prov" "pulumi:providers:random" {}
                resource "prov2" "pulumi:providers:random" {}
                component c "./c" {
                  options { providers = [prov] }
                }
                component e "./c" {
                  options {
                    parent = c
                    providers = [prov2]
                  }
                }
                component f "./c" {
                  options {
                    parent = c
                    protect = true
                  }
                }
                component h "./c" {
                  options {
                    range = 2
                    providers = { random = prov2 }
                  }
                }
                output "o" { value = [c.id, e.id, h[*].id] }
            """,
            "c/main.pp": """
                component inner "../inner" {}
                output "id" { value = inner.id }
            """,
            "inner/main.pp": """
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "id" { value = pet.id }
            """,
        }
    ),
    "outputs with the names of packages, classes and helpers": Case(
        files={
            "main.pp": """
                resource "pet" "random:index/randomPet:RandomPet" {}
                component c "./c" {}
                output "random" { value = pet.id }
                output "pulumi" { value = pet.id }
                output "C" { value = c.self }
                output "console" { value = c.m.a }
                output "sortedEntries" { value = [for k, v in c.m : k] }
            """,
            "c/main.pp": """
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "self" { value = pet.id }
                output "m" { value = {a = pet.id} }
            """,
        }
    ),
    "lists and maps that hold outputs are handed on as they were given, and looked at as a whole": Case(
        files={
            "main.pp": """
                resource pet "random:index/randomPet:RandomPet" {}
                component parts "./outer" {
                  peers = [pet.id, "x"]
                  named = { k = secret(pet.id), l = "x" }
                }
                component whole "./outer" {
                  peers = pet.keepers == null ? [] : [pet.id]
                  named = pet.keepers == null ? { q = "1" } : { q = pet.id }
                }
            """,
            "outer/main.pp": """
                config peers "list(string)" { default = [] }
                config named "map(string)" { default = {} }
                component inner "../inner" {
                  peers = peers
                  named = named
                }
                output length { value = length(peers) }
            """,
            "inner/main.pp": """
                config peers "list(string)" {}
                config named "map(string)" {}
                resource made "command:local:Command" {
                  create      = "x"
                  interpreter = peers
                  environment = named
                }
                output echo { value = "${join(",", peers)} ${peers[0]}" }
                output all { value = named }
            """,
        },
    ),
    "ids inside of objects of outputs are texts": Case(
        files={
            "main.pp": """
                component c "./c" {}
                output "steps" { value = [c.g.inner.id, c.both[0].n, [for x in c.both : x.n]] }
                output "text" { value = "${c.g.inner.id}!" }
            """,
            "c/main.pp": """
                resource "pet" "random:index/randomPet:RandomPet" {}
                output "g" { value = { inner = { id = pet.id, n = 1 } } }
                output "both" { value = [for k in ["a", "b"] : { id = pet.id, n = k == "a" ? 1 : 2 }] }
            """,
        },
        limits={"go": frozenset({"known-parts"})},
    ),
    "outputs that are choices of outputs and plain values, and parts of names for such": Case(
        files={
            "main.pp": """
                component c "./c" { a = pet.id }
                component d "./c" { on = false }
                resource pet "random:index/randomPet:RandomPet" {}
                output "c" { value = c.all }
                output "d" { value = d.all }
                output "texts" { value = ["${c.choice}-${d.turned}", "${d.part}", c.element, d.attempt] }
                output "parts" { value = [c.object.k, d.kinds["k"], c.list[0], length(d.map)] }
            """,
            "c/main.pp": """
                config "a" "string" { default = "plain" }
                config "on" "bool" { default = true }
                resource "pet" "random:index/randomPet:RandomPet" {}
                resource "maybe" "random:index/randomPet:RandomPet" {
                  options {
                    range = on
                  }
                }
                held   = on ? { k = "v" } : { k = pet.id }
                always = { k = pet.id, l = ["x", pet.id] }
                mixed  = [pet.id, "x"]
                looped = { for x in ["a", "b"] : x => x == "a" ? pet.id : "y" }
                lists  = on ? [pet.id] : ["x", "y"]
                output "choice" { value = on ? pet.id : "none" }
                output "turned" { value = on ? "none" : pet.id }
                output "nested" { value = on ? (a == "x" ? pet.id : "y") : "z" }
                output "attempt" { value = try(maybe.id, a) }
                output "nothing" { value = on ? null : pet.id }
                output "logic" { value = on || pet.id == "x" }
                output "object" { value = on ? { k = "v" } : { k = pet.id } }
                output "unlike" { value = on ? { k = pet.id } : { k = pet.id, l = "x" } }
                output "deep" { value = on ? { k = ["v"] } : { k = [pet.id] } }
                output "list" { value = on ? [pet.id] : ["a"] }
                output "map" "map(string)" { value = on ? { k = "v" } : { k = pet.id } }
                output "made" { value = on ? { for x in ["a"] : x => x } : { k = pet.id } }
                output "kinds" "map(string)" { value = on ? { k = always.k } : held }
                output "maps" "map(list(string))" { value = { a = [pet.id], b = on ? [] : ["x"] } }
                output "held" { value = held }
                output "part" { value = held.k }
                output "always" { value = always }
                output "always_k" { value = always.k }
                output "always_l" { value = always.l[0] }
                output "mixed" { value = mixed }
                output "element" { value = mixed[1] }
                output "looped" { value = looped }
                output "entry" { value = looped["b"] }
                output "text" { value = "${looped["a"]}" }
                output "lists" { value = lists }
                output "first" { value = lists[0] }
                output "all" {
                  value = [held, held.k, mixed[1], looped, looped["b"], lists, lists[0], on ? pet.id : a]
                }
            """,
        },
    ),
}


@pytest.fixture(scope="module")
def report() -> Report:
    """The verification of all programs."""
    cases = {f"case {number}": case for number, case in enumerate(CASES.values())}

    def settings_of(subject: Subject) -> Settings:
        values = cases[subject.name].config
        config = {f"{subject.name}:{key}": ConfigValue(text) for key, text in values.items()}
        return Settings(stack="dev", organization="acme", config=config)

    store = SchemaStore([ROOT / "examples" / "schemas"])
    subjects = programs_in_memory({name: case.files for name, case in cases.items()}, store)
    return verified(subjects, settings_of, tools=environments(), levels=LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_runs_as_the_evaluator_says(report: Report, name: str, language: str) -> None:
    key = f"p_case_{list(CASES).index(name)}_"
    verdicts = [verdict for verdict in report.of(key) if verdict.language == language]
    shown = to_text(Report(verdicts=tuple(verdicts), names={key: name}))
    assert [(verdict.level, verdict.status) for verdict in verdicts] == [(level, Status.PASSED) for level in LEVELS], shown
    assert {limit for verdict in verdicts for limit in verdict.limits} == CASES[name].limits.get(language, frozenset())
