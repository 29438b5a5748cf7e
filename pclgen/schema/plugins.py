"""Schemas from the provider plugins on this machine, and the requests that all programs and services share.

A plugin of package `aws` is a program `pulumi-resource-aws`, on PATH or in Pulumi's folder of plugins
(`~/.pulumi/plugins/resource-aws-v7.48.0/`). It is started and queried over gRPC (`pulumirpc.ResourceProvider`: Handshake,
Parameterize for a parameterized package, GetSchema). Any other behavior gives a `BadSchema`. Whatever it does, it is stopped
within the time limit, with all its processes and threads.

Like in Pulumi, a plugin on PATH takes precedence over the folder unless the folder has the required version. Plugins that
are not executables (a `PulumiPlugin.yaml` names the language that runs them) are left to the Pulumi CLI.

The Pulumi CLI and the schema loader (`schema.pulumi`) are asked with the same `SchemaRequest`. An answer is accepted
if it is the required schema; a schema of another version means that the source lacks the package.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import shutil
import socket
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pclgen.protocol.process import PluginProcess
from pclgen.protocol.rpc import LOCALHOST, CallFailed, Connection, Missing, Rpc, load
from pclgen.schema.document import explain
from pclgen.schema.errors import BadSchema, Fault, Lacking
from pclgen.schema.sources import BasePlugin, Candidate, Reading, Requirement, SchemaSource
from pclgen.semver import VERSION_PATTERN, Version, parse_version

TIME_LIMIT = 30.0
"""Default time limit of a plugin in seconds, for start and answers together."""

_FOLDER = re.compile(rf"resource-(?P<name>.+)-v(?P<version>{VERSION_PATTERN})", re.ASCII)
_PROGRAM = "pulumi-resource-"
_SUFFIXES = ("", ".exe", ".cmd", ".bat") if os.name == "nt" else ("",)
_LISTENING_SECONDS = 5.0
_DYING_SECONDS = 0.5
_LOGGED_LINES = 12


def plugin_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return Pulumi's folder of plugins: in PULUMI_HOME, else in `~/.pulumi`; None without a home directory."""
    home = environment.get("PULUMI_HOME")
    if home:
        return Path(home) / "plugins"
    try:
        return Path.home() / ".pulumi" / "plugins"
    except RuntimeError:
        return None


class PluginSource(SchemaSource):
    """The provider plugins of a folder and of the directories in `path` (as in PATH).

    `limit` is the time in seconds for a plugin to start and to answer.
    """

    def __init__(self, *, folder: Path | None, path: str, limit: float = TIME_LIMIT) -> None:
        self._folder = folder
        self._path = path
        self._limit = limit
        self._listing: dict[str, list[tuple[Version, Path]]] | None = None

    @property
    def where(self) -> str:
        """Both locations."""
        return (
            f"the provider plugins in {self._folder} and on PATH"
            if self._folder is not None
            else "the provider plugins on PATH"
        )

    def names(self) -> Sequence[str]:
        """The packages with a plugin, sorted."""
        return sorted({*self._installed(), *self._names_on_path()})

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        """Return the plugins that may have the package. The version of a plugin on PATH is unknown until it runs, and
        assumed to be the required one."""
        base = base_of(requirement)
        name, version = (base.name, base.version) if base is not None else (requirement.name, requirement.version or "")
        if NAME.fullmatch(name) is None:
            return []
        installed = self._installed().get(name, [])
        exact = [(release, path) for release, path in installed if release == parse_version(version.removeprefix("v"))]
        on_path = shutil.which(f"{_PROGRAM}{name}", path=self._path) if not exact else None
        if on_path is not None:
            return [_candidate(requirement, requirement.version, on_path)]
        if base is not None:
            # The version of the package is that of the parameter; the newest plugin serves if none is named.
            chosen = exact or (installed if not version else [])
            return [_candidate(requirement, requirement.version, str(path)) for _, path in chosen[:1]]
        return [_candidate(requirement, release.text, str(path)) for release, path in installed]

    def fingerprint(self, candidate: Candidate) -> str:
        """Return the fingerprint of the program's file, and the parameter."""
        try:
            stat = os.stat(candidate.where)
        except OSError:
            return ""
        base = base_of(candidate.requirement) if candidate.requirement is not None else None
        parameter = f" {candidate.name} {candidate.version} {base.parameter}" if base is not None else ""
        return f"plugin {candidate.where} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}{parameter}"

    def read(self, candidate: Candidate) -> Reading:
        """Start the plugin, query it, and stop it."""
        rpc = load()
        if isinstance(rpc, Missing):
            return Lacking(reason=f"{candidate.where} cannot be asked: {rpc.reason}")
        requirement = candidate.requirement or Requirement(name=candidate.name, version=candidate.version)
        request = SchemaRequest(requirement=requirement, where=candidate.where)
        parameter = parameter_of(requirement)
        if isinstance(parameter, str):
            return request.failed(parameter)
        answer = _Conversation(rpc, Path(candidate.where), self._limit).run(parameter)
        if isinstance(answer, _Failed):
            return request.failed(answer.reason, answer.printed, late=answer.late)
        return request.accept(answer.schema, "the plugin", answer.printed)

    def _installed(self) -> Mapping[str, list[tuple[Version, Path]]]:
        """The programs in the folder by package, newest version first; listed once."""
        if self._listing is None:
            listing: dict[str, list[tuple[Version, Path]]] = {}
            for name, version, path in self._scan():
                listing.setdefault(name, []).append((version, path))
            for versions in listing.values():
                versions.sort(key=lambda pair: pair[0], reverse=True)
            self._listing = listing
        return self._listing

    def _scan(self) -> Iterator[tuple[str, Version, Path]]:
        for entry in _entries(self._folder):
            match = _FOLDER.fullmatch(entry.name)
            version = parse_version(match["version"]) if match is not None else None
            # Pulumi leaves a file beside the directory while it unpacks a plugin into it.
            if match is None or version is None or entry.with_name(f"{entry.name}.partial").exists():
                continue
            for suffix in _SUFFIXES:
                program = entry / f"{_PROGRAM}{match['name']}{suffix}"
                if os.path.isfile(program):
                    yield match["name"], version, program
                    break

    def _names_on_path(self) -> Iterator[str]:
        for directory in self._path.split(os.pathsep):
            for entry in _entries(Path(directory)) if directory else ():
                name = entry.name.removeprefix(_PROGRAM)
                if name != entry.name and os.access(entry, os.X_OK):
                    yield name.removesuffix(".exe")


