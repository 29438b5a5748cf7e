"""Declarations that get the type required by all their uses.

The literal of a local gets the shape of a package's object, for targets that render such objects as separate classes:

    login = {user = "root"}                                  ->  login = Connection{user = "root"}
    resource … { connection = convert<Connection>(login) }   ->  resource … { connection = login }

A local with any other use stays unchanged, and so does a local with a member that needs a conversion. Configuration that
is only used as a whole number is read as a whole number:

    config nodes number                                      ->  config nodes int
    resource … { desiredCapacity = convert<int>(nodes) }     ->  resource … { desiredCapacity = nodes }

Inputs of components keep their types, which are visible to their users.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.program import ConfigVariable, Input, Local, Node, Resource
from pclgen.core.walk import expressions_of, parts_of, references, rewrite, with_expressions
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind

_CONVERSIONS: Final = frozenset({core.Convert})
_EXACT: Final = 2**53
"""Below this limit, each language can represent all whole numbers."""


def shape_locals(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Give literals whose only use is an object of a package the shape of that object."""
    shaped = _shaped(nodes)

    def changed_input(input_: Input) -> Input:
        value = input_.value
        if isinstance(value, core.Convert) and isinstance(value.value, core.Ref) and value.value.symbol in shaped:
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


def _shaped(nodes: Sequence[Node]) -> dict[core.Symbol, tuple[core.Symbol, core.Expr]]:
    """Return the new symbol and the new literal of each changed local."""
    literals = {
        node.symbol: node.value
        for node in nodes
        if isinstance(node, Local) and isinstance(node.value, core.ObjectExpr) and node.value.items
    }
    if not literals:
        return {}
    uses = Counter(symbol for node in nodes for expr in expressions_of(node) for symbol, _ in references(expr))
    expected: dict[core.Symbol, list[ty.Type]] = {}
    for node in nodes:
        for input_ in node.inputs if isinstance(node, Resource) and node.declaration is not None else ():
            value = input_.value
            if isinstance(value, core.Convert) and isinstance(value.value, core.Ref) and value.value.symbol in literals:
                expected.setdefault(value.value.symbol, []).append(value.type)
    shaped: dict[core.Symbol, tuple[core.Symbol, core.Expr]] = {}
    for symbol, types in expected.items():
        shape = _in_shape(literals[symbol], types[0])
        if shape is not None and len(types) == uses[symbol] and all(t is types[0] for t in types):
            shaped[symbol] = (replace(symbol, type=shape.type), shape)
    return shaped


def _in_shape(expr: core.Expr, expected: ty.Type) -> core.Expr | None:
    """Return a literal as a value of type `expected`; None if a part needs a conversion."""
    target = ty.without_none(ty.resolve(expected))
    match expr, target:
        case core.ObjectExpr(), ty.NominalType() if target.declaration.kind is DeclarationKind.OBJECT:
            return _as_declared(expr, target)
        case core.ObjectExpr(), ty.MapType():
            values = [_in_shape(item.value, target.element) for item in expr.items]
            items = [replace(item, value=value) for item, value in zip(expr.items, values, strict=True) if value is not None]
            return replace(expr, items=tuple(items), type=target) if len(items) == len(values) else None
        case core.ListExpr(), ty.ListType():
            elements = [_in_shape(element, target.element) for element in expr.elements]
            present = [element for element in elements if element is not None]
            return replace(expr, elements=tuple(present), type=target) if len(present) == len(elements) else None
        case _:
            return expr if _fits(expr, expected) else None


def _fits(expr: core.Expr, expected: ty.Type) -> bool:
    """Return whether a value has type `expected` without a conversion."""
    actual = ty.without_const(ty.resolve(expr.type))
    if is_eventual(expr.type) and not isinstance(expected, ty.InputType):
        return False
    if ty.is_optional(actual) and not ty.is_optional(ty.resolve(expected)):
        return False
    kinds = (ty.without_none(actual), ty.without_none(ty.resolve(expected)))
    return actual is ty.NONE or kinds[0] is kinds[1] or kinds == (ty.INT, ty.NUMBER)


def _as_declared(expr: core.ObjectExpr, target: ty.NominalType) -> core.ObjectExpr | None:
    fields = target.declaration.fields(target.shape)
    items: list[core.ObjectItem] = []
    for item in expr.items:
        field = fields.get(str(item.key.value)) if isinstance(item.key, core.Literal) else None
        value = None if field is None else _in_shape(item.value, field.type)
        if value is None:
            return None
        items.append(replace(item, value=value, field=field))
    names = {str(item.key.value) for item in items if isinstance(item.key, core.Literal)}
    if any(field.required and name not in names for name, field in fields.items()):
        return None
    return replace(expr, items=tuple(items), type=target)


def read_whole_numbers(nodes: Sequence[Node]) -> Sequence[Node]:
    """Return the nodes of a program with such configuration as whole numbers, and without the conversions of its uses."""
    numbers = _whole_numbers(nodes)
    if not numbers:
        return nodes

    def change(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Convert(value=core.Ref(symbol=symbol) as value) if symbol in numbers:
                return replace(value, symbol=numbers[symbol], type=numbers[symbol].type)
            case _:
                return expr

    def changed(node: Node) -> Node:
        if isinstance(node, ConfigVariable) and node.symbol in numbers:
            return replace(node, symbol=numbers[node.symbol], type=ty.INT, default=_as_int(node.default))
        return with_expressions(node, lambda expr: rewrite(expr, change, only=_CONVERSIONS))

    return [changed(node) for node in nodes]


def _whole_numbers(nodes: Sequence[Node]) -> dict[core.Symbol, core.Symbol]:
    """Return the symbols of numbers that are only used as whole numbers, with their new symbols."""
    numbers = [node for node in nodes if isinstance(node, ConfigVariable) and _can_be_whole(node)]
    uses, as_whole = Counter[core.Symbol](), Counter[core.Symbol]()
    for expr in parts_of(nodes) if numbers else ():
        match expr:
            case core.Call() if expr.function.name in ("try", "can"):  # they see a number that is not whole
                uses.update(symbol for symbol, _ in references(expr))
            case core.Ref():
                uses[expr.symbol] += 1
            case core.Convert(value=core.Ref(symbol=symbol)) if ty.without_none(ty.resolve(expr.type)) is ty.INT:
                as_whole[symbol] += 1
            case _:
                pass
    symbols = [node.symbol for node in numbers if 0 < uses[node.symbol] == as_whole[node.symbol]]
    return {symbol: replace(symbol, type=ty.output_of(ty.INT) if symbol.type.eventual else ty.INT) for symbol in symbols}


def _can_be_whole(node: ConfigVariable) -> bool:
    match node.default:
        case None:
            return node.type is ty.NUMBER
        case core.Literal(value=int() | float() as value):
            return node.type is ty.NUMBER and abs(value) < _EXACT and value == int(value)
        case _:
            return False


def _as_int(default: core.Expr | None) -> core.Expr | None:
    match default:
        case core.Literal(value=int() | float() as value):
            return replace(default, value=int(value), type=ty.INT)
        case _:
            return default
