"""Provider models: answers of resources, functions, methods and components without a provider.

The evaluator and the recording monitor send requests in the form of `trace.model`. A model is any object with the methods of
`ProviderModel`; `Models` chooses one by package. A model refuses a request by raising `ProviderFailureError`; the run then
fails as it would with a failing provider.

The models here: `EchoModel` (the default: outputs are the inputs, other outputs are samples of their types; pure functions
of the package `std` are computed, by `evaluate.std`) and `ReplayModel` (`evaluate.run`) with answers from a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.evaluate.samples import Readings, Samples, completed, nothing_to_refer_to, reading, unknown_sample
from pclgen.evaluate.std.arguments import StdFailureError, Work
from pclgen.evaluate.std.table import compute
from pclgen.trace import model as tr
from pclgen.types.declarations import DeclarationKind, FunctionDecl, Package, ResourceDecl, Shape
from pclgen.types.model import DYNAMIC, NominalType, Type, resolve

PROVIDER_PREFIX = "pulumi:providers:"


class ProviderFailureError(Exception):
    """A model refuses a request: the text is the error message of the provider."""


class Deployment(Struct, frozen=True, kw_only=True):
    """The deployment of a run: names of project, stack and organization, and whether it is a preview."""

    project: str
    stack: str
    organization: str
    preview: bool


class CreateRequest(Struct, frozen=True, kw_only=True):
    """Create a resource (or configure a provider). `provider_inputs` are those of its provider, empty for a default one."""

    type: str
    name: str
    urn: str
    inputs: tr.Properties
    deployment: Deployment
    provider_inputs: tr.Properties = field(default_factory=dict)
    version: str = ""
    import_id: str = ""


class ReadRequest(Struct, frozen=True, kw_only=True):
    """Look up the existing object `id`; `inputs` narrow it down."""

    type: str
    name: str
    urn: str
    id: str | tr.Unknown
    inputs: tr.Properties
    deployment: Deployment
    provider_inputs: tr.Properties = field(default_factory=dict)
    version: str = ""


class ResourceAnswer(Struct, frozen=True, kw_only=True):
    """The id and the outputs of a resource.

    An output that is not in `outputs` is null, or unknown in a preview. `skipped`: the engine skipped the resource, as in an
    update with targets; then every output that is not known from its inputs is unknown in an update, too.
    """

    id: str | tr.Unknown
    outputs: tr.Properties
    skipped: bool = False


class FunctionRequest(Struct, frozen=True, kw_only=True):
    """Call a function, or a method of the resource `receiver`. Arguments may be secret; those of functions are known, those
    of methods may be unknown in the preview of a generated program.

    `dependencies` are, for methods, the URNs on which each argument depends, including `__self__`. `work` is the budget for
    all computed calls of the run.
    """

    token: str
    args: tr.Properties
    deployment: Deployment
    provider_inputs: tr.Properties = field(default_factory=dict)
    version: str = ""
    receiver: tr.ResourceRef | None = None
    receiver_outputs: tr.Properties = field(default_factory=dict)
    dependencies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    work: Work = field(default_factory=Work)


class ConstructRequest(Struct, frozen=True, kw_only=True):
    """Create a component whose program is in its provider. `providers` are references by package; `dependencies` are the
    URNs on which each input depends."""

    type: str
    name: str
    parent: str
    inputs: tr.Properties
    deployment: Deployment
    providers: Mapping[str, str] = field(default_factory=dict)
    dependencies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    options: tr.Options = tr.NO_OPTIONS
    version: str = ""


class ConstructAnswer(Struct, frozen=True, kw_only=True):
    """The URN of the component and its outputs."""

    urn: str
    outputs: tr.Properties


class ChildRequest(Struct, frozen=True, kw_only=True):
    """A registration by a component's model: the component itself (`custom` false) or a child."""

    type: str
    name: str
    inputs: tr.Properties
    parent: str = ""
    custom: bool = True
    provider: str = ""
    version: str = ""
    options: tr.Options = tr.NO_OPTIONS


