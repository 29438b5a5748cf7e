"""Diagnostics of the checker and their positions: one diagnostic per mistake, at the innermost expression."""

from __future__ import annotations

import pytest

from pclgen import check, generate
from pclgen.bind.resources import first_sentence
from pclgen.diagnostics.model import Severity
from pclgen.results import GenerateResult
from tests.support.binding import SCHEMAS, bind_text, codes_and_positions, errors

RANGED = 'resource q "probe:index:Thing" {\n  options {\n    range = ["a"]\n  }\n}\n'

CASES = [
    # declarations and blocks
    ("a = 1\na = 2\n", [("PCL0201", "2:1")]),
    ('resource r "probe:index:Thing" {}\nconfig r string {}\n', [("PCL0201", "2:8")]),
    ("config {}\n", [("PCL0202", "1:1")]),
    ('config a "string" "x" {}\n', [("PCL0202", "1:19")]),
    ("thing x {}\n", [("PCL0203", "1:1")]),
    ('resource r "probe:index:Thing" {\n  stuff {}\n}\n', [("PCL0204", "2:3")]),
    ("config a string { defualt = 1 }\n", [("PCL0206", "1:19")]),
    ("output o {}\n", [("PCL0207", "1:10")]),
    ("output o {\n  vaule = 1\n}\n", [("PCL0206", "2:3")]),
    ("local l string {\n  vaule = 1\n}\na = l\n", [("PCL0206", "2:3")]),
    ('hook resource h {\n  comand = ["x"]\n}\n', [("PCL0206", "2:3")]),
    ('package {\n  baseProviderNam = "x"\n}\n', [("PCL0206", "2:3")]),
    ("output o {\n  other = 1\n}\n", [("PCL0207", "1:10"), ("PCL0206", "2:3")]),
    ("config n int {}\nconfig a string { description = n }\n", [("PCL0208", "2:33")]),
    ('hook other h { command = ["x"] }\n', [("PCL0209", "1:6")]),
    ('config a "list(string" {}\n', [("PCL0210", "1:22")]),
    ('config a "object({b = optional(string, 1)})" {}\n', [("PCL0210", "1:40")]),
    ('config a "object({b = optional(list(string), [])})" {}\n', [("PCL0210", "1:46")]),
    ('config a "list(object({b = object({c = optional(number, 2)})}))" {}\n', [("PCL0210", "1:57")]),
    ('config a "list(strng)" {}\n', [("PCL0211", "1:16")]),
    # values
    ("config a string { default = [1] }\n", [("PCL0401", "1:29")]),
    ('resource r "probe:index:Thing" {\n  out = []\n}\n', [("PCL0401", "2:9")]),
    ('resource r "probe:index:Thing" {\n  list = [{ s = "a", n = [] }]\n}\n', [("PCL0401", "2:26")]),
    ('resource r "probe:index:Thing" {\n  obj = { s = "a", nn = 1 }\n}\n', [("PCL0402", "2:20")]),
    ('resource r "probe:index:Thing" {\n  sise = 1\n}\n', [("PCL0402", "2:3")]),
    ('resource r "probe:index:Thing" {\n  obj = { n = 1 }\n}\n', [("PCL0403", "2:9")]),
    ('resource r "probe:index:Strict" {}\n', [("PCL0403", "1:33")]),
    ('resource r "probe:index:Thing" {\n  tags = { a = "1", a = "2" }\n}\n', [("PCL0404", "2:21")]),
    ('resource r "probe:index:Thing" {\n  en = "quick"\n}\n', [("PCL0405", "2:8")]),
    ('resource r "probe:index:Thing" {\n  size = "abc"\n}\n', [("PCL0406", "2:10")]),
    ('resource r "probe:index:Thing" {\n  size = 1.5\n}\n', [("PCL0407", "2:10")]),
    (
        'resource q "probe:index:Thing" {}\nresource r "probe:index:Thing" {\n  plainFlag = q.flag\n}\n',
        [("PCL0408", "3:15")],
    ),
    ('resource r "probe:index:Thing" {\n  kind = "other"\n}\n', [("PCL0409", "2:10")]),
    ('config k string {}\nresource r "probe:index:Thing" {\n  obj = { (k) = 1 }\n}\n', [("PCL0410", "3:11")]),
    ('resource r "probe:index:Strict" {\n  name = null\n}\n', [("PCL0411", "2:10")]),
    ('a = "x${[1]}y"\n', [("PCL0412", "1:9")]),
    ('a = "x${null}y"\n', [("PCL0412", "1:9")]),
    ('a = "%{ for x in [1] }${null}%{ endfor }"\n', [("PCL0412", "1:25")]),
    ('config c any {}\na = c == null ? c.x : 1\n', [("PCL0508", "2:19")]),
    ('config c any {}\na = null != c && true ? 1 : c["x"]\nb = !(c == null) ? 1 : c[0]\n', [("PCL0508", "3:26")]),
    ('config c any {}\na = c == null && length(c) == 0\n', [("PCL0604", "2:25")]),
    ('config c any {}\na = c.x == null ? "a${c.x}" : c.x.y\n', [("PCL0412", "2:23")]),
    ("a = [1] + 1\n", [("PCL0413", "1:5")]),
    ("a = [1] ? 1 : 2\n", [("PCL0414", "1:5")]),
    ("a = 1 ? 2 : 3\n", [("PCL0414", "1:5")]),
    ("a = [for i, x in [1] : x if !i]\n", [("PCL0413", "1:30")]),
    ('resource r "probe:index:Thing" {\n  plainFlag = 1\n}\n', [("PCL0401", "2:15")]),
    ('resource r "probe:index:Thing" {\n  size = true\n}\n', [("PCL0401", "2:10")]),
    ("a = { ([1]) = 2 }\n", [("PCL0415", "1:8")]),
    # names, steps, loops
    ("a = b\n", [("PCL0501", "1:5")]),
    ('resource r "probe:index:Thing" {}\na = r.outt\n', [("PCL0502", "2:7")]),
    ('resource r "probe:index:Thing" {}\na = r.out.x\n', [("PCL0503", "2:11")]),
    ('resource r "probe:index:Thing" {}\na = r.list.s\n', [("PCL0504", "2:12")]),
    ("a = [1, 2][2]\n", [("PCL0505", "1:12")]),
    ("a = [for x in 1 : x]\n", [("PCL0506", "1:15")]),
    ('s = [for x in [["a"], false] : x[*]]\n', [("PCL0513", "1:32")]),
    ('s = [for x in [[{ n = 1 }], { n = 2 }, null] : x[*].n]\n', [("PCL0513", "1:48")]),
    ('s = [for x in secret([["a"], 1]) : x.*]\n', [("PCL0513", "1:36")]),
    ('s = [for x in { a = "t", b = [1] } : x[0]]\n', [("PCL0513", "1:38")]),
    ('s = [for x in { a = "t", b = [1] } : try(x["0"], 5)]\n', [("PCL0513", "1:42")]),
    ('s = [for x in { a = "t", b = [1] } : can(x[0 + 0])]\n', [("PCL0513", "1:42")]),
    ("a = [for x, x in [1] : x]\n", [("PCL0509", "1:13")]),
    ("pulumi {}\na = pulumi\n", [("PCL0510", "2:5")]),
    ('resource r "probe:index:Thing" {\n  options { range = { a = 1 } }\n}\na = r[*].out\n', [("PCL0511", "4:5")]),
    # calls
    ("a = lenght([1])\n", [("PCL0601", "1:5")]),
    ('a = join(",")\n', [("PCL0602", "1:13")]),
    ("a = toJSON(1, 2)\n", [("PCL0603", "1:15")]),
    ("a = length(1)\n", [("PCL0604", "1:12")]),
    ('t = "x"\na = invoke(t, {})\n', [("PCL0605", "2:12")]),
    ('a = call("x", "m", {})\n', [("PCL0606", "1:10")]),
    ("a = max(1...)\n", [("PCL0609", "1:9")]),
    ('a = invoke("probe:index:getThing", {name = "x"}, {parnet = 1})\n', [("PCL0610", "1:51")]),
    # resources and options
    ('resource r "probe:index:Thing" {\n  options { dependson = [] }\n}\n', [("PCL0701", "2:13")]),
    ('resource r "probe:index:Thing" {\n  options { hooks = [] }\n}\n', [("PCL0702", "2:21")]),
    ('resource r "probe:index:Thing" {\n  options { ignoreChanges = [sise] }\n}\n', [("PCL0703", "2:30")]),
    ('resource r "probe:index:Thing" {\n  options { ignoreChanges = [1 + 1] }\n}\n', [("PCL0704", "2:30")]),
    ('component c "./nowhere" {}\n', [("PCL0705", "1:13")]),
    ("component c {}\n", [("PCL0707", "1:1")]),
    ('resource r "probe:index:Thing" {\n  options { hooks = { afterAll = [] } }\n}\n', [("PCL0708", "2:23")]),
    ('resource r "probe:index:Thing" {\n  options { parent = 1 }\n}\n', [("PCL0711", "2:22")]),
    (f"{RANGED}resource r \"probe:index:Thing\" {{\n  options {{ providers = [q[0]] }}\n}}\n", [("PCL0711", "7:26")]),
    (f"{RANGED}resource r \"probe:index:Thing\" {{\n  options {{ providers = q }}\n}}\n", [("PCL0711", "7:25")]),
    (f"{RANGED}resource r \"probe:index:Thing\" {{\n  options {{ providers = {{ a = q[0] }} }}\n}}\n", [("PCL0711", "7:31")]),
    (f'{RANGED}a = invoke("probe:index:getThing", {{ name = "x" }}, {{ provider = q[0] }})\n', [("PCL0711", "6:65")]),
    # packages
    ('resource r "Thing" {}\n', [("PCL0301", "1:12")]),
    ('resource r "prob:index:Thing" {}\n', [("PCL0302", "1:12")]),
    ('resource r "probe:index:Thingy" {}\n', [("PCL0307", "1:12")]),
    ('a = invoke("probe:index:getThings", {})\n', [("PCL0308", "1:12")]),
    # order
    ("a = b\nb = c\nc = a\n", [("PCL0801", "1:5")]),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[f"{c[1][0][0]}-{i}" for i, c in enumerate(CASES)])
