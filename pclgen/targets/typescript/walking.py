"""Walks over the TypeScript tree: the direct parts of an expression or a statement, all of them, or its scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias, assert_never

from pclgen.targets import scopes
from pclgen.targets.scopes import Declaration, Problem, Scope
from pclgen.targets.typescript import tree as ts

Node: TypeAlias = "ts.TsExpr | ts.Statement"


def children(node: Node) -> Iterable[Node]:
    """The expressions and statements directly inside `node`."""
    return _PARTS[type(node)](node)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them, in preorder."""
    return scopes.walk(nodes, _PARTS)


def _no_parts(_: Node) -> tuple[Node, ...]:
    return ()


def _value(node: ts.Spread | ts.NonNull | ts.As | ts.Unary | ts.Await | ts.Declare | ts.Do | ts.Return) -> tuple[Node, ...]:
    return (node.value,)


def _in_object(node: ts.Object) -> Iterator[Node]:
    for member in node.properties:
        if isinstance(member, ts.Property) and not isinstance(member.key, str | ts.Variable):
            yield member.key
        yield member.value


_PARTS: Final[Mapping[type[Node], Callable[[Any], Iterable[Node]]]] = {
    **dict.fromkeys((ts.Name, ts.Global, ts.Imported, ts.Helper, ts.Text, ts.Number, ts.Constant, ts.Comment), _no_parts),
    **dict.fromkeys((ts.Spread, ts.NonNull, ts.As, ts.Unary, ts.Await, ts.Declare, ts.Do, ts.Return), _value),
    **dict.fromkeys((ts.Call, ts.New), lambda node: (node.callee, *node.args)),
    ts.Template: lambda node: node.values if node.tag is None else (node.tag, *node.values),
    ts.Array: attrgetter("elements"),
    ts.Object: _in_object,
    ts.Member: lambda node: (node.source,),
    ts.Element: attrgetter("source", "key"),
    ts.Binary: attrgetter("left", "right"),
    ts.Conditional: attrgetter("condition", "then", "otherwise"),
    ts.Arrow: lambda node: node.body if isinstance(node.body, tuple) else (node.body,),
    ts.Export: lambda node: (ts.Name(node.local),),
    ts.Assign: attrgetter("target", "value"),
    ts.Count: lambda node: (node.limit, *node.body),
    ts.Each: lambda node: (node.values, *node.body),
    ts.Try: lambda node: (*node.body, *node.handler),
    ts.Commented: lambda node: (node.statement,),
}
"""The readers of the children of each class, as in `core.walk`."""


def declared(statement: ts.Statement) -> tuple[ts.Variable, ...]:
    """The variables that a statement declares for its block."""
    if isinstance(statement, ts.Commented):
        return declared(statement.statement)
    return statement.variables if isinstance(statement, ts.Declare) else ()


def outline(statements: Iterable[ts.Statement], parameters: Iterable[ts.Variable] = ()) -> Scope:
    """The scopes of a file, or of a constructor with these parameters."""
    return scopes.outline(Scope([*statements], parameters=tuple(parameters)), _STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((ts.Global, ts.Imported, ts.Helper))


def _inner(*parts: object, own: Iterable[ts.Variable | None] = (), is_function: bool = False) -> Scope:
    parameters = tuple([variable for variable in own if variable is not None])
    return Scope([*parts], parameters=parameters, is_function=is_function, may_hide=True)


def _steps_of_arrow(node: ts.Arrow) -> tuple[object, ...]:
    own = [variable for parameter in node.parameters for variable in parameter.variables]
    return (_inner(*children(node), own=own, is_function=True),)


def _steps_of_object(node: ts.Object) -> tuple[object, ...]:
    keys = [p.key for p in node.properties if isinstance(p, ts.Property) and isinstance(p.key, str)]
    problems = (Problem(f"a property is given twice: {', '.join(keys)}"),) if len(keys) != len(set(keys)) else ()
    return (*_in_object(node), *problems)


_STEPS: Final[Mapping[type, Callable[[Any], Iterable[object]]]] = {
    **_PARTS,
    ts.Arrow: _steps_of_arrow,
    ts.Count: lambda node: (_inner(*children(node), own=(node.variable,)),),
    ts.Declare: lambda node: (*children(node), Declaration(node.variables)),
    ts.Each: lambda node: (_inner(*children(node), own=node.variables),),
    ts.Object: _steps_of_object,
    ts.Try: lambda node: (_inner(*node.body), _inner(*node.handler)),
}
"""The effect of each node class on scopes; by default only the effects of its children."""


def is_exported(statement: ts.Statement) -> bool:
    """Return whether a statement exports a variable."""
    if isinstance(statement, ts.Commented):
        return is_exported(statement.statement)
    return isinstance(statement, ts.Export) or (isinstance(statement, ts.Declare) and statement.exported)


def imports_of(nodes: Iterable[Node]) -> Iterator[ts.Imported]:
    """Yield the imports of each of `nodes` and of the types written in it, without the imports of its children."""
    for node in nodes:
        if type(node) is ts.Imported:
            yield node
        for written in _types_of(node):
            yield from imports_of_type(written)


def _types_of(node: Node) -> Iterable[ts.TsType]:
    match node:
        case ts.Call():
            return node.types
        case ts.As() | ts.Declare() if node.type is not None:
            return (node.type,)
        case _:
            return ()


def imports_of_type(t: ts.TsType) -> Iterator[ts.Imported]:
    """Yield the imports of a type."""
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
    for part in inner:
        yield from imports_of_type(part)
