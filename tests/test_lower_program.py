"""Lowering of whole programs: components, ranges, locals, cost, and the checker of lowered programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping

import pytest
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.check import check_expression, check_lowered
from pclgen.core.pretty import pretty, pretty_program
from pclgen.core.program import ComponentUse, ConfigVariable, Local, Program, Resource
from pclgen.core.walk import children, components_of, free_symbols, postorder, rewrite, substitute, walk, with_children
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from pclgen.types import model as ty
from pclgen.types.declarations import Shape
from tests.support.binding import bind_text
from tests.support.counting import calls_of
from tests.support.lowering import CAPABILITIES, lower_text, lowered_text

SETUP = """
config flag bool {}
resource r "probe:index:Thing" {}
resource rs "probe:index:Thing" {
  options { range = 2 }
}
"""


@pytest.fixture
def deep() -> Iterator[None]:
    """Raise the recursion limit, as the pipeline does."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(60_000)
    yield
    sys.setrecursionlimit(before)


def subject(expression: str, target: str = "declared") -> core.Expr:
    node = next(
        node
        for node in lower_text(f"{SETUP}\nsubject = {expression}\n", target).nodes
        if isinstance(node, Local) and node.symbol.name == "subject"
    )
    return node.value


def test_one_bound_program_serves_all_targets() -> None:
    program, _ = bind_text(f'{SETUP}\na = "${{r.list[0].s}}-${{r.int + 1}}"\nb = r.list[0].s\n')
    before = pretty_program(program, types=True)
    first = {name: pretty_program(lower_program(program, c, DiagnosticBag())) for name, c in CAPABILITIES.items()}
    again = {name: pretty_program(lower_program(program, c, DiagnosticBag())) for name, c in CAPABILITIES.items()}
    assert first == again
    assert pretty_program(program, types=True) == before
    assert first["declared"] != first["everything"]


def test_what_needs_nothing_stays_the_same_object() -> None:
    program, _ = bind_text('a = [for x in ["p"] : "${x}!"]\nb = { c = a[0], d = 1 + 2 }\n')
    lowered = lower_program(program, CAPABILITIES["declared"], DiagnosticBag())
    for before, after in zip(program.nodes, lowered.nodes, strict=True):
        assert isinstance(before, Local) and isinstance(after, Local)
        assert after.value is before.value


def test_components_are_lowered_inside_and_once() -> None:
    part = 'resource r "probe:index:Thing" {}\noutput sum {\n  value = r.int + 1\n}\n'
    text = 'component a "./p" {}\ncomponent b "./p" {}\ntwo = a.sum + b.sum\n'
    lowered = lower_text(text, components={"./p": part, "p": part})
    uses = [node for node in lowered.nodes if isinstance(node, ComponentUse)]
    assert uses[0].component is uses[1].component is lowered.components[0]
    assert "apply(r.int as int => int + 1)" in pretty_program(lowered)
    assert "two = apply(a.sum as aSum, b.sum as bSum => aSum + bSum)" in pretty_program(lowered)


THING = 'resource t{} "probe:index:Thing" {{\n  {}\n}}\n'
ONLY_WHOLE: Mapping[str, str] = {
    "an input": THING.format(0, "int = n"),
    "a range": THING.format(0, "options {\n    range = n\n  }"),
    "inputs, once in a conditional": "config on bool {\n}\n" + THING.format(0, "int = n") + THING.format(1, "int = on ? n : 3"),
}
ELSEWHERE: Mapping[str, str] = {
    "no use": "",
    "a number": THING.format(0, "any = n"),
    "a text, too": THING.format(0, 'int = n\n  label = "${n}"'),
    "a comparison": THING.format(0, "int = n > 3 ? n : 3"),
    "a sum": THING.format(0, "int = n + 1"),
    "an attempt": THING.format(0, 'int = n\n  label = try(element(["a", "b"], n), "c")'),
    "an output, too": THING.format(0, "int = n") + "output o {\n  value = n\n}\n",
}
"""Uses of the configuration variable `n`, a number."""


