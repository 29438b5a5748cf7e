"""`try` as a default for a plain value that may be null.

Comes in: expressions in which null is not wanted from `try`, so that an alternative that is null is passed over.  Goes out:
the same with a question in place of the attempt, where null is all that can be wrong with it:

    try(spec.public, false)    ->  spec.public != null ? spec.public : false
"""

from __future__ import annotations

from dataclasses import replace

from pclgen.core.eventuals import holds_eventual
from pclgen.core.expr import Attr, Binary, Call, Conditional, Convert, Expr, Literal, Ref
from pclgen.core.walk import rewrite, walk
from pclgen.lower.shapes import cannot_fail
from pclgen.types.model import BOOL, NONE, resolve, without_none


def ask_for_defaults(expr: Expr) -> Expr:
    """`expr` with such a question for each `try` that is one."""
    if not any(isinstance(node, Call) and node.function.name == "try" for node in walk(expr)):
        return expr
    return rewrite(expr, _question)


def _question(node: Expr) -> Expr:
    if not isinstance(node, Call) or node.function.name != "try" or node.expand or len(node.args) != 2:
        return node
    first, default = node.args
    if not isinstance(first, Convert) or first.unset is None or not _only_null_is_wrong(first):
        return node
    null = Literal(value=None, type=NONE, span=first.span)
    return Conditional(
        condition=Binary(operator="!=", left=first.value, right=null, type=BOOL, span=first.span),
        then=replace(first, unset=None, narrowed=True),
        otherwise=default,
        type=node.type,
        span=node.span,
    )


def _only_null_is_wrong(attempt: Convert) -> bool:
    """Whether the value is a plain path of which each step finds something, and nothing but its null is converted."""
    if holds_eventual(attempt.value.type) or without_none(resolve(attempt.value.type)) is not resolve(attempt.type):
        return False
    value = attempt.value
    while isinstance(value, Attr):
        if not cannot_fail(resolve(value.source.type), value):
            return False
        value = value.source
    return isinstance(value, Ref)
