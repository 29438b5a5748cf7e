"""The files of a program in Pulumi YAML: which sections each has.

A program is one file.  When that is a `Main.yaml`, the project file beside it has configuration, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlMap, YamlNode, YamlProblem, YamlScalar, YamlTree, read_tree

PARTS: Final = ("resources", "variables", "outputs")
"""The sections that are the program."""
SECTIONS: Final = ("config", "configuration", *PARTS)
PROJECT_KEYS: Final = (
    "author", "backend", "description", "license", "main", "name", "options", "packages", "plugins", "pulumi", "runtime",
    "stackConfigDir", "template", "website",
)  # fmt: skip  # a list of many short entries
"""What else a project file says: of the project, not of the program."""


class YamlFile:
    """One file, after reports of what means nothing in it.

    `program` is the name of the file that holds the program; of another one the configuration counts only.
    """

    def __init__(self, source: SourceFile, bag: DiagnosticBag, *, program: str) -> None:
        self.source = source
        self.project: str = ""
        self.settings: YamlNode | None = None
        self.sections: list[tuple[str, YamlMap]] = []
        self.tree: YamlTree = YamlTree(top=None, comments=())
        try:
            self.tree = read_tree(source)
        except YamlProblem as problem:
            bag.add(say.not_yaml(str(problem), problem.span))
        top = self.tree.top
        mapping = None if top is None else forms.mapping(top, "a program", bag)
        self.pairs: tuple[tuple[YamlScalar, YamlNode], ...] = () if mapping is None else mapping.pairs
        for key, node in self.pairs:
            self._member(key, node, program, bag)

    def _member(self, key: YamlScalar, node: YamlNode, program: str, bag: DiagnosticBag) -> None:
        known = (*SECTIONS, *PROJECT_KEYS)
        name = forms.canonical_key(key.text, known)
        if name is None:
            bag.add(say.unknown_key(key.text, "a program", known, key.span))
        elif name in PARTS and program != self.source.name:
            bag.add(say.not_read(f"`{key.text}`", program, key.span))
        else:
            forms.note_case(key, name, bag)
            self._take(name, node, bag)

    def _take(self, name: str, node: YamlNode, bag: DiagnosticBag) -> None:
        if name in SECTIONS:
            section = forms.mapping(node, f"`{name}`", bag)
            if section is not None:
                self.sections.append(("config" if name == "configuration" else name, section))
        elif name == "name" and isinstance(node, YamlScalar):
            self.project = node.text
        elif name == "pulumi":
            self.settings = node

    def head(self) -> tuple[int, int]:
        """Where the settings of the project before the first section end, and where that section begins."""
        settings = 0
        for key, node in self.pairs:
            if forms.canonical_key(key.text, SECTIONS) is not None:
                return settings, key.span.start
            settings = max(key.span.end, node.span.end)
        return settings, len(self.source.text)

    def entries(self, kind: str) -> Iterator[tuple[YamlScalar, YamlNode]]:
        """Return the keys and values of the section `kind`."""
        return (pair for name, section in self.sections if name == kind for pair in section.pairs)
