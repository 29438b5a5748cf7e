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

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.declared import declared
from pclgen.core.expr import Literal, Symbol
from pclgen.core.predicates import is_null
from pclgen.core.program import ComponentUse, Range, RangeKind, Resource
from pclgen.core.walk import body_symbols
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import Callback, as_output, finish_lift
from pclgen.targets.go.context import Block, Frame, Place, Value
from pclgen.targets.go.declared import with_constant
from pclgen.targets.go.literals import comment_lines, struct_element
from pclgen.targets.go.loops import Iteration, iterate_value, plan_iteration
from pclgen.targets.go.names import type_name
from pclgen.targets.go.natives import convert_native
from pclgen.targets.go.options import with_options
from pclgen.targets.go.sdk import field_names, sdk_of
from pclgen.targets.go.spelling import native_type
from pclgen.targets.names import lowercase_first
from pclgen.types.declarations import Shape

Node = Resource | ComponentUse


class Construction(Struct, frozen=True):
    """The creation of one instance of a node: `call(block, name)` is the constructor call, which returns (value, error)."""

    native: gt.ResourceNative
    call: Callable[[Block, go.Expr], go.Expr]

    @property
    def hint(self) -> str:
        """The preferred variable name for an instance: `droplet` for a Droplet."""
        declaration = self.native.declaration
        name = self.native.name if declaration is None else declaration.token.rsplit(":", 1)[-1]
        return lowercase_first(name)

    def make(self, b: Block, name: go.Expr, hint: str) -> go.Expr:
        """Create an instance and return its variable."""
        return b.attempt(hint, self.call(b, name))

    def make_unused(self, b: Block, name: go.Expr) -> None:
        """Create an instance without references."""
        b.attempt_unused(self.call(b, name))


class Registration(Struct, frozen=True):
    """The creation of an instance whose type has no constructor: `call(block, name, state)` fills the struct `state`."""

    native: gt.ResourceNative
    token: str
    call: Callable[[Block, go.Expr, go.Expr], go.Expr]

    @property
    def hint(self) -> str:
        """The preferred variable name for an instance."""
        return lowercase_first(type_name(self.token.rsplit(":", 1)[-1]))

    def make(self, b: Block, name: go.Expr, hint: str) -> go.Expr:
        """Create an instance and return its variable."""
        held = b.declare(hint, self._state(b))
        b.attempt_error(self.call(b, name, held))
        return held

    def make_unused(self, b: Block, name: go.Expr) -> None:
        """Create an instance without references."""
        b.attempt_error(self.call(b, name, self._state(b)))

    def _state(self, b: Block) -> go.Expr:
        return make.address(make.struct(b.file.pulumi(self.native.interface + "State"), {}))


Made = Construction | Registration


def declare_resource(b: Block, node: Node, name: str, *, is_used: bool) -> None:
    """Create the resources of a node, and bind its symbol if it is used."""
    construction = _construction(b, node)
    if node.range is None:
        label = _logical_name(b, node, None)
        if is_used:
            b.bind(node.symbol, Value(construction.make(b, label, name), gt.plain(construction.native)))
        else:
            construction.make_unused(b, label)
        return
    _ranged(b, node, construction, name, is_used=is_used)


# ----------------------------------------------------------------------------------------------------- names


def _logical_name(b: Block, node: Node, key: Value | None) -> go.Expr:
    """Return the engine's name for a resource: prefixed by the component's name, suffixed by the key of a range."""
    inside = b.frame.component is not None
    base = node.logical_name
    if not inside and key is None:
        return make.text(base)
    if key is None:
        return make.binary(make.NAME, "+", make.text(f"-{base}"))
    verb = "%d" if key.type.native == gt.INT else "%v" if isinstance(key.type.native, gt.AnyNative) else "%s"
    form = ("%s-" if inside else "") + base.replace("%", "%%") + f"-{verb}"
    arguments = ([make.NAME] if inside else []) + [key.node]
    return make.call(b.file.qualified("fmt", "Sprintf"), make.text(form), *arguments)


# ---------------------------------------------------------------------------------------------- constructors


def _construction(b: Block, node: Node) -> Made:
    if isinstance(node, ComponentUse):
        return _component_construction(b, node) if node.component is not None else _component_registration(node)
    if node.declaration is None:
        return _registration(node)
    return _read_construction(node) if node.read_id is not None else _resource_construction(node)


def _resource_construction(node: Resource) -> Construction:
    native = gt.ResourceNative(node.declaration)

    def call(block: Block, name: go.Expr) -> go.Expr:
        arguments = _argument_struct(block, node, "Args")
        call_node = with_options(block, node.options, _function(block, native, "New"), make.CTX, name, arguments)
        return replace(call_node, token=node.token)

    return Construction(native, call)