class _Answered(Struct, frozen=True, kw_only=True):
    schema: bytes
    printed: tuple[str, ...]


class _Failed(Struct, frozen=True, kw_only=True):
    reason: str
    printed: tuple[str, ...] = ()
    late: bool = False


class _Conversation:
    """One plugin, from start to end."""

    def __init__(self, rpc: Rpc, program: Path, limit: float) -> None:
        self._rpc = rpc
        self._program = program
        self._limit = limit
        self._deadline = time.monotonic() + limit
        self._logged: deque[str] = deque(maxlen=_LOGGED_LINES)

    def run(self, parameter: Parameter | None) -> _Answered | _Failed:
        """Request the schema (of the package that `parameter` makes of the plugin)."""
        services = {"/pulumirpc.Engine/Log": self._log, "/pulumirpc.Engine/GetRootResource": self._root}
        with self._rpc.serve(services, threads=2) as engine:
            try:
                plugin = PluginProcess([self._program, engine.address])
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                return _Failed(reason=f"the plugin cannot be started: {reason}")
            with plugin:
                answer = self._ask(plugin, engine.address, parameter)
        # Only now all that it printed has been read.
        printed = (*plugin.printed, *self._logged)
        if isinstance(answer, bytes):
            return _Answered(schema=answer, printed=printed)
        return _Failed(reason=f"the plugin {answer}", printed=printed, late=answer.endswith(self._within))

    def _ask(self, plugin: PluginProcess, engine: str, parameter: Parameter | None) -> bytes | str:
        """Return the schema, or a description of the plugin's behavior instead."""
        problem = plugin.wait_for_port(self._deadline, self._within) or self._wait_until_listening(plugin)
        if problem is not None:
            return problem
        with self._rpc.connect(f"{LOCALHOST}:{plugin.port}") as connection:
            problem = self._introduce(plugin, connection, engine) or self._parameterize(plugin, connection, parameter)
            if problem is not None:
                return problem
            which = {"subpackage_name": parameter.name, "subpackage_version": parameter.version} if parameter else {}
            request = self._rpc.message("pulumirpc.GetSchemaRequest", **which)
            answer = connection.fetch("/pulumirpc.ResourceProvider/GetSchema", request, timeout=self._left)
            return self._failure_of(plugin, answer, "GetSchema") if isinstance(answer, CallFailed) else answer

    def _wait_until_listening(self, plugin: PluginProcess) -> str | None:
        """Wait for the port: a plugin may print it shortly before it listens."""
        patience = min(self._deadline, time.monotonic() + _LISTENING_SECONDS)
        while True:
            try:
                socket.create_connection((LOCALHOST, plugin.port), timeout=max(0.01, self._left)).close()
            except OSError:
                ended = plugin.wait_ended(0.05)
                if ended is not None:
                    return f"{ended} after it printed its port"
                if time.monotonic() >= patience:
                    return f"does not listen on port {plugin.port}, which it printed"
            else:
                return None

    def _introduce(self, plugin: PluginProcess, connection: Connection, engine: str) -> str | None:
        """Perform the handshake. Older plugins do not implement it, and one that rejects it may still have a schema."""
        directory = str(self._program.parent)
        request = self._rpc.message(
            "pulumirpc.ProviderHandshakeRequest",
            engine_address=engine,
            root_directory=directory,
            program_directory=directory,
            configure_with_urn=True,
        )
        answer: Any = connection.call("/pulumirpc.ResourceProvider/Handshake", request, timeout=self._left)
        if isinstance(answer, CallFailed) and (answer.timed_out or answer.status == "UNAVAILABLE"):
            return self._failure_of(plugin, answer, "Handshake")
        return None

    def _parameterize(self, plugin: PluginProcess, connection: Connection, parameter: Parameter | None) -> str | None:
        if parameter is None:
            return None
        value = {"name": parameter.name, "version": parameter.version, "value": parameter.value}
        request = self._rpc.message("pulumirpc.ParameterizeRequest", value=value)
        answer: Any = connection.call("/pulumirpc.ResourceProvider/Parameterize", request, timeout=self._left)
        if isinstance(answer, CallFailed):
            if answer.unimplemented:
                return "does not know parameters, so it cannot serve a parameterized package"
            return self._failure_of(plugin, answer, "Parameterize")
        if answer.name != parameter.name:
            return f"made package `{answer.name}` of the parameter, not `{parameter.name}`"
        return None

    def _failure_of(self, plugin: PluginProcess, failed: CallFailed, call: str) -> str:
        """Describe a failed call from outside."""
        if failed.timed_out:
            return f"did not answer {call} {self._within}"
        ended = plugin.wait_ended(_DYING_SECONDS) if failed.status in ("UNAVAILABLE", "CANCELLED") else plugin.ended()
        if ended is not None:
            return f"{ended} when it was called with {call}"
        if failed.unimplemented:
            return f"does not know the call {call}"
        if failed.status in ("UNAVAILABLE", "INTERNAL"):
            return f"gave no usable answer to {call}: {failed.details}"
        return f"refused {call}: {failed.details or failed.status}"

    @property
    def _left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    @property
    def _within(self) -> str:
        return f"within {self._limit:g} s"

    def _log(self, request: Any) -> Any:
        if request.severity >= self._rpc.enumeration("pulumirpc.LogSeverity")["WARNING"]:
            self._logged.extend(line.strip() for line in request.message.splitlines() if line.strip())
        return self._rpc.message("google.protobuf.Empty")

    def _root(self, request: Any) -> Any:
        del request
        return self._rpc.message("pulumirpc.GetRootResourceResponse")


