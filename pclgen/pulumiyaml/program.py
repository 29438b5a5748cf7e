"""Programs in Pulumi YAML as files of PCL.

Comes in: a `SourceFile`.  Goes out: the `ast.File` that the same program has in PCL, with places in the YAML; mistakes go to
the bag.

    config:                             config size int { default = 3 }
      size: {type: integer, default: 3}
    resources:
      my-pet:                           resource myPet "random:RandomPet" {
        type: random:RandomPet            __logicalName = "my-pet"
        properties: {length: ${size}}     length = size
    outputs:                            }
      name: ${my-pet.id}                output name { value = myPet.id }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms, types
from pclgen.pulumiyaml.comments import Comments
from pclgen.pulumiyaml.expressions import Reader
from pclgen.pulumiyaml.names import identifiers, is_identifier
from pclgen.pulumiyaml.options import options_block
from pclgen.records import dataclass
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree
from pclgen.syntax import ast

_SECTIONS: Final = ("config", "configuration", "resources", "variables", "outputs")
_PROJECT: Final = frozenset(
    {
        "author", "backend", "description", "license", "main", "name", "options", "packages", "plugins", "pulumi", "runtime",
        "stackConfigDir", "template", "website",
    }
)  # fmt: skip  # a list of many short entries
"""What else a project file says: of the project, not of the program."""
_CONFIG: Final = ("default", "description", "items", "secret", "type", "value")
_RESOURCE: Final = ("defaultProvider", "get", "name", "options", "properties", "type")
_GET: Final = ("id", "state")
_PROVIDERS: Final = "pulumi:providers:"


def read_program(source: SourceFile, bag: DiagnosticBag) -> ast.File:
    """The tree of a program in Pulumi YAML (or JSON, which is YAML, too)."""
    whole = source.span(0, len(source.text))
    empty = ast.File(source=source, body=ast.Body(items=(), span=whole))
    try:
        tree = read_tree(source)
    except YamlProblem as problem:
        bag.add(say.not_yaml(str(problem), problem.span))
        return empty
    top = forms.mapping(tree.top, "a program", bag) if tree.top is not None else None
    if top is None:
        return empty
    program = _Program(source, top, Comments(source, tree.comments), bag)
    items = tuple(program.items())
    return ast.File(source=source, body=ast.Body(items=items, span=whole, closing=program.comments.rest()))


class _Program:
    def __init__(self, source: SourceFile, top: YamlMap, comments: Comments, bag: DiagnosticBag) -> None:
        self.bag = bag
        self.comments = comments
        self.sections: list[tuple[str, YamlMap]] = []
        for key, node in top.pairs:
            if key.text in _SECTIONS:
                section = forms.mapping(node, f"`{key.text}`", bag)
                if section is not None:
                    self.sections.append(("config" if key.text == "configuration" else key.text, section))
            elif key.text not in _PROJECT:
                known = (*_SECTIONS, *sorted(_PROJECT))
                bag.add(say.unknown_key(key.text, "a program", known, key.span))
        names = identifiers(key.text for key in self._declared())
        self.reader = Reader(bag, names, comments, dict(self._default_providers(names)))

    def _declared(self) -> Iterator[YamlScalar]:
        """The names that values refer to."""
        first: dict[str, YamlScalar] = {}
        for kind, section in self.sections:
            for key, _ in section.pairs if kind != "outputs" else ():
                if kind == "config" and ":" in key.text:
                    continue
                if key.text in first:
                    self.bag.add(say.declared_twice(key.text, key.span, first[key.text].span))
                else:
                    first[key.text] = key
                    yield key

    def _default_providers(self, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for kind, section in self.sections:
            for key, node in section.pairs if kind == "resources" else ():
                pairs = {found.text: value for found, value in node.pairs} if isinstance(node, YamlMap) else {}
                token, flag = pairs.get("type"), pairs.get("defaultProvider")
                if isinstance(token, YamlScalar) and isinstance(flag, YamlScalar) and flag.text.lower() == "true":
                    yield token.text.removeprefix(_PROVIDERS), names[key.text]

    def items(self) -> Iterator[ast.Item]:
        """What the program declares, in the order of the file."""
        for kind, section in self.sections:
            for key, node in section.pairs:
                leading = self.comments.before(key.span)
                match kind:
                    case "config":
                        yield from self._config(key, node, leading)
                    case "variables":
                        value = self.reader.value(node)
                        around = (leading, self.comments.after(node.span))
                        yield self._attribute(self._name(key).text, key.span, value, around=around)
                    case "resources":
                        yield from self._resource(key, node, leading)
                    case _:
                        value = self.reader.value(node)
                        body = (self._attribute("value", key.span, value),)
                        head = _Head("output", (_label(key.text, key.span),), key, node)
                        yield head.block(body, (leading, self.comments.after(node.span)))

    def _name(self, key: YamlScalar) -> ast.Label:
        return ast.Label(text=self.reader.names.get(key.text, key.text), quoted=False, span=key.span)

    def _config(self, key: YamlScalar, node: YamlNode, leading: tuple[ast.Comment, ...]) -> Iterator[ast.Item]:
        if ":" in key.text:
            self.bag.add(say.not_of_the_program(key.text, key.span))
            return
        name = self._name(key)
        body = list(self._logical_name(name, key))
        default: YamlNode | None = node
        type_ = types.guessed(node)
        at = key.span
        if isinstance(node, YamlMap):
            parts = forms.keys(node, "the configuration of a value", _CONFIG, self.bag)
            given = {name: value for name, (_, value) in parts.items()}
            default = given.get("default", given.get("value"))
            if "type" in given:
                at = given["type"].span
                type_ = types.declared(given["type"], given.get("items"), self.bag) or "any"
            elif default is not None:
                type_ = types.guessed(default)
            else:
                self.bag.add(say.missing_key("type", f"the configuration of `{key.text}`", key.span))
                return
            body.extend(
                self._attribute(option, parts[option][0].span, self.reader.value(given[option]))
                for option in ("description", "secret")
                if option in given
            )
        if default is not None:
            body.append(self._attribute("default", default.span, self.reader.value(default)))
        head = _Head("config", (name, _label(type_, at)), key, node)
        yield head.block(body, (leading, self.comments.after(node.span)))

    def _resource(self, key: YamlScalar, node: YamlNode, leading: tuple[ast.Comment, ...]) -> Iterator[ast.Item]:
        shape = forms.mapping(node, f"the resource `{key.text}`", self.bag)
        if shape is None:
            return
        parts = forms.keys(shape, "a resource", _RESOURCE, self.bag)
        given = {name: value for name, (_, value) in parts.items()}
        if "type" not in given:
            self.bag.add(say.missing_key("type", f"the resource `{key.text}`", key.span))
            return
        token = forms.text(given["type"], "`type`", self.bag)
        if token is None:
            return
        name = self._name(key)
        label = _label(token, given["type"].span)
        self.reader.without_default = token.startswith(_PROVIDERS)
        body: list[ast.Item] = list(self._logical_name(name, key, given.get("name")))
        read = "get" in given
        for part, (part_key, value) in sorted(parts.items(), key=lambda found: found[1][0].span.start):
            if part == "properties" and not read:
                body += self._members(value, "`properties`")
            elif part == "get":
                body += self._get(value, part_key.span)
            elif part == "options":
                block = options_block(self.reader, (part_key, value), token, key.span)
                body += [block] if block is not None else []
        if read and "properties" in given:
            known = ("get", "name", "options", "type")
            self.bag.add(say.unknown_key("properties", "a resource with `get`", known, parts["properties"][0].span))
        if "options" not in given:
            block = options_block(self.reader, None, token, key.span)
            body += [block] if block is not None else []
        self.reader.without_default = False
        head = _Head("read" if read else "resource", (name, label), key, node)
        yield head.block(body, (leading, self.comments.after(node.span)))

    def _get(self, node: YamlNode, at: Span) -> Iterator[ast.Item]:
        shape = forms.mapping(node, "`get`", self.bag)
        parts = forms.keys(shape, "`get`", _GET, self.bag) if shape is not None else {}
        if "id" not in parts:
            self.bag.add(say.missing_key("id", "`get`", at))
            return
        key, value = parts["id"]
        yield self._attribute("id", key.span, self.reader.value(value))
        if "state" in parts:
            yield from self._members(parts["state"][1], "`state`")

    def _members(self, node: YamlNode, what: str) -> Iterator[ast.Item]:
        shape = forms.mapping(node, what, self.bag)
        for key, value in shape.pairs if shape is not None else ():
            leading = self.comments.before(key.span)
            made = self.reader.value(value)
            yield self._attribute(key.text, key.span, made, around=(leading, self.comments.after(value.span)))

    def _logical_name(self, name: ast.Label, key: YamlScalar, given: YamlNode | None = None) -> Iterator[ast.Attribute]:
        """The name that the engine sees, where it is not the one in the program."""
        wanted = forms.text(given, "`name`", self.bag) if given is not None else key.text
        if wanted is not None and wanted != name.text:
            at = given.span if given is not None else key.span
            yield self._attribute("__logicalName", at, self.reader.literal(wanted, at))

    def _attribute(
        self, name: str, at: Span, value: ast.Expr, *, around: tuple[Sequence[ast.Comment], Sequence[ast.Comment]] = ((), ())
    ) -> ast.Attribute:
        """`name = value`, with the comments before and behind it."""
        span = at.to(value.span) if value.span.end >= at.end else at
        return ast.Attribute(
            name=ast.Name(text=name, span=at), value=value, span=span, leading=tuple(around[0]), trailing=tuple(around[1])
        )


@dataclass(frozen=True, slots=True)
class _Head:
    """What a block is called, and where: its key and the value of the key."""

    kind: str
    labels: tuple[ast.Label, ...]
    key: YamlScalar
    node: YamlNode

    def block(
        self, body: Iterable[ast.Item], around: tuple[tuple[ast.Comment, ...], tuple[ast.Comment, ...]]
    ) -> ast.Block:
        """The block, with the comments before and behind it."""
        at = self.key.span
        inner = self.node.span if self.node.span.end >= at.end else at
        return ast.Block(
            type=ast.Name(text=self.kind, span=at),
            labels=self.labels,
            body=ast.Body(items=tuple(body), span=inner),
            span=at.to(inner),
            head=at,
            open_brace=at.tail(),
            leading=around[0],
            trailing=around[1],
        )


def _label(text: str, span: Span) -> ast.Label:
    """A label, in quotes where PCL needs them."""
    return ast.Label(text=text, quoted=not is_identifier(text), span=span)
