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
    checked = tree.Constant(value=not node.is_error_hook)
    run = tree.call(tree.Imported(module=modules.SUBPROCESS, name="run"), command, check=checked)
    kind = "ErrorHookArgs" if node.is_error_hook else "ResourceHookArgs"
    if node.is_error_hook:
        # Exit status 0 asks for another attempt.
        status = tree.Attribute(value=run, name="returncode")
        result = tree.Binary(operator="==", left=status, right=tree.Constant(value=0))
        returns: tree.Expr = tree.Builtin(name="bool")
        return tree.Define(
            name=function,
            parameter=args,
            annotation=modules.pulumi(kind),
            returns=returns,
            body=(),
            result=result,
            comments=node.comments,
        )
    return tree.Define(
        name=function,
        parameter=args,
        annotation=modules.pulumi(kind),
        returns=tree.Constant(value=None),
        body=(tree.Do(value=run),),
        comments=node.comments,
    )


def _registration(cx: Context, node: prog.Hook, function: tree.Expr) -> tree.Expr:
    name = tree.text(node.symbol.name)
    if node.is_error_hook:
        return tree.call(modules.pulumi("ErrorHook"), name, function)
    named = {"on_dry_run": node.on_dry_run, "ignore_errors": node.ignore_errors}
    arguments: dict[str, core.Expr] = {key: value for key, value in named.items() if value is not None}
    args = [tree.Argument(value=name), tree.Argument(value=function)]
    if arguments:
        options = tree.Call(
            function=modules.pulumi("ResourceHookOptions"),
            args=tuple(tree.Argument(name=key, value=cx.lower(value)) for key, value in arguments.items()),
        )
        args.append(tree.Argument(name="opts", value=options))
    return tree.Call(function=modules.pulumi("ResourceHook"), args=tuple(args))
