"""Assigns the final names of the variables of one file.

Every variable of a file or of a constructor gets a name. Exports keep their names; then come the variables of the program
in their order, then the variables of pclgen. Functions and loops have separate scopes, in which a variable may hide names
that they do not use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from pclgen.targets.names import NameTable
from pclgen.targets.scopes import Naming, Rules, check
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier
from pclgen.targets.typescript.names import GLOBALS
from pclgen.targets.typescript.walking import declared, is_exported, outline


def assign_names(
    statements: Sequence[ts.Statement],
    *,
    imported: Iterable[str] = (),
    taken: AbstractSet[str] = frozenset(),
    parameters: Iterable[ts.Variable] = (),
    types: Iterable[ts.Variable] = (),
    checks: str = "",
) -> ts.Spellings:
    """The names of the variables in `statements` and of the `types` that the file declares.

    No name is in `imported`, and no name outside of functions is in `taken`; `parameters` of the enclosing function keep
    their preferred names. Raises `BrokenTreeError` when the variables of the file called `checks` are inconsistent.
    """
    outer = NameTable(frozenset(imported) | GLOBALS, separator="")
    scope = outline(statements, parameters)
    naming = Naming(outer, _spelling, hoists=True)
    table = outer.child(taken)
    for variable in (*scope.parameters, *(variable for s in statements if is_exported(s) for variable in declared(s))):
        naming.spellings[variable] = variable.preferred_names[0]
        table.reserve(variable.preferred_names[0])
    naming.assign(scope, table)
    if checks:
        check(scope, naming.spellings, _spelling, Rules(path=checks, is_name=is_identifier, hoists=True))
    own = outer.child(taken)  # TypeScript has separate namespaces for types and variables
    return {**naming.spellings, **{variable: own.claim(*variable.preferred_names) for variable in types}}


def _spelling(use: object) -> str:
    assert isinstance(use, ts.Global | ts.Imported | ts.Helper)
    return use.name
