"""Calls of built-in functions (language.md, Calls; Functions); `invoke` and `call` are in `bind.invokes`.

Arguments are bound left to right. The function's row declares the types of parameters and result, and the condition for an
eventual result (its lifting).
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.bind import attempts, invokes, steps
from pclgen.bind.coerce import fit, invalid
from pclgen.bind.context import Context, Want, because
from pclgen.core import expr as core
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span
from pclgen.stdlib.calling import arity, expected_types, parameter_at, signature
from pclgen.stdlib.model import UNKNOWN, Argument, BadArgumentError, Function, Lifting, Value
from pclgen.stdlib.registry import CALL, INVOKE, find, names
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.show import with_article


def synth_call(cx: Context, e: ast.Call) -> core.Expr:
    """A call."""
    if e.name.text == INVOKE:
        return invokes.synth_invoke(cx, e)
    if e.name.text == CALL:
        return invokes.synth_method_call(cx, e)
    own = cx.packages.functions
    function = find(e.name.text) or own.get(e.name.text)
    if function is None:
        candidates = (*names(), *own)
        refused = cx.packages.refused_pack(e.name.text)
        if refused is not None:
            if refused not in cx.packages.reported:
                cx.packages.reported.add(refused)
                cx.report(say.refused_function(e.name.text, e.name.span))
        else:
            cx.report(say.unknown_function(e.name.text, candidates, e.name.span))
        meant = find(suggest(e.name.text, candidates) or "")
        failure = _failure_symbol(meant, e) if meant is not None else None
        for i, arg in enumerate(e.args):
            _argument(cx, arg, failure if i == 1 else None)
        return invalid(e.span)
    if function.home is not None:
        cx.packages.homes[function.home.name] = function.home
    if function.name in ("try", "can"):
        return _attempts(cx, e, function)
    failure = _failure_symbol(function, e)
    args = [_argument(cx, arg, failure if i == 1 else None) for i, arg in enumerate(e.args)]
    return _typed_call(cx, e, function, args, failure=failure)


def _attempts(cx: Context, e: ast.Call, function: Function) -> core.Expr:
    """A call of `try` or `can`."""
    args = attempts.bind_attempts(cx, e)
    decision = attempts.decided(cx, e, args)
    return _typed_call(cx, e, function, args, failure=None) if decision is None else decision


def _failure_symbol(function: Function, e: ast.Call) -> core.Symbol | None:
    """The symbol `error` in scope in the second argument of `recover` (language.md, Recover)."""
    if function.name != "recover":
        return None
    return core.Symbol(name="error", kind=core.SymbolKind.FAILURE, type=ty.STRING, span=e.span)


def _argument(cx: Context, arg: ast.Expr, failure: core.Symbol | None) -> core.Expr:
    if failure is not None:
        cx = cx.inside(cx.scope.with_names({"error": failure}))
    return cx.synth(arg)


def _typed_call(
    cx: Context, e: ast.Call, function: Function, args: list[core.Expr], *, failure: core.Symbol | None
) -> core.Expr:
    if any(arg.type is ty.ERROR for arg in args):
        return invalid(e.span)
    if e.expand:
        expanded = _expanded(cx, args[-1], function, len(args))
        if expanded is None:
            return invalid(e.span)
        args[-1:] = expanded
    if not _arity_fits(cx, e, function, len(args)):
        return invalid(e.span)
    spread = e.expand and _stays_whole(args[-1], function)
    arguments = [_as_argument(arg) for arg in args]
    if spread:
        t = ty.without_none(ty.resolve(args[-1].type))
        element = t.element if isinstance(t, ty.ListType) else ty.DYNAMIC
        arguments[-1] = Argument(type=element, eventual=args[-1].type.eventual)
    try:
        expected = expected_types(function, arguments)
        result = function.result(arguments)
    except BadArgumentError as problem:
        place = args[min(problem.index, len(args) - 1)].span if args else e.span
        cx.report(say.bad_argument(function.name, problem.reason, place, problem.hint, in_some_cases=problem.in_some_cases))
        return invalid(e.span)
    if not spread:
        args = [_fit_argument(cx, function, i, arg, expected=expected[i]) for i, arg in enumerate(args)]
    if any(arg.type is ty.ERROR for arg in args):
        return invalid(e.span)
    return core.Call(
        function=function,
        args=tuple(args),
        expand=spread,
        type=_lifted(function, result, args),
        span=e.span,
        failure=failure,
    )


def _as_argument(arg: core.Expr) -> Argument:
    return Argument(type=ty.resolve(arg.type), value=_constant(arg), eventual=arg.type.eventual)


def _constant(arg: core.Expr) -> Value:
    """The value of a constant argument."""
    if isinstance(arg, core.Literal):
        return arg.value
    if isinstance(arg, core.ListExpr):
        parts = [_constant(element) for element in arg.elements]
        return UNKNOWN if any(part is UNKNOWN for part in parts) else parts
    return UNKNOWN


def _expanded(cx: Context, last: core.Expr, function: Function, count: int) -> list[core.Expr] | None:
    """Expand `last...` to arguments, as far as its type shows them (language.md, Calls).

    A list of unknown length yields as many arguments as the function needs; a variadic function takes the list itself.
    """
    t = ty.without_none(ty.resolve(last.type))
    if isinstance(last, core.ListExpr):
        return list(last.elements)
    if not isinstance(t, ty.ListType | ty.TupleType) and t is not ty.DYNAMIC:
        cx.report(say.expand_not_list(with_article(t), last.span))
        return None
    if _stays_whole(last, function):
        return [last]
    missing = len(t.elements) if isinstance(t, ty.TupleType) else max(1, arity(function)[0] - count + 1)
    return [steps.step_into(cx, last, i, last.span, span=last.span) for i in range(missing)]


def _stays_whole(last: core.Expr, function: Function) -> bool:
    """Return whether `last...` is passed as a list: not to functions with lazy parameters (`try`)."""
    variadic = function.variadic
    is_list = isinstance(ty.without_none(ty.resolve(last.type)), ty.ListType) or ty.resolve(last.type) is ty.DYNAMIC
    return is_list and variadic is not None and not variadic.lazy


def _arity_fits(cx: Context, e: ast.Call, function: Function, count: int) -> bool:
    fewest, most = arity(function)
    if count < fewest:
        parameter = parameter_at(function, count)
        name = parameter.name if parameter is not None else "value"
        closing = Span(e.span.file, e.span.end - 1, e.span.end)
        cx.report(say.too_few_arguments(function.name, name, signature(function), closing))
        return False
    if most is not None and count > most:
        cx.report(say.too_many_arguments(function.name, most, signature(function), e.args[min(most, len(e.args) - 1)].span))
        return False
    return True


def _fit_argument(cx: Context, function: Function, index: int, arg: core.Expr, *, expected: ty.Type) -> core.Expr:
    if expected is ty.DYNAMIC:
        return arg
    parameter = parameter_at(function, index)
    name = parameter.name if parameter is not None else "argument"
    why = because(f"`{name}` of {function.name} is {with_article(expected)}")
    return fit(cx, arg, Want(ty.input_of(expected), why, used=True))


def _lifted(function: Function, result: ty.Type, args: Sequence[core.Expr]) -> ty.Type:
    match function.lifting:
        case Lifting.OUTPUT:
            return ty.output_of(result)
        case Lifting.NEVER:
            return result
        case Lifting.LIFT | Lifting.KEEP:
            return ty.output_of(result) if any(arg.type.eventual for arg in args) else result
