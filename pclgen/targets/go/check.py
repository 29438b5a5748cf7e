"""A final check of the Go tree before printing: name errors that Go's compiler would report.

A `BrokenTreeError` means a bug in this target: an undeclared name, an unread variable, a duplicate declaration in a block,
a declaration that shadows a name used in its scope, a missing import. Types are not checked; the tests compile generated
code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import tree as go
from pclgen.targets.go.names import KEYWORDS, PREDECLARED
from pclgen.targets.go.naming import NameAssignment
from pclgen.targets.scopes import Rules, Spelling, check

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def check_files(files: Mapping[str, go.File], names: Mapping[str, NameAssignment], beside: Iterable[str] = ()) -> None:
    """Raise `BrokenTreeError` if names in the files are inconsistent; names in `beside` are declared in other files."""
    package = {*PREDECLARED, *beside}
    for file in files.values():
        package |= _declared(file)
    for path in files:
        rules = Rules(path=path, is_name=_is_name, hoists=False, reads_all=True)
        check(names[path].scope, names[path].spellings.variables, _spelling(names[path], package), rules)


def _declared(file: go.File) -> set[str]:
    names: set[str] = set()
    for d in file.declarations:
        if isinstance(d, go.ConstantsDeclaration):
            names.update(name for name, _ in d.values)
        elif not isinstance(d, go.FunctionDeclaration) or d.receiver is None:
            names.add(d.name)
    return names


def _is_name(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None and name not in KEYWORDS


def _spelling(names: NameAssignment, package: set[str]) -> Spelling:
    """Return a function from a use to the name of its import or package-level declaration; `package` has declared names."""
    imported = {i.alias or i.path.rsplit("/", 1)[-1] for i in names.imports}

    def spelling(use: object) -> str:
        if isinstance(use, go.Qualified):
            name = names.spellings.packages.get(use.package)
            if name not in imported:
                raise BrokenTreeError(f"the package {use.package.path} is not imported")
            return name
        assert isinstance(use, go.Builtin | go.Declared | go.Helper)
        name = use.key if isinstance(use, go.Helper) else use.name
        if name not in package and name not in imported:
            raise BrokenTreeError(f"nothing declares {name}")
        return name

    return spelling
