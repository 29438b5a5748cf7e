"""A last look at the Go tree before it is printed: what Go's compiler would refuse because of names.

Comes in: the files of a project.  Goes out: nothing, or a `BrokenTreeError`, which means a mistake of this target: a name
that nothing declares, a variable that nothing reads, a second declaration in one block, an import that is missing.  Types
are not looked at; the tests compile what is generated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import assert_never

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.go import tree as go
from pclgen.targets.go.names import KEYWORDS, PREDECLARED

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def check_files(files: Mapping[str, go.File], beside: Iterable[str] = ()) -> None:
    """Raise `BrokenTreeError` when the names in the files do not add up; those of `beside` are declared in other files."""
    package = {*PREDECLARED, *beside}
    for file in files.values():
        package |= _declared(file)
    for path, file in files.items():
        _File(path, file, package).check()


def _declared(file: go.File) -> set[str]:
    found: set[str] = set()
    for d in file.declarations:
        if isinstance(d, go.ConstantsDeclaration):
            found.update(name for name, _ in d.values)
        elif not isinstance(d, go.FunctionDeclaration) or d.receiver is None:
            found.add(d.name)
    return found


class _Scope:
    """The names of one block, and whether each was read."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: _Scope | None = None, names: Iterable[str] = ()) -> None:
        self.outer = outer
        self.names = dict.fromkeys(names, True)


class _File:
    """Looks through one file."""

    def __init__(self, path: str, file: go.File, package: set[str]) -> None:
        self.path = path
        self.file = file
        self.package = package
        self.imported = {i.alias or i.path.rsplit("/", 1)[-1] for i in file.imports}

    def check(self) -> None:
        """Look at every declaration."""
        for d in self.file.declarations:
            match d:
                case go.FunctionDeclaration():
                    self._types((*(p.type for p in d.parameters), *d.results))
                    self._block(d.body, _Scope(None, [p.name for p in d.parameters]))
                case go.StructDeclaration():
                    self._types(f.type for f in d.fields)
                case go.AliasDeclaration() | go.ConstantsDeclaration():
                    self._types((d.type,))
                case go.HelperDeclaration():
                    pass
                case _:
                    assert_never(d)

    def _fail(self, problem: str) -> None:
        raise BrokenTreeError(f"{self.path}: {problem}")

    def _types(self, types: Iterable[go.Expr]) -> None:
        for type_ in types:
            self._expression(type_, _Scope())

    # ---------------------------------------------------------------------------------------------- statements

    def _block(self, statements: Iterable[go.Statement], outer: _Scope) -> None:
        scope = _Scope(outer)
        for s in statements:
            self._statement(s, scope)
        self._close(scope)

    def _close(self, scope: _Scope) -> None:
        for name, is_read in scope.names.items():
            if not is_read:
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
            case go.Variable():
                self._expression(s.type, scope)
                if s.value is not None:
                    self._expression(s.value, scope)
                self._declare([s.name], scope)
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
                self._declare([name for name in (s.key, s.value) if name not in (None, "_")], inner)
                self._block(s.body, inner)
                self._close(inner)
            case go.Comment() | go.Blank():
                pass
            case _:
                assert_never(s)

    def _assign(self, s: go.Assign, scope: _Scope) -> None:
        for value in s.values:
            self._expression(value, scope)
        names = [t.name for t in s.targets if isinstance(t, go.Name) and t.name != "_"]
        if s.operator == ":=":
            fresh = [name for name in names if name not in scope.names]
            if not fresh:
                self._fail(f"{', '.join(names) or '_'} := declares nothing new")
            self._declare(fresh, scope)
            return
        for target in s.targets:
            if not isinstance(target, go.Name):
                self._expression(target, scope)
            elif target.name != "_" and self._home(target.name, scope) is None:
                self._fail(f"nothing declares {target.name}, which is assigned to")

    def _declare(self, names: Iterable[str | None], scope: _Scope) -> None:
        for name in names:
            if name is None or _IDENTIFIER.fullmatch(name) is None or name in KEYWORDS:
                self._fail(f"{name!r} is no name for a variable")
            elif name in scope.names:
                self._fail(f"{name} is declared twice")
            else:
                scope.names[name] = False

    # --------------------------------------------------------------------------------------------- expressions

    def _home(self, name: str, scope: _Scope | None) -> _Scope | None:
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def _read(self, name: str, scope: _Scope) -> None:
        home = self._home(name, scope)
        if home is not None:
            home.names[name] = True
        elif name not in self.package:
            self._fail(f"nothing declares {name}")

    def _expression(self, root: go.Expr, scope: _Scope) -> None:
        pending: list[go.Expr] = [root]
        while pending:
            e = pending.pop()
            match e:
                case go.Name():
                    # `1:` is the key of a slice of a list.
                    if e.name != "_" and not e.name.endswith(":"):
                        self._read(e.name, scope)
                case go.Qualified():
                    if e.package not in self.imported:
                        self._fail(f"the package {e.package} is not imported")
                case go.Call():
                    pending.append(e.function)
                    pending.extend(e.arguments)
                case go.Composite():
                    if e.type is not None:
                        pending.append(e.type)
                    for element in e.elements:
                        pending.append(element.value)
                        # A key that is a name is a field, unless there is such a variable.
                        key = element.key
                        if key is not None and (not isinstance(key, go.Name) or self._home(key.name, scope) is not None):
                            pending.append(key)
                case go.FunctionLiteral():
                    self._types((*(p.type for p in e.parameters), *e.results))
                    self._block(e.body, _Scope(scope, [p.name for p in e.parameters]))
                case go.Selector() | go.Unary() | go.Star():
                    pending.append(e.operand)
                case go.TypeAssertion():
                    pending += (e.operand, e.type)
                case go.Index():
                    pending += (e.operand, e.key)
                case go.Binary():
                    pending += (e.left, e.right)
                case go.SliceType() | go.MapType():
                    pending.append(e.element)
                case go.Number() | go.Text():
                    pass
                case _:
                    assert_never(e)