def _read_construction(node: Resource) -> Construction:
    native = gt.ResourceNative(node.declaration)
    read_id = node.read_id
    assert read_id is not None

    def call(block: Block, name: go.Expr) -> go.Expr:
        state = _argument_struct(block, node, "State")
        id_ = block.into(read_id, gt.input_(gt.ID), "id")
        return with_options(block, node.options, _function(block, native, "Get"), make.CTX, name, id_, state)

    return Construction(native, call)


def _function(b: Block, native: gt.ResourceNative, prefix: str, suffix: str = "") -> go.Expr:
    declaration = native.declaration
    assert declaration is not None
    if declaration.package.name == "pulumi":
        return b.file.pulumi(prefix + declaration.token.rsplit(":", 1)[-1] + suffix)
    symbol = sdk_of(declaration.package).resource(declaration)
    return b.file.qualified(symbol.path, prefix + symbol.name + suffix)


def _argument_struct(b: Block, node: Resource, suffix: str) -> go.Expr:
    """Return `&pkg.XArgs{…}`, or nil without inputs."""
    declaration = node.declaration
    assert declaration is not None
    owner = declaration.inputs if suffix == "Args" else declaration.state
    fields = owner.fields(Shape.INPUT)
    elements = []
    for item in node.inputs:
        declared = fields.get(item.name) or item.field
        elements.append(struct_element(b, item.name, declared, item))
    state = tuple(e for e in elements if e is not None)
    if not state:
        return make.NIL
    type_ = _function(b, gt.ResourceNative(declaration), "", suffix)
    return make.address(go.Composite(type=type_, elements=state, closing=node.closing, block=True))


def _component_construction(b: Block, node: ComponentUse) -> Construction:
    component = node.component
    assert component is not None
    native = b.file.session.natives.component(component.value)
    fields = b.file.session.component_fields[component.value]
    keys = field_names(fields)

    def call(block: Block, name: go.Expr) -> go.Expr:
        elements = []
        for item in node.inputs:
            if is_null(item.value):
                continue
            value = block.into(item.value, _read_as(fields[item.name]), item.name)
            if item.field is not None:
                form = declared(item.field.type, item.field.rule)
                value = with_constant(b.file.session, value, item.value, form)
            key = make.field(keys[item.name])
            elements.append(go.Element(key=key, value=value, comments=comment_lines(item.comments), origin=item))
        type_ = make.declared(native.name + "Args")
        arguments: list[go.Expr] = []
        if fields:
            literal = go.Composite(type=type_, elements=tuple(elements), closing=node.closing, block=bool(elements))
            arguments = [make.address(literal) if elements else make.NIL]
        function = make.declared("New" + native.name)
        call_node = with_options(block, node.options, function, make.CTX, name, *arguments)
        return replace(call_node, token=node.type_token)

    return Construction(native, call)


def _read_as(t: gt.GoType) -> gt.GoType:
    """Return the type in which a component reads an input of type `t`.

    If the SDK has no type for a list or a map, the component asserts the Go type of the output's value. A `pulumi.Map`
    would contain a value of another type.
    """
    has_none = t.form is gt.Form.INPUT and _holds_scalars(t.native) and not gt.has_family(t.native)
    return gt.output(t.native) if has_none else t


def _holds_scalars(native: gt.Native) -> bool:
    """Return whether `native` is a scalar, or consists only of lists and maps of scalars."""
    return _holds_scalars(native.element) if isinstance(native, gt.Slice | gt.Map) else isinstance(native, gt.Scalar)


# ---------------------------------------------------------------------------------------------------- ranges


def _ranged(b: Block, node: Node, construction: Made, name: str, *, is_used: bool) -> None:
    range_ = node.range
    assert range_ is not None
    value = b.natural(range_.value, name) if range_.value.type.eventual else None
    if value is not None and not value.type.is_plain and value.type.form is not gt.Form.COMPOSITE:
        _ranged_later(b, node, construction, value, name=name, is_used=is_used)
        return
    if range_.kind is RangeKind.BOOL and isinstance(range_.value, Literal) and range_.value.value is True:
        declare_resource(b, replace(node, range=None), name, is_used=is_used)
        return
    native = _collection(range_, construction.native)
    target = _declare_collection(b, native, name) if is_used else None
    _fill(b, node, construction, None, target=target)
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
    reusable = b.reusable(value, place.hint)
    there = make.binary(reusable.node, "!=", make.NIL)
    if want == gt.BOOL:
        return make.binary(there, "&&", make.star(reusable.node))
    out = b.variable(place.hint, native_type(b.file, want))
    b.emit(go.If(condition=there, body=(make.assign(out, make.star(reusable.node)),)))
    return out


