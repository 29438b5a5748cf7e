"""Lists and objects, and what becomes of objects that the SDK has unwrapped (targets.md, Lists and objects).

Lists become list displays, objects become dicts or objects that a package declares. An object of a package is a dict with
the SDK's keys (its `TypedDict`) where type checkers infer its type. It is a class, `XArgs(…)`, elsewhere: in lambdas, in
unions of objects, and for SDKs without dict types. A value uses the same form throughout, as the SDKs do not mix them.

The SDK's classes for objects are dicts with attributes.  Functions that combine outputs (`Output.all`) or create an output
(`Output.from_input`, `Output.secret`) unwrap the value deeply and return plain dicts with the same keys:

    pool.nodes.apply(lambda nodes: nodes[0].droplet_id)
    pulumi.Output.all(nodes=pool.nodes, name=pool.name).apply(lambda args: args["nodes"][0]["droplet_id"])

Results of functions and resources are not dicts and stay unchanged. `is_unwrapped` decides whether the objects in the value
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
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.predicates import symbols_not_null
from pclgen.core.walk import walk
from pclgen.targets.origins import member_name, member_of
from pclgen.targets.python import conversions, enumtexts, modules, names, packages, tree, valuetypes
from pclgen.targets.python.context import Context
from pclgen.targets.python.valuetypes import is_untyped
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Field
from pclgen.types.traverse import holds_objects

# -- lists and objects ------------------------------------------------------------------------------------------------------

def lower_keyword(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """An input of a resource or an argument of an invoke.

    The SDKs declare all of them optional, so a value that may be None needs no cast.
    """
    if isinstance(value, core.Convert) and is_only_present(value):
        value = value.value
    return lower_input(cx, field, value)


def lower_property(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """An input of a resource."""
    if isinstance(value, core.Convert) and is_eventual(value.type) and not packages.takes_optional_outputs(cx.package):
        return _as_output_of_something(cx, value, lower_input(cx, field, value))
    return _as_output_of_something(cx, value, lower_keyword(cx, field, value))


def _as_output_of_something(cx: Context, value: core.Expr, node: tree.Expr) -> tree.Expr:
    """An output that may carry None, for an optional input of a resource; cast where the SDK's types refuse it."""
    if packages.takes_optional_outputs(cx.package) or not _may_carry_none(cx, value):
        return node
    present = ty.without_none(ty.resolve(value.type))
    return modules.cast(modules.output(conversions.cast_type(present, valuetypes.annotation(present))), node)


def _may_carry_none(cx: Context, value: core.Expr) -> bool:
    """Return whether a checker sees `value` as an output of an optional type."""
    match value:
        case core.Conditional():
            return _may_carry_none(cx, value.then) or _may_carry_none(cx, value.otherwise)
        case core.Convert():
            # It may have its cast already.
            if conversions.needs_cast(value.value.type, value.type) or conversions.conversion(value.value.type, value.type):
                return False
            return _may_carry_none(cx, value.value)
        case _:
            plain = ty.resolve(value.type)
            optional = is_eventual(value.type) and plain is not ty.DYNAMIC and ty.is_optional(plain)
            return optional and not is_untyped(cx, value)


def is_only_present(expr: core.Convert) -> bool:
    """Return whether a conversion changes only an optional type to a required type."""
    return expr.unset is None and ty.without_none(ty.resolve(expr.value.type)) is ty.without_none(ty.resolve(expr.type))


def lower_input(cx: Context, field: Field | None, value: core.Expr) -> tree.Expr:
    """The value of a member of a resource or function, with all objects in it written in the same form."""
    return (cx if cx.classes or _fits_dicts(cx, field, value) else cx.with_classes()).lower(value)


def _fits_dicts(cx: Context, field: Field | None, value: core.Expr) -> bool:
    if field is not None and _is_choice(field.type):
        return False
    for part in walk(value):
        if type(part) is core.Literal:
            continue
        match part:
            case core.ObjectExpr(type=ty.NominalType(declaration=declaration)):
                owner = declaration.package
                if owner is None or not packages.has_dict_types(owner, inside=cx.package):
                    return False
                if any(item.field is not None and _is_choice(item.field.type) for item in part.items):
                    return False
                if not packages.takes_optional_outputs(owner) and any(_may_be_none(cx, item.value) for item in part.items):
                    return False
            case core.Convert(type=t) if conversions.holds_nominal(t):
                return False
            case core.Apply() if part is not value and any(is_declared(inner) for inner in walk(part.body)):
                return False
            case _:
                pass
    return True


