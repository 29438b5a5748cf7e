"""Types of configuration as Pulumi YAML writes them, in programs and in the files of stacks.

`type` and `items` of an entry, or its default, become the text of a type label of PCL: `list(string)`. The files of stacks
have keys, their types, and which are secret:

    config:
      shop:size: 3              ->  size: int
      aws:region: eu-west-1     ->  aws:region: string
      shop:token:
        secure: AAAB...         ->  token: string, secret
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.forms import value_of
from pclgen.pulumiyaml.names import is_identifier
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree

_NAMES: Final[Mapping[str, str]] = {
    "string": "string", "int": "int", "integer": "int", "number": "number", "bool": "bool", "boolean": "bool",
    "object": "map(any)", "array": "list(any)", "any": "any",
}  # fmt: skip  # a table with many short entries
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


_FILE: Final = re.compile(r"(?:.*/)?Pulumi\.[^/]+\.ya?ml")


class StackValue(Struct, frozen=True):
    """The facts that stacks state about one key: a type label, None where they differ; whether the value is secret."""

    type: str | None
    secret: bool


def is_stack_file(name: str) -> bool:
    """Return whether `name` is the name of the configuration file of a stack."""
    return _FILE.fullmatch(name) is not None


def stack_values(files: Iterable[SourceFile], project: str, bag: DiagnosticBag) -> Mapping[str, StackValue]:
    """Return the values in the files of stacks by key; keys of `project` have no prefix."""
    values: dict[str, StackValue] = {}
    for file in files:
        for key, value in _entries(file, project, bag):
            former = values.get(key, value)
            same = former.type if former.type == value.type else None
            values[key] = StackValue(same, former.secret or value.secret)
    return values


def _entries(file: SourceFile, project: str, bag: DiagnosticBag) -> Iterator[tuple[str, StackValue]]:
    try:
        section = forms.member(top, "config") if (top := read_tree(file).top) is not None else None
    except YamlProblem as problem:
        bag.add(say.unread_stack(str(problem), problem.span, problem.hint))
        return
    for key, node in section.pairs if isinstance(section, YamlMap) else ():
        yield key.text.removeprefix(f"{project}:"), _value(node)


def _value(node: YamlNode) -> StackValue:
    return StackValue(shape(node), _holds_secret(node))


def _holds_secret(node: YamlNode) -> bool:
    match node:
        case YamlMap():
            return is_encrypted(node) or any(_holds_secret(value) for _, value in node.pairs)
        case YamlList():
            return any(_holds_secret(item) for item in node.items)
        case YamlScalar():
            return False