class Registered(Struct, frozen=True, kw_only=True):
    """The engine's answer to a registration."""

    urn: str
    id: str | tr.Unknown | None
    outputs: tr.Properties


class ConstructHost(Protocol):
    """The engine as the model of a component sees it."""

    def register(self, request: ChildRequest) -> Registered:
        """Register the component or one of its children."""

    def register_outputs(self, urn: str, outputs: tr.Properties) -> None:
        """Register the outputs of the component."""

    def state(self, urn: str) -> Registered:
        """Return a registered resource. Raises `ProviderFailureError` for an unknown URN."""


class ProviderModel(Protocol):
    """A model of a provider: it answers the requests of a run in place of the provider."""

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """Return the state of a new resource."""

    def read(self, request: ReadRequest) -> ResourceAnswer:
        """Return the state of an existing resource."""

    def invoke(self, request: FunctionRequest) -> tr.Properties:
        """Return the properties of a function's result. A scalar result has one property."""

    def call(self, request: FunctionRequest) -> tr.Properties:
        """Return the properties of a method's result."""

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """Register a component and its children."""


@runtime_checkable
class Rereads(Protocol):
    """A model with sample answers, which can be made so that the program can read them."""

    def reading(self, readings: Readings) -> ProviderModel:
        """Return the model with texts for these readings."""


