"""Generated Go, executed on the real SDK with mocks, computes the values that PCL defines."""

from __future__ import annotations

import pytest

from pclgen.stdlib.checks import KEPT
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.stdlib.options import INVOKE_OPTIONS, RESOURCE_OPTIONS
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.go import builtins, options
from tests.support.go_target import Case, Outcome, go_files, run_all

PROGRAMS: dict[str, tuple[str, dict[str, str], dict[str, object]]] = {
    "JSON": (
        'output o { value = toJSON({ a = null, b = [true, 1.5, "x"] }) }', {}, {"o": '{"a":null,"b":[true,1.5,"x"]}'}
    ),
    "an explicit falsy value is kept": (
        """
        config a bool { default = true }
        config b int { default = 5 }
        config c string { default = "x" }
        config d string { default = null }
        config e "list(int)" { default = [1] }
        output o { value = [a, b, c, d == null, e] }
        """,
        {"a": "false", "b": "0", "c": "", "e": "[]"},
        {"o": [False, 0, "", True, []]},
    ),
    "defaults are used when nothing is given": (
        """
        config a bool { default = true }
        config b number { default = 5 }
        config c "object({x = int, y = optional(string)})" { default = { x = 1 } }
        config d any { default = { k = [1] } }
        output o { value = [a, b, c.x, c.y == null, d.k[0]] }
        """,
        {},
        {"o": [True, 5, 1, True, 1]},
    ),
    "config of every type": (
        """
        config m "map(object({n = number}))" {}
        config any {}
        config text {}
        config o "object({s = string, l = list(string)})" {}
        output o { value = [[for k, v in m : "${k}=${v.n}"], any.a.b, text, o.s, o.l[1]] }
        """,
        {
            "m": '{"z":{"n":1.5},"a":{"n":2}}',
            "any": '{"a":{"b":7}}',
            "text": "plain text",
            "o": '{"s":"x","l":["p","q"]}',
        },
        {"o": [["a=2", "z=1.5"], 7, "plain text", "x", "q"]},
    ),
    "outputs are looked through": (
        """
        resource a "probe:index:Thing" {}
        output template { value = "${a.out}-${a.int}-${a.flag}-${a.num}-${a.list[0].inner.s}" }
        output loop { value = [for k, v in a.tags : "${k}=${v}"] }
        output splat { value = a.list[*].s }
        output choice { value = a.int > 2 ? a.names[0] : "none" }
        output absent { value = a.maybe == null ? "no" : a.maybe }
        output json { value = toJSON({ x = [a.out, 1] }) }
        output fallback { value = try(a.names[7], "none") }
        output found { value = try(a.names[1], "none") }
        output number { value = a.int * 2 + length(a.names) }
        output joined { value = join(",", [for n in a.names : "<${n}>"]) }
        output dynamic { value = a.any.k[1] }
        output kept { value = recover(a.out, "failed") }
        output id { value = "${a.id}" }
        """,
        {},
        {
            "template": "out-3-true-2.5-deep",
            "loop": ["a=1", "b=2"],
            "splat": ["i"],
            "choice": "x",
            "absent": "no",
            "json": '{"x":["out",1]}',
            "fallback": "none",
            "found": "y",
            "number": 8,
            "joined": "<x>,<y>",
            "dynamic": "two",
            "kept": "out",
            "id": "a-id",
        },
    ),
    "ranges": (
        """
        config names "list(string)" {}
        config on bool {}
        resource n "probe:index:Thing" {
          options { range = 2 }
          int = range.value
        }
        resource l "probe:index:Thing" {
          options { range = names }
          out = "${range.key}-${range.value}"
        }
        resource m "probe:index:Thing" {
          options { range = { z = { n = 1, s = "x" }, y = { n = 2, s = "w" } } }
          out = range.value.s
          int = range.value.n
        }
        resource b "probe:index:Thing" {
          options { range = on }
        }
        resource o "probe:index:Thing" {
          options { range = n[0].names }
          out = range.value
        }
        output refs { value = [n[1].int, l[0].out, m["y"].int, o[1].out] }
        output all { value = [for k, r in m : "${k}:${r.out}"] }
        output maybe { value = b == null }
        """,
        {"names": '["p"]', "on": "false"},
        {"refs": [1, "0-p", 2, "y"], "all": ["y:w", "z:x"], "maybe": True},
    ),
    "names that the generated code uses itself": (
        """
        config value string { default = null }
        config cfg string {}
        config err bool { default = null }
        config text {}
        config i int { secret = true }
        ctx = "c"
        args = [for item in ["a"] : "${item}-${ctx}"]
        fmt = "f"
        resource key "probe:index:Thing" {
          options { range = { k = 1 } }
        }
        output o { value = [value, cfg, err, text, ctx, args, "${fmt}${cfg}", key["k"].out, "${i}"] }
        """,
        {"value": "v", "cfg": "g", "err": "true", "text": "not json", "i": "4"},
        {"o": ["v", "g", True, "not json", "c", ["a-c"], "fg", "out", 4]},
    ),
    "objects that hold outputs": (
        """
        resource a "probe:index:Thing" {}
        both = { id = a.id, n = a.int, word = "w" }
        output o { value = ["${both.id}/${both.word}", both.n + 1] }
        """,
        {},
        {"o": ["a-id/w", 4]},
    ),
    "unused things are left out": (
        """
        config given string {}
        config ignored int { default = 2 }
        never = "x"
        chained = "${never}-y"
        resource a "probe:index:Thing" { label = given }
        output o { value = 1 }
        """,
        {"given": "g"},
        {"o": 1},
    ),
    "unions whose members are one type here": (
        """
        config names "list(string)" {}
        config byName "map(string)" { default = { k = "v" } }
        config chains "map(list(string))" { default = { c = ["d"] } }
        config rules "list(object({name = string, actions = list(string)}))" {
          default = [{ name = "n", actions = ["m"] }]
        }
        resource thing "probe:index:Thing" {}
        resource literal "probe:index:Alarm" {
          action  = thing.out
          actions = [thing.id, "b", 3]
          routes  = { a = "x", b = thing.out }
          chains  = { a = ["x", thing.out], b = thing.names }
          rules   = [{ name = "r", actions = ["y", thing.out] }]
          fixed   = ["f"]
        }
        resource whole "probe:index:Alarm" {
          action  = names[0]
          actions = names
          routes  = byName
          chains  = chains
          rules   = rules
          fixed   = names
        }
        resource eventual "probe:index:Alarm" {
          actions = thing.names
          routes  = thing.tags
          chains  = { for k, v in thing.tags : k => [v] }
          rules   = [for n in thing.names : { name = n, actions = [n, "z"] }]
        }
        resource made "probe:index:Alarm" {
          actions = [for n in names : "made ${n}"]
          routes  = { for n in names : n => "${n}!" }
        }
        resource passed "probe:index:Alarm" {
          actions = literal.actions
          routes  = literal.routes
        }
        resource chosen "probe:index:Alarm" {
          actions = thing.flag ? thing.names : names
        }
        output read { value = [literal.action, literal.actions[0], "${literal.routes.a}!", [for k, r in literal.routes : r]] }
        output asked { value = invoke("probe:index:getAlarms", { actions = names, action = "a" }).actions[0] }
        output later { value = invoke("probe:index:getAlarms", { actions = [thing.out] }).actions }
        """,
        {"names": '["p", "q"]'},
        {
            "read": ["out", "thing-id", "x!", ["x", "out"]],
            "asked": "p",
            "later": ["out"],
        },
    ),
    "lists of objects that are made when something is known": (
        """
        resource thing "probe:index:Thing" {}
        resource s "probe:index:Strict" {
          name  = "n"
          items = [for n in thing.names : { s = n, tags = [n] }]
        }
        resource t "probe:index:Strict" {
          name  = "n"
          items = [for i in thing.list : { s = i.s, n = 3 }]
        }
        byName = { for i in thing.list : i.s => i }
        grouped = { for i in thing.list : i.s => i... }
        output o { value = [byName["i"].n, grouped["i"][0].inner.s] }
        """,
        {},
        {"o": [1, "deep"]},
    ),
    "lists and maps that are null are not there": (
        """
        config tags "list(string)" { nullable = true }
        config labels "map(string)" { default = null }
        config hidden "list(string)" {
          default = null
          secret  = true
        }
        config given "list(string)" { nullable = true }
        config on bool { default = true }
        config items "list(object({s = string, tags = optional(list(string))}))" {
          default = [{ s = "a" }, { s = "b", tags = [] }]
        }
        resource a "probe:index:Thing" {
          names = tags
          tags  = labels
          any   = { t = tags, l = labels, g = given }
        }
        resource b "probe:index:Thing" {
          names = tags == null ? [] : tags
          list  = items
          any   = on ? tags : given
        }
        resource c "probe:index:Alarm" {
          actions = tags
          routes  = labels
          fixed   = tags
        }
        resource d "probe:index:Alarm" {
          actions = given
          fixed   = given
          routes  = a.flag ? labels : null
        }
        output o { value = [tags, labels, tags == null, given, try(tags, ["x"])] }
        output direct { value = tags }
        output secrets { value = [hidden, secret(tags)] }
        """,
        {"given": "[]"},
        {"o": [None, None, True, [], None], "direct": None, "secrets": [None, None]},
    ),
    "lists of objects of which some hold outputs": (
        """
        resource pet "probe:index:Thing" {}
        mixed = [{ name = pet.id, n = 1 }, { name = "x", n = 2 }]
        output a { value = [{ name = pet.id }, { name = "x" }][*].name }
        output b { value = mixed[*].name }
        output c { value = [for m in mixed : m.name] }
        output d { value = [for m in mixed : "${m.name}-${m.n}"] }
        output e { value = mixed[1].name }
        output f { value = [for i, m in mixed : i + m.n] }
        output g { value = { for m in mixed : "k${m.n}" => m.name } }
        output h { value = toJSON(mixed) }
        output i { value = mixed }
        output j { value = [{ a = { name = pet.out } }, { a = { name = "y" } }][*].a.name }
        resource s "probe:index:Strict" {
          name = "s"
          items = [for m in mixed : { s = m.name, n = m.n }]
        }
        resource r "probe:index:Thing" {
          options { range = mixed }
          out = range.value.name
          int = range.value.n
        }
        output k { value = { x = { name = pet.id }, y = { name = "p" } }["x"].name }
        output l { value = [for k, v in { x = { name = pet.id }, y = { name = "p" } } : "${k}${v.name}"] }
        config flag bool { default = true }
        plainOnes = [{ name = "x", n = 5 }]
        output m { value = [for m in flag ? mixed : plainOnes : m.name] }
        objects = { x = { name = pet.id, n = 1 }, y = { name = "p", n = 2 } }
        output n { value = [for k, v in objects : "${k}${v.name}${v.n}"] }
        output p { value = objects.y.name }
        output q { value = { for k, v in objects : k => v } }
        output r { value = [for m in mixed : m if m.n > 1] }
        output s { value = flag ? mixed[0].name : plainOnes[0].name }
        output t { value = [[{ name = pet.id }], [{ name = "x" }]][1][0].name }
        output u { value = [for o in [{ name = pet.id }, { name = "x", extra = "y" }] : o.name] }
        output v { value = { for m in mixed : m.n > 1 ? "big" : "small" => m.name... } }
        output w { value = length(mixed) }
        output x { value = try(mixed[0].name, "none") }
        output y { value = lookup(objects, "x", null).name }
        output z { value = [for e in entries(objects) : "${e.key}=${e.value.name}"] }
        output aa { value = element(mixed, 3).name }
        output bb { value = [for pair in [{ t = pet, n = "a" }] : pair.t.out] }
        output cc { value = join(",", mixed[*].name) }
        output dd { value = secret(mixed) }
        output ee { value = [for l in pet.names : [for m in mixed : "${l}-${m.name}"]] }
        """,
        {},
        {
            "a": ["pet-id", "x"],
            "b": ["pet-id", "x"],
            "c": ["pet-id", "x"],
            "d": ["pet-id-1", "x-2"],
            "e": "x",
            "f": [1, 3],
            "g": {"k1": "pet-id", "k2": "x"},
            "h": '[{"n":1,"name":"pet-id"},{"n":2,"name":"x"}]',
            "i": [{"n": 1, "name": "pet-id"}, {"n": 2, "name": "x"}],
            "j": ["out", "y"],
            "k": "pet-id",
            "l": ["xpet-id", "yp"],
            "m": ["pet-id", "x"],
            "n": ["xpet-id1", "yp2"],
            "p": "p",
            "q": {"x": {"n": 1, "name": "pet-id"}, "y": {"n": 2, "name": "p"}},
            "r": [{"n": 2, "name": "x"}],
            "s": "pet-id",
            "t": "x",
            "u": ["pet-id", "x"],
            "v": {"big": ["x"], "small": ["pet-id"]},
            "w": 2,
            "x": "pet-id",
            "y": "pet-id",
            "z": ["x=pet-id", "y=p"],
            "aa": "x",
            "bb": ["out"],
            "cc": "pet-id,x",
            "dd": [{"n": 1, "name": "pet-id"}, {"n": 2, "name": "x"}],
            "ee": [["x-pet-id", "x-x"], ["y-pet-id", "y-x"]],
        },
    ),
}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """Run everything in one process."""
    cases = [Case(go_files(text), config) for text, config, _ in PROGRAMS.values()]
    return dict(zip(PROGRAMS, run_all(cases), strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(outcomes: dict[str, Outcome], name: str) -> None:
    outcome = outcomes[name]
    assert outcome.error == ""
    assert outcome.exports == PROGRAMS[name][2]


def test_resources_of_ranges(outcomes: dict[str, Outcome]) -> None:
    resources = outcomes["ranges"].resources
    assert sorted(resources) == ["l-0", "m-y", "m-z", "n-0", "n-1", "o-0", "o-1"]
    assert resources["l-0"]["out"] == "0-p"


def test_inputs_of_unions(outcomes: dict[str, Outcome]) -> None:
    resources = outcomes["unions whose members are one type here"].resources
    assert resources["literal"] == {
        "action": "out",
        "actions": ["thing-id", "b", "3"],
        "routes": {"a": "x", "b": "out"},
        "chains": {"a": ["x", "out"], "b": ["x", "y"]},
        "rules": [{"name": "r", "actions": ["y", "out"]}],
        "fixed": ["f"],
    }
    assert resources["whole"] == {
        "action": "p",
        "actions": ["p", "q"],
        "routes": {"k": "v"},
        "chains": {"c": ["d"]},
        "rules": [{"name": "n", "actions": ["m"]}],
        "fixed": ["p", "q"],
    }
    assert resources["eventual"] == {
        "actions": ["x", "y"],
        "routes": {"a": "1", "b": "2"},
        "chains": {"a": ["1"], "b": ["2"]},
        "rules": [{"name": "x", "actions": ["x", "z"]}, {"name": "y", "actions": ["y", "z"]}],
    }
    assert resources["made"] == {"actions": ["made p", "made q"], "routes": {"p": "p!", "q": "q!"}}
    assert resources["passed"] == {"actions": ["thing-id", "b", "3"], "routes": {"a": "x", "b": "out"}}
    assert resources["chosen"] == {"actions": ["x", "y"]}


def test_inputs_from_mixed_objects(outcomes: dict[str, Outcome]) -> None:
    resources = outcomes["lists of objects of which some hold outputs"].resources
    assert resources["s"]["items"] == [{"s": "pet-id", "n": 1}, {"s": "x", "n": 2}]
    assert [resources["r-0"]["out"], resources["r-1"]["int"]] == ["pet-id", 2]


def test_inputs_that_are_null(outcomes: dict[str, Outcome]) -> None:
    resources = outcomes["lists and maps that are null are not there"].resources
    assert resources["a"] == {"kind": "probe", "any": {"g": []}}
    assert resources["b"] == {"kind": "probe", "names": [], "list": [{"s": "a"}, {"s": "b", "tags": []}]}
    assert resources["c"] == {}
    assert resources["d"] == {"actions": [], "fixed": [], "routes": None}


def test_inputs_of_lists_of_objects(outcomes: dict[str, Outcome]) -> None:
    resources = outcomes["lists of objects that are made when something is known"].resources
    assert resources["s"]["items"] == [{"s": "x", "tags": ["x"]}, {"s": "y", "tags": ["y"]}]
    assert resources["t"]["items"] == [{"s": "i", "n": 3}]


def test_every_function_and_option_has_a_row() -> None:
    assert set(builtins.BUILTINS) == {*FUNCTIONS, CANONICAL_JSON.name, KEPT.name}
    assert set(options.RESOURCE_OPTIONS) == set(RESOURCE_OPTIONS) - {"range"}
    assert set(options.INVOKE_OPTIONS) == set(INVOKE_OPTIONS)
