"""The common type of several values (language.md, Unification, the safe result).

The types of branches, elements or members have a type that each converts to safely, or else a union.
Differences from the reference: anything with dynamic is dynamic; an id counts as a text when it meets anything else; lists
of different length give a list, not a tuple with optional tails; memoized by pair, so that chains of conditionals stay
linear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pclgen.types import model as ty
from pclgen.types.convert import SAFE, conversion


def unify(types: Iterable[ty.Type]) -> ty.Type:
    """Return the common type of `types`, NONE if `types` is empty. Constants widen to their base.

    A member that some objects do not have is absent from them (`ObjectType.lacking`).
    """
    return _unify_all(tuple(types), False)


def unify_elements(types: Iterable[ty.Type]) -> ty.Type:
    """Return the common type of the elements of a collection, which are not converted."""
    return _unify_all(tuple(types), True)


def _unify_all(types: tuple[ty.Type, ...], unconverted: bool) -> ty.Type:
    objects = [t for t in types if isinstance(t, ty.ObjectType)]
    if len(objects) == len(types) > 2:
        return _merge_all(objects, unconverted)
    result: ty.Type | None = None
    for t in types:
        result = t if result is None else _unify_two(result, t, unconverted)
    return ty.NONE if result is None else result


def unify_two(a: ty.Type, b: ty.Type) -> ty.Type:
    """Return the common type of two types."""
    return _unify_two(a, b, False)


def _unify_two(a: ty.Type, b: ty.Type, unconverted: bool) -> ty.Type:
    if a is b:
        return a
    if a is ty.ERROR or b is ty.ERROR:
        return ty.ERROR
    key = ("unify", b, unconverted)
    common = a.memo.get(key)
    if common is None:
        common = a.memo[key] = _unify(a, b, unconverted)
    return common  # type: ignore[return-value]  # only _unify's results are stored under this key


def _unify(a: ty.Type, b: ty.Type, unconverted: bool) -> ty.Type:
    if isinstance(a, ty.OutputType) or isinstance(b, ty.OutputType):
        return ty.output_of(_unify_two(ty.resolve(a), ty.resolve(b), unconverted))
    if isinstance(a, ty.PromiseType) or isinstance(b, ty.PromiseType):
        return ty.promise_of(_unify_two(ty.resolve(a), ty.resolve(b), unconverted))
    if a is ty.DYNAMIC or b is ty.DYNAMIC:
        return ty.DYNAMIC
    if a is ty.NONE:
        return ty.optional_of(b)
    if b is ty.NONE:
        return ty.optional_of(a)
    if isinstance(a, ty.UnionType) or isinstance(b, ty.UnionType):
        return _unify_alternatives(a, b) if unconverted else _unify_unions(a, b)
    if isinstance(a, ty.ConstType):
        return _unify_two(a.base, b, unconverted)
    if isinstance(b, ty.ConstType):
        return _unify_two(a, b.base, unconverted)
    if a is ty.ID:
        return _unify_two(ty.STRING, b, unconverted)  # an id and a string unify to a string
    if b is ty.ID:
        return _unify_two(a, ty.STRING, unconverted)
    merged = _merge(a, b, unconverted)
    if merged is not None:
        return merged
    if unconverted and a in _SCALARS and b in _SCALARS and {a, b} != {ty.INT, ty.NUMBER}:
        return ty.union_of((a, b))
    if conversion(a, b) is SAFE:
        return a
    if conversion(b, a) is SAFE:
        return b
    return ty.union_of((a, b))


_SCALARS = frozenset((ty.BOOL, ty.INT, ty.NUMBER, ty.STRING))


def _unify_alternatives(a: ty.Type, b: ty.Type) -> ty.Type:
    """Return the union of types of elements, which are not converted: alternatives of the same kind are merged."""
    alternatives: list[ty.Type] = []
    for new in (*_alternatives(a), *_alternatives(b)):
        for at, alternative in enumerate(alternatives):
            joined = _unify_two(alternative, new, True)
            if not isinstance(joined, ty.UnionType):
                alternatives[at] = joined
                break
        else:
            alternatives.append(new)
    return ty.union_of(alternatives, getattr(a, "discriminator", None) or getattr(b, "discriminator", None))


def _alternatives(t: ty.Type) -> Sequence[ty.Type]:
    return t.members if isinstance(t, ty.UnionType) else (t,)


def _unify_unions(a: ty.Type, b: ty.Type) -> ty.Type:
    plain_a, plain_b = ty.without_none(a), ty.without_none(b)
    if plain_a is not a or plain_b is not b:
        return ty.optional_of(unify_two(plain_a, plain_b))
    if ty.STRING in (a, b) and all(member in _SCALARS for member in (*_alternatives(a), *_alternatives(b))):
        return ty.STRING
    if conversion(a, b) is SAFE and _keeps(a, b):
        return a
    if conversion(b, a) is SAFE and _keeps(b, a):
        return b
    return ty.union_of((a, b))


def _keeps(a: ty.Type, b: ty.Type) -> bool:
    """Return whether a conversion from `b` to `a` keeps all members, and makes a text of a scalar only if `a` is a text."""

    def keeps(x: ty.Type, y: ty.Type) -> bool:
        if conversion(x, y) is not SAFE:
            return False
        if isinstance(x, _COLLECTIONS):
            return _merge(x, y, False) is x
        return x is a or x is not ty.STRING or y not in (ty.BOOL, ty.INT, ty.NUMBER)

    return all(any(keeps(x, y) for x in _alternatives(a)) for y in _alternatives(b))


_COLLECTIONS = (ty.ListType, ty.TupleType, ty.MapType, ty.ObjectType)


def _merge(a: ty.Type, b: ty.Type, unconverted: bool) -> ty.Type | None:
    """Merge collections of the same kind by element; None for other types."""
    sequences = (ty.ListType, ty.TupleType)
    if isinstance(a, sequences) and isinstance(b, sequences):
        if isinstance(a, ty.TupleType) and isinstance(b, ty.TupleType) and len(a.elements) == len(b.elements):
            return ty.tuple_of(_unify_two(x, y, unconverted) for x, y in zip(a.elements, b.elements, strict=True))
        elements = (*_elements(a), *_elements(b))
        return ty.list_of(_unify_all(elements, unconverted or _are_unlike(elements) or any(map(_has_unlike, elements))))
    if {a, b} == {ty.ASSET, ty.ARCHIVE}:
        return ty.ASSET
    if {a, b} == {ty.ID, ty.STRING}:
        return ty.STRING  # whichever comes first: either is safely the other
    if isinstance(a, ty.MapType) and isinstance(b, ty.MapType):
        return ty.map_of(_unify_two(a.element, b.element, unconverted))
    if isinstance(a, ty.MapType) and isinstance(b, ty.ObjectType):
        return ty.map_of(_unify_all((a.element, *b.members.values()), unconverted))
    if isinstance(b, ty.MapType) and isinstance(a, ty.ObjectType):
        return ty.map_of(_unify_all((*a.members.values(), b.element), unconverted))
    if isinstance(a, ty.ObjectType) and isinstance(b, ty.ObjectType):
        return _merge_all((a, b), unconverted)
    if isinstance(a, ty.NominalType) and isinstance(b, ty.NominalType) and a.declaration is b.declaration:
        return a
    return None


def _are_unlike(types: Iterable[ty.Type]) -> bool:
    """Return whether there are scalars and other values: no scalar becomes text for the sake of the others."""
    alternatives = [member for t in types for member in _alternatives(ty.without_none(ty.resolve(t)))]
    return (
        len({member in _SCALARS or isinstance(member, ty.ConstType) for member in alternatives if member is not ty.NONE}) > 1
    )


def _has_unlike(t: ty.Type) -> bool:
    """Return whether `t` is that of unlike objects in a list: a member is text in one, and another scalar in another."""
    if not isinstance(t, ty.ObjectType):
        return False
    known = t.memo.get("has unlike")
    if known is None:
        members = [ty.without_none(member) for member in t.members.values()]
        known = t.memo["has unlike"] = any(
            _has_unlike(member) or (isinstance(member, ty.UnionType) and ty.STRING in member.members) for member in members
        )
    return known is True


def _elements(t: ty.ListType | ty.TupleType) -> tuple[ty.Type, ...]:
    return t.elements if isinstance(t, ty.TupleType) else (t.element,)


def _merge_all(objects: Sequence[ty.ObjectType], unconverted: bool) -> ty.Type:
    """Merge all objects member by member, so that many different objects cost no more than their members."""
    members: dict[str, ty.Type] = {}
    counts: Counter[str] = Counter()
    absent: set[str] = set()
    for object_ in objects:
        for name, t in object_.members.items():
            present = object_.lacking.get(name, t)
            members[name] = _unify_two(members[name], present, unconverted) if name in members else present
        counts.update(object_.members.keys())
        absent.update(object_.lacking)
    absent.update(name for name, count in counts.items() if count < len(objects))
    return ty.object_of(members, {name: t for name, t in members.items() if name in absent})


def element_type(t: ty.ListType | ty.TupleType) -> ty.Type:
    """Return the type of any element of a sequence; dynamic for an empty list literal."""
    if isinstance(t, ty.TupleType):
        return unify_elements(t.elements) if t.elements else ty.DYNAMIC
    return t.element


def member_type(members: Iterable[ty.Type]) -> ty.Type:
    """Return the type of any value of an object used as a map; dynamic for an empty object."""
    items = tuple(members)
    return unify_elements(items) if items else ty.DYNAMIC
