"""Locals created in the shape of their use, for targets that render objects of packages as other classes.

The literal of a local gets the shape of a package's object if that is its only use:

    login = {user = "root"}                                  ->  login = Connection{user = "root"}
    resource … { connection = convert<Connection>(login) }   ->  resource … { connection = login }

A local with any other use stays as it is, and so does a local with a member that needs a conversion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Convert, Expr, ListExpr, Literal, ObjectExpr, ObjectItem, Ref, Symbol
from pclgen.core.program import Input, Local, Node, Resource
from pclgen.core.walk import expressions_of, references
from pclgen.types.declarations import DeclarationKind
from pclgen.types.model import (
    INT,
    NONE,
    NUMBER,
    InputType,
    ListType,
    MapType,
    NominalType,
    Type,
    is_optional,
    resolve,
    without_const,
    without_none,
)


def shape_locals(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Give literals whose only use is an object of a package the shape of that object."""
    shaped = _shaped(nodes)

    def changed_input(input_: Input) -> Input:
        value = input_.value
        if isinstance(value, Convert) and isinstance(value.value, Ref) and value.value.symbol in shaped:
            symbol, _ = shaped[value.value.symbol]
            return replace(input_, value=replace(value.value, symbol=symbol, type=symbol.type))
        return input_

    def changed(node: Node) -> Node:
        if isinstance(node, Local) and node.symbol in shaped:
            symbol, value = shaped[node.symbol]
            return replace(node, symbol=symbol, value=value)
        if isinstance(node, Resource):
            return replace(node, inputs=tuple([changed_input(input_) for input_ in node.inputs]))
        return node

    return tuple([changed(node) for node in nodes]) if shaped else tuple(nodes)


def _shaped(nodes: Sequence[Node]) -> dict[Symbol, tuple[Symbol, Expr]]:
    """Return the new symbol and the new literal of each changed local."""
    literals = {
        node.symbol: node.value
        for node in nodes
        if isinstance(node, Local) and isinstance(node.value, ObjectExpr) and node.value.items
    }
    if not literals:
        return {}
    uses = Counter(symbol for node in nodes for expr in expressions_of(node) for symbol, _ in references(expr))
    expected: dict[Symbol, list[Type]] = {}
    for node in nodes:
        for input_ in node.inputs if isinstance(node, Resource) and node.declaration is not None else ():
            value = input_.value
            if isinstance(value, Convert) and isinstance(value.value, Ref) and value.value.symbol in literals:
                expected.setdefault(value.value.symbol, []).append(value.type)
    shaped: dict[Symbol, tuple[Symbol, Expr]] = {}
    for symbol, types in expected.items():
        shape = _in_shape(literals[symbol], types[0])
        if shape is not None and len(types) == uses[symbol] and all(t is types[0] for t in types):
            shaped[symbol] = (replace(symbol, type=shape.type), shape)
    return shaped


def _in_shape(expr: Expr, expected: Type) -> Expr | None:
    """Return a literal as a value of type `expected`; None if a part needs a conversion."""
    target = without_none(resolve(expected))
    match expr, target:
        case ObjectExpr(), NominalType() if target.declaration.kind is DeclarationKind.OBJECT:
            return _as_declared(expr, target)
        case ObjectExpr(), MapType():
            values = [_in_shape(item.value, target.element) for item in expr.items]
            items = [replace(item, value=value) for item, value in zip(expr.items, values, strict=True) if value is not None]
            return replace(expr, items=tuple(items), type=target) if len(items) == len(values) else None
        case ListExpr(), ListType():
            elements = [_in_shape(element, target.element) for element in expr.elements]
            present = [element for element in elements if element is not None]
            return replace(expr, elements=tuple(present), type=target) if len(present) == len(elements) else None
        case _:
            return expr if _fits(expr, expected) else None


def _fits(expr: Expr, expected: Type) -> bool:
    """Whether a value has type `expected` without a conversion."""
    actual = without_const(resolve(expr.type))
    if is_eventual(expr.type) and not isinstance(expected, InputType):
        return False
    if is_optional(actual) and not is_optional(resolve(expected)):
        return False
    kinds = (without_none(actual), without_none(resolve(expected)))
    return actual is NONE or kinds[0] is kinds[1] or kinds == (INT, NUMBER)


def _as_declared(expr: ObjectExpr, target: NominalType) -> ObjectExpr | None:
    fields = target.declaration.fields(target.shape)
    items: list[ObjectItem] = []
    for item in expr.items:
        field = fields.get(str(item.key.value)) if isinstance(item.key, Literal) else None
        value = None if field is None else _in_shape(item.value, field.type)
        if value is None:
            return None
        items.append(replace(item, value=value, field=field))
    names = {str(item.key.value) for item in items if isinstance(item.key, Literal)}
    if any(field.required and name not in names for name, field in fields.items()):
        return None
    return replace(expr, items=tuple(items), type=target)
