"""`Pulumi.yaml`, which differs between languages only in the runtime (targets.md, Pulumi.yaml).

The values for the template `Pulumi.yaml.jinja` come from the program and the project's facts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from msgspec import Struct

from pclgen.core.configuration import Json, constant_of
from pclgen.core.expr import Expr
from pclgen.core.program import ConfigVariable, Program
from pclgen.targets.base import Project
from pclgen.types import model as ty

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_IN_BLOCK = re.compile(
    r"(?:[A-Za-z_/]|\$\{)(?:[A-Za-z0-9_./${}\[\]@+=,()*%&;!?~^\"'-]|:(?=[A-Za-z0-9_./$-])| (?=[A-Za-z0-9_./$(-]))*"
)
"""Text that can be a plain scalar outside brackets, where YAML allows more than in a list on one line."""
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # line breaks to YAML, or invalid in it
_LONGEST_KEY = 1000  # YAML limits a key without the mark `?` to 1024 characters
_TYPES: Mapping[ty.Type, str] = {ty.STRING: "string", ty.INT: "integer", ty.BOOL: "boolean"}
_EXPONENT = re.compile(r"^(-?\d+)e")  # YAML 1.1 reads a number with an exponent but no point as text

_CONFIG = "config"

_Yaml: TypeAlias = str | tuple[str, ...]
"""A value on the line of its key, or as lines below the key."""


class Settings(Struct, frozen=True, kw_only=True):
    """Values for the template; texts are already YAML, "" means absent."""

    name: str
    runtime: str
    description: str
    main: str
    config: tuple[str, ...]
    others: tuple[str, ...]


def settings_of(program: Program, project: Project, runtime: str, *, declares: bool = True) -> Settings:
    """Return the settings of a project, with the program's configuration if the project `declares` it."""
    return Settings(
        name=yaml_text(project_name(project.name)),
        runtime=_runtime(runtime, project.options),
        description=yaml_text(project.description) if project.description else "",
        main=yaml_text(project.main) if project.main else "",
        config=_config(program, project) if declares else (),
        others=tuple(line for key, value in project.settings.items() if key != _CONFIG for line in _member(key, value)),
    )


def _runtime(name: str, options: Mapping[str, object]) -> str:
    return name if not options else _json({"name": name, "options": options})


def _config(program: Program, project: Project) -> tuple[str, ...]:
    """Return the configuration of the program and of the project; for the same key, the project takes precedence."""
    section = project.settings.get(_CONFIG)
    own = section if isinstance(section, Mapping) else {}
    names = {key.removeprefix(f"{project.name}:") for key in own}
    return (*config_entries(program, names), *own_config(project))


def own_config(project: Project, declared: Collection[str] = ()) -> tuple[str, ...]:
    """Return YAML lines for the project's configuration, without the keys that are `declared` elsewhere."""
    own = project.settings.get(_CONFIG)
    members = own.items() if isinstance(own, Mapping) else ()
    return tuple(line for key, value in members if key not in declared for line in _member(key, value))


def _member(key: object, value: object) -> Sequence[str]:
    """Return the lines of a member of an untrusted mapping."""
    return entry_lines(yaml_text(str(key)), _plain(value))


def _plain(value: object) -> _Yaml:
    """Return a plain value as YAML."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return _number(value if isinstance(value, int) else Decimal(repr(float(value))))
        case Mapping():
            return tuple(line for key, part in value.items() for line in _member(key, part)) or "{}"
        case list() | tuple():
            return _list([_plain(part) for part in value])
        case _:
            return yaml_text(str(value))


def _json(value: object) -> str:
    return _escaped(json.dumps(value, ensure_ascii=False))


def project_name(name: str) -> str:
    """Return `name` with only characters allowed in project names: letters, digits, dashes, underscores and periods."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:100].strip("-") or "program"


def config_entries(program: Program, declared: Collection[str] = ()) -> tuple[str, ...]:
    """Return YAML lines for the config values that a project can declare without changing their meaning.

    These are required values and values with constant defaults.

    For a key declared without a default, the CLI requires a value on every stack. So the result omits:

    - optional values, and values with a computed default;
    - secrets with a default: the CLI reads a project's default as a plaintext setting, and rejects it because secrets must
      be encrypted (3.202 and later);
    - keys with a colon, which the CLI reads as settings of other packages and which may not have a type;
    - `declared` keys, which are declared elsewhere.
    """
    nodes = [node for node in program.nodes if isinstance(node, ConfigVariable) and node.logical_name not in declared]
    return tuple(line for node in nodes for line in _entry(node))


def _entry(node: ConfigVariable) -> Sequence[str]:
    """Return the YAML entry of a config value; a bare key means only that the value must be set."""
    default = _constant(node.default) if node.default is not None else None
    if ":" in node.logical_name or (not node.required and (default is None or node.secret)):
        return ()
    lines = list(_type_lines(node.type) or ())
    if node.description:
        lines.append(f"description: {yaml_text(node.description)}")
    if node.secret:
        lines.append("secret: true")
    elif default is not None:
        lines += entry_lines("default", default)
    return tuple(entry_lines(yaml_text(node.logical_name), tuple(lines) or "{}"))


def _type_lines(t: ty.Type) -> tuple[str, ...] | None:
    """Return lines like `type: string`; a list also declares its element type.

    Return None if the CLI has no such type (numbers with fractions, lists of them, `any`). These values are declared without
    a type, and the CLI does not check them.
    """
    if isinstance(t, ty.ListType):
        inner = _type_lines(t.element)
        return None if inner is None else ("type: array", "items:", *(f"  {line}" for line in inner))
    if isinstance(t, ty.MapType | ty.ObjectType):
        return ("type: object",)
    return (f"type: {_TYPES[t]}",) if t in _TYPES else None


def _constant(value: Expr) -> _Yaml | None:
    """Return a constant as YAML; None for null and for a value with a computed or null part."""
    constant = constant_of(value, through_conversions=False)
    return None if constant is None or _holds_null(constant[0]) else _plain(constant[0])


def _holds_null(value: Json) -> bool:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return value is None or any(map(_holds_null, parts))


def _number(value: int | Decimal) -> str:
    exact = isinstance(value, int) and abs(value) < 2**63
    return _EXPONENT.sub(r"\1.0e", str(value if exact else float(value)))


def _list(elements: Sequence[_Yaml]) -> _Yaml:
    """Return a list, on one line if every element fits on one line."""
    short = [element for element in elements if isinstance(element, str)]
    if len(short) == len(elements):
        return f"[{', '.join(short)}]"
    return tuple(line for element in elements for line in _item(element))


def _item(element: _Yaml) -> Sequence[str]:
    first, *rest = (element,) if isinstance(element, str) else element
    return [f"- {first}", *(f"  {line}" for line in rest)]


def entry_lines(key: str, value: _Yaml) -> Sequence[str]:
    """Return `key: value`, with a value of several lines below the key, and a key that is too long with the mark `?`."""
    first, mark = ([], key) if len(key) <= _LONGEST_KEY else ([f"? {key}"], "")
    if isinstance(value, str):
        return [*first, f"{mark}: {value}"]
    return [*first, f"{mark}:", *(line and f"  {line}" for line in value)]


def yaml_text(text: str, *, in_block: bool = False) -> str:
    """Return `text` as a YAML scalar: plain where that is unambiguous, else in double quotes.

    `in_block`: the scalar is outside brackets and is not a key.
    """
    if (_IN_BLOCK if in_block else _PLAIN).fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(text: str) -> str:
    """Return JSON text with escapes for the characters that YAML does not accept."""
    return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
