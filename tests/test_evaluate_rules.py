"""The rules of the type-system document (seeds) on dependencies, unknowns and secrets, each with its test.

`RULES` is the list; it is the source of the table in pclgen/ARCHITECTURE.md.  Every rule has a test marked with its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.evaluate.values import (
    Output,
    ResourceValue,
    Value,
    all_of,
    apply,
    as_output,
    holds_output,
    marked_secret,
)
from pclgen.stdlib.model import UNKNOWN
from pclgen.trace import model as tr
from tests.support.corpus import ROOT
from tests.support.evaluation import Answers, evaluate, named, names, output, trace_of

RULES: Mapping[str, str] = {
    "dependency of a property": "an output property of a resource depends on that resource",
    "dependency of a computation": "what is computed from a value depends on what the value depends on",
    "unknown in a preview": "what only an operation can tell is unknown in a preview, and known in an update",
    "unknown computation": "a computation that needs an unknown value does not run; its result is unknown",
    "partly unknown": "a known part of a partly unknown value can be had; the whole cannot be computed with",
    "secret mark": "a value may be marked as secret",
    "secret computation": "what is computed from a secret is secret",
    "apply: dependencies": "apply hands on the dependencies of its argument",
    "apply: unknown": "apply does not run its callback on an unknown value, and is unknown",
    "apply: secret": "apply on a secret is secret",
    "unwrap: dependencies": "an output in an output depends on what both depend on",
    "unwrap: unknown": "an output in an output is unknown when either is",
    "unwrap: secret": "an output in an output is secret when either is",
    "all: dependencies": "all depends on what any of its arguments depends on",
    "all: unknown": "all is unknown when any of its arguments is",
    "all: secret": "all is secret when any of its arguments is",
    "all: objects": "all of an object is all of its members",
    "plain shape": "all leaves no output inside of its result",
    "promise": "the failure of an asynchronous computation stops the program",
    "input": "an input takes a value or an output of it, at every level (input shape)",
    "resource reference": "a reference to a resource is its URN, with its id when it has one, unknown while it is",
    "number": "a number is an IEEE-754 double",
    "asset": "an asset or archive is literal, a path or an address; an archive may hold others",
    "map": "a map has no order",
}
"""The rules by their names, with a short version of the document's statements."""

Outputs: TypeAlias = Mapping[str, tr.Properties]

_Test = TypeVar("_Test", bound=Callable[..., None])
_TESTS: dict[str, str] = {}


def rule(*rules: str) -> Callable[[_Test], _Test]:
    """Mark a test of rules."""

    def mark(test: _Test) -> _Test:
        for name in rules:
            assert name in RULES, name
            _TESTS.setdefault(name, test.__name__)
        return test

    return mark


def thing(name: str, body: str = "") -> str:
    return f'resource {name} "probe:index:Thing" {{\n{body}\n}}\n'


# --- through programs --------------------------------------------------------------------------------------------------


@rule("dependency of a property")
@pytest.mark.parametrize("attribute", ["out", "id", "urn", "list[0].s", "tags.k"])
def test_properties_depend_on_their_resource(attribute: str) -> None:
    answers: Outputs = {"a": {"out": "x", "list": ({"s": "y"},), "tags": {"k": "z"}}}
    registration = named(trace_of(thing("a") + thing("b", f"out = a.{attribute}"), outputs=answers), "b")
    assert names(registration.dependencies) == ["a"]
    assert {key: names(urns) for key, urns in registration.property_dependencies.items()} == {"out": ["a"]}


@rule("dependency of a computation")
@pytest.mark.parametrize(
    "computed",
    [
        '"<${a.out}>"',
        'a.out == "x" ? "1" : "2"',
        'join("", [a.out, "k"])',
        '[for x in a.names : "${x}!"][0]',
        "toJSON({ k = a.out })",
        "secret(a.out)",
        "unsecret(secret(a.out))",
        'try(a.list[9].s, "none")',
        'invoke("probe:index:getThing", { name = a.out }).result',
    ],
)
def test_computations_depend_on_what_they_use(computed: str) -> None:
    answers: Outputs = {"a": {"out": "x", "names": ("n",), "list": ()}, "probe:index:getThing": {"result": "v"}}
    registration = named(trace_of(thing("a") + thing("b", f"out = {computed}"), outputs=answers), "b")
    assert names(registration.property_dependencies["out"]) == ["a"]


