"""Assigns the final names of one file and finds its imports.

A `NameAssignment` has a spelling for every variable and every package of a `tree.File`, and its imports. Packages come
first, then the names of the program itself, then all other variables in the order in which the file declares them, each in
the scope of its block. None hides a name around it, except fixed ones:

    bucket, err := s3.NewBucket(ctx, "bucket", &s3.BucketArgs{…})     `bucket`, `s3` are assigned here, `err` and `ctx` are
                                                                      what they are
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.helpers import HELPERS
from pclgen.targets.go.modules import identifier
from pclgen.targets.go.printing.expressions import Spellings
from pclgen.targets.go.walking import outline
from pclgen.targets.names import NameTable
from pclgen.targets.scopes import Naming, Scope

_EVERYWHERE = (make.CTX.variable, make.ERR.variable)
"""Every function that stands for a program has these, whether or not it needs them."""

_IN_SOME_FILE = (make.NAME.variable, make.ARGS.variable, make.OPTS.variable, make.COMPONENT.variable)
"""A package is called the same in all files: not like what only constructors of components have, either."""


class Import(Struct, frozen=True, kw_only=True):
    """One import; `alias` is empty where the package's own name is used."""

    path: str
    alias: str = ""


class NameAssignment(Struct, frozen=True, kw_only=True):
    """The names of a file, and its imports in the order of their paths."""

    spellings: Spellings
    imports: tuple[Import, ...]
    scope: Scope


def assign_names(file: go.File, shared: NameTable) -> NameAssignment:
    """The names of `file`; `shared` are those that its files, and helpers, declare."""
    scope = outline(file)
    mentioned = list(dict.fromkeys(use.package for use in scope.walk() if isinstance(use, go.Qualified)))
    declared = set(scope.all_variables())
    table = shared.child(_spelled(_EVERYWHERE))
    packages = _packages(file, mentioned, table)
    naming = Naming(table, hoists=False)
    fixed = [variable for variable in declared if variable.fixed]
    naming.spellings.update(zip(fixed, _spelled(fixed), strict=True))
    table.reserve(*_spelled(fixed))
    for variable, second in file.own.items():
        if variable in declared:
            naming.spellings[variable] = table.claim(variable.preferred_names[0], second)
            naming.later.add(naming.spellings[variable])
    naming.assign(scope, table)
    imports = tuple(_import(package, packages[package]) for package in sorted(packages, key=lambda p: p.path))
    return NameAssignment(
        spellings=Spellings(variables=naming.spellings, packages=packages), imports=imports, scope=scope
    )


def _spelled(fixed: Iterable[go.Variable]) -> list[str]:
    return [variable.preferred_names[0] for variable in fixed]


# -------------------------------------------------------------------------------------------------- packages


def _packages(file: go.File, mentioned: list[go.Package], table: NameTable) -> dict[go.Package, str]:
    """The names of the packages that a file and the helpers in it use, which are taken in `table` from then on."""
    helpers = [HELPERS[d.name] for d in file.declarations if isinstance(d, go.HelperDeclaration)]
    known = {package.path: package for package in mentioned}
    names: dict[go.Package, str] = {}
    for path in (path for helper in helpers for path in helper.imports):
        last = _last(path)  # what the templates of helpers call it
        names[known.get(path) or go.Package(path=path, clause=last, preferred_name=last)] = last
    table.reserve(*names.values())
    choice = table.child(_spelled(_IN_SOME_FILE))
    for package in mentioned:
        if package not in names:
            names[package] = choice.claim(package.preferred_name, _longer(package.path))
    table.reserve(*names.values())
    return names


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _longer(path: str) -> str:
    """A name for a package whose own name another one has: with that of the folder around it."""
    *above, last = path.split("/")
    named = [part for part in above if not re.fullmatch(r"v\d+", part)]  # not the major version of a module
    return identifier("".join([*named[-1:], last]))


def _import(package: go.Package, name: str) -> Import:
    is_own = name == package.clause == _last(package.path)
    return Import(path=package.path, alias="" if is_own else name)
