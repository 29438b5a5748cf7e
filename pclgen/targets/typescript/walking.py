"""Walks over the TypeScript tree: the direct parts of an expression or a statement, or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from msgspec import Struct

from pclgen.targets.typescript import tree as ts

Node: TypeAlias = "ts.TsExpr | ts.Statement"


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them; what holds others comes before these."""
    pending = [*nodes]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))


def children(node: Node) -> Iterable[Node]:
    """The expressions and statements directly inside `node`."""
    match node:
        case ts.Name() | ts.Global() | ts.Imported() | ts.Helper() | ts.Text() | ts.Number() | ts.Constant():
            return ()
        case ts.Template():
            return node.values if node.tag is None else (node.tag, *node.values)
        case ts.Spread() | ts.NonNull() | ts.As() | ts.Unary() | ts.Await():
            return (node.value,)
        case ts.Array():
            return node.elements
        case ts.Object():
            return _in_properties(node.properties)
        case ts.Call() | ts.New():
            return (node.callee, *node.args)
        case ts.Member():
            return (node.source,)
        case ts.Element():
            return (node.source, node.key)
        case ts.Binary():
            return (node.left, node.right)
        case ts.Conditional():
            return (node.condition, node.then, node.otherwise)
        case ts.Arrow():
            return node.body if isinstance(node.body, tuple) else (node.body,)
        case _:
            return _in_statement(node)


def _in_properties(properties: Iterable[ts.Property | ts.Spread]) -> Iterator[Node]:
    for one in properties:
        if isinstance(one, ts.Property) and not isinstance(one.key, str | ts.Variable):
            yield one.key
        yield one.value


def _in_statement(statement: ts.Statement) -> Iterable[Node]:
    match statement:
        case ts.Declare():
            return () if statement.value is None else (statement.value,)
        case ts.Export():
            return (ts.Name(statement.local),)
        case ts.Assign():
            return (statement.target, statement.value)
        case ts.Do() | ts.Return():
            return (statement.value,)
        case ts.If():
            return (statement.condition, *statement.body)
        case ts.Count():
            return (statement.limit, *statement.body)
        case ts.Each():
            return (statement.values, *statement.body)
        case ts.Try():
            return (*statement.body, *statement.handler)
        case ts.Comment():
            return ()
        case ts.Commented():
            return (statement.statement,)
        case _:
            assert_never(statement)


def declared(statement: ts.Statement) -> tuple[ts.Variable, ...]:
    """The variables that a statement declares for its block."""
    if isinstance(statement, ts.Commented):
        return declared(statement.statement)
    return statement.variables if isinstance(statement, ts.Declare) else ()


class Scope(Struct, frozen=True):
    """The variables of a function, a loop or a block, and where they may be read."""

    variables: tuple[ts.Variable, ...]
    inside: tuple[Node, ...]


def scopes(node: Node) -> tuple[Scope, ...]:
    """The scopes that `node` opens."""
    match node:
        case ts.Arrow():
            own = [variable for one in node.parameters for variable in one.variables]
            return (_scope(own, node.body if isinstance(node.body, tuple) else (node.body,)),)
        case ts.Count():
            return (_scope((node.variable,), (node.limit, *node.body)),)
        case ts.Each():
            return (_scope(node.variables, (node.values, *node.body)),)
        case ts.If():
            return (_scope((), node.body),)
        case ts.Try():
            return (_scope((), node.body), _scope((), node.handler))
        case _:
            return ()


def _scope(own: Iterable[ts.Variable | None], inside: tuple[Node, ...]) -> Scope:
    inner = [variable for one in inside if isinstance(one, ts.Statement) for variable in declared(one)]
    return Scope(tuple([variable for variable in (*own, *inner) if variable is not None]), inside)


def is_exported(statement: ts.Statement) -> bool:
    """Whether a statement declares a variable under a name that others see."""
    if isinstance(statement, ts.Commented):
        return is_exported(statement.statement)
    return isinstance(statement, ts.Declare) and statement.exported


def imports_of(nodes: Iterable[Node]) -> Iterator[ts.Imported]:
    """What each of `nodes` and the types written in it import, without what is inside of it."""
    for node in nodes:
        if isinstance(node, ts.Imported):
            yield node
        for one in _types_of(node):
            yield from imports_of_type(one)


def _types_of(node: Node) -> Iterable[ts.TsType]:
    match node:
        case ts.Call() | ts.New():
            return node.types
        case ts.As():
            return (node.type,)
        case ts.Arrow():
            return [one.type for one in node.parameters if one.type is not None]
        case ts.Declare():
            return () if node.type is None else (node.type,)
        case _:
            return ()


def imports_of_type(t: ts.TsType) -> Iterator[ts.Imported]:
    """What a type imports."""
    match t:
        case ts.TypeName():
            if t.origin is not None:
                yield t.origin
            inner: Iterable[ts.TsType] = t.args
        case ts.TypeVariable() | ts.TypeLiteral():
            inner = ()
        case ts.TypeIndex():
            yield t.object
            inner = ()
        case ts.TypeArray():
            inner = (t.element,)
        case ts.TypeTuple():
            inner = t.elements
        case ts.TypeUnion():
            inner = t.members
        case ts.TypeObject():
            inner = [member.type for member in t.members]
        case _:
            assert_never(t)
    for one in inner:
        yield from imports_of_type(one)
