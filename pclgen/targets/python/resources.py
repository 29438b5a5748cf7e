"""Resources, reads and component uses, once or over a range (targets.md, Resources; Ranges; Uses).

    resource web "…:Droplet" { … options { range = 2 } }  ->  web = [Droplet(f"web-{i}", …) for i in range(2)]

A range is a comprehension: its variables are local to it, and checkers infer the types of lists and dicts. An eventual
range is the same comprehension inside an `apply`.
"""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import declared, in_place
from pclgen.core.eventuals import holds_eventual, is_eventual
from pclgen.core.predicates import symbols_not_null
from pclgen.core.walk import body_symbols
from pclgen.targets.python import (
    applies,
    comprehensions,
    enumtexts,
    modules,
    names,
    objects,
    packages,
    tree,
    typehints,
    unwrapping,
)
from pclgen.targets.python.context import Context
from pclgen.targets.python.declared import is_narrow
from pclgen.targets.python.options import lower_options
from pclgen.targets.python.valuetypes import empty, is_untyped
from pclgen.types import model as ty

Node = prog.Resource | prog.ComponentUse


def lower_resource(cx: Context, node: Node, target: tree.Variable) -> list[tree.Statement]:
    """The statements that create `node` and bind it to `target`."""
    if node.range is None:
        value = _construct(cx, node, _logical_name(cx, node, ()))
        return [_bound(cx, node, target, value)]
    before: list[tree.Statement] = []
    if is_eventual(node.range.value.type):
        value = _eventual_range(cx, node, node.range)
    else:
        value = _ranged(cx, node, node.range, _range_value(cx, node, node.range, before))
    return [*before, _bound(cx, node, target, value)]


def _bound(cx: Context, node: Node, target: tree.Variable, value: tree.Expr) -> tree.Statement:
    if node.symbol in cx.unused:
        return tree.Do(value=value, comments=node.comments)
    return tree.Assign(target=target, value=value, comments=node.comments)


def _range_value(cx: Context, node: Node, over: prog.Range, before: list[tree.Statement]) -> tree.Expr:
    """Return the iterable; a literal that type checkers cannot infer is bound to a variable with a type."""
    literal = isinstance(over.value, core.ListExpr | core.ObjectExpr | core.For)
    if over.item is None or not literal or not typehints.is_mixed(over.value.type):
        return comprehensions.lower_collection(cx, over.value)
    base = names.variable(node.symbol.name)
    variable = tree.Variable(preferred_names=(f"{base}_range",))
    annotation = typehints.container(over.value.type)
    before.append(tree.Assign(target=variable, value=cx.lower(over.value), annotation=annotation))
    cx.untyped.add(over.item)
    return tree.name(variable)


def _eventual_range(cx: Context, node: Node, over: prog.Range) -> tree.Expr:
    """`value.apply(lambda xs: [… for x in xs])`."""
    parameter = tree.Variable(preferred_names=_parameter_names(over))
    if over.item is not None and is_untyped(cx, over.value):
        cx.untyped.add(over.item)
    body = _ranged(cx.with_classes(), node, over, tree.name(parameter))
    receiver = applies.as_receiver(cx, over.value)
    return tree.method(receiver, "apply", tree.Lambda(parameters=(parameter,), body=body))


def _parameter_names(over: prog.Range) -> tuple[str, ...]:
    match over:
        case prog.Range(kind=prog.RangeKind.BOOL):
            return ("enabled",)
        case prog.Range(kind=prog.RangeKind.NUMBER):
            return ("count",)
        case prog.Range(value=core.Attr(name=name) | core.Ref(symbol=core.Symbol(name=name))):
            return (names.variable(name), "values")
        case _:
            return ("values",)


