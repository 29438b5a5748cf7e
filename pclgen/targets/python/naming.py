"""Finds the final names of one file, and what it imports.

A `NameAssignment` has a spelling for every variable, an alias for every module, and the helpers in use. Imports and classes
come first, then the variables that statements define, in their order, then those of comprehensions, each in a scope of its
own that shadows nothing, and lambdas, which may shadow what they do not use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from msgspec import Struct, field

from pclgen.targets.names import NameTable
from pclgen.targets.python import tree
from pclgen.targets.python.helpers import BESIDE, CHECKERS, CHECKS, HELPERS
from pclgen.targets.python.names import RESERVED
from pclgen.targets.python.printer import Spellings
from pclgen.targets.python.walking import children, walk


class NameAssignment(Struct, frozen=True, kw_only=True):
    """The names of a file, its modules (`import path as alias`) and direct imports (`from module import name`)."""

    spellings: Spellings
    helpers: tuple[str, ...]


def assign_names(file: tree.File, *, beside: bool = False) -> NameAssignment:
    """The names of `file`; with `beside` it imports all helpers that it uses."""
    finder = _Finder(beside=beside)
    finder.collect(file)
    return finder.result()


class _Finder(Struct):
    beside: bool
    table: NameTable = field(default_factory=lambda: NameTable(RESERVED))
    variables: dict[tree.Variable, str] = field(default_factory=dict)
    modules: dict[tree.Module, str] = field(default_factory=dict)
    direct: dict[tuple[tree.Module, str], str] = field(default_factory=dict)
    helpers: dict[str, None] = field(default_factory=dict)

    def result(self) -> NameAssignment:
        spellings = Spellings(variables=self.variables, modules=self.modules, direct=self.direct)
        return NameAssignment(spellings=spellings, helpers=tuple(sorted(self.helpers)))

    def collect(self, file: tree.File) -> None:
        roots = list(file_expressions(file))
        self._claim_imports(roots, file)
        component = file.component
        for statement in sorted(file.statements, key=_yields):
            self._claim_statement(statement, self.table)
        for statement in file.statements:
            self._bind_statement(statement, self.table)
        if component is not None:
            scope = self.table.child({"self"})
            self.variables[component.resource_name] = component.resource_name.preferred_names[0]
            for parameter in _parameters(component):
                self.variables[parameter.variable] = parameter.variable.preferred_names[0]
            for statement in component.body:
                self._claim_statement(statement, scope)
            for statement in component.body:
                self._bind_statement(statement, scope)

    def _claim_imports(self, roots: list[tree.Expr], file: tree.File) -> None:
        imported: dict[tree.Module, None] = {}
        direct: dict[tuple[tree.Module, str], None] = {}
        for root in roots:
            for expr in walk(root):
                if type(expr) is tree.Imported:
                    if expr.direct:
                        direct[expr.module, expr.name] = None
                    else:
                        imported[expr.module] = None
                elif type(expr) is tree.Helper:
                    self.helpers[expr.key] = None
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
            # Callers use the names of the parameters: modules and variables have to give way.
            parameters = (file.component.resource_name, *(p.variable for p in _parameters(file.component)))
            self.table.reserve(file.component.name, *(variable.preferred_names[0] for variable in parameters))
        for module in sorted(imported, key=lambda m: (m.group, m.path != "pulumi", m.path)):
            self.modules[module] = self.table.claim(module.alias, module.path.replace(".", "_"))
        for module, name in sorted(direct, key=lambda pair: (pair[0].group, pair[0].path, pair[1])):
            self.direct[module, name] = self.table.claim(name)

    def _claim(self, variable: tree.Variable, table: NameTable) -> None:
        self.variables[variable] = table.claim(*variable.preferred_names)

    def _claim_statement(self, statement: tree.Statement, table: NameTable) -> None:
        match statement:
            case tree.Assign(target=tree.Variable() as target):
                self._claim(target, table)
            case tree.Define() | tree.Record():
                self._claim(statement.name, table)
            case tree.Unpack():
                for variable in statement.targets:
                    self._claim(variable, table)
            case tree.Assign() | tree.Rebind() | tree.Do() | tree.For() | tree.Remark():
                pass
            case _:
                assert_never(statement)

    def _bind_statement(self, statement: tree.Statement, table: NameTable) -> None:
        for root in _statement_expressions(statement):
            self._bind(root, table)
        if isinstance(statement, tree.Define):
            scope = table.child()
            self._claim(statement.parameter, scope)
            for inner in statement.body:
                self._claim_statement(inner, scope)
            for inner in statement.body:
                self._bind_statement(inner, scope)
            if statement.result is not None:
                self._bind(statement.result, scope)
        elif isinstance(statement, tree.For):
            scope = table.child()
            for target in statement.loop.targets:
                self._claim(target, scope)
            for repeated in statement.body:
                self._bind_statement(repeated, scope)

    def _bind(self, expr: tree.Expr, table: NameTable) -> None:
        if type(expr) is tree.Lambda:
            scope = NameTable(RESERVED | self._used(expr.body))
            for parameter in expr.parameters:
                self._claim(parameter, scope)
            self._bind(expr.body, scope)
        elif type(expr) is tree.ListComprehension or type(expr) is tree.DictComprehension:
            self._bind_comprehension(expr, table)
        else:
            for child in children(expr):
                self._bind(child, table)

    def _used(self, body: tree.Expr) -> set[str]:
        """The names from outside that `body` uses: a lambda may shadow the others."""
        used: set[str] = set()
        for part in walk(body):
            match part:
                case tree.Name() if part.variable in self.variables:
                    used.add(self.variables[part.variable])
                case tree.Imported(direct=True):
                    used.add(self.direct[part.module, part.name])
                case tree.Imported():
                    used.add(self.modules[part.module])
                case tree.Helper():
                    used.add(part.key)
                case _:
                    pass
        return used

    def _bind_comprehension(self, expr: tree.ListComprehension | tree.DictComprehension, table: NameTable) -> None:
        self._bind(expr.loop.iterable, table)
        scope = table.child()
        for target in expr.loop.targets:
            self._claim(target, scope)
        for child in children(expr):
            if child is not expr.loop.iterable:
                self._bind(child, scope)


def _yields(statement: tree.Statement) -> bool:
    """Return whether a statement defines what gives way to the names of the program."""
    return isinstance(statement, tree.Assign) and isinstance(statement.target, tree.Variable) and statement.target.yields


def _parameters(component: tree.ComponentClass) -> tuple[tree.Parameter, ...]:
    return (*component.parameters, component.options)


def file_expressions(file: tree.File) -> Iterator[tree.Expr]:
    """The expressions of a file, as they stand in it, without those inside of them."""
    statements: list[tree.Statement] = [*file.statements]
    component = file.component
    if component is not None:
        statements += component.body
        yield component.base
        yield from (member.annotation for member in component.members)
        for parameter in _parameters(component):
            yield parameter.annotation
            if parameter.default is not None:
                yield parameter.default
    for statement in statements:
        yield from _all_expressions(statement)


def _all_expressions(statement: tree.Statement) -> Iterator[tree.Expr]:
    yield from _statement_expressions(statement)
    if isinstance(statement, tree.Define):
        for inner in statement.body:
            yield from _all_expressions(inner)
        if statement.result is not None:
            yield statement.result
    elif isinstance(statement, tree.For):
        for repeated in statement.body:
            yield from _all_expressions(repeated)


def _statement_expressions(statement: tree.Statement) -> Iterator[tree.Expr]:
    match statement:
        case tree.Assign():
            if isinstance(statement.target, tree.Attribute):
                yield statement.target
            if statement.annotation is not None:
                yield statement.annotation
            yield statement.value
        case tree.Unpack():
            yield from statement.annotations
            yield statement.value
        case tree.Do() | tree.Rebind():
            yield statement.value
        case tree.Define():
            yield statement.annotation
            yield statement.returns
        case tree.For():
            yield statement.loop.iterable
        case tree.Record():
            yield statement.base
            yield from (annotation for _, annotation in statement.members)
        case tree.Remark():
            return
        case _:
            assert_never(statement)
