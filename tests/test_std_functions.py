"""The functions of the package `std`: their results follow Terraform's documentation, and the list is complete."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.evaluate.models import Deployment, EchoModel, FunctionRequest, ProviderFailureError
from pclgen.evaluate.std import arguments
from pclgen.evaluate.std.arguments import StdFailureError
from pclgen.evaluate.std.table import FUNCTIONS, LEFT_OUT, compute
from pclgen.stdlib import values
from pclgen.trace.model import Properties, PropertyValue, Secret
from tests.support.corpus import CORPUS, needs_corpus
from tests.support.evaluation import Answers

ROWS: list[tuple[str, Mapping[str, PropertyValue], PropertyValue]] = [
    ("abs", {"input": -12.4}, 12.4),
    ("alltrue", {"input": ("true", True)}, True),
    ("alltrue", {"input": (True, False)}, False),
    ("anytrue", {"input": ("true", False)}, True),
    ("anytrue", {"input": ()}, False),
    ("base64decode", {"input": "SGVsbG8gV29ybGQ="}, "Hello World"),
    ("base64encode", {"input": "Hello World"}, "SGVsbG8gV29ybGQ="),
    ("base64sha256", {"input": "hello world"}, "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="),
    (
        "base64sha512",
        {"input": "hello world"},
        "MJ7MSJwS1utMxA9QyQLytNDtd+5RGnx6m808qG1M2G+YndNbxf9JlnDaNCVbRbDP2DDoH2Bdz33FVC6TrpzXbw==",
    ),
    ("basename", {"input": "foo/bar/baz.txt"}, "baz.txt"),
    ("basename", {"input": ""}, "."),
    ("ceil", {"input": 5.1}, 6),
    ("chomp", {"input": "hello\r\n\n"}, "hello"),
    ("chunklist", {"input": ("a", "b", "c", "d", "e"), "size": 2}, (("a", "b"), ("c", "d"), ("e",))),
    ("cidrhost", {"input": "10.12.112.0/20", "host": 16}, "10.12.112.16"),
    ("cidrhost", {"input": "10.0.0.0/8", "host": -2}, "10.255.255.254"),
    ("cidrhost", {"input": "fd00:fd12:3456:7890:00a2::/72", "host": 34}, "fd00:fd12:3456:7890::22"),
    ("cidrnetmask", {"input": "172.16.0.0/12"}, "255.240.0.0"),
    ("cidrsubnet", {"input": "172.16.0.0/12", "newbits": 4, "netnum": 2}, "172.18.0.0/16"),
    ("cidrsubnet", {"input": "10.1.2.0/24", "newbits": 4, "netnum": 15}, "10.1.2.240/28"),
    ("cidrsubnet", {"input": "fd00:fd12:3456:7890::/56", "newbits": 16, "netnum": 162}, "fd00:fd12:3456:7800:a200::/72"),
    (
        "cidrsubnets",
        {"input": "10.1.0.0/16", "newbits": (4, 4, 8, 4)},
        ("10.1.0.0/20", "10.1.16.0/20", "10.1.32.0/24", "10.1.48.0/20"),
    ),
    ("coalesce", {"input": ("", "b")}, "b"),
    ("coalesce", {"input": (None, 1, 2)}, 1),
    ("coalesce", {"input": (1, "hello", True)}, "1"),
    ("coalescelist", {"input": ((), ("c", "d"))}, ("c", "d")),
    ("compact", {"input": ("a", "", "b", None, "c")}, ("a", "b", "c")),
    ("concat", {"input": (("a", ""), ("b", "c"))}, ("a", "", "b", "c")),
    ("contains", {"input": ("a", "b", "c"), "element": "a"}, True),
    ("contains", {"input": (1, 2), "element": True}, False),
    ("csvdecode", {"input": "a,b,c\n1,2,3\n4,5,6\n"}, ({"a": "1", "b": "2", "c": "3"}, {"a": "4", "b": "5", "c": "6"})),
    ("dirname", {"input": "foo/bar/baz.txt"}, "foo/bar"),
    ("dirname", {"input": "baz.txt"}, "."),
    ("distinct", {"input": ("a", "b", "a", "c", "d", "b")}, ("a", "b", "c", "d")),
    ("element", {"input": ("a", "b", "c"), "index": 3}, "a"),
    ("endswith", {"input": "hello world", "suffix": "world"}, True),
    ("flatten", {"input": (("a", "b"), (), ("c",))}, ("a", "b", "c")),
    ("flatten", {"input": ((("a", "b"), ()), ("c",))}, ("a", "b", "c")),
    ("floor", {"input": 4.9}, 4),
    ("format", {"input": "Hello, %s!", "args": ("Ander",)}, "Hello, Ander!"),
    ("format", {"input": "There are %d lights", "args": (4,)}, "There are 4 lights"),
    (
        "format",
        {"input": "%05d|%-4s|%6.2f|%t|%v|%x|%%", "args": (-12, "c", 1.5, True, 0.1, 255)},
        "-0012|c   |  1.50|true|0.1|ff|%",
    ),
    ("format", {"input": "%[2]s %[1]q", "args": ("a", "b")}, 'b "a"'),
    ("format", {"input": "%g %g %#v %e", "args": (1000000, 0.25, ("a",), 1500)}, '1e+06 0.25 ["a"] 1.500000e+03'),
    (
        "formatlist",
        {"input": "Hello, %s!", "args": (("Valentina", "Ander"),)},
        ("Hello, Valentina!", "Hello, Ander!"),
    ),
    ("formatlist", {"input": "%s, %s!", "args": ("Hi", ("V", "A"))}, ("Hi, V!", "Hi, A!")),
    ("indent", {"input": "[\n  foo,\n]", "spaces": 2}, "[\n    foo,\n  ]"),
    ("index", {"input": ("a", "b", "c"), "element": "b"}, 1),
    ("join", {"input": ("foo", "bar", "baz"), "separator": ", "}, "foo, bar, baz"),
    ("jsondecode", {"input": '{"hello": "world", "n": [1, 2.5, null]}'}, {"hello": "world", "n": (1, 2.5, None)}),
    ("jsondecode", {"input": "no JSON"}, "no JSON"),
    ("jsonencode", {"input": {"b": (1, True), "a": "<x>"}}, '{"a":"\\u003cx\\u003e","b":[1,true]}'),
    ("keys", {"input": {"c": 2, "a": 1, "d": 3}}, ("a", "c", "d")),
    ("length", {"input": ("a", "b")}, 2),
    ("length", {"input": {"a": "b"}}, 1),
    ("length", {"input": "hello"}, 5),
    ("length", {"input": "👾🕹️"}, 2),
    ("log", {"input": 16, "base": 2}, 4),
    ("lookup", {"map": {"a": "ay", "b": "bee"}, "key": "a", "default": "what?"}, "ay"),
    ("lookup", {"map": {"a": "ay", "b": "bee"}, "key": "c", "default": "what?"}, "what?"),
    ("lower", {"input": "АЛЛО! HELLO"}, "алло! hello"),
    ("map", {"args": ("a", "b", "c", "d")}, {"a": "b", "c": "d"}),
    ("max", {"input": (12, 54, 3)}, 54),
    ("md5", {"input": "hello world"}, "5eb63bbbe01eeed093cb22bb8f5acdc3"),
    ("merge", {"input": ({"a": "b", "c": "d"}, {"e": "f", "c": "z"})}, {"a": "b", "c": "z", "e": "f"}),
    ("min", {"input": (12, 54, 3)}, 3),
    ("parseint", {"input": "FF", "base": 16}, 255),
    ("parseint", {"input": "-10", "base": 2}, -2),
    ("parseint", {"input": "aA", "base": 62}, 656),
    ("pow", {"base": 3, "exponent": 2}, 9),
    ("range", {"limit": 3}, (0, 1, 2)),
    ("range", {"start": 1, "limit": 8, "step": 2}, (1, 3, 5, 7)),
    ("range", {"start": 4, "limit": 1, "step": -1}, (4, 3, 2)),
    ("range", {"start": 1, "limit": 2, "step": 0.5}, (1, 1.5)),
    ("regex", {"pattern": "[a-z]+", "string": "53453453.345345aaabbbccc23454"}, "aaabbbccc"),
    ("regex", {"pattern": r"(\d\d\d\d)-(\d\d)-(\d\d)", "string": "2019-02-01"}, ("2019", "02", "01")),
    (
        "regex",
        {"pattern": "^(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?", "string": "https://terraform.io/docs/"},
        {"scheme": "https", "authority": "terraform.io"},
    ),
    ("regex", {"pattern": r"[]$[:digit:](?=]+$", "string": "a]$1(?="}, "]$1(?="),
    ("regexall", {"pattern": "[a-z]+", "string": "1234abcd5678efgh9"}, ("abcd", "efgh")),
    ("regexall", {"pattern": "[a-z]+", "string": "123456789"}, ()),
    ("replace", {"text": "1 + 2 + 3", "search": "+", "replace": "-"}, "1 - 2 - 3"),
    ("replace", {"text": "hello world", "search": "/w.*d/", "replace": "everybody"}, "hello everybody"),
    ("replace", {"text": "ab-cd", "search": r"/(\w)(?P<n>\w)/", "replace": "${n}$1$$$9"}, "ba$-dc$"),
    ("replace", {"text": "baac", "search": "/a*/", "replace": "x"}, "xbxcx"),
    ("reverse", {"input": (1, 2, 3)}, (3, 2, 1)),
    ("setintersection", {"input": (("a", "b"), ("b", "c"), ("b", "d"))}, ("b",)),
    ("sha1", {"input": "hello world"}, "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"),
    ("sha256", {"input": "hello world"}, "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
    (
        "sha512",
        {"input": "hello world"},
        "309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f"
        "989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f",
    ),
    ("signum", {"input": -13}, -1),
    ("slice", {"list": ("a", "b", "c", "d"), "from": 1, "to": 3}, ("b", "c")),
    ("sort", {"input": ("e", "d", "a", "x")}, ("a", "d", "e", "x")),
    ("split", {"separator": ",", "text": "foo,bar,baz"}, ("foo", "bar", "baz")),
    ("split", {"separator": ",", "text": ""}, ("",)),
    ("startswith", {"input": "hello world", "prefix": "hello"}, True),
    ("strrev", {"input": "a ☃"}, "☃ a"),
    ("substr", {"input": "hello world", "offset": 1, "length": 4}, "ello"),
    ("substr", {"input": "🤔🤷‍♂️x", "offset": 1, "length": 1}, "🤷‍♂️"),
    ("substr", {"input": "hello world", "offset": -5, "length": -1}, "world"),
    ("sum", {"input": (10, 13, 6, 4.5)}, 33.5),
    ("timeadd", {"timestamp": "2017-11-22T00:00:00Z", "duration": "10m"}, "2017-11-22T00:10:00Z"),
    ("timeadd", {"timestamp": "2017-11-22T00:00:00+02:00", "duration": "-1h30m"}, "2017-11-21T22:30:00+02:00"),
    ("timecmp", {"timestampa": "2017-11-22T00:00:00Z", "timestampb": "2017-11-22T01:00:00Z"}, -1),
    ("timecmp", {"timestampa": "2017-11-22T01:00:00Z", "timestampb": "2017-11-22T00:00:00-01:00"}, 0),
    ("title", {"input": "hello world"}, "Hello World"),
    ("tobool", {"input": "true"}, True),
    ("tobool", {"input": None}, None),
    ("tolist", {"input": ("a", "b", "c")}, ("a", "b", "c")),
    ("tonumber", {"input": "1"}, 1),
    ("tonumber", {"input": "0.25"}, 0.25),
    ("toset", {"input": ("c", "b", "b")}, ("c", "b")),
    ("tostring", {"input": 1.0}, "1"),
    ("tostring", {"input": True}, "true"),
    (
        "transpose",
        {"input": {"a": ("1", "2"), "b": ("2", "3")}},
        {"1": ("a",), "2": ("a", "b"), "3": ("b",)},
    ),
    ("trim", {"input": "?!hello?!", "cutset": "!?"}, "hello"),
    ("trimprefix", {"input": "helloworld", "prefix": "hello"}, "world"),
    ("trimspace", {"input": "  hello\n\n"}, "hello"),
    ("trimsuffix", {"input": "helloworld", "suffix": "world"}, "hello"),
    ("upper", {"input": "алло! hello"}, "АЛЛО! HELLO"),
    ("upper", {"input": "straße"}, "STRAßE"),
    ("urlencode", {"input": "Hello World!"}, "Hello+World%21"),
    ("values", {"input": {"a": 3, "c": 2, "d": 1}}, (3, 2, 1)),
    ("zipmap", {"keys": ("a", "b"), "values": (1, 2)}, {"a": 1, "b": 2}),
]

FAILURES: list[tuple[str, Mapping[str, PropertyValue], str]] = [
    ("upper", {}, "input must be a text, not null"),
    ("upper", {"input": 1}, "input must be a text, not a number"),
    ("base64decode", {"input": "%%%"}, "is not the base64 form"),
    ("cidrsubnet", {"input": "10.0.0.0", "newbits": 1, "netnum": 0}, "no range of addresses"),
    ("cidrsubnet", {"input": "10.0.0.0/30", "newbits": 3, "netnum": 0}, "cannot be extended"),
    ("cidrsubnet", {"input": "10.0.0.0/8", "newbits": 1, "netnum": 2}, "no network number 2"),
    ("cidrhost", {"input": "10.0.0.0/31", "host": 2}, "no host 2"),
    ("cidrsubnets", {"input": "10.0.0.0/30", "newbits": (1, 1, 1)}, "no room"),
    ("coalesce", {"input": ("", None)}, "neither null"),
    ("element", {"input": (), "index": 0}, "at least one element"),
    ("format", {"input": "%s", "args": ()}, "has no argument"),
    ("format", {"input": "x", "args": ("a",)}, "too many arguments"),
    ("format", {"input": "%d", "args": ("a",)}, "must be a number"),
    ("format", {"input": "100%", "args": ()}, "no argument"),
    ("lookup", {"map": {}, "key": "a"}, "no key"),
    ("log", {"input": 0, "base": 2}, "not a finite number"),
    ("pow", {"base": 10, "exponent": 999}, "not a finite number"),
    ("parseint", {"input": "12", "base": 2}, "not a whole number"),
    ("range", {"limit": 5, "step": -1}, "do not lead"),
    ("range", {"limit": 5000}, "more than"),
    ("regex", {"pattern": "a", "string": "b"}, "matches no part"),
    ("regex", {"pattern": "a(?=b)", "string": "ab"}, "invalid perl operator"),
    ("regex", {"pattern": "(", "string": "b"}, "not understood"),
    ("slice", {"list": (1,), "from": 0, "to": 2}, "no part of a list"),
    ("timeadd", {"timestamp": "today", "duration": "1h"}, "must be a time"),
    ("timeadd", {"timestamp": "2017-11-22T00:00:00Z", "duration": "1 hour"}, "duration must be"),
    ("tobool", {"input": "yes"}, "neither a bool"),
    ("tonumber", {"input": "yes"}, "not a number"),
    ("zipmap", {"keys": ("a",), "values": ()}, "1 keys and 0 values"),
]

DEPLOYMENT = Deployment(project="p", stack="s", organization="o", preview=False)


def token(name: str) -> str:
    return f"std:index:{name}"


@pytest.mark.parametrize(("name", "args", "expected"), ROWS)
def test_results(name: str, args: Properties, expected: PropertyValue) -> None:
    result = compute(token(name), args)
    assert result == {"result": expected}
    assert [type(value) for value in result.values()] == [type(expected)]


@pytest.mark.parametrize(("name", "args", "message"), FAILURES)
def test_failures_say_what_is_wrong(name: str, args: Properties, message: str) -> None:
    with pytest.raises(StdFailureError) as failure:
        compute(token(name), args)
    assert message in str(failure.value)


def test_every_function_has_a_row() -> None:
    assert {token(name) for name, _, _ in ROWS} == set(FUNCTIONS)


AS: str = "a" * 200_000

PATTERNS: list[tuple[str, Mapping[str, PropertyValue], str]] = [
    ("regex", {"pattern": "(a+)+$x", "string": AS}, "matches no part"),
    ("regexall", {"pattern": "((a|b)*a(a|b){400})", "string": AS * 100}, "too large for them"),
    ("regexall", {"pattern": "a.*b|a", "string": AS}, "too many matches"),
    ("replace", {"text": AS, "search": "/a.*b|a/", "replace": ""}, "too many matches"),
    ("regexall", {"pattern": "(a)" + "()" * 9, "string": AS[:1500]}, "parts is too large"),
    ("regex", {"pattern": "(" * 150 + ".*" + ")" * 150, "string": AS}, "characters is too large"),
    ("regex", {"pattern": "a{1001}", "string": "a"}, "invalid repetition size"),
    ("regex", {"pattern": "((a{1000}){1000}){1000}", "string": "a"}, "not understood"),
    ("regex", {"pattern": r"\C", "string": "\u00e9"}, "takes characters apart"),
    ("regex", {"pattern": r"(a)\1", "string": "aa"}, "invalid escape sequence"),
    ("regex", {"pattern": "\ud800", "string": "a"}, "half of a surrogate pair"),
    ("regex", {"pattern": "a", "string": "\udc00"}, "half of a surrogate pair"),
    ("regex", {"pattern": "(?P<a>x)(y)", "string": "xy"}, "all have names"),
    ("regex", {"pattern": "(" * 5000, "string": "x"}, "missing )"),
]

LARGE: list[tuple[str, Mapping[str, PropertyValue]]] = [
    ("join", {"separator": AS, "input": ("",) * 1000}),
    ("join", {"separator": "", "input": (AS,) * 1000}),
    ("replace", {"text": AS, "search": "a", "replace": AS}),
    ("replace", {"text": AS, "search": "", "replace": AS}),
    ("replace", {"text": AS, "search": "/^a*/", "replace": "$0" * 200}),
    ("indent", {"spaces": 10_000, "input": "\n" * 10_000}),
    ("format", {"input": "%10000s" * 3000, "args": ("",) * 3000}),
    ("format", {"input": "%[1]s" * 200, "args": (AS,)}),
    ("formatlist", {"input": "%s%s", "args": (AS, ("",) * 200)}),
    ("jsonencode", {"input": (AS,) * 200}),
    ("split", {"separator": "", "text": AS * 10}),
    ("strrev", {"input": "\u00e9" * 1_500_000}),
    ("jsondecode", {"input": "[" + "0," * 1_500_000 + "0]"}),
    ("csvdecode", {"input": "a,b\n" * 700_000}),
]


@pytest.mark.parametrize(("name", "args", "message"), PATTERNS)
def test_patterns_are_bounded(name: str, args: Properties, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "MOST_READ", 100_000_000)
    monkeypatch.setattr(values, "MOST_PARTS", 10_000)
    monkeypatch.setattr(values, "MOST_TEXT", 10_000_000)
    with pytest.raises(StdFailureError) as failure:
        compute(token(name), args)
    assert message in str(failure.value)
    assert len(str(failure.value)) < 600


@pytest.mark.parametrize(("name", "args"), LARGE)
def test_results_are_counted_before_they_are_made(name: str, args: Properties) -> None:
    with pytest.raises(StdFailureError, match="is too large"):
        compute(token(name), args)


MATCHED: list[tuple[str, str, tuple[str, ...]]] = [
    (r"\Q[\C]\E", r"a[\C]", (r"[\C]",)),
    (r"\pL+", "né ∀ Ω1", ("né", "Ω")),
    (r"(?i)STRASSE|ﬀ", "Strasse", ("Strasse",)),
    (r"(?U)a+", "aaa", ("a", "a", "a")),
    (r"(?m)^b$", "a\nb\nb", ("b", "b")),
    (r"b$", "b\n", ()),
    (r"\bx", "é x", ("x",)),
    (r"x*", "aéxb", ("", "", "x", "")),
    (r"a|ab", "ab", ("a",)),
    (r"[^\x00-\x{10FFFF}]", "a", ()),
]
"""The matches of Go's `regexp`."""