def test_error(text: str, expected: list[tuple[str, str]]) -> None:
    assert errors(text) == expected


_RANGED = """\
resource r "probe:index:Thing" {
  out = range.value
  tags = { a = range.key }
  options { range = %s }
}
component c "./web" {
  x = range.value
  options { range = %s }
}
a = r[0].out
b = r["k"].list[0].s
d = [for t in r : t.out]
e = c[*].x
output o { value = r[*].out }
"""


@pytest.mark.parametrize(("range_", "code"), [("nope", "PCL0501"), ('"text"', "PCL0506"), ("null", "PCL0506"), ("1 +", "PCL0113")])
def test_a_wrong_range_is_all_that_is_wrong(range_: str, code: str) -> None:
    components = {"web": "config x string {}\noutput x { value = x }\n"}
    problems = errors(_RANGED % (range_, "2"), components=components)
    assert [c for c, _ in problems] == [code]
    assert problems[0][1].startswith("4:")
    problems = errors(_RANGED % ("2", range_), components=components)
    assert [(c, place[:2]) for c, place in problems if place != "11:7"] == [(code, "8:")]


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("size = \n", [("PCL0113", "a.pp:1"), ("PCL0501", "b.pp:3"), ("PCL0402", "b.pp:4")]),
        ("output x {\n  value = size\n", [("PCL0108", "a.pp:1"), ("PCL0501", "b.pp:3"), ("PCL0402", "b.pp:4")]),
        ("config size {\n  default = [1 2]\n}\n", [("PCL0116", "a.pp:2"), ("PCL0501", "b.pp:3"), ("PCL0402", "b.pp:4")]),
        ('package p { baseProviderName = "probe }\nsize = 1\n', [("PCL0103", "a.pp:1")]),
    ],
)
def test_a_file_that_cannot_be_read_hides_no_mistakes_of_others(broken: str, expected: list[tuple[str, str]]) -> None:
    sound = 'resource r "probe:index:Thing" {\n  size = size\n  out = nope\n  sise = 2\n}\na = size.x[0]\n'
    diagnostics = check({"a.pp": broken, "b.pp": sound}, schemas=[SCHEMAS]).diagnostics
    places = [(d.code, d.primary) for d in diagnostics if d.primary is not None]
    assert [(code, f"{at.file.name}:{at.start_position.line}") for code, at in places] == expected


