"""Resources, look-ups, component uses and hooks as statements (targets.md, Resources; Ranges; Uses; Hooks).

The statements of a resource are repeated over its range.

resource web … {}                    const web = new aws.Instance("web", { … });
range = 3                            const web: aws.Instance[] = [];   for (let i = 0; i < 3; i++) { web.push(…); }
range = r.names (an output)          const web = r.names.apply((names) => names.map((name, i) => new …));

Hooks are functions that run a command on lifecycle events of a resource.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import declared, holds_literals, in_place
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Expr, ListExpr
from pclgen.core.program import Hook
from pclgen.core.walk import body_of, body_symbols
from pclgen.targets.typescript import build, names, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.applies import apply_to, result_of
from pclgen.targets.typescript.context import NAME, Context, parameters, pattern, translate, translate_output
from pclgen.targets.typescript.conversions import cast
from pclgen.targets.typescript.expressions import member_value
from pclgen.targets.typescript.loops import entries_of
from pclgen.targets.typescript.options import options_argument
from pclgen.types.declarations import Field, Shape
from pclgen.types.model import DYNAMIC, is_optional, resolve


def statements(cx: Context, node: prog.Resource | prog.ComponentUse) -> list[ts.Statement]:
    """The statements that create the resource or resources of `node`."""
    if node.range is None:
        value = _construct(cx, node)
        return [build.declare(cx.variable(node.symbol), value)]
    if is_eventual(node.range.value.type):
        return [build.declare(cx.variable(node.symbol), _eventual(cx, node, node.range))]
    return _ranged(cx, node, node.range)


# -- ranges -----------------------------------------------------------------------------------------------------------


def _ranged(cx: Context, node: prog.Resource | prog.ComponentUse, range_: prog.Range) -> list[ts.Statement]:
    variable = cx.variable(node.symbol)
    values = _present(range_, translate(cx, range_.value))
    if range_.kind is prog.RangeKind.BOOL:
        return [build.declare(variable, _at_most_one(cx, node, values))]
    class_type = _class_type(cx, node)
    key, value = _bind_range(cx, node, range_)
    pair = (key, value) if value or range_.is_untyped else (key,)
    instance = _construct(cx, node, key)
    if range_.kind is prog.RangeKind.MAP:
        source = _entries(range_.value, values) if value else build.method(build.call("Object", "keys", values), "sort")
        assign = ts.Assign(ts.Element(ts.Name(variable), ts.Name(key)), instance)
        record = ts.TypeName("Record", (ts.TypeName("string"), class_type))
        return [build.declare(variable, ts.Object(()), record), ts.Each(pair, source, (assign,))]
    body = (ts.Do(build.method(ts.Name(variable), "push", instance)),)
    if range_.kind is prog.RangeKind.NUMBER:
        loop: ts.Statement = ts.Count(key, values, body)
    elif range_.is_untyped:
        loop = ts.Each(pair, entries_of(values, range_.value), body)
    else:
        loop = ts.Each(pair, build.method(values, "entries" if value else "keys"), body)
    return [build.declare(variable, ts.Array(()), ts.TypeArray(class_type)), loop]


def _present(range_: prog.Range, values: ts.TsExpr) -> ts.TsExpr:
    """The collection or the number of a range; empty if it is null."""
    if range_.kind is prog.RangeKind.BOOL or not range_.is_nullable:
        return values
    empty: dict[prog.RangeKind, ts.TsExpr] = {
        prog.RangeKind.NUMBER: ts.Number("0"),
        prog.RangeKind.LIST: ts.Array(()),
        prog.RangeKind.MAP: ts.Object(()),
    }
    return ts.Binary("??", values, empty[range_.kind])


def _entries(value: core.Expr, node: ts.TsExpr) -> ts.TsExpr:
    """The pairs of a map in the order of its keys; an ordered literal needs no sorting."""
    if isinstance(value, core.ObjectExpr):
        keys = [str(i.key.value) if isinstance(i.key, core.Literal) else None for i in value.items]
        literals = [k for k in keys if k is not None]
        if len(literals) == len(keys) and literals == sorted(literals) and not any(k.isdigit() for k in literals):
            return build.call("Object", "entries", node)
    return ts.Call(ts.Helper("sortedEntries"), (node,))


def _bind_range(
    cx: Context, node: prog.Resource | prog.ComponentUse, range_: prog.Range
) -> tuple[ts.Variable, ts.Variable | None]:
    """Variables for `range.key`, which is in the names of the resources, and for `range.value`.

    The second is None if the value is unused or is the key itself.
    """
    assert range_.key is not None
    if range_.kind is prog.RangeKind.MAP:
        key = cx.bind(range_.key, "key", "value")
    else:
        key = cx.bind(range_.key, "i", "index")
        cx.file.naturals.add(range_.key)
    if range_.item is None or range_.item is range_.key or range_.item not in body_symbols(node):
        return key, None
    return key, cx.bind(range_.item, names.variable(range_.item.name), "value")


def _eventual(cx: Context, node: prog.Resource | prog.ComponentUse, range_: prog.Range) -> ts.TsExpr:
    """Resources over an eventual range, created inside an apply: the range's own apply if it has one."""
    value = range_.value
    if isinstance(value, core.Apply) and not is_eventual(value.body.type):
        parameters = cx.bind_parameters(value.parameters, [value.body, *body_of(node)])
        return apply_to(cx, value.args, parameters, _instances(cx, node, range_, result_of(cx, value.body)))
    resolved = ts.Variable(({prog.RangeKind.BOOL: "wanted", prog.RangeKind.NUMBER: "length"}.get(range_.kind, "values"),))
    instances = _instances(cx, node, range_, ts.Name(resolved))
    return build.method(translate_output(cx, value), "apply", build.arrow([resolved], instances))


