"""Locals that are made as the object they are used for, for targets whose objects of packages are of other classes.

The literal of a local gets the shape of a package's object if that is its only use:

    login = {user = "root"}                                  ->  login = Connection{user = "root"}
    resource … { connection = convert<Connection>(login) }   ->  resource … { connection = login }

A local with any other use stays as it is, and so does one of which a member needs a conversion.
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


def make_whole(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """`nodes` with literals that are used as one object of a package made as that."""
    shaped = _shaped(nodes)

    def given(one: Input) -> Input:
        value = one.value
        if isinstance(value, Convert) and isinstance(value.value, Ref) and value.value.symbol in shaped:
            symbol, _ = shaped[value.value.symbol]
            return replace(one, value=replace(value.value, symbol=symbol, type=symbol.type))
        return one

    def changed(node: Node) -> Node:
        if isinstance(node, Local) and node.symbol in shaped:
            symbol, value = shaped[node.symbol]
            return replace(node, symbol=symbol, value=value)
        if isinstance(node, Resource):
            return replace(node, inputs=tuple([given(one) for one in node.inputs]))
        return node

    return tuple([changed(node) for node in nodes]) if shaped else tuple(nodes)


def _shaped(nodes: Sequence[Node]) -> dict[Symbol, tuple[Symbol, Expr]]:
    """The locals that change: what takes the place of the symbol, and of the literal."""
    literals = {
        node.symbol: node.value
        for node in nodes
        if isinstance(node, Local) and isinstance(node.value, ObjectExpr) and node.value.items
    }
    if not literals:
        return {}
    uses = Counter(symbol for node in nodes for expr in expressions_of(node) for symbol, _ in references(expr))
    wanted: dict[Symbol, list[Type]] = {}
    for node in nodes:
        for one in node.inputs if isinstance(node, Resource) and node.declaration is not None else ():
            value = one.value
            if isinstance(value, Convert) and isinstance(value.value, Ref) and value.value.symbol in literals:
                wanted.setdefault(value.value.symbol, []).append(value.type)
    made: dict[Symbol, tuple[Symbol, Expr]] = {}
    for symbol, types in wanted.items():
        shape = _in_shape(literals[symbol], types[0])
        if shape is not None and len(types) == uses[symbol] and all(t is types[0] for t in types):
            made[symbol] = (replace(symbol, type=shape.type), shape)
    return made


def _in_shape(expr: Expr, wanted: Type) -> Expr | None:
    """A literal as a value of type `wanted`; None where a part of it would have to be converted."""
    target = without_none(resolve(wanted))
    match expr, target:
        case ObjectExpr(), NominalType() if target.declaration.kind is DeclarationKind.OBJECT:
            return _as_declared(expr, target)
        case ObjectExpr(), MapType():
            values = [_in_shape(item.value, target.element) for item in expr.items]
            items = [replace(item, value=value) for item, value in zip(expr.items, values, strict=True) if value is not None]
            return replace(expr, items=tuple(items), type=target) if len(items) == len(values) else None
        case ListExpr(), ListType():
            elements = [_in_shape(element, target.element) for element in expr.elements]
            there = [element for element in elements if element is not None]
            return replace(expr, elements=tuple(there), type=target) if len(there) == len(elements) else None
        case _:
            return expr if _fits(expr, wanted) else None


def _fits(expr: Expr, wanted: Type) -> bool:
    """Whether a value is a `wanted` as it is."""
    have = without_const(resolve(expr.type))
    if is_eventual(expr.type) and not isinstance(wanted, InputType):
        return False
    if is_optional(have) and not is_optional(resolve(wanted)):
        return False
    kinds = (without_none(have), without_none(resolve(wanted)))
    return have is NONE or kinds[0] is kinds[1] or kinds == (INT, NUMBER)


def _as_declared(expr: ObjectExpr, target: NominalType) -> ObjectExpr | None:
    fields = target.declaration.fields(target.shape)
    items: list[ObjectItem] = []
    for item in expr.items:
        field = fields.get(str(item.key.value)) if isinstance(item.key, Literal) else None
        value = None if field is None else _in_shape(item.value, field.type)
        if value is None:
            return None
        items.append(replace(item, value=value, field=field))
    there = {str(item.key.value) for item in items if isinstance(item.key, Literal)}
    if any(field.required and name not in there for name, field in fields.items()):
        return None
    return replace(expr, items=tuple(items), type=target)
