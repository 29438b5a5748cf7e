"""The recording monitor: a gRPC server in place of Pulumi's engine, so that a program can run without one.

One server is the resource monitor and receives the engine's log. Programs get the same answers as in the evaluator: both
share one engine (`evaluate.engine`). Afterwards the monitor returns the `Trace` of the run.

    with Monitor(rpc, settings, models) as monitor:
        ...  # run a program with monitor.address
    trace = monitor.trace("python", failed=False)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

from msgspec.structs import replace

from pclgen.evaluate.engine import DuplicateUrnError, Engine, answered, satisfies
from pclgen.evaluate.models import (
    ChildRequest,
    FunctionRequest,
    Models,
    ProviderFailureError,
    Registered,
    child_registration,
)
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.wire import holds_secret
from pclgen.protocol.rpc import Handler, Refused, Rpc
from pclgen.trace import model as tr
from pclgen.trace.normal import normal_properties, referred
from pclgen.verify.recording import read_properties, read_registration, registration, write_properties

_MONITOR: Final = "/pulumirpc.ResourceMonitor/"
_ENGINE: Final = "/pulumirpc.Engine/"

_NO_FEATURES: Final = frozenset(
    {
        # With these features, some SDKs send invokes that others delay; without, all behave alike.
        "RESOURCE_MONITOR_FEATURE_BYTE_STRING",
        "RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON",
        "RESOURCE_MONITOR_FEATURE_INVOKE_PARENT",
        "RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS",
        "RESOURCE_MONITOR_FEATURE_INVOKE_OUTPUT_VALUES",
        "RESOURCE_MONITOR_FEATURE_CALL_OUTPUT_VALUES",
    }
)

_LEGACY_FEATURES: Final = frozenset(
    {
        "secrets",
        "resourceReferences",
        "outputValues",
        "aliasSpecs",
        "deletedWith",
        "replaceWith",
        "transforms",
        "invokeTransforms",
        "parameterization",
        "resourceHooks",
        "errorHooks",
    }
)
"""Features that SDKs without GetDeploymentInfo query one by one."""

_GET_RESOURCE: Final = "pulumi:pulumi:getResource"

_SEVERITIES: Final = ("debug", "info", "warning", "error")


class Monitor:
    """A server for one run of one program. Use it in a `with`; get the trace when the program has ended."""

    def __init__(self, rpc: Rpc, settings: Settings, models: Models) -> None:
        self._rpc = rpc
        self._settings = settings
        self.engine: Engine = Engine(settings, models, settings.project or "")
        self._deployment = self.engine.deployment
        self._lock = threading.Lock()
        self._outputs: tr.Properties = {}
        self._packages: dict[str, str] = {}
        self._skipped: set[str] = set()
        self._parameterized: dict[str, tuple[str, str]] = {}  # by reference: version and download URL
        self._begun = self._answered = 0
        self._server = rpc.serve({name: self._counted(handler) for name, handler in self._handlers().items()})

    @property
    def address(self) -> str:
        """The `host:port` of the monitor and of the engine."""
        return self._server.address

    def activity(self) -> object:
        """A value that changes with every request and answer, and at each call while a request is being answered."""
        with self._lock:
            return (self._begun, self._answered) if self._begun == self._answered else object()

    def _counted(self, handler: Handler) -> Handler:
        def answer(request: Any) -> Any:
            with self._lock:
                self._begun += 1
            try:
                return handler(request)
            finally:
                with self._lock:
                    self._answered += 1

        return answer

    def trace(self, producer: str, *, failed: bool) -> tr.Trace:
        """Return the recorded trace; `producer` names the program that ran, `failed` says whether its process failed."""
        return self.engine.trace(producer, outputs=self._outputs, failed=failed)

    def close(self) -> None:
        """Stop the server."""
        self._server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _handlers(self) -> dict[str, Handler]:
        monitor: dict[str, Handler] = {
            "GetDeploymentInfo": self._deployment_info,
            "SupportsFeature": self._supports_feature,
            "RegisterResource": self._register,
            "RegisterResourceOutputs": self._register_outputs,
            "ReadResource": self._read,
            "Invoke": self._invoke,
            "Call": self._call,
            "RegisterPackage": self._register_package,
        }
        quiet = ("RegisterStackTransform", "RegisterStackInvokeTransform", "RegisterResourceHook", "RegisterErrorHook")
        monitor |= dict.fromkeys((*quiet, "SignalAndWaitForShutdown"), self._accept)
        engine: dict[str, Handler] = {
            "Log": self._write_log,
            "GetRootResource": self._root,
            "SetRootResource": lambda _: self._rpc.message("pulumirpc.SetRootResourceResponse"),
            "RequirePulumiVersion": self._require_version,
            "StartDebugging": self._accept,
        }
        handlers = {_MONITOR + name: handler for name, handler in monitor.items()}
        return handlers | {_ENGINE + name: handler for name, handler in engine.items()}

    # -- deployment ------------------------------------------------------------------------------------------------------

    def _deployment_info(self, _: Any) -> Any:
        features = self._rpc.enumeration("pulumirpc.ResourceMonitorFeature")
        return self._rpc.message(
            "pulumirpc.DeploymentInfo",
            project=self._deployment.project,
            stack=self._deployment.stack,
            organization=self._deployment.organization,
            config={key: value.text for key, value in self._settings.config.items()},
            configSecretKeys=sorted(key for key, value in self._settings.config.items() if value.secret),
            dryRun=self._deployment.preview,
            parallel=16,
            supportedFeatures=[number for name, number in features.items() if name not in _NO_FEATURES],
        )

    def _supports_feature(self, request: Any) -> Any:
        return self._rpc.message("pulumirpc.SupportsFeatureResponse", hasSupport=request.id in _LEGACY_FEATURES)

    def _accept(self, _: Any) -> Any:
        return self._rpc.message("google.protobuf.Empty")

    def _root(self, _: Any) -> Any:
        urn = tr.stack_urn(stack=self._deployment.stack, project=self._deployment.project)
        return self._rpc.message("pulumirpc.GetRootResourceResponse", urn=urn)

    def _require_version(self, request: Any) -> Any:
        """Raise `Refused` if the run's version of Pulumi is not the one that the program requires."""
        version, range_ = self._settings.pulumi_version, request.pulumi_version_range
        if satisfies(version, range_) is False:
            raise Refused("FAILED_PRECONDITION", f"Pulumi {version} is not in the version range {range_!r}")
        return self._rpc.message("pulumirpc.RequirePulumiVersionResponse")

    def _write_log(self, request: Any) -> Any:
        if request.severity >= _SEVERITIES.index("warning"):
            text = request.message.strip()
            self.engine.log(tr.LogEntry(severity=_SEVERITIES[request.severity], message=text, urn=request.urn))
        return self._accept(request)

    def _register_package(self, request: Any) -> Any:
        with self._lock:
            key = f"{request.name}@{request.version}:{request.parameterization.name}:{request.extension.name}"
            reference = self._packages.setdefault(key, f"package-{len(self._packages) + 1}")
            version = request.extension.version or request.parameterization.version
            self._parameterized[reference] = (version, request.download_url)
        return self._rpc.message("pulumirpc.RegisterPackageResponse", ref=reference)

    def _in_package(self, requested: tr.Registration, reference: str) -> tr.Registration:
        """Add the settings of a registered package to one of its resources, which omits them."""
        with self._lock:
            package = self._parameterized.get(reference)
        if package is None:
            return requested
        version, url = package
        options = replace(
            requested.options,
            version=requested.options.version or version,
            plugin_download_url=requested.options.plugin_download_url or url,
        )
        return replace(requested, options=options)

    # -- resources -------------------------------------------------------------------------------------------------------

    def _urn(self, request: Any) -> str:
        run = self._deployment
        return tr.make_urn(
            stack=run.stack, project=run.project, parent=request.parent, token=request.type, name=request.name
        )

    def _register(self, request: Any) -> Any:
        requested = self._in_package(registration(request, self._urn(request)), request.packageRef)
        if request.remote:
            return self._construct(requested)
        registered = self._make(requested)
        return self._rpc.message(
            "pulumirpc.RegisterResourceResponse",
            unknown=registered.urn in self._skipped,
            urn=registered.urn,
            id=registered.id if isinstance(registered.id, str) else "",
            object=self._rpc.struct(write_properties(registered.outputs)),
        )

    def _make(self, requested: tr.Registration) -> tr.Registration:
        """Record a registration with the answer of its provider; local components have none. Raises `Refused`."""
        if not requested.custom:
            return self._record(requested)
        with _answers():
            answer = self.engine.answer(requested)
        if answer.skipped:
            self._skipped.add(requested.urn)
        return self._record(answered(requested, answer))

    def _construct(self, requested: tr.Registration) -> Any:
        """Record a remote component: its model registers it and its children here."""
        inputs = normal_properties(requested.inputs)  # their dependencies are separate
        with _answers():
            answer = self.engine.construct(requested, inputs, self._inherited_providers(requested), _Host(self, requested))
        self._put_outputs(answer.urn, answer.outputs)
        dependencies = self._rpc.message_class("pulumirpc.RegisterResourceResponse.PropertyDependencies")
        return self._rpc.message(
            "pulumirpc.RegisterResourceResponse",
            urn=answer.urn,
            object=self._rpc.struct(write_properties(answer.outputs)),
            propertyDependencies={name: dependencies() for name in answer.outputs},
        )

    def _inherited_providers(self, component: tr.Registration) -> dict[str, str]:
        """Return the provider references of a component by package: its own before those of the components around it."""
        providers: dict[str, str] = {}
        at: tr.Registration | None = component
        while at is not None:
            providers = {**at.providers, **providers}
            at = self.engine.find(at.parent)
        return providers

    def _record(self, registration_: tr.Registration) -> tr.Registration:
        """Record a registration. Raises `Refused` for a duplicate URN, like the engine."""
        try:
            return self.engine.record(registration_)
        except DuplicateUrnError as duplicate:
            raise Refused("INVALID_ARGUMENT", str(duplicate)) from duplicate

    def _register_outputs(self, request: Any) -> Any:
        self._put_outputs(request.urn, read_properties(request.outputs))
        return self._accept(request)

    def _put_outputs(self, urn: str, outputs: tr.Properties) -> None:
        resource = self.engine.find(urn)
        if resource is not None and resource.kind is tr.RegistrationKind.STACK:
            self._outputs = outputs
        else:
            self.engine.put_outputs(urn, outputs)

    def _read(self, request: Any) -> Any:
        requested = self._in_package(read_registration(request, self._urn(request)), request.packageRef)
        registered = self._make(requested)
        return self._rpc.message(
            "pulumirpc.ReadResourceResponse",
            urn=registered.urn,
            id=registered.id if isinstance(registered.id, str) else "",
            properties=self._rpc.struct(write_properties(registered.outputs)),
        )

    # -- functions -------------------------------------------------------------------------------------------------------

    def _invoke(self, request: Any) -> Any:
        if request.tok == _GET_RESOURCE:
            return self._state_of(request)
        call = FunctionRequest(
            token=request.tok,
            args=read_properties(request.args),
            deployment=self._deployment,
            provider_inputs=self.engine.provider_inputs(request.tok, request.provider),
            version=request.version,
        )
        response = self._rpc.message("pulumirpc.ResourceInvokeResponse")
        getattr(response, "return").update(write_properties(self._answer_call(request, call)))
        return response

    def _answer_call(self, request: Any, call: FunctionRequest) -> tr.Properties:
        """Return the answer of the model to a function or a method call. Raises `Refused`."""
        with _answers():
            return self.engine.call(call, provider=request.provider, plugin_download_url=request.pluginDownloadURL)

    def _state_of(self, request: Any) -> Any:
        """Return the state that SDKs request to rebuild a resource from a reference. Raises `Refused`."""
        urn = str(read_properties(request.args).get("urn", ""))
        with _answers():
            registered = self.engine.state(urn)
        response = self._rpc.message("pulumirpc.ResourceInvokeResponse")
        state: tr.Properties = {"urn": urn, "id": registered.id or "", "state": registered.outputs}
        getattr(response, "return").update(write_properties(state))
        return response

    def _call(self, request: Any) -> Any:
        args = dict(normal_properties(read_properties(request.args)))  # their dependencies are separate
        receiver = args.pop("__self__", None)
        resource_ref = receiver if isinstance(receiver, tr.ResourceRef) else None
        resource = self.engine.find(resource_ref.urn) if resource_ref is not None else None
        call = FunctionRequest(
            token=request.tok,
            args=args,
            deployment=self._deployment,
            provider_inputs=self.engine.provider_inputs(request.tok, request.provider),
            version=request.version,
            receiver=resource_ref,
            receiver_outputs={} if resource is None else resource.outputs,
            dependencies={name: tuple(sorted(urns.urns)) for name, urns in sorted(request.argDependencies.items())},
        )
        answer = self._answer_call(request, call)
        if any(holds_secret(value) for value in args.values()):
            answer = {name: tr.Secret(value) for name, value in answer.items()}
        response = self._rpc.message("pulumirpc.CallResponse")
        getattr(response, "return").update(write_properties(answer))
        depends_on = self._rpc.message_class("pulumirpc.CallResponse.ReturnDependencies")
        for name in answer:
            response.returnDependencies[name].CopyFrom(depends_on(urns=_depends_on(call)))
        return response


