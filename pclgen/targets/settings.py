"""`Pulumi.yaml`, which is the same in every language but for the runtime (targets 2.2).

Comes in: a program and the project's facts.  Goes out: values for the template `Pulumi.yaml.jinja`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pclgen.core.expr import Expr, ListExpr, Literal
from pclgen.core.program import ConfigVariable, Program
from pclgen.targets.base import Project
from pclgen.types.model import BOOL, INT, STRING, ListType, Type

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # what YAML takes for a line break, or not at all
_TYPES: Mapping[Type, str] = {STRING: "string", INT: "integer", BOOL: "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """A config value that the project declares: lines of YAML below its key."""

    key: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the template prints; texts are YAML already, "" where there is nothing to say."""

    name: str
    runtime: str
    description: str
    main: str
    config: tuple[ConfigEntry, ...]


def settings_of(program: Program, project: Project, runtime: str) -> Settings:
    """The settings of a project."""
    return Settings(
        name=yaml_text(project.name),
        runtime=runtime,
        description=yaml_text(project.description) if project.description else "",
        main=yaml_text(project.main) if project.main else "",
        config=config_entries(program),
    )


def config_entries(program: Program) -> tuple[ConfigEntry, ...]:
    """The config values that a project can declare: those that must be set, or have a constant default.

    The CLI knows text, integers, bools and lists of these.  What is declared without a default must be set on every stack,
    so optional values are left out; so are secrets with a default, which would stand there in the open.
    """
    found = [_entry(node) for node in program.nodes if isinstance(node, ConfigVariable)]
    return tuple(entry for entry in found if entry is not None)


def _entry(node: ConfigVariable) -> ConfigEntry | None:
    type_ = _type_lines(node.type)
    default = _constant(node.default) if node.default is not None else None
    if type_ is None or (not node.required and (default is None or node.secret)):
        return None
    lines = list(type_)
    if node.description:
        lines.append(f"description: {yaml_text(node.description)}")
    if node.secret:
        lines.append("secret: true")
    elif default is not None:
        lines.append(f"default: {default}")
    return ConfigEntry(key=yaml_text(node.logical_name), lines=tuple(lines))


def _type_lines(t: Type) -> tuple[str, ...] | None:
    """`type: string`; a list says what its elements are."""
    if isinstance(t, ListType):
        inner = _type_lines(t.element)
        return None if inner is None else ("type: array", "items:", *(f"  {line}" for line in inner))
    return (f"type: {_TYPES[t]}",) if t in _TYPES else None


def _constant(value: Expr) -> str | None:
    """A constant as YAML on one line; None for null and for what is computed."""
    match value:
        case Literal(value=None):
            return None
        case Literal(value=bool() as given):
            return "true" if given else "false"
        case Literal(value=str() as given):
            return yaml_text(given)
        case Literal():
            return str(value.value)
        case ListExpr():
            parts = [_constant(element) for element in value.elements]
            return None if None in parts else "[" + ", ".join(part for part in parts if part is not None) + "]"
        case _:
            return None


def yaml_text(text: str) -> str:
    """`text` as a YAML scalar: plain where nothing could be misread, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
