"""The recording monitor, called as SDKs call it, and values on the wire."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.evaluate.models import EchoModel, FunctionRequest, Models, ProviderFailureError
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.protocol.rpc import CallFailed, Connection, Rpc, load
from pclgen.trace import model as tr
from pclgen.verify.monitor import Monitor
from pclgen.verify.recording import UNKNOWN_TEXT, read_properties, write_properties
from tests.support.waiting import PATIENCE, threads_end

STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"


@pytest.fixture(scope="module")
def rpc() -> Rpc:
    interface = load()
    assert isinstance(interface, Rpc)
    return interface


class Refusing(EchoModel):
    """Answers only echo requests."""

    def invoke(self, request: FunctionRequest) -> tr.Properties:
        raise ProviderFailureError(f"no function {request.token}")


class Client:
    """A program's side of a monitor."""

    def __init__(self, rpc: Rpc, connection: Connection) -> None:
        self._rpc = rpc
        self._connection = connection

    def call(self, method: str, /, **fields: Any) -> Any:
        path = f"/pulumirpc.{method}"
        request = self._rpc.message(self._rpc.methods[path].request, **fields)
        return self._connection.call(path, request, timeout=PATIENCE)

    def register(self, token: str, name: str, inputs: tr.Properties | None = None, **fields: Any) -> Any:
        struct = self._rpc.struct(write_properties(inputs or {}))
        return self.call("ResourceMonitor/RegisterResource", type=token, name=name, object=struct, **fields)


@pytest.fixture
def settings() -> Settings:
    return Settings(project="shop", stack="dev", config={"shop:token": ConfigValue("t", secret=True)})


@pytest.fixture
def monitor(rpc: Rpc, settings: Settings) -> Iterator[Monitor]:
    with Monitor(rpc, settings, Models(Refusing())) as running:
        yield running


@pytest.fixture
def client(rpc: Rpc, monitor: Monitor) -> Iterator[Client]:
    with rpc.connect(monitor.address) as connection:
        yield Client(rpc, connection)


def test_a_resource_is_recorded_and_answered(client: Client, monitor: Monitor) -> None:
    client.register("pulumi:pulumi:Stack", "shop-dev")
    answer = client.register(
        "random:index/randomPet:RandomPet",
        "pet",
        {"length": 2, "prefix": tr.Secret("a")},
        custom=True,
        parent=STACK,
        protect=True,
        dependencies=[STACK],
        ignoreChanges=["length"],
    )
    assert (answer.urn, answer.id) == ("urn:pulumi:dev::shop::random:index/randomPet:RandomPet::pet", "pet-id")
    assert read_properties(answer.object) == {"length": 2, "prefix": tr.Secret("a")}
    stack, pet = monitor.trace("test", failed=False).registrations
    assert (stack.kind, pet.kind) == (tr.RegistrationKind.STACK, tr.RegistrationKind.RESOURCE)
    assert (pet.parent, pet.inputs["prefix"], pet.dependencies) == (STACK, tr.Secret("a"), (STACK,))
    assert (pet.options.protect, pet.options.retain_on_delete, pet.options.ignore_changes) == (True, None, ("length",))


def test_a_preview_does_not_know_ids(rpc: Rpc, settings: Settings) -> None:
    preview = Settings(project="shop", stack="dev", preview=True)
    with Monitor(rpc, preview, Models(EchoModel())) as running, rpc.connect(running.address) as connection:
        answer = Client(rpc, connection).register("a:b:C", "c", {"given": "x"}, custom=True)
        assert answer.id == ""
        (registration,) = running.trace("test", failed=False).registrations
        assert registration.id == tr.UNKNOWN


def test_aliases_and_hooks(rpc: Rpc, client: Client, monitor: Monitor) -> None:
    spec = rpc.message("pulumirpc.Alias.Spec", name="old", noParent=True)
    aliases = [rpc.message("pulumirpc.Alias", urn="urn:x"), rpc.message("pulumirpc.Alias", spec=spec)]
    hooks = rpc.message("pulumirpc.RegisterResourceRequest.ResourceHooksBinding", after_create=["tell"])
    client.register("a:b:C", "c", custom=True, aliases=aliases, hooks=hooks)
    options = monitor.trace("test", failed=False).registrations[0].options
    assert options.aliases == (tr.Alias(urn="urn:x"), tr.Alias(name="old", no_parent=True))
    assert options.hooks == {"afterCreate": ("tell",)}


def test_two_of_the_same_name_are_refused(client: Client) -> None:
    client.register("a:b:C", "c", custom=True)
    answer = client.register("a:b:C", "c", custom=True)
    assert isinstance(answer, CallFailed)
    assert "Duplicate resource URN 'urn:pulumi:dev::shop::a:b:C::c'" in answer.details


