"""Schemas from an installed Pulumi CLI: `pulumi package get-schema NAME@VERSION`.

The CLI installs missing plugins, so this is the slowest source and needs a network the first time. If the CLI refuses, it
does not have the package; if it prints something else than a schema, that is a `BadSchema`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO

from msgspec import Struct

from pclgen.protocol.process import HAS_GROUPS, end_process, marked_environment
from pclgen.schema.errors import Lacking
from pclgen.schema.plugins import NAME, SchemaRequest, base_of
from pclgen.schema.sources import Candidate, Reading, Requirement, SchemaSource

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
