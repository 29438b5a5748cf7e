"""Outputs: `.apply`, `pulumi.all` and `pulumi.output` (targets 7.1).

    Apply([a], [x], body)           a.apply((x) => body)
    Apply([a, b], [x, y], body)     pulumi.all([a, b]).apply(([x, y]) => body)
    All([a, "b"])                   pulumi.output([a, "b"])
"""

from __future__ import annotations

from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.expr import All, Apply, Conditional, Expr, ListExpr
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context

_LONGEST_TUPLE = 8  # `pulumi.all` is typed for tuples up to this length


def apply(expr: Apply, cx: Context) -> ts.TsExpr:
    """Run a function once its arguments are known."""
    from pclgen.targets.typescript.expressions import translate_output

    source_context = cx.with_null(True)
    names = cx.bind_parameters(expr.parameters, [expr.body])
    # A parameter that the body does not use still takes its place.
    parameters = tuple(name or "_" for name in names)
    body = result_of(expr.body, cx)
    if len(expr.args) == 1:
        source = translate_output(expr.args[0], source_context)
        return build.method(source, "apply", build.arrow(parameters, body))
    if len(expr.args) <= _LONGEST_TUPLE:
        source = _all(expr.args, source_context)
        names = list(names)
        while names and not names[-1]:
            names.pop()
        return build.method(source, "apply", ts.Arrow((ts.Parameter(tuple(names), "["),), body))
    members = tuple(
        ts.Property(name, _part(arg, source_context)) for name, arg in zip(_distinct(parameters), expr.args, strict=True)
    )
    source = cx.pulumi("output", ts.Object(members))
    return build.method(source, "apply", ts.Arrow((ts.Parameter(_distinct(parameters), "{"),), body))


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name if name != "_" else f"_{at}" for at, name in enumerate(names))


def _all(args: tuple[Expr, ...], cx: Context) -> ts.TsExpr:
    return cx.pulumi("all", ts.Array(tuple(_part(arg, cx) for arg in args)))


def _part(arg: Expr, cx: Context) -> ts.TsExpr:
    """An argument of `all`, which resolves structures by itself."""
    from pclgen.targets.typescript.expressions import translate

    return translate(arg.value if isinstance(arg, All) else arg, cx)


def gather(expr: All, cx: Context) -> ts.TsExpr:
    """A structure with outputs inside as one output."""
    from pclgen.targets.typescript.expressions import translate

    value = expr.value
    made = translate(value, cx)
    short = isinstance(value, ListExpr) and 0 < len(value.elements) <= _LONGEST_TUPLE
    return cx.pulumi("all" if short else "output", made)


def result_of(body: Expr, cx: Context) -> ts.TsExpr:
    """What a function given to `apply` returns: where it may return an output, it always does."""
    from pclgen.targets.typescript.expressions import translate, translate_output

    if not is_eventual(body.type):
        return translate(body, cx)
    if isinstance(body, Conditional):
        condition = translate(body.condition, cx.with_null(False))
        return ts.Conditional(condition, result_of_branch(body.then, cx), result_of_branch(body.otherwise, cx))
    return translate(body, cx) if surely_output(body) else translate_output(body, cx)


def result_of_branch(branch: Expr, cx: Context) -> ts.TsExpr:
    """One branch of such a result."""
    from pclgen.targets.typescript.expressions import translate_output

    if isinstance(branch, Conditional) and is_eventual(branch.type):
        return result_of(branch, cx)
    return translate_output(branch, cx)
