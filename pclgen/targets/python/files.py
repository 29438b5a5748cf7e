"""Source files: a file for the program and for each component (targets.md, Source files; Components).

A plan becomes `tree.File`s, the program's first.

A component becomes a class: config values become keywords, outputs become attributes.

    config name string {}            class WebServer(pulumi.ComponentResource):
    output url { value = … }    ->       url: pulumi.Output[str]

                                         def __init__(self, resource_name: str, *, name: pulumi.Input[str], …

A component registers its inputs as the caller passes them. Its body fills in defaults afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import assert_never

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import declared, inputs_read_wide
from pclgen.core.eventuals import holds_eventual, is_eventual, surely_output
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.plan.model import Declare, Plan, ProjectPlan, Statement
from pclgen.source.files import PLUGIN
from pclgen.source.text import split_lines
from pclgen.sourcemaps import Origin
from pclgen.targets.comments import all_comments
from pclgen.targets.names import NameTable, file_stem, snake
from pclgen.targets.origins import node_origin, origin_of
from pclgen.targets.python import applies, config, enumtexts, modules, names, nodes, objects, tree, values, valuetypes
from pclgen.targets.python.config import DeclaredTypes, is_narrow
from pclgen.targets.python.context import Context, Inside
from pclgen.targets.python.equality import Steps
from pclgen.targets.python.modules import BESIDE, CHECKS
from pclgen.targets.python.packages import module_of
from pclgen.targets.python.tree import Group, Module
from pclgen.targets.python.valuetypes import outputs_of
from pclgen.types import model as ty
from pclgen.types.traverse import holds_objects

MAIN = "__main__.py"


def lower_files(plan: ProjectPlan, bag: DiagnosticBag) -> list[tree.File]:
    """The files of a program and of all components below it."""
    root = plan.main.program
    classes_of = _component_modules(tuple(plan.components), _modules_used(root))
    files = [_main(Context(bag=bag, forms=values, classes_of=classes_of, steps=Steps(root.nodes)), plan.main)]
    for component, inside in plan.components.items():
        cx = Context(bag=bag, forms=values, classes_of=classes_of, steps=Steps(inside.program.nodes))
        path, without = f"{classes_of[component].path}.py", plan.late.get(component.value, frozenset())
        files.append(lower_component(cx, component, inside, path, plain=plan.plain[component], late=without))
    return files


def _modules_used(root: prog.Program) -> frozenset[str]:
    return frozenset((*(module_of(package).path for package in root.packages), *(home.name for home in root.homes)))


_SDK_MODULES = frozenset(
    (
        *("pulumi", "arpeggio", "attr", "debugpy", "dill", "google", "grpc", "parver", "pip", "semver", "setuptools", "six"),
        *("typing_extensions", "yaml"),
    )
)
"""The modules that Pulumi's SDK imports."""


def _component_modules(definitions: Sequence[prog.Component], used: frozenset[str]) -> Mapping[prog.Component, Module]:
    """A module for each component, named after its directory.

    A file beside the program would hide a module of the same name in the standard library, in an SDK (`used`), or in a
    dependency of these.
    """
    table = NameTable(names.KEYWORDS | names.STANDARD_MODULES | _SDK_MODULES | {"__main__", CHECKS.path, BESIDE.path} | used)
    result: dict[prog.Component, Module] = {}
    for component in definitions:
        base = snake(file_stem(component.directory))
        parts = [part for part in component.path.split("/") if part not in (".", "..", "", PLUGIN)]
        # Drop the version of a package: it would rename the file with every update.
        full_name = "_".join(snake(file_stem(part.partition("@")[0] or part)) for part in parts)
        name = table.claim(base, full_name, f"{base}_component")
        result[component] = Module(path=name, alias=name, group=Group.LOCAL)
    return result


def _main(cx: Context, plan: Plan) -> tree.File:
    root = plan.program
    statements: list[tree.Statement] = []
    configs: dict[str, tree.Variable] = {}
    groups: dict[tree.Statement, int] = {}
    origins: dict[tree.Statement, Origin] = {}
    readers: dict[tree.Statement, tree.Variable] = {}
    for statement in plan.statements:
        node = statement.node if isinstance(statement, Declare) else None
        if isinstance(node, prog.ConfigVariable) and node.namespace not in configs:
            namespace = node.namespace
            configs[namespace] = _config_object(namespace)
            arguments = (tree.text(namespace),) if namespace else ()
            opened = tree.Assign(target=configs[namespace], value=tree.call(modules.pulumi("Config"), *arguments))
            groups[opened] = statement.group
            readers[opened] = configs[namespace]
    statements += readers
    for statement in plan.statements:
        if isinstance(statement, Declare):
            lowered = _declare(cx, statement, configs)
        else:
            lowered = nodes.lower_deferral(cx, statement)
        groups.update(dict.fromkeys(lowered[:1], statement.group))
        origins.update(dict.fromkeys(lowered, origin_of(statement)))
        statements += lowered
    if root.footer:
        statements.append(tree.Remark(lines=root.footer))
    return tree.File(
        path=MAIN,
        header=root.header,
        statements=tuple(statements),
        groups=groups,
        origins=origins,
        readers=readers,
    )


