"""Types by use: values and declarations get the type that their places require.

The literal of a local gets the shape of a package's object, for targets that render such objects as separate classes:

    login = {user = "root"}                                  ->  login = Connection{user = "root"}
    resource … { connection = convert<Connection>(login) }   ->  resource … { connection = login }

A local with any other use stays unchanged, and so does a local with a member that needs a conversion. Configuration that
is only used as a whole number is read as a whole number:

    config nodes number                                      ->  config nodes int
    resource … { desiredCapacity = convert<int>(nodes) }     ->  resource … { desiredCapacity = nodes }

Inputs of components keep their types, which are visible to their users.

Outputs of other stacks have no type, and count as texts where a text is expected. Conversions of such outputs to text are
removed:

    vpcId = getOutput(network, "vpcId")      resource … { vpcId = convert<string>(vpcId) }  ->  { vpcId = vpcId }

Outputs that a program steps into, and other values of unknown type (configuration, results of functions), are converted.
If the SDK reads an output of another stack as a text (Go), a local that is only used as a text is read as a text:

    vpcId = getOutput(network, "vpcId")      ->  vpcId = convert<string>(getOutput(network, "vpcId"))

Some places require no type: JSON, properties of any type. For a target whose SDK renames the members of objects
(`node_count`), a conversion to `any` wraps each object of a package there. So it has the names of the schema (`nodeCount`),
as in the engine and in the other languages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.eventuals import is_eventual
from pclgen.core.jsontext import is_json
from pclgen.core.walk import expressions_of, parts_of, references, rewrite, unless_same, updated, walk, with_expressions
from pclgen.lower.retype import with_items, with_type
from pclgen.types import model as ty
from pclgen.types.convert import unify, unify_elements
from pclgen.types.declarations import DeclarationKind
from pclgen.types.traverse import holds_objects

# -- locals and configuration -----------------------------------------------------------------------------------------------

_CONVERSIONS: Final = frozenset({core.Convert})
_EXACT: Final = 2**53
"""Below this limit, each language can represent all whole numbers."""


def shape_locals(nodes: Sequence[prog.Node]) -> tuple[prog.Node, ...]:
    """Give literals whose only use is an object of a package the shape of that object."""
    shaped = _shaped(nodes)

    def changed_input(input_: prog.Input) -> prog.Input:
        value = input_.value
        if isinstance(value, core.Convert) and isinstance(value.value, core.Ref) and value.value.symbol in shaped:
            symbol, _ = shaped[value.value.symbol]
            return replace(input_, value=replace(value.value, symbol=symbol, type=symbol.type))
        return input_

    def changed(node: prog.Node) -> prog.Node:
        if isinstance(node, prog.Local) and node.symbol in shaped:
            symbol, value = shaped[node.symbol]
            return replace(node, symbol=symbol, value=value)
        if isinstance(node, prog.Resource):
            return replace(node, inputs=tuple([changed_input(input_) for input_ in node.inputs]))
        return node

    return tuple([changed(node) for node in nodes]) if shaped else tuple(nodes)


def _shaped(nodes: Sequence[prog.Node]) -> dict[core.Symbol, tuple[core.Symbol, core.Expr]]:
    """Return the new symbol and the new literal of each changed local."""
    literals = {
        node.symbol: node.value
        for node in nodes
        if isinstance(node, prog.Local) and isinstance(node.value, core.ObjectExpr) and node.value.items
    }
    if not literals:
        return {}
    uses = Counter(symbol for node in nodes for expr in expressions_of(node) for symbol, _ in references(expr))
    expected: dict[core.Symbol, list[ty.Type]] = {}
    for node in nodes:
        for input_ in node.inputs if isinstance(node, prog.Resource) and node.declaration is not None else ():
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


def read_whole_numbers(nodes: Sequence[prog.Node]) -> Sequence[prog.Node]:
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

    def changed(node: prog.Node) -> prog.Node:
        if isinstance(node, prog.ConfigVariable) and node.symbol in numbers:
            return replace(node, symbol=numbers[node.symbol], type=ty.INT, default=_as_int(node.default))
        return with_expressions(node, lambda expr: rewrite(expr, change, only=_CONVERSIONS))

    return [changed(node) for node in nodes]


def _whole_numbers(nodes: Sequence[prog.Node]) -> dict[core.Symbol, core.Symbol]:
    """Return the symbols of numbers that are only used as whole numbers, with their new symbols."""
    numbers = [node for node in nodes if isinstance(node, prog.ConfigVariable) and _can_be_whole(node)]
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


def _can_be_whole(node: prog.ConfigVariable) -> bool:
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


# -- outputs of other stacks ------------------------------------------------------------------------------------------------

def trust_stacks(nodes: Sequence[prog.Node]) -> tuple[prog.Node, ...]:
    """Return `nodes` without conversions of outputs of other stacks to text."""
    stack_outputs: set[core.Symbol] = set()

    def comes_from_a_stack(expr: core.Expr) -> bool:
        return expr.symbol in stack_outputs if isinstance(expr, core.Ref) else _is_stack_output(expr)

    def change(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Convert() if comes_from_a_stack(expr.value) and ty.resolve(expr.value.type) is ty.DYNAMIC:
                return expr.value if _is_text(expr) else expr
            case _:
                return expr

    trusted: list[prog.Node] = []
    for node in nodes:
        if isinstance(node, prog.Local) and comes_from_a_stack(node.value):
            stack_outputs.add(node.symbol)
        trusted.append(with_expressions(node, lambda expr: rewrite(expr, change, only=_CONVERSIONS)))
    return tuple(trusted)


def read_stacks_as_texts(nodes: Sequence[prog.Node]) -> tuple[prog.Node, ...]:
    """Return `nodes` with locals as texts that hold an output of another stack and are only used as texts."""
    texts = {symbol: replace(symbol, type=ty.output_of(ty.STRING)) for symbol in _texts_of_stacks(nodes)}
    read = frozenset(texts.values())

    def change(expr: core.Expr) -> core.Expr:
        match expr:
            case core.Ref() if expr.symbol in texts:
                return replace(expr, symbol=texts[expr.symbol], type=ty.output_of(ty.STRING))
            case core.Convert(value=core.Ref() as value) if value.symbol in read and _is_text(expr):
                return value if ty.without_none(ty.resolve(expr.type)) is ty.STRING else expr
            case _:
                return expr

    def changed(node: prog.Node) -> prog.Node:
        if isinstance(node, prog.Local) and node.symbol in texts:
            symbol, value = texts[node.symbol], rewrite(node.value, change)
            return replace(node, symbol=symbol, value=core.Convert(value=value, type=symbol.type, span=value.span))
        return with_expressions(node, lambda expr: rewrite(expr, change))

    return tuple([changed(node) for node in nodes]) if texts else tuple(nodes)


def _texts_of_stacks(nodes: Sequence[prog.Node]) -> list[core.Symbol]:
    held = [node.symbol for node in nodes if isinstance(node, prog.Local) and _is_stack_output(node.value)]
    uses, as_text = Counter[core.Symbol](), Counter[core.Symbol]()
    for expr in parts_of(nodes) if held else ():
        uses.update([expr.symbol] if isinstance(expr, core.Ref) else [])
        as_text.update(part.symbol for part in _wanted_as_texts(expr) if isinstance(part, core.Ref))
    return [symbol for symbol in held if 0 < uses[symbol] == as_text[symbol]]


def _wanted_as_texts(expr: core.Expr) -> Iterator[core.Expr]:
    match expr:
        case core.Convert() if _is_text(expr):
            yield expr.value
        case core.Template():
            yield from expr.parts
        case core.Binary() if expr.operator in ("==", "!=") and any(_is_text(side) for side in (expr.left, expr.right)):
            yield from (expr.left, expr.right)
        case _:
            pass


def _is_stack_output(expr: core.Expr) -> bool:
    return isinstance(expr, core.Call) and expr.function.name == "getOutput"


def _is_text(expr: core.Expr) -> bool:
    return ty.bare(expr.type) in (ty.STRING, ty.ID)


# -- places without a type --------------------------------------------------------------------------------------------------

P = TypeVar("P", prog.Input, core.ObjectItem)


def with_wire_names(node: prog.Node) -> prog.Node:
    """Return `node` with conversions of objects in places of unknown type."""
    changed = with_expressions(node, lambda expr: rewrite(expr, _inside) if any(map(_has_place, walk(expr))) else expr)
    if isinstance(changed, prog.Resource | prog.ComponentUse):
        return updated(changed, inputs=unless_same(changed.inputs, [_placed(item) for item in changed.inputs]))
    return changed


def _placed(part: P) -> P:
    """Return an input, or a member of an object, with its value converted to its type."""
    is_open = part.field is not None and _is_open(part.field.type)
    return updated(part, value=_untyped(part.value)) if is_open else part


def _has_place(expr: core.Expr) -> bool:
    """Return whether a part of `expr` stands in a place of unknown type."""
    if type(expr) is core.ObjectExpr:
        return any(item.field is not None and _is_open(item.field.type) for item in expr.items)
    return is_json(expr)


def _inside(expr: core.Expr) -> core.Expr:
    """Convert the members of an expression whose parts are converted."""
    match expr:
        case core.Call() if is_json(expr):
            return updated(expr, args=unless_same(expr.args, [_untyped(expr.args[0])]))
        case core.ObjectExpr() if any(item.field is not None for item in expr.items):
            return updated(expr, items=unless_same(expr.items, [_placed(item) for item in expr.items]))
        case _:
            return expr


def _is_open(t: ty.Type) -> bool:
    """Return whether a place of type `t` takes any value, or a collection of any values."""
    plain = ty.without_none(ty.resolve(t))
    while isinstance(plain, ty.ListType | ty.MapType):
        plain = ty.without_none(ty.resolve(plain.element))
    return plain is ty.DYNAMIC


def _untyped(expr: core.Expr) -> core.Expr:
    """Return `expr` with all objects of packages converted; literals stay literals."""
    match expr:
        case core.ListExpr():
            elements = unless_same(expr.elements, [_untyped(element) for element in expr.elements])
            if elements is expr.elements:
                return expr
            types = [element.type for element in elements]
            kind = ty.tuple_of(types) if isinstance(expr.type, ty.TupleType) else ty.list_of(unify(types))
            return replace(expr, elements=elements, type=kind)
        case core.ObjectExpr() if not isinstance(expr.type, ty.NominalType):
            return _untyped_object(expr)
        case core.Conditional():
            then, otherwise = _untyped(expr.then), _untyped(expr.otherwise)
            if then is expr.then and otherwise is expr.otherwise:
                return expr
            return with_type(replace(expr, then=then, otherwise=otherwise), unify((then.type, otherwise.type)))
        case _ if not holds_objects(expr.type):
            return expr
        case _:
            return core.Convert(
                value=expr, type=ty.output_of(ty.DYNAMIC) if expr.type.eventual else ty.DYNAMIC, span=expr.span
            )


def _untyped_object(expr: core.ObjectExpr) -> core.Expr:
    items = unless_same(expr.items, [updated(item, value=_untyped(item.value)) for item in expr.items])
    if items is expr.items:
        return expr
    if not isinstance(expr.type, ty.ObjectType):
        return replace(expr, items=items, type=ty.map_of(unify_elements([item.value.type for item in items])))
    return replace(expr, items=items, type=with_items(expr.type, items))