@rule("dependency of a computation")
def test_dependencies_are_forwarded_through_locals_and_components() -> None:
    text = thing("a") + 'x = "${a.out}"\ncomponent c "./c" {\n  given = x\n}\n' + thing("b", "out = c.made")
    inner = 'config given string {}\nresource r "probe:index:Thing" {\n  out = given\n}\noutput made {\n  value = r.out\n}\n'
    trace = trace_of(text, components={"c": inner}, outputs={"a": {"out": "x"}})
    assert names(named(trace, "c-r").dependencies) == ["a"]
    assert names(named(trace, "b").dependencies) == ["c-r"]


@rule("unknown in a preview")
def test_a_preview_does_not_know_what_only_an_update_can_tell() -> None:
    text = thing("a", 'out = "given"') + "output o {\n  value = [a.id, a.out, a.num]\n}\n"
    assert output(text, outputs={"a": {"num": 1}}) == ("a-id", "given", 1)
    assert output(text, preview=True) == (tr.UNKNOWN, "given", tr.UNKNOWN)


@rule("unknown computation")
@pytest.mark.parametrize(
    "computed",
    [
        '"<${a.id}>"',
        'a.id == "x" ? "1" : "2"',
        'join("", [a.id, "k"])',
        "length([for x in a.names : x])",
        "toJSON({ k = a.id })",
        'a.flag && notImplemented("never runs") == "x"',
        'invoke("probe:index:getThing", { name = a.id }).result',
    ],
)
def test_computations_with_unknowns_do_not_run(computed: str) -> None:
    model = Answers({})
    evaluation = evaluate(thing("a") + f"output o {{\n  value = {computed}\n}}\n", preview=True, model=model)
    assert [d.message for d in evaluation.diagnostics] == []
    assert evaluation.trace.outputs["o"] == tr.UNKNOWN
    assert model.called == []


@rule("partly unknown")
def test_parts_of_a_partly_unknown_value() -> None:
    answers: Outputs = {"a": {"tags": {"known": "k", "later": tr.UNKNOWN}}}
    text = thing("a") + 'output o {\n  value = [a.tags.known, a.tags.later, "${length(a.tags)}"]\n}\n'
    assert output(text, outputs=answers, preview=True) == ("k", tr.UNKNOWN, tr.UNKNOWN)


@rule("secret mark")
@pytest.mark.parametrize("marked", ['secret("s")', "given", "a.out"])
def test_values_are_marked_secret(marked: str) -> None:
    text = 'config given string {\n  default = "s"\n  secret = true\n}\n' + thing("a", 'out = secret("s")')
    assert output(text + f"output o {{\n  value = {marked}\n}}\n") == tr.Secret("s")


@rule("secret computation")
@pytest.mark.parametrize(
    ("computed", "value"),
    [
        ('"<${secret("s")}>"', "<s>"),
        ("length(secret([1, 2]))", 2),
        ("secret(true) ? 1 : 2", 1),
        ("[for x in secret([1]) : x + 1]", (2,)),
        ('toJSON({ k = secret("s") })', '{"k":"s"}'),
        ('{ for k in ["a"] : secret(k) => 1 }', {"a": 1}),
        ('secret({ k = "v" }).k', "v"),
        ('secret(["v"])[0]', "v"),
        ("secret(1) + 1", 2),
        ('can(secret("s"))', True),
        ('invoke("probe:index:getThing", { name = secret("s") }).result', "v"),
    ],
)
def test_computations_with_secrets_are_secret(computed: str, value: tr.PropertyValue) -> None:
    text = f"output o {{\n  value = {computed}\n}}\n"
    assert output(text, outputs={"probe:index:getThing": {"result": "v"}}) == tr.Secret(value)


