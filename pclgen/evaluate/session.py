"""The role of SDKs in a run: registrations, functions, methods, remote components.

Evaluated inputs, arguments and options become resources (`ResourceValue`) whose attributes are outputs, outputs of
functions, and the trace (`trace.model`). `evaluate.engine` answers the requests.

This module computes URNs with the types of ancestors, inherits providers and `protect` from parents, replaces dependencies
on components by dependencies on their children, and marks secret outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.evaluate.effort import Effort
from pclgen.evaluate.engine import Engine, answered
from pclgen.evaluate.faults import EvaluationError
from pclgen.evaluate.models import (
    PROVIDER_PREFIX,
    ChildRequest,
    Deployment,
    FunctionRequest,
    Models,
    ProviderFailureError,
    Registered,
    ResourceAnswer,
    child_registration,
    holds_unknown,
    package_of,
    registered_kind,
)
from pclgen.evaluate.options import MOST_RETRIES, HookFailureError, Hooks, ResolvedOptions, provided_package
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.std.arguments import Work
from pclgen.evaluate.values import Failure, Meta, Output, ResourceValue, Value, as_output, holds_output
from pclgen.evaluate.wire import (
    Sent,
    completed_inputs,
    former_types,
    from_wire,
    holds_secret,
    output_from_wire,
    outputs_from_wire,
    reference_to,
    replacing_properties,
    secret_outputs,
)
from pclgen.source.text import Span
from pclgen.stdlib.deployment import STACK_REFERENCE
from pclgen.stdlib.model import UNKNOWN
from pclgen.trace import model as tr
from pclgen.types.declarations import Declaration, Package, ResourceDecl, Shape


class Request(Struct, frozen=True, kw_only=True):
    """A request to register a resource. `component` marks local components, `read_id` is set for reads."""

    type: str
    name: str
    inputs: Mapping[str, Value]
    chosen: ResolvedOptions
    parent: ResourceValue
    declaration: ResourceDecl | None
    span: Span
    spans: Mapping[str, Span]
    package: Package | None = None
    component: bool = False
    read_id: Value = None


class FunctionUse(Struct, frozen=True, kw_only=True):
    """A call of a function or method.  `parent` is the component around it; `waits_for` are the resources of `dependsOn`."""

    token: str
    args: Mapping[str, Value]
    span: Span
    parent: ResourceValue
    provider: ResourceValue | None = None
    waits_for: Sequence[ResourceValue] = ()
    version: str = ""
    plugin_download_url: str = ""


def place_of(span: Span) -> tr.SourcePlace:
    """A span as a place in a trace."""
    start = span.file.position(span.start)
    return tr.SourcePlace(file=span.file.name, line=start.line, column=start.column)


class Session:
    """One run."""

    def __init__(self, settings: Settings, project: str, packages: Sequence[Package]) -> None:
        self.settings = settings
        self.effort: Effort = Effort()
        self._work = Work()
        models = Models(settings.otherwise(packages), settings.models)
        self.engine: Engine = Engine(settings, models, project)
        self.deployment: Deployment = self.engine.deployment
        self._spans: dict[str, Span] = {}
        self._resources: dict[str, ResourceValue] = {}
        self._providers: dict[str, str] = {}  # of remote components, from their models
        self.late_inputs: Mapping[Declaration, frozenset[str]] = {}  # not registered with their components
        self.failed: bool = False
        self.outputs: tr.Properties = {}
        self.warnings: list[Diagnostic] = []
        urn = tr.stack_urn(stack=settings.stack, project=project)
        name = f"{project}-{settings.stack}"
        self.root: ResourceValue = ResourceValue(urn=urn, type=tr.STACK_TYPE, name=name, custom=False, remote=False)
        self._record(
            tr.Registration(kind=tr.RegistrationKind.STACK, type=tr.STACK_TYPE, name=name, urn=urn, custom=False), self.root
        )

    def trace(self) -> tr.Trace:
        """Everything that happened."""
        return self.engine.trace("evaluator", outputs=self.outputs, failed=self.failed)

    def log(self, severity: str, message: str, urn: str = "", place: tr.SourcePlace | None = None) -> None:
        """Add an entry to the log."""
        self.engine.log(tr.LogEntry(severity=severity, message=message, urn=urn, place=place))

    def _record(self, registration: tr.Registration, resource: ResourceValue) -> None:
        """Add a registration."""
        resource.registration = self.engine.record(registration)
        self._resources[registration.urn] = resource

    def _update(self, resource: ResourceValue, registration: tr.Registration) -> None:
        """Replace a registration with its current state."""
        resource.registration = registration
        self.engine.update(registration)

    # --- registrations -------------------------------------------------------------------------------------------------

    def register(self, request: Request) -> ResourceValue:
        """Register a resource, a read or a component, and ask its model.  Raises `EvaluationError`."""
        self.effort.register(request.span)
        sent, wire, dependencies = self._sent(request)
        blocked = sorted((r for r in sent.dependencies | request.chosen.dependencies if r.failure), key=_urn)
        resource = self._new(request)
        if blocked:
            resource.failure = blocked[0].failure
            return self._poisoned(resource)
        registration = self._registration(request, resource, wire, dependencies)
        self._record(registration, resource)
        self._spans[resource.urn] = request.span
        resource.parent = request.parent
        request.parent.children.append(resource)
        if not request.component:
            try:
                self._answer(request, resource, registration)
            except ProviderFailureError as problem:
                return self._refused(request, resource, str(problem))
        return resource

    def _poisoned(self, resource: ResourceValue) -> ResourceValue:
        resource.absent = Output(UNKNOWN, False, False, frozenset((resource,)), resource.failure)
        return resource

    def _refused(self, request: Request, resource: ResourceValue, reason: str) -> ResourceValue:
        self.log("error", reason, resource.urn, place_of(request.span))
        self.failed = True
        if not self.settings.continue_on_error:
            what = f'resource "{request.name}" of type {request.type}'
            raise EvaluationError(say.provider_failed(what, reason, request.span))
        resource.failure = Failure(f"resource {resource.name} [{resource.type}] failed to register")
        return self._poisoned(resource)

    def _new(self, request: Request) -> ResourceValue:
        urn = tr.make_urn(
            stack=self.deployment.stack,
            project=self.deployment.project,
            parent=request.parent.urn,
            token=request.type,
            name=request.name,
        )
        if urn in self._spans or self.engine.find(urn) is not None:
            raise EvaluationError(say.same_identity(request.type, request.name, request.span, self._spans.get(urn)))
        remote = request.declaration is not None and request.declaration.is_component
        chosen, parent = request.chosen, request.parent
        custom = not (remote or request.component)
        resource = ResourceValue(urn=urn, type=request.type, name=request.name, custom=custom, remote=remote)
        resource.protect = parent.protect if chosen.options.protect is None else chosen.options.protect
        resource.providers = {**parent.providers, **chosen.providers}
        if chosen.provider is not None:
            resource.providers[provided_package(chosen.provider)] = chosen.provider
        return resource

    def _sent(self, request: Request) -> tuple[Sent, dict[str, tr.PropertyValue], dict[str, tuple[str, ...]]]:
        """The inputs on the wire, their common dependencies, and the dependencies of each."""
        common = Sent(dependencies=set(request.chosen.dependencies))
        wire: dict[str, tr.PropertyValue] = {}
        dependencies: dict[str, tuple[str, ...]] = {}
        remote = request.declaration is not None and request.declaration.is_component
        inputs = completed_inputs(request.inputs, request.declaration)
        if request.type == STACK_REFERENCE:
            inputs = {"name": request.name, **inputs}  # SDKs send the name of the other stack
        for name, value in inputs.items():
            if request.type.startswith(PROVIDER_PREFIX) and holds_output(value):
                value = as_output(value)  # each setting of a provider is sent as a JSON text
            self.effort.send(value, request.spans.get(name, request.span))
            sent = Sent()
            wire[name] = sent.value(value)
            resources = sent.dependencies if remote else sent.dependencies | sent.references
            urns = spread(resources)
            if urns:
                dependencies[name] = urns
            common.dependencies |= sent.dependencies | sent.references
        return common, wire, dependencies

    def _registration(
        self,
        request: Request,
        resource: ResourceValue,
        wire: Mapping[str, tr.PropertyValue],
        dependencies: Mapping[str, tuple[str, ...]],
    ) -> tr.Registration:
        all_urns = {urn for urns in dependencies.values() for urn in urns}
        all_urns.update(spread(request.chosen.dependencies))
        provider = self._provider_of(request, resource)
        return tr.Registration(
            kind=_kind(request, resource),
            type=request.type,
            name=request.name,
            urn=resource.urn,
            parent=request.parent.urn,
            custom=resource.custom,
            remote=resource.remote,
            provider=self.reference(provider),
            providers={} if resource.custom else {key: self.reference(p) for key, p in sorted(resource.providers.items())},
            inputs=wire,
            dependencies=tuple(sorted(all_urns)),
            property_dependencies=dependencies,
            options=replace(self._options(request), protect=resource.protect),
            id=self._read_id(request),
            place=place_of(request.span),
            places={name: place_of(span) for name, span in request.spans.items()},
        )

    def _read_id(self, request: Request) -> str | tr.Unknown | None:
        if request.read_id is None:
            return None
        id_ = Sent().value(request.read_id)
        return id_ if isinstance(id_, str) else tr.UNKNOWN

    def _options(self, request: Request) -> tr.Options:
        options, declaration = request.chosen.options, request.declaration
        secrets = dict.fromkeys((*options.additional_secret_outputs, *secret_outputs(declaration)))
        replacing = dict.fromkeys((*options.replace_on_changes, *replacing_properties(declaration)))
        package = request.package
        # A look-up has no use for former names and replacements: SDKs do not send them.
        is_read = request.read_id is not None
        return replace(
            options,
            aliases=() if is_read else (*options.aliases, *former_types(declaration)),
            additional_secret_outputs=tuple(secrets),
            replace_on_changes=() if is_read else tuple(replacing),
            version=options.version or ("" if package is None else package.version),
            plugin_download_url=options.plugin_download_url or ("" if package is None else package.plugin_download_url),
        )

    def _provider_of(self, request: Request, resource: ResourceValue) -> ResourceValue | None:
        """The provider from the option, or from the parent for the package."""
        if not (resource.custom or resource.remote) or request.type.startswith(PROVIDER_PREFIX):
            return None
        if request.chosen.provider is not None:
            return request.chosen.provider
        # A component also uses its own list of providers.
        providers = resource.providers if resource.remote else request.parent.providers
        return providers.get(package_of(request.type))

    def reference(self, provider: ResourceValue | None) -> str:
        """The reference to a provider, empty for the default provider."""
        if provider is None:
            return ""
        id_ = reference_to(provider).id
        return f"{provider.urn}::{id_ if isinstance(id_, str) else 'unknown'}"

    # --- answers -------------------------------------------------------------------------------------------------------

    def _answer(self, request: Request, resource: ResourceValue, registration: tr.Registration) -> None:
        if resource.remote:
            self._construct(request, resource, registration)
            return
        hooks = self._hooks(request, registration)
        answer = self._created(registration, hooks)
        state = answered(registration, answer)
        if registration.kind is tr.RegistrationKind.PROVIDER:
            state = replace(state, outputs={"version": registration.options.version, **state.outputs})
        self._update(resource, state)
        try:
            assert resource.registration is not None, "it was just recorded"
            hooks.run("afterCreate", self._hook_args(resource.registration))
        except HookFailureError as problem:
            self.failed = True
            raise EvaluationError(say.provider_failed(f'resource "{request.name}"', str(problem), request.span)) from None
        self._fill(resource, request.declaration, state.outputs, skipped=answer.skipped)
        resource.properties["id"] = output_from_wire(answer.id, self.resource, Meta(dependencies=frozenset((resource,))))

    def _hooks(self, request: Request, registration: tr.Registration) -> Hooks:
        return Hooks(
            by_event=request.chosen.hooks,
            runner=self.settings.run_hook,
            warn=self.log,
            preview=self.deployment.preview,
            urn=registration.urn,
        )

    def _hook_args(self, registration: tr.Registration) -> dict[str, Value]:
        """The value of `args` in the command of a hook."""
        return {
            "urn": registration.urn,
            "name": registration.name,
            "type": registration.type,
            "id": from_wire(registration.id, self.resource),
            "newInputs": from_wire(registration.inputs, self.resource),
            "newOutputs": from_wire(registration.outputs, self.resource),
            "oldInputs": {},
            "oldOutputs": {},
        }

    def _created(self, registration: tr.Registration, hooks: Hooks) -> ResourceAnswer:
        """The model's answer; an error hook may request a retry."""
        args = self._hook_args(registration)
        try:
            hooks.run("beforeCreate", args)
            for _ in range(MOST_RETRIES):
                try:
                    answer = self.engine.answer(registration)
                    break
                except ProviderFailureError:
                    if not hooks.wants_retry(args):
                        raise
            else:
                raise ProviderFailureError("the resource fails however often it is tried")
        except HookFailureError as problem:
            raise ProviderFailureError(str(problem)) from None
        return answer

    def _fill(
        self, resource: ResourceValue, declaration: ResourceDecl | None, outputs: tr.Properties, *, skipped: bool = False
    ) -> None:
        """Set the attributes of a resource; attributes without an answer are null, or unknown in a preview."""
        own = frozenset((resource,))
        preview = self.deployment.preview or skipped
        resource.absent = Output(UNKNOWN if preview else None, not preview, False, own)
        resource.properties.update(outputs_from_wire(outputs, self.resource, own))
        resource.properties["urn"] = Output(resource.urn, True, False, own)
        if declaration is None:
            return
        for name, field in declaration.outputs.fields(Shape.OUTPUT).items():
            if field.secret and isinstance(value := resource.properties.get(name), Output):
                resource.properties[name] = replace(value, secret=True)

    def resource(self, reference: tr.ResourceRef) -> Value:
        """Resolve a reference in an answer to the resource of this run, or to a resource with only an identity."""
        registered = self._resources.get(reference.urn)
        if registered is not None:
            return registered
        parts = reference.urn.split("::")
        custom = reference.id is not None
        type_ = tr.type_of(reference.urn)
        resource = ResourceValue(urn=reference.urn, type=type_, name=parts[-1], custom=custom, remote=not custom)
        resource.properties["urn"] = Output(resource.urn)
        if reference.id is not None:
            is_known = isinstance(reference.id, str)
            resource.properties["id"] = Output(reference.id if is_known else UNKNOWN, is_known)
        return resource

    def give_inputs(self, resource: ResourceValue, request: Request) -> None:
        """Set the inputs of a component that was registered before they were known."""
        _, wire, dependencies = self._sent(request)
        self._update(resource, self._registration(request, resource, wire, dependencies))

    def finish_component(self, resource: ResourceValue, outputs: Mapping[str, Value]) -> None:
        """Register the outputs of a local component (or of the stack)."""
        wire = {name: Sent().value(value) for name, value in outputs.items()}
        assert resource.registration is not None, "components are registered before their outputs"
        self._update(resource, replace(resource.registration, outputs=wire))
        resource.properties.update(outputs)
        resource.properties["urn"] = Output(resource.urn, True, False, frozenset((resource,)))

    def finish_stack(self, outputs: Mapping[str, Value], places: Mapping[str, tr.SourcePlace]) -> None:
        """Register the outputs of the stack."""
        self.finish_component(self.root, outputs)
        assert self.root.registration is not None, "the stack is registered first"
        self._update(self.root, replace(self.root.registration, places=places))

    # --- remote components ---------------------------------------------------------------------------------------------

    def _construct(self, request: Request, resource: ResourceValue, registration: tr.Registration) -> None:
        """Ask the model of a component, which may register the component itself, perhaps under another URN.

        The request of the program and the registration by the model are one registration, as in the engine.
        """
        host = _Host(self, resource)
        answer = self.engine.construct(registration, registration.inputs, registration.providers, host)
        self._moved(resource, answer.urn)
        self._providers[resource.urn] = host.provider
        assert resource.registration is not None, "components are registered before their models are asked"
        inputs = host.inputs(registration.inputs)
        self._update(resource, replace(resource.registration, inputs=inputs, outputs=answer.outputs))
        self._fill(resource, request.declaration, answer.outputs)

    def register_itself(self, resource: ResourceValue, request: ChildRequest) -> Registered:
        """The registration of a remote component by its own model."""
        self._moved(resource, child_registration(request, self.deployment).urn)
        return Registered(urn=resource.urn, id=None, outputs={})

    def _moved(self, resource: ResourceValue, urn: str) -> None:
        """Change the URN of a component to the URN from its model."""
        assert resource.registration is not None, "components are registered before their models are asked"
        self._resources[urn] = self._resources.pop(resource.urn)
        resource.registration = replace(resource.registration, urn=urn)
        self.engine.update(resource.registration, was=resource.urn)
        resource.urn = urn

    def register_child(self, request: ChildRequest) -> Registered:
        """Register a resource inside a component, for its model."""
        parent = self._resources.get(request.parent)
        registration = child_registration(request, self.deployment)
        urn = registration.urn
        custom = request.custom
        resource = ResourceValue(urn=urn, type=request.type, name=request.name, custom=custom, remote=not custom)
        self._record(registration, resource)
        resource.parent = parent
        if parent is not None:
            parent.children.append(resource)
        if not request.custom:
            self._fill(resource, None, {})
            return Registered(urn=urn, id=None, outputs={})
        answer = self.engine.answer(registration)
        state = answered(registration, answer)
        self._update(resource, state)
        self._fill(resource, None, state.outputs)
        resource.properties["id"] = output_from_wire(answer.id, self.resource, Meta(dependencies=frozenset((resource,))))
        return Registered(urn=urn, id=answer.id, outputs=state.outputs)

    def component_outputs(self, urn: str, outputs: tr.Properties) -> None:
        """Set the outputs that the model of a component registers."""
        if self.engine.put_outputs(urn, outputs):
            self._fill(self._resources[urn], None, outputs)

    # --- functions and methods -----------------------------------------------------------------------------------------

    def invoke(self, call: FunctionUse) -> Output:
        """The answer of a function, as an output of its properties."""
        sent, meta, _ = self._arguments(call)
        parent = call.parent
        provider = call.provider or parent.providers.get(package_of(call.token))
        if not meta.is_runnable:
            return meta.nothing()
        reference = self.reference(provider)
        request = FunctionRequest(
            token=call.token,
            args=sent,
            deployment=self.deployment,
            provider_inputs=self.engine.provider_inputs(call.token, reference),
            work=self._work,
            version=call.version,
        )
        return self._called(call, request, reference, meta)

    def call(self, call: FunctionUse, receiver: ResourceValue) -> Output:
        """The answer of a method, as an output of its properties."""
        sent, meta, dependencies = self._arguments(call, receiver)
        meta |= Meta(True, False, frozenset((receiver,)), receiver.failure)
        if not meta.is_runnable:
            return meta.nothing()
        registration = self.engine.find(receiver.urn)
        provider = self._providers.get(receiver.urn, "" if registration is None else registration.provider)
        request = FunctionRequest(
            token=call.token,
            args=sent,
            deployment=self.deployment,
            provider_inputs=self.engine.provider_inputs(call.token, provider),
            version=call.version,
            receiver=reference_to(receiver),
            receiver_outputs={} if registration is None else registration.outputs,
            dependencies={"__self__": (), **dependencies},
        )
        return self._called(call, request, provider, meta)

    def _arguments(
        self, call: FunctionUse, receiver: ResourceValue | None = None
    ) -> tuple[tr.Properties, Meta, dict[str, tuple[str, ...]]]:
        """The arguments on the wire, their metadata, and the dependencies of each.

        The metadata are secret if any argument is secret, and unknown if any argument or dependency is unknown. The
        dependencies of an argument omit resources that are passed themselves.
        """
        common = set(call.waits_for)
        args: dict[str, tr.PropertyValue] = {}
        dependencies: dict[str, tuple[str, ...]] = {}
        for name, value in call.args.items():
            if value is None:
                continue
            self.effort.send(value, call.span)
            sent = Sent()
            args[name] = sent.value(value)
            dependencies[name] = spread(sent.dependencies)
            common |= sent.dependencies | sent.references
        # The resources behind the arguments of a function must exist, even if their properties are known earlier.
        to_come = receiver is None and any(self._is_to_come(resource) for resource in common)
        meta = Meta(
            known=not holds_unknown(args) and not to_come,
            secret=holds_secret(args),
            dependencies=frozenset(common),
        )
        for resource in sorted(common, key=_urn):
            meta |= Meta(failure=resource.failure)
        return args, meta, dependencies

    def _is_to_come(self, resource: ResourceValue) -> bool:
        """Return whether a resource, or a resource inside a component, does not exist yet in a preview."""
        if resource.custom:
            id_ = resource.id
            return isinstance(id_, Output) and not id_.known
        return any(self._is_to_come(child) for child in resource.children)

    def _called(self, call: FunctionUse, request: FunctionRequest, provider: str, meta: Meta) -> Output:
        url = call.plugin_download_url
        try:
            answer = self.engine.call(request, provider=provider, plugin_download_url=url, place=place_of(call.span))
        except ProviderFailureError as problem:
            self.failed = True
            raise EvaluationError(say.provider_failed(f"function {call.token}", str(problem), call.span)) from None
        return output_from_wire(answer, self.resource, meta)


