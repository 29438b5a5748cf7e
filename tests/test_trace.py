"""The form of runs: JSON round trips, normal form, comparison, rendering."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pclgen.trace import model as tr
from pclgen.trace.compare import ABSENT, Difference, differences
from pclgen.trace.json import TraceFormatError, dumps, loads, value_from_json, value_to_json
from pclgen.trace.normal import in_order, normal_value, normalise
from pclgen.trace.render import render_difference, render_trace

URN = "urn:pulumi:dev::site::a:b:C::first"

_BLOBS = st.one_of(
    st.builds(tr.Asset, text=st.text()),
    st.builds(tr.Asset, path=st.text()),
    st.builds(tr.Archive, members=st.dictionaries(st.text(), st.builds(tr.Asset, uri=st.text()), max_size=2)),
)
_LEAVES: st.SearchStrategy[tr.PropertyValue] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.just(tr.UNKNOWN),
    st.builds(tr.ResourceRef, st.text(), st.one_of(st.none(), st.text(), st.just(tr.UNKNOWN)), st.text()),
    st.builds(tr.Bytes, st.binary()),
    _BLOBS,
)
_KEYS = st.one_of(st.text(), st.sampled_from(["$secret", "$computed", "$object", "$output"]))
VALUES: st.SearchStrategy[tr.PropertyValue] = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(_KEYS, inner, max_size=3),
        st.builds(tr.Secret, inner),
        st.builds(tr.Output, value=inner, secret=st.booleans()),
    ),
    max_leaves=8,
)


def trace(*registrations: tr.Registration, outputs: Mapping[str, tr.PropertyValue] | None = None) -> tr.Trace:
    stack = tr.Registration(
        kind=tr.RegistrationKind.STACK,
        type="pulumi:pulumi:Stack",
        name="site-dev",
        urn=tr.stack_urn(stack="dev", project="site"),
        custom=False,
    )
    return tr.Trace(
        producer="evaluator",
        project="site",
        stack="dev",
        organization="organization",
        preview=False,
        registrations=(stack, *registrations),
        outputs=outputs or {},
    )


def resource(name: str = "first", /, **members: Any) -> tr.Registration:
    base = tr.Registration(
        kind=tr.RegistrationKind.RESOURCE,
        type="a:b:C",
        name=name,
        urn=tr.make_urn(stack="dev", project="site", parent="", token="a:b:C", name=name),
        parent=tr.stack_urn(stack="dev", project="site"),
    )
    return replace(base, **members)


@given(VALUES)
def test_values_survive_json(value: tr.PropertyValue) -> None:
    assert value_from_json(json.loads(json.dumps(value_to_json(value)))) == value


@given(VALUES)
def test_the_normal_form_is_normal(value: tr.PropertyValue) -> None:
    assert normal_value(normal_value(value)) == normal_value(value)


def test_a_trace_survives_json() -> None:
    options = tr.Options(
        protect=True,
        retain_on_delete=False,
        ignore_changes=('tags["a.b"]',),
        custom_timeouts={"create": "5m"},
        aliases=(tr.Alias(name="old", no_parent=True), tr.Alias(urn=URN)),
        import_id="i",
        replacement_trigger=tr.Secret(""),
        hooks={"beforeCreate": ("notify",)},
        env_var_mappings={"A": "B"},
        plugin_download_url="https://example.com",
    )
    place = tr.SourcePlace(file="main.pp", line=3, column=1)
    full = resource(
        inputs={"a": tr.Secret(tr.UNKNOWN), "n": None},
        dependencies=(URN,),
        property_dependencies={"a": (URN,)},
        options=options,
        id=tr.UNKNOWN,
        place=place,
        places={"a": place},
        providers={"p": "urn::id"},
    )
    whole = replace(
        trace(full, outputs={"o": 1.5}),
        calls=(tr.FunctionCall(token="a:b:f", args={"x": 1}, answer={}, failures=("no",), place=place),),
        log=(tr.LogEntry(severity="error", message="it failed", urn=URN),),
        failed=True,
    )
    assert loads(dumps(whole)) == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ('{"format_version": 9}', "expected format_version 1"),
        ('{"format_version": 1, "registrations": [{"kind": "thing"}]}', "expected a kind"),
        ('{"format_version": 1, "outputs": {"a": {"$bytes": "?"}}}', "expected base64"),
        ('{"format_version": 1, "stack": 5}', 'expected a string for "stack"'),
    ],
)
def test_bad_traces_are_refused(text: str, message: str) -> None:
    with pytest.raises(TraceFormatError, match=message):
        loads(text)


def test_urns_hold_the_types_of_ancestors_but_for_the_stack() -> None:
    root = tr.stack_urn(stack="dev", project="site")
    assert root == "urn:pulumi:dev::site::pulumi:pulumi:Stack::site-dev"
    outer = tr.make_urn(stack="dev", project="site", parent=root, token="x:y:Outer", name="o")
    assert outer == "urn:pulumi:dev::site::x:y:Outer::o"
    inner = tr.make_urn(stack="dev", project="site", parent=outer, token="a:b:C", name="web::1")
    assert inner == "urn:pulumi:dev::site::x:y:Outer$a:b:C::web::1"
    assert (tr.type_chain_of(inner), tr.type_of(inner), tr.name_of(inner)) == ("x:y:Outer$a:b:C", "a:b:C", "web::1")


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        (1.0, 1),
        (0.5, 0.5),
        (tr.Secret(tr.UNKNOWN), tr.UNKNOWN),
        (tr.Secret({"a": tr.Secret("b")}), tr.Secret({"a": "b"})),
        (({"a": tr.Secret("b")},), ({"a": tr.Secret("b")},)),
        (tr.Output(value=tr.UNKNOWN, secret=True), tr.UNKNOWN),
        (tr.Output(value="a", secret=True, dependencies=(URN,)), tr.Secret("a")),
        (tr.Output(value="a"), "a"),
        (tr.ResourceRef(URN, "", "1.0.0"), tr.ResourceRef(URN, tr.UNKNOWN)),
        (tr.Asset(text="a", hash="12"), tr.Asset(text="a")),
    ],
)
def test_normal_values(value: tr.PropertyValue, normal: tr.PropertyValue) -> None:
    assert normal_value(value) == normal


def only(left: tr.Trace, right: tr.Trace) -> Difference:
    [difference] = differences(left, right)
    return difference


def test_equal_runs_do_not_differ() -> None:
    first = trace(resource("a", inputs={"x": 1.0}, provider="urn:pulumi:d::s::t::n::id1"), resource("b"))
    other = trace(resource("b"), resource("a", inputs={"x": 1}, provider="urn:pulumi:d::s::t::n::id2"))
    assert not list(differences(first, other))
    assert in_order(normalise(first).registrations) == in_order(normalise(other).registrations)


@pytest.mark.parametrize(
    ("left", "right", "path", "reason"),
    [
        ({"inputs": {"p": tr.Secret("a")}}, {"inputs": {"p": "a"}}, "inputs.p", "secret on the left only"),
        ({"inputs": {"t": {"a.b": 1}}}, {"inputs": {"t": {"a.b": 2}}}, 'inputs.t["a.b"]', "differs"),
        ({"inputs": {"l": (1, 2)}}, {"inputs": {"l": (1,)}}, "inputs.l", "2 elements on the left, 1 on the right"),
        (
            {"inputs": {"l": (1, "2")}},
            {"inputs": {"l": (1, 2)}},
            "inputs.l[1]",
            "a string on the left, a number on the right",
        ),
        ({"inputs": {"b": True}}, {"inputs": {"b": 1}}, "inputs.b", "a bool on the left, a number on the right"),
        ({"inputs": {"u": tr.UNKNOWN}}, {"inputs": {"u": 1}}, "inputs.u", "unknown on the left only"),
        ({"inputs": {"a": 1}}, {"inputs": {}}, "inputs.a", "the right does not have it"),
        ({"dependencies": (URN,)}, {}, "dependencies", f"the right lacks {URN}"),
        (
            {"property_dependencies": {"a": (URN,)}},
            {"property_dependencies": {"a": ()}},
            "propertyDependencies.a",
            f"the right lacks {URN}",
        ),
        ({"options": tr.Options(protect=True)}, {"options": tr.Options()}, "options.protect", "differs"),
        (
            {"options": tr.Options(hooks={"beforeCreate": ("h",)})},
            {},
            "options.hooks.beforeCreate",
            "the right does not have it",
        ),
        ({"parent": URN}, {"parent": ""}, "parent", "differs"),
    ],
)
def test_differences_name_the_place(left: dict[str, Any], right: dict[str, Any], path: str, reason: str) -> None:
    difference = only(trace(resource(**left)), trace(resource(**right)))
    assert (difference.urn, difference.path, difference.reason) == (URN, path, reason)


def test_options_that_are_false_are_omitted() -> None:
    assert not list(differences(trace(resource(options=tr.Options(protect=False))), trace(resource())))


def test_a_missing_registration_and_an_added_one() -> None:
    results = list(differences(trace(resource("a")), trace(resource("b"))))
    assert [(d.name, d.path, d.reason) for d in results] == [
        ("a", "", "is registered on the left only"),
        ("b", "", "is registered on the right only"),
    ]
    assert results[0].right is ABSENT


def test_stack_outputs_and_failure_are_compared() -> None:
    assert only(trace(outputs={"a": 1}), trace(outputs={"a": 2})).path == "outputs.a"
    assert only(trace(), replace(trace(), failed=True)).path == "failed"


def test_a_difference_side_by_side() -> None:
    place = tr.SourcePlace(file="main.pp", line=12, column=3)
    left = trace(resource(inputs={"p": tr.Secret("a")}, places={"p": place}))
    difference = only(left, trace(resource(inputs={"p": "a"})))
    assert difference.property == "p"
    assert render_difference(difference, left="evaluator", right="go") == (
        'main.pp:12:3: a:b:C  first  inputs.p: secret in evaluator only\n  evaluator | [secret] "a"\n  go        | "a"\n'
    )


def test_a_run_as_a_tree() -> None:
    parent = tr.stack_urn(stack="dev", project="site")
    outer = resource("web", kind=tr.RegistrationKind.COMPONENT, custom=False)
    inner = resource("web-in", parent=outer.urn, inputs={"size": 2, "name": tr.Secret("s")}, dependencies=(URN,))
    options = tr.Options(protect=True, version="4.21.0", plugin_download_url="https://get.example.com")
    last = resource("z", parent=parent, options=options)
    whole = trace(outer, inner, last, outputs={"url": tr.UNKNOWN})
    assert render_trace(whole) == (
        "stack  site-dev\n"
        "├─ a:b:C  web  (component)\n"
        "│  └─ a:b:C  web-in\n"
        "│        size = 2\n"
        '│        name = [secret] "s"\n'
        "│        depends on: first\n"
        "└─ a:b:C  z\n"
        "      version: 4.21.0\n"
        '      pluginDownloadURL: "https://get.example.com"\n'
        "      option protect: true\n"
        "outputs\n"
        "  url = [unknown]\n"
    )
