"""The providers of the conformance tests as one provider model; a recorded run gives the answers of an update."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase

from pclgen.evaluate.models import (
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    FunctionRequest,
    ProviderFailureError,
    ReadRequest,
    ResourceAnswer,
)
from pclgen.trace.model import UNKNOWN, Properties
from tests.support.providers import components, functions, resources


def is_target(urn: str, targets: Collection[str]) -> bool:
    """Whether a targeted update includes the resource."""
    return any(fnmatchcase(urn, target.removeprefix("glob:").replace("**", "*")) for target in targets)


class ConformanceModel:
    """A model with recorded answers.

    `recorded` are answers by URN, used instead of the formulas of created resources; a preview has none.  `earlier` are
    those of the previous run.

    `refused` are URNs that a policy refuses; if there are `targets`, the engine creates nothing outside of them.
    """

    def __init__(
        self,
        recorded: Mapping[str, ResourceAnswer] | None = None,
        *,
        earlier: Mapping[str, ResourceAnswer] | None = None,
        refused: Collection[str] = (),
        targets: Collection[str] = (),
    ) -> None:
        self._recorded = dict(recorded or {})
        self._earlier = dict(earlier or {})
        self._refused = frozenset(refused)
        self._targets = tuple(targets)
        self._texts: set[str] = set()
        self._attempts: dict[str, int] = {}

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """Create a resource."""
        if request.urn in self._refused:
            raise ProviderFailureError(f"resource {request.urn} is invalid")
        answer = self._recorded.get(request.urn)
        if answer is None and self._targets and not is_target(request.urn, self._targets):
            return ResourceAnswer(id=UNKNOWN, outputs={}, skipped=True)
        self._attempts[request.type] = self._attempts.get(request.type, 0) + 1
        first = self._attempts[request.type] == 1 and not request.deployment.preview
        if request.type == "flaky:index:FlakyCreate" and first:
            raise ProviderFailureError("first create attempt fails")
        if request.import_id:
            outputs = resources.imported(request.type)
            answer = ResourceAnswer(id=request.import_id, outputs=outputs or request.inputs)
        if request.type == "pulumi:index:Stash" and request.urn in self._earlier:
            kept = self._earlier[request.urn]
            answer = ResourceAnswer(id=kept.id, outputs={**request.inputs, "output": kept.outputs["output"]})
        result = answer or resources.created(request)
        text = result.outputs.get("text")
        if request.type.endswith(":StringResource") and isinstance(text, str) and not request.deployment.preview:
            self._texts.add(text)
        return result

    def read(self, request: ReadRequest) -> ResourceAnswer:
        """Read an existing resource."""
        return resources.read(request)

    def invoke(self, request: FunctionRequest) -> Properties:
        """Call a function."""
        return functions.invoke(request, self._texts)

    def call(self, request: FunctionRequest) -> Properties:
        """Call a method."""
        return functions.call(request, {name: tuple(urns) for name, urns in request.dependencies.items()})

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """Construct a component."""
        return components.construct(request, host)
