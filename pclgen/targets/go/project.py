"""Project files: `Pulumi.yaml` and `go.mod` (targets 2).

Comes in: a program and the project's facts.  Goes out: values for the templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pclgen.core.expr import Literal, LiteralValue
from pclgen.core.program import ConfigVariable, Program
from pclgen.targets.go.sdk import CORE_MODULE, sdk_of
from pclgen.types.model import BOOL, INT, STRING, Type

GO_VERSION = "1.26.6"
CORE_VERSION = "v3.263.0"
_OTHER_MODULES = {"github.com/rivo/uniseg": "v0.4.7"}
_TYPES: Mapping[Type, str] = {STRING: "string", INT: "integer", BOOL: "boolean"}
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_WORDS = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])


@dataclass(frozen=True, slots=True)
class Requirement:
    """A line of `go.mod`."""

    path: str
    version: str


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """A config value that `Pulumi.yaml` declares; `default` is "" when it must be set."""

    key: str
    type: str
    description: str
    default: str


def requirements(program: Program, imports: Collection[str]) -> tuple[Requirement, ...]:
    """The modules of a project, with the exact versions of the schemas, sorted by path."""
    found = {CORE_MODULE: CORE_VERSION}
    for package in program.packages:
        sdk = sdk_of(package)
        is_used = any(path == sdk.base_path or path.startswith(sdk.base_path + "/") for path in imports)
        if package.name != "pulumi" and package.version and is_used:
            found[sdk.module_path] = "v" + package.version.split("+", 1)[0]
    found |= {path: version for path, version in _OTHER_MODULES.items() if path in imports}
    return tuple(Requirement(path, version) for path, version in sorted(found.items()))


def module_name(name: str) -> str:
    """The module path of a project: its name, as go.mod allows it."""
    text = re.sub(r"[^A-Za-z0-9._~-]+", "-", name).strip("-.")
    return text or "program"


def config_entries(program: Program) -> tuple[ConfigEntry, ...]:
    """The config values that a project file can declare: scalars that are required or have a constant default."""
    entries = []
    for node in program.nodes:
        if not isinstance(node, ConfigVariable) or node.secret:
            continue
        type_ = _TYPES.get(node.type)
        default = node.default.value if isinstance(node.default, Literal) else None
        if type_ is None or (not node.required and default is None):
            continue
        description = yaml_text(node.description) if node.description else ""
        entries.append(ConfigEntry(yaml_text(node.logical_name), type_, description, _constant(default)))
    return tuple(entries)


def _constant(value: LiteralValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return yaml_text(value) if isinstance(value, str) else str(value)


def yaml_text(text: str) -> str:
    """`text` as a YAML scalar: bare where it cannot be misread, else quoted."""
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text)
