"""Resources, look-ups and component uses as statements, repeated by their range (targets.md, Resources; Ranges; Uses).

    resource web … {}                    const web = new aws.Instance("web", { … });
    range = 3                            const web: aws.Instance[] = [];   for (let i = 0; i < 3; i++) { web.push(…); }
    range = r.names (an output)          const web = r.names.apply((names) => names.map((name, i) => new …));
"""

from __future__ import annotations

from typing import Final

from pclgen.core.declared import declared, holds_literals, in_place
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Apply, Conditional, Expr, Literal, ObjectExpr, Ref, Symbol
from pclgen.core.program import Component, ComponentUse, Input, Range, RangeKind, Resource
from pclgen.core.walk import body_of, walk
from pclgen.targets.typescript import build, names, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.applies import apply_to, result_of
from pclgen.targets.typescript.context import NAME, Context, parameters, pattern, translate, translate_output, unused
from pclgen.targets.typescript.conversions import cast
from pclgen.targets.typescript.loops import entries_of
from pclgen.targets.typescript.options import options_object
from pclgen.targets.typescript.values import member_value, notes
from pclgen.types.declarations import Field, Shape
from pclgen.types.model import DYNAMIC, is_optional, resolve, without_none

_INDEX: Final = ("i", "index")
_KEY: Final = ("key", "value")
"""What to call what a range counts, or goes through by key."""


def statements(node: Resource | ComponentUse, cx: Context) -> list[ts.Statement]:
    """The statements that make the resource or resources of `node`."""
    if node.range is None:
        value = _construct(node, cx, ts.Text(node.logical_name))
        return [build.declare(cx.variable(node.symbol), value)]
    if is_eventual(node.range.value.type):
        return [build.declare(cx.variable(node.symbol), _eventual(node, node.range, cx))]
    return _ranged(node, node.range, cx)


# -- ranges -----------------------------------------------------------------------------------------------------------


def _ranged(node: Resource | ComponentUse, range_: Range, cx: Context) -> list[ts.Statement]:
    variable = cx.variable(node.symbol)
    values = _present(range_, translate(range_.value, cx))
    class_type = _class_type(node, cx)
    match range_.kind:
        case RangeKind.BOOL:
            instance = _construct(node, cx, ts.Text(node.logical_name))
            return [build.declare(variable, ts.Conditional(values, instance, build.undefined()))]
        case RangeKind.NUMBER:
            index = _bind_number(range_, cx)
            body = build.method(ts.Name(variable), "push", _construct(node, cx, _suffixed(node, index)))
            loop: ts.Statement = ts.Count(index, values, (ts.Do(body),))
            return [build.declare(variable, ts.Array(()), ts.TypeArray(class_type)), loop]
        case RangeKind.LIST:
            key, value = _bind_range(node, range_, cx)
            untyped = is_untyped(range_)
            pair = (key, value) if value or untyped else (key,)
            walked = build.method(values, "entries" if value else "keys")
            source = entries_of(values, range_.value) if untyped else walked
            body = build.method(ts.Name(variable), "push", _construct(node, cx, _suffixed(node, key)))
            loop = ts.Each(pair, source, (ts.Do(body),))
            return [build.declare(variable, ts.Array(()), ts.TypeArray(class_type)), loop]
        case RangeKind.MAP:
            key, value = _bind_range(node, range_, cx)
            if value:
                loop_source: ts.TsExpr = _entries(range_.value, values)
            else:
                loop_source = build.method(build.call("Object", "keys", values), "sort")
            target = ts.Element(ts.Name(variable), ts.Name(key))
            assign = ts.Assign(target, _construct(node, cx, _suffixed(node, key)))
            loop = ts.Each((key, value) if value else (key,), loop_source, (assign,))
            record = ts.TypeName("Record", (ts.TypeName("string"), class_type))
            return [build.declare(variable, ts.Object(()), record), loop]


def _present(range_: Range, values: ts.TsExpr) -> ts.TsExpr:
    """The collection or the number of a range; a missing one is empty."""
    plain = resolve(range_.value.type)
    if plain is DYNAMIC or not is_optional(plain):
        return values
    match range_.kind:
        case RangeKind.BOOL:
            return values
        case RangeKind.NUMBER:
            return ts.Binary("??", values, ts.Number("0"))
        case RangeKind.LIST:
            return ts.Binary("??", values, ts.Array(()))
        case RangeKind.MAP:
            return ts.Binary("??", values, ts.Object(()))


def is_untyped(range_: Range) -> bool:
    """Return whether only the running program knows if this is a list or a map."""
    return without_none(resolve(range_.value.type)) is DYNAMIC