@rule("secret mark")
def test_the_mark_is_taken_off_on_request_only() -> None:
    assert output('output o {\n  value = unsecret(secret("s"))\n}\n') == "s"


# --- the combinators ---------------------------------------------------------------------------------------------------


def resource(name: str) -> ResourceValue:
    return ResourceValue(urn=f"urn:{name}", type="t", name=name, custom=True, remote=False)


MADE = [resource("a"), resource("b"), resource("c")]
OUTPUTS = st.builds(
    lambda value, is_known, secret, resources: Output(value if is_known else UNKNOWN, is_known, secret, frozenset(resources)),
    st.integers(),
    st.booleans(),
    st.booleans(),
    st.sets(st.sampled_from(MADE)),
)


@rule("apply: dependencies", "apply: unknown", "apply: secret")
@given(OUTPUTS)
def test_apply(value: Output) -> None:
    ran: list[Value] = []

    def callback(plain: Value) -> Value:
        ran.append(plain)
        return "result"

    result = apply((value,), callback)
    assert result.dependencies == value.dependencies
    assert result.known == value.known and bool(ran) == value.known
    assert result.value == ("result" if value.known else UNKNOWN)
    assert result.secret == value.secret


@rule("unwrap: dependencies", "unwrap: unknown", "unwrap: secret")
@given(OUTPUTS, OUTPUTS)
def test_unwrap(outer: Output, inner: Output) -> None:
    result = apply((outer,), lambda _: inner)
    runs = outer.known
    assert result.known == (outer.known and inner.known)
    assert result.secret == (outer.secret or (runs and inner.secret))
    assert result.dependencies == (outer.dependencies | inner.dependencies if runs else outer.dependencies)
    assert not isinstance(result.value, Output)


@rule("all: dependencies", "all: unknown", "all: secret", "plain shape")
@given(st.lists(OUTPUTS, max_size=4))
def test_all(values: list[Output]) -> None:
    result = as_output(list(values))
    assert result.dependencies == frozenset().union(*(value.dependencies for value in values))
    assert result.known == all(value.known for value in values)
    assert result.secret == any(value.secret for value in values)
    assert result.value == [value.value for value in values]
    assert not holds_output(result.value)


COMPONENT_OF_PARTS = """resource r "probe:index:Thing" {
  out = "given"
}
resource s "probe:index:Thing" {}
output parts {
  value = { plain = r.out, made = s.id, mine = secret("k") }
}
"""


@rule("all: dependencies", "all: unknown", "all: secret")
@pytest.mark.parametrize("preview", [False, True])
def test_an_output_of_a_component_is_all_of_its_parts(preview: bool) -> None:
    text = 'component c "./c" {}\n' + thing("b", "tags = c.parts")
    stack = 'output parts {\n  value = { plain = "p", mine = secret("k") }\n}\n'
    trace = trace_of(text + stack, components={"c": COMPONENT_OF_PARTS}, preview=preview)
    whole = tr.UNKNOWN if preview else tr.Secret({"plain": "given", "made": "c-s-id", "mine": "k"})
    assert named(trace, "c").outputs == {"parts": whole}
    assert named(trace, "b").inputs["tags"] == whole
    assert names(named(trace, "b").property_dependencies["tags"]) == ["c-r", "c-s"]
    assert trace.outputs == {"parts": {"plain": "p", "mine": tr.Secret("k")}}, "those of the stack keep their parts"


@rule("all: objects")
@given(st.dictionaries(st.text(max_size=2), OUTPUTS, max_size=3), OUTPUTS)
def test_all_of_objects(members: dict[str, Output], deep: Output) -> None:
    plain, meta = all_of({"members": members, "list": [deep, "plain"]})
    parts = [*members.values(), deep]
    assert meta.known == all(part.known for part in parts)
    assert meta.secret == any(part.secret for part in parts)
    assert meta.dependencies == frozenset().union(*(part.dependencies for part in parts))
    assert plain == {"members": {key: part.value for key, part in members.items()}, "list": [deep.value, "plain"]}


