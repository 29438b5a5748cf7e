"""Assigns the final names of one file and finds its imports.

A `NameAssignment` has a spelling for every variable and every package of a `tree.File`, and its imports. Packages come
first, then the names of the program itself, then all other variables in the order in which the file declares them, each in
the scope of its block. None hides a name around it, except fixed ones:

    bucket, err := s3.NewBucket(ctx, "bucket", &s3.BucketArgs{…})     `bucket`, `s3` are assigned here, `err` and `ctx` are
                                                                      what they are
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import assert_never

from msgspec import Struct, field

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


class Import(Struct, frozen=True, kw_only=True):
    """One import; `alias` is empty where the package's own name is used."""

    path: str
    alias: str = ""


class NameAssignment(Struct, frozen=True, kw_only=True):
    """The names of a file, and its imports in the order of their paths."""

    spellings: Spellings
    imports: tuple[Import, ...]


def assign_names(file: go.File, shared: NameTable) -> NameAssignment:
    """The names of `file`; `shared` are those that its files, and helpers, declare."""
    outline = _Outline()
    for declaration in file.declarations:
        outline.declaration(declaration)
    declared = dict.fromkeys(step for step in outline.steps if isinstance(step, go.Variable))
    table = shared.child(_spelled(_EVERYWHERE))
    packages = _packages(file, list(outline.packages), table)
    finder = _Finder(table)
    finder.claim_fixed([variable for variable in declared if variable.fixed])
    finder.claim_own({variable: more for variable, more in file.own.items() if variable in declared})
    finder.claim(outline.steps)
    imports = tuple(_import(package, packages[package]) for package in sorted(packages, key=lambda p: p.path))
    return NameAssignment(spellings=Spellings(variables=finder.variables, packages=packages), imports=imports)


def _spelled(fixed: Iterable[go.Variable]) -> list[str]:
    return [variable.preferred_names[0] for variable in fixed]


# --------------------------------------------------------------------------------------------------- outline


class _Step(Enum):
    """Where a scope begins and ends."""

    OPEN = "open"
    CLOSE = "close"


class _Outline(Struct):
    """The packages that a file uses, and its scopes with the variables that they declare, all in the order of the file."""

    packages: dict[go.Package, None] = field(default_factory=dict)
    steps: list[go.Variable | _Step] = field(default_factory=list)

    def declaration(self, d: go.Declaration) -> None:
        """Collect the names in a declaration."""
        match d:
            case go.FunctionDeclaration():
                self._expressions(d.receiver)
                self._function(d.parameters, d.results, d.body)
            case go.StructDeclaration():
                self._expressions(*(f.type for f in d.fields))
            case go.AliasDeclaration() | go.ConstantsDeclaration():
                self._expressions(d.type)
            case go.HelperDeclaration():
                pass
            case _:
                assert_never(d)

    def _function(
        self, parameters: tuple[go.Parameter, ...], results: tuple[go.Expr, ...], body: tuple[go.Statement, ...]
    ) -> None:
        self._expressions(*(p.type for p in parameters), *results)
        self.steps.append(_Step.OPEN)
        self.steps += [p.variable for p in parameters]
        self._statements(body)
        self.steps.append(_Step.CLOSE)

    def _statements(self, statements: tuple[go.Statement, ...]) -> None:
        for s in statements:
            self._statement(s)

    def _block(self, statements: tuple[go.Statement, ...]) -> None:
        self.steps.append(_Step.OPEN)
        self._statements(statements)
        self.steps.append(_Step.CLOSE)

    def _statement(self, s: go.Statement) -> None:
        match s:
            case go.Assign():
                self._expressions(*s.values, *s.targets)
                if s.operator == ":=":
                    self.steps += [target.variable for target in s.targets if isinstance(target, go.Name)]
            case go.VariableStatement():
                self._expressions(s.type, s.value)
                self.steps.append(s.variable)
            case go.If():
                self.steps.append(_Step.OPEN)
                if s.init is not None:
                    self._statement(s.init)
                self._expressions(s.condition)
                self._block(s.body)
                self._block(s.otherwise)
                self.steps.append(_Step.CLOSE)
            case go.ForRange():
                self._expressions(s.collection)
                self.steps.append(_Step.OPEN)
                self.steps += [variable for variable in (s.key, s.value) if variable is not None]
                self._statements(s.body)
                self.steps.append(_Step.CLOSE)
            case go.ExpressionStatement():
                self._expressions(s.expression)
            case go.Defer():
                self._expressions(s.call)
            case go.Return():
                self._expressions(*s.values)
            case go.Comment() | go.Blank() | go.Place():
                pass
            case _:
                assert_never(s)

    def _expressions(self, *expressions: go.Expr | None) -> None:
        pending: list[object] = [*reversed(expressions)]
        while pending:
            part = pending.pop()
            if isinstance(part, tuple):
                pending.extend(reversed(part))
            elif type(part) is go.Qualified:
                self.packages[part.package] = None
            elif type(part) is go.FunctionLiteral:
                self._function(part.parameters, part.results, part.body)
            else:
                pending.extend([getattr(part, name) for name in reversed(go.parts(type(part)))])


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


# ------------------------------------------------------------------------------------------------- variables


class _Finder(Struct):
    table: NameTable
    variables: dict[go.Variable, str] = field(default_factory=dict)
    later: set[str] = field(default_factory=set)  # names of the program's own variables that come below

    def claim_fixed(self, fixed: list[go.Variable]) -> None:
        """Names of variables that can have no others."""
        self.variables.update(zip(fixed, _spelled(fixed), strict=True))
        self.table.reserve(*_spelled(fixed))

    def claim_own(self, own: Mapping[go.Variable, str]) -> None:
        """Names for the program's own variables, each with a second choice, before any other takes them."""
        for variable, second in own.items():
            self.variables[variable] = self.table.claim(variable.preferred_names[0], second)
        self.later.update(self.variables[variable] for variable in own)

    def claim(self, steps: Iterable[go.Variable | _Step]) -> None:
        """Names for all other variables."""
        scopes = [self.table]
        for step in steps:
            if step is _Step.OPEN:
                scopes.append(scopes[-1].child())
            elif step is _Step.CLOSE:
                scopes.pop()
            elif step in self.variables:
                self.later.discard(self.variables[step])
            else:
                # `regionValue` reads better than `region2` where `region` is still to come.
                preferred_names = (f"{name}Value" if name in self.later else name for name in step.preferred_names)
                self.variables[step] = scopes[-1].claim(*preferred_names)
