"""Assigns the final names of one file, and collects its imports.

Imports and classes come first, then the variables of statements, then the variables of inner scopes.
"""

from __future__ import annotations

from msgspec import Struct, field

from pclgen.targets.names import NameTable
from pclgen.targets.python import tree
from pclgen.targets.python.helpers import BESIDE, CHECKERS, CHECKS, HELPERS
from pclgen.targets.python.names import RESERVED
from pclgen.targets.python.printer import Spellings
from pclgen.targets.python.walking import outline
from pclgen.targets.scopes import Naming, Rules, Scope, check


def assign_names(file: tree.File, *, beside: bool = False) -> Spellings:
    """The names of `file`; with `beside` it imports all helpers that it uses.

    Raises `BrokenTreeError` when its variables are inconsistent.
    """
    finder = _Finder(beside=beside)
    scope = outline(file)
    finder.claim_imports(scope, file)
    naming = Naming(NameTable(RESERVED), finder.spelling, hoists=True)
    if file.component is not None:
        naming.spellings.update((variable, variable.preferred_names[0]) for variable in file.component.variables)
    naming.assign(scope, finder.table)
    check(scope, naming.spellings, finder.spelling, Rules(path=file.path, is_name=str.isidentifier, hoists=True))
    helpers = tuple(sorted(finder.helpers))
    return Spellings(variables=naming.spellings, modules=finder.modules, direct=finder.direct, helpers=helpers)


class _Finder(Struct):
    beside: bool
    table: NameTable = field(default_factory=lambda: NameTable(RESERVED))
    modules: dict[tree.Module, str] = field(default_factory=dict)
    direct: dict[tuple[tree.Module, str], str] = field(default_factory=dict)
    helpers: dict[str, None] = field(default_factory=dict)

    def claim_imports(self, scope: Scope, file: tree.File) -> None:
        """Claim the names of the file's imports."""
        imported: dict[tree.Module, None] = {}
        direct: dict[tuple[tree.Module, str], None] = {}
        for use in scope.walk():
            if type(use) is tree.Imported:
                if use.direct:
                    direct[use.module, use.name] = None
                else:
                    imported[use.module] = None
            elif type(use) is tree.Helper:
                self.helpers[use.key] = None
        for key in sorted(self.helpers if self.beside else CHECKERS & self.helpers.keys()):
            del self.helpers[key]
            self.table.reserve(key)
            self.direct[CHECKS if key in CHECKERS else BESIDE, key] = key
        self.helpers.update(dict.fromkeys(file.helpers))
        for key in sorted(self.helpers):
            imported.update(dict.fromkeys(HELPERS[key].modules))
            direct.update(dict.fromkeys(HELPERS[key].direct))
        self.table.reserve(*self.helpers)
        if file.component is not None:
            # Callers use the names of the parameters, so parameters get their names before modules and variables.
            variables = file.component.variables
            self.table.reserve(file.component.name, *(variable.preferred_names[0] for variable in variables))
        for module in sorted(imported, key=lambda m: (m.group, m.path != "pulumi", m.path)):
            self.modules[module] = self.table.claim(module.alias, module.path.replace(".", "_"))
        for module, name in sorted(direct, key=lambda pair: (pair[0].group, pair[0].path, pair[1])):
            self.direct[module, name] = self.table.claim(name)

    def spelling(self, use: object) -> str:
        """The name of an import or a helper."""
        match use:
            case tree.Imported(direct=True):
                return self.direct[use.module, use.name]
            case tree.Imported():
                return self.modules[use.module]
            case tree.Helper():
                return use.key
            case _:
                raise AssertionError(use)
