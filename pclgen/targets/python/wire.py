"""What members of objects are called in the schema, for objects that have become plain dicts.

A shape tells where the names of members are the SDK's: `{"node_count": ("nodeCount", None)}` says what a member is called
and what shape it has itself; `{"*": shape}` is the shape of all members where the keys are the program's; a text refers to
the table of declared types.  None stands for values in which nothing is renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pclgen.targets.python import names, tree
from pclgen.types.declarations import Declaration, Field
from pclgen.types.model import ListType, MapType, NominalType, ObjectType, SetType, TupleType, Type, UnionType, resolve

_NONE = tree.Constant(value=None)


def shape_arguments(t: Type) -> tuple[tree.Expr, ...]:
    """The shape of values of type `t` and the table that it refers to; nothing when no name differs."""
    table = _Table()
    shape = table.shape(t)
    if shape is None:
        return ()
    return (shape, _dict({table.keys[found]: _dict(members) for found, members in table.found.items() if members}))


class _Table:
    """The shapes of the declared types met so far (None while their members are looked at), and their keys: the last word
    of the token where that tells them apart."""

    def __init__(self) -> None:
        self.found: dict[Declaration, Mapping[str, tree.Expr] | None] = {}
        self.keys: dict[Declaration, str] = {}

    def shape(self, t: Type) -> tree.Expr | None:
        """The shape of values of type `t`."""
        plain = resolve(t)
        match plain:
            case NominalType():
                declared = plain.declaration
                if declared not in self.found:
                    self.found[declared] = None
                    short = declared.token.rpartition(":")[2]
                    self.keys[declared] = declared.token if short in self.keys.values() else short
                    self.found[declared] = self._members(declared.fields(plain.shape))
                return None if self.found[declared] == {} else tree.text(self.keys[declared])
            case ListType() | SetType():
                return self.shape(plain.element)
            case MapType():
                inner = self.shape(plain.element)
                return None if inner is None else _dict({"*": inner})
            case ObjectType():
                found = ((name, self.shape(member)) for name, member in plain.members.items())
                entries = {name: _pair(name, inner) for name, inner in found if inner is not None}
                return _dict(entries) if entries else None
            case TupleType():
                return self._first(plain.elements)
            case UnionType():
                return self._first(plain.members)
            case _:
                return None

    def _first(self, types: Iterable[Type]) -> tree.Expr | None:
        """Objects side by side are of one type, or share the names of their members."""
        return next((shape for shape in map(self.shape, types) if shape is not None), None)

    def _members(self, fields: Mapping[str, Field]) -> Mapping[str, tree.Expr]:
        found = ((names.attribute(name), name, self.shape(member.type)) for name, member in fields.items())
        return {own: _pair(name, inner) for own, name, inner in found if own != name or inner is not None}


def _pair(name: str, inner: tree.Expr | None) -> tree.Pair:
    return tree.Pair(first=tree.text(name), second=_NONE if inner is None else inner)


def _dict(members: Mapping[str, tree.Expr]) -> tree.DictDisplay:
    return tree.DictDisplay(entries=tuple(tree.Entry(key=tree.text(key), value=value) for key, value in members.items()))
