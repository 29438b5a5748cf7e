"""Types of configuration as Pulumi YAML writes them.

`type` and `items` of an entry, or its default, become the text of a type label of PCL: `list(string)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.names import is_identifier
from pclgen.pulumiyaml.scalars import value_of
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlScalar

_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "string": "string", "int": "int", "integer": "int", "number": "number", "bool": "bool", "boolean": "bool",
        "object": "map(any)", "array": "list(any)", "any": "any",
    }
)  # fmt: skip  # a table with many short entries
_LIST: Final = re.compile(r"list<\s*(\w+)\s*>", re.IGNORECASE)


def declared_type(node: YamlNode, items: YamlNode | None, bag: DiagnosticBag) -> str | None:
    """Return the type that an entry declares; None after an error."""
    written = forms.text(node, "`type`", bag)
    if written is None:
        return None
    inner = _LIST.fullmatch(written.strip())
    name = _NAMES.get((inner[1] if inner is not None else written).strip().lower())
    if name is None:
        bag.add(say.unknown_type(written, node.span))
        return None
    if inner is not None:
        return f"list({name})"
    if name == "list(any)" and isinstance(items, YamlMap):
        parts = forms.keys(items, "`items`", ("items", "type"), bag)
        if "type" in parts:
            nested = parts.get("items")
            element = declared_type(parts["type"][1], nested[1] if nested is not None else None, bag)
            return None if element is None else f"list({element})"
    return name


def inferred_type(default: YamlNode) -> str:
    """Return the type of a default."""
    match default:
        case YamlMap():
            return "map(any)"
        case YamlList():
            kinds = {inferred_type(item) for item in default.items}
            return f"list({kinds.pop()})" if len(kinds) == 1 else "list(any)"
        case YamlScalar():
            match value_of(default):
                case bool():
                    return "bool"
                case int():
                    return "int"
                case Decimal():
                    return "number"
                case None:
                    return "any"
                case _:
                    return "string"


def shape(value: YamlNode) -> str:
    """Return the type of a value of a stack: that of `inferred_type`, with the members of objects."""
    match value:
        case YamlMap() if is_encrypted(value):
            return "string"
        case YamlMap() if value.pairs:
            return f"object({{{', '.join(f'{_member(key.text)} = {shape(part)}' for key, part in value.pairs)}}})"
        case YamlList():
            kinds = {shape(item) for item in value.items}
            return f"list({kinds.pop()})" if len(kinds) == 1 else "list(any)"
        case _:
            return inferred_type(value)


def is_encrypted(value: YamlMap) -> bool:
    """Return whether a value of a stack is encrypted."""
    return [key.text for key, _ in value.pairs] == ["secure"]


def _member(name: str) -> str:
    return name if is_identifier(name) else json.dumps(name)
