"""Hooks: a function that runs the command, and its registration (targets.md, Hooks)."""

from __future__ import annotations

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.targets.names import snake
from pclgen.targets.python import modules, tree
from pclgen.targets.python.context import Context
from pclgen.types.model import DYNAMIC, resolve


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