class _Host:
    """The engine for the model of a component."""

    def __init__(self, session: Session, component: ResourceValue) -> None:
        self._session = session
        self._component = component
        self._itself: ChildRequest | None = None

    @property
    def provider(self) -> str:
        """The provider that the component was registered with."""
        return "" if self._itself is None else self._itself.provider

    def inputs(self, asked: tr.Properties) -> tr.Properties:
        """The inputs of the component's registration, or the requested inputs if it was not registered."""
        return asked if self._itself is None else self._itself.inputs

    def register(self, request: ChildRequest) -> Registered:
        own = self._component
        if request.custom or (request.type, request.name) != (own.type, own.name):
            return self._session.register_child(request)
        self._itself = request
        return self._session.register_itself(own, request)

    def register_outputs(self, urn: str, outputs: tr.Properties) -> None:
        self._session.component_outputs(urn, outputs)

    def state(self, urn: str) -> Registered:
        return self._session.engine.state(urn)


def _urn(resource: ResourceValue) -> str:
    return resource.urn


def _kind(request: Request, resource: ResourceValue) -> tr.RegistrationKind:
    if request.read_id is not None or request.type == STACK_REFERENCE:
        return tr.RegistrationKind.READ
    return registered_kind(request.type, custom=resource.custom)


def spread(resources: Iterable[ResourceValue]) -> tuple[str, ...]:
    """The sorted URNs of dependencies: a local component is replaced by its resources."""
    urns: set[str] = set()
    pending = list(resources)
    while pending:
        resource = pending.pop()
        if resource.custom or resource.remote:
            urns.add(resource.urn)
        else:
            pending.extend(resource.children)
    return tuple(sorted(urns))