def _config_object(namespace: str) -> tree.Variable:
    """The variable of the object that reads the settings of `namespace`: `config`, `aws_config`."""
    name = snake(namespace)
    preferred_names = (f"{name}_config", f"{name}_settings") if namespace else ("config", "pulumi_config")
    return tree.Variable(preferred_names=preferred_names, yields=True)


def _declare(cx: Context, statement: Declare, configs: Mapping[str, tree.Variable]) -> list[tree.Statement]:
    node = statement.node
    match node:
        case prog.ConfigVariable():
            target = cx.bind(node.symbol, *nodes.preferred_names_of(node.symbol, statement))
            return nodes.closed(config.lower_config(cx, node, target, configs[node.namespace]), node.closing)
        case prog.OutputVariable():
            return nodes.closed(_export(cx, node), node.closing)
        case prog.PulumiSettings():
            return _settings(cx, node)
        case prog.Local() | prog.Resource() | prog.ComponentUse() | prog.Hook():
            return nodes.lower_node(cx, node, nodes.preferred_names_of(node.symbol, statement))
    assert_never(node)


def _export(cx: Context, node: prog.OutputVariable) -> list[tree.Statement]:
    value = cx.lower(objects.for_the_engine(cx, node.value))
    args = (
        tree.Argument(value=tree.text(node.logical_name)),
        tree.Argument(value=modules.for_any_place(value), origin=node),
    )
    return [tree.Do(value=tree.Call(function=modules.pulumi("export"), args=args), comments=node.comments)]


def _settings(cx: Context, node: prog.PulumiSettings) -> list[tree.Statement]:
    if node.required_version_range is None:
        return []
    required = cx.lower(node.required_version_range)
    call = tree.call(modules.pulumi("require_pulumi_version"), required)
    return [tree.Do(value=call, comments=node.comments)]


# -- components -------------------------------------------------------------------------------------------------------------

def lower_component(
    cx: Context, component: prog.Component, plan: Plan, path: str, *, plain: AbstractSet[str], late: AbstractSet[str]
) -> tree.File:
    """The file of one component.

    Inputs in `plain` take no outputs. The component is registered without the inputs in `late`.
    """
    inside = Inside(
        resource_name=tree.Variable(preferred_names=("resource_name",)), outputs=outputs_of(component.value)
    )
    cx = replace(cx, inside=inside, unused=_unused(plan), forwarded_collections=_forwarded_collections(plan))
    configs, outputs = plan.inputs, plan.outputs
    keywords = names.component_members(component.input_names)
    types = DeclaredTypes()
    forms = {node.symbol: declared(node.type, node.rule) for node in configs}
    narrow = frozenset(symbol for symbol, form in forms.items() if is_narrow(form))
    cx.wide.update(inputs_read_wide(component.program) & narrow)
    cx.declared.update({symbol: forms[symbol] for symbol in narrow - cx.wide})
    parameters = []
    for node in configs:
        named = keywords[node.logical_name], types.annotation(forms[node.symbol])
        parameters.append(_parameter(cx, node, named, plain=node.logical_name in plain))
    options = tree.Parameter(
        variable=tree.Variable(preferred_names=("opts",)),
        annotation=modules.optional(modules.pulumi("ResourceOptions")),
        default=tree.NONE,
    )
    settled = _body(cx, plan)
    body = [statement for _, statements in settled for statement in statements]
    groups = {statements[0]: planned.group for planned, statements in settled if statements}
    origins = {statement: origin_of(planned) for planned, statements in settled for statement in statements}
    registered = [node for node in configs if node.logical_name not in late]
    first = _super_call(cx, component, registered, options)
    footer = [tree.Remark(lines=component.program.footer)] if component.program.footer else []
    class_ = tree.ComponentClass(
        name=names.class_name(component.name),
        base=modules.pulumi("ComponentResource"),
        members=tuple(_member(node, inside.outputs[node.logical_name]) for node in outputs),
        resource_name=inside.resource_name,
        parameters=tuple(parameters),
        options=options,
        body=(first, *body, _register(cx, outputs), *footer),
        doc=component.program.header,
    )
    declared_types = tuple(types.statements)
    return tree.File(path=path, header=(), statements=declared_types, component=class_, groups=groups, origins=origins)


