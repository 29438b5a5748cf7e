"""Required members of configured objects, which the SDK does not check.

    config users "list(object({ name = string }))" {}

becomes

    users = config.require_object("users")
    for index, user in enumerate(users):
        require_members(user, f"main.pp:1:8: users[{index}]", "name")

The statements check a value against a type, and name the value in messages.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pclgen.core.plurals import singular
from pclgen.core.program import ConfigVariable
from pclgen.targets.names import snake
from pclgen.targets.python import modules, tree
from pclgen.types import model as ty
from pclgen.types.required import required_names, required_paths

_HELPER = tree.Helper(key="require_members")


class _CheckedValue(Struct, frozen=True):
    """A value: its code, its name, its path in messages, and whether it may be None."""

    value: tree.Expr
    name: str
    place: tuple[str | tree.Hole, ...]
    maybe_none: bool

    def inside(self, value: tree.Expr, name: str, *place: str | tree.Hole, maybe_none: bool = False) -> _CheckedValue:
        return _CheckedValue(value, name, (*self.place, *place), maybe_none)


def check_members(node: ConfigVariable, value: tree.Expr, *, maybe_none: bool) -> list[tree.For | tree.Do]:
    """Return statements that raise if `value`, read for `node`, lacks a required member."""
    held = _CheckedValue(value, node.logical_name, (f"{node.place}: {node.logical_name}",), maybe_none)
    return list(_checks(held, ty.without_none(ty.resolve(node.type))))


def function(node: ConfigVariable, name: tree.Variable) -> tree.Define:
    """Return a function that checks its argument and returns it, for the `apply` of an output."""
    parameter = tree.Variable(preferred_names=("value",))
    return tree.Define(
        name=name,
        parameter=parameter,
        annotation=modules.any_type(),
        returns=modules.any_type(),
        body=tuple(check_members(node, tree.name(parameter), maybe_none=False)),
        result=tree.name(parameter),
    )


def _checks(held: _CheckedValue, t: ty.Type) -> Iterator[tree.For | tree.Do]:
    if not required_paths(t):
        return
    match t:
        case ty.ObjectType():
            names = [tree.text(name) for name in required_names(t)]
            if names:
                yield tree.Do(value=tree.call(_HELPER, held.value, _text(held.place), *names), close=True)
            for name, member in t.members.items():
                yield from _checks(_member(held, name, member), ty.without_none(member))
        case ty.MapType():
            key, item = tree.Variable(preferred_names=("key",)), tree.Variable(preferred_names=_element_names(held))
            entries = tree.builtin("sorted", tree.method(_or_empty(held, tree.DictDisplay(entries=())), "items"))
            inner = held.inside(tree.name(item), "", ".", tree.Hole(value=tree.name(key)))
            yield _each(entries, (key, item), _checks(inner, ty.without_none(t.element)))
        case ty.ListType():
            index, item = tree.Variable(preferred_names=("index",)), tree.Variable(preferred_names=_element_names(held))
            items = tree.builtin("enumerate", _or_empty(held, tree.ListDisplay(items=())))
            inner = held.inside(tree.name(item), "", "[", tree.Hole(value=tree.name(index)), "]")
            yield _each(items, (index, item), _checks(inner, ty.without_none(t.element)))
        case _:
            return


def _member(held: _CheckedValue, name: str, member: ty.Type) -> _CheckedValue:
    """A member of an object whose required members are present."""
    maybe_none = held.maybe_none or ty.is_optional(member)
    source = _or_empty(held, tree.DictDisplay(entries=()))
    read = tree.method(source, "get", tree.text(name)) if maybe_none else tree.index(source, tree.text(name))
    return held.inside(read, name, f".{name}", maybe_none=maybe_none)


def _element_names(held: _CheckedValue) -> tuple[str, ...]:
    element = singular(snake(held.name))
    return (element, "item") if element else ("item",)


def _or_empty(held: _CheckedValue, empty: tree.Expr) -> tree.Expr:
    return tree.Binary(operator="or", left=held.value, right=empty) if held.maybe_none else held.value


def _each(
    iterable: tree.Expr, targets: tuple[tree.Variable, ...], body: Iterator[tree.For | tree.Do]
) -> tree.For:
    return tree.For(loop=tree.Loop(targets=targets, iterable=iterable), body=tuple(body), close=True)


def _text(place: tuple[str | tree.Hole, ...]) -> tree.Expr:
    texts = [part for part in place if isinstance(part, str)]
    return tree.text("".join(texts)) if len(texts) == len(place) else tree.FormatString(parts=place)