def _may_be_none(cx: Context, value: core.Expr) -> bool:
    """Return whether a checker sees `value` as a plain value or None, which members of older dict types refuse."""
    match value:
        case core.Conditional():
            return _may_be_none(cx, value.then) or _may_be_none(cx, value.otherwise)
        case core.Convert() if not conversions.conversion(value.value.type, value.type):
            return _may_be_none(cx, value.value)
        case _:
            plain = ty.resolve(value.type)
            optional = not is_eventual(value.type) and plain is not ty.DYNAMIC and ty.is_optional(plain)
            return optional and not is_untyped(cx, value)


def is_declared(expr: core.Expr) -> bool:
    """Return whether `expr` is a literal of an object that a package declares."""
    return isinstance(expr, core.ObjectExpr) and isinstance(ty.without_none(ty.resolve(expr.type)), ty.NominalType)


def _is_choice(t: ty.Type) -> bool:
    """Return whether the type is, or holds, a union of several object types."""
    plain = ty.without_none(ty.resolve(t))
    match plain:
        case ty.ListType() | ty.MapType():
            return _is_choice(plain.element)
        case ty.UnionType():
            return sum(conversions.holds_nominal(member) for member in plain.members) > 1
        case _:
            return False


def lower_list(cx: Context, expr: core.ListExpr) -> tree.Expr:
    """`[a, b]`."""
    comments = expr.comments or (core.NO_COMMENTS,) * len(expr.elements)
    items = tuple(
        tree.Item(value=cx.lower(element), comments=comment)
        for element, comment in zip(expr.elements, comments, strict=True)
    )
    return tree.ListDisplay(items=items, closing=expr.closing)


def lower_object(cx: Context, expr: core.ObjectExpr) -> tree.Expr:
    """`{k = v}`: a dict, or the arguments class of a package's object type."""
    plain = ty.without_none(ty.resolve(expr.type))
    if isinstance(plain, ty.NominalType) and plain.declaration.kind is DeclarationKind.OBJECT:
        return _declared(cx, expr, plain)
    entries = tuple(_entry(cx, item) for item in expr.items)
    return tree.DictDisplay(entries=entries, closing=expr.closing)


def _entry(cx: Context, item: core.ObjectItem) -> tree.Entry:
    """An entry; a conditional entry is unpacked: `**({} if anonymous else {"Owner": owner})`."""
    key = enumtexts.exact(cx, item.key)
    condition = item.when
    if condition is None:
        return tree.Entry(key=key, value=cx.lower(item.value), comments=item.comments, origin=member_of(item))
    inner = cx.with_narrowed(symbols_not_null(condition, holds=True))
    value = inner.present(item.value) if _is_checked_member(inner, item.value) else inner.lower(item.value)
    entry = tree.Entry(key=key, value=value, origin=member_of(item))
    there, missing = tree.DictDisplay(entries=(entry,)), tree.DictDisplay(entries=())
    if isinstance(condition, core.Unary) and condition.operator == "!":
        condition, there, missing = condition.operand, missing, there
    chosen = tree.IfElse(condition=modules.as_condition(cx.lower(condition)), then=there, otherwise=missing)
    return tree.Entry(key=None, value=chosen, comments=item.comments)


def _is_checked_member(cx: Context, value: core.Expr) -> bool:
    """Return whether `value` is a member of an untyped dict that a condition has shown to be present."""
    is_member = isinstance(value, core.Convert) and value.narrowed and isinstance(value.value, core.Attr)
    return is_member and isinstance(value, core.Convert) and is_only_present(value) and is_untyped(cx, value.value)


def _declared(cx: Context, expr: core.ObjectExpr, t: ty.NominalType) -> tree.Expr:
    args = tuple(_argument(item, _as_output_of_something(cx, item.value, cx.lower(item.value))) for item in expr.items)
    if cx.classes:
        return tree.Call(function=packages.arguments_class(t.declaration), args=args, closing=expr.closing)
    entries = tuple(tree.Entry(key=tree.text(a.name), value=a.value, comments=a.comments, origin=a.origin) for a in args)
    return tree.DictDisplay(entries=entries, closing=expr.closing)


def _argument(item: core.ObjectItem, value: tree.Expr) -> tree.Argument:
    name = names.attribute(member_name(item))
    return tree.Argument(name=name, value=value, comments=item.comments, origin=member_of(item))


def keyword_arguments(cx: Context, expr: core.Expr | None, *, optional: bool = True) -> list[tree.Argument]:
    """The members of an arguments object as keyword arguments of a function; `optional`: all of them may be None."""
    if expr is None:
        return []
    if not isinstance(expr, core.ObjectExpr) or not all(isinstance(item.key, core.Literal) for item in expr.items):
        return [tree.Argument(name="**", value=cx.lower(expr))]
    lower = lower_keyword if optional else lower_input
    return [_argument(item, lower(cx, item.field, item.value)) for item in expr.items]


# -- unwrapped objects ------------------------------------------------------------------------------------------------------

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