@pytest.mark.parametrize(("pattern", "text", "matches"), MATCHED)
def test_patterns_are_those_of_go(pattern: str, text: str, matches: tuple[str, ...]) -> None:
    assert compute(token("regexall"), {"pattern": pattern, "string": text}) == {"result": matches}


def test_without_re2_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    for name, args in (("regex", {"pattern": "a", "string": "a"}), ("replace", {"text": "a", "search": "/a/", "replace": "b"})):
        with pytest.raises(StdFailureError, match=r"pip install 'pclgen\[evaluate\]'"):
            compute(token(name), args)
    assert compute(token("replace"), {"text": "a", "search": "a", "replace": "b"}) == {"result": "b"}


@needs_corpus
def test_patterns_are_bounded_over_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "MOST_READ", 3_000)
    call = 'invoke("std:index:regex", { pattern = "a+b", string = "${"aaaaaaaab"}" }).result'
    diagnostics = {}
    for count in (100, 1000):
        program = {"main.pp": f"output o {{\n  value = [for i in range({count}) : {call}]\n}}\n"}
        ran = pclgen.evaluate_program(program, schemas=[CORPUS / "schemas" / "real"])
        diagnostics[count] = [(d.code, "too many matches" in d.message) for d in ran.diagnostics]
    assert diagnostics == {100: [], 1000: [("PCL1009", True)]}


