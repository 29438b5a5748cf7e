"""What members of objects are called in the schema, for objects that have become plain dicts.

A shape tells where the names of members are the SDK's: `{"node_count": ("nodeCount", None)}` says what a member is called
and what shape it has itself; `{"*": shape}` is the shape of all members where the keys are the program's; a text refers to
the table of declared types, and of the program's own that are there more than once.  None stands for values in which
nothing is renamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count

from pclgen.targets.python import names, tree
from pclgen.types.declarations import Declaration, Field
from pclgen.types.model import ListType, MapType, NominalType, ObjectType, TupleType, Type, UnionType, resolve

_NONE = tree.Constant(value=None)


def shape_arguments(t: Type) -> tuple[tree.Expr, ...]:
    """The shape of values of type `t` and the table that it refers to; nothing when no name differs."""
    table = _Table()
    table.count(t)
    shape = table.shape(t)
    if shape is None:
        return ()
    return (shape, _dict({table.keys[declared]: _dict(members) for declared, members in table.entries.items() if members}))


class _Table:
    """The shapes of the types met so far that are written once (None while their members are looked at), and their keys: the
    last word of the token where that tells them apart."""

    def __init__(self) -> None:
        self.entries: dict[Declaration | ObjectType, Mapping[str, tree.Expr] | None] = {}
        self.keys: dict[Declaration | ObjectType, str] = {}
        self._shapes: dict[Type, tree.Expr | None] = {}
        self._uses: Counter[Type] = Counter()

    def count(self, t: Type) -> None:
        """See how often each type is part of `t`: types are shared, and one that holds another twice, which holds another
        twice, stands for more than can be written."""
        plain = resolve(t)
        self._uses[plain] += 1
        if self._uses[plain] == 1:
            # Of lists and unions one shape is written for all that they hold.
            parts = _parts(plain) if isinstance(plain, ObjectType) else dict.fromkeys(map(resolve, _parts(plain)))
            for part in parts:
                self.count(part)

    def shape(self, t: Type) -> tree.Expr | None:
        """The shape of values of type `t`, all parts of which are counted."""
        plain = resolve(t)
        if isinstance(plain, NominalType):
            return self._declared(plain)
        if plain not in self._shapes:
            self._shapes[plain] = self._made(plain)
        return self._shapes[plain]

    def _declared(self, t: NominalType) -> tree.Expr | None:
        declared = t.declaration
        if declared not in self.entries:
            self.entries[declared] = None
            short = declared.token.rpartition(":")[2]
            self.keys[declared] = declared.token if short in self.keys.values() else short
            self.entries[declared] = self._members(declared.fields(t.shape))
        return None if self.entries[declared] == {} else tree.text(self.keys[declared])

    def _made(self, t: Type) -> tree.Expr | None:
        match t:
            case ListType():
                return self.shape(t.element)
            case MapType():
                inner = self.shape(t.element)
                return None if inner is None else _dict({"*": inner})
            case ObjectType():
                shapes = ((name, self.shape(member)) for name, member in t.members.items())
                entries = {name: _pair(name, inner) for name, inner in shapes if inner is not None}
                return self._object(t, entries) if entries else None
            case TupleType() | UnionType():
                return self._first(_parts(t))
            case _:
                return None

    def _object(self, t: ObjectType, entries: Mapping[str, tree.Expr]) -> tree.Expr:
        if self._uses[t] == 1:
            return _dict(entries)
        self.entries[t] = entries
        self.keys[t] = next(key for key in map("object{}".format, count(1)) if key not in self.keys.values())
        return tree.text(self.keys[t])

    def _first(self, types: Iterable[Type]) -> tree.Expr | None:
        """Objects side by side are of one type, or share the names of their members."""
        return next((shape for shape in map(self.shape, types) if shape is not None), None)

    def _members(self, fields: Mapping[str, Field]) -> Mapping[str, tree.Expr]:
        shapes = ((names.attribute(name), name, self.shape(member.type)) for name, member in fields.items())
        return {own: _pair(name, inner) for own, name, inner in shapes if own != name or inner is not None}


def _parts(t: Type) -> Iterable[Type]:
    match t:
        case NominalType():
            return [field.type for field in t.declaration.fields(t.shape).values()]
        case ListType() | MapType():
            return (t.element,)
        case ObjectType():
            return t.members.values()
        case TupleType():
            return t.elements
        case UnionType():
            return t.members
        case _:
            return ()


def _pair(name: str, inner: tree.Expr | None) -> tree.Pair:
    return tree.Pair(first=tree.text(name), second=_NONE if inner is None else inner)


def _dict(members: Mapping[str, tree.Expr]) -> tree.DictDisplay:
    return tree.DictDisplay(entries=tuple(tree.Entry(key=tree.text(key), value=value) for key, value in members.items()))
