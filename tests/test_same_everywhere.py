"""One meaning in three languages: programs whose computations differ by nature between Python, TypeScript and Go.

Each program is generated and run in every language, all in one process per language; the results are those of PCL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from pclgen.diagnostics.model import Severity
from pclgen.evaluate.settings import ConfigValue
from tests.support.evaluation import evaluate
from tests.support.everywhere import LANGUAGES, Outcome, run_everywhere
from tests.support.rules import for_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program, its config, and its outputs."""

    text: str
    exports: Mapping[str, object]
    config: Mapping[str, str] = field(default_factory=dict)


CASES: Mapping[str, Case] = {
    "an index outside is no value of an attempt": Case(
        text="""
        config names "list(string)" {}
        config at int {}
        output o { value = [try(names[at], "none"), try(names[at + 3], "none"), can(names[at]), names[at + 1]] }
        """,
        config={"names": '["a", "b"]', "at": "-1"},
        exports={"o": ["none", "none", False, "a"]},
    ),
    "an element of unlike objects has its own members only": Case(
        text="""
        resource a "probe:index:Thing" { out = "x" }
        plain = [{ s = "p" }, { s = "q", n = "z" }]
        later = [{ s = a.out }, { s = "b", n = "z" }]
        resource t "probe:index:Thing" { tags = plain[0] }
        resource u "probe:index:Thing" { tags = plain[1] }
        resource v "probe:index:Thing" { tags = later[0] }
        resource w "probe:index:Thing" { tags = later[1] }
        output o { value = [t.tags, u.tags, v.tags, w.tags] }
        """,
        exports={"o": [{"s": "p"}, {"s": "q", "n": "z"}, {"s": "x"}, {"s": "b", "n": "z"}]},
    ),
    "a member that is not set is no failure of an attempt": Case(
        text="""
        config hosts "list(object({ name = optional(string), inner = optional(object({ port = optional(int) })) }))" {}
        output o { value = [try(hosts[0].name, "none"), can(hosts[0].name), try(hosts[0].inner.port, 1), try(hosts[1].name, 2)] }
        output p { value = [try(hosts[1].inner.port, 3), can(hosts[1].inner.port), can(hosts[0].inner.port), can(hosts[2].name)] }
        """,
        config={"hosts": '[{}, {"inner": {}}]'},
        exports={"o": [None, True, 1, None], "p": [None, True, False, False]},
    ),
    "values of an object with a computed key keep their types": Case(
        text="""
        config name string {}
        config n int {}
        made = { (name) = "a", count = n, on = true }
        config sizes "map(object({ size = string, count = int }))" {}
        resource t "probe:index:Thing" { any = { (name) = [1], b = ["x"] } }
        output o { value = [made, toJSON(made), [for k, v in sizes : { (k) = v.size, count = v.count }], t.any] }
        """,
        config={"name": "x", "n": "3", "sizes": '{"k": {"size": "s", "count": 2}}'},
        exports={
            "o": [
                {"x": "a", "count": 3, "on": True},
                '{"count":3,"on":true,"x":"a"}',
                [{"k": "s", "count": 2}],
                {"x": [1], "b": ["x"]},
            ]
        },
    ),
    "null in a map of inputs is left out": Case(
        text="""
        config name string {}
        resource t "probe:index:Thing" { tags = { gone = null, kept = name, (name) = null } }
        resource u "probe:index:Thing" { tags = { gone = null } }
        output o { value = [t.tags, u.tags] }
        """,
        config={"name": "n"},
        exports={"o": [{"kept": "n"}, {}]},
    ),
    "remainders have the sign of the dividend": Case(
        text="""
        config n int {}
        config m number {}
        resource t "probe:index:Thing" { int = n }
        output whole { value = [n % 3, n % -3, 7 % -3, -7 % 3] }
        output broken { value = [m % 2, 7.5 % -2] }
        output known_later { value = [t.int % 3, secret(m) % 2] }
        output tested { value = [n % 7 == 0, n % 2 == 0] }
        output counted { value = [for i, x in ["a", "b", "c"] : i % 2] }
        """,
        config={"n": "-7", "m": "-7.5"},
        exports={
            "whole": [-1, -1, 1, -1],
            "broken": [-1.5, 1.5],
            "known_later": [-1, -1.5],
            "tested": [True, False],
            "counted": [0, 1, 0],
        },
    ),
    "division gives fractions": Case(
        text="""
        config n int {}
        output o { value = [n / 2, 6 / n, n / 7 * 2, -n / 2 + 1] }
        """,
        config={"n": "7"},
        exports={"o": [3.5, 6 / 7, 2, -2.5]},
    ),
    "lists that are expanded": Case(
        text="""
        config numbers "list(number)" {}
        config words "list(string)" {}
        pair = ["+", ["p", "q"]]
        output most { value = [max(numbers...), min(2, numbers...), max([3, 9]...)] }
        output cut { value = split(words...) }
        output joined { value = join(pair...) }
        output first { value = try(words..., "none") == words[0] }
        """.replace('try(words..., "none")', "try(words...)"),
        config={"numbers": "[1.5, 8, -2]", "words": '["-", "a-b"]'},
        exports={"most": [8, -2, 9], "cut": ["a", "b"], "joined": "p+q", "first": True},
    ),
    "what may be of several types prints as what it is": Case(
        text="""
        config any {}
        resource t "probe:index:Thing" {
          maybe = "L"
          int   = 7
        }
        mixed = { number = t.int, text = t.maybe }
        output known { value = "v${any.big}-${any.word}-${any.flag}" }
        output later { value = { for k, v in mixed : k => "x${v}" } }
        """,
        config={"any": '{"big": 12000000, "word": "w", "flag": true}'},
        exports={"known": "v12000000-w-true", "later": {"number": "x7", "text": "xL"}},
    ),
    "maps are visited by key": Case(
        text="""
        config m "map(int)" {}
        config any {}
        resource t "probe:index:Thing" {
          options { range = m }
          int = range.value
        }
        output keys { value = [for k, v in m : k] }
        output values { value = [for v in m : v] }
        output literal { value = [for k, v in { b = 1, "a b" = 2, a = 3, Z = 4, "10" = 5, "9" = 6 } : k] }
        output untyped { value = [for k, v in any : "${k}"] }
        output entries { value = [for e in entries(m) : e.key] }
        output made { value = [for k, r in t : r.int] }
        """,
        config={"m": '{"b": 1, "a b": 2, "a": 3, "Z": 4, "10": 5, "9": 6}', "any": '{"y": 1, "x": 2}'},
        exports={
            "keys": ["10", "9", "Z", "a", "a b", "b"],
            "values": [5, 6, 4, 3, 2, 1],
            "literal": ["10", "9", "Z", "a", "a b", "b"],
            "untyped": ["x", "y"],
            "entries": ["10", "9", "Z", "a", "a b", "b"],
            "made": [5, 6, 4, 3, 2, 1],
        },
    ),
    "sets are the lists that they are given as": Case(
        text="""
        config s "set(string)" { default = ["y", "x", "y"] }
        config given "set(string)" {}
        config inner "map(set(number))" { default = { a = [2, 1] } }
        output same { value = [s, given, inner.a] }
        output loops { value = [for i, x in given : "${i}${x}"] }
        output picked { value = [for x in s : x if x != "x"] }
        output counts { value = [length(s), length(given), length(inner.a)] }
        output one { value = [s[0], element(given, 1), join("-", s)] }
        """,
        config={"given": '["c", "a", "b"]'},
        exports={
            "same": [["y", "x", "y"], ["c", "a", "b"], [2, 1]],
            "loops": ["0c", "1a", "2b"],
            "picked": ["y", "y"],
            "counts": [3, 3, 2],
            "one": ["y", "a", "y-x-y"],
        },
    ),
    "keys of ranges": Case(
        text="""
        config names "list(string)" {}
        config any {}
        resource l "probe:index:Thing" {
          options { range = names }
          out = "${range.key}:${range.value}"
        }
        resource d "probe:index:Thing" {
          options { range = any }
          out = "${range.key}:${range.value}"
        }
        resource n "probe:index:Thing" {
          options { range = 2 }
          out = "${range.key}:${range.value}"
        }
        output o { value = [l[1].out, [for r in d : r.out], n[*].out] }
        """,
        config={"names": '["a", "b"]', "any": '{"k": "v", "j": "w"}'},
        exports={"o": ["1:b", ["j:w", "k:v"], ["0:0", "1:1"]]},
    ),
    "lengths": Case(
        text="""
        config crlf string {}
        output o { value = [length("\\r\\n"), length("${crlf}x"), length("🏻x"), length("👩🏽‍🚀"), length("🇨🇭🇫🇷"), length("e\\u0301"), length("")] }
        """,
        config={"crlf": "\r\n\r\n"},
        exports={"o": [1, 3, 2, 1, 2, 1, 0]},
    ),
    "numbers as text": Case(
        text="""
        config n number {}
        config big number {}
        config i int {}
        resource t "probe:index:Thing" { num = n }
        output o { value = ["${n}|${big}|${i}", "=${n + 0.1 + 0.2}", "=${n * 2}", "=${i / 2}", "${100.0}|${1.50}"] }
        output p { value = "${t.num}|${secret(big)}" }
        """,
        config={"n": "0.50", "big": "1e20", "i": "-3"},
        exports={
            "o": ["0.5|100000000000000000000|-3", "=0.8", "=1", "=-1.5", "100|1.5"],
            "p": "0.5|100000000000000000000",
        },
    ),
    "attempts at members that are not there": Case(
        text="""
        config any {}
        config m "map(string)" {}
        config l "list(int)" {}
        resource t "probe:index:Thing" {}
        output o {
          value = [
            try(any.a.b, "x"), try(any.a.c, "x"), try(any.z.b, any.a.b, "x"), can(any.a.b), can(any.a.c), can(any.q.r.s),
            try(m.k, "x"), try(m["none"], "x"), can(m.none), try(l[5], l[0], 9), can(l[1]), try(element(l, 7), 3),
            try(t.names[9], "late"), can(t.names[0])
          ]
        }
        """,
        config={"any": '{"a": {"b": 7}}', "m": '{"k": "v"}', "l": "[4]"},
        exports={"o": [7, "x", 7, True, False, False, "v", "x", False, 4, False, 4, "late", True]},
    ),
    "lookups keep what is there": Case(
        text="""
        config m "map(int)" {}
        config s "map(string)" {}
        config b "map(bool)" {}
        output o { value = [lookup(m, "zero", 5), lookup(m, "none", 5), lookup(s, "e", "d"), lookup(b, "f", true)] }
        """,
        config={"m": '{"zero": 0}', "s": '{"e": ""}', "b": '{"f": false}'},
        exports={"o": [0, 5, "", False]},
    ),
    "steps that may lead nowhere": Case(
        text="""
        config m "map(string)" {}
        config k string {}
        config ks "list(string)" {}
        sizes = { dev = "small", prod = "large" }
        output tried { value = [try(m[k], "none"), try(m.zzz, "none"), try(sizes[k], "none"), try(m.a, "none")] }
        output can { value = [can(m[k]), can(m.a), can(sizes[k])] }
        output there { value = [m.a, m["a"], sizes["dev"]] }
        output looped { value = [for key in ks : "${m[key]}-${sizes.dev}"] }
        output chosen { value = can(m[k]) ? m[k] : "other" }
        """,
        config={"m": '{"a": "x", "b": ""}', "k": "zzz", "ks": '["a", "b"]'},
        exports={
            "tried": ["none", "none", "none", "x"],
            "can": [False, True, False],
            "there": ["x", "x", "small"],
            "looped": ["x-small", "-small"],
            "chosen": "other",
        },
    ),
    "lookups that may find nothing": Case(
        text="""
        config m "map(string)" {}
        config n "map(int)" {}
        config ls "map(list(string))" {}
        config any {}
        config k string {}
        config unset string {
          nullable = true
          default  = null
        }
        resource t "probe:index:Thing" {
          label = lookup(m, k, null)
          int   = lookup(n, k, null)
        }
        output found { value = [for k in ["a", "z"] : [lookup(m, k, null), lookup(n, k, null), lookup(any, k, null)]] }
        output lists { value = [lookup(ls, "a", null), lookup(ls, k, null)] }
        output compared { value = [lookup(m, k, null) == null, lookup(n, k, null) == null ? 7 : 8, lookup(ls, k, null) == null] }
        output otherwise { value = [lookup(m, k, unset), lookup(m, "a", unset), lookup({ a = { b = 1 } }, k, null) == null] }
        output attempted { value = [try(lookup(m, k), "none"), try(lookup(any, k), "none"), try(lookup(m, "a"), "none")] }
        output later { value = [try(t.tags.x, null), try(t.tags["x"], null) == null, try(t.maybe, null) == null] }
        """,
        config={"m": '{"a": "x"}', "n": '{"a": 0}', "ls": '{"a": ["y"]}', "any": '{"a": 1}', "k": "z"},
        exports={
            "found": [["x", 0, 1], [None, None, None]],
            "lists": [["y"], None],
            "compared": [True, 7, True],
            "otherwise": [None, "x", True],
            "attempted": ["none", "none", "x"],
            "later": [None, True, True],
        },
    ),
    "lookups find null": Case(
        text="""
        config any {}
        config k string {}
        output o { value = [lookup(any, "n", "d"), lookup(any, k, "d"), lookup(any, "z", "d")] }
        """,
        config={"any": '{"a": 1, "n": null}', "k": "n"},
        exports={"o": [None, None, "d"]},
    ),
    "elements wrap around": Case(
        text="""
        config l "list(string)" {}
        config i int {}
        resource t "probe:index:Thing" {}
        output o { value = [element(l, i), element(l, 0), element(l, 2), element(["x", "y"], i), element(t.names, 3)] }
        """,
        config={"l": '["a", "b"]', "i": "5"},
        exports={"o": ["b", "a", "a", "y", "y"]},
    ),
    "JSON": Case(
        text="""
        config n number {}
        config i int {}
        resource t "probe:index:Thing" {}
        output plain { value = toJSON({ b = n, a = [i, true, null, 1.0, 1e21], c = "<é\\u2028&\\"\\\\>", d = {} }) }
        output later { value = toJSON({ n = t.flag, s = [t.out, n], t = "${t.out}<>" }) }
        """,
        config={"n": "2.0", "i": "3"},
        exports={
            "plain": '{"a":[3,true,null,1,1e+21],"b":2,"c":"<é\u2028&\\"\\\\>","d":{}}',
            "later": '{"n":true,"s":["out",2],"t":"out<>"}',
        },
    ),
    "equality looks into lists and objects": Case(
        text="""
        config xs "list(string)" {}
        config ns "list(number)" {}
        config m "map(int)" {}
        config any {}
        resource t "probe:index:Thing" {}
        none = [for x in xs : x if x == "nope"]
        output lists { value = [xs == ["a"], xs != [], none == [], none == xs, ns == [1], [xs] == [["a"]], xs == "a"] }
        output objects { value = [m == { a = 1 }, {} != m, m == { b = 1 }, { a = xs } == { a = ["a"] }] }
        output untyped { value = [any == { a = 1, b = ["q"] }, any.b == ["q"], any.a == 1, any == xs, any == any] }
        output later { value = [[t.out] == [t.out], [t.out, "x"] == ["x", t.out]] }
        """,
        config={"xs": '["a"]', "ns": "[1]", "m": '{"a": 1}', "any": '{"a": 1, "b": ["q"]}'},
        exports={
            "lists": [True, True, True, False, True, True, False],
            "objects": [True, True, False, True],
            "untyped": [True, True, True, False, True],
            "later": [True, False],
        },
    ),
    "constants and what is known of a value are compared": Case(
        text="""
        config env string {}
        config flag bool {}
        on = true
        off = !on
        n = 3
        output bools { value = [on != off, !on == (on && flag), flag ? flag == false : true, !true == on] }
        output others { value = [n == -n, -1 == -2, (on ? "a" : "b") == "c", n == "3"] }
        output narrowed { value = env == "p" ? (env == "q" ? 1 : 2) : env == "q" ? 3 : 4 }
        output filtered { value = [for x in ["a", "b"] : x == "b" ? 1 : 2 if x == "a"] }
        """,
        config={"env": "p", "flag": "true"},
        exports={
            "bools": [True, False, False, False],
            "others": [False, False, False, False],
            "narrowed": 2,
            "filtered": [2],
        },
    ),
    "elements are counted around in both directions": Case(
        text="""
        config xs "list(string)" {}
        config i int {}
        output o { value = [element(xs, -1), element(xs, i), element(xs, 5), element(["p", "q", "r"], -4)] }
        output p { value = [for at in range(4) : element(xs, at - 3)] }
        """,
        config={"xs": '["a", "b"]', "i": "-3"},
        exports={"o": ["b", "b", "b", "r"], "p": ["b", "a", "b", "a"]},
    ),
    "keys that a run shows to differ": Case(
        text="""
        config xs "list(string)" {}
        config m "map(string)" {}
        output o { value = { for x in xs : "k-${x}" => x } }
        output p { value = { for k, v in m : v => k } }
        """,
        config={"xs": '["a", "b"]', "m": '{"a": "x", "b": "y"}'},
        exports={"o": {"k-a": "a", "k-b": "b"}, "p": {"x": "a", "y": "b"}},
    ),
    "ints that come from numbers": Case(
        text="""
        config total int {}
        config n number {}
        config ns "list(number)" {}
        config xs "list(string)" {}
        resource t "probe:index:Thing" { num = n }
        resource made "probe:index:Thing" {
          options { range = total / 2 }
          int = range.value * n
        }
        output o { value = [length(range(total / 2)), xs[total / 4], element(xs, n), xs[t.num - n], length(made)] }
        output half int { value = total / 2 }
        output constant int { value = 7 / 2 * 2 }
        output tried { value = [for x in ns : try(element(["whole"], x / 2), "broken")] }
        """,
        config={"total": "4", "n": "2.0", "ns": "[0, 1, 2, 2.5, -4, -3, 0.5]", "xs": '["a", "b", "c"]'},
        exports={
            "o": [2, "b", "c", "a", 2],
            "half": 2,
            "constant": 7,
            "tried": ["whole", "broken", "whole", "broken", "whole", "broken", "broken"],
        },
    ),
    "equality has no conversions": Case(
        text="""
        config s string {}
        config i int {}
        config n number {}
        output o { value = [i == n, s == "1", i == 1, true == (i == 1), s == null, [1, 2][0] == i] }
        """,
        config={"s": "1", "i": "1", "n": "1"},
        exports={"o": [True, True, True, True, False, True]},
    ),
    "ints from any whole numbers and texts of ints": Case(
        text="""
        config word string {}
        resource t "probe:index:Thing" { any = "24" }
        resource u "probe:index:Thing" { any = 7 }
        resource v "probe:index:Thing" { int = t.any }
        output a { value = [v.int, ["a", "b"][u.any - 6]] }
        output b int { value = u.any }
        output c int { value = word }
        """,
        config={"word": "-3"},
        exports={"a": [24, "b"], "b": 7, "c": -3},
    ),
    "members of objects with outputs that only the program chooses": Case(
        text="""
        config paths "list(string)" {}
        resource t "probe:index:Thing" {
          maybe = "m"
          int = 3
          num = 1.5
        }
        same    = { a = t.num, b = t.num }
        mixed   = { a = t.num, b = t.int }
        missing = { a = "x", b = t.maybe }
        numbers = { a = "x", b = t.int }
        plain   = { a = t.int, b = 4 }
        objects = { a = { x = "o" }, b = { x = t.maybe } }
        local   = { a = "1", b = "2" }
        listed  = [t.int, t.num]
        output o1 { value = { for p in paths : p => { x = same[p], y = local[p] } } }
        output o2 { value = { for p in paths : p => { x = mixed[p], y = local[p] } } }
        output o3 { value = [for p in paths : missing[p]] }
        output o5 { value = [for p in paths : plain[p] + 1] }
        output o6 { value = [for p in paths : objects[p].x] }
        output o7 { value = [for p in paths : "${p}-${numbers[p]}"] }
        output o8 { value = mixed[paths[1]] * 2 }
        output o9 { value = [for i, p in paths : listed[i]] }
        resource u "probe:index:Thing" {
          maybe = missing[paths[1]]
          int   = plain[paths[0]]
        }
        output o10 { value = [u.maybe, u.int] }
        """,
        config={"paths": '["a", "b"]'},
        exports={
            "o1": {"a": {"x": 1.5, "y": "1"}, "b": {"x": 1.5, "y": "2"}},
            "o2": {"a": {"x": 1.5, "y": "1"}, "b": {"x": 3, "y": "2"}},
            "o3": ["x", "m"],
            "o5": [4, 5],
            "o6": ["o", "m"],
            "o7": ["a-x", "b-3"],
            "o8": 6,
            "o9": [3, 1.5],
            "o10": ["m", 3],
        },
    ),
}