@given(OUTPUTS)
@rule("secret mark")
def test_marking_changes_nothing_else(value: Output) -> None:
    marked = marked_secret(value)
    assert (marked.value, marked.known, marked.dependencies) == (value.value, value.known, value.dependencies)
    assert marked.secret


# --- values ------------------------------------------------------------------------------------------------------------


@rule("promise")
def test_a_failed_function_stops_the_program() -> None:
    text = 'x = invoke("probe:index:getThing", { name = "k" })\n' + thing("a")
    result = evaluate(text, failures={"probe:index:getThing": "no such value"})
    assert result.trace.failed
    assert [(d.code, d.message) for d in result.diagnostics] == [("PCL1009", "function probe:index:getThing: no such value")]


@rule("input")
@pytest.mark.parametrize(
    "given_names", ['["x", "y"]', '[a.out, "y"]', "a.names", '[for n in ["x", "y"] : n]', '[a.out, "${a.maybe}"]']
)
def test_inputs_take_values_and_outputs_at_every_level(given_names: str) -> None:
    answers: Outputs = {"a": {"out": "x", "maybe": "y", "names": ("x", "y")}}
    registration = named(trace_of(thing("a") + thing("b", f"names = {given_names}"), outputs=answers), "b")
    assert registration.inputs["names"] == ("x", "y")
    assert names(registration.dependencies) == (["a"] if "a." in given_names else [])


@rule("resource reference")
def test_resources_are_passed_as_references() -> None:
    text = thing("a") + 'component c "./c" {}\n' + "output o {\n  value = [a, c]\n}\n"
    components = {"c": "output x {\n  value = 1\n}\n"}
    urns = ("urn:pulumi:dev::test::probe:index:Thing::a", "urn:pulumi:dev::test::components:index:C::c")
    value = trace_of(text, components=components).outputs["o"]
    assert value == (tr.ResourceRef(urns[0], "a-id"), tr.ResourceRef(urns[1]))
    later = trace_of(text, components=components, preview=True).outputs["o"]
    assert later == (tr.ResourceRef(urns[0], tr.UNKNOWN), tr.ResourceRef(urns[1]))


@rule("number")
@pytest.mark.parametrize(
    ("computed", "value"),
    [("0.1 + 0.2", 0.1 + 0.2), ("1 / 3", 1 / 3), ("7 / 7", 1), ("2.5 * 2", 5), ("-7 % 3", -1), ("1e300 * 1e10", 1e310)],
)
def test_numbers_are_doubles(computed: str, value: float) -> None:
    text = f"output o {{\n  value = {computed}\n}}\n"
    if value == float("inf"):
        assert [d.code for d in evaluate(text).diagnostics] == ["PCL1005"]
    else:
        assert output(text) == value


@rule("asset")
def test_assets_and_archives() -> None:
    text = """output o {
  value = assetArchive({
    text = stringAsset("t")
    file = fileAsset("./f")
    far  = remoteAsset("https://example.com/f")
    dir  = fileArchive("./d")
    more = assetArchive({ x = stringAsset("x") })
  })
}
"""
    assert output(text) == tr.Archive(
        members={
            "text": tr.Asset(text="t"),
            "file": tr.Asset(path="./f"),
            "far": tr.Asset(uri="https://example.com/f"),
            "dir": tr.Archive(path="./d"),
            "more": tr.Archive(members={"x": tr.Asset(text="x")}),
        }
    )


@rule("map")
def test_maps_have_no_order() -> None:
    assert output("output o {\n  value = { b = 1, a = 2 } == { a = 2, b = 1 }\n}\n") is True
    assert output("output o {\n  value = [for k, v in { b = 1, a = 2 } : k]\n}\n") == ("a", "b")


def test_every_rule_has_a_test() -> None:
    assert sorted(set(RULES) - set(_TESTS)) == []


def test_the_table_in_the_documentation_is_this_list() -> None:
    text = (ROOT / "pclgen" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| `tests/test_evaluate_rules.py::(\w+)` \|$", text, re.MULTILINE)
    assert rows == [(statement, _TESTS[name]) for name, statement in RULES.items()]
