"""Constants that a schema requires and a program omits: there is only one possible value, and SDKs require it.

    kind: const "Basic", required      box = { size = 1 }     ->  box = { size = 1, kind = "Basic" }
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pclgen.bind.coerce import fit_literal
from pclgen.bind.context import Context, Want
from pclgen.core.expr import Expr, Literal, ObjectItem
from pclgen.source.text import Span
from pclgen.types.declarations import Field
from pclgen.types.model import STRING, ConstType, InputType, is_optional, resolve


def omitted_constants(
    cx: Context, fields: Mapping[str, Field], written: Collection[str | None], span: Span
) -> Iterator[tuple[Field, Expr]]:
    """Yield the members that are not `written`, with their values at `span`."""
    for name, field in fields.items():
        if name in written or field.const is None or is_optional(resolve(field.type)):
            continue
        type_ = field.type.element if isinstance(field.type, InputType) else field.type
        if isinstance(type_, ConstType):
            value = Literal(value=type_.value, type=type_.base, span=span)
            yield field, fit_literal(cx, value, Want(field.type, ()))


def constant_items(
    cx: Context, fields: Mapping[str, Field], written: Collection[str | None], span: Span
) -> tuple[ObjectItem, ...]:
    """Return the omitted constants as items of an object literal."""
    constants = omitted_constants(cx, fields, written, span)
    return tuple(
        [
            ObjectItem(key=Literal(value=field.name, type=STRING, span=span), value=value, span=span, field=field)
            for field, value in constants
        ]
    )
