"""Nodes with the same meaning in a program and in a component: locals, resources, components, hooks.

Resources, reads and uses of components stand alone or over a range (targets.md, Resources; Ranges; Uses):

    resource web "…:Droplet" { … options { range = 2 } }  ->  web = [Droplet(f"web-{i}", …) for i in range(2)]

A range is a comprehension: its variables are local to it, and checkers infer the types of lists and dicts. An eventual
range is the same comprehension inside an `apply`.

A hook becomes a function that runs its command, and the registration of that function (targets.md, Hooks).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import declared, in_place
from pclgen.core.eventuals import holds_eventual, is_eventual, surely_output
from pclgen.core.predicates import is_distinct, is_natural, symbols_not_null
from pclgen.core.walk import body_symbols, children
from pclgen.plan.model import Declare, Defer, Resolve
from pclgen.targets.comments import with_closing
from pclgen.targets.names import snake
from pclgen.targets.python import applies, enumtexts, invokes, modules, names, objects, operators, packages, tree, valuetypes
from pclgen.targets.python.config import is_narrow
from pclgen.targets.python.context import Context
from pclgen.targets.python.options import lower_options
from pclgen.targets.python.valuetypes import (
    chooses_mixed_literals,
    chooses_typed,
    empty,
    holds_typed_choice,
    is_untyped,
    lifted_member,
)
from pclgen.types import model as ty
from pclgen.types.model import DYNAMIC, resolve


def lower_node(
    cx: Context,
    node: prog.Local | prog.Resource | prog.ComponentUse | prog.Hook,
    preferred_names: tuple[str, ...],
) -> list[tree.Statement]:
    """The statements of a node with the same meaning in a program and in a component."""
    target = tree.Variable(preferred_names=preferred_names)
    match node:
        case prog.Local():
            statements = _local(cx, node, target)
        case prog.Resource():
            statements = lower_resource(cx, node, target)
            if node.declaration is None:
                cx.objects.add(node.symbol)
        case prog.ComponentUse():
            statements = lower_resource(cx, node, target)
        case prog.Hook():
            statements = closed(lower_hook(cx, node, target), node.closing)
        case _:
            assert_never(node)
    # A node must not see itself, so bind its symbol last.
    cx.symbols[node.symbol] = tree.name(target)
    return statements


def lower_deferral(cx: Context, statement: Defer | Resolve) -> list[tree.Statement]:
    """`x, resolve_x = pulumi.deferred_output()` with the types of both, and later `resolve_x(value)`."""
    symbol = statement.symbol
    if isinstance(statement, Resolve):
        value = enumtexts.exact(cx, statement.value)
        if not surely_output(statement.value):
            value = modules.as_output(value)
        return [tree.Do(value=tree.call(tree.name(cx.resolvers[symbol]), value))]
    base = snake(symbol.name)
    resolver = tree.Variable(preferred_names=(f"resolve_{base}",))
    cx.resolvers[symbol] = resolver
    annotation = modules.output(valuetypes.annotation(statement.type))
    function = tree.index(modules.abstract("Callable"), tree.items([annotation]), tree.NONE)
    call = tree.call(modules.pulumi("deferred_output"))
    targets = (cx.bind(symbol, base), resolver)
    return [tree.Unpack(targets=targets, annotations=(annotation, function), value=call)]


def _local(cx: Context, node: prog.Local, target: tree.Variable) -> list[tree.Statement]:
    member = lifted_member(cx, node.value)
    if member is not None:
        cx.singles[node.symbol] = member
        if is_untyped(cx, node.value):
            cx.untyped.add(node.symbol)
        return [tree.Assign(target=target, value=invokes.lower_result(cx, node.value), comments=node.comments)]
    value = (cx.with_classes() if objects.is_declared(node.value) else cx).lower(node.value)
    if isinstance(node.value, core.Invoke) and node.value.function is None:
        cx.objects.add(node.symbol)
    if is_natural(node.value, cx.naturals):
        cx.naturals.add(node.symbol)
    if is_distinct(node.value, cx.distinct):
        cx.distinct.add(node.symbol)
    annotation, value = modules.without_cast(value)
    literals = tree.ListDisplay | tree.DictDisplay | tree.ListComprehension | tree.DictComprehension
    is_empty = isinstance(node.value, core.ListExpr | core.ObjectExpr) and not children(node.value)
    if isinstance(value, literals):
        infers_too_little = is_empty or valuetypes.is_mixed(node.value.type) or holds_typed_choice(node.value)
    else:
        infers_too_little = chooses_mixed_literals(node.value) and not ty.is_optional(node.value.type)
    if infers_too_little:
        annotation, value = valuetypes.container(node.value.type), modules.for_any_place(value)
        cx.untyped.add(node.symbol)
        cx.containers.add(node.symbol)
    elif annotation is None and chooses_typed(node.value):
        annotation = modules.output(modules.any_type()) if is_eventual(node.value.type) else modules.any_type()
        cx.untyped.add(node.symbol)
    elif is_untyped(cx, node.value):
        cx.untyped.add(node.symbol)
    objects.mark(cx, node.symbol, node.value)
    enumtexts.mark(cx, node.symbol, node.value)
    return [tree.Assign(target=target, value=value, annotation=annotation, comments=node.comments)]


def closed(statements: list[tree.Statement], closing: tuple[str, ...]) -> list[tree.Statement]:
    """Comments inside a block that became a plain statement: a single comment follows it, several stand above it."""
    match statements:
        case [tree.Assign() | tree.Do() as first, *rest] if closing:
            return [replace(first, comments=with_closing(first.comments, closing)), *rest]
        case _:
            return [tree.Remark(lines=closing), *statements] if closing else statements


def preferred_names_of(symbol: core.Symbol, statement: Declare) -> tuple[str, ...]:
    """Preferred names for the variable of a node: its own name, then its fallback name."""
    return (names.variable(symbol.name), snake(statement.fallback_name))


# -- resources and components -----------------------------------------------------------------------------------------------

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
    if over.item is None or not literal or not valuetypes.is_mixed(over.value.type):
        return operators.lower_collection(cx, over.value)
    base = names.variable(node.symbol.name)
    variable = tree.Variable(preferred_names=(f"{base}_range",))
    annotation = valuetypes.container(over.value.type)
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
    objects.mark(cx, over.item, over.value)
    enumtexts.mark_loop(cx, over.item, over.value)
    element = _construct(cx, node, _logical_name(cx, node, (tree.name(key),)))
    collection = operators.without_list(collection)
    is_read = over.item in body_symbols(node)
    targets = (key, item) if is_read else (key,)
    if over.is_untyped:
        targets = (key, item if is_read else tree.Variable(preferred_names=("_",)))
        iterable: tree.Expr = tree.call(tree.Helper(key="pairs"), collection)
    elif keyed:
        iterable = operators.sorted_items(collection) if is_read else tree.builtin("sorted", collection)
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


# -- hooks ------------------------------------------------------------------------------------------------------------------

def lower_hook(cx: Context, node: prog.Hook, target: tree.Variable) -> list[tree.Statement]:
    """`def run_x(args): …` and `x = pulumi.ResourceHook("x", run_x)`."""
    base = snake(node.symbol.name)
    function, args = tree.Variable(preferred_names=(f"run_{base}",)), tree.Variable(preferred_names=("args",))
    with cx.written(node.args, tree.name(args)):
        command = _command(cx, node.command)
    return [
        _function(node, function, args, command),
        tree.Assign(target=target, value=_registration(cx, node, tree.name(function))),
    ]


def _command(cx: Context, command: core.Expr) -> tree.Expr:
    """The words of the command; members of the resource may have any type and become text."""
    if not isinstance(command, core.ListExpr):
        return cx.lower(command)
    words: list[tree.Expr] = []
    for element in command.elements:
        word = cx.lower(element)
        source = element.value if isinstance(element, core.Convert) else element
        words.append(tree.builtin("str", word) if resolve(source.type) is DYNAMIC else word)
    return tree.items(words)


def _function(node: prog.Hook, function: tree.Variable, args: tree.Variable, command: tree.Expr) -> tree.Define:
    is_error_hook = node.is_error_hook
    checked = tree.Constant(value=not is_error_hook)
    run = tree.call(tree.Imported(module=modules.SUBPROCESS, name="run"), command, check=checked)
    # Exit status 0 of an error hook asks for another attempt.
    status = tree.Attribute(value=run, name="returncode")
    succeeds = tree.Binary(operator="==", left=status, right=tree.Constant(value=0))
    return tree.Define(
        name=function,
        parameter=args,
        annotation=modules.pulumi("ErrorHookArgs" if is_error_hook else "ResourceHookArgs"),
        returns=tree.Builtin(name="bool") if is_error_hook else tree.NONE,
        body=() if is_error_hook else (tree.Do(value=run),),
        result=succeeds if is_error_hook else None,
        comments=node.comments,
    )


def _registration(cx: Context, node: prog.Hook, function: tree.Expr) -> tree.Expr:
    name = tree.text(node.symbol.name)
    if node.is_error_hook:
        return tree.call(modules.pulumi("ErrorHook"), name, function)
    settings = {"on_dry_run": node.on_dry_run, "ignore_errors": node.ignore_errors}
    named = {key: cx.lower(value) for key, value in settings.items() if value is not None}
    opts = {"opts": tree.call(modules.pulumi("ResourceHookOptions"), **named)} if named else {}
    return tree.call(modules.pulumi("ResourceHook"), name, function, **opts)
