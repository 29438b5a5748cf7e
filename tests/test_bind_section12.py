"""Every diagnostic in the list of the specification (section 12) that is an error here, by block of that list."""

from __future__ import annotations

import pytest

from tests.support.binding import bind_text, codes_and_positions, errors

R = 'resource r "probe:index:Thing" {}\n'

STRUCTURE = [
    ("two labels", 'read r "probe:index:Thing" "x" {\n  id = "1"\n}\n', [("PCL0202", "1:28")]),
    ("config labels", "config a string b {}\n", [("PCL0202", "1:17")]),
    ("output labels", "output {}\n", [("PCL0202", "1:1")]),
    ("component labels", "component {}\n", [("PCL0202", "1:1")]),
    ("hook labels", 'hook resource { command = ["a"] }\n', [("PCL0202", "1:6")]),
    ("pulumi label", 'pulumi x { requiredVersionRange = ">=3.0.0" }\n', [("PCL0202", "1:8")]),
    ("second pulumi block", "pulumi {}\npulumi {}\n", [("PCL0201", "2:1")]),
    ("second options block", 'resource r "probe:index:Thing" {\n  options {}\n  options {}\n}\n', [("PCL0205", "3:3")]),
    ("block in options", 'resource r "probe:index:Thing" {\n  options {\n    inner {}\n  }\n}\n', [("PCL0204", "3:5")]),
    ("logical name", f'{R}resource q "probe:index:Thing" {{\n  __logicalName = r.out\n}}\n', [("PCL0208", "3:19")]),
    ("bool literal", R + "config a string { secret = 1 }\n", [("PCL0208", "2:28")]),
    ("hook command", "hook resource h {}\n", [("PCL0207", "1:17")]),
    ("hook attribute", 'hook error h {\n  command = ["a"]\n  onDryRun = true\n}\n', [("PCL0206", "3:3")]),
    ("hook newOutputs", "hook error h { command = [args.newOutputs.a] }\n", [("PCL0502", "1:32")]),
    ("circular", "a = b\nb = a\n", [("PCL0801", "1:5")]),
]

PACKAGES = [
    ("two labels", 'package "a" "b" { baseProviderName = "probe" }\n', [("PCL0202", "1:13")]),
    ("no name", "package {}\n", [("PCL0207", "1:1")]),
    ("bad version", 'package {\n  baseProviderName = "probe"\n  baseProviderVersion = "1"\n}\n', [("PCL0214", "3:25")]),
    ("bad url", 'package {\n  baseProviderName = "p"\n  baseProviderDownloadUrl = "x y"\n}\n', [("PCL0214", "3:29")]),
    (
        "bad value",
        'package {\n  baseProviderName = "p"\n  parameterization {\n    name = "q"\n    version = "1.0.0"\n    value = "?"\n  }\n}\n',
        [("PCL0214", "6:13")],
    ),
    (
        "missing parameter",
        'package {\n  baseProviderName = "p"\n  parameterization {\n    name = "q"\n  }\n}\n',
        [("PCL0207", "3:20")],
    ),
    (
        "same file twice",
        'package { baseProviderName = "probe" }\npackage { baseProviderName = "probe" }\n',
        [("PCL0215", "2:1")],
    ),
    ("malformed token", 'resource r "a:b:c:d" {}\n', [("PCL0301", "1:12")]),
    ("unknown package of an invoke", 'a = invoke("nobody:index:f", {})\n', [("PCL0302", "1:12")]),
    (
        "unknown version",
        'package {\n  baseProviderName = "probe"\n  baseProviderVersion = "9.0.0"\n}\n' + R,
        [("PCL0303", "5:12")],
    ),
    ("reading a provider", 'read p "pulumi:providers:probe" {\n  id = "a"\n}\n', [("PCL0310", "1:8")]),
    ("reading a component", 'read p "probe:index:Group" {\n  id = "a"\n}\n', [("PCL0310", "1:8")]),
]

OPTIONS = [
    ("hooks no object", 'resource r "probe:index:Thing" {\n  options { hooks = "a" }\n}\n', [("PCL0702", "2:21")]),
    (
        "hooks no list",
        'resource r "probe:index:Thing" {\n  options { hooks = { afterCreate = 1 } }\n}\n',
        [("PCL0702", "2:37")],
    ),
    (
        "hook of the wrong kind",
        'hook error h { command = ["a"] }\nresource r "probe:index:Thing" {\n  options { hooks = { afterCreate = [h] } }\n}\n',
        [("PCL0709", "3:38")],
    ),
    (
        "alias member",
        'resource r "probe:index:Thing" {\n  options { aliases = [{ nam = "a" }] }\n}\n',
        [("PCL0402", "2:26")],
    ),
    (
        "timeout member",
        'resource r "probe:index:Thing" {\n  options { customTimeouts = { make = "5m" } }\n}\n',
        [("PCL0402", "2:32")],
    ),
    (
        "version literal",
        'config v string {}\nresource r "probe:index:Thing" {\n  options { version = v }\n}\n',
        [("PCL0208", "3:23")],
    ),
    ("range of text", 'resource r "probe:index:Thing" {\n  options { range = "x" }\n}\n', [("PCL0506", "2:21")]),
    ("dependsOn", 'resource r "probe:index:Thing" {\n  options { dependsOn = ["x"] }\n}\n', [("PCL0711", "2:26")]),
    ("protect", 'resource r "probe:index:Thing" {\n  options { protect = [] }\n}\n', [("PCL0401", "2:23")]),
    (
        "ignoreChanges depth",
        'resource r "probe:index:Thing" {\n  options { ignoreChanges = [obj.x] }\n}\n',
        [("PCL0502", "2:34")],
    ),
]

