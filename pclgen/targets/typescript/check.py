"""A last look at the TypeScript tree before it is printed: variables that the compiler or Node would refuse.

A `BrokenTreeError` means a mistake of this target: a variable that is declared twice in a block, read above its declaration
or where it is not known, a property that is given twice. Functions may read what is declared further down. Types are not
checked; the tests compile the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier
from pclgen.targets.typescript.walking import Node, children, declared, scopes


def check_statements(
    file: str, statements: Sequence[ts.Statement], parameters: Iterable[ts.Variable] = ()
) -> None:
    """Raise `BrokenTreeError` when the variables do not add up; `file` is for the message, and `parameters` are those of the
    constructor around."""
    try:
        _block(tuple(statements), frozenset())
        _reads(statements, frozenset((*parameters, *(variable for s in statements for variable in declared(s)))))
    except BrokenTreeError as error:
        raise BrokenTreeError(f"{file}: {error}") from None


def _block(statements: tuple[ts.Statement, ...], unseen: frozenset[ts.Variable]) -> None:
    """One block, in which the variables `unseen` of the blocks around have no value yet."""
    known: set[ts.Variable] = set()
    for variable in (variable for s in statements for variable in declared(s)):
        for preferred_name in variable.preferred_names:
            if not is_identifier(preferred_name):
                raise BrokenTreeError(f"{preferred_name!r} is no name for a variable")
        if variable in known:
            raise BrokenTreeError(f"{_shown(variable)} is declared twice")
        known.add(variable)
    waiting = set(unseen | known)
    for statement in statements:
        _statement(statement, waiting)
        waiting.difference_update(declared(statement))


def _statement(statement: ts.Statement, waiting: set[ts.Variable]) -> None:
    match statement:
        case ts.Commented():
            _statement(statement.statement, waiting)
        case ts.Declare():
            _values([statement.value] if statement.value is not None else [], waiting)
        case ts.Assign():
            _values([statement.target, statement.value], waiting)
        case ts.Do() | ts.Return():
            _values([statement.value], waiting)
        case ts.If():
            _values([statement.condition], waiting)
            _block(statement.body, frozenset(waiting))
        case ts.Count():
            _values([statement.limit], waiting)
            _block(statement.body, frozenset(waiting))
        case ts.Each():
            _values([statement.values], waiting)
            _block(statement.body, frozenset(waiting))
        case ts.Try():
            _block(statement.body, frozenset(waiting))
            _block(statement.handler, frozenset(waiting))
        case ts.Comment() | ts.Export():
            pass
        case _:
            assert_never(statement)


def _values(values: Iterable[Node], waiting: set[ts.Variable]) -> None:
    """Expressions; the bodies of functions in them run later and are left out."""
    pending = [*values]
    while pending:
        node = pending.pop()
        if type(node) is ts.Arrow:
            continue
        pending.extend(children(node))
        if type(node) is ts.Name and node.variable in waiting:
            raise BrokenTreeError(f"{_shown(node.variable)} is read above its declaration")
        if type(node) is ts.Object:
            keys = [p.key for p in node.properties if isinstance(p, ts.Property) and isinstance(p.key, str)]
            if len(keys) != len(set(keys)):
                raise BrokenTreeError(f"a property is given twice: {', '.join(keys)}")


def _reads(nodes: Iterable[Node], there: frozenset[ts.Variable]) -> None:
    """Expressions and statements with all that is inside of them, functions, too; the variables `there` are those around."""
    pending: list[tuple[Node, frozenset[ts.Variable]]] = [(node, frozenset()) for node in nodes]
    while pending:
        node, known = pending.pop()
        if type(node) is ts.Name and node.variable not in known and node.variable not in there:
            raise BrokenTreeError(f"nothing declares {_shown(node.variable)} where it is read")
        own = [variable for scope in scopes(node) for variable in scope.variables]
        inside = known.union(own) if own else known
        pending.extend((child, inside) for child in children(node))


def _shown(variable: ts.Variable) -> str:
    return variable.preferred_names[0]
