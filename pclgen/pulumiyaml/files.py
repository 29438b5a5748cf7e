"""The files of a program in Pulumi YAML, and the sections of each.

A program is one file.  When that is a `Main.yaml`, the project file beside it has configuration, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlMap, YamlNode, YamlProblem, YamlScalar, YamlTree, read_tree
from pclgen.syntax.ast import LocalPackage

PARTS: Final = ("resources", "variables", "outputs")
"""The sections of a program."""
SECTIONS: Final = ("config", "configuration", *PARTS)
_CONFIGURATION: Final = ("config", "configuration", "inputs")
"""The names of one section: a component's inputs are its configuration."""
PROJECT_KEYS: Final = (
    "author", "backend", "description", "license", "main", "name", "options", "packages", "plugins", "pulumi", "runtime",
    "stackConfigDir", "template", "website",
)  # fmt: skip  # a list of many short entries
"""The other keys of a project file: facts about the project, not the program."""
_COMPONENTS_ELSEWHERE: Final = (
    "move them to a `PulumiPlugin.yaml` in another folder, and name that folder here: packages: {name: ./folder}"
)


class YamlFile:
    """The sections of one file, in their order.

    `project` is its name, `settings` the section `pulumi`, `packages` those that are on this machine.
    """

    def __init__(self, source: SourceFile, tree: YamlTree, pairs: tuple[tuple[YamlScalar, YamlNode], ...]) -> None:
        self.source = source
        self.tree = tree
        self.pairs = pairs
        self.project: str = ""
        self.settings: YamlNode | None = None
        self.sections: list[tuple[str, YamlMap]] = []
        self.packages: tuple[LocalPackage, ...] = ()

    def head(self) -> tuple[int, int]:
        """Return where the settings of the project before the first section end, and where that section begins."""
        settings = 0
        for key, node in self.pairs:
            if forms.canonical_key(key.text, SECTIONS) is not None:
                return settings, key.span.start
            settings = max(key.span.end, node.span.end)
        return settings, len(self.source.text)

    def take(self, name: str, node: YamlNode, bag: DiagnosticBag) -> None:
        """Add the section or setting `name` with the value `node`."""
        if name in _CONFIGURATION or name in PARTS:
            section = forms.mapping(node, f"`{name}`", bag)
            if section is not None:
                self.sections.append(("config" if name in _CONFIGURATION else name, section))
        elif name == "name" and isinstance(node, YamlScalar):
            self.project = node.text
        elif name == "pulumi":
            self.settings = node
        elif name == "packages":
            self.packages = tuple(local_packages(node))

    def entries(self, kind: str) -> Iterator[tuple[YamlScalar, YamlNode]]:
        """Return the keys and values of the section `kind`."""
        return (pair for name, section in self.sections if name == kind for pair in section.pairs)


class ProgramFile(YamlFile):
    """One file of a program, after reports of content that has no meaning in it.

    `program` is the name of the file that holds the program; in any other file only the configuration counts.
    """

    def __init__(self, source: SourceFile, bag: DiagnosticBag, *, program: str) -> None:
        top = read_top(source, "a program", bag)
        super().__init__(source, top.tree, top.pairs)
        for key, node in self.pairs:
            self._member(key, node, program, bag)

    def _member(self, key: YamlScalar, node: YamlNode, program: str, bag: DiagnosticBag) -> None:
        known = (*SECTIONS, *PROJECT_KEYS)
        name = forms.canonical_key(key.text, known)
        if name is None:
            hint = _COMPONENTS_ELSEWHERE if key.text.lower() == "components" else None
            bag.add(say.unknown_key(key.text, "a program", known, key.span, hint=hint))
        elif name in PARTS and program != self.source.name:
            bag.add(say.not_read(f"`{key.text}`", program, key.span))
        else:
            forms.note_case(key, name, bag)
            self.take(name, node, bag)


class Top(Struct, frozen=True):
    """The tree of a file, and the keys and values of its mapping."""

    tree: YamlTree
    pairs: tuple[tuple[YamlScalar, YamlNode], ...]


def read_top(source: SourceFile, what: str, bag: DiagnosticBag) -> Top:
    """Return the mapping in a file; none after a report."""
    tree = YamlTree(top=None, comments=())
    try:
        tree = read_tree(source)
    except YamlProblem as problem:
        bag.add(say.not_yaml(str(problem), problem.span, problem.hint))
    top = None if tree.top is None else forms.mapping(tree.top, what, bag)
    return Top(tree, () if top is None else top.pairs)


def local_packages(node: YamlNode) -> Iterator[LocalPackage]:
    """Yield the packages in a section `packages` whose source is a path."""
    for key, value in node.pairs if isinstance(node, YamlMap) else ():
        source = forms.member(value, "source") if isinstance(value, YamlMap) else value
        if isinstance(source, YamlScalar) and source.text.startswith((".", "/")):
            yield LocalPackage(name=key.text, source=source.text)
