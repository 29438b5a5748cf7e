"""Source files: one for the program, one for each component (targets 2.5, 5).

Comes in: a lowered program.  Goes out: `tree.File`s, the program's first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from pclgen.core import expr as core
from pclgen.core import program
from pclgen.core.naturals import is_natural
from pclgen.core.uniqueness import is_distinct
from pclgen.core.walk import components_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.graph.circles import late_inputs
from pclgen.targets.comments import said_once
from pclgen.targets.names import NameTable, file_stem, snake
from pclgen.targets.python import (
    components,
    config,
    deferred,
    hooks,
    invokes,
    modules,
    names,
    tree,
    typehints,
    unwrapping,
    values,
)
from pclgen.targets.python.context import Context
from pclgen.targets.python.packages import module_of
from pclgen.targets.python.resources import lower_resource
from pclgen.targets.python.tree import Group, Module

MAIN = "__main__.py"


def lower_files(root: program.Program, bag: DiagnosticBag) -> list[tree.File]:
    """The files of a program and of all components below it."""
    found = components_of(root)
    plain, late = components.plain_parameters(root), late_inputs(root)
    classes_of = _component_modules(found, frozenset(module_of(package).path for package in root.packages))
    files = [_main(root, Context(bag=bag, classes_of=classes_of))]
    for component in found:
        cx = Context(bag=bag, classes_of=classes_of)
        path, without = f"{classes_of[component].path}.py", late.get(component.value, frozenset())
        files.append(components.lower_component(cx, component, path, plain=plain[component], late=without))
    return files


_SDK_MODULES = frozenset(
    (
        *("pulumi", "arpeggio", "attr", "debugpy", "dill", "google", "grpc", "parver", "pip", "semver", "setuptools", "six"),
        *("typing_extensions", "yaml"),
    )
)
"""What Pulumi's SDK imports."""


def _component_modules(found: Sequence[program.Component], used: frozenset[str]) -> Mapping[program.Component, Module]:
    """A module for each component, named after its directory.

    A module of the standard library, of an SDK (`used`), or one that these need would no longer be found if a file beside
    the program had its name.
    """
    table = NameTable(names.KEYWORDS | names.STANDARD_MODULES | _SDK_MODULES | {"__main__"} | used)
    result: dict[program.Component, Module] = {}
    for component in found:
        base = snake(file_stem(component.directory))
        whole = "_".join(snake(file_stem(part)) for part in component.path.split("/") if part not in (".", "..", ""))
        name = table.claim(base, whole, f"{base}_component")
        result[component] = Module(path=name, alias=name, group=Group.LOCAL)
    return result


def _main(root: program.Program, cx: Context) -> tree.File:
    statements: list[tree.Statement] = []
    config_variable = tree.Variable(wishes=("config", "pulumi_config"), yields=True)
    if any(isinstance(node, program.ConfigVariable) for node in root.nodes):
        made = tree.call(modules.pulumi("Config"))
        statements.append(tree.Assign(target=config_variable, value=made))
    for node in root.nodes:
        statements += _statements(cx, node, config_variable)
    if root.footer:
        statements.append(tree.Remark(lines=root.footer))
    return tree.File(path=MAIN, header=root.header, statements=tuple(statements))


def _statements(cx: Context, node: program.Node, config_variable: tree.Variable) -> list[tree.Statement]:
    match node:
        case program.ConfigVariable():
            target = cx.bind(node.symbol, *_wishes(node))
            return closed(config.lower_config(cx, node, target, config_variable), node.closing)
        case program.OutputVariable():
            return closed(_export(cx, node), node.closing)
        case program.PulumiSettings():
            return _settings(cx, node)
        case program.Local() | program.Resource() | program.ComponentUse() | program.Hook():
            return lower_node(cx, node)
    assert_never(node)