def test_stack_outputs_and_those_of_components(rpc: Rpc, client: Client, monitor: Monitor) -> None:
    client.register("pulumi:pulumi:Stack", "shop-dev")
    component = client.register("components:index:Web", "web", parent=STACK)
    for urn in (STACK, component.urn):
        outputs = rpc.struct({"url": f"of {urn}"})
        client.call("ResourceMonitor/RegisterResourceOutputs", urn=urn, outputs=outputs)
    trace = monitor.trace("test", failed=False)
    assert trace.outputs == {"url": f"of {STACK}"}
    assert trace.registrations[1].outputs == {"url": f"of {component.urn}"}


def test_errors_of_the_program_are_kept(client: Client, monitor: Monitor) -> None:
    for severity, message in ((1, "by the way"), (2, "hm"), (3, "oh no")):
        client.call("Engine/Log", severity=severity, message=message)
    log = monitor.trace("test", failed=True).log
    assert [(entry.severity, entry.message) for entry in log] == [("warning", "hm"), ("error", "oh no")]


def test_functions_of_std_are_computed_as_the_evaluator_does(rpc: Rpc, settings: Settings) -> None:
    with Monitor(rpc, settings, Models(EchoModel())) as running, rpc.connect(running.address) as connection:
        args = rpc.struct(write_properties({"input": "abc"}))
        answer = Client(rpc, connection).call("ResourceMonitor/Invoke", tok="std:index:upper", args=args)
    assert read_properties(getattr(answer, "return")) == {"result": "ABC"}


def test_what_a_model_refuses_fails(client: Client, monitor: Monitor) -> None:
    answer = client.call("ResourceMonitor/Invoke", tok="a:b:c")
    assert isinstance(answer, CallFailed)
    assert answer.details == "no function a:b:c"
    [call] = monitor.trace("test", failed=True).calls
    assert (call.token, call.answer, call.failures) == ("a:b:c", {}, ("no function a:b:c",))


def test_stack_references(rpc: Rpc) -> None:
    settings = Settings(project="shop", stack="dev", stacks={"acme/net/prod": {"vpc": "v", "token": tr.Secret("t")}})
    with Monitor(rpc, settings, Models(EchoModel())) as running, rpc.connect(running.address) as connection:
        answer = Client(rpc, connection).call(
            "ResourceMonitor/ReadResource",
            type="pulumi:pulumi:StackReference",
            name="net",
            id="acme/net/prod",
            properties=rpc.struct({"name": "acme/net/prod"}),
        )
    properties = read_properties(answer.properties)
    assert properties["outputs"] == {"vpc": "v", "token": tr.Secret("t")}
    assert properties["secretOutputNames"] == ("token",)


def test_everything_that_sdks_call_is_there(client: Client) -> None:
    for method in ("SignalAndWaitForShutdown", "RegisterStackTransform", "RegisterResourceHook", "RegisterPackage"):
        assert not isinstance(client.call(f"ResourceMonitor/{method}"), CallFailed), method
    assert client.call("ResourceMonitor/SupportsFeature", id="secrets").hasSupport
    assert not client.call("ResourceMonitor/SupportsFeature", id="telepathy").hasSupport
    info = client.call("ResourceMonitor/GetDeploymentInfo")
    assert (info.project, info.stack, dict(info.config)) == ("shop", "dev", {"shop:token": "t"})
    assert list(info.configSecretKeys) == ["shop:token"]


def test_no_thread_is_left(rpc: Rpc, settings: Settings) -> None:
    before = threading.enumerate()
    for _ in range(3):
        with Monitor(rpc, settings, Models(EchoModel())) as running, rpc.connect(running.address) as connection:
            Client(rpc, connection).register("a:b:C", "c", custom=True)
    assert threads_end(before)


# -- the wire ------------------------------------------------------------------------------------------------------------

plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.text(),
    st.just(tr.UNKNOWN),
    st.builds(tr.Asset, text=st.text()),
    st.builds(tr.Asset, path=st.text(min_size=1)),
    st.builds(tr.ResourceRef, st.text(min_size=1), st.text(min_size=1)),
)
nested: st.SearchStrategy[tr.PropertyValue] = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(), inner, max_size=3),
        inner.filter(lambda value: value != tr.UNKNOWN).map(tr.Secret),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), nested, max_size=4))
def test_values_survive_the_wire(properties: tr.Properties) -> None:
    interface = load()
    assert isinstance(interface, Rpc)
    assert read_properties(interface.struct(write_properties(properties))) == dict(sorted(properties.items()))


def test_archives_and_unknown_secrets_on_the_wire() -> None:
    interface = load()
    assert isinstance(interface, Rpc)
    archive = tr.Archive(members={"a": tr.Asset(text="x"), "b": tr.Archive(path="./b")})
    written = interface.struct(
        write_properties({"a": archive, "s": tr.Secret(tr.UNKNOWN), "r": tr.ResourceRef("urn:x", tr.UNKNOWN)})
    )
    assert read_properties(written) == {"a": archive, "s": tr.UNKNOWN, "r": tr.ResourceRef("urn:x", tr.UNKNOWN)}
    assert written.fields["s"].string_value == UNKNOWN_TEXT
