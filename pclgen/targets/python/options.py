"""Resource options: a table row per special option (targets.md, Resource options).

Options in the normal forms of `bind.optionvalues` become `pulumi.ResourceOptions(…)`, with keywords in the order of
`stdlib.options`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeGuard

from pclgen.core import expr as core
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.targets.names import snake
from pclgen.targets.origins import member_name, member_of
from pclgen.targets.python import modules, tree
from pclgen.targets.python.context import Context
from pclgen.targets.python.valuetypes import empty
from pclgen.types import model as ty

Renderer: TypeAlias = Callable[[Context, core.Expr], tree.Expr]


def dependencies(cx: Context, value: core.Expr) -> tree.Expr:
    """Return the dependencies of a resource.

    A single resource, which may be None, or a single list needs no brackets: `depends_on=volume`, `depends_on=servers`.
    """
    if _is_optional_resource(value):
        return cx.lower(value.elements[0])
    resources = resource_list(cx, value)
    match resources:
        case tree.ListDisplay(items=(tree.Item(comments=core.NO_COMMENTS) as item,), closing=()) if (
            not item.starred or _is_list(value)
        ):
            return item.value
        case _:
            return resources


def _is_list(value: core.Expr) -> bool:
    """Return whether the only element of `value` is a list in Python, rather than a dict or a value that may be None."""
    if not isinstance(value, core.ListExpr) or len(value.elements) != 1:
        return False
    return isinstance(ty.resolve(value.elements[0].type), ty.ListType | ty.TupleType)


def _is_optional_resource(value: core.Expr) -> TypeGuard[core.ListExpr]:
    """Return whether the only element of `value` is a resource or None."""
    if not isinstance(value, core.ListExpr) or len(value.elements) != 1 or value.elements[0].type.eventual:
        return False
    element = value.elements[0].type
    return ty.is_optional(element) and not isinstance(ty.without_none(element), ty.ListType | ty.MapType | ty.TupleType)


def resource_list(cx: Context, value: core.Expr) -> tree.Expr:
    """A list of resources, with ranged resources spread: `[*many, *([maybe] if maybe else [])]`."""
    if not isinstance(value, core.ListExpr):
        return cx.lower(value)
    eventual = [e for e in value.elements if e.type.eventual]
    if len(value.elements) == 1 and eventual:
        # The SDK takes an output of a list in place of the list.
        return _eventual_list(cx, value.elements[0])
    if eventual:
        return _joined_lists(cx, value, eventual)
    if _is_optional_resource(value):
        return _spread(cx.lower(value.elements[0]), value.elements[0].type).value
    return tree.ListDisplay(items=tuple(_spread(cx.lower(e), e.type) for e in value.elements))


def _eventual_list(cx: Context, value: core.Expr) -> tree.Expr:
    plain, lowered = ty.without_none(ty.resolve(value.type)), cx.lower(value)
    if isinstance(plain, ty.ListType):
        return lowered
    item = tree.Variable(preferred_names=("resources",))
    body = tree.ListDisplay(items=(_spread(tree.name(item), ty.resolve(value.type)),))
    return tree.method(lowered, "apply", tree.Lambda(parameters=(item,), body=body))


def _joined_lists(cx: Context, value: core.ListExpr, eventual: Sequence[core.Expr]) -> tree.Expr:
    resolved = tree.Variable(preferred_names=("resources",))
    items: list[tree.Item] = []
    for element in value.elements:
        if element.type.eventual:
            node: tree.Expr = tree.name(resolved)
            if len(eventual) > 1:
                node = tree.index(node, tree.Constant(value=eventual.index(element)))
            items.append(_spread(node, ty.resolve(element.type)))
        else:
            items.append(_spread(cx.lower(element), element.type))
    combined = cx.lower(eventual[0])
    if len(eventual) > 1:
        combined = tree.call(modules.pulumi("Output.all"), *(cx.lower(e) for e in eventual))
    return tree.method(combined, "apply", tree.Lambda(parameters=(resolved,), body=tree.ListDisplay(items=tuple(items))))


def _spread(value: tree.Expr, t: ty.Type) -> tree.Item:
    plain = ty.without_none(t)
    if ty.is_optional(t) and isinstance(plain, ty.ListType | ty.MapType | ty.TupleType):
        return _spread(tree.Binary(operator="or", left=value, right=empty(plain)), plain)
    if ty.is_optional(t):
        present = tree.items([value])
        value = tree.IfElse(
            condition=tree.Binary(operator="is not", left=value, right=tree.NONE),
            then=present,
            otherwise=tree.items([]),
        )
        return tree.Item(value=value, starred=True)
    if isinstance(plain, ty.ListType | ty.TupleType):
        return tree.Item(value=value, starred=True)
    if isinstance(plain, ty.MapType):
        return tree.Item(value=tree.method(value, "values"), starred=True)
    return tree.Item(value=value)


def _value(cx: Context, value: core.Expr) -> tree.Expr:
    return cx.lower(value)


def _providers(cx: Context, value: core.Expr) -> tree.Expr:
    return cx.lower(value) if isinstance(value, core.ObjectExpr) else resource_list(cx, value)


def _aliases(cx: Context, value: core.Expr) -> tree.Expr:
    if not isinstance(value, core.ListExpr):
        return cx.lower(value)
    return tree.items([_alias(cx, element) for element in value.elements])


def _alias(cx: Context, value: core.Expr) -> tree.Expr:
    if not isinstance(value, core.ObjectExpr):
        return cx.lower(value)
    args: list[tree.Argument] = []
    for item in value.items:
        name, member = member_name(item), item.value
        if name == "noParent":
            # No parent is not the same as the parent of the resource, which is the default.
            if isinstance(member, core.Literal) and member.value is True:
                args.append(tree.Argument(name="parent", value=tree.NONE, origin=member_of(item)))
        else:
            keyword = "type_" if name == "type" else name
            args.append(tree.Argument(name=keyword, value=cx.lower(member), origin=member_of(item)))
    return tree.Call(function=modules.pulumi("Alias"), args=tuple(args))


def _record(cls: str) -> Renderer:
    """An object of the SDK whose keywords are the members in snake case."""

    def render(cx: Context, value: core.Expr) -> tree.Expr:
        if not isinstance(value, core.ObjectExpr):
            return cx.lower(value)
        args = tuple(
            tree.Argument(name=snake(member_name(item)), value=cx.lower(item.value), origin=member_of(item))
            for item in value.items
        )
        return tree.Call(function=modules.pulumi(cls), args=args)

    return render


_RENDERERS: Mapping[str, Renderer] = {
    "aliases": _aliases,
    "customTimeouts": _record("CustomTimeouts"),
    "dependsOn": dependencies,
    "hooks": _record("ResourceHookBinding"),
    "providers": _providers,
    "replaceWith": resource_list,
}
"""Options that need more code than their value; all others are written unchanged."""
_KEYWORDS: Mapping[str, str] = {"import": "import_"}
"""Keywords that are not the name in snake case."""


def lower_options(cx: Context, options: Sequence[core.Option]) -> tuple[tree.Argument, ...]:
    """`opts=pulumi.ResourceOptions(…)`; nothing without options.

    The parent of a component's children is the component, unless they name another parent.
    """
    by_name = {option.name: option for option in options}
    args: list[tree.Argument] = []
    for name in RESOURCE_OPTIONS:
        option = by_name.get(name)
        if option is not None:
            keyword, value = _KEYWORDS.get(name, snake(name)), _RENDERERS.get(name, _value)(cx, option.value)
            args.append(tree.Argument(name=keyword, value=value, comments=option.comments, origin=option))
        elif name == "parent" and cx.inside is not None:
            args.append(tree.Argument(name="parent", value=tree.Builtin(name="self")))
    if not args:
        return ()
    return (tree.Argument(name="opts", value=tree.Call(function=modules.pulumi("ResourceOptions"), args=tuple(args))),)