def _depends_on(call: FunctionRequest) -> list[str]:
    """Return the dependencies of a method's result, as providers derive them from all inputs.

    They are the resource, the dependencies of the arguments, and resources among the arguments.
    """
    own = set() if call.receiver is None else {call.receiver.urn}
    passed = {urn for value in call.args.values() for urn in referred(value)}
    return sorted({*own, *passed, *(urn for urns in call.dependencies.values() for urn in urns)})


@contextmanager
def _answers() -> Iterator[None]:
    """Turn a refusal of a model into a failure of the call with the same message."""
    try:
        yield
    except ProviderFailureError as refusal:
        raise Refused("UNKNOWN", str(refusal)) from refusal


class _Host:
    """The monitor in the role of host for the model of a component."""

    def __init__(self, monitor: Monitor, requested: tr.Registration) -> None:
        self._monitor = monitor
        self._requested = requested

    def register(self, request: ChildRequest) -> Registered:
        """Register the component, with everything that the program requested, or one of its children."""
        monitor = self._monitor
        if not request.custom and request.type == self._requested.type and request.name == self._requested.name:
            registered = monitor._record(replace(self._requested, inputs=request.inputs))
            return Registered(urn=registered.urn, id=None, outputs={})
        registered = monitor._make(child_registration(request, monitor._deployment))
        return Registered(urn=registered.urn, id=registered.id, outputs=registered.outputs)

    def register_outputs(self, urn: str, outputs: tr.Properties) -> None:
        """Set the outputs of the component."""
        self._monitor._put_outputs(urn, outputs)

    def state(self, urn: str) -> Registered:
        """Return a registered resource. Raises `ProviderFailureError` if there is none."""
        return self._monitor.engine.state(urn)