def _entries(value: Expr, node: ts.TsExpr) -> ts.TsExpr:
    """The pairs of a map in the order of its keys; a literal that is in order needs no sorting."""
    if isinstance(value, ObjectExpr):
        keys = [str(i.key.value) if isinstance(i.key, Literal) else None for i in value.items]
        known = [k for k in keys if k is not None]
        if len(known) == len(keys) and known == sorted(known) and not any(k.isdigit() for k in known):
            return build.call("Object", "entries", node)
    return ts.Call(ts.Helper("sortedEntries"), (node,))


def _bind_number(range_: Range, cx: Context) -> ts.Variable:
    """The variable for `range.key` and `range.value`, which are the same for ranges over numbers."""
    index = ts.Variable(_INDEX)
    for symbol in (range_.key, range_.item):
        if symbol is not None:
            cx.bind_to(symbol, index)
            cx.file.naturals.add(symbol)
    return index


def _bind_range(
    node: Resource | ComponentUse, range_: Range, cx: Context
) -> tuple[ts.Variable, ts.Variable | None]:
    """Variables for `range.key`, which is in the names of the resources, and `range.value`; None for one without a use."""
    is_list = range_.kind is RangeKind.LIST
    preferred_names = _INDEX if is_list else _KEY
    key = ts.Variable(preferred_names) if range_.key is None else cx.bind(range_.key, *preferred_names)
    if is_list and range_.key is not None:
        cx.file.naturals.add(range_.key)
    if range_.item is None or range_.item not in _used(node):
        return key, None
    return key, cx.bind(range_.item, names.variable(range_.item.name), "value")


def _used(node: Resource | ComponentUse) -> set[Symbol]:
    """Return what is read for each of several resources."""
    return {part.symbol for body in body_of(node) for part in walk(body) if isinstance(part, Ref)}


def _eventual(node: Resource | ComponentUse, range_: Range, cx: Context) -> ts.TsExpr:
    """Resources whose number is known only later are made inside an apply, that of the range itself where it is one."""
    value = range_.value
    if isinstance(value, Apply) and not is_eventual(value.body.type):
        parameters = cx.bind_parameters(value.parameters, [value.body, *body_of(node)])
        return apply_to(value.args, parameters, _instances(node, range_, result_of(value.body, cx), cx), cx)
    resolved = ts.Variable(({RangeKind.BOOL: "wanted", RangeKind.NUMBER: "length"}.get(range_.kind, "values"),))
    instances = _instances(node, range_, ts.Name(resolved), cx)
    return build.method(translate_output(value, cx), "apply", build.arrow([resolved], instances))


def _instances(node: Resource | ComponentUse, range_: Range, values: ts.TsExpr, cx: Context) -> ts.TsExpr:
    """The resources over `values`, which are plain."""
    values = _present(range_, values)
    match range_.kind:
        case RangeKind.BOOL:
            instance = _construct(node, cx, ts.Text(node.logical_name))
            return ts.Conditional(values, instance, build.undefined())
        case RangeKind.NUMBER:
            index = _bind_number(range_, cx)
            instance = _construct(node, cx, _suffixed(node, index))
            return build.call("Array", "from", build.object_of(("length", values)), build.arrow([unused(), index], instance))
        case RangeKind.LIST:
            key, value = _bind_range(node, range_, cx)
            instance = _construct(node, cx, _suffixed(node, key))
            if is_untyped(range_):
                return build.method(entries_of(values, range_.value), "map", ts.Arrow(pattern([key, value]), instance))
            return build.method(values, "map", ts.Arrow(parameters([value, key]), instance))
        case RangeKind.MAP:
            key, value = _bind_range(node, range_, cx)
            instance = _construct(node, cx, _suffixed(node, key))
            pairs = ts.Call(ts.Helper("sortedEntries"), (values,))
            function = ts.Arrow(pattern([key, value]), ts.Array((ts.Name(key), instance)))
            return build.call("Object", "fromEntries", build.method(pairs, "map", function))


# -- construction -----------------------------------------------------------------------------------------------------


def _suffixed(node: Resource | ComponentUse, key: ts.Variable) -> ts.TsExpr:
    return build.concat_text([ts.Text(node.logical_name + "-"), ts.Name(key)])


def _in_component(name: ts.TsExpr, cx: Context) -> ts.TsExpr:
    """Inside a component all names begin with the component's."""
    if not cx.file.in_component:
        return name
    prefix = ts.Name(NAME)
    if isinstance(name, ts.Template):
        return ts.Template(("", "-" + name.texts[0], *name.texts[1:]), (prefix, *name.values))
    assert isinstance(name, ts.Text)
    return ts.Template(("", "-" + name.value), (prefix,))


def _class_type(node: Resource | ComponentUse, cx: Context) -> ts.TypeName:
    if isinstance(node, ComponentUse):
        if node.component is None:
            return cx.imports.pulumi_type("ComponentResource")
        component_class = _component_class(node.component, cx)
        return ts.TypeName(component_class.name, (), component_class)
    if node.declaration is None:
        return ts.TypeName("any")
    return sdk.resource_type(cx.imports, node.declaration)


