"""Schemas from Pulumi: from an installed CLI, and from the engine that runs pclgen as a plugin.

The CLI gives a schema by `pulumi package get-schema NAME@VERSION`. It installs missing plugins, so this is the slowest
source and needs a network the first time. If the CLI refuses, it does not have the package; if it prints something
else than a schema, that is a `BadSchema`.

The engine offers a schema loader service (`codegen.Loader`) to its plugins. If the service does not have a package, pclgen
searches the next source. Without an answer, or with an invalid schema, the result is a `BadSchema`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO, Any

from msgspec import Struct

from pclgen.protocol.process import HAS_GROUPS, end_process, marked_environment
from pclgen.protocol.rpc import CallFailed, Missing, Rpc, load
from pclgen.schema.errors import BadSchema, Lacking
from pclgen.schema.plugins import NAME, Parameter, SchemaRequest, base_of, parameter_of
from pclgen.schema.sources import Candidate, Reading, Requirement, SchemaSource

# -- the cli ----------------------------------------------------------------------------------------------------------------

CLI_TIME_LIMIT = 120.0
"""Default time limit of the CLI in seconds: it may download a plugin of a few hundred megabytes."""

_LINES = 4
_SHOWN = 4000
_QUIET = {"PULUMI_SKIP_UPDATE_CHECK": "true", "NO_COLOR": "1"}


class _Ended(Struct, frozen=True, kw_only=True):
    """The result of the CLI: its status (None after a timeout), its output, and the last lines of its errors."""

    status: int | None
    output: bytes
    errors: tuple[str, ...]


class PulumiCliSource(SchemaSource):
    """The program `pulumi` in the directories in `path` (as in PATH); `limit` is its time in seconds.

    It knows all packages of Pulumi's registry, but listing them requires a network.
    """

    def __init__(self, *, path: str, limit: float = CLI_TIME_LIMIT) -> None:
        self._program = shutil.which("pulumi", path=path)
        self._limit = limit

    @property
    def where(self) -> str:
        """The program, or that it is missing."""
        return self._program or "the Pulumi CLI, which is not installed"

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """Return the schema that the CLI would print. The CLI does not accept the value of a parameter."""
        if self._program is None or NAME.fullmatch(requirement.name) is None or base_of(requirement) is not None:
            return []
        return [Candidate(name=requirement.name, version=requirement.version, where=self._program, requirement=requirement)]

    def fingerprint(self, candidate: Candidate) -> str:
        """Return name and version, which identify one schema forever; "" without a version."""
        return f"pulumi package {candidate.name}@{candidate.version}" if candidate.version is not None else ""

    def read(self, candidate: Candidate) -> Reading:
        """Run the CLI."""
        requirement = candidate.requirement or Requirement(name=candidate.name, version=candidate.version)
        request = SchemaRequest(requirement=requirement, where=candidate.where)
        label = f"{requirement.name}@{requirement.version.removeprefix('v')}" if requirement.version else requirement.name
        arguments = ["package", "get-schema", "--non-interactive", "--color", "never", label]
        try:
            ended = _run([candidate.where, *arguments], self._limit)
        except OSError as error:
            return request.failed(f"the Pulumi CLI cannot be started: {error.strerror or error}")
        if ended.status is None:
            return Lacking(reason=f"the Pulumi CLI did not answer within {self._limit:g} s")
        if ended.status != 0:
            return Lacking(reason=_remark(ended))
        return request.accept(ended.output, "the Pulumi CLI", ended.errors)


def _remark(ended: _Ended) -> str:
    """Return the most relevant line of the CLI's output."""
    errors = [line.removeprefix("error:").strip() for line in ended.errors if line.startswith("error:")]
    errors_ = (errors or list(ended.errors) or [f"ended with exit status {ended.status}"])[-1]
    return f"the Pulumi CLI says: {errors_}" if ended.errors else f"the Pulumi CLI {errors_}"


def _run(command: list[str], limit: float) -> _Ended:
    """Run a program that may print a hundred megabytes. Raises `OSError` if it cannot be started.

    Its output goes to files, so that child processes with open outputs do not block.
    """
    environment = {**marked_environment(), **_QUIET}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=environment,
            start_new_session=HAS_GROUPS,
        )
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end_process(process, environment)
        output.seek(0)
        return _Ended(status=status, output=output.read(), errors=_last_lines(errors))


def _last_lines(file: IO[bytes]) -> tuple[str, ...]:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _SHOWN))
    lines = file.read().decode("utf-8", "replace").splitlines()
    return tuple(line.strip() for line in lines if line.strip())[-_LINES:]


# -- the engine -------------------------------------------------------------------------------------------------------------

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