WARNINGS = [
    ('resource r "probe:index:Thing" {\n  en = "steady"\n}\n', [("PCL0420", "2:8")]),
    ('resource r "probe:index:Thing" {\n  en = true ? "slow" : "steady"\n}\n', [("PCL0420", "2:24")]),
    ('resource r "probe:index:Thing" {\n  en = "slow"\n}\n', []),
    ('resource r "probe:index:Thing" {\n  old = "x"\n}\n', [("PCL0420", "2:3")]),
    ('resource r "probe:sub:Old" {}\n', [("PCL0420", "1:12")]),
    ('resource r "probe:index:Thing" {}\na = r.oUt\n', [("PCL0507", "2:7")]),
    ('package "probe" {}\n', [("PCL0213", "1:9")]),
    # a name behind a dollar sign is text
    ('name = "x"\na = "hello $name, $name-x $name.txt"\n', [("PCL0418", f"2:{at}") for at in (12, 19, 27)]),
    ('my-name = "x"\na = "$my-name"\n', [("PCL0418", "2:6")]),
    ('name = "x"\na = "\\u00e9 $name ${true ? "$name" : name}"\n', [("PCL0418", "2:13"), ("PCL0418", "2:29")]),
    ('name = "x"\na = "%{ if true }$name%{ else }$name%{ endif }"\n', [("PCL0418", "2:18"), ("PCL0418", "2:32")]),
    ('a = [for x in ["y"] : "$x"]\n', [("PCL0418", "1:24")]),
    ('name = "x"\na = "$5 $other $$name ${"$"}name name$ $namex $"\n', []),
    ('name = "x"\na = <<EOT\necho $name\nEOT\n', []),
]


