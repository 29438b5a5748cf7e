"""Outputs: `.apply`, `pulumi.all` and `pulumi.output` (targets.md, What SDKs can do).

    Apply([a], [x], body)           a.apply((x) => body)
    Apply([a, b], [x, y], body)     pulumi.all([a, b]).apply(([x, y]) => body)
    All([a, "b"])                   pulumi.output([a, "b"])
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual, is_eventual, surely_output
from pclgen.targets.typescript import build, operators
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, pattern, translate, translate_output, unused
from pclgen.targets.typescript.conversions import choices, chooses_unlike_outputs
from pclgen.targets.typescript.loops import is_over_nothing
from pclgen.targets.typescript.operators import mixes_objects, narrowed
from pclgen.targets.typescript.types import structure_type, written_type
from pclgen.types import model as ty

_LONGEST_TUPLE = 8  # `pulumi.all` is typed for tuples up to this length


def apply(cx: Context, expr: core.Apply) -> ts.TsExpr:
    """Call a function once its arguments are known."""
    if len(expr.args) == 1 and isinstance(expr.body, core.Ref) and expr.body.symbol is expr.parameters[0]:
        return translate(cx, expr.args[0])
    cx = cx.in_function()
    parameters = cx.bind_parameters(expr.parameters, [expr.body])
    cx.file.promised.update(
        symbol for arg, symbol in zip(expr.args, expr.parameters, strict=True) if cx.is_promised(arg)
    )
    call = apply_to(cx, expr.args, parameters, result_of(cx, expr.body))
    if _is_empty(expr.body) or _differs_by_branch(expr.body):
        result = written_type(cx.imports, ty.resolve(expr.body.type), (expr.body,))
        if ty.is_optional(expr.body.type):
            result = build.union(result, ts.TypeName(build.UNDEFINED))  # null may be that of a helper
        call = replace(call, types=(result,))
    return call


def _is_empty(body: core.Expr) -> bool:
    """Return whether a function returns `[]` or `{}`, whose elements have the type `never` for TypeScript."""
    match body:
        case core.ListExpr(elements=()) | core.ObjectExpr(items=()):
            return True
        case core.For():
            return is_over_nothing(body)
        case _:
            return False


def _differs_by_branch(body: core.Expr) -> bool:
    """Return whether a function returns outputs of different structures, for which TypeScript finds no common type."""
    structures: set[Hashable] = set()
    pending = [body] if is_eventual(body.type) else []
    while pending:
        expr = pending.pop()
        if isinstance(expr, core.Conditional):
            pending += [expr.then, expr.otherwise]
        elif ty.resolve(expr.type) is not ty.NONE:
            structures.add(_structure(expr))
    return len(structures) > 1 and any(
        isinstance(structure, tuple | ty.ObjectType | ty.TupleType | ty.ListType | ty.MapType) for structure in structures
    )


def _structure(expr: core.Expr) -> Hashable:
    """Return a key, equal for values of the same TypeScript type: the members of a literal by name, other values' types."""
    if isinstance(expr, core.All | core.Convert):
        return _structure(expr.value)
    if isinstance(expr, core.ObjectExpr):
        return tuple((item.key.span.text, _structure(item.value)) for item in expr.items)
    return ty.without_none(ty.resolve(expr.type))


def apply_to(cx: Context, args: tuple[core.Expr, ...], parameters: Sequence[ts.Variable | None], body: ts.TsExpr) -> ts.Call:
    """`args` applied to a function of the variables `parameters` (None for a variable that `body` does not use)."""
    if len(args) == 1:
        source = translate_output(cx.with_null(False), args[0])
        return build.method(source, "apply", build.arrow([parameters[0] or unused()], body))
    cx = cx.with_null(True)
    if len(args) <= _LONGEST_TUPLE:
        return build.method(_all(cx, args), "apply", ts.Arrow(pattern(parameters), body))
    members = tuple(variable or ts.Variable((f"_{at}",)) for at, variable in enumerate(parameters))
    properties = tuple(ts.Property(member, _part(cx, arg)) for member, arg in zip(members, args, strict=True))
    source = cx.output(ts.Object(properties))
    return build.method(source, "apply", ts.Arrow((ts.Parameter(members, "{"),), body))


def _all(cx: Context, args: tuple[core.Expr, ...]) -> ts.TsExpr:
    return cx.pulumi("all", ts.Array(tuple(_part(cx, arg) for arg in args)))