def read_number(body: str, text: str) -> tuple[ConfigVariable, str]:
    """The lowered configuration variable `n`, declared with `body` in a program with `text`, and the printed program."""
    lowered = lower_text(f"config n number {{\n  {body}\n}}\n{text}")
    [variable] = [node for node in lowered.nodes if isinstance(node, ConfigVariable) and node.logical_name == "n"]
    return variable, pretty_program(lowered)


@pytest.mark.parametrize("use", ONLY_WHOLE)
@pytest.mark.parametrize(("body", "default"), [("", None), ("default = 3", 3), ("default = 3.0", 3), ("secret = true", None)])
def test_configuration_that_is_only_used_as_a_whole_number_is_read_as_one(use: str, body: str, default: object) -> None:
    if body == "secret = true" and use == "a range":
        return  # a secret is not a range
    variable, text = read_number(body, ONLY_WHOLE[use])
    assert variable.type is ty.resolve(variable.symbol.type) is ty.INT
    assert variable.symbol.type.eventual is (body == "secret = true")
    value = variable.default.value if isinstance(variable.default, core.Literal) else None
    assert (value, type(value)) == (default, type(default))
    assert "convert<int>(n)" not in text


@pytest.mark.parametrize(("body", "use"), [*(("", use) for use in ELSEWHERE), ("default = 2.5", "a sum"), ("default = 1e300", "no use")])
def test_configuration_with_other_uses_stays_a_number(body: str, use: str) -> None:
    variable, _ = read_number(body, ELSEWHERE[use])
    assert variable.type is variable.symbol.type is ty.NUMBER


def test_inputs_of_components_keep_their_types() -> None:
    part = "config n number {\n}\n" + THING.format(0, "int = n")
    lowered = lower_text('component a "./p" {\n  n = 3\n}\n', components={"./p": part, "p": part})
    assert "config n: number" in pretty_program(lowered)


def test_eventual_ranges_stay_eventual() -> None:
    lowered = lower_text(
        f'{SETUP}\nresource t "probe:index:Thing" {{\n  label = range.value\n  options {{ range = r.names }}\n}}\n'
    )
    (node,) = (n for n in lowered.nodes if isinstance(n, Resource) and n.symbol.name == "t")
    assert node.range is not None
    assert node.range.value.type is ty.output_of(ty.list_of(ty.STRING))


def test_the_value_of_an_eventual_local_is_an_output_object() -> None:
    assert isinstance(subject('flag ? r.out : "z"'), core.All)
    assert not isinstance(subject("r.out"), core.All)


def test_objects_made_inside_an_apply_have_the_plain_shape() -> None:
    lowered = lower_text(
        f'{SETUP}\nresource t "probe:index:Thing" {{\n  list = [for n in r.names : {{ s = n }}]\n}}\n'
    )
    (node,) = (n for n in lowered.nodes if isinstance(n, Resource) and n.symbol.name == "t")
    objects = [e for e in walk(node.inputs[0].value) if isinstance(e, core.ObjectExpr)]
    assert [m.type.shape for m in objects if isinstance(m.type, ty.NominalType)] == [Shape.PLAIN]


def test_parameters_have_resolved_types() -> None:
    value = subject("r.names[0] == r.out")
    assert isinstance(value, core.Apply)
    assert [(p.name, p.type) for p in value.parameters] == [("names", ty.list_of(ty.STRING)), ("out", ty.STRING)]


def test_targets_differ_in_what_they_lift() -> None:
    text = f"{SETUP}\na = r.list[0].s\n"
    assert "a = r.list[0].s" in lowered_text(text, "everything")
    assert "a = apply(r.list as list => list[0].s)" in lowered_text(text, "declared")


# Cost.


def _calls(text: str) -> int:
    """The cost of lowering, in function calls."""
    program, diagnostics = bind_text(text)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    lowered: list[Program] = []
    count = calls_of(lambda: lowered.append(lower_program(program, CAPABILITIES["declared"], DiagnosticBag())))
    assert check_lowered(lowered[0], CAPABILITIES["declared"]) == []
    return count


def test_forty_nested_conditionals_over_outputs(deep: None) -> None:
    chain = '"end"'
    for number in range(40):
        chain = f'(r.int == {number} ? "${{r.out}}-{number}" : {chain})'
    assert _calls(f"{SETUP}\na = {chain}\n") < 400_000


