"""Project files: `go.mod` and `.gitignore` (targets.md, Project files).

A program and the project's facts give values for the templates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from pclgen.core.program import Program
from pclgen.targets.go.modules import Home
from pclgen.targets.go.quoting import quote
from pclgen.targets.go.sdk import CORE_MODULE, sdk_of
from pclgen.types.declarations import Package

CORE_VERSION = "v3.230.0"
"""The first core SDK (of those that were tried) with everything that generated programs use.  `go mod tidy` takes a later
one when another SDK asks for it."""

GO_VERSION = "1.25.8"
"""What the `go.mod` of that core SDK asks for: a program needs no more by itself, and can do with no less."""

PULUMI = "pulumi"
_WORD = re.compile(r"[A-Za-z0-9._/~+@%=-]+")
_OTHER_MODULES = {"github.com/rivo/uniseg": "v0.4.7"}


class Requirement(Struct, frozen=True):
    """A line of `go.mod`."""

    path: str
    version: str


def requirements(program: Program, imports: Collection[str]) -> tuple[Requirement, ...]:
    """The modules of a project, with the exact versions of the schemas, sorted by path."""
    versions = {CORE_MODULE: CORE_VERSION}
    for package in program.packages:
        layout = sdk_of(package).layout
        versions |= {home.module: version for home in _homes(package, imports) if (version := layout.requirement(home))}
    versions |= {path: version for path, version in _OTHER_MODULES.items() if path in imports}
    return tuple(Requirement(path, version) for path, version in sorted(versions.items()))


def replacements(program: Program, imports: Collection[str], local: Mapping[str, str]) -> tuple[Requirement, ...]:
    """The modules of a project that are taken from a folder of this machine, with its path in place of a version."""
    places = {CORE_MODULE: local[PULUMI]} if PULUMI in local else {}
    for package in program.packages:
        if package.name in local:
            places |= {home.module: local[package.name] for home in _homes(package, imports)}
    return tuple(Requirement(path, _quoted(place)) for path, place in sorted(places.items()))


def _homes(package: Package, imports: Collection[str]) -> list[Home]:
    layout = sdk_of(package).layout
    return [home for path in imports if (home := layout.home_at(path)) is not None]


def _quoted(path: str) -> str:
    """A path as a word of go.mod."""
    return path if _WORD.fullmatch(path) else quote(path)


def module_name(name: str) -> str:
    """The module path of a project: its name, as go.mod allows it."""
    text = re.sub(r"[^A-Za-z0-9._~-]+", "-", name).strip("-.")
    return text or "program"
