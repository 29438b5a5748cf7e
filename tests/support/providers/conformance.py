"""The providers of the conformance tests as one provider model; a recorded run gives the answers of an update."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.evaluate.models import (
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    FunctionRequest,
    ReadRequest,
    ResourceAnswer,
)
from pclgen.trace.model import Properties
from tests.support.providers import components, functions, resources


class ConformanceModel:
    """`recorded` are answers by URN, used in place of the formulas of created resources; a preview has none."""

    def __init__(self, recorded: Mapping[str, ResourceAnswer] | None = None) -> None:
        self._recorded = dict(recorded or {})
        self._texts: set[str] = set()

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """A resource."""
        found = self._recorded.get(request.urn)
        if request.import_id:
            outputs = resources.imported(request.type)
            found = ResourceAnswer(id=request.import_id, outputs=outputs or request.inputs)
        made = found or resources.created(request)
        text = made.outputs.get("text")
        if request.type.endswith(":StringResource") and isinstance(text, str) and not request.deployment.preview:
            self._texts.add(text)
        return made

    def read(self, request: ReadRequest) -> ResourceAnswer:
        """An existing resource."""
        return resources.read(request)

    def invoke(self, request: FunctionRequest) -> Properties:
        """A function."""
        return functions.invoke(request, self._texts)

    def call(self, request: FunctionRequest) -> Properties:
        """A method."""
        return functions.call(request, {name: tuple(urns) for name, urns in request.dependencies.items()})

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """A component."""
        return components.construct(request, host)
