"""Names for the parameters of applies (targets.md, Applies).

Each argument of an apply gets a distinct base name; targets fit these names to their rules and to their scopes.

    r.out, r2.out  ->  rOut, r2Out         r.names[0]  ->  name          [for p in pets : p.id]  ->  ids
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pclgen.core import expr as core
from pclgen.core.jsontext import is_json
from pclgen.core.plurals import plural, singular
from pclgen.core.walk import root_of
from pclgen.types import model as ty

_BY_PRIMITIVE: Mapping[ty.Type, str] = {
    ty.BOOL: "b",
    ty.INT: "i",
    ty.NUMBER: "n",
    ty.STRING: "s",
    ty.ID: "s",
    ty.DYNAMIC: "obj",
}


def parameter_names(args: Sequence[core.Expr]) -> list[str]:
    """Return a name for each of `args`; equal base names get the name of their resource as a prefix, then a number."""
    bases = [base_name(arg) for arg in args]
    counts = Counter(bases)
    names: list[str] = []
    taken: set[str] = set()
    for arg, base in zip(args, bases, strict=True):
        owner = _resource_name(arg) if counts[base] > 1 else None
        preferred_name = base if owner is None else owner + base[:1].upper() + base[1:]
        name, number = preferred_name, 1
        while name in taken:
            name, number = f"{preferred_name}{number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def base_name(expr: core.Expr) -> str:
    """Return a descriptive name for the resolved value of `expr`."""
    match expr:
        case core.Ref():
            return expr.symbol.name
        case core.Attr():
            return expr.name
        case core.Index():
            return _index_name(expr)
        case core.All() | core.Convert():
            return base_name(expr.value)
        case core.Apply():
            return base_name(expr.body)
        case core.For():
            return plural(base_name(expr.result)) if _is_path(expr.result) else "values"
        case core.Conditional():
            named = next((branch for branch in (expr.then, expr.otherwise) if _is_path(branch)), None)
            return _by_type(ty.resolve(expr.type)) if named is None else base_name(named)
        case core.Call():
            return _call_name(expr)
        case core.Invoke():
            return _function_name(expr.token)
        case core.MethodCall():
            return expr.name
        case _:
            return _by_type(ty.resolve(expr.type))


def _index_name(expr: core.Index) -> str:
    if isinstance(expr.key, core.Literal):
        if isinstance(expr.key.value, str):
            return expr.key.value
        return _one_of(expr.source)
    listed = isinstance(ty.resolve(expr.source.type), ty.ListType | ty.TupleType)
    return _one_of(expr.source) if listed or not _is_path(expr.key) else base_name(expr.key)


def _one_of(collection: core.Expr) -> str:
    name = base_name(collection)
    return singular(name) or name


def _call_name(expr: core.Call) -> str:
    name, named_after = expr.function.name, expr.function.named_after
    if named_after is not None:
        return base_name(expr.args[named_after])
    if name == "getOutput" and isinstance(expr.args[1], core.Literal):
        return str(expr.args[1].value)
    return "json" if is_json(expr) else name


def _function_name(token: str) -> str:
    return token.rsplit(":", 1)[-1].rsplit("/", 1)[-1] or "result"


def _is_path(expr: core.Expr) -> bool:
    return isinstance(expr, core.Ref | core.Attr | core.Index | core.Call)


def _by_type(t: ty.Type) -> str:
    match t:
        case ty.ListType() | ty.TupleType():
            return "values"
        case ty.MapType() | ty.ObjectType() | ty.NominalType():
            return "obj"
        case ty.UnionType():
            return "value"
        case ty.ConstType() | ty.EnumType():
            return _BY_PRIMITIVE.get(t.base, "v")
        case _:
            return _BY_PRIMITIVE.get(t, "v")


def _resource_name(expr: core.Expr) -> str | None:
    """Return the name of the resource at the root of a path, which distinguishes `r.out` and `r2.out`."""
    while isinstance(expr, core.All | core.Convert):
        expr = expr.value
    if not isinstance(expr, core.Attr | core.Index):
        return None
    root = root_of(expr)
    named = (core.SymbolKind.RESOURCE, core.SymbolKind.COMPONENT, core.SymbolKind.LOOP)
    return root.symbol.name if isinstance(root, core.Ref) and root.symbol.kind in named else None