def test_the_help_for_a_dollar_name_takes_steps_along_where_the_name_alone_is_no_text() -> None:
    diagnostics = bind_text('resource r "probe:index:Thing" {}\nname = "x"\na = "$r.out and $name.txt"\n')[1]
    assert [d.help for d in diagnostics] == ["did you mean ${r.out}?", "did you mean ${name}?"]


@pytest.mark.parametrize(("text", "expected"), WARNINGS)
def test_warning(text: str, expected: list[tuple[str, str]]) -> None:
    diagnostics = bind_text(text)[1]
    assert codes_and_positions(diagnostics) == expected
    assert all(d.severity is Severity.WARNING for d in diagnostics)


def test_each_error_is_reported_once() -> None:
    text = 'resource r "probe:index:Thing" {\n  out = nope\n  obj = { s = nada, x = 1 }\n}\noutput o { value = r.nix }\n'
    assert errors(text) == [("PCL0501", "2:9"), ("PCL0501", "3:15"), ("PCL0402", "3:21"), ("PCL0502", "5:22")]


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ('resource r "probe:index:Thimg" {}', "PCL0307"),
        ('resource r "nobody:index:Thing" {}', "PCL0302"),
        ('resource "probe:index:Thing" r {}', "PCL0301"),
        ('resource r {}', "PCL0202"),
        ('resourse r "probe:index:Thing" {}', "PCL0203"),
        ('resource r "probe:index:Thing" { options { rnge = 2 } }', "PCL0124"),
        ('resource r "probe:index:Thing" {\n options { rnge = 2 }\n}', "PCL0701"),
    ],
)
def test_a_resource_that_was_reported_is_not_reported_where_it_is_used(wrong: str, place: str) -> None:
    uses = 'a = call(r, "hello", {})\nb = r[0].out\nc = [for x in r : x]\nd = r[*].out\ne = r.nope\noutput r { value = r.out }\n'
    options = 'resource s "probe:index:Thing" {\n  options { dependsOn = r }\n}\n'
    assert [code for code, _ in errors(f"{wrong}\n{uses}{options}")] == [place]


