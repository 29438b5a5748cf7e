"""Project files: `Pulumi.yaml`, `package.json`, `tsconfig.json`, `.gitignore` (targets 2).

Comes in: a program and the project's facts.  Goes out: values for the templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pclgen.core.expr import Literal, LiteralValue
from pclgen.core.program import ConfigVariable, Program
from pclgen.layout import LINE, concat, group, indent, join, print_doc
from pclgen.targets.typescript.imports import CORE_MODULE, PULUMI, npm_name
from pclgen.types.declarations import Package
from pclgen.types.model import BOOL, INT, STRING, Type

CORE_VERSION = "^3.200.0"

_PLAIN_YAML = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_YAML_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_CONFIG_TYPES: Mapping[Type, str] = {STRING: "string", INT: "integer", BOOL: "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """A config value in `Pulumi.yaml`; `default` is "" when it must be set."""

    key: str
    type: str
    description: str
    default: str


def dependencies(packages: Iterable[Package]) -> tuple[str, ...]:
    """The lines of `dependencies`: providers in exact versions, as the schemas' types belong to them."""
    found = {CORE_MODULE: CORE_VERSION}
    for package in sorted(packages, key=lambda p: p.name):
        if package.name != PULUMI:
            found[npm_name(package)] = package.version or "*"
    lines = [f"{json.dumps(name)}: {json.dumps(version)}" for name, version in found.items()]
    return tuple(line + ("," if at + 1 < len(lines) else "") for at, line in enumerate(lines))


def file_list(files: Sequence[str]) -> str:
    """The `files` of `tsconfig.json`, laid out as prettier does."""
    names = [json.dumps(name) for name in sorted(files)]
    doc = group("[", indent(concat(LINE, join(concat(",", LINE), names))), LINE, "]")
    text = print_doc(concat('"files": ', doc), level=1).text.removeprefix('"files": ')
    return "[" + text[2:-2] + "]" if "\n" not in text else text


def config_entries(program: Program) -> tuple[ConfigEntry, ...]:
    """The config values that `Pulumi.yaml` can describe: scalars that must be set or have a constant default.

    A value that is declared without a default must be set on every stack, so optional ones are left out.
    """
    entries: list[ConfigEntry] = []
    for node in program.nodes:
        if not isinstance(node, ConfigVariable) or node.secret:
            continue
        kind = _CONFIG_TYPES.get(node.type)
        constant = node.default.value if isinstance(node.default, Literal) else None
        if kind is None or (not node.required and constant is None):
            continue
        description = yaml_text(node.description) if node.description else ""
        key = yaml_text(node.logical_name)
        entries.append(ConfigEntry(key=key, type=kind, description=description, default=_constant(constant)))
    return tuple(entries)


def _constant(value: LiteralValue) -> str:
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
    return json.dumps(text, ensure_ascii=False)


def package_name(name: str) -> str:
    """A name that npm takes: small letters, digits and dashes."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._") or "program"
