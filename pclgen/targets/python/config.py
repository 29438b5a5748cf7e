"""Config values of a program (targets.md, Configuration): typed getters with defaults, and checks of required members.

The defaults keep an explicit false, zero or empty text. The SDK does not check the members of configured objects:

    config users "list(object({ name = string }))" {}

becomes

    users = config.require_object("users")
    for index, user in enumerate(users):
        require_members(user, f"main.pp:1:8: users[{index}]", "name")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.eventuals import is_eventual
from pclgen.core.plurals import singular
from pclgen.core.program import ConfigVariable
from pclgen.targets.names import snake
from pclgen.targets.python import enumtexts, modules, tree
from pclgen.targets.python.context import Context
from pclgen.types import model as ty
from pclgen.types.objects import required_names, required_paths

_NONE = tree.Constant(value=None)

_SUFFIXES: Mapping[ty.Type, str] = {ty.STRING: "", ty.ID: "", ty.BOOL: "_bool", ty.INT: "_int", ty.NUMBER: "_float"}


def lower_config(
    cx: Context, node: prog.ConfigVariable, target: tree.Variable, config: tree.Variable
) -> list[tree.Statement]:
    """`name = config.get("name", default)`."""
    suffix = _SUFFIXES.get(ty.without_none(ty.without_const(ty.resolve(node.type))), "_object")
    default = node.default
    if default is not None:
        enumtexts.mark(cx, node.symbol, default)
    if isinstance(default, core.Literal) and default.value is None:
        default = None
    getter = ("require" if node.required else "get") + ("_secret" if node.secret else "") + suffix
    checked = bool(required_paths(node.type))
    mixed = ty.may_be_text_or_more(node.type)
    if default is not None and (default.type.eventual or ((checked or mixed) and node.secret)):
        return _late_default(cx, node, target, (tree.name(config), getter, default))
    lowered = [cx.lower(default)] if default is not None else []
    if checked or (suffix == "_object" and (node.required or lowered)):
        cx.untyped.add(node.symbol)
    if mixed:
        return _text_or_json(cx, node, target, (tree.name(config), getter.removesuffix("_object"), lowered))
    read = tree.method(tree.name(config), getter, tree.text(node.key), *lowered)
    if checked and node.secret:
        return _secret_object(node, target, read)
    stored = tree.Assign(target=target, value=read, comments=node.comments)
    if not checked:
        return [stored]
    return [stored, *check_members(node, tree.name(target), maybe_none=not node.required and not lowered)]


def _text_or_json(
    cx: Context,
    node: prog.ConfigVariable,
    target: tree.Variable,
    read: tuple[tree.Expr, str, list[tree.Expr]],
) -> list[tree.Statement]:
    """A string value may not be valid JSON, but `Config.get_object` requires JSON."""
    config, getter, default = read
    cx.untyped.add(node.symbol)
    text: tree.Expr = tree.method(config, getter, tree.text(node.key))
    helper = tree.Helper(key="json_or_text")
    if node.secret and not node.required:
        text = modules.as_output(text)
    converted = tree.method(text, "apply", helper) if node.secret else tree.call(helper, text, *default)
    return [tree.Assign(target=target, value=converted, comments=node.comments)]


def _secret_object(node: prog.ConfigVariable, target: tree.Variable, read: tree.Expr) -> list[tree.Statement]:
    """An output of an object with checked members; None when an optional value is not set."""
    check = _check_of(node)
    if node.required:
        value = tree.method(read, "apply", tree.name(check.name))
        return [check, tree.Assign(target=target, value=value, comments=node.comments)]
    configured = _configured(node)
    checked = tree.method(tree.name(configured), "apply", tree.name(check.name))
    return [
        check,
        tree.Assign(target=configured, value=read, comments=node.comments),
        tree.Assign(target=target, value=_chosen(configured, _NONE, checked)),
    ]


def _late_default(
    cx: Context,
    node: prog.ConfigVariable,
    target: tree.Variable,
    read: tuple[tree.Expr, str, core.Expr],
) -> list[tree.Statement]:
    """A default that is an output: the getters take only plain defaults. The variable is always an output."""
    config, getter, default = read
    configured = _configured(node)
    value = cx.lower(default)
    if node.secret:
        value = tree.call(modules.pulumi("Output.secret"), value)
    elif not is_eventual(default.type):
        value = modules.as_output(value)
    result: tree.Expr = tree.name(configured)
    before: list[tree.Statement] = []
    after: list[tree.Statement] = []
    if ty.may_be_text_or_more(node.type):
        helper = tree.Helper(key="json_or_text")
        getter = getter.removesuffix("_object")
        result = tree.method(result, "apply", helper) if node.secret else tree.call(helper, result)
    if required_paths(node.type) and node.secret:
        check = _check_of(node)
        before.append(check)
        result = tree.method(result, "apply", tree.name(check.name))
    elif required_paths(node.type):
        after += check_members(node, result, maybe_none=True)
    cx.untyped.add(node.symbol)
    stored = tree.method(config, getter, tree.text(node.key))
    return [
        *before,
        tree.Assign(target=configured, value=stored, comments=node.comments),
        *after,
        tree.Assign(
            target=target,
            value=_chosen(configured, value, result if node.secret else modules.as_output(result)),
            annotation=modules.output(modules.any_type()),
        ),
    ]


def _configured(node: prog.ConfigVariable) -> tree.Variable:
    return tree.Variable(preferred_names=(f"configured_{snake(node.symbol.name)}",))


def _check_of(node: prog.ConfigVariable) -> tree.Define:
    return function(node, tree.Variable(preferred_names=(f"checked_{snake(node.symbol.name)}",)))


def _chosen(configured: tree.Variable, missing: tree.Expr, present: tree.Expr) -> tree.Expr:
    condition = tree.Binary(operator="is", left=tree.name(configured), right=_NONE)
    return tree.IfElse(condition=condition, then=missing, otherwise=present)


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