def test_a_component_with_a_block_that_was_reported_may_have_more_outputs() -> None:
    web = {"web": "outputt y {\n  value = 1\n}\nconfigg x int {}\n"}
    assert errors('component c "./web" {\n  x = 1\n}\na = c.y\n', components=web) == [("PCL0203", "1:1"), ("PCL0203", "4:1")]


@pytest.mark.parametrize(
    ("web", "code", "place"),
    [
        ("config x string {\n  default = x\n}\n", "PCL0801", "2:13"),
        ("config x string {\n  default = y\n}\ny = x\n", "PCL0801", "2:13"),
        ("config x string {}\noutput y {\n  value = y\n}\n", "PCL0801", "3:11"),
    ],
)
def test_inputs_and_outputs_in_a_cycle_are_not_reported_at_the_use(web: str, code: str, place: str) -> None:
    assert errors('component c "./web" {\n  x = "a"\n}\na = c.y\n', components={"web": web}) == [(code, place)]


def test_a_block_in_place_of_a_property_is_no_missing_property() -> None:
    assert errors('resource r "probe:index:Strict" {\n  name {\n  }\n}\n') == [("PCL0204", "2:3")]


def test_a_misspelt_recover_still_has_its_error() -> None:
    assert errors('a = recovr(1, "${error}")\n') == [("PCL0601", "1:5")]


def test_a_wrong_name_does_not_spread() -> None:
    assert errors('a = nope\nb = "${a}x"\nc = [for x in a : x]\nd = a.b.c + 1\n') == [("PCL0501", "1:5")]


def test_an_error_in_a_component_is_reported_in_its_own_file() -> None:
    diagnostics = bind_text('component c "./web" {}\ncomponent d "./web" {}\n', components={"web": "a = nope\n"})[1]
    places = [str(d.primary) for d in diagnostics]
    assert places == ["web/main.pp:1:5"]


def test_the_reason_of_an_expectation_names_property_and_documentation() -> None:
    diagnostic = bind_text('resource r "probe:index:Thing" {\n  size = []\n}\n')[1][0]
    assert [n.message for n in diagnostic.notes] == ["`size` of probe:index:Thing is an int: The size of the thing."]


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("One sentence", "One sentence"),
        ("Over two\nlines. More.", "Over two lines."),
        ("As written, e.g. Linux, here.\n\nMore.", "As written, e.g. Linux, here."),
        ("", ""),
    ],
)
def test_a_note_has_the_first_sentence_of_a_description(doc: str, sentence: str) -> None:
    assert first_sentence(doc) == sentence


def test_a_config_default_points_at_the_declared_type() -> None:
    diagnostic = bind_text('config a "list(int)" { default = {} }\n')[1][0]
    assert diagnostic.notes[0].span is not None
    assert diagnostic.notes[0].span.text == '"list(int)"'


def test_lenient_softens_what_the_specification_lists() -> None:
    text = (
        'resource r "nobody:index:Thing" {\n  x = missing\n}\n'
        'resource s "probe:index:Thing" {\n  sise = 1\n  out = []\n}\n'
        'a = invoke("nobody:index:f", {})\noutput o { value = s.nothing }\n'
    )
    program, diagnostics = bind_text(text, lenient=True)
    assert {d.severity for d in diagnostics} == {Severity.WARNING}
    assert len(program.nodes) == 4


@pytest.mark.parametrize(
    ("by_object", "positional"),
    [
        ('{ a = "x", b = "y" }', '"x", "y"'),
        ('{ b = "y", a = "x" }', '"x", "y"'),
        ('{ a = "x" }', '"x"'),
        ('{ a = "x" }, { version = "1.0.0" }', '"x", null, { version = "1.0.0" }'),
    ],
)
def test_lenient_takes_an_object_for_positional_arguments(by_object: str, positional: str) -> None:
    def generated(args: str) -> GenerateResult:
        program = {"main.pp": f'output o {{ value = invoke("probe:index:join", {args}).result }}\n'}
        return generate(program, schemas=[SCHEMAS], lenient=True, program_only=True)

    result = generated(by_object)
    assert [(d.code, d.severity) for d in result.diagnostics] == [("PCL0604", Severity.WARNING)]
    assert result.files == generated(positional).files
    assert result.files.keys() == {"python", "typescript", "go"}


