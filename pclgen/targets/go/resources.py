"""Resources, reads and component uses, single and ranged (targets.md, Resources; Ranges; Uses).

`Resource` and `ComponentUse` nodes become constructor calls with their error checks; ranges become loops.

    var web []*digitalocean.Droplet
    for i := range count {
        item, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("web-%d", i), &digitalocean.DropletArgs{…})
        …
        web = append(web, item)
    }
"""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.core.declared import declared
from pclgen.core.expr import Literal
from pclgen.core.predicates import is_null
from pclgen.core.program import ComponentUse, Range, RangeKind, Resource
from pclgen.core.walk import body_symbols
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, begin_lift, finish_lift
from pclgen.targets.go.context import Block, Frame, Place, Value
from pclgen.targets.go.literals import comment_lines, struct_element
from pclgen.targets.go.loops import count_loop, iterate_value, plan_iteration
from pclgen.targets.go.names import type_name
from pclgen.targets.go.natives import convert_native
from pclgen.targets.go.options import with_options
from pclgen.targets.go.sdk import field_names, member_of_token
from pclgen.targets.go.spelling import native_type, resource_symbol, with_constant
from pclgen.targets.names import lowercase_first
from pclgen.types.declarations import ResourceDecl, Shape

Node = Resource | ComponentUse


def declare_resource(b: Block, node: Node, name: str, *, is_used: bool) -> None:
    """Create the resources of a node, and bind its symbol if it is used."""
    if node.range is not None:
        _ranged(b, node, name, is_used=is_used)
        return
    instance = _create(b, node, _logical_name(b, node, None), name if is_used else None)
    if is_used:
        b.bind(node.symbol, Value(instance, gt.plain(_native(b, node))))


# ----------------------------------------------------------------------------------------------------- names


def _logical_name(b: Block, node: Node, key: Value | None) -> go.Expr:
    """Return the engine's name for a resource: prefixed by the component's name, suffixed by the key of a range."""
    inside = b.frame.component is not None
    base = node.logical_name
    if not inside and key is None:
        return go.Text(base)
    if key is None:
        return go.Binary(make.NAME, "+", go.Text(f"-{base}"))
    verb = "%d" if key.type.native == gt.INT else "%v" if isinstance(key.type.native, gt.AnyNative) else "%s"
    form = ("%s-" if inside else "") + base.replace("%", "%%") + f"-{verb}"
    arguments = ([make.NAME] if inside else []) + [key.node]
    return make.call(b.file.qualified("fmt", "Sprintf"), go.Text(form), *arguments)


# ---------------------------------------------------------------------------------------------- constructors


def _native(b: Block, node: Node) -> gt.ResourceNative:
    """Return the type of an instance of `node`."""
    if isinstance(node, ComponentUse):
        components = b.file.session.natives.components
        return components[node.component.value] if node.component is not None else gt.ResourceNative()
    if node.declaration is not None:
        return gt.ResourceNative(node.declaration)
    is_provider = node.token.startswith("pulumi:providers:")
    return gt.ResourceNative(interface="ProviderResource" if is_provider else "CustomResource")


def _instance_hint(node: Node, native: gt.ResourceNative) -> str:
    """Return the preferred variable name for an instance: `droplet` for a Droplet."""
    if native.declaration is not None:
        return lowercase_first(member_of_token(native.declaration.token))
    return lowercase_first(native.name or type_name(member_of_token(node.token)))


def _create(b: Block, node: Node, label: go.Expr, hint: str | None) -> go.Expr:
    """Create an instance; return its variable, preferably named `hint`, or `_` without a hint."""
    native, call = _native(b, node), None
    if isinstance(node, ComponentUse) and node.component is not None:
        call = _component_call(b, node, native, label)
    elif native.declaration is not None:
        assert isinstance(node, Resource)
        call = _resource_call(b, node, native.declaration, label)
    if call is not None and hint is not None:
        return b.attempt(hint, call)
    if call is not None:
        b.attempt_unused(call)
        return make.BLANK
    state: go.Expr = make.address(make.struct(b.file.pulumi(native.interface + "State"), {}))
    if hint is not None:
        state = b.declare(hint, state)
    b.attempt_error(_registration_call(b, node, label, state))
    return state


