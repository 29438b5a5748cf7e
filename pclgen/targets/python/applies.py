"""Outputs: `apply` over outputs, and composite values as one output (targets.md, Applies)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import ExitStack

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual, surely_output
from pclgen.targets.names import NameTable
from pclgen.targets.origins import member_name, member_of
from pclgen.targets.python import conversions, enumtexts, modules, names, objects, tree, valuetypes
from pclgen.targets.python.capabilities import can_lift, has_attributes
from pclgen.targets.python.context import Context
from pclgen.targets.python.valuetypes import is_untyped
from pclgen.types import model as ty


def lower_apply(cx: Context, expr: core.Apply) -> tree.Expr:
    """`x.apply(lambda x: …)`, or `pulumi.Output.all(a=…, b=…).apply(lambda args: …)`."""
    interpolation = _interpolation(expr)
    if interpolation is not None:
        return cx.lower(interpolation)
    inner = cx.with_classes()
    objects.mark_parameters(cx, expr)
    enumtexts.mark_parameters(cx, expr)
    if len(expr.args) == 1:
        arg, symbol = expr.args[0], expr.parameters[0]
        parameter = inner.bind(symbol)
        if is_untyped(cx, arg):
            cx.untyped.add(symbol)
        function = _function(parameter, _result(inner, expr.body))
        return tree.method(as_receiver(cx, arg), "apply", function)
    table = NameTable(names.KEYWORDS)
    keys = [table.claim(names.attribute(symbol.name)) for symbol in expr.parameters]
    combined = tree.Call(
        function=modules.pulumi("Output.all"),
        args=tuple(tree.Argument(name=key, value=cx.lower(arg)) for key, arg in zip(keys, expr.args, strict=True)),
    )
    resolved = tree.Variable(preferred_names=("args",))
    with ExitStack() as stack:
        for key, symbol in zip(keys, expr.parameters, strict=True):
            stack.enter_context(cx.written(symbol, tree.index(tree.name(resolved), tree.text(key))))
            cx.untyped.add(symbol)
        body = _result(inner, expr.body)
    return tree.method(combined, "apply", tree.Lambda(parameters=(resolved,), body=body))


def _result(cx: Context, body: core.Expr) -> tree.Expr:
    """Return the result of the function, cast where its branches mix values and outputs of different types.

    Checkers find no common type for these.
    """
    node = cx.lower(body)
    if not is_eventual(body.type) or len(set(_kinds(cx, body))) <= 1:
        return node
    return modules.cast(modules.input_(conversions.cast_type(body.type, valuetypes.annotation(body.type))), node)


def _kinds(cx: Context, body: core.Expr) -> Iterator[Hashable]:
    """Yield the type, or the class of literal, that a checker sees in each branch."""
    pending = [body]
    while pending:
        expr = pending.pop()
        while isinstance(expr, core.All | core.Convert):
            expr = expr.value
        if isinstance(expr, core.Conditional):
            pending += [expr.then, expr.otherwise]
            continue
        plain = ty.without_const(ty.resolve(expr.type))
        if plain is not ty.NONE and is_untyped(cx, expr):
            yield from ("untyped",) if is_eventual(expr.type) else ()
        else:
            written = isinstance(expr, core.ListExpr | core.ObjectExpr) and not isinstance(plain, ty.NominalType)
            yield type(expr).__name__ if written else (ty.STRING if plain is ty.ID else plain)


def _function(parameter: tree.Variable, body: tree.Expr) -> tree.Expr:
    """`lambda x: body`; `len` for `lambda x: len(x)`."""
    match body:
        case tree.Call(
            function=(tree.Builtin() | tree.Helper() | tree.Imported()) as function,
            args=(tree.Argument(name="", value=tree.Name(variable=variable)),),
        ) if variable is parameter:
            return function
        case _:
            return tree.Lambda(parameters=(parameter,), body=body)


def _interpolation(expr: core.Apply) -> core.Template | None:
    """The interpolation equivalent to an apply of a template whose holes are steps into the arguments:

    Apply([cert.subject], [s], "CN=${s.commonName}")  ->  "CN=${cert.subject.commonName}"

    Lowering interpolates only values that cannot be null; Python prints None in an f-string and in `format` alike.
    """
    if not isinstance(expr.body, core.Template) or expr.body.type.eventual:
        return None
    args = dict(zip(expr.parameters, expr.args, strict=True))
    parts = [_lifted(part, args) for part in expr.body.parts]
    if None in parts:
        return None
    present = tuple(part for part in parts if part is not None)
    return replace(expr.body, parts=present, type=expr.type)


def _lifted(part: core.Expr, args: Mapping[core.Symbol, core.Expr]) -> core.Expr | None:
    """A hole with arguments in place of parameters; None when it is more than a path."""
    match part:
        case core.Literal():
            return part
        case core.Ref():
            return args.get(part.symbol, part)
        case core.Attr() | core.Index():
            source = _lifted(part.source, args)
            if source is None or (isinstance(part, core.Index) and not _is_plain(part.key, args)):
                return None
            if source is part.source:
                return part
            name = part.name if isinstance(part, core.Attr) else None
            if not can_lift(part.source.type, name, None):
                return None
            return replace(part, source=source, type=ty.output_of(part.type))
        case _:
            return None


def _is_plain(key: core.Expr, args: Mapping[core.Symbol, core.Expr]) -> bool:
    return isinstance(key, core.Literal) or (isinstance(key, core.Ref) and key.symbol not in args)


def as_receiver(cx: Context, expr: core.Expr) -> tree.Expr:
    """`expr` as an output on which a method can be called."""
    if holds_eventual(expr.type):
        return lower_all(cx, core.All(value=expr, type=ty.output_of(expr.type), span=expr.span))
    if isinstance(expr.type, ty.PromiseType):
        return modules.as_output(cx.lower(expr))
    return cx.receiver(expr)


def lower_all(cx: Context, expr: core.All) -> tree.Expr:
    """`pulumi.Output.all(a, b)`; the members of an object become keywords."""
    value = expr.value
    match value:
        case core.ListExpr(comments=()) if value.elements and not value.closing:
            return tree.call(modules.pulumi("Output.all"), *(cx.lower(e) for e in value.elements))
        case core.ObjectExpr() if _has_keyword_keys(value):
            args = tuple(
                tree.Argument(
                    name=member_name(item), value=cx.lower(item.value), comments=item.comments, origin=member_of(item)
                )
                for item in value.items
            )
            return tree.Call(function=modules.pulumi("Output.all"), args=args, closing=value.closing)
        case core.Conditional() if _mixes_forms(value):
            # A checker finds no common type for outputs and structures of outputs.
            return cx.lower(replace(value, then=_as_all(value.then), otherwise=_as_all(value.otherwise)))
        case core.ListExpr(elements=[_, *_]) | core.For(result_key=None):
            return _spread("*", cx.lower(value))
        case core.ObjectExpr(items=[_, *_]) if not has_attributes(value.type):
            return _spread("**", cx.lower(value))
        case core.For():
            # `all` without arguments returns a list.
            return tree.method(_spread("**", cx.lower(value)), "apply", tree.Builtin(name="dict"))
        case _:
            return modules.as_output(cx.lower(value))


def _mixes_forms(value: core.Conditional) -> bool:
    branches = (value.then, value.otherwise)
    return any(holds_eventual(b.type) for b in branches) and not any(ty.resolve(b.type) is ty.NONE for b in branches)


def _as_all(branch: core.Expr) -> core.Expr:
    branch = unconverted(branch)
    if surely_output(branch):
        return branch
    return core.All(value=branch, type=ty.output_of(ty.resolve(branch.type)), span=branch.span)


def unconverted(value: core.Expr) -> core.Expr:
    """Return a list or an object without a conversion that changes nothing in Python."""
    if isinstance(value, core.Convert) and isinstance(value.value, core.ListExpr | core.ObjectExpr):
        return value if conversions.conversion(value.value.type, value.type, value.unset) else value.value
    return value


def is_open(value: core.Expr) -> bool:
    """Return whether `lower_all` leaves the types of the parts of `value` open for checkers."""
    value = unconverted(value)
    if isinstance(value, core.Conditional):
        return all(surely_output(branch) or is_open(branch) for branch in (value.then, value.otherwise))
    return isinstance(value, core.ListExpr | core.ObjectExpr | core.For)


def _spread(stars: str, value: tree.Expr) -> tree.Expr:
    """`pulumi.Output.all(*value)`: unlike `from_input` it leaves the types of the elements open."""
    return tree.Call(function=modules.pulumi("Output.all"), args=(tree.Argument(name=stars, value=value),))


def _has_keyword_keys(expr: core.ObjectExpr) -> bool:
    """Return whether the keys can be keywords of a call."""
    if not expr.items or has_attributes(expr.type):
        return False
    keys = [item.key.value for item in expr.items if isinstance(item.key, core.Literal)]
    named = [key for key in keys if isinstance(key, str) and key.isidentifier() and key.isascii()]
    return len(named) == len(expr.items) and not names.KEYWORDS & {*named}