def _instances(cx: Context, node: prog.Resource | prog.ComponentUse, range_: prog.Range, values: ts.TsExpr) -> ts.TsExpr:
    """The resources over the plain `values`."""
    values = _present(range_, values)
    if range_.kind is prog.RangeKind.BOOL:
        return _at_most_one(cx, node, values)
    key, value = _bind_range(cx, node, range_)
    instance = _construct(cx, node, key)
    if range_.kind is prog.RangeKind.MAP:
        function = ts.Arrow(pattern([key, value]), ts.Array((ts.Name(key), instance)))
        pairs = ts.Call(ts.Helper("sortedEntries"), (values,))
        return build.call("Object", "fromEntries", build.method(pairs, "map", function))
    if range_.is_untyped:
        return build.method(entries_of(values, range_.value), "map", ts.Arrow(pattern([key, value]), instance))
    function = ts.Arrow(parameters([value, key]), instance)
    if range_.kind is prog.RangeKind.NUMBER:
        return build.call("Array", "from", build.object_of(("length", values)), function)
    return build.method(values, "map", function)


def _at_most_one(cx: Context, node: prog.Resource | prog.ComponentUse, condition: ts.TsExpr) -> ts.TsExpr:
    return ts.Conditional(condition, _construct(cx, node), build.undefined())


# -- construction -----------------------------------------------------------------------------------------------------


def _logical_name(cx: Context, node: prog.Resource | prog.ComponentUse, key: ts.Variable | None) -> ts.TsExpr:
    """The name of a resource, `web-${i}` in a range; inside a component it starts with the component's name."""
    before = (ts.Name(NAME), ts.Text("-")) if cx.file.in_component else ()
    behind = (ts.Text("-"), ts.Name(key)) if key is not None else ()
    return build.concat_text((*before, ts.Text(node.logical_name), *behind))


def _class_type(cx: Context, node: prog.Resource | prog.ComponentUse) -> ts.TypeName:
    if isinstance(node, prog.ComponentUse):
        if node.component is None:
            return cx.imports.pulumi_type("ComponentResource")
        component_class = _component_class(cx, node.component)
        return ts.TypeName(component_class.name, (), component_class)
    if node.declaration is None:
        return ts.TypeName("any")
    return sdk.resource_type(cx.imports, node.declaration)


def _component_class(cx: Context, component: prog.Component) -> ts.Imported:
    place = cx.file.places[component]
    return cx.imports.component(place.class_name, place.file)


def _construct(
    cx: Context, node: prog.Resource | prog.ComponentUse, key: ts.Variable | None = None
) -> ts.TsExpr:
    """The resource, or the resource of a range at `key`."""
    name = _logical_name(cx, node, key)
    if isinstance(node, prog.ComponentUse):
        return _component(cx, node, name)
    args = _inputs(node, [_input(cx, node, item) for item in node.inputs])
    declaration = node.declaration
    if declaration is None:
        callee, remote, pinned = sdk.unknown_class(cx.imports, node.token), False, {}
    else:
        callee, remote = sdk.resource_class(cx.imports, declaration), declaration.is_component
        package = declaration.package
        pinned = {"version": package.version, "pluginDownloadURL": package.plugin_download_url}
    options = options_argument(cx, node.options, is_component=remote, pinned=pinned)
    if node.read_id is not None:
        return build.method(callee, "get", name, translate(cx, node.read_id), *_state(node, args, options), *options)
    arguments = () if not options and _needs_no_arguments(node) else (args,)
    return ts.New(callee, (name, *arguments, *options), token=node.token)


def _needs_no_arguments(node: prog.Resource) -> bool:
    """Return whether a resource has no inputs, and its class requires none."""
    if node.inputs or node.closing or node.declaration is None:
        return False
    return all(_may_be_omitted(field) for field in node.declaration.inputs.fields(Shape.INPUT).values())


def _may_be_omitted(field: Field) -> bool:
    """Return whether the SDK declares an input as optional; the type `any` includes null in either case."""
    type_ = resolve(field.type)
    return is_optional(type_) or (type_ is DYNAMIC and not field.required)