def _component_class(component: Component, cx: Context) -> ts.Imported:
    place = cx.file.places[component]
    return cx.imports.component(place.class_name, place.file)


def _construct(node: Resource | ComponentUse, cx: Context, name: ts.TsExpr) -> ts.TsExpr:
    name = _in_component(name, cx)
    if isinstance(node, ComponentUse):
        return _component(node, cx, name)
    args = _arguments(node, cx)
    declaration = node.declaration
    pinned = {}
    if declaration is not None:
        package = declaration.package
        pinned = {"version": package.version, "pluginDownloadURL": package.plugin_download_url}
    remote = declaration is not None and declaration.is_component
    options = options_object(node.options, cx, is_component=remote, pinned=pinned)
    if declaration is None:
        callee = sdk.unknown_class(cx.imports, node.token)
    else:
        callee = sdk.resource_class(cx.imports, declaration)
    if node.read_id is not None:
        return _look_up(node, cx, (callee, name, args, options))
    if options is not None:
        return ts.New(callee, (name, args, options), token=node.token)
    return ts.New(callee, (name,) if _needs_no_arguments(node) else (name, args), token=node.token)


def _needs_no_arguments(node: Resource) -> bool:
    """Return whether a resource has no inputs, and its class asks for none."""
    if node.inputs or node.closing or node.declaration is None:
        return False
    return all(_may_be_omitted(field) for field in node.declaration.inputs.fields(Shape.INPUT).values())


def _may_be_omitted(field: Field) -> bool:
    """Return whether the SDK declares an input as optional; the type `any` has null among its values either way."""
    type_ = resolve(field.type)
    return is_optional(type_) or (type_ is DYNAMIC and not field.required)


def _look_up(
    node: Resource, cx: Context, parts: tuple[ts.TsExpr, ts.TsExpr, ts.Object, ts.TsExpr | None]
) -> ts.TsExpr:
    """`Cls.get(name, id, state, options)`; classes without look-up state have no parameter for it."""
    callee, name, state, options = parts
    assert node.read_id is not None
    arguments: list[ts.TsExpr] = [name, translate(node.read_id, cx)]
    if state.properties:
        arguments.append(state)
    elif options is not None and _has_state(node):
        arguments.append(build.undefined())
    if options is not None:
        arguments.append(options)
    return build.method(callee, "get", *arguments)


def _has_state(node: Resource) -> bool:
    return node.declaration is None or bool(node.declaration.state.fields(Shape.INPUT))


def _component(node: ComponentUse, cx: Context, name: ts.TsExpr) -> ts.TsExpr:
    args = ts.Object(
        tuple(ts.Property(i.name, _argument(node, i, cx), notes(i.comments), i) for i in node.inputs),
        len(node.inputs) > 1,
        node.closing,
    )
    options = options_object(node.options, cx, is_component=True, pinned={})
    more = (options,) if options is not None else ()
    if node.component is None:
        base = cx.imports.pulumi("ComponentResource")
        return ts.New(base, (ts.Text(node.token), name, args, *more), token=node.type_token)
    callee = _component_class(node.component, cx)
    takes = bool(node.component.inputs.fields(Shape.INPUT))
    return ts.New(callee, (name, *((args,) if takes else ()), *more), token=node.type_token)


def _argument(node: ComponentUse, item: Input, cx: Context) -> ts.TsExpr:
    """An argument of a component; what is not seen to be one of its literals is cast, as it was looked at before."""
    value = member_value(item.field, item.value, None, cx)
    wanted = None if item.field is None else declared(item.field.type, item.field.rule)
    if node.component is None or wanted is None or not holds_literals(wanted) or in_place(item.value, wanted):
        return value
    if isinstance(item.value, Ref) and cx.file.declared.get(item.value.symbol) == wanted:
        return value
    place = cx.file.places[node.component]
    return ts.As(value, cx.imports.argument_type(place.class_name, place.file, item.name))


def _arguments(node: Resource, cx: Context) -> ts.Object:
    declaration = node.declaration
    package = declaration.package if declaration is not None else None
    properties = tuple(
        ts.Property(i.name, _closed(node, i, member_value(i.field, i.value, package, cx), cx), notes(i.comments), i)
        for i in node.inputs
    )
    return ts.Object(properties, len(properties) > 1, node.closing)


def _closed(node: Resource, item: Input, value: ts.TsExpr, cx: Context) -> ts.TsExpr:
    """A text, cast where the SDK's own type is closed and the schema's is not."""
    wanted = None if node.declaration is None else sdk.closed_type(cx.imports, node.declaration, item.name)
    return value if wanted is None or _is_chosen(item.value) else cast(item.value, value, wanted, cx)


def _is_chosen(expr: Expr) -> bool:
    """Return whether TypeScript sees which of several literals a text is."""
    if isinstance(expr, Conditional):
        return _is_chosen(expr.then) and _is_chosen(expr.otherwise)
    return isinstance(expr, Literal)