LONG: list[tuple[str, Mapping[str, PropertyValue]]] = [
    ("timeadd", {"timestamp": "2017-11-22T00:00:00Z", "duration": "0.0s" * 50_000 + "x"}),
    ("timeadd", {"timestamp": "2017-11-22T00:00:00Z", "duration": "9" * 1_500_000 + "h"}),
    ("timeadd", {"timestamp": "2017-11-22T00:00:00Z", "duration": "1" * 100_000}),
    ("tonumber", {"input": "1" * 200_000 + "x"}),
    ("jsondecode", {"input": "[" * 300 + "]" * 300}),
    ("format", {"input": "%" + "9" * 5000 + "d", "args": (1,)}),
    ("format", {"input": "%." + "9" * 5000 + "f", "args": (1,)}),
    ("format", {"input": "%[" + "9" * 5000 + "]d", "args": (1,)}),
]


@pytest.mark.parametrize(("name", "args"), LONG)
def test_long_texts_are_refused(name: str, args: Properties) -> None:
    with pytest.raises(StdFailureError):
        compute(token(name), args)


@needs_corpus
def test_every_function_of_the_schema_is_computed_or_left_out() -> None:
    (schema,) = (CORPUS / "schemas" / "real").glob("std-*.json")
    declared = set(json.loads(schema.read_text(encoding="utf-8"))["functions"])
    assert FUNCTIONS.keys() | LEFT_OUT.keys() == declared
    assert not FUNCTIONS.keys() & LEFT_OUT.keys()
    assert all(LEFT_OUT.values())


