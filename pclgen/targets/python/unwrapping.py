"""Objects that Pulumi's Python SDK has unwrapped, and the schema names of their members.

The SDK's classes for objects are dicts with attributes.  Functions that combine outputs (`Output.all`) or create an output
(`Output.from_input`, `Output.secret`) unwrap the value deeply and return plain dicts with the same keys:

    pool.nodes.apply(lambda nodes: nodes[0].droplet_id)
    pulumi.Output.all(nodes=pool.nodes, name=pool.name).apply(lambda args: args["nodes"][0]["droplet_id"])

Results of functions and resources are not dicts and stay unchanged. This module decides whether the objects in the values
of an expression may be plain dicts; keys work for objects that are not, too.

A shape maps the SDK's member names to the schema's: `{"node_count": ("nodeCount", None)}` has the schema name and the shape
of a member; `{"*": shape}` is the shape of all members of a map with the program's keys; a text refers to the table of
declared types, and of the program's object types that occur more than once.  None is the shape of values without renamed
members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import count

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual
from pclgen.targets.python import conversions, names, tree
from pclgen.targets.python.context import Context
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Field
from pclgen.types.objects import holds_objects


def mark(cx: Context, symbol: core.Symbol, value: core.Expr) -> None:
    """Record `symbol`, bound to `value` or to its elements, if the objects in it may have become plain dicts."""
    if is_unwrapped(cx, value):
        cx.unwrapped.add(symbol)


def mark_parameters(cx: Context, apply: core.Apply) -> None:
    """Record the parameters of `apply` whose values were unwrapped."""
    if len(apply.args) > 1 or holds_eventual(apply.args[0].type) or is_unwrapped(cx, apply.args[0]):
        cx.unwrapped.update(apply.parameters)


def is_unwrapped(cx: Context, expr: core.Expr) -> bool:
    """Return whether the objects in the value of `expr` may have become plain dicts.

    This also records the variables of loops and applies in `expr`.
    """
    match expr:
        case core.Ref():
            return expr.symbol in cx.unwrapped
        case core.All():
            return True
        case core.Attr():
            kind = _kind(expr.source.type)
            # Generated components create their outputs with `from_input`.
            return kind is DeclarationKind.COMPONENT or (kind in _DICTS and is_unwrapped(cx, expr.source))
        case core.Index():
            return is_unwrapped(cx, expr.source)
        case core.Convert():
            return is_unwrapped(cx, expr.value)
        case core.Apply():
            mark_parameters(cx, expr)
            return is_unwrapped(cx, expr.body)
        case core.Conditional():
            return is_unwrapped(cx, expr.then) or is_unwrapped(cx, expr.otherwise)
        case core.ListExpr():
            return any(is_unwrapped(cx, element) for element in expr.elements)
        case core.ObjectExpr():
            return any(is_unwrapped(cx, item.value) for item in expr.items)
        case core.For():
            mark(cx, expr.value, expr.collection)
            return is_unwrapped(cx, expr.result)
        case core.Call():
            return expr.function.name == "secret" or any(is_unwrapped(cx, arg) for arg in expr.args)
        case _:
            return False


_DICTS = (None, DeclarationKind.OBJECT)


def _kind(t: ty.Type) -> DeclarationKind | None:
    plain = ty.without_none(ty.resolve(t))
    return plain.declaration.kind if isinstance(plain, ty.NominalType) else None


def is_plain_dict(cx: Context, source: core.Expr) -> bool:
    """Return whether the object that is the value of `source` may be a plain dict although it has a class in the SDK."""
    return _kind(source.type) is DeclarationKind.OBJECT and is_unwrapped(cx, source)


def to_wire(cx: Context, source: core.Expr) -> Callable[[tree.Expr], tree.Expr]:
    """The conversion of objects to dicts with the names of the schema; a plain dict needs its shape as an argument."""
    args = shape_arguments(source.type) if is_unwrapped(cx, source) else ()
    return lambda value: tree.call(conversions.WIRE_VALUE, value, *args)


def for_the_engine(cx: Context, expr: core.Expr) -> core.Expr:
    """`expr` for the engine, with plain dicts converted to the schema's names; the SDK converts its own objects."""
    match expr:
        case core.ListExpr():
            return replace(expr, elements=tuple(for_the_engine(cx, element) for element in expr.elements))
        case core.ObjectExpr() if not isinstance(expr.type, ty.NominalType):
            return replace(expr, items=tuple(replace(i, value=for_the_engine(cx, i.value)) for i in expr.items))
        case _ if holds_objects(expr.type) and is_unwrapped(cx, expr):
            return core.Convert(
                value=expr, type=ty.output_of(ty.DYNAMIC) if expr.type.eventual else ty.DYNAMIC, span=expr.span
            )
        case _:
            return expr


