"""Finds the final names of the variables of one file.

Comes in: the statements of a file or of a constructor, and the names that are taken.  Goes out: a spelling for every
variable.  What is exported keeps its name; then come the variables of the program in their order, then those of pclgen.
Functions and loops have scopes of their own, in which a variable may hide what they do not use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from pclgen.targets.names import NameTable
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.names import GLOBALS
from pclgen.targets.typescript.walking import Node, declared, is_exported, walk


def allot(
    statements: Sequence[ts.Statement],
    *,
    imported: Iterable[str] = (),
    taken: AbstractSet[str] = frozenset(),
    parameters: Iterable[ts.Variable] = (),
    types: Iterable[ts.Variable] = (),
) -> ts.Spellings:
    """The names of the variables in `statements` and of the `types` that the file declares.

    None is one of the names that may be `imported`, and none outside of functions is `taken`; those of `parameters` of the
    function around are as they wish.
    """
    finder = _Finder(frozenset(imported) | GLOBALS)
    finder.types(types, taken)
    finder.block(statements, taken, parameters)
    for node in walk(statements):
        finder.enter(node)
    return finder.spellings


class _Finder:
    """The names found so far; none is one of those `reserved`."""

    def __init__(self, reserved: frozenset[str]) -> None:
        self.spellings: dict[ts.Variable, str] = {}
        self._reserved = reserved

    def types(self, variables: Iterable[ts.Variable], taken: AbstractSet[str]) -> None:
        """Names for types, which are no variables to TypeScript: one of each may be called the same."""
        table = NameTable(self._reserved | taken, separator="")
        for variable in variables:
            self.spellings[variable] = table.claim(*variable.wishes)

    def block(self, statements: Sequence[ts.Statement], taken: AbstractSet[str], parameters: Iterable[ts.Variable]) -> None:
        """Names for what the statements of a file or of a constructor declare."""
        table = NameTable(self._reserved | taken, separator="")
        fixed = [*parameters, *(variable for one in statements if is_exported(one) for variable in declared(one))]
        for variable in fixed:
            self.spellings[variable] = variable.wishes[0]
            table.reserve(variable.wishes[0])
        free = [variable for one in statements if not is_exported(one) for variable in declared(one)]
        for variable in sorted(free, key=lambda variable: variable.yields):
            self.spellings[variable] = table.claim(*variable.wishes)

    def enter(self, node: Node) -> None:
        """Names for the variables of the scope that `node` opens, if it does."""
        match node:
            case ts.Arrow():
                body: tuple[Node, ...] = node.body if isinstance(node.body, tuple) else (node.body,)
                self._scope([variable for one in node.parameters for variable in one.variables], body)
            case ts.Count():
                self._scope([node.variable], (node.limit, *node.body))
            case ts.Each():
                self._scope(node.variables, (node.values, *node.body))
            case ts.If():
                self._scope((), node.body)
            case ts.Try():
                self._scope((), node.body)
                self._scope((), node.handler)
            case _:
                pass

    def _scope(self, own: Iterable[ts.Variable | None], inside: Sequence[Node]) -> None:
        """Names for `own` and what is declared `inside`: none that is used there for something of the outside."""
        inner = [variable for one in inside if isinstance(one, ts.Statement) for variable in declared(one)]
        # What a tree holds twice has its names from the first time.
        new = [one for one in (*own, *inner) if one is not None and one not in self.spellings]
        if not new:
            return
        table = NameTable(self._reserved | self._used(inside), separator="")
        for variable in new:
            self.spellings[variable] = table.claim(*variable.wishes)

    def _used(self, nodes: Iterable[Node]) -> set[str]:
        """The names of the outside that `nodes` use."""
        found: set[str] = set()
        for node in walk(nodes):
            match node:
                case ts.Name() if node.variable in self.spellings:
                    found.add(self.spellings[node.variable])
                case ts.Global() | ts.Imported() | ts.Helper():
                    found.add(node.name)
                case _:
                    pass
        return found
