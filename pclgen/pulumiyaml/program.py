"""Programs in Pulumi YAML as files of PCL, with spans in the YAML; mistakes are reported to the bag.

    config:                             config size int { default = 3 }
      size: {type: integer, default: 3}
    resources:
      my-pet:                           resource myPet "random:RandomPet" {
        type: random:RandomPet            __logicalName = "my-pet"
        properties: {length: ${size}}     length = size
    outputs:                            }
      name: ${my-pet.id}                output name { value = myPet.id }

The mapping `options` becomes a block `options` of PCL. A single resource may replace a list of resources.

A program declares configuration in its own file and in the project file beside it:

    config:
      size: {type: integer, default: 3}     ->  config size int { default = 3 }
      shop:name: {type: string}             ->  config name string {}, in the project `shop`
      aws:region: {value: eu-west-1}        ->  nothing, or config awsRegion string { __logicalName = "aws:region" } where
                                                ${aws:region} is used
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag, softened
from pclgen.diagnostics.suggest import suggest
from pclgen.pulumiyaml import forms, scope
from pclgen.pulumiyaml.comments import Comments
from pclgen.pulumiyaml.expressions import Reader
from pclgen.pulumiyaml.forms import PARTS, ProgramFile, YamlFile
from pclgen.pulumiyaml.scope import LOGICAL_NAME, Head, Implicit, Scope, attribute, head, is_stack_file, label, stack_values
from pclgen.source.load import SNIPPET, YAML_PROGRAMS
from pclgen.source.project import is_project_file
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlMap, YamlNode, YamlScalar
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.syntax import ast

_RESOURCES: Final = frozenset({"dependsOn", "replaceWith"})
OPTIONS: Final = tuple(sorted(RESOURCE_OPTIONS.keys() - {"range"}))
"""The options of a resource, sorted."""
_ELSEWHERE: Final[Mapping[str, str]] = {
    "id": "to read a resource that exists, write get: with id: in it",
    "range": "Pulumi YAML has no loops",
}


def options_block(reader: Reader, options: tuple[YamlScalar, YamlNode] | None, token: str, at: Span) -> ast.Block | None:
    """Return the block of the options of a resource, or None without options."""
    items = list(_items(reader, options[1])) if options is not None else []
    default = None if any(item.name.text in ("provider", "providers") for item in items) else reader.default_provider(token)
    if default is not None:
        items.append(attribute("provider", at, ast.Variable(name=default, span=at)))
    if not items:
        return None
    key, node = (at, at) if options is None else (options[0].span, options[1].span)
    return Head("options", (), key, node).block(items)


def _items(reader: Reader, node: YamlNode) -> Iterator[ast.Attribute]:
    options = forms.mapping(node, "`options`", reader.bag)
    for key, value in options.pairs if options is not None else ():
        name = forms.canonical_key(key.text, OPTIONS)
        if name is None:
            hint = _ELSEWHERE.get(key.text)
            reader.bag.add(say.unknown_key(key.text, "the options of a resource", OPTIONS, key.span, hint=hint))
            continue
        forms.note_case(key, name, reader.bag)
        leading = reader.comments.before(key.span)
        expr = reader.value(value)
        if name in _RESOURCES and isinstance(value, YamlScalar):
            expr = ast.TupleExpr(elements=(ast.Element(value=expr),), span=value.span)
        yield attribute(name, key.span, expr, around=(leading, reader.comments.after(value.span)))


RESOURCE_KEYS: Final = ("defaultProvider", "get", "name", "options", "properties", "type")
_HEAD: Final = ("defaultProvider", "name", "type")
GET_KEYS: Final = ("id", "state")
_PULUMI: Final = ("requiredVersion",)
_PROVIDERS: Final = "pulumi:providers:"
SURVIVED: Final = frozenset({"PCL1205"})
"""Mistakes that Pulumi ignores: warnings in lenient mode."""


def _below(key: str) -> str | None:
    """Help for a key of a resource that belongs to its options or properties."""
    if forms.canonical_key(key, OPTIONS) is not None:
        return "move it below options:"
    return "to set a property, move it below properties:" if suggest(key, RESOURCE_KEYS) is None else None


def read_programs(sources: Sequence[SourceFile], bag: DiagnosticBag, *, lenient: bool = False) -> tuple[ast.File, ...]:
    """Return the trees of the files in Pulumi YAML (or JSON, which is YAML, too) of one folder.

    The first of `YAML_PROGRAMS` is the program, a project file beside it has configuration, and files of stacks show which
    configuration exists.  Any other file is a separate program.  Unknown keys are warnings in `lenient` mode.
    """
    own = DiagnosticBag()
    rest = list(sources)
    trees: list[ast.File] = []
    program = next((source for name in YAML_PROGRAMS for source in sources if posixpath.basename(source.name) == name), None)
    if program is not None:
        stacks = [source for source in rest if is_stack_file(source.name)]
        others = [source for source in rest if posixpath.basename(source.name) in YAML_PROGRAMS and source is not program]
        trees += _trees([*others, program], stacks, own)
        rest = [source for source in rest if source not in (*stacks, *others, program)]
    for source in rest:
        trees += _trees([source], (), own)
    bag.extend(softened(diagnostic, lenient and diagnostic.code in SURVIVED) for diagnostic in own)
    return tuple(trees)


def _trees(sources: Sequence[SourceFile], stacks: Sequence[SourceFile], bag: DiagnosticBag) -> Iterator[ast.File]:
    """Return the trees of the files of one program; the program itself is the last."""
    files = [ProgramFile(source, bag, program=sources[-1].name) for source in sources]
    program = files[-1]
    project = next((file.project for file in files if file.project), "")
    scope = Scope(
        bag=bag,
        project=project,
        outputs={key.text: node for key, node in program.entries("outputs")},
        stacks=stack_values(stacks, project, bag),
        fragment=posixpath.basename(program.source.name) == SNIPPET,
    )
    configuring = [file for file in files if file is program or is_project_file(file.source.name)]
    configuration = Configuration(configuring, project, bag)
    scope.declare([*configuration.own, *declared_names(program, configuration, bag)])
    providers = dict(default_providers(program, scope))
    bodies = [Body(file, scope, configuration, providers) for file in files]
    items = [list(body.items()) for body in bodies]
    is_empty = not any(True for kind in PARTS for _ in program.entries(kind))
    if is_empty and program.pairs and not (scope.fragment or bag.has_errors):
        bag.add(say.empty_program(program.pairs[0][0].span))
    for entry in configuration.unused(scope.implicit):
        if not is_project_file(entry.file.source.name):
            bag.add(say.not_of_the_program(entry.key.text, entry.key.span))
    items[-1] += bodies[-1].implicit()  # behind all others, so that the first one keeps the comment at the top
    return (body.tree(body_items) for body, body_items in zip(bodies, items, strict=True))


def declared_names(program: YamlFile, configuration: Configuration, bag: DiagnosticBag) -> Iterator[str]:
    """Yield the names of variables and resources."""
    first: dict[str, Span] = {name: entries[-1].key.span for name, entries in configuration.own.items()}
    for kind, section in program.sections:
        for key, _ in section.pairs if kind in ("variables", "resources") else ():
            if key.text in first:
                spans = (first[key.text], key.span)
                earlier, later = sorted(spans, key=lambda span: (span.file is program.source, span.start))
                bag.add(say.declared_twice(key.text, later, earlier))
            else:
                first[key.text] = key.span
                yield key.text


def default_providers(program: YamlFile, scope: Scope) -> Iterator[tuple[str, str]]:
    """Yield, for each package, the provider of resources without a provider option."""
    for key, node in program.entries("resources"):
        token, flag = forms.member(node, "type"), forms.member(node, "defaultProvider")
        if isinstance(token, YamlScalar) and isinstance(flag, YamlScalar) and flag.text.lower() == "true":
            yield token.text.removeprefix(_PROVIDERS), scope.identifier(key.text)


class Body:
    """The translation of the items of one file."""

    def __init__(
        self, file: YamlFile, scope: Scope, configuration: Configuration, default_providers: Mapping[str, str]
    ) -> None:
        self.file = file
        self.scope = scope
        self.bag: DiagnosticBag = scope.bag
        self.configuration = configuration
        self.comments: Comments = Comments(file.source, file.tree.comments)
        self.header: tuple[ast.Comment, ...] = self.comments.header(*file.head())
        self.reader: Reader = Reader(scope.bag, scope, self.comments, default_providers)
        self.left: tuple[ast.Comment, ...] = ()
        """Comments of an entry that declares nothing: those of the next item."""

    def tree(self, items: Iterable[ast.Item]) -> ast.File:
        """Return the file with `items` and the remaining comments."""
        source = self.file.source
        closing = (*self.left, *self.comments.rest())
        body = ast.Body(items=tuple(items), span=source.span(0, len(source.text)), closing=closing)
        guessed = frozenset(variable.name for variable in self.scope.implicit.values() if variable.type is None)
        return ast.File(source=source, body=body, header=self.header, guessed=guessed, packages=self.file.packages)

    def items(self) -> Iterator[ast.Item]:
        """Yield the declarations of the file in source order."""
        if self.file.settings is not None:
            yield from self._settings(self.file.settings)
        for kind, section in self.file.sections:
            for key, node in section.pairs:
                leading = (*self.left, *self.comments.before(key.span))
                self.left = ()
                match kind:
                    case "config":
                        block = self.configuration.block(key, self.reader, leading)
                        self.left = (*leading, *self.comments.after(node.span)) if block is None else ()
                        yield from () if block is None else (block,)
                    case "variables":
                        value = self.reader.value(node)
                        around = (leading, self.comments.after(node.span))
                        yield attribute(self._name(key).text, key.span, value, around=around)
                    case "resources":
                        yield from self._resource(key, node, leading)
                    case _:
                        value = self.reader.value(node)
                        output = head("output", (label(key.text, key.span),), key, node)
                        yield output.block((attribute("value", key.span, value),), (leading, self.comments.after(node.span)))

    def implicit(self) -> Iterator[ast.Item]:
        """Yield declarations of undeclared configuration and of references to other stacks."""
        for variable in self.scope.implicit.values():
            yield self.configuration.setting(variable, self.reader)
        for stack, (name, at) in self.reader.stack_references.items():
            text = self.reader.literal(stack, at)
            body = (attribute(LOGICAL_NAME, at, text), attribute("name", at, text))
            yield Head("resource", (label(name, at), label("pulumi:pulumi:StackReference", at)), at, at).block(body)

    def _settings(self, node: YamlNode) -> Iterator[ast.Item]:
        """Yield the block of the section `pulumi`."""
        shape = forms.mapping(node, "`pulumi`", self.bag)
        parts = forms.keys(shape, "`pulumi`", _PULUMI, self.bag) if shape is not None else {}
        for key, value in parts.values():
            body = (attribute("requiredVersionRange", key.span, self.reader.value(value)),)
            yield head("pulumi", (), key, value).block(body)

    def _name(self, key: YamlScalar) -> ast.Label:
        return ast.Label(text=self.scope.identifier(key.text), quoted=False, span=key.span)

    def _resource(self, key: YamlScalar, node: YamlNode, leading: tuple[ast.Comment, ...]) -> Iterator[ast.Item]:
        shape = forms.mapping(node, f"the resource `{key.text}`", self.bag)
        if shape is None:
            return
        parts = forms.keys(shape, "a resource", RESOURCE_KEYS, self.bag, required="type", elsewhere=_below)
        values = {name: value for name, (_, value) in parts.items()}
        if "type" not in values:
            self.bag.add(say.missing_key("type", f"the resource `{key.text}`", key.span))
            return
        token = forms.text(values["type"], "`type`", self.bag)
        if token is None:
            return
        name = self._name(key)
        token_label = label(token, values["type"].span)
        self.reader.without_default = token.startswith(_PROVIDERS)
        body: list[ast.Item] = list(self._logical_name(name, key, values.get("name")))
        comments: dict[bool, tuple[ast.Comment, ...]] = {False: (), True: ()}  # by whether they are behind other parts
        is_behind, read = False, "get" in values
        for part, (part_key, value) in sorted(parts.items(), key=lambda pair: pair[1][0].span.start):
            if part in _HEAD:
                comments[is_behind] += (*self.comments.before(part_key.span), *self.comments.after(value.span))
                continue
            is_behind = True
            if part == "properties" and not read:
                body += self._members(value, "`properties`")
            elif part == "get":
                body += self._get(value, part_key.span)
            elif part == "options":
                block = options_block(self.reader, (part_key, value), token, key.span)
                body += [block] if block is not None else []
        if read and "properties" in values:
            keys = ("get", "name", "options", "type")
            self.bag.add(say.unknown_key("properties", "a resource with `get`", keys, parts["properties"][0].span))
        if "options" not in values:
            block = options_block(self.reader, None, token, key.span)
            body += [block] if block is not None else []
        self.reader.without_default = False
        heading = head("read" if read else "resource", (name, token_label), key, node)
        inside = comments[False], (*comments[True], *self.comments.closing(shape))
        yield heading.block(body, (leading, self.comments.after(node.span)), inside)

    def _get(self, node: YamlNode, at: Span) -> Iterator[ast.Item]:
        shape = forms.mapping(node, "`get`", self.bag)
        parts = forms.keys(shape, "`get`", GET_KEYS, self.bag, required="id") if shape is not None else {}
        if "id" not in parts:
            self.bag.add(say.missing_key("id", "`get`", at))
            return
        key, value = parts["id"]
        yield attribute("id", key.span, self.reader.value(value))
        if "state" in parts:
            yield from self._members(parts["state"][1], "`state`")

    def _members(self, node: YamlNode, what: str) -> Iterator[ast.Item]:
        shape = forms.mapping(node, what, self.bag)
        for key, value in shape.pairs if shape is not None else ():
            leading = self.comments.before(key.span)
            expr = self.reader.value(value)
            yield attribute(key.text, key.span, expr, around=(leading, self.comments.after(value.span)))

    def _logical_name(self, name: ast.Label, key: YamlScalar, node: YamlNode | None = None) -> Iterator[ast.Attribute]:
        """Yield the logical name if it differs from the name in the program."""
        logical_name = forms.text(node, "`name`", self.bag) if node is not None else key.text
        if logical_name is not None and logical_name != name.text:
            at = node.span if node is not None else key.span
            yield attribute(LOGICAL_NAME, at, self.reader.literal(logical_name, at))


# -- configuration ----------------------------------------------------------------------------------------------------------

KEYS: Final = ("default", "description", "items", "name", "secret", "type", "value")
INPUT_KEYS: Final = ("default", "description", "items", "secret", "type")


class Entry(Struct, frozen=True, kw_only=True):
    """An entry of a file's configuration.

    `name` is its key without the project. `parts` are its members; a value that is no mapping is the default.
    """

    key: YamlScalar
    name: str
    node: YamlNode
    file: YamlFile
    parts: Mapping[str, YamlNode]


class Configuration:
    """The entries of all files: `own` are those of the project, `settings` those of packages, by key.

    With `inputs` they are those of a component.
    """

    def __init__(self, files: Sequence[YamlFile], project: str, bag: DiagnosticBag, *, inputs: bool = False) -> None:
        self.bag = bag
        self.what = "the input" if inputs else "the configuration of"
        self.own: dict[str, list[Entry]] = {}
        self.settings: dict[str, Entry] = {}
        self._at: dict[Span, Entry] = {}
        for entry in _entries(files, project, bag, inputs=inputs):
            entries = self.own.setdefault(entry.name, []) if ":" not in entry.name else []
            if any(other.file is entry.file for other in entries):
                bag.add(say.declared_twice(entry.key.text, entry.key.span, entries[-1].key.span))
                continue
            entries.append(entry)
            self._at[entry.key.span] = entry
            if ":" in entry.name:
                self.settings.setdefault(entry.name, entry)

    def block(self, key: YamlScalar, reader: Reader, leading: tuple[ast.Comment, ...]) -> ast.Block | None:
        """Return the declaration of the entry at `key`.

        None for settings of packages, after a report, and where a later file has the same key and declares it.
        """
        entry = self._at.get(key.span)
        entries = self.own.get(entry.name, ()) if entry is not None else ()
        if entry is None or not entries or entries[-1] is not entry:
            return None
        names = reader.scope.identifier(entry.name), entry.name
        return self._declaration(entry, names, reader, project=entries[0], leading=leading)

    def setting(self, implicit: Implicit, reader: Reader) -> ast.Block:
        """Return the declaration of configuration that the program uses and does not declare."""
        entry = self.settings.get(implicit.key)
        names = implicit.name, implicit.key
        declaration = None if entry is None else self._declaration(entry, names, reader, project=entry)
        if declaration is not None:
            return declaration
        at = implicit.span
        labels = [label(implicit.name, at), *([label(implicit.type, at)] if implicit.type is not None else [])]
        body = list(_logical_name(implicit.name, implicit.key, at, reader))
        if implicit.secret:
            body.append(attribute("secret", at, reader.literal(True, at)))
        return Head("config", tuple(labels), at, at).block(body)

    def unused(self, used: Mapping[str, Implicit]) -> Iterator[Entry]:
        """Return the settings of packages that the program does not use."""
        return (entry for key, entry in self.settings.items() if key not in used)

    def _declaration(
        self,
        entry: Entry,
        names: tuple[str, str],
        reader: Reader,
        *,
        project: Entry,
        leading: tuple[ast.Comment, ...] = (),
    ) -> ast.Block | None:
        """Return the block of an entry; members in the `project` file override those of the program."""
        name, key = names
        parts = {**entry.parts, **project.parts}
        default = parts.get("default", parts.get("value"))
        at = entry.key.span
        if "type" in parts:
            type_, place = scope.declared_type(parts["type"], parts.get("items"), self.bag) or "any", parts["type"].span
        elif default is not None:
            type_, place = scope.inferred_type(default), at
        else:
            self.bag.add(say.missing_key("type", f"{self.what} `{entry.key.text}`", at))
            return None
        logical = parts.get("name")
        alias = forms.text(logical, "`name`", self.bag) if logical is not None else None
        body = list(_logical_name(name, alias or key, at if logical is None else logical.span, reader))
        header: tuple[ast.Comment, ...] = ()
        for option in ("description", "secret", "default"):
            part = default if option == "default" else parts.get(option)
            # The stack has the value of a package's setting: it is no default.
            if part is not None and not (part is parts.get("value") and ":" in key):
                own = _reader_of(part, reader)
                header += own.comments.before(part.span)
                body.append(attribute(option, part.span, own.value(part)))
        comments, node = _reader_of(entry.node, reader).comments, entry.node
        closing = comments.closing(node) if isinstance(node, YamlMap) and default is not node else ()
        head = Head("config", (label(name, at), label(type_, place)), at, node.span)
        return head.block(body, (leading, comments.after(node.span)), (header, closing))


def _reader_of(part: YamlNode, reader: Reader) -> Reader:
    """Return the reader of a part; a part in another file has a reader without comments."""
    if part.span.file is reader.comments.source:
        return reader
    return Reader(reader.bag, reader.scope, Comments(part.span.file, ()))


def _entries(files: Sequence[YamlFile], project: str, bag: DiagnosticBag, *, inputs: bool) -> Iterator[Entry]:
    place, keys = ("an input", INPUT_KEYS) if inputs else ("the configuration of a value", KEYS)
    for file in files:
        for key, node in file.entries("config"):
            name = key.text.removeprefix(f"{project}:") if project else key.text
            parts: Mapping[str, YamlNode] = {"default": node}
            if isinstance(node, YamlMap):
                members = forms.keys(node, place, keys, bag)
                parts = {part: value for part, (_, value) in members.items()}
            elif ":" in name:
                parts = {"value": node}
            yield Entry(key=key, name=name, node=node, file=file, parts=parts)


def _logical_name(name: str, key: str, at: Span, reader: Reader) -> Iterator[ast.Attribute]:
    if key != name:
        yield attribute(LOGICAL_NAME, at, reader.literal(key, at))