def test_forty_nested_conditionals_that_guard_something(deep: None) -> None:
    chain = '"end"'
    for number in range(40):
        chain = f"(r.int == {number} ? rs[{number}].out : {chain})"
    assert _calls(f"{SETUP}\na = {chain}\n") < 400_000


def test_a_long_chain_of_locals(deep: None) -> None:
    lines = ["a0 = r.out"] + [
        f"a{i} = flag ? {{ p{i} = a{i - 1} }} : {{ q{i} = a{i - 1} }}" for i in range(1, 30)
    ]
    assert _calls("\n".join([SETUP, *lines, "z = toJSON(a29)", ""])) < 400_000


def test_deep_nesting(deep: None) -> None:
    inner = "r.out"
    for _ in range(90):
        inner = f"[{inner}]"
    loops = '"${r.out}"'
    for number in range(60):
        loops = f'[for v{number} in ["x"] : {loops}]'
    assert _calls(f"{SETUP}\na = {inner}\nb = {loops}\nc = length({inner})\n") < 400_000


def test_cost_grows_with_the_size_of_the_program(deep: None) -> None:
    def program(count: int) -> str:
        lines = [f'v{i} = join("-", [r.out, "${{r.list[{i}].s}}", r.int > {i} ? "a" : r.out])' for i in range(count)]
        return "\n".join([SETUP, *lines, ""])

    _calls(program(50))  # fills the caches
    assert _calls(program(600)) < 4.4 * _calls(program(150))


# The checker: it must detect each violation.


def _r_out() -> tuple[core.Attr, core.Literal]:
    value = subject("[r.out, 1]")
    assert isinstance(value, core.ListExpr)
    attribute, literal = value.elements
    assert isinstance(attribute, core.Attr) and isinstance(literal, core.Literal)
    return attribute, literal


def test_the_checker_sees_a_dangling_parameter() -> None:
    value = subject('split(",", r.out)')
    assert isinstance(value, core.Apply)
    assert check_expression(value, CAPABILITIES["declared"]) == []
    (problem,) = check_expression(value.body, CAPABILITIES["declared"])
    assert "used outside" in problem


def test_the_checker_sees_an_eventual_operand() -> None:
    value = subject("r.int + 1")
    assert isinstance(value, core.Apply)
    parameter = value.parameters[0]
    broken = rewrite(
        value.body, lambda e: value.args[0] if isinstance(e, core.Ref) and e.symbol is parameter else e
    )
    assert any("plain one is needed" in p for p in check_expression(broken, CAPABILITIES["declared"]))


def test_the_checker_sees_a_step_that_is_not_lifted() -> None:
    value = subject("r.list[0].s", "everything")
    assert check_expression(value, CAPABILITIES["everything"]) == []
    assert any("does not lift" in p for p in check_expression(value, CAPABILITIES["declared"]))


def test_the_checker_sees_a_plain_argument() -> None:
    value = subject('split(",", r.out)')
    assert isinstance(value, core.Apply)
    _, literal = _r_out()
    broken = replace(value, args=(literal,))
    assert any("may not be an output" in p for p in check_expression(broken, CAPABILITIES["declared"]))


def test_the_checker_sees_a_loop_over_an_output() -> None:
    value = subject("[for p in rs : p.out]")
    assert isinstance(value, core.For)
    attribute, _ = _r_out()
    broken = replace(value, collection=attribute)
    assert any("collection is eventual" in p for p in check_expression(broken, CAPABILITIES["declared"]))


def test_the_checker_sees_an_interpolation_for_the_wrong_target() -> None:
    value = subject('"x${r.out}"')
    assert any("interpolation" in p for p in check_expression(value, CAPABILITIES["nothing"]))


# Walking.


def test_rewrite_keeps_what_does_not_change() -> None:
    value = subject('{ a = [r.out, "x"], b = [1, 2] }')
    assert isinstance(value, core.ObjectExpr)
    assert rewrite(value, lambda e: e) is value
    changed = rewrite(value, lambda e: replace(e, value="y") if isinstance(e, core.Literal) and e.value == "x" else e)
    assert isinstance(changed, core.ObjectExpr)
    assert changed.items[1] is value.items[1]
    assert pretty(changed) == '{a = [r.out, "y"], b = [1, 2]}'


