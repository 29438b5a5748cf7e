"""Says where in the program the text comes from that a tool complains about, by the source maps of the generated files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from pclgen.sourcemaps import SourceMap
from pclgen.verify.report import Status, Verdict

Maps: TypeAlias = Mapping[str, Mapping[PurePosixPath, SourceMap]]
"""The source maps of a program by language and path."""

_PLACE: Final = re.compile(r"(?P<file>[^:\s]+):(?P<line>\d+):")


def with_places(verdict: Verdict, maps: Maps) -> Verdict:
    """`verdict` with the place in the program below each message of a tool that names a mapped line."""
    if verdict.status is not Status.FAILED or verdict.level != "compile":
        return verdict
    own = maps.get(verdict.language, {})
    return replace(verdict, messages=tuple([message + _origin(message, own) for message in verdict.messages]))


def _origin(message: str, maps: Mapping[PurePosixPath, SourceMap]) -> str:
    match = _PLACE.match(message)
    found = maps.get(PurePosixPath(match["file"])) if match is not None else None
    mapping = found.on_line(int(match["line"])) if match is not None and found is not None else None
    if mapping is None:
        return ""
    origin = mapping.origin
    named = f"{origin.kind} `{origin.name}`" if origin.name else origin.kind
    return f"\n  from {origin.span}: {named}"
