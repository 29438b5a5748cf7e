"""Schema names of members, for objects that have become plain dicts.

A shape maps the SDK's member names to the schema's: `{"node_count": ("nodeCount", None)}` has the schema name and the shape
of a member; `{"*": shape}` is the shape of all members of a map with the program's keys; a text refers to the table of
declared types, and of the program's object types that occur more than once.  None is the shape of values without renamed
members.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count

from pclgen.targets.python import names, tree
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Field

_NONE = tree.Constant(value=None)


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
    match t:
        case ty.NominalType():
            return [field.type for field in t.declaration.fields(t.shape).values()]
        case ty.ListType() | ty.MapType():
            return (t.element,)
        case ty.ObjectType():
            return t.members.values()
        case ty.TupleType():
            return t.elements
        case ty.UnionType():
            return t.members
        case _:
            return ()


def _pair(name: str, inner: tree.Expr | None) -> tree.Pair:
    return tree.Pair(first=tree.text(name), second=_NONE if inner is None else inner)


def _dict(members: Mapping[str, tree.Expr]) -> tree.DictDisplay:
    return tree.DictDisplay(entries=tuple(tree.Entry(key=tree.text(key), value=value) for key, value in members.items()))