class EchoModel:
    """The default model: a resource echoes its inputs and gets the id `<name>-id`; other outputs, and the results of
    functions, are samples of their types in the schemas of `packages`. Strings, numbers and bools that a declared object
    lacks are samples, too (a provider generates missing names). In a preview, ids and all samples are unknown. Sample lists
    have `list_length` elements. The functions of `std` are computed (`evaluate.std`). Resources in the answers of a remote
    component or of its methods are registered as its children. Texts in `readings` contain the number or the bool as which
    the program reads them.
    """

    def __init__(
        self, packages: Sequence[Package] = (), list_length: int = 1, readings: Readings | None = None
    ) -> None:
        self._packages = {package.name: package for package in packages}
        self._samples = Samples(length=list_length)
        self._readings = readings or {}

    def reading(self, readings: Readings) -> EchoModel:
        """Return this model with texts for these readings."""
        return EchoModel(tuple(self._packages.values()), self._samples.length, readings)

    def _id(self, token: str, name: str) -> str:
        return reading(self._readings, token, f"{name}-id", "id")

    def _samples_of(self, token: str, prefix: str, samples: Samples | None = None) -> Samples:
        """Samples for the answer of `token`, where labels begin with `prefix`."""
        samples = samples or self._samples
        if not self._readings:
            return samples
        return replace(
            samples, text=lambda label: reading(self._readings, token, label, label.removeprefix(f"{prefix}."))
        )

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """Return the inputs, and samples of the other outputs."""
        preview = request.deployment.preview
        import_id = request.import_id
        return ResourceAnswer(
            id=import_id or (tr.UNKNOWN if preview else self._id(request.type, request.name)),
            outputs=self._outputs(request.type, request.name, request.inputs, preview=preview),
        )

    def read(self, request: ReadRequest) -> ResourceAnswer:
        """Return the narrowing inputs, and samples; reads happen in previews, too."""
        outputs = self._outputs(request.type, request.name, request.inputs, preview=False)
        return ResourceAnswer(id=request.id, outputs=outputs)

    def _outputs(
        self, token: str, name: str, inputs: tr.Properties, *, preview: bool, samples: Samples | None = None
    ) -> tr.Properties:
        declaration = self._resource(token)
        if declaration is None:
            return inputs
        fields = declaration.outputs.fields(Shape.OUTPUT)
        missing = {key: field for key, field in fields.items() if key not in inputs and key not in ("id", "urn")}
        samples = self._samples_of(token, name, samples)
        sample = unknown_sample if preview else replace(samples, length=1, refer=nothing_to_refer_to).value
        echoed = {
            key: completed(value, fields[key].type, f"{name}.{key}", sample) if key in fields else value
            for key, value in inputs.items()
        }
        if preview:
            return {**echoed, **dict.fromkeys(missing, tr.UNKNOWN), **samples.references(missing, name)}
        return {**echoed, **samples.properties(missing, name)}

    def _resource(self, token: str) -> ResourceDecl | None:
        if token.startswith(PROVIDER_PREFIX):
            return None
        package = self._packages.get(token.split(":")[0])
        return None if package is None else package.resource(token)

    def invoke(self, request: FunctionRequest) -> tr.Properties:
        """Return the computed result of a function of `std`; a sample of the result of any other function."""
        try:
            computed = compute(request.token, request.args, request.work)
        except StdFailureError as problem:
            raise ProviderFailureError(str(problem)) from None
        if computed is not None:
            return computed
        package = self._packages.get(package_of(request.token))
        function = None if package is None else package.function(request.token)
        if function is None or function.result is None:
            return {}
        samples = self._samples_of(function.token, _label_of(function))
        return _answer(function, function.result, samples)

    def call(self, request: FunctionRequest) -> tr.Properties:
        """Return a sample of the method's result; its resources are those that `construct` registered for it."""
        package = self._packages.get(package_of(request.token))
        method = None if package is None else package.function(request.token)
        if method is None or method.result is None:
            return {}
        receiver = request.receiver
        made_for_it = receiver is not None and self._is_component(tr.type_of(receiver.urn))
        refer = partial(self._child, request) if made_for_it else nothing_to_refer_to
        samples = self._samples_of(method.token, _label_of(method))
        answer = _answer(method, method.result, replace(samples, refer=refer), single="res")
        # SDKs call methods in previews even with unknown arguments.
        return dict.fromkeys(answer, tr.UNKNOWN) if holds_unknown(request.args) else answer

    def _child(self, request: FunctionRequest, token: str, label: str) -> tr.ResourceRef:
        """The resource that `construct` registers for this place in the answer of a method."""
        receiver, run = request.receiver, request.deployment
        assert receiver is not None, "methods have a receiver"
        name = _name_for_answer(receiver.urn.rpartition("::")[2], label)
        urn = tr.make_urn(stack=run.stack, project=run.project, parent=receiver.urn, token=token, name=name)
        physical_id = tr.UNKNOWN if run.preview else self._id(token, name)
        id_ = None if self._is_component(token) else physical_id
        return tr.ResourceRef(urn, id_, self._version(token, request.token, request.version))

    def _is_component(self, token: str) -> bool:
        declaration = self._resource(token)
        return declaration is not None and declaration.is_component

    def _version(self, token: str, of: str, version: str) -> str:
        """The version of a resource's SDK, by which SDKs find its class: `version` in the package of the token `of`."""
        name = package_of(token)
        if name == package_of(of):
            return version
        return self._packages[name].version if name in self._packages else ""

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """Register the component. Its outputs echo its inputs; the others are samples.

        Its children are the resources in its outputs and in the answers of its methods. Methods register nothing, since a
        program may call them often, or only in the preview of one language.
        """
        provider = request.providers.get(request.type.split(":")[0], "")
        component = host.register(
            ChildRequest(
                type=request.type,
                name=request.name,
                inputs=request.inputs,
                parent=request.parent,
                custom=False,
                provider=provider,
                version=request.version,
            )
        )

        def child(name: str, token: str) -> tr.ResourceRef:
            custom = not self._is_component(token)
            resource = host.register(ChildRequest(type=token, name=name, inputs={}, parent=component.urn, custom=custom))
            if not custom:
                host.register_outputs(resource.urn, self._outputs(token, name, {}, preview=preview))
            return tr.ResourceRef(resource.urn, resource.id, self._version(token, request.type, request.version))

        preview = request.deployment.preview
        samples = replace(self._samples, refer=lambda token, label: child(label.replace(".", "-"), token))
        outputs = self._outputs(request.type, request.name, request.inputs, preview=preview, samples=samples)
        declaration = self._resource(request.type)
        of_methods = replace(samples, refer=lambda token, label: child(_name_for_answer(request.name, label), token))
        for method in {} if declaration is None else declaration.methods().values():
            if method.result is not None:
                _answer(method, method.result, of_methods)
        host.register_outputs(component.urn, outputs)
        return ConstructAnswer(urn=component.urn, outputs=outputs)


