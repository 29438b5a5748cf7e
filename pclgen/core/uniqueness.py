"""Analysis of duplicate keys: two iterations of a loop with the same key are an error, since one result would be lost."""

from __future__ import annotations

from collections.abc import Container, Iterator
from collections.abc import Set as AbstractSet

from pclgen.core import expr as core
from pclgen.stdlib.model import Derivation
from pclgen.types import model as ty

_WITH_KEYS = ty.ListType | ty.TupleType | ty.MapType | ty.ObjectType | ty.NominalType


def keys_may_collide(expr: core.For, distinct: AbstractSet[core.Symbol]) -> bool:
    """Return whether two keys of a comprehension may be equal at run time.

    `distinct` are the symbols of lists without equal elements.
    """
    key = expr.result_key
    return key is not None and not expr.group and not _is_unique(key, expr, frozenset(_unique_symbols(expr, distinct)))


def is_distinct(source: core.Expr, distinct: AbstractSet[core.Symbol]) -> bool:
    """Return whether no two elements of a collection are equal."""
    match source:
        case core.Ref():
            return source.symbol in distinct
        case core.ListExpr():
            constants = [e.value for e in source.elements if isinstance(e, core.Literal)]
            classes = set(map(type, constants))  # the texts of 1, "1" and 1.0 are equal
            return len(set(constants)) == len(source.elements) and (classes <= {str} or classes <= {int})
        case core.Call():
            return source.function.distinct
        case _:
            return False


def _unique_symbols(expr: core.For, distinct: AbstractSet[core.Symbol]) -> Iterator[core.Symbol]:
    """Yield the loop variables that have a different value in every iteration."""
    source = expr.collection
    plain = ty.without_none(ty.resolve(source.type))
    if expr.key is not None and (plain is ty.DYNAMIC or isinstance(plain, _WITH_KEYS)):
        yield expr.key
    if is_distinct(source, distinct):
        yield expr.value


def _is_unique(key: core.Expr, loop: core.For, symbols: Container[core.Symbol]) -> bool:
    """Return whether `key` has a different value in every iteration."""
    match key:
        case core.Ref():
            return key.symbol in symbols
        case core.Convert():
            return _is_unique(key.value, loop, symbols)
        case core.Template():
            values = [part for part in key.parts if not isinstance(part, core.Literal)]
            return len(values) == 1 and _is_unique(values[0], loop, symbols)
        case core.Attr(name="key", source=core.Ref(symbol=symbol)) if symbol is loop.value:
            return isinstance(loop.collection, core.Call) and loop.collection.function.derives is Derivation.ENTRIES
        case _:
            return False
