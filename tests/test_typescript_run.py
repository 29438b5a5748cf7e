"""Generated TypeScript, executed on the real SDK with mocks, computes the values that PCL defines."""

from __future__ import annotations

import pytest

from tests.support.typescript_target import Outcome, run_all, typescript_case

THING = 'resource a "probe:index:Thing" {}\n'
PROGRAMS: dict[str, tuple[str, object]] = {
    "functions of outputs": (
        THING + 'output o { value = [length(a.names), join("+", a.names), element(a.names, 3)] }',
        [2, "x+y", "y"],
    ),
    "templates of outputs": (THING + 'output o { value = "<${a.out}-${a.int}-${a.flag}>" }', "<a-out-5-true>"),
    "conditions of outputs": (THING + 'output o { value = a.int > 4 ? a.out : "small" }', "a-out"),
    "loops over outputs": (THING + 'output o { value = [for n in a.names : "${n}/${a.out}"] }', ["x/a-out", "y/a-out"]),
    "maps in outputs are visited by key": (THING + 'output o { value = [for k, v in a.tags : "${k}${v}"] }', ["a2", "z1"]),
    "deep members": (THING + "output o { value = [a.obj.s, a.tags.z, a.names[1]] }", ["deep", "1", "y"]),
    "JSON of outputs": (THING + "output o { value = toJSON({ o = a.out, n = [a.int] }) }", '{"o":"a-out","n":[5]}'),
    "ranges by number": (
        'resource a "probe:index:Thing" {\n  options { range = 3 }\n  int = range.value\n}\noutput o { value = a[*].int }',
        [0, 1, 2],
    ),
    "ranges by map": (
        'resource a "probe:index:Thing" {\n  options { range = { y = 1, x = 2 } }\n  int = range.value\n}\n'
        "output o { value = { for k, v in a : k => v.int } }",
        {"x": 2, "y": 1},
    ),
    "ranges by an output": (
        THING + 'resource b "probe:index:Thing" {\n  options { range = a.names }\n  label = range.value\n}\n'
        "output o { value = b[*].out }",
        ["b-0-out", "b-1-out"],
    ),
    "a resource that is not made": (
        'config wanted bool { default = false }\nresource a "probe:index:Thing" {\n  options { range = wanted }\n}\n'
        'output o { value = [a.out == null ? "none" : "some"] }',
        ["none"],
    ),
    "invokes": (
        'output o { value = invoke("probe:index:getThing", { name = "n" }).result }',
        '{"name":"n"}',
    ),
    "positional invokes": ('output o { value = invoke("probe:index:join", "l", "r").result }', '{"a":"l","b":"r"}'),
    "methods with outputs": (THING + 'output o { value = call(a, "describe", { style = "s" }).text }', "described s"),
    "methods with plain results": (THING + 'output o { value = call(a, "measure", {}) }', 7),
    "JSON": ('output o { value = toJSON({ a = null, b = [true, 1.5, "x"] }) }', '{"a":null,"b":[true,1.5,"x"]}'),
    "attempts over outputs": (THING + 'output o { value = try(a.names[7], "none") }', "none"),
    "config keeps falsy values": (
        "config n int { default = 5 }\nconfig b bool { default = true }\noutput o { value = [n, b] }",
        [5, True],
    ),
    "defaults that are known later": (
        'config a string { default = invoke("probe:index:scalar", {}) }\noutput o { value = "${a}!" }',
        "scalar!",
    ),
    "nine outputs at once": (
        THING + 'output o { value = length([for n in [a.out, a.out] : n]) > 1 ? "${a.out}" : join("", [a.out, a.id, '
        "a.obj.s, a.names[0], a.names[1], a.tags.a, a.tags.z, a.obj.s, a.out, a.id]) }",
        "a-out",
    ),
    "names that look like other things": (
        'config class string { default = "c" }\nconfig config string { default = "d" }\nresource pulumi '
        '"probe:index:Thing" {}\nresource probe "probe:index:Thing" { out = "${class}${config}" }\n'
        "output o { value = [pulumi.out, probe.out, class] }",
        ["pulumi-out", "cd", "c"],
    ),
}


@pytest.fixture(scope="module")
def programs() -> dict[str, Outcome]:
    return dict(zip(PROGRAMS, run_all([typescript_case(text) for text, _ in PROGRAMS.values()]), strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(programs: dict[str, Outcome], name: str) -> None:
    assert programs[name].error == ""
    assert programs[name].exports == {"o": PROGRAMS[name][1]}


def test_explicit_falsy_values_are_kept() -> None:
    text = (
        'config a bool { default = true }\nconfig b int { default = 5 }\nconfig c string { default = "x" }\n'
        "config d string { default = null }\noutput o { value = [a, b, c, d == null] }"
    )
    configured, bare = run_all([typescript_case(text, config={"a": "false", "b": "0", "c": ""}), typescript_case(text)])
    assert configured.exports == {"o": [False, 0, "", True]}
    assert bare.exports == {"o": [True, 5, "x", True]}


COMPONENT = (
    'config label string {}\nconfig size int { default = 3 }\nresource inner "probe:index:Thing" {\n'
    '  out = "${label}!"\n  int = size\n}\noutput text { value = "${inner.out}/${size}" }\n'
)


def test_components() -> None:
    """Arguments may be plain or outputs; children are named after the component."""
    plain = 'component c "./web" { label = "l" }\noutput o { value = c.text }'
    later = THING + 'component c "./web" {\n  label = a.out\n  size  = a.int\n}\noutput o { value = c.text }'
    outcomes = run_all([typescript_case(text, components={"web": COMPONENT}) for text in (plain, later)])
    assert [outcome.error for outcome in outcomes] == ["", ""]
    assert [outcome.exports["o"] for outcome in outcomes] == ["l!/3", "a-out!/5"]
    assert {name for _, name, _ in outcomes[0].resources} == {"c", "c-inner"}


def test_components_that_need_each_other() -> None:
    text = (
        'component one "./first" { peer = two.text }\ncomponent two "./second" { peer = one.text }\n'
        "output o { value = [one.seen, two.seen] }"
    )
    first = 'config peer string {}\noutput text { value = "first" }\noutput seen { value = "saw ${peer}" }'
    second = first.replace('"first"', '"second"')
    (outcome,) = run_all([typescript_case(text, components={"first": first, "second": second})])
    assert outcome.error == ""
    assert outcome.exports == {"o": ["saw second", "saw first"]}
