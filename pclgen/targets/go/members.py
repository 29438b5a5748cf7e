"""Required members of configured objects: decoding into a struct hides which members are set.

    config users "list(object({ name = string }))" {}

becomes

    var givenUsers []map[string]any
    cfg.RequireObject("users", &givenUsers)
    for index, user := range givenUsers {
        place := fmt.Sprintf("main.pp:1:8: users[%d]", index)
        if err := requireMembers(user, place, "name"); err != nil {
            return err
        }
    }

The statements are emitted into the block that reads the config variable.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pclgen.core.plurals import singular
from pclgen.core.program import ConfigVariable
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import Block
from pclgen.types import model as ty
from pclgen.types.required import required_names, required_paths

_OBJECT = go.MapType(element=make.ANY)
_LIST = go.SliceType(element=make.ANY)


class _Place(Struct, frozen=True):
    """The description of a value in messages: a format with its arguments; `hint` is a name for variables."""

    format: str
    arguments: tuple[go.Expr, ...]
    hint: str

    def inside(self, format_: str, hint: str, *arguments: go.Expr) -> _Place:
        return _Place(self.format + format_, (*self.arguments, *arguments), hint)


def check_members(b: Block, node: ConfigVariable, name: str, read: Callable[[go.Expr], go.Expr]) -> None:
    """Emit code that returns an error if the value of `node` lacks a required member; `read` reads it into a pointer."""
    if not required_paths(node.type):
        return
    declared = ty.without_none(ty.resolve(node.type))
    raw = b.variable(f"given{name[:1].upper()}{name[1:]}", _raw(declared))
    b.emit(go.ExpressionStatement(expression=read(make.address(raw))))
    place = f"{node.place}: {node.logical_name}".replace("%", "%%")
    _check(b, raw, declared, _Place(place, (), node.logical_name), typed=True)


def _raw(t: ty.Type) -> go.Expr:
    """Return the type of the decoded JSON, in which missing members are absent."""
    match t:
        case ty.ObjectType():
            return _OBJECT
        case ty.ListType():
            return go.SliceType(element=_raw(ty.without_none(t.element)))
        case ty.MapType():
            return go.MapType(element=_raw(ty.without_none(t.element)))
        case _:
            return make.ANY


def _check(b: Block, value: go.Expr, t: ty.Type, place: _Place, *, typed: bool) -> None:
    """Emit the checks of a value, which is an `any` unless `typed`."""
    if not required_paths(t):
        return
    if not typed:
        held = make.variable(place.hint)
        type_ = _LIST if isinstance(t, ty.ListType) else _OBJECT
        b.emit(make.define([held, None], make.assertion(value, type_)))
        value = make.name(held)
    match t:
        case ty.ObjectType():
            names = [make.text(name) for name in required_names(t)]
            if names:
                helper = b.file.session.helper("requireMembers")
                b.attempt_error(make.call(helper, value, _text(b, place), *names))
            for name, member in t.members.items():
                inner = place.inside("." + name.replace("%", "%%"), name)
                _check(b, make.index(value, make.text(name)), ty.without_none(member), inner, typed=False)
        case ty.ListType():
            body = b.inner()
            hint = singular(place.hint) or "item"
            index, item = make.variable("index"), make.variable(hint if typed else "entry")
            inner = place.inside("[%d]", hint, make.name(index))
            _check(body, make.name(item), ty.without_none(t.element), inner, typed=typed)
            b.emit(go.ForRange(key=index, value=item, collection=value, body=tuple(body.statements)))
        case ty.MapType():
            body = b.inner()
            key = make.variable("key")
            inner = place.inside(".%s", singular(place.hint) or "item", make.name(key))
            _check(body, make.index(value, make.name(key)), ty.without_none(t.element), inner, typed=typed)
            sorted_, keys = b.file.qualified("slices", "Sorted"), b.file.qualified("maps", "Keys")
            collection = make.call(sorted_, make.call(keys, value))
            b.emit(go.ForRange(key=None, value=key, collection=collection, body=tuple(body.statements)))
        case _:
            return


def _text(b: Block, place: _Place) -> go.Expr:
    if not place.arguments:
        return make.text(place.format.replace("%%", "%"))
    return b.declare("place", make.call(b.file.qualified("fmt", "Sprintf"), make.text(place.format), *place.arguments))
