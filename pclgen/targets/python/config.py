"""Config values of a program (targets 9): typed getters whose defaults keep an explicit false, zero or empty text."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.core import expr as core
from pclgen.core import program
from pclgen.core.eventuals import is_eventual
from pclgen.targets.comments import said_once
from pclgen.targets.names import snake
from pclgen.targets.python import modules, tree, values
from pclgen.targets.python.context import Context
from pclgen.types.model import BOOL, ID, INT, NUMBER, STRING, Type, resolve, without_const, without_none
from pclgen.types.required import required_paths

_SUFFIXES: Mapping[Type, str] = {STRING: "", ID: "", BOOL: "_bool", INT: "_int", NUMBER: "_float"}


def lower_config(
    cx: Context, node: program.ConfigVariable, target: tree.Variable, config: tree.Variable
) -> list[tree.Statement]:
    """`name = config.get("name", default)`."""
    suffix = _SUFFIXES.get(without_none(without_const(resolve(node.type))), "_object")
    default = node.default
    if isinstance(default, core.Literal) and default.value is None:
        default = None
    getter = ("require" if node.required else "get") + ("_secret" if node.secret else "") + suffix
    args = [tree.text(node.logical_name)]
    comments = _with_description(node)
    if default is not None and default.type.eventual:
        return _eventual_default(cx, node, target, (tree.name(config), getter, default))
    lowered = [values.lower(cx, default)] if default is not None else []
    if suffix == "_object" and (node.required or lowered):
        cx.untyped.add(node.symbol)
    read = _with_members(cx, node, tree.method(tree.name(config), getter, *args, *lowered))
    return [tree.Assign(target=target, value=read, comments=comments)]


def _with_members(cx: Context, node: program.ConfigVariable, read: tree.Expr) -> tree.Expr:
    """`read`, held against the declared type: the SDK looks at no member."""
    paths = [tree.text(path) for path in required_paths(node.type)]
    if not paths:
        return read
    cx.untyped.add(node.symbol)
    return tree.call(tree.Helper(key="require_members"), read, tree.text(f"{node.place}: {node.logical_name}"), *paths)


def _eventual_default(
    cx: Context,
    node: program.ConfigVariable,
    target: tree.Variable,
    read: tuple[tree.Expr, str, core.Expr],
) -> list[tree.Statement]:
    """The getters take only plain defaults; the variable is an output in both cases."""
    config, getter, default = read
    given = tree.Variable(wishes=(f"configured_{snake(node.symbol.name)}",))
    value = values.lower(cx, default)
    if node.secret:
        value = tree.call(modules.pulumi("Output.secret"), value)
    elif not is_eventual(default.type):
        value = modules.as_output(value)
    found: tree.Expr = tree.name(given)
    chosen = tree.IfElse(
        condition=tree.Binary(operator="is", left=found, right=tree.Constant(value=None)),
        then=value,
        otherwise=found if node.secret else modules.as_output(found),
    )
    cx.untyped.add(node.symbol)
    any_output = modules.output(modules.any_type())
    return [
        tree.Assign(
            target=given,
            value=_with_members(cx, node, tree.method(config, getter, tree.text(node.logical_name))),
            comments=_with_description(node),
        ),
        tree.Assign(target=target, value=chosen, annotation=any_output),
    ]


def _with_description(node: program.ConfigVariable) -> core.Comments:
    leading = said_once(node.comments.leading, node.description)
    return core.Comments(leading=leading, trailing=node.comments.trailing)
