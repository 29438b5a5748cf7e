"""Finds the final names of one file, and what it imports.

Comes in: a `tree.File` and the names that the files of the project share.  Goes out: `Allotment`: a spelling for every
variable and every package, and the imports.  Packages come first, then what the program itself has named, then all other
variables in the order in which the file declares them, each in the scope of its block.  None hides a name around it, but
for fixed ones:

    bucket, err := s3.NewBucket(ctx, "bucket", &s3.BucketArgs{…})       `bucket` and `s3` are found here, `err` and `ctx` are
                                                                        what they are
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import assert_never

from pclgen.records import dataclass
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.helpers import HELPERS
from pclgen.targets.go.modules import identifier
from pclgen.targets.go.printing.expressions import Spellings
from pclgen.targets.names import NameTable

_EVERYWHERE = (make.CTX.variable, make.ERR.variable)
"""Every function that stands for a program has these, whether or not it needs them."""

_IN_SOME_FILE = (make.NAME.variable, make.ARGS.variable, make.OPTS.variable, make.COMPONENT.variable)
"""A package is called the same in all files: not like what only constructors of components have, either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One import; `alias` is empty where the package's own name is used."""

    path: str
    alias: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allotment:
    """The names of a file, and its imports in the order of their paths."""

    spellings: Spellings
    imports: tuple[Import, ...]


def allot(file: go.File, shared: NameTable) -> Allotment:
    """The names of `file`; `shared` are those that its files, and helpers, declare."""
    mentioned = dict.fromkeys(_mentioned(file.declarations))
    table = shared.child(_spelled(_EVERYWHERE))
    packages = _packages(file, [m for m in mentioned if isinstance(m, go.Package)], table)
    fixed = [m for m in mentioned if isinstance(m, go.Variable) and m.fixed]
    table.reserve(*_spelled(fixed))
    finder = _Finder(table, {variable: variable.wishes[0] for variable in fixed})
    finder.claim_own({variable: second for variable, second in file.own.items() if variable in mentioned})
    for declaration in file.declarations:
        if isinstance(declaration, go.FunctionDeclaration):
            finder.function(declaration.parameters, declaration.body, table)
    names = {package: name for package, name in packages.items() if package in mentioned}
    imports = tuple(_import(package, packages[package]) for package in sorted(packages, key=lambda p: p.path))
    return Allotment(spellings=Spellings(variables=finder.variables, packages=names), imports=imports)


def _mentioned(declarations: tuple[go.Declaration, ...]) -> Iterator[go.Variable | go.Package]:
    """The variables and packages in `declarations`, in their order."""
    pending: list[object] = [declarations]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            pending.extend(reversed(current))
        elif isinstance(current, go.Variable | go.Package):
            yield current
        else:
            pending.extend([getattr(current, name) for name in reversed(go.parts(type(current)))])


def _spelled(fixed: Iterable[go.Variable]) -> list[str]:
    return [variable.wishes[0] for variable in fixed]


# -------------------------------------------------------------------------------------------------- packages


def _packages(file: go.File, mentioned: list[go.Package], table: NameTable) -> dict[go.Package, str]:
    """The names of the packages that a file and the helpers in it use, which are taken in `table` from then on."""
    helpers = [HELPERS[d.name] for d in file.declarations if isinstance(d, go.HelperDeclaration)]
    known = {package.path: package for package in mentioned}
    found: dict[go.Package, str] = {}
    for path in (path for helper in helpers for path in helper.imports):
        last = _last(path)  # what the templates of helpers call it
        found[known.get(path) or go.Package(path=path, clause=last, wish=last)] = last
    table.reserve(*found.values())
    choice = table.child(_spelled(_IN_SOME_FILE))
    for package in mentioned:
        if package not in found:
            found[package] = choice.claim(package.wish, _longer(package.path))
    table.reserve(*found.values())
    return found


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


# ------------------------------------------------------------------------------------------------- variables


@dataclass(slots=True)
class _Finder:
    table: NameTable
    variables: dict[go.Variable, str]
    later: set[str] = field(default_factory=set)  # names of the program's own variables that come below

    def claim_own(self, own: dict[go.Variable, str]) -> None:
        """Names for the program's own variables, each with a second choice, before any other takes them."""
        for variable, second in own.items():
            self.variables[variable] = self.table.claim(variable.wishes[0], second)
        self.later.update(self.variables[variable] for variable in own)

    def function(
        self, parameters: tuple[go.Parameter, ...], body: tuple[go.Statement, ...], table: NameTable
    ) -> None:
        """The parameters and the body of a function."""
        scope = table.child()
        for parameter in parameters:
            self._bind(parameter.variable, scope)
        self._statements(body, scope)

    def _bind(self, variable: go.Variable, scope: NameTable) -> None:
        """`variable` is declared here."""
        known = self.variables.get(variable)
        if known is not None:
            self.later.discard(known)
            return
        # `regionValue` reads better than `region2` where `region` is still to come.
        wishes = (f"{wish}Value" if wish in self.later else wish for wish in variable.wishes)
        self.variables[variable] = scope.claim(*wishes)

    def _statements(self, statements: tuple[go.Statement, ...], scope: NameTable) -> None:
        for s in statements:
            self._statement(s, scope)

    def _statement(self, s: go.Statement, scope: NameTable) -> None:
        match s:
            case go.Assign():
                self._expressions((*s.values, *s.targets), scope)
                if s.operator == ":=":
                    for target in s.targets:
                        if isinstance(target, go.Name):
                            self._bind(target.variable, scope)
            case go.VariableStatement():
                self._expressions((s.value,), scope)
                self._bind(s.variable, scope)
            case go.If():
                inner = scope.child()
                if s.init is not None:
                    self._statement(s.init, inner)
                self._expressions((s.condition,), inner)
                self._statements(s.body, inner.child())
                self._statements(s.otherwise, inner.child())
            case go.ForRange():
                self._expressions((s.collection,), scope)
                inner = scope.child()
                for variable in (s.key, s.value):
                    if variable is not None:
                        self._bind(variable, inner)
                self._statements(s.body, inner)
            case go.ExpressionStatement():
                self._expressions((s.expression,), scope)
            case go.Defer():
                self._expressions((s.call,), scope)
            case go.Return():
                self._expressions(s.values, scope)
            case go.Comment() | go.Blank():
                pass
            case _:
                assert_never(s)

    def _expressions(self, expressions: tuple[go.Expr | None, ...], scope: NameTable) -> None:
        """The functions in `expressions`."""
        pending: list[object] = [expressions]
        while pending:
            current = pending.pop()
            if isinstance(current, tuple):
                pending.extend(current)
            elif isinstance(current, go.FunctionLiteral):
                self.function(current.parameters, current.body, scope)
            else:
                pending.extend([getattr(current, name) for name in go.parts(type(current))])