def test_components_may_refer_to_each_other() -> None:
    web = {"web": 'config x string {}\noutput y {\n  value = "a${x}"\n}\n'}
    text = 'component a "./web" {\n  x = b.y\n}\ncomponent b "./web" {\n  x = a.y\n}\n'
    assert errors(text, components=web) == []


def test_component_directories_in_a_cycle() -> None:
    parts = {"a": 'component b "../b" {}\n', "b": 'component a "../a" {}\n'}
    assert errors('component a "./a" {}\n', components=parts) == [("PCL0802", "1:13")]


def test_a_loop_variable_is_not_a_reference_to_a_node() -> None:
    assert errors("a = [for a in [1] : a]\nlength = length([1])\n") == []


THING = 'resource r "probe:index:Thing" {\n  options { customTimeouts = '


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (f"{RANGED}a = q[\"a\"].out\n", "6:7", "such as [0], or let the range be a map: range = { \"a\" = … }"),
        (f"{RANGED}a = q.a\n", "6:7", "use one element with [0].a, or all elements with [*].a"),
        ('a = ["x"]["y"]\n', "1:11", "use the position of the element, such as [0]"),
        ("a = [1, 2]\nb = a[-1]\n", "2:7", "index -1 is out of range for 2 elements: element(a, -1) counts from the end"),
        (f"{RANGED}a = q[-1]\n", "6:7", "-1 is not a list index: element(q, -1) counts from the end"),
        ("a = [1, 2]\nb = a[-2]\n", "2:7", "index -2 is out of range for 2 elements: None"),
        ("a = [1, 2]\nb = a[1.5]\n", "2:7", "1.5 is not a list index: None"),
        (THING + "{ create = 5 } }\n}\n", "2:41", 'needs a duration, found "5": write "5m" for minutes, or "5s" for seconds'),
        (THING + '{ update = "5 minutes" } }\n}\n', "2:41", 'found "5 minutes": write "5m", "90s" or "1h30m"'),
        ("config c bool {}\n" + THING + '{ read = c ? "1h" : "1d" } }\n}\n', "3:50", 'found "1d"'),
        ("config r \"'fra1' | 'nyc1'\" {\n  default = \"frr1\"\n}\n", "2:13", "did you mean `fra1`?"),
        ("pulumi {}\npulumi {}\n", "2:1", "merge the blocks"),
        ("pulumi {}\npulumi = 1\n", "2:1", "rename one of them"),
        ('a = invoke("probe:index:getThing", { nmae = "x" })\n', "1:38", "getThing has no argument `nmae`"),
        ('a = invoke("probe:index:getThing", "x")\n', "1:36", "expected the arguments of getThing, found a string"),
        ("a = entries(5)\n", "1:13", "found an int: None"),
        ("a =\n", "1:4", "missing value after `=`: None"),
    ],
)
def test_the_help_fits_the_mistake(text: str, place: str, message: str) -> None:
    _, (diagnostic,) = bind_text(text)
    assert codes_and_positions((diagnostic,)) == [(diagnostic.code, place)]
    assert message in f"{diagnostic.message}: {diagnostic.help}"


@pytest.mark.parametrize(
    "value", ['{ create = "5m" }', '{ create = "1h30m", delete = "1.5h" }', '{ read = "60m" }', "null", '{ update = "" }']
)
def test_a_timeout_is_a_duration_of_the_engine(value: str) -> None:
    assert not bind_text(THING + value + " }\n}\n")[1]


def test_a_note_about_lines_only_where_a_value_is_on_the_next_line() -> None:
    notes = [bind_text(text)[1][0].notes for text in ("a =\n  5\n", "a =\nb = 2\n", "output o {\n  value =\n}\n", "a = 1 +\n")]
    assert [bool(note) for note in notes] == [True, False, False, False]