def _answer(function: FunctionDecl, result: Type, samples: Samples, *, single: str = "result") -> tr.Properties:
    """Return a sample of a function's answer.

    A member of any type is an object, as Python's SDKs refuse other values there. A result that is a map is one property, as
    is any value that is not the declared object of results; `single` is its name.
    """
    sample = samples.value(result, _label_of(function))
    if not (isinstance(result, NominalType) and isinstance(sample, Mapping)):
        return {single: sample}
    if result.declaration.kind is not DeclarationKind.FUNCTION_RESULT:
        return {single: sample}
    fields = result.declaration.fields(result.shape)
    return {name: {"key": value} if resolve(fields[name].type) is DYNAMIC else value for name, value in sample.items()}


def _label_of(function: FunctionDecl) -> str:
    return label_of_function(function.token)


def label_of_function(token: str) -> str:
    """Return the prefix of the labels in the answer of a function."""
    return token.rsplit(":", 1)[-1]


def _name_for_answer(receiver: str, label: str) -> str:
    """The name of the resource at `Kit/made.part` in the answer of a method: `box-call-made-part`."""
    return f"{receiver}-call-{label.rpartition('/')[2].replace('.', '-')}"


class Models:
    """The models of a run: one for each package, and one for all others."""

    def __init__(self, default: ProviderModel, by_package: Mapping[str, ProviderModel] | None = None) -> None:
        self._default = default
        self._by_package = dict(by_package or {})

    def of(self, token: str) -> ProviderModel:
        """Return the model for a type or function token; providers and their methods belong to their package."""
        return self._by_package.get(package_of(token), self._default)


def registered_kind(token: str, *, custom: bool) -> tr.RegistrationKind:
    """Return the kind of a type's registration; `custom` as in the request."""
    if token == tr.STACK_TYPE:
        return tr.RegistrationKind.STACK
    if token.startswith(PROVIDER_PREFIX):
        return tr.RegistrationKind.PROVIDER
    return tr.RegistrationKind.RESOURCE if custom else tr.RegistrationKind.COMPONENT


def child_registration(request: ChildRequest, deployment: Deployment) -> tr.Registration:
    """Return the registration that a component's model requests, with its URN and without an answer."""
    urn = tr.make_urn(
        stack=deployment.stack,
        project=deployment.project,
        parent=request.parent,
        token=request.type,
        name=request.name,
    )
    return tr.Registration(
        kind=registered_kind(request.type, custom=request.custom),
        type=request.type,
        name=request.name,
        urn=urn,
        parent=request.parent,
        custom=request.custom,
        provider=request.provider,
        inputs=request.inputs,
        options=replace(request.options, version=request.version),
    )


def package_of(token: str) -> str:
    """The package of a token: `aws` of `aws:s3/bucket:Bucket` and of `pulumi:providers:aws`."""
    if token.startswith(PROVIDER_PREFIX):
        return token.removeprefix(PROVIDER_PREFIX).split("/")[0]
    return token.split(":")[0]


def engine_outputs(inputs: tr.Properties, outputs: tr.Properties, additional_secrets: Sequence[str]) -> tr.Properties:
    """A provider's outputs as the engine forwards them: outputs in `additionalSecretOutputs`, and outputs with a secret
    input of the same name, are secret (spec conformance-providers 1.1)."""
    names = {*additional_secrets, *(name for name, value in inputs.items() if isinstance(value, tr.Secret))}
    return {name: _secret(value) if name in names else value for name, value in outputs.items()}


def _secret(value: tr.PropertyValue) -> tr.PropertyValue:
    return value if isinstance(value, tr.Secret) else tr.Secret(value)


def holds_unknown(value: tr.PropertyValue) -> bool:
    """Return whether some part of a value is unknown."""
    return any(isinstance(part, tr.Unknown) for part in tr.parts_of(value))
