"""Name resolution of Pulumi YAML: declarations of the program, then the configuration of a stack.

Pulumi puts every key of the stack's configuration in scope.  An undeclared name is therefore configuration. Its type comes
from a `Pulumi.<stack>.yaml` beside the program, or from its uses.

    ${gcp:project}    ->  config gcpProject { __logicalName = "gcp:project" }
    ${size}           ->  config size {}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.suggest import suggest
from pclgen.pulumiyaml.access import Access, parts_of
from pclgen.pulumiyaml.names import Identifiers
from pclgen.pulumiyaml.types import StackValue
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from pclgen.syntax import ast

_SETTING: Final = re.compile(r"[^\s:]+:[^\s:]+")
"""The key of a setting of a package: `aws:region`."""


class Implicit(Struct, frozen=True, kw_only=True):
    """Configuration that the program uses and does not declare: `key` is its key in a stack, `type` its type label, None
    where its uses decide."""

    name: str
    key: str
    span: Span
    type: str | None
    secret: bool


class Scope(Struct, eq=False):
    """The names of one program.

    `settings` are the entries of the configuration that belong to packages (`aws:region`), by key; `stacks` are the values
    in the stacks' files.  In a `fragment` an undeclared plain name is not configuration: other files declare it.  A `closed`
    scope, of a component, has no configuration but its inputs.
    """

    bag: DiagnosticBag
    project: str
    outputs: Mapping[str, YamlNode]
    stacks: Mapping[str, StackValue]
    fragment: bool = False
    closed: bool = False
    identifiers: Identifiers = field(default_factory=Identifiers)
    implicit: dict[str, Implicit] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)

    def declare(self, names: Iterable[str]) -> None:
        """Add the names that the program declares."""
        names = list(names)
        self.identifiers.declare(names)
        self.declared.update(names)

    def identifier(self, name: str) -> str:
        """Return the identifier of a name that the program declares."""
        return self.identifiers.by_name.get(name, name)

    def reference(self, name: str, span: Span, *, bare: bool) -> ast.Expr:
        """Return a reference to `name`; an undefined name is reported.  `bare`: no step follows."""
        own = name.removeprefix(f"{self.project}:")
        if own in self.declared:
            return ast.Variable(name=self.identifiers.by_name[own], span=span)
        if own in self.outputs and own not in self.stacks and not self.fragment and not self._reads_itself(own):
            self.bag.add(say.output_is_no_variable(own, span))
            return ast.Missing(span=span)
        if not self.closed and self._is_configuration(own, bare=bare):
            return ast.Variable(name=self._configured(own, span), span=span)
        return ast.Variable(name=name, span=span)  # the binder reports the undefined name

    def _is_configuration(self, name: str, *, bare: bool) -> bool:
        return _SETTING.fullmatch(name) is not None or name in self.stacks or self._may_be_configuration(name, bare=bare)

    def _may_be_configuration(self, name: str, *, bare: bool) -> bool:
        return bare and not self.fragment and ":" not in name and not self._is_misspelled(name)

    def _is_misspelled(self, name: str) -> bool:
        """Return whether `name` resembles a declared name; a longer name with the same beginning does not."""
        near = suggest(name, sorted(self.declared))
        short, long = sorted((name.lower(), (near or "").lower()), key=len)
        return near is not None and not (long.startswith(short) and len(long) > len(short) + 1)

    def _configured(self, key: str, span: Span) -> str:
        """Return the identifier of the configuration under `key`, which the program does not declare."""
        implicit = self.implicit.get(key)
        if implicit is not None:
            return implicit.name
        stack_value = self.stacks.get(key)
        if stack_value is None and ":" not in key:
            self.bag.add(say.undeclared_configuration(key, span))
        name = self.identifiers.add(key)
        type_ = None if stack_value is None else stack_value.type
        self.implicit[key] = Implicit(
            name=name, key=key, span=span, type=type_, secret=stack_value is not None and stack_value.secret
        )
        return name

    def _reads_itself(self, name: str) -> bool:
        """Return whether the output `name` reads the configuration variable of the same name."""
        return name in set(_roots(self.outputs[name]))


def _roots(node: YamlNode) -> Iterator[str]:
    """Return the names that the texts in `node` begin with: `a` of `${a.b}`."""
    match node:
        case YamlScalar():
            for part in parts_of(node, DiagnosticBag()) or ():
                if isinstance(part, Access):
                    yield str(part.root.key)
        case YamlList():
            for item in node.items:
                yield from _roots(item)
        case YamlMap():
            for key, value in node.pairs:
                yield from _roots(key)
                yield from _roots(value)
