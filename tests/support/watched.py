"""The registrations of a run's models for remote components, and the refused resources.

A watched model behaves like the original, and records the data that the engine's snapshots have and a trace lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pclgen.evaluate.models import (
    ChildRequest,
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    ProviderFailureError,
    ProviderModel,
    Registered,
    ResourceAnswer,
)
from pclgen.trace.model import Registration, RegistrationKind, Trace


def made_by_providers(trace: Trace, requests: Mapping[str, ChildRequest]) -> Iterator[Registration]:
    """Registrations as the evaluator has them: the stack with its outputs, components as their providers register them."""
    for registration in trace.registrations:
        if registration.kind is RegistrationKind.STACK:
            yield replace(registration, outputs=trace.outputs)
        elif registration.remote and registration.urn in requests:
            request = requests[registration.urn]
            yield Registration(
                kind=registration.kind,
                type=registration.type,
                name=registration.name,
                urn=registration.urn,
                parent=request.parent,
                custom=False,
                provider=request.provider,
                inputs=request.inputs,
                options=replace(request.options, version=request.version),
                outputs=registration.outputs,
            )
        else:
            yield registration


class Watched:
    """A model, with its registrations for components and its refusals, by URN."""

    def __init__(self, model: ProviderModel) -> None:
        self._model = model
        self.made: dict[str, ChildRequest] = {}
        self.refused: dict[str, CreateRequest] = {}
        self.read = model.read
        self.invoke = model.invoke
        self.call = model.call

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """Create a resource."""
        try:
            answer = self._model.create(request)
        except ProviderFailureError:
            self.refused[request.urn] = request
            raise
        self.refused.pop(request.urn, None)
        return answer

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """Construct a component."""
        return self._model.construct(request, _Host(host, self.made))


class _Host:
    """The engine as the model of a component sees it."""

    def __init__(self, host: ConstructHost, requests: dict[str, ChildRequest]) -> None:
        self._host = host
        self._made = requests
        self.register_outputs = host.register_outputs
        self.state = host.state

    def register(self, request: ChildRequest) -> Registered:
        """Register the component or one of its children."""
        result = self._host.register(request)
        if not request.custom:
            self._made[result.urn] = request
        return result
