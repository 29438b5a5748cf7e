"""`try` and `can` that only test whether a value is present.

If the result of `try` must not be null, a null alternative is skipped; if a resource may be missing (`range` is a bool),
reading it fails inside of `try` and `can`. If nothing else can fail, a test for null replaces the attempt:

    try(spec.public, false)    ->  spec.public != null ? spec.public : false
    try(web.id, app.id)        ->  web != null ? web.id : app.id
    try(app.id, "none")        ->  app.id
    can(web.id)                ->  web != null

A `try` among the arguments of a `try` is the same as one `try` with more arguments. If more can fail, the attempt stays,
and the resource must be there (`lower.optionals`).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core.eventuals import holds_eventual
from pclgen.core.expr import Attr, Binary, Call, Conditional, Convert, Expr, Index, Literal, Ref
from pclgen.core.walk import children, rewrite, walk
from pclgen.lower.optionals import may_be_missing, stepped
from pclgen.lower.shapes import cannot_fail
from pclgen.types.model import BOOL, NONE, ListType, MapType, NominalType, Type, is_optional, resolve, without_none


def ask_for_defaults(expr: Expr) -> Expr:
    """Return `expr` with tests for null in place of attempts that only test for null."""
    if not any(isinstance(node, Call) and node.function.name in ("try", "can") for node in walk(expr)):
        return expr
    return rewrite(rewrite(expr, _flat), _question)


def _flat(node: Expr) -> Expr:
    """Return a call of `try` with nested calls of `try` replaced by their arguments."""
    if not isinstance(node, Call) or node.function.name != "try" or node.expand:
        return node
    args: list[Expr] = []
    for arg in node.args:
        is_nested = isinstance(arg, Call) and arg.function is node.function and not arg.expand
        args += children(arg) if is_nested else (arg,)
    return node if len(args) == len(node.args) else replace(node, args=tuple(args))


def _question(node: Expr) -> Expr:
    if not isinstance(node, Call) or node.expand:
        return node
    if node.function.name == "can":
        return _is_there(node)
    return _first_that_is_there(node) if node.function.name == "try" else node


def _first_that_is_there(node: Call) -> Expr:
    """Return `try` as conditionals, built from its last argument backwards."""
    rest = [node.args[-1]]
    for attempt in reversed(node.args[:-1]):
        root = _missing_root(attempt)
        if root is not None and _finds_something(attempt):
            rest = [_or_else(node, (not_null(root), _from_present(attempt)), _tried(node, rest))]
        elif _always_works(attempt):
            rest = [attempt]
        elif root is None and len(rest) == 1 and isinstance(attempt, Convert) and _only_null_is_wrong(attempt):
            there = replace(attempt, unset=None, narrowed=True)
            rest = [_or_else(node, (not_null(attempt.value), there), rest[0])]
        else:
            rest = [attempt, *rest]
    return rest[0] if len(rest) == 1 else _tried(node, rest)


def _tried(node: Call, args: Sequence[Expr]) -> Expr:
    """Return `try` of `args`; a single argument stands alone."""
    if len(args) == 1:
        return args[0]
    unchanged = len(args) == len(node.args) and all(a is b for a, b in zip(args, node.args, strict=True))
    return node if unchanged else replace(node, args=tuple(args))


def _or_else(node: Call, choice: tuple[Expr, Expr], otherwise: Expr) -> Conditional:
    condition, there = choice
    surely = not is_optional(there.type) and not is_optional(otherwise.type)
    kind = without_none(node.type) if surely else node.type
    return Conditional(condition=condition, then=there, otherwise=otherwise, type=kind, span=node.span)


def not_null(value: Expr) -> Binary:
    """`value != null`."""
    null = Literal(value=None, type=NONE, span=value.span)
    return Binary(operator="!=", left=value, right=null, type=BOOL, span=value.span)


def _is_there(node: Call) -> Expr:
    """Return `can` of a path from a resource that may be missing, as a test for null."""
    attempt = node.args[0]
    root = _missing_root(attempt)
    return node if root is None or not _finds_something(attempt) else not_null(root)


def _missing_root(attempt: Expr) -> Ref | None:
    """Return the resource that may be missing at the root of a path; None for any other expression."""
    value = attempt.value if isinstance(attempt, Convert) else attempt
    if not isinstance(value, Attr | Index):
        return None
    while isinstance(value, Attr | Index):
        value = value.source
    return value if isinstance(value, Ref) and may_be_missing(value.type) else None


def _finds_something(attempt: Expr) -> bool:
    """Return whether a path fails only if its resource is missing."""
    there = _from_present(attempt)
    if isinstance(there, Convert) and (there.unset is not None or there.type is not resolve(there.value.type)):
        return False
    while isinstance(there, Attr):
        if is_optional(there.source.type) or not cannot_fail(resolve(there.source.type), there):
            return False
        there = there.source
    return isinstance(there, Ref)


def _always_works(attempt: Expr) -> bool:
    """Return whether no step of a path can fail, for any values."""
    while isinstance(attempt, Attr) and cannot_fail(resolve(attempt.source.type), attempt):
        attempt = attempt.source
    return isinstance(attempt, Literal) or (isinstance(attempt, Ref) and not may_be_missing(attempt.type))


def _from_present(attempt: Expr) -> Expr:
    """Return a path from a resource that is present, without a conversion that only excluded the missing resource."""
    if isinstance(attempt, Convert):
        there = _from_present(attempt.value)
        return there if resolve(there.type) is resolve(attempt.type) else replace(attempt, value=there)
    if isinstance(attempt, Attr | Index):
        return stepped(_from_present(attempt.source), attempt)
    return replace(attempt, type=without_none(attempt.type)) if isinstance(attempt, Ref) else attempt


def _only_null_is_wrong(attempt: Convert) -> bool:
    """Return whether the value is a plain path whose steps cannot fail, and only its null is rejected."""
    if attempt.unset is None or holds_eventual(attempt.value.type):
        return False
    if not _same_but_for_shape(resolve(attempt.value.type), resolve(attempt.type)):
        return False
    value = attempt.value
    while isinstance(value, Attr):
        if not cannot_fail(resolve(value.source.type), value):
            return False
        value = value.source
    return isinstance(value, Ref)


def _same_but_for_shape(actual: Type, target: Type) -> bool:
    """Return whether the types differ at most in null, or in the shape (input or output) of declared objects."""
    actual, target = without_none(actual), without_none(target)
    if isinstance(actual, NominalType) and isinstance(target, NominalType):
        return actual.declaration is target.declaration
    if isinstance(actual, ListType) and isinstance(target, ListType):
        return _same_within(actual.element, target.element)
    if isinstance(actual, MapType) and isinstance(target, MapType):
        return _same_within(actual.element, target.element)
    return actual is target


def _same_within(actual: Type, target: Type) -> bool:
    return is_optional(actual) <= is_optional(resolve(target)) and _same_but_for_shape(actual, resolve(target))
