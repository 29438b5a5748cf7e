"""Finds the final names of the variables of one file.

Every variable of a file or of a constructor gets a spelling. Exports keep their names; then come the variables of the
program in their order, then those of pclgen. Functions and loops have scopes of their own, in which a variable may hide what
they do not use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from pclgen.targets.names import NameTable
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.names import GLOBALS
from pclgen.targets.typescript.walking import Node, Scope, declared, is_exported, scopes, walk


def assign_names(
    statements: Sequence[ts.Statement],
    *,
    imported: Iterable[str] = (),
    taken: AbstractSet[str] = frozenset(),
    parameters: Iterable[ts.Variable] = (),
    types: Iterable[ts.Variable] = (),
) -> ts.Spellings:
    """The names of the variables in `statements` and of the `types` that the file declares.

    None is one of the names that may be `imported`, and none outside of functions is `taken`; `parameters` of the enclosing
    function keep their preferred names.
    """
    finder = _Finder(frozenset(imported) | GLOBALS)
    finder.types(types, taken)
    finder.block(statements, taken, parameters)
    for node in walk(statements):
        for scope in scopes(node):
            finder.enter(scope)
    return finder.spellings


class _Finder:
    """The names found so far; none is one of those `reserved`."""

    def __init__(self, reserved: AbstractSet[str]) -> None:
        self.spellings: dict[ts.Variable, str] = {}
        self._reserved = NameTable(reserved, separator="")

    def types(self, variables: Iterable[ts.Variable], taken: AbstractSet[str]) -> None:
        """Names for types, which are no variables to TypeScript: one of each may be called the same."""
        table = self._reserved.child(taken)
        for variable in variables:
            self.spellings[variable] = table.claim(*variable.preferred_names)

    def block(self, statements: Sequence[ts.Statement], taken: AbstractSet[str], parameters: Iterable[ts.Variable]) -> None:
        """Names for what the statements of a file or of a constructor declare."""
        table = self._reserved.child(taken)
        fixed = [*parameters, *(variable for s in statements if is_exported(s) for variable in declared(s))]
        for variable in fixed:
            self.spellings[variable] = variable.preferred_names[0]
            table.reserve(variable.preferred_names[0])
        free = [variable for s in statements if not is_exported(s) for variable in declared(s)]
        for variable in sorted(free, key=lambda variable: variable.yields):
            self.spellings[variable] = table.claim(*variable.preferred_names)

    def enter(self, scope: Scope) -> None:
        """Names for the variables of a scope: none that is used inside of it for something of the outside."""
        # What a tree holds twice has its names from the first time.
        new = [variable for variable in scope.variables if variable not in self.spellings]
        if not new:
            return
        table = self._reserved.child(self._used(scope.inside))
        for variable in new:
            self.spellings[variable] = table.claim(*variable.preferred_names)

    def _used(self, nodes: Iterable[Node]) -> set[str]:
        """The names of the outside that `nodes` use."""
        used: set[str] = set()
        for node in walk(nodes):
            match node:
                case ts.Name() if node.variable in self.spellings:
                    used.add(self.spellings[node.variable])
                case ts.Global() | ts.Imported() | ts.Helper():
                    used.add(node.name)
                case _:
                    pass
        return used
