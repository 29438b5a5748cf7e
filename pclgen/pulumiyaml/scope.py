"""Names of Pulumi YAML: their identifiers in PCL, and what they stand for.

A name that is an identifier is unchanged; `my-bucket` and `index.html` become `myBucket` and `indexHtml`.  Identifiers are
unique.  `head`, `attribute` and `label` are the parts of PCL's items for members of a YAML file, with their spans there.

A name stands for a declaration of the program, or else for configuration of a stack: Pulumi puts every key of the stack's
configuration in scope.  Its type comes from a `Pulumi.<stack>.yaml` beside the program, or from its uses.

    ${gcp:project}    ->  config gcpProject { __logicalName = "gcp:project" }
    ${size}           ->  config size {}

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.suggest import suggest
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.forms import Access, parts_of, value_of
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree
from pclgen.syntax import ast

# -- identifiers ------------------------------------------------------------------------------------------------------------

_WORD: Final = re.compile(r"[A-Za-z0-9_]+")
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TAKEN: Final = frozenset({"true", "false", "null", "pulumi"})


class Identifiers(Struct, eq=False):
    """The identifiers of one program's configuration, variables and resources."""

    by_name: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    def declare(self, names: Iterable[str]) -> None:
        """Give each of `names` an identifier; names that are identifiers keep theirs."""
        unique = list(dict.fromkeys(names))
        self.taken.update(name for name in unique if is_identifier(name))
        for name in unique:
            self.by_name[name] = name if is_identifier(name) else self._free(_identifier(name))

    def add(self, name: str) -> str:
        """Return the identifier of a name, and assign it at first use."""
        if name not in self.by_name:
            self.by_name[name] = self._free(name if is_identifier(name) else _identifier(name))
        return self.by_name[name]

    def _free(self, base: str) -> str:
        """Return `base`, with a number if another identifier has that name."""
        candidate, number = base, self.numbers.get(base, 2)
        while candidate in self.taken:
            candidate, number = f"{base}{number}", number + 1
        self.numbers[base] = number
        self.taken.add(candidate)
        return candidate


def is_identifier(name: str) -> bool:
    """Return whether `name` is an identifier of PCL that is not reserved."""
    return _PLAIN.fullmatch(name) is not None and name not in _TAKEN


def _identifier(name: str) -> str:
    first, *others = _WORD.findall(name) or ["value"]
    joined = first + "".join(word[:1].upper() + word[1:] for word in others)
    if joined[0].isdigit():
        joined = f"n{joined}"
    return f"{joined}Value" if joined in _TAKEN else joined


LOGICAL_NAME = "__logicalName"


class Head(Struct, frozen=True):
    """The head of a block: its type and labels, with the spans of its key and of the value of the key."""

    kind: str
    labels: tuple[ast.Label, ...]
    key: Span
    node: Span

    def block(
        self,
        body: Iterable[ast.Item],
        around: tuple[tuple[ast.Comment, ...], tuple[ast.Comment, ...]] = ((), ()),
        inside: tuple[tuple[ast.Comment, ...], tuple[ast.Comment, ...]] = ((), ()),
    ) -> ast.Block:
        """Return the block with the comments around it, and those at the beginning and the end of its body."""
        at = self.key
        inner = self.node if self.node.end >= at.end else at
        return ast.Block(
            type=ast.Name(text=self.kind, span=at),
            labels=self.labels,
            body=ast.Body(items=tuple(body), span=inner, closing=inside[1]),
            span=at.to(inner),
            head=at,
            open_brace=at.tail(),
            leading=around[0],
            header=inside[0],
            trailing=around[1],
        )


def head(kind: str, labels: tuple[ast.Label, ...], key: YamlScalar, node: YamlNode) -> Head:
    """Return the head of the block for `key: node`."""
    return Head(kind, labels, key.span, node.span)


def attribute(
    name: str, at: Span, value: ast.Expr, *, around: tuple[Sequence[ast.Comment], Sequence[ast.Comment]] = ((), ())
) -> ast.Attribute:
    """Return the attribute `name = value`, with the comments before and behind it."""
    span = at.to(value.span) if value.span.end >= at.end else at
    return ast.Attribute(
        name=ast.Name(text=name, span=at), value=value, span=span, leading=tuple(around[0]), trailing=tuple(around[1])
    )


def label(text: str, span: Span) -> ast.Label:
    """Return a label, in quotes where PCL needs them."""
    return ast.Label(text=text, quoted=not is_identifier(text), span=span)


# -- resolution -------------------------------------------------------------------------------------------------------------

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


# -- types of configuration -------------------------------------------------------------------------------------------------

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