FAILING: Mapping[str, Case] = {
    "equal keys": Case(
        text='config xs "list(string)" {}\noutput o { value = { for x in xs : x => 1 } }',
        config={"xs": '["a", "b", "a"]'},
        exports={"error": "key"},
    ),
    "equal keys of values of a map": Case(
        text='config m "map(string)" {}\noutput o { value = { for k, v in m : "${v}" => k } }',
        config={"m": '{"a": "x", "b": "x"}'},
        exports={"error": "key"},
    ),
    "an int from a division that is not whole": Case(
        text="""
        config total int {}
        resource t "probe:index:Thing" { int = total / 2 }
        """,
        config={"total": "7"},
        exports={"error": "whole"},
    ),
    "an int from a number that is not whole": Case(
        text="""
        config n number {}
        output o int { value = n }
        """,
        config={"n": "1e-7"},
        exports={"error": "1e-7"},
    ),
    "a range over a number that is not whole": Case(
        text="""
        config n number {}
        resource t "probe:index:Thing" {
          options { range = n }
        }
        """,
        config={"n": "1.5"},
        exports={"error": "1.5"},
    ),
    "an int from a number that is not whole and has another use": Case(
        text="""
        config n number {}
        output o int { value = n }
        output p { value = n }
        """,
        config={"n": "1e-7"},
        exports={"error": "whole"},
    ),
    "a range over a number that is not whole and has another use": Case(
        text="""
        config n number {}
        resource t "probe:index:Thing" {
          options { range = n }
        }
        output p { value = n }
        """,
        config={"n": "1.5"},
        exports={"error": "whole"},
    ),
    "an int from a text that says another number": Case(
        text="""
        config word string {}
        resource t "probe:index:Thing" { int = word }
        """,
        config={"word": "3.5"},
        exports={"error": "3.5"},
    ),
    "an int from a text with a fraction, be it zero": Case(
        text="""
        config word string {}
        resource t "probe:index:Thing" { int = word }
        """,
        config={"word": "24.0"},
        exports={"error": "24.0"},
    ),
    "an int from an empty text": Case(
        text="""
        config word string {}
        resource t "probe:index:Thing" { int = word }
        """,
        config={"word": ""},
        exports={"error": ""},
    ),
    "an int from any number that is not whole": Case(
        text="""
        resource t "probe:index:Thing" { any = 3.5 }
        output o int { value = t.any }
        """,
        exports={"error": ""},
    ),
    "an int from any text with a fraction": Case(
        text="""
        resource t "probe:index:Thing" { any = "24.0" }
        output o int { value = t.any }
        """,
        exports={"error": ""},
    ),
    "a step to a key that is missing": Case(
        text="""
        config m "map(string)" {}
        output o { value = "x-${m.zzz}" }
        """,
        config={"m": '{"a": "x"}'},
        exports={"error": "zzz"},
    ),
    "a step to a chosen key that is missing, in a loop": Case(
        text="""
        config m "map(int)" {}
        config ks "list(string)" {}
        output o { value = [for k in ks : m[k]] }
        """,
        config={"m": '{"a": 1}', "ks": '["a", "zzz"]'},
        exports={"error": "zzz"},
    ),
    "a step to a chosen member of an object that it lacks": Case(
        text="""
        sizes = { dev = "small", prod = "large" }
        config k string {}
        output o { value = sizes[k] }
        """,
        config={"k": "zzz"},
        exports={"error": "zzz"},
    ),
    "a step to a key that is known later and missing": Case(
        text="""
        config m "map(string)" {}
        resource t "probe:index:Thing" {}
        output o { value = m[t.out] }
        """,
        config={"m": '{"a": "x"}'},
        exports={"error": "out"},
    ),
    "a lookup of a key that is missing": Case(
        text="""
        config m "map(string)" {}
        config k string {}
        output o { value = lookup(m, k) }
        """,
        config={"m": '{"a": "x"}', "k": "zzz"},
        exports={"error": "zzz"},
    ),
    "an index before the beginning": Case(
        text="""
        config names "list(string)" {}
        config at int {}
        output o { value = names[at] }
        """,
        config={"names": '["a", "b"]', "at": "-1"},
        exports={"error": "out of range"},
    ),
    "an index past the end": Case(
        text="""
        config names "list(string)" {}
        config at int {}
        output o { value = names[at] }
        """,
        config={"names": '["a", "b"]', "at": "2"},
        exports={"error": "out of range"},
    ),
    "the number of a resource past the end": Case(
        text="""
        config names "list(string)" {}
        resource t "probe:index:Thing" {
          options { range = 3 }
          label = names[range.value]
        }
        """,
        config={"names": '["a", "b"]'},
        exports={"error": "out of range"},
    ),
    "a lookup in any of a key that is missing": Case(
        text="""
        config any {}
        output o { value = lookup(any, "zzz") }
        """,
        config={"any": '{"a": 1}'},
        exports={"error": "zzz"},
    ),
    "an int from any bool": Case(
        text="""
        resource t "probe:index:Thing" { any = true }
        output o int { value = t.any }
        """,
        exports={"error": ""},
    ),
}
"""Programs that fail in the evaluator and in every language, with a word of the message in the languages."""

