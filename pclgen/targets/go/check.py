"""A last look at the Go tree before it is printed: what Go's compiler would refuse because of names.

A `BrokenTreeError` means a mistake of this target: a name that nothing declares, a variable that nothing reads, a second
declaration in one block, one that hides what is used inside of it, a missing import. Types are not checked; the tests
compile generated code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NoReturn, assert_never

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.names import KEYWORDS, PREDECLARED
from pclgen.targets.go.naming import NameAssignment

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def check_files(files: Mapping[str, go.File], names: Mapping[str, NameAssignment], beside: Iterable[str] = ()) -> None:
    """Raise `BrokenTreeError` when the names in the files do not add up; those of `beside` are declared in other files."""
    package = {*PREDECLARED, *beside}
    for file in files.values():
        package |= _declared(file)
    for path, file in files.items():
        _File(path, file, names[path], package).check()


def _declared(file: go.File) -> set[str]:
    names: set[str] = set()
    for d in file.declarations:
        if isinstance(d, go.ConstantsDeclaration):
            names.update(name for name, _ in d.values)
        elif not isinstance(d, go.FunctionDeclaration) or d.receiver is None:
            names.add(d.name)
    return names


class _Scope:
    """The variables of one block by name, and the names that were read."""

    __slots__ = ("names", "outer", "read")

    def __init__(self, outer: _Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, go.Variable] = {}
        self.read: set[str] = set()


class _File:
    """Looks through one file."""

    def __init__(self, path: str, file: go.File, names: NameAssignment, package: set[str]) -> None:
        self.path = path
        self.file = file
        self.names = names.spellings
        self.package = package
        self.imported = {i.alias or i.path.rsplit("/", 1)[-1] for i in names.imports}

    def check(self) -> None:
        """Look at every declaration."""
        for d in self.file.declarations:
            match d:
                case go.FunctionDeclaration():
                    self._types((*(p.type for p in d.parameters), *d.results))
                    self._block(d.body, self._inside(d.parameters, None))
                case go.StructDeclaration():
                    self._types(f.type for f in d.fields)
                case go.AliasDeclaration() | go.ConstantsDeclaration():
                    self._types((d.type,))
                case go.HelperDeclaration():
                    pass
                case _:
                    assert_never(d)

    def _fail(self, problem: str) -> NoReturn:
        raise BrokenTreeError(f"{self.path}: {problem}")

    def _spelled(self, variable: go.Variable) -> str:
        name = self.names.variables.get(variable)
        if name is None:
            self._fail(f"nothing declares {variable.preferred_names[0]}")
        return name

    def _types(self, types: Iterable[go.Expr]) -> None:
        for type_ in types:
            self._expression(type_, _Scope())

    def _inside(self, parameters: tuple[go.Parameter, ...], outer: _Scope | None) -> _Scope:
        """The scope of parameters, which need not be read."""
        scope = _Scope(outer)
        self._declare([p.variable for p in parameters], scope)
        scope.read.update(scope.names)
        return scope

    # ---------------------------------------------------------------------------------------------- statements

    def _block(self, statements: Iterable[go.Statement], outer: _Scope) -> None:
        scope = _Scope(outer)
        for s in statements:
            self._statement(s, scope)
        self._close(scope)

    def _close(self, scope: _Scope) -> None:
        for name in scope.names:
            if name not in scope.read:
                self._fail(f"nothing reads the variable {name}")

    def _statement(self, s: go.Statement, scope: _Scope) -> None:
        match s:
            case go.ExpressionStatement():
                self._expression(s.expression, scope)
            case go.Defer():
                self._expression(s.call, scope)
            case go.Return():
                for value in s.values:
                    self._expression(value, scope)
            case go.VariableStatement():
                self._expression(s.type, scope)
                if s.value is not None:
                    self._expression(s.value, scope)
                self._declare([s.variable], scope)
            case go.Assign():
                self._assign(s, scope)
            case go.If():
                inner = _Scope(scope)
                if s.init is not None:
                    self._statement(s.init, inner)
                self._expression(s.condition, inner)
                self._block(s.body, inner)
                self._block(s.otherwise, inner)
                self._close(inner)
            case go.ForRange():
                self._expression(s.collection, scope)
                inner = _Scope(scope)
                self._declare([v for v in (s.key, s.value) if v is not None], inner)
                self._block(s.body, inner)
                self._close(inner)
            case go.Comment() | go.Blank() | go.Place():
                pass
            case _:
                assert_never(s)

    def _assign(self, s: go.Assign, scope: _Scope) -> None:
        for value in s.values:
            self._expression(value, scope)
        variables = [t.variable for t in s.targets if isinstance(t, go.Name)]
        if s.operator == ":=":
            fresh = [v for v in variables if scope.names.get(self._spelled(v)) is not v]
            if not fresh:
                self._fail(f"{', '.join(map(self._spelled, variables)) or '_'} := declares nothing new")
            self._declare(fresh, scope)
            return
        for target in s.targets:
            if isinstance(target, go.Name):
                if self._home(target.variable, scope) is None:
                    self._fail(f"nothing declares {self._spelled(target.variable)}, which is assigned to")
            elif target is not make.BLANK:
                self._expression(target, scope)

    def _declare(self, variables: Iterable[go.Variable], scope: _Scope) -> None:
        for variable in variables:
            name = self._spelled(variable)
            if _IDENTIFIER.fullmatch(name) is None or name in KEYWORDS:
                self._fail(f"{name!r} is no name for a variable")
            elif name in scope.names:
                self._fail(f"{name} is declared twice")
            else:
                scope.names[name] = variable

    # --------------------------------------------------------------------------------------------- expressions

    def _home(self, variable: go.Variable, scope: _Scope) -> _Scope | None:
        """The scope that declares `variable`."""
        name = self._spelled(variable)
        home = _around(name, scope)
        if home is not None and home.names[name] is not variable:
            self._fail(f"the variable {name} hides what is used here")
        return home

    def _read(self, variable: go.Variable, scope: _Scope) -> None:
        home = self._home(variable, scope)
        if home is None:
            self._fail(f"nothing declares {self._spelled(variable)}")
        home.read.add(self._spelled(variable))

    def _read_shared(self, name: str, scope: _Scope) -> None:
        """`name` is there for all functions, if it is there."""
        if name not in self.package and name not in self.imported:
            self._fail(f"nothing declares {name}")
        if _around(name, scope) is not None:
            self._fail(f"the variable {name} hides what is used here")

    def _expression(self, root: go.Expr, scope: _Scope) -> None:
        pending: list[go.Expr] = [root]
        while pending:
            e = pending.pop()
            match e:
                case go.Field() | go.Text() | go.Number():  # The most frequent first: each test of a class costs.
                    pass
                case go.Qualified():
                    name = self.names.packages.get(e.package)
                    if name not in self.imported:
                        self._fail(f"the package {e.package.path} is not imported")
                    self._read_shared(name, scope)
                case go.Name():
                    self._read(e.variable, scope)
                case go.Call():
                    pending.append(e.function)
                    pending.extend(e.arguments)
                case go.Composite():
                    if e.type is not None:
                        pending.append(e.type)
                    for element in e.elements:
                        pending.append(element.value)
                        if element.key is not None:
                            pending.append(element.key)
                case go.Selector() | go.Unary() | go.Star() | go.Tail():
                    pending.append(e.operand)
                case go.FunctionLiteral():
                    self._types((*(p.type for p in e.parameters), *e.results))
                    self._block(e.body, self._inside(e.parameters, scope))
                case go.TypeAssertion():
                    pending += (e.operand, e.type)
                case go.Index():
                    pending += (e.operand, e.key)
                case go.Binary():
                    pending += (e.left, e.right)
                case go.SliceType() | go.MapType():
                    pending.append(e.element)
                case go.Builtin() | go.Declared():
                    self._read_shared(e.name, scope)
                case go.Helper():
                    self._read_shared(e.key, scope)
                case _:
                    assert_never(e)


def _around(name: str, scope: _Scope | None) -> _Scope | None:
    """The scope in which a variable called `name` is found."""
    while scope is not None and name not in scope.names:
        scope = scope.outer
    return scope