def test_children_and_with_children_agree_on_every_kind_of_node() -> None:
    text = """
    subject = [
      r.list[0].s, { a = -1, (r.out) = 2 }, "x${flag}", !flag, flag && true, flag ? 1 : 2,
      [for k, v in rs : v.id if k > 0], { for k, v in rs : v.out => k... }, length("a"), r.out * 1,
      invoke("probe:index:getThing", { name = "x" }), recover(r.out, error), join(",", [for p in rs : p.id]),
    ]
    """
    for value in (bound_subject(text), lowered_subject(text)):
        for node in walk(value):
            parts = list(children(node))
            assert with_children(node, parts) is node
            copies = [replace(part) for part in parts]
            copied = with_children(node, copies)
            assert all(a is b for a, b in zip(children(copied), copies, strict=True))


def bound_subject(text: str) -> core.Expr:
    program, _ = bind_text(SETUP + text)
    return next(n.value for n in program.nodes if isinstance(n, Local) and n.symbol.name == "subject")


def lowered_subject(text: str) -> core.Expr:
    nodes = lower_text(SETUP + text).nodes
    return next(n.value for n in nodes if isinstance(n, Local) and n.symbol.name == "subject")


def test_walks_visit_in_source_order() -> None:
    value = bound_subject("subject = [1, [2, 3], flag ? 4 : 5]\n")
    literals = [e.value for e in walk(value) if isinstance(e, core.Literal)]
    assert literals == [1, 2, 3, 4, 5]
    assert [e.value for e in postorder(value) if isinstance(e, core.Literal)] == [1, 2, 3, 4, 5]
    assert next(walk(value)) is value
    assert list(postorder(value))[-1] is value


def test_free_symbols_leave_out_what_is_bound_inside() -> None:
    value = bound_subject('subject = [for k, v in rs : "${k}${v.id}${r.out}" if flag]\n')
    assert [symbol.name for symbol in free_symbols(value)] == ["rs", "r", "flag"]
    assert isinstance(value, core.For)
    assert [symbol.name for symbol in free_symbols(value.result)] == ["k", "v", "r"]


def test_substitute_replaces_references() -> None:
    value = bound_subject("subject = [r.out, flag]\n")
    symbol = next(e.symbol for e in walk(value) if isinstance(e, core.Ref) and e.symbol.name == "flag")
    other = replace(symbol, name="other")
    assert pretty(substitute(value, {symbol: other})) == "[r.out, other]"


def test_walking_does_not_recurse() -> None:
    value: core.Expr = _r_out()[1]
    for _ in range(5_000):
        value = core.ListExpr(elements=(value,), type=ty.list_of(ty.STRING), span=value.span)
    assert sum(1 for _ in walk(value)) == 5_001
    assert rewrite(value, lambda e: e) is value
    assert free_symbols(value) == ()


# Printing.


def test_pretty_shows_types_on_request() -> None:
    assert pretty(subject("r.int + 1"), types=True) == (
        "apply(r.int:(output(int)) as int:(int) => int + 1:(int)):(output(int))"
    )


def test_pretty_tells_equal_names_apart() -> None:
    assert pretty(bound_subject('subject = [for x in ["a"] : [for x in ["b"] : x]]\n')) == (
        '[for x in ["a"] : [for x\' in ["b"] : x\']]'
    )


def test_pretty_quotes_text() -> None:
    assert pretty(bound_subject('subject = "a$${b}${flag}\\n"\n')) == '"a$${b}${flag}\\n"'


def test_components_are_gone_through_once_each() -> None:
    """Each level uses both components of the next level: 2^40 paths lead from the program to the last."""
    texts = {"main": 'component a "a0" {}\ncomponent b "b0" {}\n'}
    for level in range(40):
        uses = f'component a "../a{level + 1}" {{}}\ncomponent b "../b{level + 1}" {{}}\n' if level < 39 else "x = 1\n"
        texts |= {f"a{level}": uses, f"b{level}": uses}
    program, diagnostics = bind_text(texts.pop("main"), components=texts)
    assert diagnostics == ()
    assert [component.path for component in components_of(program)] == [f"a{n}" for n in range(40)] + [
        f"b{n}" for n in reversed(range(40))
    ]
