"""The imports of one file: collected while its expressions are made, so that there are as many as are used.

Comes in: packages and modules as they are needed.  Goes out: the names to refer to them by, and the import lines: the core
SDK, then the other packages by name, then the file's own components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pclgen.emit.forms import Forms
from pclgen.targets.names import NameTable
from pclgen.targets.typescript import names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import quote
from pclgen.types.declarations import Package

PULUMI = "pulumi"
CORE_MODULE = "@pulumi/pulumi"
NODE_MODULES: Mapping[str, str] = {"childProcess": "child_process", "crypto": "crypto", "fs": "fs"}

_NAMES_AND_FILE: Final = 60
"""The columns of a line of 80 that its words leave for names and for a file in quotes."""


def npm_name(package: Package) -> str:
    """The name of the package's SDK on npm."""
    if package.name == PULUMI:
        return CORE_MODULE
    override = package.language.get("nodejs", {}).get("packageName")
    if isinstance(override, str) and override:
        return override
    return f"@{package.namespace or 'pulumi'}/{package.name}"


class Imports:
    """What one file imports."""

    def __init__(
        self, packages: Iterable[Package], unknown: Iterable[str] = (), own: Iterable[str] = ()
    ) -> None:
        """A file may import `packages`, those with the names `unknown`, of which there is no schema, and the files called
        `own` beside it."""
        self._table = NameTable(reserved=(PULUMI, *NODE_MODULES), separator="")
        self._aliases: dict[str, str] = {PULUMI: PULUMI}
        self._sources: dict[str, str] = {PULUMI: CORE_MODULE}
        self._used: set[str] = set()
        self._components: dict[str, str] = {}
        for package in packages:
            self._claim(package.name, npm_name(package))
        for name in unknown:
            self._claim(name, f"@pulumi/{name}")
        for name in own:
            self._claim(f"./{name}", f"./{name}")

    def _claim(self, package: str, source: str) -> None:
        if package not in self._aliases:
            name = self._table.claim(names.alias(package.removeprefix("./")))
            self._aliases[package] = name
            self._sources[name] = source

    @property
    def reserved(self) -> tuple[str, ...]:
        """Every name that the file may import, used or not."""
        return (*self._aliases.values(), *NODE_MODULES)

    def package(self, name: str) -> ts.Name:
        """The package called `name`, which is one of those that the file may import."""
        alias = self._aliases[name]
        self._used.add(alias)
        return ts.Name(alias)

    def own(self, file: str) -> ts.Name:
        """All of a file beside this one, which is one of those that the file may import."""
        return self.package(f"./{file}")

    def pulumi(self, *path: str) -> ts.TsExpr:
        """`pulumi.a.b` of the core SDK."""
        found: ts.TsExpr = self.package(PULUMI)
        for name in path:
            found = ts.Member(found, name)
        return found

    def pulumi_type(self, name: str, *args: ts.TsType) -> ts.TypeName:
        """`pulumi.Name<…>` as a type."""
        return ts.TypeName(f"{self.package(PULUMI).text}.{name}", args)

    def node(self, name: str) -> ts.Name:
        """A module of Node: `fs`, `crypto`, `childProcess`."""
        self._used.add(name)
        return ts.Name(name)

    def component(self, class_name: str, file: str) -> ts.Name:
        """The class of a component of this project, in `file` (without its ending)."""
        self._components[class_name] = file
        return ts.Name(class_name)

    def argument_type(self, class_name: str, file: str, name: str) -> ts.TsType:
        """The type of an argument of such a class: `WebArgs["size"]`."""
        arguments = f"{class_name}Args"
        self._components[arguments] = file
        return ts.TypeIndex(arguments, name)

    def lines(self, words: Forms) -> list[str]:
        """The import lines, in order."""
        modules = [(alias, self._sources[alias]) for alias in self._used if alias in self._sources]
        modules.sort(key=lambda pair: (pair[0] != PULUMI, pair[0]))
        nodes = sorted((name, NODE_MODULES[name]) for name in self._used if name in NODE_MODULES)
        first = modules[:1] if modules and modules[0][0] == PULUMI else []
        others = modules[len(first) :]
        beside = [pair for pair in others if pair[1].startswith("./")]
        ordered = [*first, *(pair for pair in others if pair not in beside), *nodes, *beside]
        lines = [words.text("import", {"name": alias, "module": quote(source)}) for alias, source in ordered]
        for file in sorted(set(self._components.values())):
            own = sorted(name for name, home in self._components.items() if home == file)
            # Formatters break a line of several names that is too long; one of a single name they leave.
            together = len(", ".join(own)) + len(quote(file)) <= _NAMES_AND_FILE
            found = [", ".join(own)] if together else own
            lines += [words.text("import-component", {"name": name, "module": quote("./" + file)}) for name in found]
        return lines