def _unused(plan: Plan) -> frozenset[core.Symbol]:
    """Return the symbols of single resources without references, which need no variable."""
    nodes = [statement.node for statement in plan.statements if isinstance(statement, Declare) and not statement.is_used]
    registered = [node for node in nodes if isinstance(node, prog.Resource | prog.ComponentUse)]
    return frozenset(node.symbol for node in registered if node.range is None)


def _forwarded_collections(plan: Plan) -> frozenset[core.Symbol]:
    """Return the forwarded inputs that may be lists or maps with outputs.

    Merging them into one output would hide which elements are known or secret.
    """
    own = [node.symbol for node in plan.inputs if node.symbol in plan.forwarded and not node.secret]
    return frozenset(
        [symbol for symbol in own if isinstance(ty.resolve(symbol.type), ty.ListType | ty.MapType | ty.ObjectType)]
    )


def _default(node: prog.ConfigVariable) -> core.Expr | None:
    """Return the default; None for null, the value of an input that is not set."""
    return None if isinstance(node.default, core.Literal) and node.default.value is None else node.default


def _parameter(
    cx: Context, node: prog.ConfigVariable, named: tuple[str, tree.Expr], *, plain: bool
) -> tree.Parameter:
    """The keyword of an input, from a name and a type."""
    name, annotation = named
    variable = tree.Variable(preferred_names=(name,))
    read = tree.Variable(preferred_names=(f"{name}_value",)) if node.symbol in cx.wide else variable
    cx.symbols[node.symbol] = tree.name(read)
    cx.parameters[node.symbol] = variable
    if node.default is not None:
        enumtexts.mark(cx, node.symbol, node.default)
    if not plain:
        if not node.secret:
            cx.inputs.add(node.symbol)
        annotation = modules.input_(annotation)
    if not node.required and not ty.is_optional(node.type):
        annotation = modules.optional(annotation)
    default = None if node.required else tree.NONE
    origin = node_origin(node)
    return tree.Parameter(variable=variable, annotation=annotation, default=default, doc=all_comments(node), origin=origin)


def _settle(cx: Context, node: prog.ConfigVariable) -> list[tree.Statement]:
    """`tags = [] if tags is None else tags` for an input with a default.

    The value is an output where the input is secret or must be an output. The input gets a new variable where the component
    reads it with its wide type.
    """
    variable = cx.parameters[node.symbol]
    argument: tree.Expr = tree.name(variable)
    value = argument
    default = _default(node)
    is_output = node.symbol in cx.lifted
    if default is not None:
        missing = tree.Binary(operator="is", left=argument, right=tree.NONE)
        # To checkers, `from_input` of an output or of an input that may be an output is an output of outputs: it takes
        # only the argument.
        apart = (node.secret or is_output) and is_eventual(default.type) and cx.parameter(default) is None
        otherwise = modules.as_output(argument) if apart else argument
        value = tree.IfElse(condition=missing, then=cx.lower(default), otherwise=otherwise)
        is_output = is_output and not apart
    if node.secret:
        value = tree.call(modules.pulumi("Output.secret"), value)
    elif is_output:
        value = modules.as_output(value)
    read = cx.symbols[node.symbol]
    if node.symbol in cx.wide and isinstance(read, tree.Name):
        # With an annotation in place of the cast, checkers would still narrow the variable to the assigned value.
        wide = _wide(cx, node, is_output=node.secret or node.symbol in cx.lifted)
        return [tree.Assign(target=read.variable, value=modules.cast(wide, value))]
    return [] if value is argument else [tree.Assign(target=variable, value=value, rebinds=True)]


def _wide(cx: Context, node: prog.ConfigVariable, *, is_output: bool) -> tree.Expr:
    """The wide type of an input: any value of its PCL type, as the component reads it."""
    annotation = valuetypes.annotation(node.type)
    if is_output:
        return modules.output(annotation)
    if node.symbol in cx.inputs:
        annotation = modules.input_(annotation)
    is_there = node.required or _default(node) is not None or ty.is_optional(node.type)
    return annotation if is_there else modules.optional(annotation)


def _super_call(
    cx: Context,
    component: prog.Component,
    configs: Sequence[prog.ConfigVariable],
    options: tree.Parameter,
) -> tree.Statement:
    assert cx.inside is not None
    constructor = tree.Attribute(value=tree.builtin("super"), name="__init__")
    inputs = tree.DictDisplay(
        entries=tuple(
            tree.Entry(key=tree.text(node.logical_name), value=tree.name(cx.parameters[node.symbol])) for node in configs
        )
    )
    args = (
        tree.text(component.token),
        tree.name(cx.inside.resource_name),
        inputs,
        tree.name(options.variable),
    )
    return tree.Do(value=tree.call(constructor, *args))


