"""The common type of several values (language.md, Unification, the safe result).

The types of branches, elements or members have a type that each converts to safely, or else a union.
Differences from the reference: anything with dynamic is dynamic; an id counts as a text when it meets anything else; lists
of different length give a list, not a tuple with optional tails; memoized by pair, so that chains of conditionals stay
linear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pclgen.types.convert import SAFE, conversion
from pclgen.types.model import (
    ARCHIVE,
    ASSET,
    BOOL,
    DYNAMIC,
    ERROR,
    ID,
    INT,
    NONE,
    NUMBER,
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
    """Return the common type of `types`, NONE if `types` is empty. Constants widen to their base.

    A member that some objects lack is optional: it is null if it is missing.
    """
    return _unify_all(tuple(types), False)


def unify_elements(types: Iterable[Type]) -> Type:
    """Return the common type of the elements of a collection, which are not converted.

    A member that some elements lack is absent from them (`ObjectType.lacking`).
    """
    return _unify_all(tuple(types), True)


def _unify_all(types: tuple[Type, ...], lacking: bool) -> Type:
    objects = [t for t in types if isinstance(t, ObjectType)]
    if len(objects) == len(types) > 2:
        return _merge_all(objects, lacking)
    result: Type | None = None
    for t in types:
        result = t if result is None else _unify_two(result, t, lacking)
    return NONE if result is None else result


def unify_two(a: Type, b: Type) -> Type:
    """Return the common type of two types."""
    return _unify_two(a, b, False)


def _unify_two(a: Type, b: Type, lacking: bool) -> Type:
    if a is b:
        return a
    if a is ERROR or b is ERROR:
        return ERROR
    key = ("unify", b, lacking)
    common = a.memo.get(key)
    if common is None:
        common = a.memo[key] = _unify(a, b, lacking)
    return common  # type: ignore[return-value]  # only _unify's results are stored under this key


def _unify(a: Type, b: Type, lacking: bool) -> Type:
    if isinstance(a, OutputType) or isinstance(b, OutputType):
        return output_of(_unify_two(resolve(a), resolve(b), lacking))
    if isinstance(a, PromiseType) or isinstance(b, PromiseType):
        return promise_of(_unify_two(resolve(a), resolve(b), lacking))
    if a is DYNAMIC or b is DYNAMIC:
        return DYNAMIC
    if a is NONE:
        return optional_of(b)
    if b is NONE:
        return optional_of(a)
    if isinstance(a, UnionType) or isinstance(b, UnionType):
        return _unify_alternatives(a, b) if lacking else _unify_unions(a, b)
    if isinstance(a, ConstType):
        return _unify_two(a.base, b, lacking)
    if isinstance(b, ConstType):
        return _unify_two(a, b.base, lacking)
    if a is ID:
        return _unify_two(STRING, b, lacking)  # an id and a string unify to a string
    if b is ID:
        return _unify_two(a, STRING, lacking)
    merged = _merge(a, b, lacking)
    if merged is not None:
        return merged
    if lacking and a in _SCALARS and b in _SCALARS and {a, b} != {INT, NUMBER}:
        return union_of((a, b))
    if conversion(a, b) is SAFE:
        return a
    if conversion(b, a) is SAFE:
        return b
    return union_of((a, b))


_SCALARS = frozenset((BOOL, INT, NUMBER, STRING))


def _unify_alternatives(a: Type, b: Type) -> Type:
    """Return the union of types of elements, which are not converted: alternatives of the same kind are merged."""
    alternatives: list[Type] = []
    for new in (*_alternatives(a), *_alternatives(b)):
        for at, known in enumerate(alternatives):
            joined = _unify_two(known, new, True)
            if not isinstance(joined, UnionType):
                alternatives[at] = joined
                break
        else:
            alternatives.append(new)
    return union_of(alternatives, getattr(a, "discriminator", None) or getattr(b, "discriminator", None))


def _alternatives(t: Type) -> Sequence[Type]:
    return t.members if isinstance(t, UnionType) else (t,)


def _unify_unions(a: Type, b: Type) -> Type:
    plain_a, plain_b = without_none(a), without_none(b)
    if plain_a is not a or plain_b is not b:
        return optional_of(unify_two(plain_a, plain_b))
    if conversion(a, b) is SAFE and _keeps(a, b):
        return a
    if conversion(b, a) is SAFE and _keeps(b, a):
        return b
    return union_of((a, b))


def _keeps(a: Type, b: Type) -> bool:
    """Return whether a conversion from `b` to `a` keeps all members, and makes a text of a scalar only if `a` is a text."""

    def keeps(x: Type, y: Type) -> bool:
        if conversion(x, y) is not SAFE:
            return False
        if isinstance(x, _COLLECTIONS):
            return _merge(x, y, False) is x
        return x is a or x is not STRING or y not in (BOOL, INT, NUMBER)

    return all(any(keeps(x, y) for x in _alternatives(a)) for y in _alternatives(b))


_COLLECTIONS = (ListType, TupleType, MapType, ObjectType)


def _merge(a: Type, b: Type, lacking: bool) -> Type | None:
    """Merge collections of the same kind by element; None for other types."""
    sequences = (ListType, TupleType)
    if isinstance(a, sequences) and isinstance(b, sequences):
        if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.elements) == len(b.elements):
            return tuple_of(_unify_two(x, y, lacking) for x, y in zip(a.elements, b.elements, strict=True))
        elements = (*_elements(a), *_elements(b))
        return list_of(_unify_all(elements, lacking or _are_unlike(elements)))
    if {a, b} == {ASSET, ARCHIVE}:
        return ASSET
    if {a, b} == {ID, STRING}:
        return STRING  # whichever comes first: either is safely the other
    if isinstance(a, MapType) and isinstance(b, MapType):
        return map_of(_unify_two(a.element, b.element, lacking))
    if isinstance(a, MapType) and isinstance(b, ObjectType):
        return map_of(_unify_all((a.element, *b.members.values()), lacking))
    if isinstance(b, MapType) and isinstance(a, ObjectType):
        return map_of(_unify_all((*a.members.values(), b.element), lacking))
    if isinstance(a, ObjectType) and isinstance(b, ObjectType):
        return _merge_all((a, b), lacking)
    if isinstance(a, NominalType) and isinstance(b, NominalType) and a.declaration is b.declaration:
        return a
    return None


def _are_unlike(types: Iterable[Type]) -> bool:
    """Return whether there are scalars and other values: no scalar becomes text for the sake of the others."""
    alternatives = [member for t in types for member in _alternatives(without_none(t))]
    return len({member in _SCALARS or isinstance(member, ConstType) for member in alternatives if member is not NONE}) > 1


def _elements(t: ListType | TupleType) -> tuple[Type, ...]:
    return t.elements if isinstance(t, TupleType) else (t.element,)


def _merge_all(objects: Sequence[ObjectType], lacking: bool) -> Type:
    """Merge all objects member by member, so that many different objects cost no more than their members."""
    members: dict[str, Type] = {}
    counts: Counter[str] = Counter()
    absent: set[str] = set()
    for object_ in objects:
        for name, t in object_.members.items():
            present = object_.lacking.get(name, t)
            members[name] = _unify_two(members[name], present, lacking) if name in members else present
        counts.update(object_.members.keys())
        absent.update(object_.lacking)
    missing = {name for name, count in counts.items() if count < len(objects)}
    if lacking:
        absent |= missing
    members = {name: optional_of(t) if name in missing - absent else t for name, t in members.items()}
    return object_of(members, {name: t for name, t in members.items() if name in absent})


def element_type(t: ListType | TupleType) -> Type:
    """Return the type of any element of a sequence; dynamic for an empty list literal."""
    if isinstance(t, TupleType):
        return unify_elements(t.elements) if t.elements else DYNAMIC
    return t.element


def member_type(members: Iterable[Type]) -> Type:
    """Return the type of any value of an object used as a map; dynamic for an empty object."""
    items = tuple(members)
    return unify_elements(items) if items else DYNAMIC