def _resource_call(b: Block, node: Resource, declaration: ResourceDecl, label: go.Expr) -> go.Call:
    """Return the call of a resource's constructor, or of the function that reads the resource."""
    is_read = node.read_id is not None
    fields = (declaration.state if is_read else declaration.inputs).fields(Shape.INPUT)
    elements = [struct_element(b, item.name, fields.get(item.name) or item.field, item) for item in node.inputs]
    present = tuple(e for e in elements if e is not None)
    struct: go.Expr = make.NIL
    if present:
        type_ = resource_symbol(b.file, declaration, suffix="State" if is_read else "Args")
        struct = make.address(go.Composite(type=type_, elements=present, closing=node.closing, block=True))
    arguments = [label, struct]
    if node.read_id is not None:
        arguments.insert(1, b.into(node.read_id, gt.input_(gt.ID), "id"))
    function = resource_symbol(b.file, declaration, "Get" if is_read else "New")
    call = with_options(b, node.options, function, make.CTX, *arguments)
    return call if is_read else replace(call, token=node.token)


def _component_call(b: Block, node: ComponentUse, native: gt.ResourceNative, label: go.Expr) -> go.Call:
    """Return the call of the constructor of a component of the program."""
    assert native.component is not None
    fields = b.file.session.component_fields[native.component]
    keys = field_names(fields)
    elements = []
    for item in node.inputs:
        if is_null(item.value):
            continue
        value = b.into(item.value, _read_as(fields[item.name]), item.name)
        if item.field is not None:
            value = with_constant(b.file.session, value, item.value, declared(item.field.type, item.field.rule))
        key = go.Field(keys[item.name])
        elements.append(go.Element(key=key, value=value, comments=comment_lines(item.comments), origin=item))
    arguments: list[go.Expr] = []
    if fields:
        type_ = go.Declared(native.name + "Args")
        literal = go.Composite(type=type_, elements=tuple(elements), closing=node.closing, block=True)
        arguments = [make.address(literal) if elements else make.NIL]
    call = with_options(b, node.options, go.Declared("New" + native.name), make.CTX, label, *arguments)
    return replace(call, token=node.type_token)


def _registration_call(b: Block, node: Node, label: go.Expr, state: go.Expr) -> go.Call:
    """Return the registration, or reading, by token of a resource or component without a declaration."""
    arguments: list[go.Expr] = [go.Text(node.token), label]
    if isinstance(node, ComponentUse):
        function = "RegisterComponentResource" + ("V2" if node.inputs else "")
    else:
        function = "RegisterResource" if node.read_id is None else "ReadResource"
        if node.read_id is not None:
            arguments.append(b.into(node.read_id, gt.input_(gt.ID), "id"))
    if node.inputs or isinstance(node, Resource):
        inputs = [
            go.Element(key=go.Text(i.name), value=b.into(i.value, gt.input_(gt.ANY), i.name), origin=i)
            for i in node.inputs
        ]
        arguments.append(go.Composite(type=b.file.pulumi("Map"), elements=tuple(inputs)))
    return with_options(b, node.options, make.select(make.CTX, function), *arguments, state)


def _read_as(t: gt.GoType) -> gt.GoType:
    """Return the type in which a component reads an input of type `t`.

    If the SDK has no type for a list or a map, the component asserts the Go type of the output's value. A `pulumi.Map`
    would contain a value of another type.
    """
    holds_scalars = isinstance(gt.innermost(t.native), gt.Scalar)
    return gt.output(t.native) if t.form is gt.Form.INPUT and holds_scalars and not gt.has_family(t.native) else t


# ---------------------------------------------------------------------------------------------------- ranges


def _ranged(b: Block, node: Node, name: str, *, is_used: bool) -> None:
    range_ = node.range
    assert range_ is not None
    value = b.natural(range_.value, name) if range_.value.type.eventual else None
    if value is not None and not value.type.is_plain and value.type.form is not gt.Form.COMPOSITE:
        _ranged_later(b, node, value, name, is_used=is_used)
        return
    if range_.kind is RangeKind.BOOL and isinstance(range_.value, Literal) and range_.value.value is True:
        declare_resource(b, replace(node, range=None), name, is_used=is_used)
        return
    native = _collection(range_, _native(b, node))
    target = _declare_collection(b, native, name) if is_used else None
    _fill(b, node, None, target=target)
    if target is not None:
        b.bind(node.symbol, Value(target, gt.plain(native)))


def _collection(range_: Range, native: gt.Native) -> gt.Native:
    match range_.kind:
        case RangeKind.BOOL:
            return native
        case RangeKind.MAP:
            return gt.Map(native)
        case RangeKind.NUMBER | RangeKind.LIST:
            return gt.Slice(native)