def _body(cx: Context, plan: Plan) -> list[tuple[Statement, list[tree.Statement]]]:
    """Each statement of the plan with its statements of the tree."""
    lowered = [
        (s, _declare_inside(cx, s) if isinstance(s, Declare) else nodes.lower_deferral(cx, s)) for s in plan.statements
    ]
    # Lowering every use first shows which inputs must be outputs.
    return [
        (
            statement,
            _settle(cx, statement.node)
            if isinstance(statement, Declare) and isinstance(statement.node, prog.ConfigVariable)
            else statements,
        )
        for statement, statements in lowered
    ]


def _declare_inside(cx: Context, statement: Declare) -> list[tree.Statement]:
    node = statement.node
    match node:
        case prog.Local() | prog.Resource() | prog.ComponentUse() | prog.Hook():
            return nodes.lower_node(cx, node, nodes.preferred_names_of(node.symbol, statement))
        case prog.OutputVariable():
            return nodes.closed([_assign_output(cx, node)], node.closing)
        case prog.ConfigVariable() | prog.PulumiSettings():
            return []
    assert_never(node)


def _self_attribute(cx: Context, node: prog.OutputVariable) -> tree.Attribute:
    assert cx.inside is not None
    return tree.Attribute(value=tree.Builtin(name="self"), name=cx.inside.outputs[node.logical_name])


def _assign_output(cx: Context, node: prog.OutputVariable) -> tree.Assign:
    if enumtexts.may_be_hidden(cx, node.value):
        value = enumtexts.exact(cx, node.value)
        if not is_eventual(node.value.type) and not holds_eventual(node.value.type):
            value = modules.as_output(value)
    elif holds_eventual(node.value.type) or _mixes_inputs(cx, node.value):
        value = applies.lower_all(cx, core.All(value=node.value, type=node.value.type, span=node.value.span))
        if not applies.is_open(node.value) or (isinstance(node.value, core.Conditional) and isinstance(value, tree.Call)):
            # `from_input` unwraps the outputs in a value, but checkers do not know that.
            value = modules.cast(modules.any_type(), value)
    else:
        value = cx.lower(node.value)
        # A part of what a name stands for may be an output or a plain value.
        is_output = surely_output(node.value) or not isinstance(node.value, core.Conditional | core.Attr | core.Index)
        if not is_eventual(node.value.type) or cx.parameter(node.value) is not None or not is_output:
            value = modules.as_output(value)
    return tree.Assign(target=_self_attribute(cx, node), value=value, comments=node.comments, origin=node)


def _mixes_inputs(cx: Context, value: core.Expr) -> bool:
    """Return whether a list or an object holds inputs beside steps into values.

    Checkers take the steps for `Any`, and the result of `from_input` for a list of inputs.
    """
    if isinstance(value, core.ListExpr):
        elements: Sequence[core.Expr] = value.elements
    else:
        elements = [item.value for item in value.items] if isinstance(value, core.ObjectExpr) else ()
    steps = any(isinstance(element, core.Attr | core.Index) for element in elements)
    return steps and any(cx.parameter(element) is not None for element in elements)


def _register(cx: Context, outputs: Sequence[prog.OutputVariable]) -> tree.Statement:
    entries = tuple(tree.Entry(key=tree.text(node.logical_name), value=_registered(cx, node)) for node in outputs)
    register = tree.Attribute(value=tree.Builtin(name="self"), name="register_outputs")
    return tree.Do(value=tree.call(register, tree.DictDisplay(entries=entries)))


def _registered(cx: Context, node: prog.OutputVariable) -> tree.Expr:
    """An output for the engine: the SDK would register its own objects with their Python member names."""
    value, own = _self_attribute(cx, node), node.value
    if not holds_objects(own.type):
        return value
    item = tree.Variable(preferred_names=("value",))
    # Making a value an output here has unwrapped it.
    output = own if is_eventual(own.type) else core.All(value=own, type=ty.output_of(ty.resolve(own.type)), span=own.span)
    change = objects.to_wire(cx, output)
    return tree.method(value, "apply", tree.Lambda(parameters=(item,), body=change(tree.name(item))))


def _member(node: prog.OutputVariable, name: str) -> tree.Member:
    annotation = modules.output(valuetypes.annotation(ty.resolve(node.value.type)))
    return tree.Member(
        name=name, annotation=annotation, doc=tuple(split_lines(node.description)), origin=node_origin(node)
    )
