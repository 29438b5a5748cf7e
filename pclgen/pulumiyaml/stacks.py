"""The configuration of stacks, as far as a program needs it: keys, their types, and which are secret.

    config:
      shop:size: 3              ->  size: int
      aws:region: eu-west-1     ->  aws:region: string
      shop:token:
        secure: AAAB...         ->  token: string, secret
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms, types
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree

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
    return StackValue(types.shape(node), _holds_secret(node))


def _holds_secret(node: YamlNode) -> bool:
    match node:
        case YamlMap():
            return types.is_encrypted(node) or any(_holds_secret(value) for _, value in node.pairs)
        case YamlList():
            return any(_holds_secret(item) for item in node.items)
        case YamlScalar():
            return False
