"""Requests to programs and services for a schema: the code that all such sources share.

An answer is accepted if it is the required schema; a schema of another version means that the source lacks the package.
"""

from __future__ import annotations

import base64
import binascii
import re

import msgspec
from msgspec import Struct

from pclgen.schema.document import explain
from pclgen.schema.errors import BadSchema, Fault, Lacking
from pclgen.schema.sources import BasePlugin, Requirement
from pclgen.semver import parse_version

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
