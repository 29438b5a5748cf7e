"""Project files: `go.mod` and `.gitignore` (targets.md, Project files).

The values for the templates come from the program and the project's facts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from pclgen.core.program import Program
from pclgen.targets.go.quoting import quote
from pclgen.targets.go.sdk import CORE_MODULE, Home, sdk_of
from pclgen.types.declarations import Package

CORE_VERSION = "v3.230.0"
"""The oldest core SDK (of the tested versions) with everything that generated programs use.

`go mod tidy` selects a later version if another SDK requires it.
"""

GO_VERSION = "1.25.8"
"""The version that the `go.mod` of that core SDK requires, which is also the minimum for programs."""

PULUMI = "pulumi"
_WORD = re.compile(r"[A-Za-z0-9._/~+@%=-]+")
_OTHER_MODULES = {"github.com/rivo/uniseg": "v0.4.7"}


class Requirement(Struct, frozen=True):
    """A line of `go.mod`."""

    path: str
    version: str


def requirements(program: Program, imports: Collection[str]) -> tuple[Requirement, ...]:
    """Return the modules of a project, with the exact versions of the schemas, sorted by path."""
    versions = {CORE_MODULE: CORE_VERSION}
    for package in program.packages:
        layout = sdk_of(package).layout
        versions |= {home.module: version for home in _homes(package, imports) if (version := layout.requirement(home))}
    versions |= {path: version for path, version in _OTHER_MODULES.items() if path in imports}
    return tuple(Requirement(path, version) for path, version in sorted(versions.items()))


def replacements(program: Program, imports: Collection[str], local: Mapping[str, str]) -> tuple[Requirement, ...]:
    """Return the modules of a project that come from local folders, with the path in place of a version."""
    places = {CORE_MODULE: local[PULUMI]} if PULUMI in local else {}
    for package in program.packages:
        if package.name in local:
            places |= {home.module: local[package.name] for home in _homes(package, imports)}
    return tuple(Requirement(path, _quoted(place)) for path, place in sorted(places.items()))


def _homes(package: Package, imports: Collection[str]) -> list[Home]:
    layout = sdk_of(package).layout
    return [home for path in imports if (home := layout.home_at(path)) is not None]


def _quoted(path: str) -> str:
    """Return a path as a word of go.mod."""
    return path if _WORD.fullmatch(path) else quote(path)


def module_name(name: str) -> str:
    """Return the module path of a project: its name, restricted to characters valid in go.mod."""
    text = re.sub(r"[^A-Za-z0-9._~-]+", "-", name).strip("-.")
    return text or "program"
