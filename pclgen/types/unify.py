"""The common type of several values (language.md, Unification, the safe result).

Comes in: types of branches, elements, members.  Goes out: one type that each converts to safely, a union where there is
none.  Differences from the reference: anything with dynamic is dynamic; an id counts as a text when it meets anything else;
lists of different length give a list, not a tuple with optional tails; memoised by pair, so that chains of conditionals stay
linear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pclgen.types.convert import SAFE, conversion
from pclgen.types.model import (
    ARCHIVE,
    ASSET,
    DYNAMIC,
    ERROR,
    ID,
    NONE,
    STRING,
    ConstType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
    list_of,
    map_of,
    object_of,
    optional_of,
    output_of,
    promise_of,
    resolve,
    tuple_of,
    union_of,
    without_none,
)


def unify(types: Iterable[Type]) -> Type:
    """The common type of `types`; NONE for none at all.  Constants widen to their base."""
    types = tuple(types)
    objects = [t for t in types if isinstance(t, ObjectType)]
    if len(objects) == len(types) > 2:
        return _merge_all(objects)
    result: Type | None = None
    for t in types:
        result = t if result is None else unify_two(result, t)
    return NONE if result is None else result


def unify_two(a: Type, b: Type) -> Type:
    """The common type of two."""
    if a is b:
        return a
    if a is ERROR or b is ERROR:
        return ERROR
    key = ("unify", b)
    found = a.memo.get(key)
    if found is None:
        found = a.memo[key] = _unify(a, b)
    return found  # type: ignore[return-value]  # only _unify's results are stored under this key


def _unify(a: Type, b: Type) -> Type:
    if isinstance(a, OutputType) or isinstance(b, OutputType):
        return output_of(unify_two(resolve(a), resolve(b)))
    if isinstance(a, PromiseType) or isinstance(b, PromiseType):
        return promise_of(unify_two(resolve(a), resolve(b)))
    if a is DYNAMIC or b is DYNAMIC:
        return DYNAMIC
    if a is NONE:
        return optional_of(b)
    if b is NONE:
        return optional_of(a)
    if isinstance(a, UnionType) or isinstance(b, UnionType):
        return _unify_unions(a, b)
    if isinstance(a, ConstType):
        return unify_two(a.base, b)
    if isinstance(b, ConstType):
        return unify_two(a, b.base)
    if a is ID:
        return unify_two(STRING, b)  # one of an id and a text is a text
    if b is ID:
        return unify_two(a, STRING)
    merged = _merge(a, b)
    if merged is not None:
        return merged
    if conversion(a, b) is SAFE:
        return a
    if conversion(b, a) is SAFE:
        return b
    return union_of((a, b))


def _unify_unions(a: Type, b: Type) -> Type:
    plain_a, plain_b = without_none(a), without_none(b)
    if plain_a is not a or plain_b is not b:
        return optional_of(unify_two(plain_a, plain_b))
    if conversion(a, b) is SAFE:
        return a
    if conversion(b, a) is SAFE:
        return b
    return union_of((a, b))


def _merge(a: Type, b: Type) -> Type | None:
    """Collections of the same sort, merged by element; None when they are not."""
    sequences = (ListType, TupleType)
    if isinstance(a, sequences) and isinstance(b, sequences):
        if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.elements) == len(b.elements):
            return tuple_of(unify_two(x, y) for x, y in zip(a.elements, b.elements, strict=True))
        return list_of(unify([*_elements(a), *_elements(b)]))
    if {a, b} == {ASSET, ARCHIVE}:
        return ASSET
    if {a, b} == {ID, STRING}:
        return STRING  # whichever comes first: either is safely the other
    if isinstance(a, MapType) and isinstance(b, MapType):
        return map_of(unify_two(a.element, b.element))
    if isinstance(a, MapType) and isinstance(b, ObjectType):
        return map_of(unify((a.element, *b.members.values())))
    if isinstance(b, MapType) and isinstance(a, ObjectType):
        return map_of(unify((*a.members.values(), b.element)))
    if isinstance(a, ObjectType) and isinstance(b, ObjectType):
        return _merge_all((a, b))
    if isinstance(a, NominalType) and isinstance(b, NominalType) and a.declaration is b.declaration:
        return a
    return None


def _elements(t: ListType | TupleType) -> tuple[Type, ...]:
    return t.elements if isinstance(t, TupleType) else (t.element,)


def _merge_all(objects: Sequence[ObjectType]) -> Type:
    """One object after the other, member by member: many unlike objects cost no more than their members."""
    members: dict[str, Type] = {}
    last: dict[str, int] = {}  # the latest object that has the member
    for index, one in enumerate(objects):
        for name, t in one.members.items():
            before = last.get(name)
            if before is None:
                members[name] = t if index == 0 else optional_of(t)
            else:
                so_far = members[name] if before == index - 1 else optional_of(members[name])
                members[name] = unify_two(so_far, t)
            last[name] = index
    return object_of({n: t if last[n] == len(objects) - 1 else optional_of(t) for n, t in members.items()})


def element_type(t: ListType | TupleType) -> Type:
    """The type of any element of a sequence; dynamic for an empty list literal."""
    if isinstance(t, TupleType):
        return unify(t.elements) if t.elements else DYNAMIC
    return t.element


def member_type(members: Iterable[Type]) -> Type:
    """The type of any value of an object used as a map; dynamic when there is none."""
    items = tuple(members)
    return unify(items) if items else DYNAMIC
