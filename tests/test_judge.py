"""The judge of values, HashiCorp's HCL, and the evaluator compared with it (`tests/judge`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from pclgen import pipeline
from pclgen.bind.references import free_names
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.source.load import program_in_memory
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import parse_file
from pclgen.syntax.walk import walk
from tests.judge.evaluator import STORE, evaluated
from tests.judge.languages import answers_of
from tests.judge.nodes import node
from tests.judge.nodes import text as plain_text
from tests.judge.oracle import judged, verdicts
from tests.judge.programs import Case, case
from tests.judge.verdicts import FAILS, GOOD, REFUSED, Answer, Class, Value, compared, same
from tests.support.corpus import ROOT, program_directories


def test_the_judge_evaluates_programs() -> None:
    programs = {
        "a = [{ x = 1 }, { x = null, y = 2 }]\noutput o { value = [for e in a : try(e.y, e.x)] }": [1, 2],
        'output o "map(string)" { value = { a = 1, b = true } }': {"a": "1", "b": "true"},
        'config c "object({ x = string, y = optional(string, \\"q\\") })" {\n  default = { x = 1 }\n}\noutput o { value = c }': {
            "x": "1",
            "y": "q",
        },
        "b = a[0]\na = [secret(3)]\noutput o { value = b * length(a) }": 3,
    }
    answers = judged(list(programs))
    assert [answer.result for answer in answers] == [Value(value) for value in programs.values()]
    assert judged(["output o { value = [1][3] }"])[0].result == FAILS


def test_a_number_makes_always_the_same_program() -> None:
    assert [str(case(number)) for number in range(20)] == [str(case(number)) for number in range(20)]


@pytest.mark.parametrize(("language", "count"), [("evaluator", 300), ("python", 300), ("typescript", 300), ("go", 100)])
def test_random_programs_have_the_values_of_hcl(language: str, count: int) -> None:
    cases = [case(number) for number in range(7_000_000, 7_000_000 + count)]
    texts = [str(one) for one in cases]
    expected = [evaluated(text) for text in texts]
    answers = expected if language == "evaluator" else answers_of(language, cases, expected)
    differing = [
        f"{text}\njudge: {verdict}\n{language}: {answer}"
        for verdict, answer, text, own in zip(verdicts(texts), answers, texts, expected, strict=True)
        if compared(verdict, answer, text, own, language) not in GOOD
    ]
    assert not differing, "\n\n".join(differing)


SOURCES = {
    "rules": '[{ name = "a" }, { name = "b", days = 5 }, { name = "c", days = null }]',
    "steps": '[{ in = null }, { in = { v = 5 } }, { in = { v = 6, w = "x" } }]',
    "expiries": "[{ expiry = null }, { expiry = { days = 3 } }]",
    "named": '{ a = { x = 1 }, b = { x = 2, y = "t" } }',
    "policy": '{ policies = ["a"], maxAge = 3600, on = true }',
    "mixed": '[1, "two", true]',
    "tags": '{ Name = "web", Prod = true, Count = 2 }',
    "small": "0.0000001",
    "large": "9000000000",
    "billions": "3000000000",
    "nothing": "[]",
    "late": "secret([1, 2])",
    "hidden": 'secret([{ name = "a" }, { name = "b", days = 5 }])',
    "off": "1 == 2",
    "inherited": '["valueOf", "a", "constructor"]',
    "unlike": '[{ name = { tags = [], b = null }, b = null }, { name = "-3", size = "web" }]',
    "held": '{ a = 1 == 2 ? [1] : null, b = "x" }',
    "paired": '[1 == 2 ? [1] : null, "x"]',
    "loose": '[{ name = { tags = [], b = null }, b = null, c = [[1], null] }, { name = "-3", size = "wéb" }]',
    "bits": "[1, true, 0, false]",
    "flags": "[1, true, { a = 1 }]",
    "digits": '{ "0" = { a = 1 }, "true" = 5, "1" = 7 }',
    "boxed": '1 == 1 ? [[{ name = "a" }, {}]] : null',
    "holes": "[null, 1]",
    "whole": '{ size = "x", n = 1.5 }',
    "switched": "{ size = true, n = 2 }",
    "lettered": '[{ size = "x", b = 1 }, { size = "z" }]',
    "numbered": "[{ size = 5, b = 1.5 }, { size = 1 }]",
    "pair": '[1, "a", true]',
    "turned": '["b", 0.5, 2]',
    "optionals": '[{ name = "a", days = null }, { name = "b", days = 5 }]',
    "numbers": "[-1, 2.5, 123456789]",
    "word": '"web"',
    "ragged": '[[null, 1], { a = null, b = [null] }, null, "x"]',
}

CONFIGURED = {
    **dict.fromkeys(("loose", "ragged", "flags", "digits"), "any"),
    "holes": '"list(any)"',
    "optionals": '"list(object({ name = string, days = optional(number) }))"',
}
"""The sources that are the defaults of configuration, and their types."""

# What was found to differ: expressions over `SOURCES`, with their values.
FOUND: Mapping[str, Mapping[str, object]] = {
    "tuples of unlike objects": {
        "rules[*].name": ["a", "b", "c"],
        "[for r in rules : r.name]": ["a", "b", "c"],
        "rules[1].days": 5,
        "expiries[1].expiry.days": 3,
        "steps[2].in": {"v": 6, "w": "x"},
        "hidden[*].name": ["a", "b"],
        "[for k, v in named : v.x]": [1, 2],
        "[for r in rules : r]": [{"name": "a"}, {"name": "b", "days": 5}, {"name": "c"}],
    },
    "lists and maps of unlike elements": {
        '[for p in [["x"], [1]] : p]': [["x"], [1]],
        '[for p in [["x", 1], [2]] : p[0]]': ["x", 2],
        '[for p in [["x"], [1], [true, "y"]] : length(p)]': [1, 1, 2],
        '[for k, p in { a = ["x"], b = [1] } : "${k}${p[0]}"]': ["ax", "b1"],
        '[for p in [{ for k in ["a"] : k => 1 }, { for k in ["b"] : k => "x" }] : p]': [{"a": 1}, {"b": "x"}],
        '[for i in range(2) : [["x"], [1]][i]]': [["x"], [1]],
        '[for k in ["a", "b"] : { a = ["x"], b = [1] }[k]]': [["x"], [1]],
    },
    "members that some lack": {
        "[for r in rules : try(r.days, 0)]": [0, 5, None],
        "[for r in rules : can(r.days)]": [False, True, True],
        '[for r in rules : lookup(r, "days", 1)]': [1, 5, None],
        "[for s in steps : try(s.in.v, 1)]": [1, 5, 6],
        "[for s in steps : can(s.in.w)]": [False, False, True],
        "[for r in hidden : try(r.days, 0)]": [0, 5],
        '[for k, v in named : "${k}-${try(v.y, "none")}"]': ["a-none", "b-t"],
    },
    "scalars where texts are wanted": {
        "[for v in mixed : v]": [1, "two", True],
        '[for v in mixed : "-${v}"]': ["-1", "-two", "-true"],
        'join(",", mixed)': "1,two,true",
        '{ for k, v in tags : k => "=${v}" }': {"Name": "=web", "Prod": "=true", "Count": "=2"},
        '"-${small}"': "-0.0000001",
        '[for v in [small, large, true] : "${v}."]': ["0.0000001.", "9000000000.", "true."],
        "[for v in mixed : toJSON(v)]": ["1", '"two"', "true"],
    },
    "null where lists and maps stand": {
        "unlike[0]": {"name": {"tags": [], "b": None}, "b": None},
        "[for u in unlike : u]": [{"name": {"tags": [], "b": None}, "b": None}, {"name": "-3", "size": "web"}],
        "loose[0].name": {"tags": [], "b": None},
        "loose[0].c": [[1], None],
        "[for k, v in loose[0].name : v == null]": [True, False],
        "held": {"a": None, "b": "x"},
        "{ c = held, d = paired }": {"c": {"a": None, "b": "x"}, "d": [None, "x"]},
        "entries({ a = steps })": [{"key": "a", "value": [{"in": None}, {"in": {"v": 5}}, {"in": {"v": 6, "w": "x"}}]}],
        '[for k, v in held : "${k}${v == null}"]': ["atrue", "bfalse"],
        "try(held.a, 1)": None,
        "ragged": [[None, 1], {"a": None, "b": [None]}, None, "x"],
        "[ragged[1].a == null, ragged[1].b[0] == null, ragged[2] == null]": [True, True, True],
        "[for p in paired : p]": [None, "x"],
        "[paired[0], secret(paired)[0], secret(held).a]": [None, None, None],
        "secret(held)": {"a": None, "b": "x"},
        "secret({ a = [null, null], b = { c = 1 } }).a[1]": None,
    },
    "numbers of which some are whole": {
        "[numbers[0 + 0], numbers[1], element(numbers, 2)]": [-1, 2.5, 123456789],
        '"${numbers[0 + 0]}"': -1,
        '[for x in numbers : "${x}."]': ["-1.", "2.5.", "123456789."],
        "[for x in [[1, 2.5], [2]] : x[0]]": [1, 2],
        "secret([[1, 2.5], [2]])[*][0]": [1, 2],
        '[for k, v in { a = 1, b = 2.5 } : v * 2]': [2, 5],
        "[[1, 2], [2.5]][numbers[0] + 1][0] + 1": 2,
        "range(numbers[2] - 123456787)": [0, 1],
        "[for x in [range(2), [0.5], numbers] : x[0]]": [0, 0.5, -1],
        "toJSON([numbers, { a = 1, b = 0.5 }])": '[[-1,2.5,123456789],{"a":1,"b":0.5}]',
        "try(numbers[3], [1, 0.5])": [1, 0.5],
        '[for u in [{ a = 1, b = 2 }, { a = 3 }] : off ? { a = "x" } : u]': [{"a": "1", "b": 2}, {"a": "3"}],
        "[for i in range(2) : [numbers[0], 5][i]]": [-1, 5],
    },
    "null beside lists in a value of unknown type": {
        'try(loose[0].days, [null, [{ a = 1 }, {}], [{ b = "x" }]])': [None, [{"a": 1}, {}], [{"b": "x"}]],
        "try(loose[0].days, { a = null, b = [1] })": {"a": None, "b": [1]},
        "(off ? loose : [null, [1]])": [None, [1]],
    },
    "branches that are null where the condition holds": {
        "(word != null) ? (large != 5) : word": "true",
        "(word != null) ? (large != 5) : (secret(large == 1) ? large < 1 : word)": "true",
    },
    "scalars beside other values in lists of another length": {
        'off ? range(1, 3) : [off, "a", { b = 1 }]': [False, "a", {"b": 1}],
    },
    "null compared with what is written out": {
        '[((true ? null : rules[0]) == ["web"]) ? 1 : 2, { a = off } != null, [1].* == null]': [2, True, False],
        '[for r in rules : r.name == ([r] == null ? "x" : "a")]': [True, False, False],
    },
    "the only element of a splat": {
        'try(singleOrNone([null, "a b", 100].*), 3)': 3,
        'singleOrNone([for x in [null, "a b", 100] : x if x == "a b"])': "a b",
        'singleOrNone([for x in [null, "a b", 100] : x if x == null])': None,
        "singleOrNone([[1], null].*[*])": FAILS,
    },
    "loops over objects that lack members": {
        "[for r in rules : [for k, v in r : k]]": [["name"], ["days", "name"], ["days", "name"]],
        "[for r in rules : { for k, v in r : k => v }]": [{"name": "a"}, {"days": 5, "name": "b"}, {"days": None, "name": "c"}],
        "[for r in hidden : entries(r)]": [
            [{"key": "name", "value": "a"}],
            [{"key": "days", "value": 5}, {"key": "name", "value": "b"}],
        ],
        "entries([{}, { name = 3 }, {}][0])": [],
        "[for r in [{ a = 1 }, { a = 1, b = 2 }] : entries(r)[0].value + 1]": [2, 2],
        '[for k, v in (!off ? { uses = "e", days = 3 } : { name = 1 }) : k]': ["days", "uses"],
        '[for k, v in (!off ? { uses = "e", days = 3 } : { name = 1 }) : v]': [3, "e"],
        'entries(!off ? { uses = "e" } : { name = "1" })': [{"key": "uses", "value": "e"}],
        "[for e in steps : [for k, v in e : k]]": [["in"], ["in"], ["in"]],
        "entries(steps[0])": [{"key": "in", "value": None}],
        "[for k, v in rules[2] : v]": [None, "c"],
    },
    "steps into one of unlike values": {
        "[unlike[0].name.b]": [None],
        "[{ a = 1 }, { a = { b = 2 } }][1].a.b": 2,
        '[{ a = 1 }, { a = { b = { d = 3 }, c = "x" } }][1].a.b.d': 3,
        "[{ a = [{ x = 4 }] }, { a = { b = 1, c = [{ e = 1 }] } }][0].a[0].x": 4,
        "[{ a = 1 }, { a = [4, 5] }][1].a[1]": 5,
        '[for i in range(2) : [{ a = [1] }, { a = ["x"] }][i].a[0]]': [1, "x"],
    },
    "looking up null": {
        'try(lookup(loose[0].b, "a", 5), 6)': 6,
        'lookup(loose[0].b, "a", 5)': FAILS,
        'lookup((off ? flags[2] : null), "a", 5)': FAILS,
        'lookup({ for k, x in [null] : "k${k}" => x }, "a b", 1)': 1,
        'lookup({ for k, x in [null] : "k${k}" => x }, "k0", 1)': None,
        'lookup({ for k, x in secret([null]) : "k${k}" => x }, "k1", "z")': "z",
    },
    "bools beside numbers": {
        "[for b in bits : b == 1]": [True, False, False, False],
        "[for b in bits : b != 0]": [True, True, False, True],
        "[for b in bits : [for c in bits : b == c]]": [[i == j for j in range(4)] for i in range(4)],
        "bits[0] == bits[1]": False,
        "[[1] == [true], { a = 0 } == { a = false }, [1] == [1]]": [False, False, True],
        "[for b in bits : [b] == [1]]": [True, False, False, False],
        '[for e in [{ a = 1 }, { a = true }, { a = [true] }] : e.a == 1 ? "n" : e.a == [1] ? "l" : "b"]': ["n", "b", "b"],
        "[for b in flags : b == 1]": [True, False, False],
        "[flags[0] == flags[1], flags[0] == flags[2].a, flags == [true, 1]]": [False, True, False],
        "[for b in flags : b == large]": [False, False, False],
    },
    "variables compared with constants, and steps into them": {
        "[flags == 100 ? flags[0] : 2, flags[0]]": [2, 1],
        '[flags != "x" || flags[5].b == 1, flags[2].a]': [True, 1],
        "[for f in loose : f == 5 ? f.name : f.name][1]": "-3",
        '(flags == 7 || flags == "8") ? flags.a : 9': 9,
        "[mixed[1] == 5 ? length(mixed[1]) : 1, length(mixed[1])]": [1, 3],
        "[flags[2] == 100 ? flags[2].a : 2, flags[2].a]": [2, 1],
        '[loose[0].c == "x" ? [for c in loose[0].c : c == null] : [], loose[0].c[1]]': [[], None],
    },
    "variables compared with null, and parts of them": {
        "[flags == null, flags[2].a]": [False, 1],
        '"${mixed == null ? "x" : "n"}${flags == null ? "y" : "m"}${length(flags)}"': "nm3",
        "[flags[0] == null, 2 - flags[0], flags[2] != null, flags[2].a]": [False, 1, True, 1],
        "[flags[2] == null || flags[2].a == 1, flags[2] != null && flags[2].a == 1]": [True, True],
        '[loose[1].size == null ? 1 : length(loose[1].size), loose[0].c != null ? [for c in loose[0].c : c] : []]': [
            3,
            [[1], None],
        ],
    },
    "steps into one of null and a value of unknown type": {
        "(off ? null : flags)[2].a": 1,
        '(off ? null : flags[2])["a"]': 1,
        'lookup((off ? null : (off ? null : flags[2])), "a", 5)': 1,
        "[length(off ? null : flags), element((off ? null : flags), 3)]": [3, 1],
        "(!off ? null : flags)[2].a": FAILS,
    },
    "operands that decide": {
        "(false && try(loose[0].name.size, false)) ? [for k, v in loose[0] : k] : 3": 3,
        "(true || loose[0].b) ? 1 : [for k, v in loose[0] : k]": 1,
        "[for r in rules : false && r.name == null]": [False, False, False],
        "large > 1 || (off ? 10 : loose[0].b) >= large": True,
        "off && (loose[0].name && large > 1)": False,
        '[for r in rules : r.name != "c" && (lookup(r, "days", 7) > 5 || can(r.days))]': [True, True, False],
        "large < 1 && loose[0].b > 1 && loose[0].b < 5 || off": False,
        '["x", 5][0] == "x" || (!off ? loose[1].size : true)': True,
    },
    "numbers in a list of unknown type": {
        'join("-", loose[0].c[0])': "1",
        "[length(loose[1].size), length(loose[0].c), length(loose[1])]": [3, 2, 2],
    },
    "looking up": {
        'lookup(policy, "maxAge", 60)': 3600,
        'lookup(policy, "minAge", 60)': 60,
        'lookup(policy, "on", false)': True,
        'lookup({ a = 1, b = "2" }, "b", "0")': "2",
        '[for r in hidden : lookup(r, "days", 7)]': [7, 5],
        '[for x in ["a", "b"] : lookup({ for k in ["a"] : k => 1 }, x, 0.5)]': [1, 0.5],
        '[for x in ["a", "b"] : lookup({ for k in ["a"] : k => 1... }, x, [0.5])]': [[1], [0.5]],
        '[for x in ["a", "b"] : lookup({ for k in ["a"] : k => [length(k), k] }, x, [0.5, "c"])]': [[1, "a"], [0.5, "c"]],
        '[for x in ["a", "b"] : lookup({ for k in ["a"] : k => 1 }, x, off ? null : 0.5)]': [1, 0.5],
        'lookup({ for k in ["a"] : k => secret(1) }, "b", 0.5) * 2': 1,
    },
    "arguments of try that do not fit": {
        "[for e in expiries : [for y in try(e.expiry, { days = 1 }) : y]]": [[1], [3]],
        "[for y in try(expiries[0].expiry, [1]) : y]": [1],
        'length(try(expiries[0].expiry, "abc"))': 3,
        "[for e in [{ v = [1], n = null }, { v = [2], n = [3] }] : -try(e.v, e.n, 7)]": [-7, -7],
        '[for e in expiries : "=${try(e.expiry, 5)}"]': ["=5", "=5"],
        "[for e in expiries : try(e.expiry, false) ? 1 : 2]": [2, 2],
    },
    "collections of nothing": {
        "[for x in nothing : x]": [],
        '{ for x in nothing : "k${x}" => x }': {},
        '{ for x in late : "k${x}" => x if x > 5 }': {},
        "[for x in late : { y = x } if x > 5]": [],
        "length(nothing)": 0,
    },
    "splats over what may be null": {
        "(off ? [1] : null)[*]": [],
        "[for e in expiries : e.expiry[*].days]": [[], [3]],
        "(off ? null : { size = 3 })[*].size": [3],
    },
    "indexes": {
        '["a", "b"]["1"]': "b",
        "[try([1][3], 4), can([1][0]), can([1][-1])]": [4, True, False],
        "try([1, 2][0.5], 3)": 3,
        "mixed[length(nothing)]": 1,
        "mixed[length(mixed)]": FAILS,
        "mixed[length(nothing) - 1]": FAILS,
    },
    "steps that may fail": {
        "try((off ? null : { size = 3 }).size, 1)": 3,
        "try((off ? { size = 3 } : null).size, 1)": 1,
        'try(1, "a")': 1,
        'try([][0], true, "x")': True,
        "[for e in expiries : e.expiry == null ? 0 : e.expiry.days]": [0, 3],
        "[for r in rules : can(r.days) ? r.days : 7]": [7, 5, None],
        "[for r in hidden : can(r.days) ? r.days * 2 : 7]": [7, 10],
    },
    "null in the branch where a condition says so": {
        "[for e in expiries : e.expiry == null ? e.expiry.days : 1]": FAILS,
        "[for e in expiries : !(e.expiry != null || off) ? e.expiry.days : 1]": FAILS,
        "[for e in expiries : e.expiry == null ? try(e.expiry.days, 2) : 1]": [2, 1],
        'mixed[0] == 1 ? (off ? small : null) : "a"': None,
        'off ? (off ? 0.5 : null) : "a"': "a",
    },
    "members that a condition has found": {
        "[for r in rules : can(r.days) && r.days != null ? r.days + 1 : 0]": [0, 6, 0],
        "[for e in expiries : e.expiry != null ? e.expiry.days + e.expiry.days : 0]": [0, 6],
        "[for e in [{ a = 1, b = null }, { a = null, b = 2 }] : e.a != null && e.a > 0 ? e.a * 2 : 0]": [2, 0],
        "[for e in [{ a = 1 }, { a = null }] : e.a == null || e.a > 5 ? 0 : [for i in range(2) : i + e.a][1]]": [2, 0],
        "[for e in [{ a = 1 }, { a = null }] : e.a == null ? 0 : try(e.a + 1, 7)]": [2, 0],
        "[for e in [{ a = secret(1) }, { a = secret(2) }] : !(e.a == null) ? e.a + 1 : 0]": [2, 3],
    },
    "conditionals with a branch that never fits": {
        "((can([][0]) ? (off ? [] : off) : true) ? 1 : 2)": 1,
        "((off ? true : [1]) ? 1 : 2)": FAILS,
        "(off ? (off ? 3 : true) : true) ? 1 : 2": 1,
        "(!off ? (!off ? 3 : true) : true) ? 1 : 2": FAILS,
        '"x${(off ? "null" : nothing)}"': FAILS,
        '"x${(!off ? "null" : nothing)}"': "xnull",
        '"x${(!off ? (!off ? 1 : [2]) : "a")}"': "x1",
        'split(",", (off ? "x" : rules[0]))': FAILS,
        'split(",", (!off ? "x" : rules[0]))': ["x"],
        "-(off ? 5 : (off ? null : 5))": -5,
        "-(off ? 5 : (!off ? [1] : (off ? null : 5)))": FAILS,
        "max(1, (off ? 2 : (off ? [1] : 3)))": 3,
        'join("-", off ? ["x"] : (off ? [null] : ["y"]))': "y",
        'join("-", !off ? (off ? [null] : ["y"]) : ["x"])': "y",
        "(off ? [1] : 5) * 2": 10,
        '!off ? try(off ? 1 : [2], 3) : "a"': [2],
        '!off ? (off ? 1 : [2]) : "a"': [2],
        '!off ? [for p in paired : p] : [true, []]': [None, "x"],
    },
    "branches that a constant condition never takes": {
        "false ? [for l in loose : [for m in l.name : m]] : 5": 5,
        "true ? loose[1].size : [for l in loose : [for m in l.name : m]]": "wéb",
        "(loose[0].b == null || true) ? [] : [for l in loose : [for m in l.name : m]]": [],
        "(loose[1].size == 1 && false) ? [for l in loose : [for m in l.name : m]][0] : loose[1].size": "wéb",
        '"b%{ if false }${join(",", [for l in loose : l.name])}%{ endif }"': "b",
    },
    "values of variables in branches where the other has text": {
        "off ? whole : switched": {"size": "true", "n": 2},
        "[(off ? whole : switched).size, (off ? whole : switched).n + 1]": ["true", 3],
        "[for w in [whole, switched] : (off ? whole : w).n * 2]": [3, 4],
        "{ a = (off ? whole : switched) }": {"a": {"size": "true", "n": 2}},
        "off ? lettered : numbered": [{"size": "5", "b": 1.5}, {"size": "1"}],
        "[for l in (off ? lettered : numbered) : l.size]": ["5", "1"],
        '[for u in numbered : off ? { size = "x" } : u]': [{"size": "5", "b": 1.5}, {"size": "1"}],
        "off ? pair : turned": ["b", "0.5", 2],
        "!off ? pair : turned": ["1", "a", True],
        '[for p in [pair, turned] : off ? ["x", "y", "z"] : p]': [["1", "a", "true"], ["b", "0.5", "2"]],
        "(!off ? { a = pair } : { a = turned }).a[0]": "1",
    },
    "look-ups of members that no value has": {
        'lookup({ a = (small > 1 ? [false] : [true, false]) }, "b", 1)': 1,
        'lookup({ a = singleOrNone(mixed) }, "b", 1)': FAILS,
        'lookup({ a = (large ? [1] : 2) }, "b", 1)': FAILS,
    },
    "look-ups in values of unknown type": {
        'lookup(loose[0], "name").b': None,
        'lookup(loose[element([1], 0)], "size", { x = 3 })': "wéb",
        '"x${lookup(loose[0].name, "a b", false)}"': "xfalse",
    },
    "equal operands in a row of conditions": {
        '(off || loose[0] == { a = 1 }) && (off || loose[0] == { a = 1 })': False,
        '(off || mixed == [{ a = "x" }]) ? 1 : 2': 2,
    },
    "conditions of loops over nothing": {
        '[for x in nothing : 1 if "yes${large}"]': [],
        '{ for x in nothing : "k${x}" => 1 if "yes${large}" }': {},
    },
    "numbers beyond 32 and 64 bits": {
        "large * 2": 18000000000,
        "large + large": 18000000000,
        "billions * billions + billions * billions": 18000000000000000000,
        "-(billions * billions) - billions * billions": -18000000000000000000,
        "billions * 1000 + billions * 1000 > billions": True,
        "toJSON(-(large - large))": "0",
                "small + small": 0.0000002,
        "-7 % 3": -1,
        "7 % (large - large)": FAILS,
        "7 / (small - small)": FAILS,
        "7 % 0": FAILS,
        "7 / 2": 3.5,
    },
    "texts that are no numbers or bools": {
        'mixed[1] == "two" ? 1 : 2': 1,
        '"${1}5" + 1': 16,
        '"${off}" || true': True,
        '"x${1}" + 1': FAILS,
        '(off ? "a" : (off ? 0.5 : null)) == null': True,
        '[off ? (off ? 0.5 : null) : "a", !off ? (off ? 0.5 : 2) : "a"]': ["a", "2"],
        "singleOrNone(off ? [for r in rules : r] : [0])": 0,
        '"${""}" + 1': FAILS,
        '!off && "yes${""}"': FAILS,
        'max(1, "${large}")': 9000000000,
    },
    "keys": {
        '{ "constructor" = 1, b = 2 }["constructor"]': 1,
        '[for r in rules : lookup(r, "constructor", 5)]': [5, 5, 5],
        'lookup(named, "toString", { x = 3 }).x': 3,
        '{ for k in ["constructor", "b"] : k => 1 }': {"constructor": 1, "b": 1},
        'length({ "toString" = 1, b = 2 })': 2,
        '[for k, v in { "toString" = 1, b = 2 } : k]': ["b", "toString"],
        "[for k in inherited : lookup({ a = 1, b = 2 }, k, 5)]": [5, 1, 5],
        '[for k in inherited : lookup({ a = 1, b = "x" }, k, null)]': [None, 1, None],
        "[for k in inherited : lookup(secret({ a = 1 }), k, 5)]": [5, 1, 5],
        '[for k in inherited : lookup({ for j in ["a"] : j => j }, k, "d")]': ["d", "a", "d"],
        "[for k in inherited : try({ a = 1, b = 2 }[k], 5)]": [5, 1, 5],
        "[for k in inherited : can(secret({ a = 1, b = [2] })[k])]": [False, True, False],
        "[for k in inherited : try(loose[0][k], loose[1][k], 5)]": [5, 5, 5],
        "[try(loose[0].constructor, 7), can(loose[0].valueOf)]": [7, False],
        "[for x in [{ a = 1 }, { constructor = 2 }] : can(x.constructor) ? 1 : try(x.constructor, 3)]": [3, 1],
        "{ for k in inherited : k => k... }": {"valueOf": ["valueOf"], "a": ["a"], "constructor": ["constructor"]},
        'toJSON({ "constructor" = 1 })': '{"constructor":1}',
    },
    "null that the program writes inside of a list or an object": {
        'off ? [1] : try(unlike[0].name, paired["a b"], { in = null })': {"tags": [], "b": None},
        'off ? [1] : try(unlike[0].name, ragged["a b"], { in = null })': {"tags": [], "b": None},
        "can(off) ? try(paired[0 + 0], unlike) : 1": None,
        "[for x in paired : try(paired[1], { uses = [{ size = null }, { size = true }] })]": ["x", "x"],
        '!off ? try(lookup({ size = "", "1" = { name = 10, uses = null } }, "1", true), off.name, []) : 1': {
            "name": 10,
            "uses": None,
        },
        'off ? singleOrNone([null, { name = "a" }, ["web"]]) : null': None,
        "!off ? singleOrNone([null]) : null": None,
        "[singleOrNone([off ? 1 : null])]": [None],
        "can(hidden[0].days) ? try(unlike[0].name, { days = null }) : [[{ name = null }], { in = null }]": [
            [{"name": None}],
            {"in": None},
        ],
    },
    "values of any type where TypeScript knows no type": {
        '[for x in split("é", loose[1].size) : "${x}."]': ["w.", "b."],
        'entries(split("é", loose[1].size))[1].value': "b",
        '[for k, x in split("é", loose[1].size) : x if k > 0]': ["b"],
        "element(loose, 1).size": "wéb",
        'join("-", element(element(loose, 0).c, 0))': "1",
        "try(loose[0][loose[1].size].name, 3)": 3,
    },
    "steps into what may be a text": {
        'try(loose[1].size["1"], 5)': 5,
        "try(loose[1].size[0], 5)": 5,
        "try(loose[1].size[0][0], 5)": 5,
        "[try(loose[1].size[0].in, 5), try(loose[0].c[0][0], 5)]": [5, 1],
        "[for x in [-1, 0] : try(loose[0].c[0][x], 5)]": [5, 1],
        "[for r in ragged : can(r[0])]": [True, False, False, False],
        '[for k in ["0", "a"] : try(ragged[1][k], ragged[3][k], 5)]': [5, None],
        'try(loose[0]["c"][0][0], 5)': 1,
        'try("x${loose[0].c[0][0]}", 5)': "x1",
    },
    "texts of what may be a list or an object": {
        '[for v in [true, ["a"]] : "=${v}"]': FAILS,
        '[for v in [true, ["a"], { b = 1 }, 0.5] : try("=${v}", "none")]': ["=true", "none", "none", "=0.5"],
        '[for k, v in secret({ a = true, b = [{ c = 1 }] }) : "${k}${v}"]': FAILS,
        'join("-", [true, { a = 1 }])': FAILS,
        'length("%{ for v in unlike[1] }${v}%{ endfor }")': 5,
    },
    "elements of one list or another": {
        "[element((off ? nothing : mixed), 1), element(!off ? bits : unlike, 4)]": ["two", 1],
        "[for n in bits : element((n == 1 ? mixed : rules), 0)]": [1, {"name": "a"}, {"name": "a"}, {"name": "a"}],
        "[for n in bits : element((n == 1 ? paired : rules), length(nothing))]": [None, {"name": "a"}, {"name": "a"}, {"name": "a"}],
        "[for n in late : element((n == 1 ? mixed : (off ? rules : steps)), n)]": ["two", {"in": {"v": 6, "w": "x"}}],
    },
    "null inside of one of unlike values": {
        "[{ a = steps[0], b = { c = 1 }, d = null }][*]": [{"a": {"in": None}, "b": {"c": 1}, "d": None}],
        "{ x = { uses = { size = [{ name = 1 }, { in = 2 }] }, in = null, size = { name = 5 } } }": {
            "x": {"uses": {"size": [{"name": 1}, {"in": 2}]}, "in": None, "size": {"name": 5}}
        },
        "try(ragged[5], unlike[0].name)": {"tags": [], "b": None},
        "[off ? ragged : unlike[0].name, can(off) ? unlike[0].name : ragged[0]]": [{"tags": [], "b": None}, {"tags": [], "b": None}],
    },
    "lists of lists and maps that are unlike deeper inside": {
        '[for m in [[{ a = "x", b = 1 }], [{ for k in ["a"] : k => 1 }]] : m]': [[{"a": "x", "b": 1}], [{"a": 1}]],
        '[for m in [[["x"]], [[1, null]]] : m[0]]': [["x"], [1, None]],
        '[[["x"]], [[1]]][length(nothing)]': [["x"]],
        'element([{ for k in ["a"] : k => k }, { a = 1, b = 5 }], length(mixed))': {"a": 1, "b": 5},
    },
    "loops whose condition never holds": {
        '[for k, r in loose : [for u in loose : u] if lookup({ name = "a", size = 1 }, "uses", false)]': [],
        '{ for r in loose : join("", [for u in loose : "a"]) => [for u in loose : u] if !try({ a = 1 }.b, true) }': {},
        '{ for r in loose : "k" => entries(r)... if !true && off }': {},
        '[for r in loose : r if off || (lookup({ a = 1 }, "b", false) && !off)]': [],
        "[for r in singleOrNone(loose) : [for u in loose : u] if lookup({ a = 1 }, \"b\", false)]": FAILS,
    },
    "zero without a sign": {
        '"x${-(large - large)}"': "x0",
        "toJSON([0 * -1, -(large - large)])": "[0,0]",
    },
    "unlike branches of which one is known later": {
        "singleOrNone(!off ? entries({ a = true }) : [for x in late : late])": {"key": "a", "value": True},
        "length(off ? entries({ a = true }) : [for x in late : late])": 2,
    },
    "keys that are no texts": {
        "try(loose[0][loose[0]].size, 3)": 3,
        'try(loose[0][off ? "x" : null].size, 3)': 3,
        "loose[0][paired].size": FAILS,
        "loose[0][loose[0]].size": FAILS,
        "element([5, 6], off)": FAILS,
    },
    "keys that are numbers and bools, of values of unknown type": {
        "[digits[true], digits[off == off], try(digits[off], 9)]": [5, 5, 9],
        "[try(digits[1], 9), can(digits[2])]": [7, False],
        "[for k in [0, 2] : try(digits[k], 9)]": [{"a": 1}, 9],
        "[try(flags[true], 9), can(flags[off]), try(loose[off].name, 9)]": [9, False, 9],
        "[for k in bits : try(flags[k], 9)]": [True, 9, 1, 9],
    },
    "maps without members": {
        '6 / lookup({ for x in [] : "a" => x }, "in", 3)': 2,
        '6 / lookup({ for x in [] : "x" => late[0 + 0] }, "in", 3)': 2,
        '{ for x in [] : "a" => x }.b': FAILS,
        'try({ for x in [] : "a" => x }["b"] + 1, 3)': 3,
        'try({ for x in [] : "a" => x }.b.c.d, 3)': 3,
    },
    "branches of which one has more members, or may be a number": {
        "!off ? entries({ a = 1 }) : (off ? [for x in nothing : {}] : 1)": [{"key": "a", "value": 1}],
        '!off ? [for x in bits : { a = 5, b = "x" }][0] : (off ? { a = 5 } : 1)': {"a": 5, "b": "x"},
        "!off ? mixed[length(nothing)] : (off ? 2 : [1])": 1,
        "off ? mixed[length(nothing)] : 5": 5,
        '!off ? { for k, x in bits : "k${k}" => 1 } : [{ name = "0.5" }, { name = true }][length(mixed) - 2]': {
            "k0": 1,
            "k1": 1,
            "k2": 1,
            "k3": 1,
        },
    },
    "steps into what is a list or an object": {
        "try(range(1, 4), {})[0]": 1,
        'try({ a = 1 }, [5])["a"]': 1,
    },
    "defaults of lookup that are like no element": {
        'lookup({ for x in mixed : "k${x}" => x }, "b", [off])': [False],
        'lookup({ for x in [1, "two"] : "k${x}" => x }, "b", off)': False,
        'lookup({ for x in [1, "two"] : "k" => x... }, "b", [off])': [False],
    },
    "one of unlike values as a number": {
        "[for i in range(2) : -[{ a = 1 }, { a = { b = 2 } }][i].a][0]": FAILS,
        "[for i in range(1) : -[{ a = 1 }, { a = { b = 2 } }][i].a][0]": -1,
        "rules[[{ a = 1 }, { a = { b = 2 } }][length(nothing)].a].name": "b",
        "rules[[{ a = [1] }, { a = 1 }][length(nothing)].a].name": FAILS,
        "max(min((off ? -3 : secret(mixed)[2]), 5), (off ? 1 : (!off ? 7 : secret(mixed)[2])), 2.5)": FAILS,
        "max(min((off ? -3 : secret(mixed)[0]), 5), (off ? 1 : (!off ? 7 : secret(mixed)[2])), 2.5)": 7,
    },
    "null that the default of typed configuration has inside": {
        "[for i in range(2) : try(holes[i], 5)]": [None, 1],
        "[optionals[length(nothing)].days, optionals[length(nothing) + 1].days]": [None, 5],
        "element(optionals, 0).name": "a",
    },
    "branches of which one is of unknown type": {
        "[for l in late : (l == 1 ? entries(loose[1]) : loose[0])][1].name.b": None,
        "(off ? [for l in late : [l]] : loose[0]).b": None,
        "(off ? [for l in bits : [l]] : loose[0]).name.b": None,
    },
    "lists of unlike objects, or null": {
        "boxed": [[{"name": "a"}, {}]],
        "boxed == null": False,
    },
    "maps that are unlike in the branches of a conditional": {
        'entries(!off ? { a = 1, in = [{ x = 1 }, { x = null }] } : { for k in ["b"] : k => [off] })': [
            {"key": "a", "value": 1},
            {"key": "in", "value": [{"x": 1}, {"x": None}]},
        ],
        'entries(!off ? { a = 1, b = "x" } : { for k in ["b"] : k => [off] })': [
            {"key": "a", "value": "1"},
            {"key": "b", "value": "x"},
        ],
        '[for k, v in (!off ? { a = 1, b = "x" } : { for k in ["b"] : k => [off] }) : v]': ["1", "x"],
        '{ for k, v in (!off ? { a = 1, b = "x" } : { for k in ["b"] : k => [off] }) : k => v }': {"a": "1", "b": "x"},
    },
}


UNSOLVED: Mapping[str, frozenset[str]] = {
    "go": frozenset({"[try(digits[1], 9), can(digits[2])]", "[for k in [0, 2] : try(digits[k], 9)]"}),  # numbers as keys
}
"""Expressions of `FOUND` that a language does not have the value of."""


def found_cases() -> list[tuple[str, Case, object]]:
    """Each expression of `FOUND` as a program of its own."""
    rows = [(about, text, expected) for about, group in FOUND.items() for text, expected in group.items()]
    return [(f"{about}: {expression}", program_of(number, expression), value) for number, (about, expression, value) in enumerate(rows)]


def program_of(number: int, expression: str) -> Case:
    """A program of the expression, and the sources that it uses."""
    used = [name for name in SOURCES if re.search(rf"\b{name}\b", expression)]
    for name in used:
        expression = re.sub(rf"\b{name}\b", f"{name}{number}", expression)
    sources = tuple(node(source_of(f"{name}{number}", name)) for name in used)
    return Case(number=number, sources=sources, output=node(expression))


def source_of(name: str, source: str) -> str:
    """The declaration of a source."""
    if source in CONFIGURED:
        return f"config {name} {CONFIGURED[source]} {{\n  default = {SOURCES[source]}\n}}"
    return f"{name} = {SOURCES[source]}"


@pytest.mark.parametrize("language", ["judge", "evaluator", "python", "typescript", "go"])
def test_what_was_found(language: str) -> None:
    titles, cases, values = zip(*found_cases(), strict=True)
    texts = [str(case) for case in cases]
    expected = [evaluated(text) for text in texts]
    match language:
        case "judge":
            answers = judged(texts, "-rows")
        case "evaluator":
            answers = expected
        case _:
            answers = answers_of(language, cases, expected)
    differing = {
        title: f"{answer}, expected {value}"
        for title, answer, value in zip(titles, answers, values, strict=True)
        if not is_expected(answer, value)
    }
    unsolved = {title for title in titles if title.partition(": ")[2] in UNSOLVED.get(language, ())}
    assert differing.keys() == unsolved, differing


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_try_gives_what_works_although_it_is_no_text(language: str) -> None:
    program = program_of(0, '"=${try([for x in late : [x]], hidden[1].days)}"')
    own = evaluated(str(program))
    assert own.result == FAILS
    assert answers_of(language, [program], [own])[0].result == FAILS


def test_a_setting_that_nothing_reads_is_not_read_in_go_before_a_loop_with_an_error_of_its_own() -> None:
    text = "\n".join(str(case(number)) for number in (911_000_628, 911_000_635, 911_000_639))
    made = pipeline.generate(program_in_memory("pool", {"main.pp": text}), languages=["go"], store=STORE)
    assert not [found for found in made.diagnostics if found.severity is Severity.ERROR]


def is_expected(answer: Answer, value: object) -> bool:
    """Whether an answer is a value, or a failure at `check` or at run time."""
    if value == FAILS:
        return answer.result in (FAILS, REFUSED)
    return isinstance(answer.result, Value) and same(answer.result.json, value)


@pytest.mark.parametrize(("label", "value"), [("any", FAILS), ("list(any)", Value(5))])
def test_a_text_indexes_lists_of_known_type_only(label: str, value: object) -> None:
    assert evaluated(f'config c "{label}" {{\n  default = [5]\n}}\noutput o {{\n  value = c["0"]\n}}\n').result == value


def test_parts_that_are_not_evaluated_do_not_fail_by_the_rows() -> None:
    text = 'm = { "1" = 100 }\nt = "-3"\noutput o {\n  value = [for x in m : 1 if (x <= x) || t]\n}\n'
    [verdict] = verdicts([text])
    assert (verdict.hcl.result, verdict.rows.result) == (FAILS, Value([1]))


def test_only_what_the_evaluator_fails_over_may_be_a_local_that_nothing_uses() -> None:
    text = "a = secret([1])\nb = a[a[0]]\noutput o {\n  value = 2\n}\n"
    [verdict] = verdicts([text])
    answers = [Answer(Value(2)), Answer(Value(3))]
    assert [compared(verdict, answer, text, evaluated(text)) for answer in answers] == [Class.ROW, Class.VALUE]
    assert compared(verdict, Answer(Value(2)), text, Answer(Value(2))) is Class.VALUE


ROWS = {
    'lookup({ for k, v in m : k => (m.a == 2 ? 1 : null) }, "a b", [])': REFUSED,
    'lookup({ for k, v in m : "a" => { for j, w in m : j => v } }, "b", true)': REFUSED,
    'lookup({ for k, v in m : "a" => [v] }, "b", {})': REFUSED,
    "try(nothing, false) || true": FAILS,
    'try(unknown.b, true) && false': FAILS,
    'try("=%{ if false }${texts}%{ else }n%{ endif }", "b")': Value("b"),
    "element([1, 2, m.a], m.a * 5000000000)": FAILS,
    'm.a == 2 ? ["a", try(["b", 1][m.a - 1], m), 5] : [false, "c"]': Value([False, "c"]),
    'm.a == 1 ? { n = 2.5, x = [] } : lookup((m.a ? { o = 1 } : { o = 2 }), "t", { n = "" })': Value({"n": "2.5", "x": []}),
}
"""What the evaluator answers on purpose, by a row of the table, although HCL has another value."""


@pytest.mark.parametrize("value", ROWS)
def test_the_comparison_knows_the_rows_of_the_table(value: str) -> None:
    declared = {"m": "any", "nothing": "any", "unknown": "any", "texts": "list(any)"}
    defaults = {"m": "{ a = 1 }", "nothing": "null", "unknown": "{ b = null }", "texts": "[]"}
    used = [name for name in declared if re.search(rf"\b{name}\b", value)]
    sources = [f'config {name} "{declared[name]}" {{\n  default = {defaults[name]}\n}}\n' for name in used if name != "m"]
    local = ["m = { a = 1 }\n"] if "m" in used else []
    text = "".join([*local, *sources]) + f"output o {{\n  value = {value}\n}}\n"
    [verdict] = verdicts([text])
    own = evaluated(text)
    assert own.result == ROWS[value]
    assert verdict.hcl.result not in (own.result, FAILS)
    assert compared(verdict, own, text, own) is Class.ROW
    other = Answer(Value("another"))
    assert compared(verdict, other, text, own) not in GOOD


def test_a_default_of_a_typed_map_that_does_not_fit_fails_in_hcl() -> None:
    text = 'config m "map(string)" {\n  default = { a = "x" }\n}\noutput o {\n  value = lookup(m, "a", m)\n}\n'
    assert judged([text])[0].result == FAILS


@pytest.mark.parametrize(
    ("value", "answer", "is_known"),
    [
        ("c[3]", None, True),
        ("[c[1] == null, [2]][0]", True, True),
        ("{ a = c[2] }", {"a": None}, True),
        ("c[0]", None, False),
        ("c[3].x", None, False),
        ("try(c[3], 5)", None, False),
        ('"x${c[3]}"', "xundefined", False),
    ],
)
def test_only_an_element_past_the_end_may_be_undefined_in_typescript(value: str, answer: object, is_known: bool) -> None:
    text = f'config c "list(number)" {{\n  default = [5]\n}}\noutput o {{\n  value = {value}\n}}\n'
    [verdict] = verdicts([text])
    found, own = Answer(Value(answer)), evaluated(text)
    assert (compared(verdict, found, text, own, "typescript") in GOOD) is is_known
    assert compared(verdict, found, text, own, "python") not in GOOD


def test_only_an_element_of_an_output_past_the_end_may_be_zero_in_go() -> None:
    for source, is_known in (('secret(["a"])', True), ('["a"]', False)):
        text = f"c = {source}\noutput o {{\n  value = c[length(c) + 0]\n}}\n"
        [verdict] = verdicts([text])
        own = evaluated(text)
        assert (compared(verdict, Answer(Value("")), text, own, "go") in GOOD) is is_known
        assert compared(verdict, Answer(Value("b")), text, own, "go") not in GOOD


JUDGED = frozenset(
    {"try", "can", "element", "join", "split", "max", "min", "range", "toJSON", "lookup", "length", "entries", "singleOrNone"}
    | {"toBase64", "secret", "unsecret"}
)
"""The functions that the judge has."""


def pure_programs(tree: ast.File) -> Iterator[tuple[list[str], str]]:
    """Each local and output that needs nothing but locals and defaults of configuration: what it needs, and its value.

    HCL has `optional` for members of objects only.
    """
    declared: dict[str, tuple[str, ast.Expr]] = {}
    wanted: list[ast.Expr] = []
    for item in tree.body.items:
        values = item.body.items if isinstance(item, ast.Block) else ()
        given = {one.name.text: one.value for one in values if isinstance(one, ast.Attribute)}
        match item:
            case ast.Attribute(name=name, value=value):
                declared[name.text] = (item.span.text, value)
                wanted.append(value)
            case ast.Block(type=ast.Name(text="config"), labels=(label, *_)) if "default" in given and "(optional(" not in item.head.text:
                declared[label.text] = (item.span.text, given["default"])
            case ast.Block(type=ast.Name(text="output")) if "value" in given:
                wanted.append(given["value"])
            case _:
                pass
    for value in wanted:
        needed = pure_parts(value, declared)
        if needed is not None:
            yield [declared[name][0] for name in needed], value.span.text


def pure_parts(value: ast.Expr, declared: Mapping[str, tuple[str, ast.Expr]]) -> list[str] | None:
    """The declarations that a value needs; None when it needs something else."""
    needed: dict[str, None] = {}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        names = [name for name, _ in free_names(one)]
        called = {node.name.text for node in walk(one) if isinstance(node, ast.Call)}
        if not called <= JUDGED or not declared.keys() >= set(names):
            return None
        waiting += [declared[name][1] for name in names if name not in needed]
        needed.update(dict.fromkeys(names))
    return list(needed)


@cache
def pure_cases() -> list[Case]:
    """The pure programs of the examples and the corpora."""
    folders = [*sorted((ROOT / "examples").iterdir()), *program_directories("field"), *program_directories("codegen")]
    files = [file for folder in folders if folder.is_dir() for file in sorted(folder.glob("*.pp"))]
    trees = [parse_file(SourceFile(file.name, file.read_text("utf-8")), DiagnosticBag()) for file in files]
    found = [program for tree in trees for program in pure_programs(tree)]
    return [
        Case(number=number, sources=tuple(map(plain_text, needed)), output=plain_text(value))
        for number, (needed, value) in enumerate(found)
    ]


@pytest.mark.parametrize("language", ["evaluator", "python", "typescript", "go"])
def test_pure_values_of_the_corpora_are_those_of_hcl(language: str) -> None:
    cases = pure_cases()
    assert cases
    texts = [str(one) for one in cases]
    expected = [evaluated(text) for text in texts]
    answers = expected if language == "evaluator" else answers_of(language, cases, expected, together=1, types=False)
    differing = [
        f"{text}\njudge: {verdict}\n{language}: {answer}"
        for verdict, answer, text, own in zip(verdicts(texts), answers, texts, expected, strict=True)
        if compared(verdict, answer, text, own, language) not in GOOD
    ]
    assert not differing, "\n\n".join(differing)
