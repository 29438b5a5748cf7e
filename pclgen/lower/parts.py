"""Lowering of the parts of an expression, shared by most constructs."""

from __future__ import annotations

from msgspec.structs import replace

from pclgen.core.eventuals import holds_eventual, is_eventual, is_lazy
from pclgen.core.expr import Call, Convert, Expr, For, Literal
from pclgen.core.walk import children, with_children
from pclgen.lower.facts import key_of
from pclgen.lower.region import Lowering, PlainPlace, Region, as_output
from pclgen.lower.retype import with_type
from pclgen.lower.shapes import plain_type
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types.convert import Conversion, conversion
from pclgen.types.model import STRING, Type, output_of
from pclgen.types.show import with_article


def take(cx: Lowering, expr: Expr, place: PlainPlace) -> Expr:
    """Return the parameter for the unit `expr`."""
    return place.region.take(as_output(cx.eventual(expr)), key_of(expr), expr.span)


def plain_parts(cx: Lowering, expr: Expr, place: PlainPlace) -> Expr:
    """Return `expr` with all its parts plain."""
    if isinstance(expr, Call) and is_lazy(expr):
        place = replace(place, lazy=True)
    parts = list(children(expr))
    if isinstance(expr, For) and holds_eventual(expr.collection.type):
        # Nothing in the loop uses the elements, or it would be a unit; so it need not wait for them.
        parts[0] = cx.eventual(expr.collection)
        parts[1:] = [cx.plain(part, place) for part in parts[1:]]
    else:
        parts = [cx.plain(part, place) for part in parts]
    lowered = with_type(with_children(expr, parts), plain_type(expr.type))
    if isinstance(lowered, Convert) and conversion(lowered.type, lowered.value.type) is Conversion.NONE:
        return _failing(lowered)
    return lowered


def _failing(expr: Convert) -> Call:
    """Return a call that fails: of all arguments of `try`, the first that succeeds has a value that does not fit."""
    text = f"expected {with_article(expr.type)}, found {with_article(expr.value.type)}"
    message = Literal(value=text, type=STRING, span=expr.span)
    return Call(function=FUNCTIONS["notImplemented"], args=(message,), expand=False, type=expr.type, span=expr.span)


def settled(expr: Expr) -> Expr:
    """Give `expr` a plain type if none of its parts is eventual."""
    if not expr.type.eventual or any(part.type.eventual for part in children(expr)):
        return expr
    return with_type(expr, plain_type(expr.type))


def applied(cx: Lowering, expr: Expr) -> Expr:
    """Return the apply around `expr`, all of whose parts need values."""
    region = Region()
    return region.close(plain_parts(cx, expr, PlainPlace(region)), expr.span)


def joined_type(whole: Type, parts: list[Expr]) -> Type:
    """Return the type of a choice between `parts`: an output if any of them is an output."""
    if is_eventual(whole) or not any(is_eventual(part.type) for part in parts):
        return whole
    return output_of(plain_type(whole))