def _state(node: prog.Resource, args: ts.Object, options: Sequence[ts.TsExpr]) -> Sequence[ts.TsExpr]:
    """The look-up state, `undefined` before options; classes without look-up state have no parameter for it."""
    if args.properties:
        return (args,)
    has_state = node.declaration is None or bool(node.declaration.state.fields(Shape.INPUT))
    return (build.undefined(),) if options and has_state else ()


def _component(cx: Context, node: prog.ComponentUse, name: ts.TsExpr) -> ts.TsExpr:
    args = _inputs(node, [_argument(cx, node, item) for item in node.inputs])
    options = options_argument(cx, node.options, is_component=True, pinned={})
    if node.component is None:
        base = cx.imports.pulumi("ComponentResource")
        return ts.New(base, (ts.Text(node.token), name, args, *options), token=node.type_token)
    callee = _component_class(cx, node.component)
    takes = bool(node.component.inputs.fields(Shape.INPUT))
    return ts.New(callee, (name, *((args,) if takes else ()), *options), token=node.type_token)


def _argument(cx: Context, node: prog.ComponentUse, item: prog.Input) -> ts.TsExpr:
    """An argument of a component; a checked value is cast if TypeScript cannot see that it is one of the type's literals."""
    value = member_value(cx, item.field, item.value, None)
    input_type = None if item.field is None else declared(item.field.type, item.field.rule)
    if node.component is None or input_type is None or not holds_literals(input_type) or in_place(item.value, input_type):
        return value
    if isinstance(item.value, core.Ref) and cx.file.declared.get(item.value.symbol) == input_type:
        return value
    place = cx.file.places[node.component]
    return ts.As(value, cx.imports.argument_type(place.class_name, place.file, item.name))


def _inputs(node: prog.Resource | prog.ComponentUse, values: Sequence[ts.TsExpr]) -> ts.Object:
    """The object with the inputs of `node`, which have these values."""
    pairs = zip(node.inputs, values, strict=True)
    properties = tuple([ts.Property(item.name, value, item.comments, item) for item, value in pairs])
    return ts.Object(properties, len(properties) > 1, node.closing)


def _input(cx: Context, node: prog.Resource, item: prog.Input) -> ts.TsExpr:
    """An input of a resource: a text is cast where the SDK's type is closed but the schema's type is not."""
    declaration = node.declaration
    if declaration is None:
        return member_value(cx, item.field, item.value, None)
    value = member_value(cx, item.field, item.value, declaration.package)
    closed = sdk.closed_type(cx.imports, declaration, item.name)
    return value if closed is None or _is_chosen(item.value) else cast(cx, item.value, value, closed)


def _is_chosen(expr: core.Expr) -> bool:
    """Return whether TypeScript infers a literal type for a text."""
    if isinstance(expr, core.Conditional):
        return _is_chosen(expr.then) and _is_chosen(expr.otherwise)
    return isinstance(expr, core.Literal)


# -- hooks ------------------------------------------------------------------------------------------------------------------

def statement(cx: Context, node: Hook) -> ts.Statement:
    """`const x = new pulumi.ResourceHook("x", (args) => { … });`."""
    if node.command.type.eventual:
        cx.refuse("a hook whose command has outputs in it", node.command.span, "hooks run outside of the program")
    used = cx.bind_parameters([node.args], [node.command])
    run = ts.Do(_run(cx, node.command))
    if node.is_error_hook:
        yes, no = ts.Return(ts.Constant("true")), ts.Return(ts.Constant("false"))
        body: tuple[ts.Statement, ...] = (ts.Try((run, yes), (no,)),)
    else:
        body = (run,)
    args: list[ts.TsExpr] = [ts.Text(node.symbol.name), ts.Arrow(parameters(used), body)]
    options = [
        (name, translate(cx, value))
        for name, value in (("onDryRun", node.on_dry_run), ("ignoreErrors", node.ignore_errors))
        if value is not None
    ]
    if options:
        args.append(build.object_of(*options))
    callee = cx.imports.pulumi("ErrorHook" if node.is_error_hook else "ResourceHook")
    return build.declare(cx.variable(node.symbol), ts.New(callee, tuple(args)))


def _run(cx: Context, command: Expr) -> ts.TsExpr:
    """`childProcess.execFileSync(file, [args])`."""
    module = cx.imports.node("childProcess")
    if isinstance(command, ListExpr) and command.elements:
        first, *rest = command.elements
        arguments = [translate(cx, first), ts.Array(tuple(translate(cx, e) for e in rest))]
        return build.method(module, "execFileSync", *arguments[: 2 if rest else 1])
    words = translate(cx, command)
    again = translate(cx, command)
    rest_of = build.method(again, "slice", ts.Number("1"))
    return build.method(module, "execFileSync", ts.Element(words, ts.Number("0")), rest_of)
