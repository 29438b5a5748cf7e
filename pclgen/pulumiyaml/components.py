"""Plugins in Pulumi YAML, whose components are programs: `inputs` is their configuration.

    name: web                         # PulumiPlugin.yaml
    runtime: yaml
    components:
      Site:
        inputs: {path: {type: string}}      config path string {}
        resources: {bucket: …}              resource bucket … {}
        outputs: {url: "${bucket.url}"}     output url { value = bucket.url }

All files of the folder that end in `.yaml` may have components.  A resource of the type `web:index:Site` uses the component.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag, softened
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.forms import PARTS, Top, YamlFile, local_packages, read_top
from pclgen.pulumiyaml.program import SURVIVED, Body, Configuration, declared_names, default_providers
from pclgen.pulumiyaml.scope import Scope
from pclgen.source.files import PLUGIN
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlComment, YamlMap, YamlNode, YamlScalar, YamlTree
from pclgen.syntax import ast

PLUGIN_KEYS: Final = (
    "author", "components", "description", "license", "main", "name", "namespace", "packages", "plugins", "runtime",
    "version", "website",
)  # fmt: skip  # a list of many short entries
COMPONENT_KEYS: Final = ("description", "inputs", *PARTS)
_UP: Final = "../.."
"""The folder of a plugin, from the path of a component in it."""


class Entry(Struct, frozen=True, kw_only=True):
    """`key: node` among the components of a file, with the comments about it."""

    source: SourceFile
    key: YamlScalar
    node: YamlNode
    comments: tuple[YamlComment, ...]


class Plugin(Struct, frozen=True, kw_only=True):
    """A plugin: its name (empty if it has none), its components, and the local packages that they use.

    `is_whole`: the files have no errors outside of the components.
    """

    name: str
    is_yaml: bool
    is_whole: bool = True
    components: Mapping[str, Entry]
    packages: tuple[ast.LocalPackage, ...]


def read_plugin(sources: Sequence[SourceFile], bag: DiagnosticBag, *, lenient: bool = False) -> Plugin:
    """Return the plugin in the files of its folder, without reading the sections of its components."""
    plugin_bag = DiagnosticBag()
    plugin = _plugin(sources, plugin_bag)
    bag.extend(softened(diagnostic, lenient and diagnostic.code in SURVIVED) for diagnostic in plugin_bag)
    return replace(plugin, is_whole=not plugin_bag.has_errors)


def _plugin(sources: Sequence[SourceFile], bag: DiagnosticBag) -> Plugin:
    name = ""
    components: dict[str, Entry] = {}
    packages: list[ast.LocalPackage] = []
    manifest = next((source for source in sources if posixpath.basename(source.name) == PLUGIN), None)
    if manifest is None or not _is_yaml(read_top(manifest, "a plugin", DiagnosticBag()).pairs):
        return Plugin(name="", is_yaml=False, components={}, packages=())
    for source in sorted(sources, key=lambda source: source.name):
        top = read_top(source, "a plugin", bag)
        mapping = YamlMap(pairs=top.pairs, span=source.span(0, 0))
        for part, (key, node) in forms.keys(mapping, "a plugin", PLUGIN_KEYS, bag).items():
            if part == "name" and source is manifest:
                name = forms.text(node, "`name`", bag) or ""
            elif part == "packages":
                packages += local_packages(node)
            elif part == "components":
                for entry in _entries(source, top, (key, node), bag):
                    if entry.key.text in components:
                        first = components[entry.key.text].key.span
                        bag.add(say.component_twice(entry.key.text, entry.key.span, first))
                    else:
                        components[entry.key.text] = entry
    return Plugin(name=name, is_yaml=True, components=components, packages=tuple(packages))


def _is_yaml(pairs: Sequence[tuple[YamlScalar, YamlNode]]) -> bool:
    """Return whether a manifest names YAML as the language of the plugin; an unreadable manifest may be in YAML."""
    runtime = next((node for key, node in pairs if key.text.lower() == "runtime"), None)
    language = forms.member(runtime, "name") if isinstance(runtime, YamlMap) else runtime
    return not pairs or (isinstance(language, YamlScalar) and language.text == "yaml")


def _entries(
    source: SourceFile, top: Top, section: tuple[YamlScalar, YamlNode], bag: DiagnosticBag
) -> Iterator[Entry]:
    """Yield the components in a `section`.  The comments above and inside a component belong to it."""
    mapping = forms.mapping(section[1], "`components`", bag)
    pairs = mapping.pairs if mapping is not None else ()
    after = (key.span.start for key, _ in top.pairs if key.span.start > section[0].span.start)
    following = next(after, None)
    start = 0
    for number, (key, value) in enumerate(pairs):
        is_last = number == len(pairs) - 1
        line_end = source.text.find("\n", max(key.span.end, value.span.end))
        end = following if is_last else line_end
        end = len(source.text) if end is None or end < 0 else end
        comments = tuple([comment for comment in top.tree.comments if start <= comment.span.start < end])
        start = end
        yield Entry(source=source, key=key, node=value, comments=comments)


def read_component(plugin: Plugin, name: str, bag: DiagnosticBag, *, lenient: bool = False) -> list[ast.File]:
    """Return the tree of a component of a plugin; none if there is no such component."""
    entry = plugin.components.get(name)
    if entry is None:
        return []
    component_bag = DiagnosticBag()
    tree = _component(plugin, entry, component_bag)
    bag.extend(softened(diagnostic, lenient and diagnostic.code in SURVIVED) for diagnostic in component_bag)
    return [tree]


def _component(plugin: Plugin, entry: Entry, bag: DiagnosticBag) -> ast.File:
    file = _ComponentFile(entry, bag)
    outputs = {key.text: node for key, node in file.entries("outputs")}
    scope = Scope(bag=bag, project="", outputs=outputs, stacks={}, closed=True)
    for key, _ in file.entries("config"):
        if ":" in key.text:
            expected, actual = "a name without `:`", f"`{key.text}`"
            bag.add(say.wrong_form("the name of an input", expected=expected, actual=actual, span=key.span))
    configuration = Configuration([file], "", bag, inputs=True)
    scope.declare([*configuration.own, *declared_names(file, configuration, bag)])
    body = Body(file, scope, configuration, dict(default_providers(file, scope)))
    items = [*body.items(), *body.implicit()]
    packages = [replace(package, source=_from_component(package.source)) for package in plugin.packages]
    if plugin.name:
        packages.append(ast.LocalPackage(name=plugin.name, source=_UP))
    tree = body.tree(items)
    return replace(tree, header=(*tree.header, *file.description), packages=tuple(packages))


def _from_component(source: str) -> str:
    return source if posixpath.isabs(source) else f"{_UP}/{source}"


class _ComponentFile(YamlFile):
    """The sections of a component, as those of a program."""

    def __init__(self, entry: Entry, bag: DiagnosticBag) -> None:
        label = f"the component `{entry.key.text}`"
        node = forms.mapping(entry.node, label, bag)
        tree = YamlTree(top=node, comments=entry.comments)
        super().__init__(entry.source, tree, node.pairs if node is not None else ())
        self.key = entry.key
        self.description: tuple[ast.Comment, ...] = ()
        parts = forms.keys(node, label, COMPONENT_KEYS, bag) if node is not None else {}
        for name, (_, value) in sorted(parts.items(), key=lambda part: part[1][0].span.start):
            if name == "description":
                text = forms.text(value, "`description`", bag)
                if text is not None:
                    lines = tuple(text.strip().splitlines())
                    self.description = (ast.Comment(lines=lines, style=ast.CommentStyle.HASH, span=value.span),)
            else:
                self.take(name, value, bag)

    def head(self) -> tuple[int, int]:
        """Return where the name of the component ends, and where its first section begins."""
        return self.key.span.end, self.pairs[0][0].span.start if self.pairs else len(self.source.text)
