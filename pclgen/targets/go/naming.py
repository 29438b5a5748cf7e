"""Assigns the final names of one file, finds its imports, and checks the finished tree.

`outline` finds the scopes of a file. A `NameAssignment` has a spelling for each variable and each package of a
`tree.File`, and the file's imports. Packages get names first, then the program's own variables, then all other variables
in order of declaration, each in the scope of its block. Only fixed names may shadow an outer name:

    bucket, err := s3.NewBucket(ctx, "bucket", &s3.BucketArgs{…})     `bucket` and `s3` are assigned here, `err` and `ctx`
                                                                      are fixed

The check finds name errors that Go's compiler would report: an undeclared name, an unread variable, a duplicate declaration
in a block, a declaration that shadows a name used in its scope, a missing import. A `BrokenTreeError` means a bug in this
target. Types are not checked; the tests compile generated code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from pclgen.targets import scopes
from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.helpers import HELPERS
from pclgen.targets.go.names import KEYWORDS, PREDECLARED
from pclgen.targets.go.printing.expressions import Spellings
from pclgen.targets.go.sdk import identifier
from pclgen.targets.names import NameTable
from pclgen.targets.scopes import Declaration, Naming, PartReaders, Rules, Scope, Spelling, Write, check

_EVERYWHERE = (make.CTX.variable, make.ERR.variable)
"""Variables of every function that represents a program, used or not."""

_IN_SOME_FILE = (make.NAME.variable, make.ARGS.variable, make.OPTS.variable, make.COMPONENT.variable)
"""Variables of component constructors; package names avoid them too, so that a package has the same name in all files."""


class Import(Struct, frozen=True, kw_only=True):
    """An import; `alias` is empty if the package keeps its own name."""

    path: str
    alias: str = ""


class NameAssignment(Struct, frozen=True, kw_only=True):
    """The names of a file, and its imports sorted by path."""

    spellings: Spellings
    imports: tuple[Import, ...]
    scope: Scope


def assign_names(file: go.File, shared: NameTable) -> NameAssignment:
    """Return the names of `file`; `shared` are the names that the project's files and helpers declare."""
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
    """Return the names of the packages that a file and its helpers use, and reserve them in `table`."""
    helpers = [HELPERS[d.name] for d in file.declarations if isinstance(d, go.HelperDeclaration)]
    packages = {package.path: package for package in mentioned}
    names: dict[go.Package, str] = {}
    for path in (path for helper in helpers for path in helper.imports):
        last = _last(path)  # the name in the templates of helpers
        names[packages.get(path) or go.Package(path=path, clause=last, preferred_name=last)] = last
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
    """Return a fallback name for a package: its own name after its parent folder's name."""
    *above, last = path.split("/")
    named = [part for part in above if not re.fullmatch(r"v\d+", part)]  # without the major version of a module
    return identifier("".join([*named[-1:], last]))


def _import(package: go.Package, name: str) -> Import:
    is_own = name == package.clause == _last(package.path)
    return Import(path=package.path, alias="" if is_own else name)


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


# -- scopes -----------------------------------------------------------------------------------------------------------------

def outline(file: go.File) -> Scope:
    """Return the scopes of a file."""
    return scopes.outline(Scope([*file.declarations]), STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((go.Qualified, go.Builtin, go.Declared, go.Helper))


def _steps_of_function(node: go.FunctionDeclaration | go.FunctionLiteral) -> tuple[object, ...]:
    receiver = node.receiver if isinstance(node, go.FunctionDeclaration) else None
    parameters = tuple(p.variable for p in node.parameters)
    inner = Scope([*node.body], parameters=parameters, is_function=True)
    return (receiver, *[p.type for p in node.parameters], *node.results, inner)


def _steps_of_assign(node: go.Assign) -> tuple[object, ...]:
    names = [target for target in node.targets if isinstance(target, go.Name)]
    others = [target for target in node.targets if not isinstance(target, go.Name) and target is not make.BLANK]
    if node.operator == ":=":
        return (*node.values, *others, Declaration(tuple([name.variable for name in names]), renews=True))
    return (*node.values, *others, *[Write(name.variable) for name in names])


def _steps_of_if(node: go.If) -> tuple[object, ...]:
    return (Scope([node.init, node.condition, Scope([*node.body]), Scope([*node.otherwise])]),)


def _steps_of_range(node: go.ForRange) -> tuple[object, ...]:
    own = Declaration(tuple([variable for variable in (node.key, node.value) if variable is not None]))
    return (node.collection, Scope([own, *node.body]))


def _no_steps(_: object) -> tuple[object, ...]:
    return ()


STEPS: Final = PartReaders(go.LEAVES, {
    go.Assign: _steps_of_assign,
    go.ForRange: _steps_of_range,
    go.FunctionDeclaration: _steps_of_function,
    go.FunctionLiteral: _steps_of_function,
    go.HelperDeclaration: _no_steps,
    go.If: _steps_of_if,
    go.VariableStatement: lambda node: (node.type, node.value, Declaration((node.variable,))),
})
"""The children of a node for the scope tree: its parts by default, with scopes and declarations where needed."""