def asked(name: str, args: Properties) -> Properties:
    """The answer of the default model."""
    return EchoModel().invoke(FunctionRequest(token=token(name), args=args, deployment=DEPLOYMENT))


def test_the_default_model_computes_them() -> None:
    assert asked("join", {"input": (Secret("a"), "b"), "separator": Secret("-")}) == {"result": "a-b"}
    assert asked("uuid", {}) == {}
    with pytest.raises(ProviderFailureError, match="no key"):
        asked("lookup", {"map": {}, "key": "a"})


PROGRAM = """\
output shout { value = invoke("std:index:upper", { input = "abc" }).result }
output net { value = invoke("std:index:cidrsubnet", { input = "10.0.0.0/8", newbits = 8, netnum = 2 }).result }
"""
REAL_SCHEMAS = CORPUS / "schemas" / "real"


@needs_corpus
def test_programs_get_what_they_compute_unless_a_recording_or_a_model_knows_better(tmp_path: Path) -> None:
    source = {"main.pp": PROGRAM}
    store = pclgen.SchemaStore([REAL_SCHEMAS])
    computed = pclgen.evaluate_program(source, store=store).trace
    assert computed is not None and computed.outputs == {"shout": "ABC", "net": "10.2.0.0/16"}
    path = tmp_path / "replay.json"
    path.write_text(json.dumps({"functions": [{"token": token("upper"), "answer": {"result": "recorded"}}]}))
    replayed = pclgen.evaluate_program(source, store=store, replay_file=path).trace
    assert replayed is not None and replayed.outputs == {"shout": "recorded", "net": "10.2.0.0/16"}
    custom = pclgen.evaluate_program(source, store=store, models={"std": Answers({token("upper"): {"result": "own"}})}).trace
    assert custom is not None and custom.outputs["shout"] == "own"


@needs_corpus
def test_a_failure_is_one_of_the_function() -> None:
    source = {"main.pp": PROGRAM.replace("netnum = 2", "netnum = 256")}
    ran = pclgen.evaluate_program(source, store=pclgen.SchemaStore([REAL_SCHEMAS]))
    (diagnostic,) = ran.diagnostics
    assert "8 more bits have no network number 256" in diagnostic.message + str(diagnostic)