def _declare_collection(b: Block, native: gt.Native, name: str) -> go.Name:
    if isinstance(native, gt.Map):
        return b.declare(name, make.struct(native_type(b.file, native), {}))
    return b.variable(name, native_type(b.file, native))


def _set(b: Block, range_: Range, value: Value | None, want: gt.Native) -> go.Expr:
    """Return the bool or the number of a range, false or zero if it is null: null is the empty range."""
    hint = "condition" if want == gt.BOOL else "count"
    place = Place(range_.value.span, hint)
    if value is None:
        value = b.natural(range_.value, hint) if range_.is_nullable else None
        if value is None or not isinstance(value.type.native, gt.Pointer):
            return b.into(range_.value, gt.plain(want), hint)
    if not isinstance(value.type.native, gt.Pointer):
        return convert_native(b, value, want, place)
    pointer = b.reusable(value, hint).node
    if want == gt.BOOL:
        return go.Binary(go.Binary(pointer, "!=", make.NIL), "&&", go.Star(pointer))
    return b.unless_nil(pointer, native_type(b.file, want), hint, lambda _: go.Star(pointer))


def _make_one(block: Block, node: Node, key: Value | None, target: go.Expr | None) -> None:
    """Emit one iteration of the loop: create the resource and add it to the collection."""
    range_ = node.range
    assert range_ is not None
    hint = _instance_hint(node, _native(block, node)) if target is not None else None
    instance = _create(block, node, _logical_name(block, node, key), hint)
    if target is None:
        return
    if key is None:
        block.emit(make.assign(target, instance))
    elif range_.kind is RangeKind.MAP:
        block.emit(make.assign(go.Index(target, key.node), instance))
    else:
        block.emit(make.append(target, instance))


def _ranged_later(b: Block, node: Node, value: Value, name: str, *, is_used: bool) -> None:
    """Emit a deferred range: the loop runs in a callback, which returns the created resources."""
    range_ = node.range
    assert range_ is not None
    operand = as_output(b, value)
    if not make.is_simple(operand.node) and not _is_accessor(operand.node):
        operand = Value(b.declare(f"{name}Range", operand.node), operand.type)
    native = _collection(range_, _native(b, node))
    inner = b.function(Frame(zeros=(make.NIL,), component=b.frame.component))
    parameter = "items" if range_.kind in (RangeKind.LIST, RangeKind.MAP) else "value"
    callback, argument = begin_lift(inner, operand, parameter)
    target = _declare_collection(inner, native, f"{name}Made") if is_used else None
    _fill(inner, node, argument, target=target)
    result = target if target is not None else make.NIL
    into = gt.GoType(native, gt.Form.OUTPUT, erased=True)
    lifted = finish_lift(b, callback, result, into, static=make.ANY if target is None else None)
    if is_used:
        b.bind(node.symbol, Value(b.declare(name, lifted.node), into))
    else:
        assert isinstance(lifted.node, go.TypeAssertion)
        b.emit(go.ExpressionStatement(expression=lifted.node.operand))


def _is_accessor(node: go.Expr) -> bool:
    """Return whether `node` is a chain of accessors like `x.Foo().Bar()`."""
    if isinstance(node, go.Call):
        return not node.arguments and isinstance(node.function, go.Selector) and _is_accessor(node.function.operand)
    return make.is_simple(node)


def _fill(b: Block, node: Node, value: Value | None, *, target: go.Expr | None) -> None:
    """Emit the loop over a range, or over its translated `value`; resource names always need the key."""
    range_ = node.range
    assert range_ is not None
    if range_.kind is RangeKind.BOOL:
        condition = _set(b, range_, value, gt.BOOL)
        body = b.inner()
        _make_one(body, node, None, target)
        b.emit_if(condition, body)
        return
    assert range_.key is not None
    symbols, used = (range_.key, range_.item), body_symbols(node) | {range_.key}
    if range_.kind is RangeKind.NUMBER:
        plan = count_loop(b, _set(b, range_, value, gt.INT), (range_.key,))
    elif value is None:
        plan = plan_iteration(b, range_.value, symbols, used)
    else:
        plan = iterate_value(b, value, symbols, used, hint="items", at=range_.value.span)
    _make_one(plan.block, node, b.file.bindings[range_.key], target)
    plan.emit(b)
