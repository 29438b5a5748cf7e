"""`Pulumi.yaml`, which is the same in every language but for the runtime (targets.md, Pulumi.yaml).

A program and the project's facts give values for the template `Pulumi.yaml.jinja`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from msgspec import Struct

from pclgen.core.expr import Expr, ListExpr, Literal, ObjectExpr
from pclgen.core.program import ConfigVariable, Program
from pclgen.targets.base import Project
from pclgen.types.model import BOOL, INT, STRING, ListType, MapType, ObjectType, Type

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
_IN_BLOCK = re.compile(
    r"(?:[A-Za-z_/]|\$\{)(?:[A-Za-z0-9_./${}\[\]@+=,()*%&;!?~^\"'-]|:(?=[A-Za-z0-9_./$-])| (?=[A-Za-z0-9_./$(-]))*"
)
"""What is plain where no bracket is open: more than in a list on one line."""
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # what YAML takes for a line break, or not at all
_LONGEST_KEY = 1000  # YAML takes no more than 1024 characters for a key without the mark `?`
_TYPES: Mapping[Type, str] = {STRING: "string", INT: "integer", BOOL: "boolean"}
_EXPONENT = re.compile(r"^(-?\d+)e")  # YAML 1.1 takes a number with an exponent and no point for a text

_CONFIG = "config"

_Yaml: TypeAlias = str | tuple[str, ...]
"""A value on the line of its key, or in lines below it."""


class Settings(Struct, frozen=True, kw_only=True):
    """What the template prints; texts are YAML already, "" where there is nothing to say."""

    name: str
    runtime: str
    description: str
    main: str
    config: tuple[str, ...]
    others: tuple[str, ...]


def settings_of(program: Program, project: Project, runtime: str, *, declares: bool = True) -> Settings:
    """The settings of a project; unless it `declares` the program's configuration, the program does."""
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
    """Return what the program declares, and what the project does; of the same key, the project knows more."""
    section = project.settings.get(_CONFIG)
    own = section if isinstance(section, Mapping) else {}
    names = {key.removeprefix(f"{project.name}:") for key in own}
    return (*config_entries(program, names), *own_config(project))


def own_config(project: Project, declared: Collection[str] = ()) -> tuple[str, ...]:
    """Lines of YAML for the configuration that the project has and the program has not `declared`."""
    own = project.settings.get(_CONFIG)
    members = own.items() if isinstance(own, Mapping) else ()
    return tuple(line for key, value in members if key not in declared for line in _member(key, value))


def _member(key: object, value: object) -> Sequence[str]:
    """A member of a mapping that somebody else wrote."""
    return entry_lines(yaml_text(str(key)), _plain(value))


def _plain(value: object) -> _Yaml:
    """A plain value as YAML."""
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
            parts = [_plain(part) for part in value]
            return _list(parts) or "[]"
        case _:
            return yaml_text(str(value))


def _json(value: object) -> str:
    return _escaped(json.dumps(value, ensure_ascii=False))


def project_name(name: str) -> str:
    """`name` in what Pulumi allows in the name of a project: letters, digits, dashes, underscores and periods."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:100].strip("-") or "program"


def config_entries(program: Program, known: Collection[str] = ()) -> tuple[str, ...]:
    """Lines of YAML for the config values that a project can declare without meaning something else: required ones, and
    those with constant defaults.

    The CLI wants a value on every stack for what is declared without a default, so these are left out:

    - optional values, and those whose default is computed;
    - secrets with a default: the CLI takes the default of the project for a setting in the open, and refuses it since a
      secret must be encrypted (3.202 and later);
    - keys with a colon, which are settings of other packages to the CLI and may have no type there.

    So are those that are `known` from elsewhere.
    """
    nodes = [node for node in program.nodes if isinstance(node, ConfigVariable) and node.logical_name not in known]
    return tuple(line for node in nodes for line in _entry(node))


def _entry(node: ConfigVariable) -> Sequence[str]:
    """The key and what is said about it; nothing but the key says only that the value must be set."""
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


def _type_lines(t: Type) -> tuple[str, ...] | None:
    """`type: string`; a list says what its elements are.

    None for what the CLI has no type for (numbers that may have fractions, lists of them, `any`): such values are declared
    without one, and are not checked by the CLI.
    """
    if isinstance(t, ListType):
        inner = _type_lines(t.element)
        return None if inner is None else ("type: array", "items:", *(f"  {line}" for line in inner))
    if isinstance(t, MapType | ObjectType):
        return ("type: object",)
    return (f"type: {_TYPES[t]}",) if t in _TYPES else None


def _constant(value: Expr) -> _Yaml | None:
    """A constant as YAML; None for null and for what is computed, also inside of it."""
    match value:
        case Literal(value=None):
            return None
        case Literal(value=bool() as constant):
            return "true" if constant else "false"
        case Literal(value=str() as constant):
            return yaml_text(constant)
        case Literal(value=int() | Decimal() as constant):
            return _number(constant)
        case ListExpr():
            return _list([_constant(element) for element in value.elements])
        case ObjectExpr():
            return _map([(_constant(item.key), _constant(item.value)) for item in value.items])
        case _:
            return None


def _number(value: int | Decimal) -> str:
    exact = isinstance(value, int) and abs(value) < 2**63
    return _EXPONENT.sub(r"\1.0e", str(value if exact else float(value)))


def _list(elements: Sequence[_Yaml | None]) -> _Yaml | None:
    """On one line when all elements are."""
    short = [element for element in elements if isinstance(element, str)]
    if len(short) == len(elements):
        return f"[{', '.join(short)}]"
    if None in elements:
        return None
    return tuple(line for element in elements if element is not None for line in _item(element))


def _item(element: _Yaml) -> Sequence[str]:
    first, *rest = (element,) if isinstance(element, str) else element
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _map(members: Sequence[tuple[_Yaml | None, _Yaml | None]]) -> _Yaml | None:
    lines: list[str] = []
    for key, value in members:
        if not isinstance(key, str) or value is None:
            return None
        lines += entry_lines(key, value)
    return tuple(lines) or "{}"


def entry_lines(key: str, value: _Yaml) -> Sequence[str]:
    """`key: value`, the value below its key when it takes several lines; a key that is too long for that with its mark."""
    first, mark = ([], key) if len(key) <= _LONGEST_KEY else ([f"? {key}"], "")
    if isinstance(value, str):
        return [*first, f"{mark}: {value}"]
    return [*first, f"{mark}:", *(line and f"  {line}" for line in value)]


def yaml_text(text: str, *, in_block: bool = False) -> str:
    """`text` as a YAML scalar: plain where nothing could be misread, else in double quotes.  `in_block`: no bracket is open
    around it, and it is no key."""
    if (_IN_BLOCK if in_block else _PLAIN).fullmatch(text) and text.lower() not in _WORDS:
        return text
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(text: str) -> str:
    """JSON with what YAML does not take as it is as escapes."""
    return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
