"""Source files: a file for the program and for each component (targets.md, Source files; Components).

A plan becomes `tree.File`s, the program's first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from pclgen.core import program as prog
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.plan.model import Declare, Plan, ProjectPlan
from pclgen.source.paths import PLUGIN
from pclgen.sourcemaps import Origin
from pclgen.targets.names import NameTable, file_stem, snake
from pclgen.targets.origins import origin_of
from pclgen.targets.python import (
    components,
    config,
    modules,
    names,
    nodes,
    tree,
    unwrapping,
    values,
)
from pclgen.targets.python.context import Context
from pclgen.targets.python.equality import Steps
from pclgen.targets.python.helpers import BESIDE, CHECKS
from pclgen.targets.python.packages import module_of
from pclgen.targets.python.tree import Group, Module

MAIN = "__main__.py"


def lower_files(plan: ProjectPlan, bag: DiagnosticBag) -> list[tree.File]:
    """The files of a program and of all components below it."""
    root = plan.main.program
    classes_of = _component_modules(tuple(plan.components), _modules_used(root))
    files = [_main(Context(bag=bag, forms=values, classes_of=classes_of, steps=Steps(root.nodes)), plan.main)]
    for component, inside in plan.components.items():
        cx = Context(bag=bag, forms=values, classes_of=classes_of, steps=Steps(inside.program.nodes))
        path, without = f"{classes_of[component].path}.py", plan.late.get(component.value, frozenset())
        files.append(components.lower_component(cx, component, inside, path, plain=plan.plain[component], late=without))
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
    value = cx.lower(unwrapping.for_the_engine(cx, node.value))
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