def lower_node(
    cx: Context, node: program.Local | program.Resource | program.ComponentUse | program.Hook
) -> list[tree.Statement]:
    """The statements of a node that means the same in a program and in a component."""
    target = tree.Variable(wishes=_wishes(node))
    match node:
        case program.Local():
            statements = _local(cx, node, target)
        case program.Resource():
            statements = lower_resource(cx, node, target)
            if node.declaration is None:
                cx.objects.add(node.symbol)
        case program.ComponentUse():
            declared, node = deferred.defer_inputs(cx, node)
            statements = declared + lower_resource(cx, node, target)
        case program.Hook():
            statements = closed(hooks.lower_hook(cx, node, target), node.closing)
        case _:
            assert_never(node)
    # Only now: a node does not see itself.
    cx.symbols[node.symbol] = tree.name(target)
    return statements + deferred.resolve_inputs(cx)


def _local(cx: Context, node: program.Local, target: tree.Variable) -> list[tree.Statement]:
    member = invokes.lifted_member(cx, node.value)
    if member is not None:
        cx.singles[node.symbol] = member
        return [tree.Assign(target=target, value=invokes.lower_result(cx, node.value), comments=node.comments)]
    value = values.lower(cx, node.value)
    if isinstance(node.value, core.Invoke) and node.value.function is None:
        cx.objects.add(node.symbol)
    if is_natural(node.value, cx.naturals):
        cx.naturals.add(node.symbol)
    if is_distinct(node.value, cx.distinct):
        cx.distinct.add(node.symbol)
    annotation, value = modules.without_cast(value)
    literals = tree.ListDisplay | tree.DictDisplay | tree.ListComprehension | tree.DictComprehension
    if isinstance(value, literals) and typehints.is_mixed(node.value.type):
        annotation, value = typehints.container(node.value.type), modules.for_any_place(value)
        cx.untyped.add(node.symbol)
    elif values.is_untyped(cx, node.value):
        cx.untyped.add(node.symbol)
    if unwrapping.is_unwrapped(cx, node.value):
        cx.unwrapped.add(node.symbol)
    return [tree.Assign(target=target, value=value, annotation=annotation, comments=node.comments)]


def _export(cx: Context, node: program.OutputVariable) -> list[tree.Statement]:
    value = values.lower(cx, unwrapping.for_the_engine(cx, node.value))
    call = tree.call(modules.pulumi("export"), tree.text(node.logical_name), modules.for_any_place(value))
    leading = said_once(node.comments.leading, node.description)
    return [tree.Do(value=call, comments=replace(node.comments, leading=leading))]


def _settings(cx: Context, node: program.PulumiSettings) -> list[tree.Statement]:
    if node.required_version_range is None:
        return []
    required = values.lower(cx, node.required_version_range)
    call = tree.call(modules.pulumi("require_pulumi_version"), required)
    return [tree.Do(value=call, comments=node.comments)]


def closed(statements: list[tree.Statement], closing: tuple[str, ...]) -> list[tree.Statement]:
    """Comments inside a block that became a plain statement: one goes behind it, more stand above it."""
    match statements:
        case [tree.Assign() | tree.Do() as first, *rest] if closing:
            comments = first.comments
            if len(closing) == 1 and not comments.trailing:
                merged = core.Comments(leading=comments.leading, trailing=closing)
            else:
                merged = core.Comments(leading=comments.leading + closing, trailing=comments.trailing)
            return [replace(first, comments=merged), *rest]
        case _:
            return [tree.Remark(lines=closing), *statements] if closing else statements


def _wishes(node: program.Node) -> tuple[str, ...]:
    """Spellings for the variable of `node`: its own name, then one that says what it is."""
    match node:
        case program.ConfigVariable():
            kind = "config"
        case program.Local() | program.OutputVariable() | program.PulumiSettings():
            kind = "value"
        case program.Hook():
            kind = "hook"
        case program.ComponentUse():
            kind = "component"
        case program.Resource():
            kind = snake(node.token.rpartition(":")[2])
        case _:
            assert_never(node)
    assert not isinstance(node, program.PulumiSettings)
    base, first = snake(node.symbol.name), names.variable(node.symbol.name)
    if kind == base:
        kind = "resource"
    longer = kind if kind.startswith(f"{base}_") else f"{base}_{kind}"
    return (first, longer)