def _part(cx: Context, arg: core.Expr) -> ts.TsExpr:
    """An argument of `all`, which itself resolves composite values."""
    if not isinstance(arg, core.All):
        return translate(cx, arg)
    return _typed(cx, arg.value) or translate(cx, arg.value)


def gather(cx: Context, expr: core.All) -> ts.TsExpr:
    """A composite value with outputs inside as one output.

    If a branch is an output, both branches become outputs: TypeScript finds no common type for an output of a list and a
    list of outputs.
    """
    value = expr.value
    if isinstance(value, core.Conditional) and _mixes_forms(value):
        node = result_of(cx, value)
        if not _differs_by_members(value):
            return node
        type_ = written_type(cx.imports, ty.resolve(value.type), (value,))
        return ts.Call(cx.imports.pulumi("output"), (node,), (type_,))
    typed = _typed(cx, value)
    if typed is not None:
        return typed
    node = translate(cx, value)
    short = isinstance(value, core.ListExpr) and 0 < len(value.elements) <= _LONGEST_TUPLE
    return cx.pulumi("all", node) if short else cx.output(node)


def _typed(cx: Context, value: core.Expr) -> ts.TsExpr | None:
    """A typed output of a composite value with outputs inside, where TypeScript would infer no type; None elsewhere."""
    if mixes_objects(value):
        type_ = structure_type(cx.imports, value)
    elif isinstance(value, core.Conditional | core.Index) and chooses_unlike_outputs(value):
        type_ = written_type(cx.imports, ty.resolve(value.type), (value,))
        if _differs_in_elements(value):
            node = ts.As(translate(cx, value), ts.TypeName("any"))  # no output of one type is one of the other
            return ts.Call(cx.imports.pulumi("output"), (node,), (type_,))
    elif isinstance(value, core.Ref) and isinstance(ty.without_none(ty.resolve(value.type)), ty.UnionType):
        type_ = ts.TypeName("any")  # an element of a list of different outputs
    elif isinstance(value, core.Ref) and value.symbol.kind is core.SymbolKind.LOOP and _may_lack(value.type):
        if holds_eventual(value.type):
            return ts.Call(cx.imports.pulumi("output"), (translate(cx, value),), (structure_type(cx.imports, value),))
        type_ = written_type(cx.imports, ty.resolve(value.type), (value,))
    else:
        return None
    return ts.Call(cx.imports.pulumi("output"), (translate(cx, value),), (type_,))


def _differs_in_elements(value: core.Expr) -> bool:
    """Return whether an output that `value` may choose is a list of unlike elements, of another type than the choice."""
    outputs = (ty.without_none(ty.resolve(choice.type)) for choice in choices(value) if surely_output(choice))
    t = ty.without_none(ty.resolve(value.type))
    return any(isinstance(output, ty.ListType | ty.TupleType) and output is not t for output in outputs)


def _may_lack(t: ty.Type) -> bool:
    plain = ty.without_none(ty.resolve(t))
    return isinstance(plain, ty.ObjectType) and bool(plain.lacking)


def _differs_by_members(value: core.Conditional) -> bool:
    """Return whether the branches are objects of different types: a union of such outputs has no callable methods."""
    types = {ty.without_none(ty.resolve(branch.type)) for branch in (value.then, value.otherwise)}
    return len(types) > 1 and any(isinstance(t, ty.ObjectType | ty.MapType | ty.NominalType) for t in types)


def _mixes_forms(value: core.Conditional) -> bool:
    branches = (value.then, value.otherwise)
    return any(surely_output(branch) for branch in branches) and any(holds_eventual(branch.type) for branch in branches)


def result_of(cx: Context, body: core.Expr) -> ts.TsExpr:
    """Return the result of a function for `apply`: always an output if any branch is an output."""
    if not is_eventual(body.type):
        return translate(cx, body)
    if isinstance(body, core.Conditional) and operators.guarded(body) is None:
        test = operators.test_of(cx, body)
        then = result_of_branch(cx.having_tested(narrowed(cx, body.condition)), body.then)
        otherwise = result_of_branch(cx.having_tested(narrowed(cx, body.condition, holds=False)), body.otherwise)
        return ts.Conditional(test, then, otherwise)
    return translate(cx, body) if surely_output(body) else translate_output(cx, body)


def result_of_branch(cx: Context, branch: core.Expr) -> ts.TsExpr:
    """A branch of such a result."""
    if isinstance(branch, core.Conditional) and is_eventual(branch.type):
        return result_of(cx, branch)
    return translate_output(cx, branch)