UNCHECKED = {
    ("typescript", "an int from a number that is not whole"),
    ("typescript", "a range over a number that is not whole"),
    ("typescript", "an int from a number that is not whole and has another use"),
    ("typescript", "a range over a number that is not whole and has another use"),
    ("typescript", "an int from any number that is not whole"),
    ("typescript", "an int from any text with a fraction"),
}
"""Programs that do not fail: TypeScript has one type for all numbers, and a language's own conversion applies to values of
any type."""

ALL = {**CASES, **FAILING}


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], Outcome]:
    """The outcome of each program, by language and name."""
    return run_everywhere(ALL, canonical_json=True)


@for_all("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_the_same_comes_out(outcomes: dict[tuple[str, str], Outcome], name: str, language: str) -> None:
    assert outcomes[language, name].error == ""
    text = json.dumps(outcomes[language, name].exports)
    if language == "typescript":  # its stand-in names the outputs of resources after these
        text = text.replace('"t-out', '"out')
    assert json.loads(text) == CASES[name].exports


@for_all("language", LANGUAGES)
@pytest.mark.parametrize("name", FAILING)
def test_the_same_fails(outcomes: dict[tuple[str, str], Outcome], name: str, language: str) -> None:
    error = outcomes[language, name].error
    if (language, name) in UNCHECKED:
        assert error == ""
        return
    assert error and str(FAILING[name].exports["error"]) in error


@pytest.mark.parametrize("name", FAILING)
def test_the_evaluator_fails_as_well(name: str) -> None:
    result = evaluate(FAILING[name].text, config={key: ConfigValue(value) for key, value in FAILING[name].config.items()})
    assert [d.severity for d in result.diagnostics if d.severity is Severity.ERROR] == [Severity.ERROR]
