"""The recording monitor: a gRPC server that stands for Pulumi's engine, so that a program can run without one.

Comes in: a `Session` (project, stack, preview or update) and provider models.  Goes out: the address that a program is
started with, and afterwards the `Trace` of what it did.  One server answers for the resource monitor and for the engine's
log.  What a program gets is what the evaluator's program gets: both ask the same models.

    with Monitor(rpc, session, models) as monitor:
        ...  # run a program with monitor.address
    trace = monitor.trace("python", failed=False)
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, Protocol, Self

from pclgen.protocol.rpc import Handler, Refused, Rpc
from pclgen.trace.model import (
    UNKNOWN,
    FunctionCall,
    LogEntry,
    Properties,
    Registration,
    RegistrationKind,
    Trace,
    Unknown,
    make_urn,
    stack_urn,
)
from pclgen.verify.recording import kind_of, read_registration, registration
from pclgen.verify.wire import read_properties, write_properties

_MONITOR: Final = "/pulumirpc.ResourceMonitor/"
_ENGINE: Final = "/pulumirpc.Engine/"

_NO_FEATURES: Final = frozenset(
    {
        # With these, some SDKs send invokes that others hold back; without, all behave alike.
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
"""What SDKs that do not know GetDeploymentInfo ask for, one by one."""

_SEVERITIES: Final = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a run is about; `config` has whole keys (`project:key`), `secret_keys` are those of secret values."""

    project: str
    stack: str
    organization: str
    preview: bool
    config: Mapping[str, str]
    secret_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a provider says: the id (unknown in a preview, None for components) and the outputs."""

    id: str | Unknown | None
    outputs: Properties


class Models(Protocol):
    """Where answers come from.  Each method may raise `Refused`."""

    def register(self, asked: Registration, *, preview: bool) -> Answer:
        """The state of a resource, a provider or a remote component that a program registers."""
        ...

    def read(self, asked: Registration, *, preview: bool) -> Answer:
        """The state of an existing resource."""
        ...

    def call(self, asked: FunctionCall, *, preview: bool) -> FunctionCall:
        """The call of a function or a method with its answer, or with failures."""
        ...


class Monitor:
    """A server for one run of one program.  Use it in a `with`; ask for the trace when the program has ended."""

    def __init__(self, rpc: Rpc, session: Session, models: Models) -> None:
        self._rpc = rpc
        self._session = session
        self._models = models
        self._lock = threading.Lock()
        self._registrations: dict[str, Registration] = {}
        self._order: list[str] = []
        self._calls: list[FunctionCall] = []
        self._log: list[LogEntry] = []
        self._outputs: Properties = {}
        self._packages: dict[str, str] = {}
        self._server = rpc.serve(self._handlers())

    @property
    def address(self) -> str:
        """`host:port` of the monitor and of the engine."""
        return self._server.address

    def trace(self, producer: str, *, failed: bool) -> Trace:
        """What was recorded; `producer` names what ran, `failed` says how its process ended."""
        with self._lock:
            return Trace(
                producer=producer,
                project=self._session.project,
                stack=self._session.stack,
                organization=self._session.organization,
                preview=self._session.preview,
                registrations=tuple(self._registrations[urn] for urn in self._order),
                calls=tuple(self._calls),
                outputs=self._outputs,
                log=tuple(self._log),
                failed=failed,
            )

    def close(self) -> None:
        """Stop serving."""
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
            "RequirePulumiVersion": lambda _: self._rpc.message("pulumirpc.RequirePulumiVersionResponse"),
            "StartDebugging": self._accept,
        }
        found = {_MONITOR + name: handler for name, handler in monitor.items()}
        return found | {_ENGINE + name: handler for name, handler in engine.items()}

    # -- what the run is about -------------------------------------------------------------------------------------------

    def _deployment_info(self, _: Any) -> Any:
        features = self._rpc.enumeration("pulumirpc.ResourceMonitorFeature")
        return self._rpc.message(
            "pulumirpc.DeploymentInfo",
            project=self._session.project,
            stack=self._session.stack,
            organization=self._session.organization,
            config=dict(self._session.config),
            configSecretKeys=list(self._session.secret_keys),
            dryRun=self._session.preview,
            parallel=16,
            supportedFeatures=[number for name, number in features.items() if name not in _NO_FEATURES],
        )

    def _supports_feature(self, request: Any) -> Any:
        return self._rpc.message("pulumirpc.SupportsFeatureResponse", hasSupport=request.id in _LEGACY_FEATURES)

    def _accept(self, _: Any) -> Any:
        return self._rpc.message("google.protobuf.Empty")

    def _root(self, _: Any) -> Any:
        urn = stack_urn(stack=self._session.stack, project=self._session.project)
        return self._rpc.message("pulumirpc.GetRootResourceResponse", urn=urn)

    def _write_log(self, request: Any) -> Any:
        if request.severity >= _SEVERITIES.index("warning"):
            entry = LogEntry(severity=_SEVERITIES[request.severity], message=request.message.strip(), urn=request.urn)
            with self._lock:
                self._log.append(entry)
        return self._accept(request)

    def _register_package(self, request: Any) -> Any:
        with self._lock:
            key = f"{request.name}@{request.version}:{request.parameterization.name}:{request.extension.name}"
            reference = self._packages.setdefault(key, f"package-{len(self._packages) + 1}")
        return self._rpc.message("pulumirpc.RegisterPackageResponse", ref=reference)

    # -- resources -------------------------------------------------------------------------------------------------------

    def _urn(self, request: Any) -> str:
        session = self._session
        return make_urn(
            stack=session.stack, project=session.project, parent=request.parent, token=request.type, name=request.name
        )

    def _register(self, request: Any) -> Any:
        asked = registration(request, self._urn(request))
        local = kind_of(request) in (RegistrationKind.STACK, RegistrationKind.COMPONENT) and not request.remote
        if local:
            answer = Answer(id=None, outputs={})
        else:
            answer = self._models.register(asked, preview=self._session.preview)
        self._record(replace(asked, id=answer.id, outputs=answer.outputs))
        return self._rpc.message(
            "pulumirpc.RegisterResourceResponse",
            urn=asked.urn,
            id=answer.id if isinstance(answer.id, str) else "",
            object=self._rpc.struct(write_properties(answer.outputs)),
            result=0,
        )

    def _record(self, made: Registration) -> None:
        """Keep a registration.  Raises `Refused` for a URN that there is already, as the engine does."""
        with self._lock:
            if made.urn in self._registrations:
                raise Refused("INVALID_ARGUMENT", f"Duplicate resource URN '{made.urn}'; try giving it a unique name")
            self._registrations[made.urn] = made
            self._order.append(made.urn)

    def _register_outputs(self, request: Any) -> Any:
        outputs = read_properties(request.outputs)
        with self._lock:
            found = self._registrations.get(request.urn)
            if found is not None and found.kind is RegistrationKind.STACK:
                self._outputs = outputs
            elif found is not None:
                self._registrations[request.urn] = replace(found, outputs=outputs)
        return self._accept(request)

    def _read(self, request: Any) -> Any:
        asked = read_registration(request, self._urn(request))
        answer = self._models.read(asked, preview=self._session.preview)
        self._record(replace(asked, outputs=answer.outputs))
        return self._rpc.message(
            "pulumirpc.ReadResourceResponse",
            urn=asked.urn,
            properties=self._rpc.struct(write_properties(answer.outputs)),
        )

    # -- functions -------------------------------------------------------------------------------------------------------

    def _invoke(self, request: Any) -> Any:
        call = self._models.call(_function_call(request, read_properties(request.args)), preview=self._session.preview)
        with self._lock:
            self._calls.append(call)
        return self._answered("pulumirpc.ResourceInvokeResponse", call)

    def _call(self, request: Any) -> Any:
        args = dict(read_properties(request.args))
        call = self._models.call(_function_call(request, args), preview=self._session.preview)
        with self._lock:
            self._calls.append(call)
        return self._answered("pulumirpc.CallResponse", call)

    def _answered(self, response: str, call: FunctionCall) -> Any:
        made = self._rpc.message(response)
        getattr(made, "return").update(write_properties(call.answer))
        made.failures.extend(self._rpc.message("pulumirpc.CheckFailure", reason=reason) for reason in call.failures)
        return made


def _function_call(request: Any, args: Properties) -> FunctionCall:
    return FunctionCall(
        token=request.tok,
        args=args,
        answer={},
        provider=request.provider,
        version=request.version,
        plugin_download_url=request.pluginDownloadURL,
    )


class Echo:
    """Each resource has its inputs as outputs, and an id."""

    def register(self, asked: Registration, *, preview: bool) -> Answer:
        return Answer(id=UNKNOWN if preview else f"{asked.name}-id", outputs=asked.inputs)

    def read(self, asked: Registration, *, preview: bool) -> Answer:
        return Answer(id=asked.id, outputs=asked.inputs)

    def call(self, asked: FunctionCall, *, preview: bool) -> FunctionCall:
        return replace(asked, answer=asked.args)
