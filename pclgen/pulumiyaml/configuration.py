"""The configuration that a program declares, in its own file and in the project file beside it.

    config:
      size: {type: integer, default: 3}     ->  config size int { default = 3 }
      shop:name: {type: string}             ->  config name string {}, in the project `shop`
      aws:region: {value: eu-west-1}        ->  nothing, or config awsRegion string { __logicalName = "aws:region" } where
                                                ${aws:region} is used
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms, types
from pclgen.pulumiyaml.comments import Comments
from pclgen.pulumiyaml.expressions import Reader
from pclgen.pulumiyaml.files import YamlFile
from pclgen.pulumiyaml.names import LOGICAL_NAME, Head, attribute, label
from pclgen.pulumiyaml.scope import Implicit
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlMap, YamlNode, YamlScalar
from pclgen.syntax import ast

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
            type_, place = types.declared_type(parts["type"], parts.get("items"), self.bag) or "any", parts["type"].span
        elif default is not None:
            type_, place = types.inferred_type(default), at
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
