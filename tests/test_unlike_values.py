"""Elements of different shapes: objects that lack members, null among objects and lists, scalars of different types,
resources that may not exist, members behind an index, loops over nothing, keys with a meaning in a language.

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
resource lost "command:local:Command" {
  options { range = !flag }
  create = "lost"
}
lists     = { a = ["x"], b = flag ? null : ["y"], c = null }
maps      = [{ k = "x" }, flag ? null : { k = "y" }]
nested    = flag ? { in = flag ? null : { v = 1 }, list = [1] } : null
absent    = flag ? null : { size = 3 }
config big int { default = 9000000000 }
config free "list(string)" { nullable = true }
config site "object({ size = optional(int), names = optional(list(string)) })" { nullable = true }
keys      = { constructor = 1, "toString" = 2, hasOwnProperty = 3, valueOf = 4 }
empty     = [for x in [] : x]
empties   = [[], {}, [[]], { a = [], b = {} }, [for x in [] : [for y in [] : y]], { for x in [] : "k" => x... }]
resource shuffle "random:index/randomShuffle:RandomShuffle" { inputs = ["a", "b"] }
resource pool "digitalocean:index:KubernetesNodePool" {
  clusterId = "c"
  size      = "s"
  taints    = [{ key = "k", value = "v", effect = "NoSchedule" }]
}
resource wall "digitalocean:index:Firewall" {
  inboundRules = [{
    protocol               = "tcp"
    portRange              = "80"
    sourceAddresses        = ["10.0.0.0/8"]
    sourceDropletIds       = [1]
    sourceKubernetesIds    = []
    sourceLoadBalancerUids = []
    sourceTags             = []
  }]
}
resource texts "random:index/randomPet:RandomPet" { keepers = { Name = "web", Prod = true, Size = 2.5, Small = 0.0000001 } }
resource held "random:index/randomPet:RandomPet" { keepers = tags }
resource looped "random:index/randomPet:RandomPet" { keepers = { for k, v in tags : k => v } }
resource chosen "random:index/randomPet:RandomPet" { keepers = choice }
resource listed "command:local:Command" { interpreter = [for v in mixed : v] }
tags      = { Name = "web", Prod = true, Size = 2.5 }
choice    = flag ? { Name = "web", Prod = true } : { Name = "x", Prod = 5 }
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
    "a resource that does not exist": "try(lost.create, app.create)",
    "an attribute of a missing resource in a template": 'try("${lost.create}-x", "none")',
    "a loop's resource": "[for r in [web, lost] : try(r.create, app.create)]",
    "a list among lists, or null": "[lists.a, lists.b, lists.c]",
    "a list beside null": "lists.a",
    "null beside a list": "lists.b",
    "null itself": "lists.c",
    "null beside a list in an object": "{ x = lists.b, y = lists.a }",
    "one of the lists": "flag ? lists.b : lists.a",
    "the lists in a loop": "[for k, v in lists : v]",
    "the lists by key": '[for k in ["a", "b", "c"] : lists[k]]',
    "null beside a map": "maps[1]",
    "a map beside null": "maps[0]",
    "the maps": "maps",
    "mixed scalars of a choice as texts": '[for k, v in choice : "${k}${v}"]',
    "an attempt below null": "[try(nested.in.v, 7), can(nested.in.v), try(nested.list[0], 8), try(nested.list[3], 9)]",
    "an attempt at what is null": "[try(absent.size, 7), can(absent.size), try(absent.size + 1, 8)]",
    "sums beyond 32 bits": "[big + big, big - big * 2, -big * 1000, big * 1000]",
    "a splat over null": "[free[*], length(free[*])]",
    "a splat over a null object": "[site[*].size, [for s in site[*] : s.names]]",
    "an index that is a text": '[["a", "b"]["1"], [[1, 2], [3]]["0"]["1"], { a = ["x", "y"] }.a["1"]]',
    "an index that is a text, of outputs": '[[app.create, "b"]["0"], shuffle.results["0"]]',
    "a required member behind an index": "pool.taints[0].key",
    "a required member behind an index, in a template": '"${pool.taints[0].key}/${pool.taints[0].value}"',
    "a required member behind two indexes": "wall.inboundRules[0].sourceAddresses[0]",
    "an optional member behind an index": 'try(wall.inboundRules[0].portRange, "none")',
    "required members in a loop": '[for r in wall.inboundRules : "${r.protocol}-${length(r.sourceAddresses)}"]',
    "required members of a splat": "wall.inboundRules[*].protocol",
    "a map over nothing that is known later": '{ for x in shuffle.results : x => x if x == "none" }',
    "a list over nothing that is known later": '[for x in shuffle.results : { y = x } if x == "none"]',
    "maps of lists over nothing": '[{ for x in shuffle.results : "k" => [x] if x == "none" }, { for x in shuffle.results : x => x... if x == "none" }]',
    "keys of objects": '[keys, keys.constructor, { for k, v in keys : k => v + 1 }]',
    "keys that are looked up": '[for k in ["toString", "valueOf", "x"] : lookup(keys, k, 0)]',
    "keys that a loop makes": '{ for k in ["prototype", "hasOwnProperty", "a"] : k => [k] }',
    "keys that a loop groups": '{ for k in ["constructor", "constructor", "a"] : k => k... }',
    "empty lists and maps": "[empty, empties, length(empty), [for x in [] : { a = x }], [for k, v in {} : k]]",
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
