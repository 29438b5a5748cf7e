"""Calls: built-in functions, provider functions and methods (language.md, Calls; Functions; Invokes; Methods).

Arguments of built-in functions are bound left to right. The function's row declares the types of parameters and result, and
the condition for an eventual result (its lifting).

`invoke(token, args, options)` calls a provider function, `call(resource, method, args)` a method of a resource. A function
with a result is bound in its Output form, which takes plain and eventual arguments and keeps their dependencies, unless the
program awaits it (`bind.awaited`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.bind import attempts, optionvalues, steps
from pclgen.bind.awaited import place_of
from pclgen.bind.coerce import fit, invalid
from pclgen.bind.collections import constant_items, item_names, named_items
from pclgen.bind.context import Context, Want, because
from pclgen.bind.literals import bare, static_text
from pclgen.core import expr as core
from pclgen.diagnostics import expressions as say
from pclgen.diagnostics import packages as say_packages
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span
from pclgen.stdlib.model import (
    UNKNOWN,
    Argument,
    BadArgumentError,
    Function,
    Lifting,
    Value,
    arity,
    expected_types,
    parameter_at,
    signature,
)
from pclgen.stdlib.options import INVOKE_OPTIONS
from pclgen.stdlib.registry import CALL, INVOKE, find, names
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, conversion, is_resource
from pclgen.types.declarations import FunctionDecl, Shape
from pclgen.types.show import show, show_owner, with_article

# -- built-in functions -----------------------------------------------------------------------------------------------------

def synth_call(cx: Context, e: ast.Call) -> core.Expr:
    """A call."""
    if e.name.text == INVOKE:
        return synth_invoke(cx, e)
    if e.name.text == CALL:
        return synth_method_call(cx, e)
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
    if not e.expand and _are_swapped(function, arguments):
        first, second = (arg.span for arg in args)
        cx.report(say.swapped_arguments(function.name, first, second))
        return invalid(e.span)
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


def _are_swapped(function: Function, arguments: Sequence[Argument]) -> bool:
    """Return whether two arguments fit in the other order only."""
    return len(arguments) == 2 and not _fits(function, arguments) and _fits(function, arguments[::-1])


def _fits(function: Function, arguments: Sequence[Argument]) -> bool:
    """Return whether the function takes arguments of these types."""
    try:
        expected = expected_types(function, arguments)
        function.result(arguments)
    except BadArgumentError:
        return False
    return all(conversion(t, argument.type) is not Conversion.NONE for t, argument in zip(expected, arguments, strict=True))


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


# -- provider functions -----------------------------------------------------------------------------------------------------

_INVOKE_FORM = "invoke(token, arguments, options?)"
_CALL_FORM = 'call(resource, "method", arguments)'


def synth_invoke(cx: Context, e: ast.Call) -> core.Expr:
    """`invoke(…)`."""
    if not e.args:
        closing = Span(e.span.file, e.span.end - 1, e.span.end)
        cx.report(say.too_few_arguments(INVOKE, "token", _INVOKE_FORM, closing))
        return invalid(e.span)
    text = static_text(e.args[0])
    if text is None:
        cx.report(say.invoke_token_not_literal(e.args[0].span))
        return invalid(e.span)
    token = cx.packages.token(text, e.args[0].span)
    function = cx.packages.function(token, e.args[0].span) if token is not None else None
    if function is None:
        return _unknown_invoke(cx, e, text)
    if function.is_method:
        name = function.token.rsplit("/", 1)[-1]
        cx.report(say_packages.method_invoked(text, name, e.args[0].span))
        return invalid(e.span)
    if function.deprecated:
        cx.report(say.deprecated(text, function.deprecated, e.args[0].span))
    if function.multi_argument:
        return _positional(cx, e, function)
    return _by_object(cx, e, function)


def _unknown_invoke(cx: Context, e: ast.Call, token: str) -> core.Expr:
    """An invoke of an undeclared function: in lenient mode it has an unknown type."""
    args = [cx.synth(arg) for arg in e.args[1:]]
    if not cx.lenient:
        return invalid(e.span)
    return core.Invoke(
        token=token,
        function=None,
        args=args[0] if args else None,
        options={},
        output_form=True,
        type=ty.output_of(ty.DYNAMIC),
        span=e.span,
    )


def _by_object(cx: Context, e: ast.Call, function: FunctionDecl) -> core.Expr:
    if len(e.args) > 3:
        cx.report(say.too_many_arguments(INVOKE, 3, _INVOKE_FORM, e.args[3].span))
        return invalid(e.span)
    args = _arguments(cx, e.args[1] if len(e.args) > 1 else None, function, e)
    options = _options(cx, e.args[2]) if len(e.args) > 2 else {}
    return _make_invoke(cx, e, function, args, options=options)


def _make_invoke(
    cx: Context, e: ast.Call, function: FunctionDecl, args: core.Expr | None, *, options: Mapping[str, core.Expr]
) -> core.Expr:
    if args is not None and args.type is ty.ERROR:
        return invalid(e.span)
    result: ty.Type = function.result if function.result is not None else ty.object_of({})
    waits = _waits(cx, e)
    if not cx.certain:
        cx.early.perhaps.add(place_of(e.span))
    return core.Invoke(
        token=function.token,
        function=function,
        args=args,
        options=options,
        output_form=function.result is not None and not waits,
        type=result if waits else ty.output_of(result),
        span=e.span,
    )


def _waits(cx: Context, e: ast.Call) -> bool:
    return place_of(e.span) in cx.awaited


def _arguments(cx: Context, argument: ast.Expr | None, function: FunctionDecl, e: ast.Call) -> core.Expr | None:
    shape = Shape.INPUT if (function.result is not None or function.is_method) and not _waits(cx, e) else Shape.PLAIN
    if function.is_method:
        shape = Shape.INPUT if not function.plain_result else Shape.PLAIN
    if function.inputs is None:
        if argument is not None:
            cx.check(argument, Want(ty.object_of({}), because(f"{function.token} takes no arguments")))
        return None
    parameters = ty.nominal_of(function.inputs, shape)
    if argument is None:
        fields = function.inputs.fields(shape)
        missing = [name for name, f in fields.items() if f.required]
        closing = Span(e.span.file, e.span.end - 1, e.span.end)
        if missing:
            name, what = show_owner(function.inputs)
            cx.report(say.missing_property(missing, name, closing, what=what))
            return invalid(e.span)
        constants = constant_items(cx, fields, (), closing)
        return core.ObjectExpr(items=constants, type=parameters, span=closing) if constants else None
    return cx.check(argument, Want(parameters, because(f"these are the arguments of {function.token}")))


def _positional(cx: Context, e: ast.Call, function: FunctionDecl) -> core.Expr:
    """`invoke("p:index:f", a, null, {options})`: bound as the object form (language.md, Positional invokes)."""
    names = function.multi_argument
    arguments = e.args[1:]
    if arguments and _names_parameters(arguments[0], function):
        cx.report_softly(say.arguments_in_an_object(function.token, _form(function), arguments[0].span))
        return _by_object(cx, e, function) if cx.lenient else invalid(e.span)
    if len(arguments) > len(names) + 1:
        cx.report(say.too_many_arguments(function.token, len(names), _form(function), arguments[len(names) + 1].span))
        return invalid(e.span)
    assert function.inputs is not None, "a positional function has parameters"
    shape = Shape.PLAIN if _waits(cx, e) else Shape.INPUT
    fields = function.inputs.fields(shape)
    items: list[core.ObjectItem] = []
    for name, arg in zip(names, arguments, strict=False):
        if isinstance(arg, ast.NullLit) and not fields[name].required:
            continue
        why = because(f"`{name}` of {function.token} is {with_article(fields[name].type)}")
        value = cx.check(arg, Want(fields[name].type, why))
        key = core.Literal(value=name, type=ty.STRING, span=arg.span)
        items.append(core.ObjectItem(key=key, value=value, span=arg.span, field=fields[name]))
    missing = [name for name in names[len(arguments) :] if fields[name].required]
    closing = Span(e.span.file, e.span.end - 1, e.span.end)
    if missing:
        cx.report(say.too_few_arguments(function.token, missing[0], _form(function), closing))
        return invalid(e.span)
    options = _options(cx, arguments[len(names)]) if len(arguments) > len(names) else {}
    items.extend(constant_items(cx, fields, names[: len(arguments)], closing))
    args = core.ObjectExpr(items=tuple(items), type=ty.nominal_of(function.inputs, shape), span=e.span)
    return _make_invoke(cx, e, function, args, options=options)


def _names_parameters(argument: ast.Expr, function: FunctionDecl) -> bool:
    """Return whether the first argument is an object with all arguments, as for other functions."""
    argument = bare(argument)
    assert function.inputs is not None, "a positional function has parameters"
    first = function.inputs.fields(Shape.INPUT)[function.multi_argument[0]]
    if not isinstance(argument, ast.ObjectExpr) or conversion(first.type, ty.object_of({})) is not Conversion.NONE:
        return False
    return all(name in function.multi_argument for name in item_names(argument))


def _form(function: FunctionDecl) -> str:
    return f'invoke("{function.token}", {", ".join(function.multi_argument)})'


def _options(cx: Context, argument: ast.Expr) -> dict[str, core.Expr]:
    """The options object of an invoke."""
    argument = bare(argument)
    if not isinstance(argument, ast.ObjectExpr):
        cx.report(say.options_not_object(argument.span))
        return {}
    options: dict[str, core.Expr] = {}
    for name, item in named_items(cx, argument):
        spec = INVOKE_OPTIONS.get({"pluginDownloadURL": "pluginDownloadUrl"}.get(name or "", name or ""))
        if spec is None:
            names = tuple("pluginDownloadURL" if option == "pluginDownloadUrl" else option for option in INVOKE_OPTIONS)
            cx.report(say.unknown_invoke_option(name or "…", names, item.key.span))
            continue
        value = optionvalues.check_option(cx, spec, item.value)
        if value is not None:
            options[spec.name] = value
    return options


def synth_method_call(cx: Context, e: ast.Call) -> core.Expr:
    """`call(resource, "method", {…})`."""
    if len(e.args) < 2:
        closing = Span(e.span.file, e.span.end - 1, e.span.end)
        missing = "resource" if not e.args else "method"
        cx.report(say.too_few_arguments(CALL, missing, _CALL_FORM, closing))
        return invalid(e.span)
    if len(e.args) > 3:
        cx.report(say.too_many_arguments(CALL, 3, _CALL_FORM, e.args[3].span))
        return invalid(e.span)
    receiver = cx.synth(e.args[0])
    if receiver.type is ty.ERROR:
        return invalid(e.span)
    name = static_text(e.args[1])
    if name is None:
        cx.report(say.invoke_token_not_literal(e.args[1].span))
        return invalid(e.span)
    t = receiver.type
    if not isinstance(t, ty.NominalType) or not is_resource(t) or t.resource is None:
        cx.report(say.bad_receiver(with_article(t), receiver.span, _receiver_hint(t)))
        return invalid(e.span)
    methods = t.resource.methods()
    method = methods.get(name)
    if method is None:
        names = tuple(methods)
        cx.report(say_packages.unknown_method(name, t.resource.token, e.args[1].span, methods=names))
        return invalid(e.span)
    if method.deprecated:
        cx.report(say.deprecated(f"method {name}", method.deprecated, e.args[1].span))
    args = _arguments(cx, e.args[2] if len(e.args) == 3 else None, method, e)
    if args is not None and args.type is ty.ERROR:
        return invalid(e.span)
    result: ty.Type = method.result if method.result is not None else ty.object_of({})
    kind = result if method.plain_result else ty.output_of(result)
    return core.MethodCall(receiver=receiver, name=name, method=method, args=args, type=kind, span=e.span)


def _receiver_hint(t: ty.Type) -> str | None:
    text = show(t)
    if text.startswith("list(resource"):
        return "the resource is ranged: take one of it, such as [0]"
    if text.startswith("map(resource"):
        return 'the resource is ranged: take one of it, such as ["key"]'
    return None
