"""The choice of a front end for a file, PCL or Pulumi YAML, and the parts of Pulumi YAML that need more than one file.

All later phases see PCL only. Configuration that a program in Pulumi YAML uses and does not declare (language.md, Pulumi
YAML) is bound as `any` first; the types expected by its uses then become its declared types.

Components of plugins become components with a source:

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

from pclgen.core.configuration import ANY, shapes_of
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.files import PLUGIN
from pclgen.source.load import is_yaml
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import parse_file

if TYPE_CHECKING:
    from pclgen.pulumiyaml.components import Plugin


def read_sources(sources: Sequence[SourceFile], bag: DiagnosticBag, lenient: bool = False) -> list[ast.File]:
    """Return the trees of the files of one folder, in the order of their names; errors go to `bag`.

    A project file comes before the program in Pulumi YAML that it configures.
    """
    ordered = sorted(sources, key=lambda source: source.name)
    trees = [parse_file(source, bag) for source in ordered if not is_yaml(source.name)]
    yaml = [source for source in ordered if is_yaml(source.name)]
    if yaml:
        from pclgen.pulumiyaml.program import read_programs

        trees += read_programs(yaml, bag, lenient=lenient)
    return trees


_TEXT = "string"
"""The type of a variable without a more specific use; `pulumi config set name value` sets a string."""


def has_guesses(trees: Sequence[ast.File]) -> bool:
    """Return whether some configuration still has guessed types."""
    return any(tree.guessed for tree in trees)


def with_types(trees: Sequence[ast.File], program: Program) -> list[ast.File]:
    """Return the trees with the types that the uses in `program` expect in place of guesses."""
    shapes = shapes_of({name for tree in trees for name in tree.guessed}, program)
    labels = {name: _TEXT if (label := shape.label()) == ANY else label for name, shape in shapes.items()}
    return [_typed(tree, labels) if tree.guessed else tree for tree in trees]


def as_texts(trees: Sequence[ast.File]) -> list[ast.File]:
    """Return the trees with the type string in place of guesses, if no schema shows the expected types."""
    return [_typed(tree, dict.fromkeys(tree.guessed, _TEXT)) for tree in trees]


def _typed(tree: ast.File, labels: dict[str, str]) -> ast.File:
    items: list[ast.Item] = []
    for item in tree.body.items:
        if isinstance(item, ast.Block) and item.type.text == "config" and item.labels[0].text in tree.guessed:
            name = item.labels[0]
            item = replace(item, labels=(name, ast.Label(text=labels[name.text], quoted=True, span=name.span)))
        items.append(item)
    return replace(tree, body=replace(tree.body, items=tuple(items)), guessed=frozenset())


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