def _ranged(cx: Context, node: Node, over: prog.Range, collection: tree.Expr) -> tree.Expr:
    match over.kind:
        case prog.RangeKind.BOOL:
            inside = cx.with_narrowed(symbols_not_null(over.value, holds=True))
            resource = _construct(inside, node, _logical_name(cx, node, ()))
            condition = modules.as_condition(collection)
            return tree.IfElse(condition=condition, then=resource, otherwise=tree.NONE)
        case prog.RangeKind.NUMBER:
            return _numbered(cx, node, over, _or_empty(over, collection, tree.Constant(value=0)))
        case prog.RangeKind.LIST | prog.RangeKind.MAP:
            nothing = empty(ty.without_none(ty.resolve(over.value.type)))
            return _each(cx, node, over, _or_empty(over, collection, nothing))


def _or_empty(over: prog.Range, collection: tree.Expr, nothing: tree.Expr) -> tree.Expr:
    """`collection or []`: a null range creates no resources."""
    return tree.Binary(operator="or", left=collection, right=nothing) if over.is_nullable else collection


def _numbered(cx: Context, node: Node, over: prog.Range, count: tree.Expr) -> tree.Expr:
    assert over.key is not None
    index = cx.bind(over.key, "i", "index")
    cx.naturals.add(over.key)
    if ty.bare(over.value.type) is not ty.INT:
        count = tree.builtin("int", count)
    resource = _construct(cx, node, _logical_name(cx, node, (tree.name(index),)))
    loop = tree.Loop(targets=(index,), iterable=tree.builtin("range", count))
    return tree.ListComprehension(element=resource, loop=loop)


def _each(cx: Context, node: Node, over: prog.Range, collection: tree.Expr) -> tree.Expr:
    assert over.key is not None
    assert over.item is not None
    keyed = over.kind is prog.RangeKind.MAP
    key = cx.bind(over.key, *(("key", "name") if keyed else ("i", "index")))
    item = cx.bind(over.item, names.variable(over.item.name), "value", "item")
    if not keyed:
        cx.naturals.add(over.key)
    if is_untyped(cx, over.value):
        cx.untyped.add(over.item)
    unwrapping.mark(cx, over.item, over.value)
    enumtexts.mark_loop(cx, over.item, over.value)
    element = _construct(cx, node, _logical_name(cx, node, (tree.name(key),)))
    collection = comprehensions.without_list(collection)
    is_read = over.item in body_symbols(node)
    targets = (key, item) if is_read else (key,)
    if over.is_untyped:
        targets = (key, item if is_read else tree.Variable(preferred_names=("_",)))
        iterable: tree.Expr = tree.call(tree.Helper(key="pairs"), collection)
    elif keyed:
        iterable = comprehensions.sorted_items(collection) if is_read else tree.builtin("sorted", collection)
    elif is_read:
        iterable = tree.builtin("enumerate", collection)
    else:
        iterable = tree.builtin("range", tree.builtin("len", collection))
    loop = tree.Loop(targets=targets, iterable=iterable)
    if keyed:
        return tree.DictComprehension(key=tree.name(key), value=element, loop=loop)
    return tree.ListComprehension(element=element, loop=loop)


def _logical_name(cx: Context, node: Node, suffix: tuple[tree.Expr, ...]) -> tree.Expr:
    """`"web"`, `f"web-{i}"`, and inside a component `f"{resource_name}-web"`."""
    parts: list[str | tree.Hole] = []
    if cx.inside is not None:
        parts += [tree.Hole(value=tree.name(cx.inside.resource_name)), "-"]
    parts.append(node.logical_name)
    for key in suffix:
        parts += ["-", tree.Hole(value=key)]
    if len(parts) == 1:
        return tree.text(node.logical_name)
    return tree.FormatString(parts=tuple(parts))


def _construct(cx: Context, node: Node, logical_name: tree.Expr) -> tree.Expr:
    match node:
        case prog.ComponentUse():
            return _component(cx, node, logical_name)
        case prog.Resource():
            return _resource(cx, node, logical_name)


