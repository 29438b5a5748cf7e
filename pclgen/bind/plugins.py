"""Components of plugins in Pulumi YAML as components with a source.

    packages: {web: ./web}                component site "./web/PulumiPlugin.yaml/Site" {
    resources:                     ->       path = "www"
      site:                               }
        type: web:index:Site
        properties: {path: www}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.plugins import PLUGIN
from pclgen.source.text import SourceFile
from pclgen.syntax import ast

if TYPE_CHECKING:
    from pclgen.pulumiyaml.components import Plugin


def plugin_of_files(files: Sequence[SourceFile], bag: DiagnosticBag, *, lenient: bool = False) -> Plugin:
    """Return the plugin in the files of its folder."""
    from pclgen.pulumiyaml.components import read_plugin

    return read_plugin(files, bag, lenient=lenient)


def component_in(plugin: Plugin, name: str, bag: DiagnosticBag, *, lenient: bool = False) -> list[ast.File]:
    """Return the tree of a component of a plugin; none if there is no such component."""
    from pclgen.pulumiyaml.components import read_component

    return read_component(plugin, name, bag, lenient=lenient)


def with_components(trees: Sequence[ast.File], plugin_in: Callable[[str], Plugin | None]) -> list[ast.File]:
    """Return the trees of one program, in which resources of plugins are components.

    `plugin_in` returns the plugin in a folder, if any. Types of the plugin have its own name, or the name of the package;
    types of a plugin in another language stay resources.
    """
    folders: dict[str, str] = {}
    for package in (package for tree in trees for package in tree.packages):
        plugin = plugin_in(package.source)
        if plugin is not None and plugin.is_yaml:
            folders |= {name: package.source for name in (package.name, plugin.name) if name}
    return [_with_components(tree, folders) for tree in trees] if folders else list(trees)


def _with_components(tree: ast.File, folders: Mapping[str, str]) -> ast.File:
    items = tuple([_component(item, folders) for item in tree.body.items])
    return replace(tree, body=replace(tree.body, items=items))


def _component(item: ast.Item, folders: Mapping[str, str]) -> ast.Item:
    if not isinstance(item, ast.Block) or item.type.text != "resource" or len(item.labels) != 2:
        return item
    name, token = item.labels
    package, _, member = token.text.partition(":")
    folder = folders.get(package)
    if folder is None or not member:
        return item
    source = f"{folder.removesuffix('/')}/{PLUGIN}/{member.removeprefix('index:')}"
    labels = (name, ast.Label(text=source, quoted=True, span=token.span))
    return replace(item, type=replace(item.type, text="component"), labels=labels)
