"""A last look at the TypeScript tree before it is printed: names that the compiler or Node would refuse.

Comes in: the statements of a file or of a constructor.  Goes out: nothing, or a `BrokenTreeError`, which means a mistake of
this target: a name that is declared twice in a block, a constant that is read above its declaration, a property that is
given twice.  Functions may read what is declared further down.  Types are not looked at; the tests compile the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import assert_never

from pclgen.targets.base import BrokenTreeError
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier


def check_statements(file: str, statements: Iterable[ts.Statement]) -> None:
    """Raise `BrokenTreeError` when the names do not add up; `file` is for the message."""
    try:
        _block(tuple(statements), frozenset())
    except BrokenTreeError as error:
        raise BrokenTreeError(f"{file}: {error}") from None


def _block(statements: tuple[ts.Statement, ...], unseen: frozenset[str]) -> None:
    """One block, in which the names `unseen` of the blocks around have no value yet."""
    declared: set[str] = set()
    for statement in statements:
        for name in _declared(statement):
            if not is_identifier(name):
                raise BrokenTreeError(f"{name!r} is no name for a variable")
            if name in declared:
                raise BrokenTreeError(f"{name} is declared twice")
            declared.add(name)
    waiting = set(unseen | declared)
    for statement in statements:
        _statement(statement, waiting)
        waiting.difference_update(_declared(statement))


def _declared(statement: ts.Statement) -> tuple[str, ...]:
    """The names that a statement declares for its block."""
    if isinstance(statement, ts.Commented):
        return _declared(statement.statement)
    if isinstance(statement, ts.Declare):
        return statement.names or (statement.name,)
    return ()


def _statement(statement: ts.Statement, waiting: set[str]) -> None:
    match statement:
        case ts.Commented():
            _statement(statement.statement, waiting)
        case ts.Declare():
            _values([statement.value], waiting)
        case ts.Assign():
            _values([statement.target, statement.value], waiting)
        case ts.Do() | ts.Return():
            _values([statement.value], waiting)
        case ts.If():
            _values([statement.condition], waiting)
            _block(statement.body, frozenset(waiting))
        case ts.Count():
            _values([statement.limit], waiting)
            _block(statement.body, frozenset(waiting - {statement.name}))
        case ts.Each():
            _values([statement.values], waiting)
            _block(statement.body, frozenset(waiting.difference(statement.names)))
        case ts.Try():
            _block(statement.body, frozenset(waiting))
            _block(statement.handler, frozenset(waiting))
        case ts.Comment() | ts.Export():
            pass
        case _:
            assert_never(statement)


def _values(values: Iterable[ts.TsExpr | None], waiting: set[str]) -> None:
    for node in _nodes(values):
        if isinstance(node, ts.Name) and node.text in waiting:
            raise BrokenTreeError(f"{node.text} is read above its declaration")
        if isinstance(node, ts.Object):
            keys = [p.key for p in node.properties if isinstance(p, ts.Property) and isinstance(p.key, str)]
            if len(keys) != len(set(keys)):
                raise BrokenTreeError(f"a property is given twice: {', '.join(keys)}")


def _nodes(values: Iterable[object]) -> Iterator[object]:
    """All nodes of expressions; bodies of functions run later and are left out."""
    pending: list[object] = list(values)
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif isinstance(node, ts.Property):
            pending.append(node.value)
            if not isinstance(node.key, str):
                pending.append(node.key)
        elif node is not None and not isinstance(node, str | bool | ts.Arrow):
            yield node
            pending.extend(getattr(node, name) for name in _parts(node))


_PARTS: dict[str, tuple[str, ...]] = {}


def _parts(node: object) -> tuple[str, ...]:
    """The fields of a node that may hold expressions."""
    kind = type(node).__name__
    if kind not in _PARTS:
        assert is_dataclass(node)
        _PARTS[kind] = tuple(f.name for f in fields(node) if f.name not in ("types", "type", "notes", "closing"))
    return _PARTS[kind]
