"""Resource and invoke options (targets.md, Resource options), one row per special option.

The binder has checked and normalized the `Option`s; they become calls of the SDK's option functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from pclgen.core import expr as core
from pclgen.stdlib.options import RESOURCE_OPTIONS as OPTIONS
from pclgen.stdlib.options import OptionForm, OptionSpec
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import lift
from pclgen.targets.go.context import Block, CannotWriteError, Value
from pclgen.targets.origins import member_of
from pclgen.types.model import STRING, Type, is_optional, resolve

Builder: TypeAlias = Callable[[Block, str, core.Expr], "tuple[go.Expr, ...]"]


def with_options(b: Block, options: Iterable[core.Option], function: go.Expr, *arguments: go.Expr) -> go.Call:
    """Return a call with `arguments`, followed by the option arguments of a resource.

    Inside a component, the default parent is the component.
    """
    option_arguments: list[go.Expr] = []
    origins: list[core.Option | None] = []
    option_names = {o.name for o in options}
    for option in options:
        if option.name != "range":
            added = RESOURCE_OPTIONS[option.name](b, option.name, option.value)
            option_arguments.extend(added)
            origins.extend([option] * len(added))
    if b.frame.component is not None and "parent" not in option_names:
        option_arguments.append(make.call(b.file.pulumi("Parent"), b.frame.component))
        origins.append(None)
    return go.Call(function=function, arguments=(*arguments, *option_arguments), origins=tuple(origins))


def invoke_options(b: Block, e: core.Invoke) -> list[go.Expr]:
    """Return the option arguments of an invoke."""
    arguments: list[go.Expr] = []
    for name, value in e.options.items():
        arguments.extend(INVOKE_OPTIONS[name](b, name, value))
    if b.frame.component is not None and "parent" not in e.options:
        arguments.append(make.call(b.file.pulumi("Parent"), b.frame.component))
    return arguments


def _call(b: Block, function: str, *arguments: go.Expr) -> tuple[go.Expr, ...]:
    return (make.call(b.file.pulumi(function), *arguments),)


def _plain(function: str, t: Type) -> Builder:
    def build(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
        native = b.file.session.natives.native(t)
        return _call(b, function, b.into(value, gt.plain(native), name))

    return build


def one_resource(b: Block, value: core.Expr, name: str) -> go.Expr:
    """Return a single resource, which must not be deferred."""
    resource = b.natural(value, name)
    if not resource.type.is_plain or not isinstance(resource.type.native, gt.ResourceNative | gt.AnyNative):
        raise CannotWriteError(f'the value of option "{name}"', value.span, why="Go needs one resource here")
    return resource.node


def _resource(function: str) -> Builder:
    def build(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
        node = one_resource(b, value, name)
        if not is_optional(value.type):
            return _call(b, function, node)
        type_ = b.file.pulumi("ResourceOption")
        composed = make.call(b.file.pulumi("Composite"))
        option = b.variable(name, type_, composed)
        inner = make.assign(option, make.call(b.file.pulumi(function), node))
        b.emit(go.If(condition=go.Binary(node, "!=", make.NIL), body=(inner,)))
        return (option,)

    return build


def _resources(plain_function: str, inputs_function: str | None) -> Builder:
    def build(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
        elements = value.elements if isinstance(value, core.ListExpr) else (value,)
        values = [b.natural(e, name) for e in elements]
        now = [(v, e) for v, e in zip(values, elements, strict=True) if v.type.is_plain]
        later = [(v, e) for v, e in zip(values, elements, strict=True) if not v.type.is_plain]
        arguments: list[go.Expr] = []
        if now or not later:
            arguments.extend(_call(b, plain_function, _resource_list(b, now, name)))
        for v, e in later:
            if inputs_function is None:
                raise CannotWriteError(f'an element of option "{name}" that is known later', e.span)
            arguments.extend(_call(b, inputs_function, _later_resources(b, v, e)))
        return tuple(arguments)

    return build


def _resource_slice(b: Block) -> go.Expr:
    return go.SliceType(element=b.file.pulumi("Resource"))


def _resource_list(b: Block, values: list[tuple[Value, core.Expr]], name: str) -> go.Expr:
    if all(isinstance(v.type.native, gt.ResourceNative | gt.AnyNative) and not is_optional(e.type) for v, e in values):
        return make.listing(_resource_slice(b), [v.node for v, _ in values])
    out = b.variable(name, _resource_slice(b))
    for value, e in values:
        _append_all(b, out, value, e, optional=is_optional(e.type))
    return out


def _append_all(b: Block, out: go.Expr, value: Value, e: core.Expr, *, optional: bool = False) -> None:
    native = value.type.native
    if isinstance(native, gt.Slice | gt.Map):
        is_list, loop = isinstance(native, gt.Slice), b.inner()
        item = go.Name(make.variable("resource" if is_list else "key"))
        element = item if is_list else go.Index(value.node, item)
        _append_all(loop, out, Value(element, gt.plain(native.element)), e)
        b.emit_loop(loop, value.node if is_list else b.file.sorted_keys(value.node), None, item.variable)
    else:
        is_any = isinstance(native, gt.AnyNative)
        added = make.append(out, go.TypeAssertion(value.node, b.file.pulumi("Resource")) if is_any else value.node)
        there = go.Binary(value.node, "!=", make.NIL)
        b.emit(go.If(condition=there, body=(added,)) if optional else added)


def _later_resources(b: Block, value: Value, e: core.Expr) -> go.Expr:
    """Return the resources of an eventual range as the input of `DependsOnInputs`."""

    def body(inner: Block, argument: Value) -> go.Expr:
        out = inner.variable("resources", _resource_slice(inner))
        _append_all(inner, out, argument, e, optional=is_optional(resolve(e.type)))
        return out

    lifted = lift(b, value, gt.Slice(gt.ResourceNative()), body, hint="made")
    assert isinstance(lifted.node, go.TypeAssertion)
    return go.TypeAssertion(lifted.node.operand, b.file.pulumi("ResourceArrayOutput"))


def _providers(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    if isinstance(value, core.ObjectExpr):
        type_ = go.MapType(element=b.file.pulumi("ProviderResource"))
        members = tuple(
            go.Element(
                key=b.into(i.key, gt.plain(gt.STRING), "key"), value=one_resource(b, i.value, name), origin=member_of(i)
            )
            for i in value.items
        )
        return _call(b, "ProviderMap", go.Composite(type=type_, elements=members))
    elements = value.elements if isinstance(value, core.ListExpr) else (value,)
    return _call(b, "Providers", *[one_resource(b, e, name) for e in elements])


def _trigger(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    return _call(b, "ReplacementTrigger", b.into(value, gt.input_(gt.ANY), name))


def _import(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    return _call(b, "Import", b.into(value, gt.input_(gt.ID), "importId"))


def _timeouts(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    assert isinstance(value, core.ObjectExpr)
    fields = [_field(_key(item.key).title(), _timeout(b, item.value), item) for item in value.items]
    return _call(b, "Timeouts", make.address(_struct(b.file.pulumi("CustomTimeouts"), fields)))


def _timeout(b: Block, value: core.Expr) -> go.Expr:
    """Return a duration; the SDK reads an empty text as no duration."""
    if not is_optional(value.type):
        return b.into(value, gt.plain(gt.STRING), "timeout")
    pointer = gt.plain(gt.Pointer(gt.STRING))
    text = b.reusable(Value(b.into(value, pointer, "given"), pointer), "given").node
    return b.unless_nil(text, make.STRING, "timeout", lambda _: go.Star(text))


def _struct(type_: go.Expr | None, fields: Iterable[go.Element]) -> go.Composite:
    """Return a struct with a field for each member of an option; of members with the same name, the last wins."""
    return go.Composite(type=type_, elements=tuple({field.key: field for field in fields}.values()))


def _field(name: str, value: go.Expr, item: core.ObjectItem) -> go.Element:
    return go.Element(key=go.Field(name), value=value, origin=member_of(item))


def _key(e: core.Expr) -> str:
    assert isinstance(e, core.Literal) and isinstance(e.value, str)
    return e.value


_ALIAS_FIELDS: Mapping[str, tuple[str, gt.Native]] = {
    "name": ("Name", gt.STRING),
    "type": ("Type", gt.STRING),
    "noParent": ("NoParent", gt.BOOL),
}


def _aliases(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    assert isinstance(value, core.ListExpr)
    aliases = [_alias(b, e) for e in value.elements]
    return _call(b, "Aliases", make.listing(go.SliceType(element=b.file.pulumi("Alias")), aliases))


def _alias(b: Block, e: core.Expr) -> go.Expr:
    if not isinstance(e, core.ObjectExpr):
        urn = make.call(b.file.pulumi("URN"), b.into(e, gt.plain(gt.STRING), "alias"))
        return make.struct(None, {"URN": urn})
    fields: list[go.Element] = []
    for item in e.items:
        key = _key(item.key)
        if key == "parent":
            fields.append(_alias_parent(b, item))
        else:
            field, native = _ALIAS_FIELDS[key]
            fields.append(_field(field, b.into(item.value, gt.input_(native), "alias"), item))
    return _struct(None, fields)


def _alias_parent(b: Block, item: core.ObjectItem) -> go.Element:
    parent = b.natural(item.value, "parent")
    if isinstance(parent.type.native, gt.ResourceNative) and parent.type.is_plain:
        return _field("Parent", parent.node, item)
    urn = make.call(b.file.pulumi("URN"), b.into(item.value, gt.plain(gt.STRING), "parent"))
    return _field("ParentURN", urn, item)


def _hooks(b: Block, name: str, value: core.Expr) -> tuple[go.Expr, ...]:
    assert isinstance(value, core.ObjectExpr)
    fields: list[go.Element] = []
    for item in value.items:
        key = _key(item.key)
        type_ = b.file.pulumi("ErrorHook" if key == "onError" else "ResourceHook")
        assert isinstance(item.value, core.ListExpr)
        hooks = [b.natural(h, "hook").node for h in item.value.elements]
        listed = make.listing(go.SliceType(element=go.Star(type_)), hooks)
        fields.append(_field(key[:1].upper() + key[1:], listed, item))
    return _call(b, "ResourceHooks", make.address(_struct(b.file.pulumi("ResourceHookBinding"), fields)))


_SPECIAL: Mapping[str, Builder] = {
    "aliases": _aliases,
    "customTimeouts": _timeouts,
    "dependsOn": _resources("DependsOn", "DependsOnInputs"),
    "hooks": _hooks,
    "import": _import,
    "providers": _providers,
    "replacementTrigger": _trigger,
}
"""Options that need more than the function of the SDK that has their name."""


def _builder(spec: OptionSpec) -> Builder:
    """Return the builder of an option."""
    function = spec.name[:1].upper() + spec.name[1:]
    if spec.name in _SPECIAL:
        return _SPECIAL[spec.name]
    if spec.form is OptionForm.RESOURCE:
        return _resource(function)
    return _resources(function, None) if spec.form is OptionForm.RESOURCES else _plain(function, spec.type)


RESOURCE_OPTIONS: Mapping[str, Builder] = {
    name: _builder(spec) for name, spec in OPTIONS.items() if spec.form is not OptionForm.RANGE
}

INVOKE_OPTIONS: Mapping[str, Builder] = {
    "dependsOn": _resources("DependsOn", "DependsOnInputs"),
    "parent": _resource("Parent"),
    "pluginDownloadUrl": _plain("PluginDownloadURL", STRING),
    "provider": _resource("Provider"),
    "version": _plain("Version", STRING),
}
