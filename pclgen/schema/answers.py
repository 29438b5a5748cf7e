"""What a program or a service answered when it was asked for a schema.

Comes in: the bytes of the answer and what was wanted.  Goes out: the same bytes, when they are the wanted schema; else a
`BadSchema` that says what came instead, or `Lacking` when it is the schema of another version.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec import Struct

from pclgen.schema.document import explain
from pclgen.schema.errors import BadSchema, Fault, Lacking
from pclgen.schema.semver import parse_version
from pclgen.schema.sources import Wanted

_SHOWN_LINES = 4


class _Label(Struct):
    """What says whose schema it is."""

    name: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question to a source that has to be asked: what for, and whom (`where`, as in diagnostics)."""

    wanted: Wanted
    where: str

    def failed(self, reason: str, printed: tuple[str, ...] = ()) -> BadSchema:
        """Nothing usable came back; `printed` are the last lines that the other side left."""
        return BadSchema(
            name=self.wanted.name,
            where=self.where,
            reason=reason,
            fault=Fault.SOURCE,
            printed=printed[-_SHOWN_LINES:],
        )

    def accept(self, data: bytes, who: str, printed: tuple[str, ...] = ()) -> bytes | BadSchema | Lacking:
        """`data`, if it is the wanted schema; `who` answered is the subject of the reason if not."""
        if not data:
            return self.failed(f"{who} answered without a schema", printed)
        try:
            label = msgspec.json.decode(data, type=_Label)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self.failed(f"what {who} answered is no schema: {explain(error)}", printed)
        wanted = self.wanted
        if label.name != wanted.name:
            return self.failed(f"{who} answered with the schema of package `{label.name}`, not `{wanted.name}`", printed)
        if wanted.version is not None and label.version and not _same(label.version, wanted.version):
            return Lacking(reason=f"it has version {label.version.removeprefix('v')}")
        return data


def _same(one: str, other: str) -> bool:
    one, other = one.removeprefix("v"), other.removeprefix("v")
    parsed = parse_version(one)
    return one == other or (parsed is not None and parsed == parse_version(other))