def _count(b: Block, limit: go.Expr, index: Symbol) -> Iteration:
    body = b.inner()
    counter = make.variable("i")
    body.bind(index, Value(make.name(counter), gt.plain(gt.INT)))
    body.file.naturals.add(index)

    def emit(outer: Block) -> None:
        outer.emit(go.ForRange(key=counter, value=None, collection=limit, body=tuple(body.statements)))

    return Iteration(body, None, emit)


def _make_one(
    block: Block, node: Node, construction: Made, *, key: Value | None = None, target: go.Expr | None = None
) -> None:
    """Emit one iteration of the loop: create the resource and add it to the collection."""
    range_ = node.range
    assert range_ is not None
    label = _logical_name(block, node, key)
    if target is None:
        construction.make_unused(block, label)
        return
    instance = construction.make(block, label, construction.hint)
    if key is None:
        block.emit(make.assign(target, instance))
    elif range_.kind is RangeKind.MAP:
        block.emit(make.assign(make.index(target, key.node), instance))
    else:
        block.emit(make.append(target, instance))


def _ranged_later(b: Block, node: Node, construction: Made, value: Value, *, name: str, is_used: bool) -> None:
    """Emit a deferred range: the loop runs in a callback, which returns the created resources."""
    range_ = node.range
    assert range_ is not None
    operand = as_output(b, value)
    if not make.is_simple(operand.node) and not _is_accessor(operand.node):
        operand = Value(b.declare(f"{name}Range", operand.node), operand.type)
    native = _collection(range_, construction.native)
    frame = Frame(zeros=(make.NIL,), component=b.frame.component)
    inner = b.function(frame)
    parameter = make.variable("items" if range_.kind in (RangeKind.LIST, RangeKind.MAP) else "value")
    type_ = native_type(b.file, operand.type.native)
    argument = Value(make.name(parameter), gt.plain(operand.type.native))
    static: go.Expr = type_
    if operand.type.erased:
        argument, static = Value(make.assertion(argument.node, type_), argument.type), make.ANY
    target = _declare_collection(inner, native, f"{name}Made") if is_used else None
    _fill(inner, node, construction, argument, target=target)
    result = target if target is not None else make.NIL
    into = gt.GoType(native, gt.Form.OUTPUT, erased=True)
    callback = Callback(operand.node, ((parameter, static),), inner)
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


def _fill(b: Block, node: Node, construction: Made, value: Value | None, *, target: go.Expr | None) -> None:
    """Emit the loop over a range, or over its translated `value`; resource names always need the key."""
    range_ = node.range
    assert range_ is not None
    if range_.kind is RangeKind.BOOL:
        condition = _set(b, range_, value, gt.BOOL)
        body = b.inner()
        _make_one(body, node, construction, target=target)
        b.emit(go.If(condition=condition, body=tuple(body.statements)))
        return
    assert range_.key is not None
    symbols, used = (range_.key, range_.item), body_symbols(node) | {range_.key}
    if range_.kind is RangeKind.NUMBER:
        plan = _count(b, _set(b, range_, value, gt.INT), range_.key)
    elif value is None:
        plan = plan_iteration(b, range_.value, symbols, used)
    else:
        plan = iterate_value(b, value, symbols, used, hint="items", at=range_.value.span)
    _make_one(plan.block, node, construction, key=b.file.bindings[range_.key], target=target)
    plan.emit(b)


# --------------------------------------------------------------------------------------------- without a type


def _registration(node: Resource) -> Registration:
    """Return the registration of a resource whose package has no schema: registered, or read, by token."""

    def call(block: Block, name: go.Expr, state: go.Expr) -> go.Expr:
        arguments: list[go.Expr] = [make.text(node.token), name]
        if node.read_id is not None:
            arguments.append(block.into(node.read_id, gt.input_(gt.ID), "id"))
        arguments += [_inputs_map(block, node), state]
        function = make.select(make.CTX, "RegisterResource" if node.read_id is None else "ReadResource")
        return with_options(block, node.options, function, *arguments)

    interface = "ProviderResource" if node.token.startswith("pulumi:providers:") else "CustomResource"
    return Registration(gt.ResourceNative(interface=interface), node.token, call)


def _component_registration(node: ComponentUse) -> Registration:
    """Return the registration by token of an existing component type: `component name { token = … }`."""

    def call(block: Block, name: go.Expr, state: go.Expr) -> go.Expr:
        inputs = (_inputs_map(block, node),) if node.inputs else ()
        function = make.select(make.CTX, "RegisterComponentResource" + ("V2" if inputs else ""))
        return with_options(block, node.options, function, make.text(node.token), name, *inputs, state)

    return Registration(gt.ResourceNative(), node.token, call)


def _inputs_map(b: Block, node: Node) -> go.Expr:
    elements = [
        go.Element(key=make.text(i.name), value=b.into(i.value, gt.input_(gt.ANY), i.name), origin=i) for i in node.inputs
    ]
    return go.Composite(type=b.file.pulumi("Map"), elements=tuple(elements))
