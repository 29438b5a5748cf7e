"""Models of providers for runs of generated programs."""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.evaluate.models import CreateRequest, EchoModel, ResourceAnswer
from pclgen.trace.model import UNKNOWN
from pclgen.types.declarations import Shape
from pclgen.types.model import is_optional


class AbsentModel(EchoModel):
    """A provider that returns its inputs, and of other outputs only those that its schema promises."""

    def create(self, request: CreateRequest) -> ResourceAnswer:
        answer = super().create(request)
        declared = self._resource(request.type)
        assert declared is not None
        fields = declared.outputs.fields(Shape.OUTPUT)
        kept = {n: v for n, v in answer.outputs.items() if n in request.inputs or not is_optional(fields[n].type)}
        # In a preview it is unknown whether they are null.
        absent = dict.fromkeys([n for n in fields if n not in kept], UNKNOWN) if request.deployment.preview else {}
        return replace(answer, outputs={**absent, **kept})
