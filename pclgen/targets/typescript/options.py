"""Resource options as the options object of the SDK (targets.md, Resource options): a table row per special option.

Each element of a list of resources is a resource, a ranged resource, or a resource that may not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.targets.origins import member_name, member_of
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.types import model as ty

_Builder: TypeAlias = Callable[[Context, core.Expr], ts.TsExpr]

_CUSTOM_ONLY: Final = ("deleteBeforeReplace", "additionalSecretOutputs", "import")
"""Options that a component takes at run time, though its type does not name them."""


def options_argument(
    cx: Context, options: Sequence[core.Option], *, is_component: bool, pinned: Mapping[str, str]
) -> tuple[ts.TsExpr, ...]:
    """`{ parent: x, protect: true }` as the last argument; empty without options.

    `pinned`: options that the SDK sets itself (version, download address), which need not be repeated.  Inside a component
    the parent is the component, unless the options name another parent.
    """
    by_name = {option.name: option for option in options}
    properties: list[ts.Property] = []
    for name in RESOURCE_OPTIONS:
        option = by_name.get(name)
        if option is None:
            if name == "parent" and cx.file.in_component:
                properties.append(ts.Property("parent", ts.Global("this")))
        elif name == "providers" and not is_component:
            properties += _single_provider(cx, option)
        elif not _is_pinned(option, pinned):
            value = _BUILDERS.get(name, translate)(cx, option.value)
            properties.append(ts.Property(name, value, option.comments, option))
    if not properties:
        return ()
    is_expanded = len(properties) > 1 or properties[0].comments != core.NO_COMMENTS
    made_object = ts.Object(tuple(properties), is_expanded)
    if is_component and any(name in by_name for name in _CUSTOM_ONLY):
        return (ts.As(made_object, cx.imports.pulumi_type("CustomResourceOptions")),)
    return (made_object,)


def _is_pinned(option: core.Option, pinned: Mapping[str, str]) -> bool:
    value = option.value
    return isinstance(value, core.Literal) and option.name in pinned and pinned[option.name] == value.value


def _single_provider(cx: Context, option: core.Option) -> Sequence[ts.Property]:
    """The provider of a custom resource: the only element of the list, which is for its package."""
    value = option.value
    assert isinstance(value, core.ListExpr | core.ObjectExpr)
    elements = value.elements if isinstance(value, core.ListExpr) else [item.value for item in value.items]
    if len(elements) != 1:
        cx.refuse('the option "providers" of a custom resource', option.span, hint='write "provider"')
        return ()
    return (ts.Property("provider", translate(cx, elements[0]), option.comments, option),)


def _aliases(cx: Context, value: core.Expr) -> ts.TsExpr:
    assert isinstance(value, core.ListExpr)
    return ts.Array(tuple(_alias(cx, element) for element in value.elements))


def _alias(cx: Context, value: core.Expr) -> ts.TsExpr:
    if not isinstance(value, core.ObjectExpr):
        return translate(cx, value)
    properties: list[ts.Property] = []
    for item in value.items:
        assert isinstance(item.key, core.Literal)
        name = str(item.key.value)
        if name != "noParent":
            properties.append(ts.Property(name, translate(cx, item.value), origin=member_of(item)))
            continue
        root = cx.imports.pulumi("rootStackResource")
        if isinstance(item.value, core.Literal):
            if item.value.value:
                properties.append(ts.Property("parent", root, origin=member_of(item)))
        else:
            chosen = ts.Conditional(translate(cx, item.value), root, build.undefined())
            properties.append(ts.Property("parent", chosen, origin=member_of(item)))
    return ts.Object(tuple(properties))


def _timeouts(cx: Context, value: core.Expr) -> ts.TsExpr:
    """The timeouts: members are optional, so null is `undefined`."""
    assert isinstance(value, core.ObjectExpr)
    inner = cx.with_null(False)
    properties = tuple(
        [ts.Property(member_name(item), translate(inner, item.value), origin=member_of(item)) for item in value.items]
    )
    return ts.Object(properties, len(properties) > 1)


def _dependencies(cx: Context, value: core.Expr) -> ts.TsExpr:
    """The dependencies of a resource: a single resource that may not exist needs no brackets."""
    only = value.elements[0] if isinstance(value, core.ListExpr) and len(value.elements) == 1 else None
    if only is not None and not is_eventual(only.type) and _is_optional_resource(only):
        return translate(cx, only)
    return resources_of(cx, value)


def resources_of(cx: Context, value: core.Expr) -> ts.TsExpr:
    """`[a, ...many, ...Object.values(byKey), ...(maybe ? [maybe] : [])]`; `many` if it is the only element.

    Providers may also be an object, by the names of their packages.
    """
    if not isinstance(value, core.ListExpr):
        return translate(cx, value)
    only = value.elements[0] if len(value.elements) == 1 else None
    if only is not None and is_eventual(only.type) and isinstance(ty.resolve(only.type), ty.ListType):
        return translate_output(cx, only)
    elements = tuple([_later(cx, e) if is_eventual(e.type) else _element(cx, e) for e in value.elements])
    return elements[0].value if len(elements) == 1 and isinstance(elements[0], ts.Spread) else ts.Array(elements)


_BUILDERS: Final[Mapping[str, _Builder]] = {
    "aliases": _aliases,
    "customTimeouts": _timeouts,
    "dependsOn": _dependencies,
    "providers": resources_of,
    "replaceWith": resources_of,
}
"""Options that need more code than their value; all others are written unchanged."""


def _element(cx: Context, expr: core.Expr) -> ts.TsExpr:
    node = translate(cx, expr)
    plain = ty.resolve(expr.type)
    if _is_optional_resource(expr):
        return ts.Spread(ts.Conditional(node, ts.Array((node,)), ts.Array(())))
    if isinstance(plain, ty.ListType | ty.TupleType):
        return ts.Spread(node)
    if isinstance(plain, ty.MapType):
        return ts.Spread(build.call("Object", "values", node))
    return node


def _is_optional_resource(expr: core.Expr) -> bool:
    """Return whether the value is a resource or undefined."""
    plain = ty.resolve(expr.type)
    return ty.is_optional(plain) and not isinstance(ty.without_none(plain), ty.ListType | ty.MapType | ty.TupleType)


def _later(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """Resources that are known later, beside known resources: the SDK accepts outputs of lists, though its types do not.

    If an output unknown in a preview held the known resources, the preview would not depend on them.
    """
    node = translate_output(cx, expr)
    if isinstance(ty.without_none(ty.resolve(expr.type)), ty.MapType):
        there = ts.Variable(("made",))
        node = build.method(node, "apply", build.arrow([there], build.call("Object", "values", ts.Name(there))))
    return ts.As(node, cx.imports.pulumi_type("Output", ts.TypeName("any")))
