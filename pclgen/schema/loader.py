"""Schemas from a schema loader service (`codegen.Loader`), which the Pulumi engine offers to its plugins.

If the service does not have a package, pclgen searches the next source. Without an answer, or with an invalid schema, the
result is a `BadSchema`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pclgen.protocol.rpc import CallFailed, Missing, Rpc, load
from pclgen.schema.errors import BadSchema, Lacking
from pclgen.schema.plugins import NAME, Parameter, SchemaRequest, base_of, parameter_of
from pclgen.schema.sources import Candidate, Reading, Requirement, SchemaSource

ENGINE_TIME_LIMIT = 30.0
"""Default time limit of an answer in seconds."""

_METHOD = "/codegen.Loader/GetSchema"
_AWAY = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL"})


class LoaderSource(SchemaSource):
    """The service at `address` (`host:port`), with at most `limit` seconds for an answer. It has no list of its packages."""

    def __init__(self, address: str, *, limit: float = ENGINE_TIME_LIMIT) -> None:
        self._address = address
        self._limit = limit

    @property
    def where(self) -> str:
        """The name of the service in diagnostics."""
        return f"the schema loader at {self._address}"

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """Return the only candidate: the service decides by itself whether it has the package."""
        if NAME.fullmatch(requirement.name) is None:
            return []
        return [Candidate(name=requirement.name, version=requirement.version, where=self.where, requirement=requirement)]

    def fingerprint(self, candidate: Candidate) -> str:
        """Return "": another service may use the same address next time."""
        del candidate
        return ""

    def read(self, candidate: Candidate) -> Reading:
        """Query the service for the schema of a candidate."""
        rpc = load()
        if isinstance(rpc, Missing):
            return Lacking(reason=rpc.reason)
        requirement = candidate.requirement or Requirement(name=candidate.name, version=candidate.version)
        request = SchemaRequest(requirement=requirement, where=self.where)
        parameter = parameter_of(requirement)
        if isinstance(parameter, str):
            return request.failed(parameter)
        with rpc.connect(self._address) as connection:
            answer = connection.fetch(_METHOD, _request(rpc, requirement, parameter), timeout=self._limit)
        if isinstance(answer, CallFailed):
            return self._failure_of(request, answer)
        return request.accept(answer, "the service")

    def _failure_of(self, request: SchemaRequest, failed: CallFailed) -> BadSchema | Lacking:
        """Return `Lacking` if the service refuses, and a failure otherwise."""
        if failed.status not in _AWAY:
            return Lacking(reason=f"refused: {failed.details or failed.status}")
        if failed.timed_out:
            return request.failed(f"the service did not answer within {self._limit:g} s", late=True)
        if failed.unimplemented:
            return request.failed("the service is no schema loader")
        return request.failed(f"the service gave no usable answer: {failed.details}")


def _request(rpc: Rpc, requirement: Requirement, parameter: Parameter | None) -> Any:
    base = base_of(requirement)
    request = rpc.message("codegen.GetSchemaRequest", download_url=requirement.download_url)
    if base is None or parameter is None:
        request.package, request.version = requirement.name, requirement.version or ""
    else:
        request.package, request.version = base.name, base.version
        parameterization = {"name": parameter.name, "version": parameter.version, "value": parameter.value}
        request.parameterization.CopyFrom(rpc.message("codegen.Parameterization", **parameterization))
    return request