def _candidate(requirement: Requirement, version: str | None, program: str) -> Candidate:
    return Candidate(name=requirement.name, version=version, where=program, requirement=requirement)


def _entries(directory: Path | None) -> list[Path]:
    if directory is None:
        return []
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


# -- requests ---------------------------------------------------------------------------------------------------------------

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)
"""Valid names of requested packages; others could have a meaning for a shell or a file system."""

_SHOWN_LINES = 4


class Parameter(Struct, frozen=True, kw_only=True):
    """The parameter that makes another package of a plugin: name and version of that package, and a value."""

    name: str
    version: str
    value: bytes


def base_of(requirement: Requirement) -> BasePlugin | None:
    """Return the plugin behind a parameterized package."""
    base = requirement.base
    return base if base is not None and (base.parameter or base.name != requirement.name) else None


def parameter_of(requirement: Requirement) -> Parameter | str | None:
    """Return the parameter, None without one, or the reason why it is invalid."""
    base = base_of(requirement)
    if base is None:
        return None
    try:
        value = base64.b64decode(base.parameter, validate=True)
    except (binascii.Error, ValueError):
        return "the parameter of the `package` block is not base64 text"
    return Parameter(name=requirement.name, version=requirement.version or "", value=value)


class _Label(Struct):
    """The identification of a schema."""

    name: str
    version: str = ""


class SchemaRequest(Struct, frozen=True, kw_only=True):
    """A request to a source: the required package, and the source's name in diagnostics (`where`)."""

    requirement: Requirement
    where: str

    def failed(self, reason: str, printed: tuple[str, ...] = (), *, late: bool = False) -> BadSchema:
        """Return the error of a request without a usable answer (`late`: within the time limit); `printed` are its last
        lines."""
        return BadSchema(
            name=self.requirement.name,
            where=self.where,
            reason=reason,
            fault=Fault.SOURCE,
            help="`--time-limit SECONDS` gives it more time" if late else None,
            printed=printed[-_SHOWN_LINES:],
        )

    def accept(self, data: bytes, who: str, printed: tuple[str, ...] = ()) -> bytes | BadSchema | Lacking:
        """Return `data` if it is the required schema, else an error with the subject `who`."""
        if not data:
            return self.failed(f"{who} answered without a schema", printed)
        try:
            label = msgspec.json.decode(data, type=_Label)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self.failed(f"what {who} answered is no schema: {explain(error)}", printed)
        requirement = self.requirement
        if label.name != requirement.name:
            reason = f"{who} answered with the schema of package `{label.name}`, not `{requirement.name}`"
            return self.failed(reason, printed)
        if requirement.version is not None and label.version and not _same(label.version, requirement.version):
            return Lacking(reason=f"it has version {label.version.removeprefix('v')}")
        return data


def _same(left: str, right: str) -> bool:
    left, right = left.removeprefix("v"), right.removeprefix("v")
    parsed = parse_version(left)
    return left == right or (parsed is not None and parsed == parse_version(right))