def _resource(cx: Context, node: prog.Resource, logical_name: tree.Expr) -> tree.Expr:
    declaration = node.declaration
    cls = packages.resource_class(declaration) if declaration else packages.unknown_class(node.token)
    inner = cx.for_package(declaration.package) if declaration else cx
    if declaration is not None and declaration.is_provider:
        # The SDK writes the settings of a provider as JSON, and uses the schema's names only for its classes.
        inner = inner.with_classes()
    args = [tree.Argument(value=logical_name)]
    function: tree.Expr = cls
    if node.read_id is not None:
        function = tree.Attribute(value=cls, name="get")
        args.append(tree.Argument(value=inner.lower(node.read_id)))
    is_reference = node.token == "pulumi:pulumi:StackReference"
    for item in node.inputs:
        keyword = "stack_name" if is_reference and item.name == "name" else _keyword(item, node)
        value = objects.lower_property(inner, item.field, item.value)
        args.append(tree.Argument(name=keyword, value=value, comments=item.comments, origin=item))
    token = node.token if node.read_id is None else ""
    return tree.Call(function=function, args=(*args, *lower_options(cx, node.options)), closing=node.closing, token=token)


def _keyword(item: prog.Input, node: prog.Resource) -> str:
    return names.attribute(item.name) if node.read_id is not None else names.parameter(item.name)


def _component(cx: Context, node: prog.ComponentUse, logical_name: tree.Expr) -> tree.Expr:
    opts = lower_options(cx, node.options)
    if node.component is None:
        entries = tuple(
            tree.Entry(key=tree.text(item.name), value=cx.lower(item.value), comments=item.comments, origin=item)
            for item in node.inputs
        )
        props = (tree.Argument(value=tree.DictDisplay(entries=entries)),) if entries else ()
        first = (tree.Argument(value=tree.text(node.token)), tree.Argument(value=logical_name))
        function = modules.pulumi("ComponentResource")
        return tree.Call(function=function, args=(*first, *props, *opts), closing=node.closing, token=node.type_token)
    cls = tree.Imported(module=cx.classes_of[node.component], name=names.class_name(node.component.name), direct=True)
    keywords = names.component_members(node.component.input_names)
    args = tuple(
        tree.Argument(
            name=keywords[item.name], value=_component_input(cx, item), comments=item.comments, origin=item
        )
        for item in node.inputs
    )
    given_first = tree.Argument(value=logical_name)
    return tree.Call(function=cls, args=(given_first, *args, *opts), closing=node.closing, token=node.type_token)


def _component_input(cx: Context, item: prog.Input) -> tree.Expr:
    """The value of an input of a generated component.

    Parameters are declared with outputs at the top level only. A checked value that a type checker cannot see to have the
    declared type is cast.
    """
    value = item.value
    parts = (holds_eventual(value.type) and not _is_resource(value.type)) or _holds_inputs(cx, value)
    node = enumtexts.exact(cx, value)
    input_type = None if item.field is None else declared(item.field.type, item.field.rule)
    if parts:
        return modules.cast(modules.any_type(), modules.without_cast(node)[1])
    fits = is_untyped(cx, value) and not (isinstance(value, core.Ref) and value.symbol in cx.containers)
    if input_type is None or not is_narrow(input_type) or fits or in_place(value, input_type):
        return node
    if isinstance(value, core.Ref) and cx.declared.get(value.symbol) == input_type:
        return node
    return modules.cast(modules.any_type(), modules.without_cast(node)[1])


def _holds_inputs(cx: Context, value: core.Expr) -> bool:
    """Return whether a literal holds parameters that may be outputs at run time, although its type has no outputs."""

    def holds(part: core.Expr) -> bool:
        return cx.parameter(part) is not None or _holds_inputs(cx, part)

    match value:
        case core.ListExpr():
            return any(map(holds, value.elements))
        case core.ObjectExpr():
            return any(holds(item.value) for item in value.items)
        case core.For():
            return holds(value.result)
        case core.Conditional():
            return _holds_inputs(cx, value.then) or _holds_inputs(cx, value.otherwise)
        case core.Convert():
            return _holds_inputs(cx, value.value)
        case _:
            return False


def _is_resource(t: ty.Type) -> bool:
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.ListType):
        return _is_resource(plain.element)
    return isinstance(plain, ty.NominalType)
