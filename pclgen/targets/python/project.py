"""Project files: `Pulumi.yaml`, `requirements.txt`, `.gitignore` (targets 2).

Comes in: a program and the project's facts.  Goes out: values for the templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pclgen.core import expr as core
from pclgen.core import program
from pclgen.targets.python import packages
from pclgen.types.declarations import Package
from pclgen.types.model import BOOL, INT, STRING, Type

CORE_REQUIREMENT = "pulumi>=3.0.0,<4.0.0"

_PLAIN_YAML = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_YAML_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_SEMVER = re.compile(r"(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")
_PRE_RELEASES: Mapping[str, str] = {"alpha": "a", "a": "a", "beta": "b", "b": "b", "rc": "rc", "dev": ".dev"}
_CONFIG_TYPES: Mapping[Type, str] = {STRING: "string", INT: "integer", BOOL: "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """A config value in `Pulumi.yaml`; `default` is "" when it must be set."""

    key: str
    type: str
    description: str
    default: str


def requirements(used: Sequence[Package]) -> tuple[str, ...]:
    """The lines of `requirements.txt`: exact versions, as the schemas' types belong to them."""
    lines = {CORE_REQUIREMENT}
    for package in used:
        if package.name != packages.PULUMI:
            name = packages.distribution(package).replace("_", "-")
            lines.add(f"{name}=={pep440(package.version)}" if package.version else name)
    return tuple(sorted(lines))


def pep440(version: str) -> str:
    """A semantic version as PEP 440 spells it: `3.0.0-alpha.1+sha.12` -> `3.0.0a1+sha.12`."""
    match = _SEMVER.fullmatch(version)
    if match is None:
        return version
    release, pre, build = match[1], match[2] or "", match[3] or ""
    words = re.findall(r"[A-Za-z]+|\d+", pre)
    suffix = ""
    for at, word in enumerate(words):
        kind = _PRE_RELEASES.get(word.lower())
        if kind is not None:
            number = words[at + 1] if at + 1 < len(words) and words[at + 1].isdigit() else "0"
            suffix = f"{kind}{number}"
            break
    return release + suffix + (f"+{build.replace('-', '.')}" if build else "")


def config_entries(root: program.Program) -> tuple[ConfigEntry, ...]:
    """The config values that `Pulumi.yaml` can describe: scalars that must be set or have a constant default.

    A value that is declared without a default must be set on every stack, so optional ones are left out.
    """
    entries: list[ConfigEntry] = []
    for node in root.nodes:
        if not isinstance(node, program.ConfigVariable) or node.secret:
            continue
        kind = _CONFIG_TYPES.get(node.type)
        constant = node.default.value if isinstance(node.default, core.Literal) else None
        if kind is None or (not node.required and constant is None):
            continue
        entries.append(
            ConfigEntry(
                key=yaml_text(node.logical_name),
                type=kind,
                description=yaml_text(node.description) if node.description else "",
                default=_yaml_constant(constant),
            )
        )
    return tuple(entries)


def _yaml_constant(value: core.LiteralValue) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return yaml_text(value)
        case _:
            return str(value)


def yaml_text(text: str) -> str:
    """`text` as a YAML scalar: plain where nothing could be misread, else quoted as in JSON."""
    if _PLAIN_YAML.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return json.dumps(text)