EXPRESSIONS = [
    ("map keys", 'config m "map(string)" {}\na = m[[1]]\n', [("PCL0415", "2:7")]),
    ("tuple index", "a = [1][5]\n", [("PCL0505", "1:9")]),
    ("negative index", "a = [1][-1]\n", [("PCL0505", "1:9")]),
    ("cannot traverse", 'a = "x"\nb = a.y\n', [("PCL0503", "2:7")]),
    ("null", "a = null\nb = a.x\n", [("PCL0508", "2:7")]),
    ("function as a variable", "a = length\n", [("PCL0501", "1:5")]),
    ("literal key", "a = { x = 1 }.y\n", [("PCL0502", "1:15")]),
]

BUILTINS = [
    ("no arguments", "a = entries()\n", [("PCL0602", "1:13")]),
    ("element", "a = element(1, 0)\n", [("PCL0604", "1:13")]),
    ("lookup", 'a = lookup(1, "a", 2)\n', [("PCL0604", "1:12")]),
    ("singleOrNone", "a = singleOrNone(1)\n", [("PCL0604", "1:18")]),
    ("recover", 'a = recover("x", "y")\n', [("PCL0604", "1:13")]),
    ("toJSON", "a = toJSON()\n", [("PCL0602", "1:12")]),
    ("can", "a = can(1, 2)\n", [("PCL0603", "1:12")]),
    ("try", "a = try()\n", [("PCL0602", "1:9")]),
    ("resource name", 'a = pulumiResourceName("x")\n', [("PCL0604", "1:24")]),
    ("invoke alone", "a = invoke()\n", [("PCL0602", "1:12")]),
    ("invoke without arguments", 'a = invoke("probe:index:getThing")\n', [("PCL0403", "1:34")]),
    ("positional, too many", 'a = invoke("probe:index:join", "a", "b", {}, 1)\n', [("PCL0603", "1:46")]),
    ("positional, too few", 'a = invoke("probe:index:join")\n', [("PCL0602", "1:30")]),
    ("positional, by an object", 'a = invoke("probe:index:join", { a = "x", b = "y" })\n', [("PCL0604", "1:32")]),
    ("positional, another object", 'a = invoke("probe:index:join", { c = "x" })\n', [("PCL0401", "1:32")]),
    ("method as a function", 'a = invoke("probe:index:Thing/describe", {})\n', [("PCL0311", "1:12")]),
    ("invoke options", 'a = invoke("probe:index:getAll", {}, 1)\n', [("PCL0611", "1:38")]),
    (
        "unknown member of invoke arguments",
        'a = invoke("probe:index:getThing", {name = "x", nme = 1})\n',
        [("PCL0402", "1:49")],
    ),
    ("method name", R + 'm = "describe"\na = call(r, m, {})\n', [("PCL0605", "3:13")]),
    ("unknown method", R + 'a = call(r, "describ", {})\n', [("PCL0309", "2:13")]),
    (
        "ranged receiver",
        'resource r "probe:index:Thing" {\n  options { range = 2 }\n}\na = call(r, "describe", {})\n',
        [("PCL0606", "4:10")],
    ),
    ("eventual argument of a plain method", R + 'a = call(r, "describe", {styl = 1})\n', [("PCL0402", "2:26")]),
]

ALL = [*STRUCTURE, *PACKAGES, *OPTIONS, *EXPRESSIONS, *BUILTINS]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in ALL], ids=[row[0] for row in ALL])
def test_one_diagnostic_at_its_place(text: str, expected: list[tuple[str, str]]) -> None:
    assert errors(text) == expected


def test_component_inputs() -> None:
    web = {"web": "config size int {}\noutput o {\n  value = size\n}\n"}
    assert errors('component c "./web" {}\n', components=web) == [("PCL0403", "1:21")]
    assert errors('component c "./web" {\n  size = 1\n  sice = 2\n}\n', components=web) == [("PCL0402", "3:3")]
    assert errors('component c "./web" {\n  size = []\n}\n', components=web) == [("PCL0401", "2:10")]
    assert errors('component c "./web" {\n  size = 1\n  token = "a:b:C"\n}\n', components=web) == [("PCL0402", "3:3")]


def test_warnings_of_the_list() -> None:
    assert codes_and_positions(bind_text('package "probe" {}\n')[1]) == [("PCL0213", "1:9")]
    assert codes_and_positions(bind_text(f"{R}a = r.oBj\n")[1]) == [("PCL0507", "2:7")]


@pytest.mark.parametrize(
    ("parent", "waits_for", "position"),
    [
        ("one", "[one]", "8:18"),
        ("one", "[other, one]", "8:25"),
        ("many[0]", "many", "8:17"),
        ("many[0]", "[many[0]]", "8:18"),
        ("many[0]", "[many[1]]", None),
        ("other", "[other]", None),
        ("one", "[other]", None),
    ],
)
def test_a_resource_does_not_wait_for_the_component_that_it_is_in(
    parent: str, waits_for: str, position: str | None
) -> None:
    web = {"web": "output x {\n  value = 1\n}\n"}
    text = 'component one "./web" {}\ncomponent many "./web" {\n  options { range = 2 }\n}\n'
    options = f"parent = {parent}\n    dependsOn = {waits_for}"
    text += f'resource r "probe:index:Thing" {{\n  options {{\n    {options}\n  }}\n}}\n'
    text += 'resource other "probe:index:Thing" {}\n'
    assert errors(text, components=web) == ([("PCL0712", position)] if position else [])
