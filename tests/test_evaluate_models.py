"""Provider models: the default model, samples of types, hooks, remote components."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import pclgen
from pclgen.evaluate.models import (
    ChildRequest,
    ConstructRequest,
    CreateRequest,
    Deployment,
    EchoModel,
    Models,
    Registered,
    ResourceAnswer,
    engine_outputs,
    package_of,
)
from pclgen.evaluate.options import HookCall, HookFailureError
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.samples import Samples, completed, unknown_sample
from pclgen.evaluate.settings import Settings
from pclgen.trace.model import UNKNOWN, Properties, PropertyValue, Secret
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Field, Shape
from tests.support.binding import bind_text
from tests.support.evaluation import Answers, named, trace_of
from tests.support.schemas import Schema, write_schema

DEPLOYMENT = Deployment(project="p", stack="s", organization="o", preview=False)


@pytest.mark.parametrize(
    ("t", "sample"),
    [
        (ty.STRING, "a"),
        (ty.INT, 1),
        (ty.BOOL, True),
        (ty.DYNAMIC, "a"),
        (ty.list_of(ty.STRING), ("a.0",)),
        (ty.map_of(ty.INT), {"key": 1}),
        (ty.tuple_of([ty.INT, ty.STRING]), (1, "a.1")),
        (ty.object_of({"x": ty.list_of(ty.STRING)}), {"x": ("a.x.0",)}),
        (ty.output_of(ty.optional_of(ty.STRING)), "a"),
    ],
)
def test_samples(t: ty.Type, sample: PropertyValue) -> None:
    assert Samples().value(t, "a") == sample


def recursive() -> ty.Type:
    """A declared object that contains itself."""

    def load(shape: Shape) -> Mapping[str, Field]:
        own = ty.nominal_of(declaration, shape)
        return {
            "name": Field(name="name", type=ty.STRING, required=True),
            "self": Field(name="self", type=own, required=True),
            "more": Field(name="more", type=ty.optional_of(ty.list_of(own)), required=False),
        }

    declaration = Declaration(kind=DeclarationKind.OBJECT, token="t:index:Self", package=None, load=load)
    return ty.nominal_of(declaration, Shape.OUTPUT)


def test_samples_of_types_that_hold_themselves_end() -> None:
    sample, depth = Samples().value(recursive(), "a"), 0
    while isinstance(sample, Mapping) and "self" in sample:
        sample, depth = sample["self"], depth + 1
    assert 0 < depth < 10


def test_echoed_objects_get_what_they_lack() -> None:
    value: PropertyValue = {"self": {"name": "given", "self": UNKNOWN}, "more": (Secret({"self": {"self": UNKNOWN}}),)}
    assert completed(value, recursive(), "a", Samples().value) == {
        "self": {"name": "given", "self": UNKNOWN},
        "more": (Secret({"name": "a.more.0.name", "self": {"name": "a.more.0.self.name", "self": UNKNOWN}}),),
        "name": "a.name",
    }


@pytest.mark.parametrize(
    ("value", "t", "expected"),
    [
        ({}, recursive(), {"name": UNKNOWN, "self": UNKNOWN}),
        ({"self": {"name": "a"}}, recursive(), {"self": {"name": "a", "self": UNKNOWN}, "name": UNKNOWN}),
        (({"name": "a", "self": UNKNOWN},), ty.list_of(recursive()), ({"name": "a", "self": UNKNOWN},)),
        ({"key": {"name": "a"}}, ty.map_of(recursive()), {"key": {"name": "a", "self": UNKNOWN}}),
        (Secret({"self": UNKNOWN}), recursive(), Secret({"self": UNKNOWN, "name": UNKNOWN})),
        ({"policy": "object"}, ty.output_of(ty.STRING), UNKNOWN),
        (UNKNOWN, recursive(), UNKNOWN),
        ("text", ty.STRING, "text"),
    ],
)
def test_a_preview_does_not_know_what_an_object_lacks(value: PropertyValue, t: ty.Type, expected: PropertyValue) -> None:
    assert completed(value, t, "a", unknown_sample) == expected


def test_a_preview_of_the_default_model_knows_only_inputs() -> None:
    program, _ = bind_text(
        'resource a "probe:index:Thing" {\n  out = "o"\n}\noutput o {\n  value = [a.out, a.int, a.id]\n}\n'
    )
    values = [evaluate_program(program, Settings(preview=preview)).trace.outputs["o"] for preview in (False, True)]
    assert values == [("o", 1, "a-id"), ("o", UNKNOWN, UNKNOWN)]


def test_the_engine_marks_outputs_whose_inputs_are_secret() -> None:
    inputs: Mapping[str, PropertyValue] = {"a": Secret("x"), "b": "y"}
    outputs: Mapping[str, PropertyValue] = {"a": "x", "b": "y", "c": "z"}
    assert engine_outputs(inputs, outputs, ["c"]) == {"a": Secret("x"), "b": "y", "c": Secret("z")}


def test_models_are_chosen_by_package() -> None:
    mine, other = Answers({}), Answers({})
    models = Models(other, {"probe": mine})
    assert [package_of(t) for t in ("a:b:c", "pulumi:providers:a", "pulumi:providers:a/method")] == ["a", "a", "a"]
    assert models.of("probe:index:Thing") is mine and models.of("pulumi:providers:probe") is mine
    assert models.of("aws:index:Thing") is other


REMOTE: Schema = {
    "name": "kit",
    "version": "1.2.3",
    "resources": {
        "kit:index:Box": {
            "isComponent": True,
            "inputProperties": {"size": {"type": "integer"}},
            "properties": {"label": {"type": "string"}},
            "required": ["label"],
        }
    },
}


def test_remote_components_are_made_by_their_model(tmp_path: Path) -> None:
    write_schema(tmp_path, REMOTE)
    source = {"main.pp": 'resource b "kit:index:Box" {\n  size = 2\n}\noutput o {\n  value = b.label\n}\n'}
    result = pclgen.evaluate_program(source, schemas=[tmp_path], name="site")
    assert result.trace is not None, result.diagnostics
    [box] = [registration for registration in result.trace.registrations if registration.name == "b"]
    assert (box.remote, box.custom, box.inputs, box.outputs["label"]) == (True, False, {"size": 2}, "b.label")
    assert result.trace.outputs == {"o": "b.label"}


def test_resources_that_a_component_answers_are_its_children(tmp_path: Path) -> None:
    part = {"properties": {"arn": {"type": "string"}}, "required": ["arn"]}
    properties = {"part": {"$ref": "#/resources/kit:index:Part"}, "rest": {"$ref": "#/types/kit:index:Rest"}}
    rest = {"type": "object", "properties": {"inner": {"$ref": "#/resources/kit:index:Part"}}, "required": ["inner"]}
    box = {"isComponent": True, "properties": properties, "required": ["part", "rest"]}
    resources = {"kit:index:Box": box, "kit:index:Part": part}
    write_schema(tmp_path, {"name": "kit", "version": "1.2.3", "resources": resources, "types": {"kit:index:Rest": rest}})
    source = {"main.pp": 'resource b "kit:index:Box" {}\noutput o {\n  value = [b.part.arn, b.rest.inner.arn]\n}\n'}
    result = pclgen.evaluate_program(source, schemas=[tmp_path], name="site")
    assert result.trace is not None, result.diagnostics
    _, box_made, *children = result.trace.registrations
    assert [(child.name, child.parent) for child in children] == [("b-part", box_made.urn), ("b-rest-inner", box_made.urn)]
    assert result.trace.outputs == {"o": ("b-part.arn", "b-rest-inner.arn")}


def test_functions_that_return_a_map_and_methods_of_providers_answer_values_of_their_types(tmp_path: Path) -> None:
    sizes = {"outputs": {"type": "object", "additionalProperties": {"type": "integer"}}}
    itself = {"properties": {"__self__": {"$ref": "#/resources/pulumi:providers:kit"}}, "required": ["__self__"]}
    named = {"inputs": itself, "outputs": {"properties": {"result": {"type": "string"}}, "required": ["result"]}}
    functions = {"kit:index:sizes": sizes, "pulumi:providers:kit/named": named}
    methods = {"methods": {"named": "pulumi:providers:kit/named"}}
    write_schema(tmp_path, {"name": "kit", "version": "1.2.3", "functions": functions, "provider": methods})
    text = 'resource p "pulumi:providers:kit" {}\n'
    text += 'output o {\n  value = [invoke("kit:index:sizes", {}), call(p, "named", {}).result]\n}\n'
    result = pclgen.evaluate_program({"main.pp": text}, schemas=[tmp_path], name="site")
    assert result.trace is not None, result.diagnostics
    assert result.trace.outputs == {"o": ({"key": 1}, "kit/named.result")}


def test_a_stack_reference_says_whose_outputs_it_reads() -> None:
    source = {"main.pp": 'resource acme "pulumi:pulumi:StackReference" {}\n'}
    result = pclgen.evaluate_program(source, name="site")
    assert result.trace is not None, result.diagnostics
    assert result.trace.registrations[1].inputs == {"name": "acme"}


def test_the_default_model_refuses_no_component() -> None:
    class Host:
        def register(self, request: ChildRequest) -> Registered:
            return Registered(urn="urn:x", id=None, outputs={})

        def register_outputs(self, urn: str, outputs: Properties) -> None:
            assert (urn, outputs) == ("urn:x", {"a": 1})

        def state(self, urn: str) -> Registered:
            raise AssertionError(urn)

    request = ConstructRequest(type="x:y:Z", name="n", parent="", inputs={"a": 1}, deployment=DEPLOYMENT)
    assert EchoModel().construct(request, Host()).urn == "urn:x"


HOOKS = """hook resource before {
  command = ["check", args.name, args.type]
}
hook resource after {
  command      = ["tell", args.id]
  ignoreErrors = true
}
hook resource always {
  command  = ["note"]
  onDryRun = true
}
hook error again {
  command = ["retry"]
}
resource a "probe:index:Thing" {
  options {
    hooks = {
      beforeCreate = [before, always]
      afterCreate  = [after]
      onError      = [again]
    }
  }
}
"""


class Commands:
    """Record commands; the commands in `failing` fail."""

    def __init__(self, *failing: str) -> None:
        self.failing = failing
        self.ran: list[tuple[str, tuple[str, ...]]] = []

    def __call__(self, call: HookCall) -> None:
        self.ran.append((call.event, call.command))
        if call.command[0] in self.failing:
            raise HookFailureError("exit status 1")


def run_hooks(commands: Commands, *, preview: bool = False, failures: int = 0) -> list[str]:
    program, _ = bind_text(HOOKS)
    model = Unsteady(failures)
    evaluation = evaluate_program(program, Settings(preview=preview, run_hook=commands, default_model=model))
    return [d.message for d in evaluation.diagnostics] + [
        entry.message for entry in evaluation.trace.log if entry.severity == "warning"
    ]


class Unsteady(Answers):
    """A model that fails a number of times."""

    def __init__(self, failures: int) -> None:
        super().__init__({})
        self.left = failures

    def create(self, request: CreateRequest) -> ResourceAnswer:
        if self.left:
            self.left -= 1
            self.failures = {"a": "try again"}
        else:
            self.failures = {}
        return super().create(request)


def test_hooks_run_around_the_creation() -> None:
    commands = Commands()
    assert run_hooks(commands) == []
    assert commands.ran == [
        ("beforeCreate", ("check", "a", "probe:index:Thing")),
        ("beforeCreate", ("note",)),
        ("afterCreate", ("tell", "a-id")),
    ]


def test_only_some_hooks_run_in_a_preview() -> None:
    commands = Commands()
    assert run_hooks(commands, preview=True) == []
    assert commands.ran == [("beforeCreate", ("note",))]


def test_failing_hooks_fail_the_resource_unless_errors_are_ignored() -> None:
    assert run_hooks(Commands("check")) == ['resource "a" of type probe:index:Thing: hook "before" failed: exit status 1']
    assert run_hooks(Commands("tell")) == ['hook "after" failed: exit status 1']


def test_an_error_hook_asks_for_another_try() -> None:
    commands = Commands()
    assert run_hooks(commands, failures=2) == []
    assert [command for event, command in commands.ran if event == "onError"] == [("retry",), ("retry",)]
    assert run_hooks(Commands("retry"), failures=1) == ['resource "a" of type probe:index:Thing: try again']


def test_hooks_are_recorded_and_not_run_by_themselves() -> None:
    registration = named(trace_of(HOOKS), "a")
    assert registration.options.hooks == {
        "beforeCreate": ("before", "always"),
        "afterCreate": ("after",),
        "onError": ("again",),
    }


@pytest.mark.parametrize(
    ("value", "t", "answered"),
    [
        ({"Version": "1"}, ty.STRING, "a"),
        (("x",), ty.optional_of(ty.STRING), "a"),
        (Secret({"Version": "1"}), ty.output_of(ty.STRING), Secret("a")),
        ("x", ty.list_of(ty.STRING), ("a.0",)),
        ("x", ty.map_of(ty.STRING), {"key": "a.key"}),
        ("x", ty.STRING, "x"),
        (("x",), ty.list_of(ty.STRING), ("x",)),
        ({"x": 1}, ty.DYNAMIC, {"x": 1}),
        (UNKNOWN, ty.list_of(ty.STRING), UNKNOWN),
        (None, ty.STRING, None),
    ],
)
def test_an_input_is_answered_as_the_type_of_the_output_of_its_name(
    value: PropertyValue, t: ty.Type, answered: PropertyValue
) -> None:
    assert completed(value, t, "a", Samples().value) == answered


def test_lists_that_are_made_up_have_the_length_that_is_asked_for() -> None:
    assert (
        Samples(length=3).value(ty.output_of(ty.list_of(ty.object_of({"x": ty.list_of(ty.INT)}))), "a") == ({"x": (1,)},) * 3
    )
    assert Samples(length=0).value(ty.list_of(ty.STRING), "a") == ()
    assert Samples(length=2).value(ty.object_of({"x": ty.list_of(ty.STRING)}), "a") == {"x": ("a.x.0", "a.x.1")}
