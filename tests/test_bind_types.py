"""The types of expressions: the verified table of the specification (appendix B), with the gaps of section 13 filled."""

from __future__ import annotations

import pytest

from pclgen.core.program import ConfigVariable
from pclgen.types.show import show
from tests.support.binding import bind_text, type_of

SETUP = """
config count int {}
config ratio number {}
config names "list(string)" {}
config tags "map(string)" {}
config flag bool {}
config spec "object({name = string, size = number})" {}
config optList "list(string)" { default = null }
config secrets "map(string)" { secret = true }
config zones "set(string)" {}
resource r "probe:index:Thing" {}
resource rs "probe:index:Thing" {
  options { range = names }
}
resource rm "probe:index:Thing" {
  options { range = tags }
}
resource rn "probe:index:Thing" {
  options { range = count }
}
resource ro "probe:index:Thing" {
  options { range = flag }
}
"""

TABLE = [
    ("1", "int"),
    ("1.5", "number"),
    ('"s"', "string"),
    ('"${count}"', "int"),
    ('"n=${count}"', "string"),
    ('"n=${r.out}"', "output(string)"),
    ("count + count", "int"),
    ("count + 1", "int"),
    ("length([1, 2]) + count", "int"),
    ("-length([1, 2])", "int"),
    ("count / count", "number"),
    ("-count", "int"),
    ("count < 3", "bool"),
    ("!flag", "bool"),
    ('flag ? 1 : "x"', "string"),
    ('flag ? r.out : "x"', "output(string)"),
    ('r.out == "q" ? 1 : 2', "output(int)"),
    ('flag ? {a = 1} : {b = "x"}', "{a: int?, b: string?}"),
    ("flag ? [1] : []", "list(int)"),
    ('[1, "a"]', "[int, string]"),
    ('{a = 1, "b" = r.out}', "{a: int, b: output(string)}"),
    ("{(spec.name) = 1, b = 2}", "map(int)"),
    ("names[0]", "string"),
    ("names[count]", "string"),
    ('tags["k"]', "string"),
    ("tags.k", "string"),
    ("spec.name", "string"),
    ('spec["size"]', "number"),
    ("r.list[0].s", "output(string)"),
    ("r.obj.inner.s", "output(string?)"),
    ("r.en", "output(Mode?)"),
    ("r.list[*].s", "output(list(string))"),
    ("[for o in r.list : o.s]", "output(list(string))"),
    ("[for n in names : r.out]", "list(output(string))"),
    ("[for n in names : n if r.out == n]", "output(list(string))"),
    ("[for i, n in names : i]", "list(int)"),
    ("[for z in zones : z]", "list(string)"),
    ("{for k, v in tags : k => v}", "map(string)"),
    ("{for n in names : n => 1...}", "map(list(int))"),
    ("rs[0].out", "output(string)"),
    ("rs[*].out", "list(output(string))"),
    ("rs[count].out", "output(string)"),
    ('rm["a"].out', "output(string)"),
    ("rn[0].out", "output(string)"),
    ("ro.out", "output(string)?"),
    ("spec[*].name", "list(string)"),
    ('split(",", r.out)', "output(list(string))"),
    ('join(",", names)', "string"),
    ('join(",", rs[*].out)', "output(string)"),
    ("length(r.list)", "output(int)"),
    ("can(r.out)", "output(bool)"),
    ('try(spec.name, "x")', "string"),
    ("element(names, 1)", "string"),
    ('lookup(tags, "a", "b")', "string"),
    ("toJSON({a = r.out})", "output(string)"),
    ('secret("a")', "output(string)"),
    ("max(1, 2.5)", "number"),
    ("max(ratio, 1)", "number"),
    ("singleOrNone(names)", "string?"),
    ("entries(tags)", "list({key: string, value: string})"),
    ("range(3)", "list(int)"),
    ('invoke("probe:index:getThing", {name = "x"}).result', "output(string)"),
    ('invoke("probe:index:getThing", {name = r.out}).result', "output(string)"),
    ('invoke("probe:index:getAll").names', "output(list(string))"),
    ('invoke("probe:index:join", "a", null).result', "output(string)"),
    ('invoke("probe:index:scalar", {x = "a"})', "output(string)"),
    ('call(r, "describe", {style = "x"}).text', "output(string)"),
    ('call(r, "measure", {})', "int"),
    ('recover(r.out, "d ${error}")', "output(string)"),
    ("[for x in optList : x]", "list(string)"),
    ("optList[0]", "string"),
    ("[for k, v in secrets : v]", "output(list(string))"),
    ('"%{ for n in names }${n},%{ endfor }"', "string"),
    ('"%{ if flag }a%{ else }b%{ endif }"', "string"),
    ("[1, 2][1]", "int"),
    ("r.any.what.ever", "output(any)"),
]


@pytest.mark.parametrize(("expression", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_type_of_expression(expression: str, expected: str) -> None:
    assert show(type_of(SETUP, expression)) == expected


def test_chain_of_conditionals_stays_small() -> None:
    """Each level adds one member; the peer's types double (pain V23)."""
    lines = ["config c bool {}", "a0 = 1"]
    lines += [f"a{i} = c ? {{ p{i} = a{i - 1} }} : {{ q{i} = a{i - 1} }}" for i in range(1, 41)]
    assert show(type_of("\n".join(lines), "try(a40.p40.p39.p38, null)")) != ""


WEB = 'config label string {}\nconfig parts "list(string)" {}\nresource r "probe:index:Thing" {\n  label = label\n  options { range = parts }\n}\n'


def config_types(uses: str) -> dict[str, tuple[str, bool]]:
    """The type of the symbol of each input of the component `./web` after `uses`, and whether it is plain."""
    program, diagnostics = bind_text(uses, components={"web": WEB})
    assert diagnostics == ()
    inside = program.components[0].program.nodes
    return {n.logical_name: (show(n.symbol.type), n.plain_input) for n in inside if isinstance(n, ConfigVariable)}


def test_component_inputs_stay_plain_while_all_uses_are() -> None:
    uses = 'component a "./web" {\n  label = "x"\n  parts = ["y"]\n}\n'
    assert config_types(uses) == {"label": ("string", False), "parts": ("list(string)", True)}


def test_an_output_of_one_use_makes_a_component_input_eventual() -> None:
    uses = (
        'resource s "probe:index:Thing" {}\ncomponent a "./web" {\n  label = s.out\n  parts = ["y"]\n}\n'
        'component b "./web" {\n  label = "x"\n  parts = s.names\n}\n'
    )
    assert config_types(uses) == {"label": ("output(string)", False), "parts": ("output(list(string))", False)}
