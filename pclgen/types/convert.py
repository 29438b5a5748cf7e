"""Conversions between types, and the common type of several values (language.md, Conversions).

`Conversion` is SAFE, UNSAFE (may fail at run time) or NONE; `explain` finds the innermost mismatch of two types for a
message. Results are memoised on the destination; recursive declarations are compared coinductively.

Differences from errors of the reference (language.md, Differences from the reference): an enum converts like its base type;
a constant is compared with the enum's members and with other constants; eventuals inside sets and tuples count; a resource
fits a reference to its own type.

The types of branches, elements or members have a type that each converts to safely, or else a union (language.md,
Unification, the safe result). `unify` finds it, memoized by pair, so that chains of conditionals stay linear. Differences
from the reference: anything with dynamic is dynamic; an id counts as a text when it meets anything else; lists of
different length give a list, not a tuple with optional tails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import IntEnum

from msgspec import Struct

from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, Field

# -- conversions ------------------------------------------------------------------------------------------------------------

class Conversion(IntEnum):
    """The quality of a conversion; ordered from worst to best."""

    NONE = 0
    UNSAFE = 1
    SAFE = 2


SAFE, UNSAFE, IMPOSSIBLE = Conversion.SAFE, Conversion.UNSAFE, Conversion.NONE

# destination -> source -> conversion; all other pairs are impossible (language.md, Conversions, rows of primitives)
_PRIMITIVES: Mapping[ty.Type, Mapping[ty.Type, Conversion]] = {
    ty.BOOL: {ty.STRING: UNSAFE, ty.ID: UNSAFE},
    ty.INT: {ty.NUMBER: UNSAFE, ty.STRING: UNSAFE, ty.ID: UNSAFE},
    ty.NUMBER: {ty.INT: SAFE, ty.STRING: UNSAFE, ty.ID: UNSAFE},
    ty.STRING: {ty.BOOL: SAFE, ty.INT: SAFE, ty.NUMBER: SAFE, ty.ID: SAFE},
    ty.ID: {ty.BOOL: SAFE, ty.INT: SAFE, ty.NUMBER: SAFE, ty.STRING: SAFE},
    ty.ASSET: {ty.ARCHIVE: SAFE},
}


class _Comparison(Struct):
    """The comparison of two types: pairs under comparison are assumed to fit until proved otherwise."""

    results: dict[tuple[ty.Type, ty.Type], Conversion]
    assumed: bool = False

    def compare(self, dest: ty.Type, source: ty.Type) -> Conversion:
        if dest is source or dest is ty.DYNAMIC or dest is ty.ERROR or source is ty.ERROR:
            return SAFE
        memo, key = _memo_entry(dest, source)
        cached = memo.get(key)
        if isinstance(cached, Conversion):
            return cached
        pair = (dest, source)
        assumption = self.results.get(pair)
        if assumption is not None:
            self.assumed = True
            return assumption
        self.results[pair] = SAFE
        result = self.results[pair] = self._compare(dest, source)
        return result

    def _compare(self, dest: ty.Type, source: ty.Type) -> Conversion:
        if isinstance(source, ty.UnionType):
            return self._from_union(dest, source)
        if isinstance(dest, ty.InputType):
            if isinstance(source, ty.OutputType | ty.PromiseType):
                return self.compare(ty.resolve(dest), source.element)
            direct = self.compare(dest.element, source)
            return direct if direct or not source.eventual else self.compare(ty.resolve(dest), ty.resolve(source))
        if isinstance(dest, ty.OutputType):
            return self.compare(dest.element, ty.resolve(source))
        if isinstance(dest, ty.PromiseType):
            return IMPOSSIBLE if isinstance(source, ty.OutputType) else self.compare(dest.element, ty.resolve(source))
        if isinstance(source, ty.ConstType) and not isinstance(dest, ty.UnionType):
            return self._from_const(dest, source)
        if isinstance(dest, ty.UnionType):
            if source in dest.members:
                return SAFE
            return max(self.compare(member, source) for member in dest.members)
        if source is ty.DYNAMIC:
            return UNSAFE
        if isinstance(source, ty.OutputType | ty.PromiseType | ty.InputType):
            return IMPOSSIBLE
        return self._by_kind(dest, source)

    def _from_union(self, dest: ty.Type, source: ty.UnionType) -> Conversion:
        results = [self.compare(dest, member) for member in source.members]
        best, worst = max(results), min(results)
        return worst if worst is SAFE or best is IMPOSSIBLE else UNSAFE

    def _from_const(self, dest: ty.Type, source: ty.ConstType) -> Conversion:
        if isinstance(dest, ty.EnumType):
            return SAFE if dest.declaration.member(source.value) is not None else IMPOSSIBLE
        if isinstance(dest, ty.ConstType):
            return IMPOSSIBLE  # another value: equal values have the same type
        return self.compare(dest, source.base)

    def _by_kind(self, dest: ty.Type, source: ty.Type) -> Conversion:
        if isinstance(source, ty.EnumType):
            if isinstance(dest, ty.EnumType):
                same = dest.declaration.token == source.declaration.token
                return SAFE if same else min(UNSAFE, self.compare(dest.base, source.base))
            return self.compare(dest, source.base)
        match dest:
            case ty.PrimitiveType():
                return _PRIMITIVES.get(dest, {}).get(source, IMPOSSIBLE)
            case ty.ConstType() | ty.EnumType():
                return min(UNSAFE, self.compare(dest.base, source))
            case ty.ListType():
                return self._elements(dest.element, source)
            case ty.MapType():
                return self._values(dest.element, source)
            case ty.TupleType():
                return self._tuple(dest, source)
            case ty.ObjectType():
                return self._members(dest.members, source)
            case ty.NominalType():
                return self._nominal(dest, source)
            case _:
                return IMPOSSIBLE

    def _elements(self, element: ty.Type, source: ty.Type) -> Conversion:
        if isinstance(source, ty.ListType):
            return self.compare(element, source.element)
        if isinstance(source, ty.TupleType):
            return min((self.compare(element, e) for e in source.elements), default=SAFE)
        return IMPOSSIBLE

    def _values(self, element: ty.Type, source: ty.Type) -> Conversion:
        if isinstance(source, ty.MapType):
            return self.compare(element, source.element)
        members = members_of(source)
        if members is None or is_resource(source):
            return IMPOSSIBLE
        return min((self.compare(element, m) for m in members.values()), default=SAFE)

    def _tuple(self, dest: ty.TupleType, source: ty.Type) -> Conversion:
        if isinstance(source, ty.TupleType):
            if len(source.elements) != len(dest.elements):
                return IMPOSSIBLE
            pairs = zip(dest.elements, source.elements, strict=True)
            return min((self.compare(d, s) for d, s in pairs), default=SAFE)
        if isinstance(source, ty.ListType):
            worst = min((self.compare(d, source.element) for d in dest.elements), default=SAFE)
            return min(UNSAFE, worst)
        return IMPOSSIBLE

    def _nominal(self, dest: ty.NominalType, source: ty.Type) -> Conversion:
        if isinstance(source, ty.NominalType):
            same = source.declaration is dest.declaration or (
                source.declaration.token == dest.declaration.token
                and source.declaration.kind == dest.declaration.kind
                and dest.declaration.package is not None
            )
            if same:
                return SAFE
        if is_resource(dest) or is_resource(source):
            return IMPOSSIBLE
        fields = dest.declaration.fields(dest.shape)
        members = {name: field.type for name, field in fields.items()}
        # Only literals may omit a required constant: binding adds it there, but not to other values. A map may
        # lack it.
        if isinstance(source, ty.MapType) and _required_constant(dest) is not None:
            return IMPOSSIBLE
        optional = {name for name, field in fields.items() if not field.required and field.const is None}
        return self._members(members, source, optional)

    def _members(
        self, expected: Mapping[str, ty.Type], source: ty.Type, optional: set[str] | frozenset[str] = frozenset()
    ) -> Conversion:
        if isinstance(source, ty.MapType):
            return min((min(UNSAFE, self.compare(t, source.element)) for t in expected.values()), default=SAFE)
        members = members_of(source)
        if members is None or is_resource(source):
            return IMPOSSIBLE
        result = SAFE
        for name, t in expected.items():
            actual = members.get(name)
            if actual is None:
                if name in optional:
                    continue
                actual = ty.NONE
            result = min(result, self.compare(t, actual))
            if result is IMPOSSIBLE:
                break
        return result


def conversion(dest: ty.Type, source: ty.Type) -> Conversion:
    """Return the conversion from type `source` to type `dest` (language.md, Conversions)."""
    if dest is source or dest is ty.DYNAMIC:
        return SAFE
    memo, key = _memo_entry(dest, source)
    cached = memo.get(key)
    if isinstance(cached, Conversion):
        return cached
    comparison = _Comparison({})
    result = comparison.compare(dest, source)
    if result is IMPOSSIBLE and comparison.assumed:
        memo[key] = result  # inner results may rest on an assumption that proved wrong
    else:
        for (d, s), pair_result in comparison.results.items():
            memo, key = _memo_entry(d, s)
            memo[key] = pair_result
    return result


def _memo_entry(dest: ty.Type, source: ty.Type) -> tuple[dict[Hashable, object], Hashable]:
    """Return the memo and the key of a conversion: a type without parts lives on, and would keep types of packages."""
    return (source.memo, dest.digest) if isinstance(dest, ty.PrimitiveType) else (dest.memo, source)


def assignable(dest: ty.Type, source: ty.Type) -> bool:
    """Return whether the value needs no conversion of representation: the same type up to constants, options and shape."""
    if dest is source or dest is ty.DYNAMIC or dest is ty.ERROR or source is ty.ERROR:
        return True
    if isinstance(source, ty.ConstType):
        return dest is source.base or (isinstance(dest, ty.UnionType) and assignable(dest, source.base))
    if isinstance(source, ty.UnionType):
        return all(assignable(dest, member) for member in source.members)
    if isinstance(dest, ty.UnionType):
        return any(assignable(member, source) for member in dest.members)
    return False


def is_resource(t: ty.Type) -> bool:
    """Return whether `t` is the value of a resource or component variable."""
    return isinstance(t, ty.NominalType) and t.declaration.kind in (
        DeclarationKind.RESOURCE,
        DeclarationKind.COMPONENT,
    )


def members_of(t: ty.Type) -> Mapping[str, ty.Type] | None:
    """Return the members of an object-like type, or None."""
    if isinstance(t, ty.ObjectType):
        return t.members
    if isinstance(t, ty.NominalType):
        return {name: field.type for name, field in t.declaration.fields(t.shape).items()}
    return None


def _required_constant(t: ty.NominalType) -> Field | None:
    """Return the first member of an object that has one value and is required."""
    fields = t.declaration.fields(t.shape).values()
    return next((field for field in fields if field.const is not None and not ty.is_optional(ty.resolve(field.type))), None)


class Mismatch(Struct, frozen=True):
    """The mismatch of two types: the path inside the value and both types there."""

    path: str
    expected: ty.Type
    actual: ty.Type | None  # None: a required member is missing


def explain(dest: ty.Type, source: ty.Type) -> Mismatch:
    """Return the innermost mismatch of `source` and `dest`; requires that `source` does not fit `dest`."""
    path = ""
    expected, actual = dest, source
    for _ in range(32):
        inner = _step_in(ty.resolve(ty.without_none(expected)), ty.resolve(actual))
        if inner is None:
            break
        path += inner.path
        expected = inner.expected
        if inner.actual is None:
            return Mismatch(path, expected, None)
        actual = inner.actual
    return Mismatch(path, expected, actual)


def _step_in(dest: ty.Type, source: ty.Type) -> Mismatch | None:
    if isinstance(dest, ty.ListType):
        if isinstance(source, ty.TupleType):
            for i, e in enumerate(source.elements):
                if not _fits(dest.element, e):
                    return Mismatch(f"[{i}]", dest.element, e)
        elif isinstance(source, ty.ListType):
            return Mismatch("[*]", dest.element, source.element)
        return None
    members = members_of(source)
    if members is None or is_resource(source):
        if isinstance(dest, ty.MapType) and isinstance(source, ty.MapType):
            return Mismatch("[*]", dest.element, source.element)
        constant = _required_constant(dest) if isinstance(dest, ty.NominalType) and isinstance(source, ty.MapType) else None
        return None if constant is None else Mismatch(f".{constant.name}", constant.type, None)
    if isinstance(dest, ty.MapType):
        for name, m in members.items():
            if not _fits(dest.element, m):
                return Mismatch(f".{name}", dest.element, m)
    expected = members_of(dest)
    if expected is not None and not is_resource(dest):
        for name, t in expected.items():
            if name not in members:
                if not _fits(t, ty.NONE):
                    return Mismatch(f".{name}", t, None)
            elif not _fits(t, members[name]):
                return Mismatch(f".{name}", t, members[name])
    return None


def _fits(dest: ty.Type, source: ty.Type) -> bool:
    return conversion(dest, source) is not IMPOSSIBLE


# -- common types -----------------------------------------------------------------------------------------------------------

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
    is_first = isinstance(a, ty.PrimitiveType)  # see `_memo_entry`
    memo, key = (b.memo, ("unify with", a.digest, unconverted)) if is_first else (a.memo, ("unify", b, unconverted))
    common = memo.get(key)
    if common is None:
        common = memo[key] = _unify(a, b, unconverted)
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
