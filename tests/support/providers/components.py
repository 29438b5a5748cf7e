"""Components of the conformance providers (section 2.6 of the document)."""

from __future__ import annotations

from pclgen.evaluate.models import (
    ChildRequest,
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    ProviderFailureError,
    Registered,
)
from pclgen.trace.model import NO_OPTIONS, Properties, PropertyValue, ResourceRef, make_urn
from tests.support.providers.resources import PARAMETERS, members, plain


def construct(request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
    """Register a component and its children as its provider does."""
    package, _, name = request.type.split(":")
    if package in PARAMETERS:
        urn = make_urn(
            stack=request.deployment.stack,
            project=request.deployment.project,
            parent=request.parent,
            token=request.type,
            name=request.name,
        )
        return ConstructAnswer(urn=urn, outputs={"parameterValue": f"{PARAMETERS[package]}Component"})
    maker = _Maker(request, host, package)
    outputs = maker.make(name)
    host.register_outputs(maker.component.urn, outputs)
    return ConstructAnswer(urn=maker.component.urn, outputs=outputs)


class _Maker:
    def __init__(self, request: ConstructRequest, host: ConstructHost, package: str) -> None:
        self.request = request
        self.host = host
        self.package = package
        language_side = package in ("conformance-component", "builtin-info-component")
        foreign = request.type == "component:index:ComponentForeignChild"
        plain_registration = package == "component-property-deps"
        self.component = host.register(
            ChildRequest(
                type=request.type,
                name=request.name,
                inputs=request.inputs if language_side else {},
                parent=request.parent if foreign or language_side else "",
                custom=False,
                provider="" if foreign or plain_registration else request.providers.get(package, ""),
                options=request.options if language_side else NO_OPTIONS,
            )
        )

    def child(self, token: str, inputs: Properties, version: str, suffix: str = "child") -> Registered:
        provider = "" if token.startswith("pulumi:providers:") else self.request.providers.get(token.split(":")[0], "")
        return self.host.register(
            ChildRequest(
                type=token,
                name=f"{self.request.name}-{suffix}",
                inputs=inputs,
                parent=self.component.urn,
                provider=provider,
                version=version,
            )
        )

    def make(self, name: str) -> Properties:
        inputs = self.request.inputs
        match name:
            case "ComponentCustomRefOutput":
                child = self.child("component:index:Custom", {"value": inputs["value"]}, "13.3.7")
                return {"value": child.outputs["value"], "ref": reference(child)}
            case "ComponentCustomRefInputOutput":
                return self._hydrated()
            case "ComponentCallable":
                child = self.child("component:index:Custom", {"value": inputs["value"]}, "13.3.7")
                return {"value": child.outputs["value"]}
            case "ComponentForeignChild":
                child = self.child("simple:index:Resource", {"value": inputs["value"]}, "2.0.0")
                return {"value": child.outputs["value"]}
            case "Component" if self.package == "component-property-deps":
                return {"propertyDeps": {key: tuple(urns) for key, urns in self.request.dependencies.items()}}
            case "Component":
                return self._labelled()
            case "Configurer":
                config = {"config": inputs["providerConfig"]}
                child = self.child("pulumi:providers:configurer", config, "38.0.0", "inner-provider")
                return {"providerConfig": inputs["providerConfig"], "innerProviderRef": reference(child)}
            case "Simple":
                self.child("simple:index:Resource", {"value": not plain(inputs["value"])}, "2.0.0")
                return {"value": inputs["value"]}
            case "BuiltinInfo":
                deployment = self.request.deployment
                names = {"organization": deployment.organization, "project": deployment.project}
                return {**names, "stack": deployment.stack}
            case _:
                raise ProviderFailureError(f"unknown type {self.request.type}")

    def _hydrated(self) -> Properties:
        input_ref = self.request.inputs.get("inputRef")
        if not isinstance(input_ref, ResourceRef):
            raise ProviderFailureError("inputRef is null")
        state = self.host.state(input_ref.urn)
        child = self.child("component:index:Custom", {"value": state.outputs["value"]}, "13.3.7")
        return {"inputRef": input_ref, "outputRef": reference(child)}

    def _labelled(self) -> Properties:
        name = plain(self.request.inputs["name"])
        enabled = plain(members(self.request.inputs["settings"])["enabled"])
        label: PropertyValue = name if enabled else f"{name} (disabled)"
        self.child("plaincomponent:index:Custom", {"value": label}, "36.0.0")
        return {"label": label}


def reference(child: Registered) -> ResourceRef:
    """A reference to a child."""
    return ResourceRef(child.urn, child.id)