def shape_arguments(t: ty.Type) -> tuple[tree.Expr, ...]:
    """The shape of values of type `t` and the table that it refers to; empty when no name differs."""
    table = _Table()
    table.count(t)
    shape = table.shape(t)
    if shape is None:
        return ()
    return (shape, _dict({table.keys[declared]: _dict(members) for declared, members in table.entries.items() if members}))


class _Table:
    """The shared shapes of the types seen so far, and their keys.

    A shape is None while its members are visited. A key is the last word of the token where that is unique.
    """

    def __init__(self) -> None:
        self.entries: dict[Declaration | ty.ObjectType, Mapping[str, tree.Expr] | None] = {}
        self.keys: dict[Declaration | ty.ObjectType, str] = {}
        self._shapes: dict[ty.Type, tree.Expr | None] = {}
        self._uses: Counter[ty.Type] = Counter()

    def count(self, t: ty.Type) -> None:
        """Count the uses of each type in `t`.

        Types are shared: written out in full, nested types that each use the next type twice grow exponentially.
        """
        plain = ty.resolve(t)
        self._uses[plain] += 1
        if self._uses[plain] == 1:
            # Lists and unions have one shape for all their elements.
            parts = _parts(plain) if isinstance(plain, ty.ObjectType) else dict.fromkeys(map(ty.resolve, _parts(plain)))
            for part in parts:
                self.count(part)

    def shape(self, t: ty.Type) -> tree.Expr | None:
        """The shape of values of type `t`; `count` must have counted its parts."""
        plain = ty.resolve(t)
        if isinstance(plain, ty.NominalType):
            return self._declared(plain)
        if plain not in self._shapes:
            self._shapes[plain] = self._compute(plain)
        return self._shapes[plain]

    def _declared(self, t: ty.NominalType) -> tree.Expr | None:
        declared = t.declaration
        if declared not in self.entries:
            self.entries[declared] = None
            short = declared.token.rpartition(":")[2]
            self.keys[declared] = declared.token if short in self.keys.values() else short
            self.entries[declared] = self._members(declared.fields(t.shape))
        return None if self.entries[declared] == {} else tree.text(self.keys[declared])

    def _compute(self, t: ty.Type) -> tree.Expr | None:
        match t:
            case ty.ListType():
                return self.shape(t.element)
            case ty.MapType():
                inner = self.shape(t.element)
                return None if inner is None else _dict({"*": inner})
            case ty.ObjectType():
                shapes = ((name, self.shape(member)) for name, member in t.members.items())
                entries = {name: _pair(name, inner) for name, inner in shapes if inner is not None}
                return self._object(t, entries) if entries else None
            case ty.TupleType() | ty.UnionType():
                return self._first(_parts(t))
            case _:
                return None

    def _object(self, t: ty.ObjectType, entries: Mapping[str, tree.Expr]) -> tree.Expr:
        if self._uses[t] == 1:
            return _dict(entries)
        self.entries[t] = entries
        self.keys[t] = next(key for key in map("object{}".format, count(1)) if key not in self.keys.values())
        return tree.text(self.keys[t])

    def _first(self, types: Iterable[ty.Type]) -> tree.Expr | None:
        """The first shape of `types`: objects in one collection have one type, or share the names of their members."""
        return next((shape for shape in map(self.shape, types) if shape is not None), None)

    def _members(self, fields: Mapping[str, Field]) -> Mapping[str, tree.Expr]:
        shapes = ((names.attribute(name), name, self.shape(member.type)) for name, member in fields.items())
        return {own: _pair(name, inner) for own, name, inner in shapes if own != name or inner is not None}


def _parts(t: ty.Type) -> Iterable[ty.Type]:
    if isinstance(t, ty.NominalType):
        return [field.type for field in t.declaration.fields(t.shape).values()]
    return ty.parts(t)


def _pair(name: str, inner: tree.Expr | None) -> tree.Pair:
    return tree.Pair(first=tree.text(name), second=tree.NONE if inner is None else inner)


def _dict(members: Mapping[str, tree.Expr]) -> tree.DictDisplay:
    return tree.DictDisplay(entries=tuple(tree.Entry(key=tree.text(key), value=value) for key, value in members.items()))
