"""Hooks: functions that run a command on lifecycle events of a resource (targets.md, Hooks)."""

from __future__ import annotations

from pclgen.core.expr import Expr, ListExpr
from pclgen.core.program import Hook
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, parameters, translate


def statement(cx: Context, node: Hook) -> ts.Statement:
    """`const x = new pulumi.ResourceHook("x", (args) => { … });`."""
    if node.command.type.eventual:
        cx.refuse("a hook whose command has outputs in it", node.command.span, "hooks run outside of the program")
    used = cx.bind_parameters([node.args], [node.command])
    run = ts.Do(_run(cx, node.command))
    if node.is_error_hook:
        yes, no = ts.Return(ts.Constant("true")), ts.Return(ts.Constant("false"))
        body: tuple[ts.Statement, ...] = (ts.Try((run, yes), (no,)),)
    else:
        body = (run,)
    args: list[ts.TsExpr] = [ts.Text(node.symbol.name), ts.Arrow(parameters(used), body)]
    options = [
        (name, translate(cx, value))
        for name, value in (("onDryRun", node.on_dry_run), ("ignoreErrors", node.ignore_errors))
        if value is not None
    ]
    if options:
        args.append(build.object_of(*options))
    callee = cx.imports.pulumi("ErrorHook" if node.is_error_hook else "ResourceHook")
    return build.declare(cx.variable(node.symbol), ts.New(callee, tuple(args)))


def _run(cx: Context, command: Expr) -> ts.TsExpr:
    """`childProcess.execFileSync(file, [args])`."""
    module = cx.imports.node("childProcess")
    if isinstance(command, ListExpr) and command.elements:
        first, *rest = command.elements
        arguments = [translate(cx, first), ts.Array(tuple(translate(cx, e) for e in rest))]
        return build.method(module, "execFileSync", *arguments[: 2 if rest else 1])
    words = translate(cx, command)
    again = translate(cx, command)
    rest_of = build.method(again, "slice", ts.Number("1"))
    return build.method(module, "execFileSync", ts.Element(words, ts.Number("0")), rest_of)
