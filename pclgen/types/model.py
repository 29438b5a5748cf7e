"""The types of PCL: a closed union of immutable, interned values (language.md, Kinds of types).

Only the functions of this module (`list_of`, `union_of`, …) make types: equal structure is the same object, so equality
is identity, and every property of a type is memoized on the type itself.  The intern table holds types weakly.  Nominal
types (schema objects) are identified by their declaration, which makes recursive schemas harmless: this module does not
inspect a declaration's members.

Each type knows at construction whether it holds an eventual (`eventual`), and a `digest` that orders union members the
same way in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from hashlib import blake2b
from types import MappingProxyType
from typing import TypeAlias, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct, field

from pclgen.types.declarations import Declaration, EnumDecl, ResourceDecl, Shape

ConstValue: TypeAlias = bool | int | Decimal | str


class Primitive(StrEnum):
    """The types without parts.  ERROR is the type of an expression with a reported error: it agrees with everything."""

    BOOL = "bool"
    INT = "int"
    NUMBER = "number"
    STRING = "string"
    ID = "id"
    NONE = "none"
    DYNAMIC = "any"
    ASSET = "Asset"
    ARCHIVE = "Archive"
    PROPERTY = "property path"
    HOOK = "hook"
    ERROR_HOOK = "error hook"
    ERROR = "error"


class _Memo(Struct, frozen=True, eq=False, kw_only=True, weakref=True):
    """Memoized results of functions of a type."""

    memo: dict[Hashable, object] = field(default_factory=dict)


class _Node(_Memo, frozen=True, eq=False):
    """The base of all types: a stable digest, the eventual flag and the memo table."""

    digest: bytes
    eventual: bool

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.digest.hex()[:8]}>"


class PrimitiveType(_Node, frozen=True, eq=False):
    """bool, int, number, string, …"""

    kind: Primitive


class ConstType(_Node, frozen=True, eq=False):
    """A single value: schema constants, and literals while they are checked."""

    base: Type
    value: ConstValue


class EnumType(_Node, frozen=True, eq=False):
    """An enum of a package."""

    declaration: EnumDecl
    base: Type


class ListType(_Node, frozen=True, eq=False):
    """`list(T)`."""

    element: Type


class MapType(_Node, frozen=True, eq=False):
    """`map(T)`: keys are strings."""

    element: Type


class TupleType(_Node, frozen=True, eq=False):
    """`[a, "b"]`: a list literal of known length."""

    elements: tuple[Type, ...]


class ObjectType(_Node, frozen=True, eq=False):
    """`{a = 1}`: a structural object; members in source order.

    `lacking` has the members that a value may lack, with their types where they are present; `members` has them as optional.
    Only unlike object literals in one list have such a type: an omitted member that a label declares optional is null.
    """

    members: Mapping[str, Type]
    lacking: Mapping[str, Type]


class NominalType(_Node, frozen=True, eq=False):
    """An object by declaration, in one shape; `resource` is set for the value of a resource variable."""

    declaration: Declaration
    shape: Shape
    resource: ResourceDecl | None


class UnionType(_Node, frozen=True, eq=False):
    """Two or more alternatives; with NONE among them it is optional.

    `discriminator` is (property name, ((tag, member type), …)) for tagged unions of the schema.
    """

    members: tuple[Type, ...]
    discriminator: Discriminator | None


class OutputType(_Node, frozen=True, eq=False):
    """`output(T)`: known later, with dependencies and secretness; T holds no eventual."""

    element: Type


class PromiseType(_Node, frozen=True, eq=False):
    """`promise(T)`: the result of a plain invoke; T holds no eventual."""

    element: Type


class InputType(_Node, frozen=True, eq=False):
    """`Input<T>`: a place that accepts T or `output(T)`.

    Only ever an expected type: values have type T or `output(T)`.
    """

    element: Type


class Discriminator(Struct, frozen=True):
    """The tag property of a tagged union and the member that each tag selects."""

    property: str
    mapping: tuple[tuple[str, Type], ...]


Type: TypeAlias = (
    PrimitiveType
    | ConstType
    | EnumType
    | ListType
    | MapType
    | TupleType
    | ObjectType
    | NominalType
    | UnionType
    | OutputType
    | PromiseType
    | InputType
)

_T = TypeVar("_T", bound=_Node)
_INTERNED: WeakValueDictionary[Hashable, _Node] = WeakValueDictionary()


def _digest(tag: str, *parts: str | bytes) -> bytes:
    h = blake2b(tag.encode(), digest_size=12)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        h.update(len(data).to_bytes(4, "big"))
        h.update(data)
    return h.digest()


def _intern(cls: type[_T], key: Hashable, make: Callable[[], _T]) -> _T:
    """Return the type of this class and key.

    The key has the identities of the parts: the type keeps its parts, so that these are theirs as long as it lives.  With
    the parts themselves the table would keep them, and they refer to the type, in their memo or by their package.
    """
    full = (cls, key)
    interned = _INTERNED.get(full)
    if interned is None:
        interned = make()
        _INTERNED[full] = interned
    assert isinstance(interned, cls)
    return interned


def _identities(members: Iterable[tuple[str, Type]]) -> Hashable:
    return tuple([(name, id(member)) for name, member in members])


def _primitive(kind: Primitive) -> PrimitiveType:
    # Primitives sort first inside unions, in the order in which they are listed above.
    rank = list(Primitive).index(kind)
    return PrimitiveType(bytes([0, rank]), False, kind)


BOOL = _primitive(Primitive.BOOL)
INT = _primitive(Primitive.INT)
NUMBER = _primitive(Primitive.NUMBER)
STRING = _primitive(Primitive.STRING)
ID = _primitive(Primitive.ID)
NONE = _primitive(Primitive.NONE)
DYNAMIC = _primitive(Primitive.DYNAMIC)
ASSET = _primitive(Primitive.ASSET)
ARCHIVE = _primitive(Primitive.ARCHIVE)
PROPERTY = _primitive(Primitive.PROPERTY)
HOOK = _primitive(Primitive.HOOK)
ERROR_HOOK = _primitive(Primitive.ERROR_HOOK)
ERROR = _primitive(Primitive.ERROR)


def const_of(base: Type, value: ConstValue) -> ConstType:
    """Return the type of exactly `value`."""
    key = (id(base), type(value).__name__, value)
    return _intern(
        ConstType,
        key,
        lambda: ConstType(_digest("c", base.digest, type(value).__name__, str(value)), False, base, value),
    )


def enum_of(declaration: EnumDecl) -> EnumType:
    """Return the enum type of `declaration`."""
    base: Type = {"integer": INT, "number": NUMBER, "boolean": BOOL}.get(declaration.base, STRING)
    package = declaration.package
    return _intern(
        EnumType,
        id(declaration),
        lambda: EnumType(_digest("e", package.name, package.version, declaration.token), False, declaration, base),
    )


def list_of(element: Type) -> ListType:
    """`list(element)`."""
    return _intern(ListType, id(element), lambda: ListType(_digest("l", element.digest), element.eventual, element))


def map_of(element: Type) -> MapType:
    """`map(element)`."""
    return _intern(MapType, id(element), lambda: MapType(_digest("m", element.digest), element.eventual, element))


def tuple_of(elements: Iterable[Type]) -> TupleType:
    """Return the type of a list literal with these element types."""
    items = tuple(elements)
    return _intern(
        TupleType,
        tuple(map(id, items)),
        lambda: TupleType(_digest("t", *(t.digest for t in items)), any(t.eventual for t in items), items),
    )


_NOTHING: Mapping[str, Type] = MappingProxyType({})


def object_of(members: Mapping[str, Type], lacking: Mapping[str, Type] = _NOTHING) -> ObjectType:
    """Return a structural object type; `convert` ignores the order of members, which is kept.

    A value may lack the members of `lacking`, which gives their types where they are present.
    """
    items = tuple((name, optional_of(lacking[name]) if name in lacking else t) for name, t in members.items())
    present = tuple((name, lacking[name]) for name in members if name in lacking)
    parts = [part for name, t in (*items, *present) for part in (name.encode(), t.digest)]
    eventual = any(t.eventual for _, t in items)
    return _intern(
        ObjectType,
        (_identities(items), _identities(present)),
        lambda: ObjectType(
            _digest("o", *parts), eventual, MappingProxyType(dict(items)), MappingProxyType(dict(present))
        ),
    )


def with_members(t: ObjectType, change: Callable[[Type], Type]) -> ObjectType:
    """Return `t` with the type of each member changed."""
    lacking = {name: change(member) for name, member in t.lacking.items()}
    return object_of({name: lacking.get(name) or change(member) for name, member in t.members.items()}, lacking)


def nominal_of(declaration: Declaration, shape: Shape, resource: ResourceDecl | None = None) -> NominalType:
    """Return the object type of `declaration` in `shape`."""
    package = declaration.package
    where = (package.name, package.version) if package is not None else ("", "")
    return _intern(
        NominalType,
        (id(declaration), shape),
        lambda: NominalType(
            _digest("n", *where, declaration.token, declaration.kind, shape), False, declaration, shape, resource
        ),
    )


def output_of(element: Type) -> Type:
    """`output(element)`; eventuals inside are removed, an output of an output is the output (language.md, Kinds of
    types)."""
    plain = resolve(element)
    if plain is ERROR:
        return ERROR
    return _intern(OutputType, id(plain), lambda: OutputType(_digest("O", plain.digest), True, plain))


def promise_of(element: Type) -> Type:
    """`promise(element)`; eventuals inside are removed."""
    plain = resolve(element)
    if plain is ERROR:
        return ERROR
    return _intern(PromiseType, id(plain), lambda: PromiseType(_digest("P", plain.digest), True, plain))


def input_of(element: Type) -> Type:
    """`Input<element>`: an expected type that also takes `output(element)`."""
    if isinstance(element, InputType) or element is ERROR:
        return element
    return _intern(InputType, id(element), lambda: InputType(_digest("I", element.digest), True, element))


def input_shape(t: Type) -> Type:
    """Return `t` as a place that accepts eventual values at any depth (language.md, Conversions)."""
    match t:
        case ListType():
            return input_of(list_of(input_shape(t.element)))
        case MapType():
            return input_of(map_of(input_shape(t.element)))
        case TupleType():
            return input_of(tuple_of([input_shape(element) for element in t.elements]))
        case ObjectType():
            return input_of(object_of({name: input_shape(member) for name, member in t.members.items()}))
        case UnionType() if NONE in t.members:
            return optional_of(input_shape(without_none(t)))
        case InputType():
            return t
        case _:
            return input_of(t)


def union_of(members: Iterable[Type], discriminator: Discriminator | None = None) -> Type:
    """Return the union: flattened, without duplicates, in a stable order; of one member that member, of none NONE.

    ERROR absorbs everything.  A union with DYNAMIC is DYNAMIC.
    """
    flat: dict[Type, None] = {}
    for member in members:
        for part in member.members if isinstance(member, UnionType) else (member,):
            flat[part] = None
        if isinstance(member, UnionType) and discriminator is None:
            discriminator = member.discriminator
    if ERROR in flat:
        return ERROR
    if DYNAMIC in flat:
        return DYNAMIC
    if not flat:
        return NONE
    if len(flat) == 1:
        return next(iter(flat))
    return _union(flat, discriminator)


def declared_union_of(members: Iterable[Type]) -> Type:
    """As `union_of`, but a union in a schema stays a union even if all its members are the same type here.

    A string and a class without a definition are both strings. The union means the same as its only member, but Go's SDK has
    no static type for unions, so a list or map of such a union must still show it.
    """
    union = union_of(members)
    return union if isinstance(union, UnionType) or union in (DYNAMIC, ERROR, NONE) else _union([union], None)


def same_union(members: Iterable[Type], discriminator: Discriminator | None) -> UnionType:
    """Return the union with exactly these members, as it was before serialization."""
    return _union(members, discriminator)


def _union(members: Iterable[Type], discriminator: Discriminator | None) -> UnionType:
    items = tuple(sorted(members, key=lambda t: t.digest if isinstance(t, PrimitiveType) else b"\1" + t.digest))
    tags = discriminator.property if discriminator is not None else ""
    return _intern(
        UnionType,
        (tuple(map(id, items)), tags, _identities(discriminator.mapping if discriminator is not None else ())),
        lambda: UnionType(
            _digest("u", tags, *(t.digest for t in items)), any(t.eventual for t in items), items, discriminator
        ),
    )


def optional_of(element: Type) -> Type:
    """`element?`; inside an input the option goes under it: `Input<T?>`."""
    if isinstance(element, InputType):
        return input_of(optional_of(element.element))
    return union_of((element, NONE))


def is_optional(t: Type) -> bool:
    """Return whether null is a value of `t` (dynamic does not count, language.md, Conversions)."""
    if type(t) not in _MAY_CONTAIN_NONE:
        return t is NONE
    if isinstance(t, InputType | OutputType | PromiseType):
        return is_optional(t.element)
    return isinstance(t, UnionType) and NONE in t.members


def may_be_text_or_more(t: Type) -> bool:
    """Return whether a value may be a text, and other values, too: its text in the configuration may not be JSON."""
    plain = without_none(t)
    if plain is DYNAMIC:
        return True
    return isinstance(plain, UnionType) and STRING in plain.members and len(plain.members) > 1


def loses_null(expected: Type, actual: Type) -> bool:
    """Return whether null may be an `actual`, as every untyped value may, but not an `expected`."""
    if is_optional(expected) or resolve(expected) is DYNAMIC:
        return False
    return is_optional(actual) or resolve(actual) is DYNAMIC


def without_none(t: Type) -> Type:
    """Return `t` without the possibility of null; NONE itself stays."""
    if type(t) not in _MAY_CONTAIN_NONE:
        return t
    result = t.memo.get("without none")
    if result is None:
        result = t.memo["without none"] = _without_none(t)
    return result  # type: ignore[return-value]  # the memo holds the result of _without_none


_MAY_CONTAIN_NONE = frozenset((UnionType, InputType, OutputType, PromiseType))


def _without_none(t: Type) -> Type:
    if type(t) is UnionType:
        rest = [member for member in t.members if member is not NONE]
        return union_of(rest, t.discriminator) if len(rest) < len(t.members) else t
    if type(t) is InputType:
        return input_of(without_none(t.element))
    if type(t) is OutputType:
        return output_of(without_none(t.element))
    if type(t) is PromiseType:
        return promise_of(without_none(t.element))
    return t


_MAY_CONTAIN_CONST = frozenset((ConstType, UnionType, OutputType, PromiseType))


def without_const(t: Type) -> Type:
    """Return the type of a variable that holds a `t`: constants widened to their base (language.md, Unification)."""
    if type(t) not in _MAY_CONTAIN_CONST:
        return t
    if isinstance(t, ConstType):
        return t.base
    if isinstance(t, UnionType):
        return union_of((without_const(member) for member in t.members), t.discriminator)
    if isinstance(t, OutputType):
        return output_of(without_const(t.element))
    if isinstance(t, PromiseType):
        return promise_of(without_const(t.element))
    return t


def bare(t: Type) -> Type:
    """Return `t` resolved, without the possibility of null, and with constants widened to their base."""
    return without_none(without_const(resolve(t)))


def parts(t: Type) -> tuple[Type, ...]:
    """Return the types directly inside of `t`; declared objects have none."""
    match t:
        case TupleType():
            return t.elements
        case ObjectType():
            return tuple(t.members.values())
        case ListType() | MapType() | OutputType() | PromiseType():
            return (t.element,)
        case UnionType():
            return t.members
        case _:
            return ()


def resolve(t: Type) -> Type:
    """Return `t` with every output, promise and input removed, deeply (language.md, Eventual values); memoized on the type.
    """
    if not t.eventual:
        return t
    result = t.memo.get("resolve")
    if result is None:
        result = t.memo["resolve"] = _resolve(t)
    return result  # type: ignore[return-value]  # the memo holds the result of _resolve


def _resolve(t: Type) -> Type:
    match t:
        case OutputType() | PromiseType() | InputType():
            return resolve(t.element)
        case ListType():
            return list_of(resolve(t.element))
        case MapType():
            return map_of(resolve(t.element))
        case TupleType():
            return tuple_of(resolve(e) for e in t.elements)
        case ObjectType():
            return with_members(t, resolve)
        case UnionType():
            plain = (resolve(m) for m in t.members)
            return declared_union_of(plain) if len(t.members) == 1 else union_of(plain, t.discriminator)
        case PrimitiveType() | ConstType() | EnumType() | NominalType():
            return t
