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

from pclgen.core import expr as core
from pclgen.core.eventuals import holds_eventual
from pclgen.core.predicates import is_null
from pclgen.core.walk import children, rewrite, root_of, walk
from pclgen.lower.optionals import may_be_missing, not_null, stepped
from pclgen.lower.retype import cannot_fail
from pclgen.types import model as ty


def ask_for_defaults(expr: core.Expr) -> core.Expr:
    """Return `expr` with tests for null in place of attempts that only test for null."""
    if not any(isinstance(node, core.Call) and node.function.name in ("try", "can") for node in walk(expr)):
        return expr
    return rewrite(rewrite(expr, _flat), _question)


def _flat(node: core.Expr) -> core.Expr:
    """Return a call of `try` with nested calls of `try` replaced by their arguments."""
    if not isinstance(node, core.Call) or node.function.name != "try" or node.expand:
        return node
    args: list[core.Expr] = []
    for arg in node.args:
        is_nested = isinstance(arg, core.Call) and arg.function is node.function and not arg.expand
        args += children(arg) if is_nested else (arg,)
    return node if len(args) == len(node.args) else replace(node, args=tuple(args))


def _question(node: core.Expr) -> core.Expr:
    if isinstance(node, core.For) and is_null(node.collection):
        return replace(node, collection=_refused(node.collection))
    if not isinstance(node, core.Call) or node.expand:
        return node
    if node.function.name in _OF_PARTS and is_null(node.args[0]):
        return replace(node, args=(_refused(node.args[0]), *node.args[1:]))
    if node.function.name == "can":
        return _is_there(node)
    return _first_that_is_there(node) if node.function.name == "try" else node


_OF_PARTS = frozenset({"length", "entries", "element"})


def _refused(null: core.Expr) -> core.Expr:
    """Return the null of an attempt that always works where null is an error: it fails when the program runs."""
    return core.Convert(value=null, type=ty.DYNAMIC, span=null.span, unset="the value is not set")


def _first_that_is_there(node: core.Call) -> core.Expr:
    """Return `try` as conditionals, built from its last argument backwards."""
    rest = [node.args[-1]]
    for attempt in reversed(node.args[:-1]):
        root = _missing_root(attempt)
        if root is not None and _finds_something(attempt):
            rest = [_or_else(node, (not_null(root), _from_present(attempt)), _tried(node, rest))]
        elif _always_works(attempt):
            rest = [attempt]
        elif _steps_into_null(attempt):
            continue
        elif root is None and len(rest) == 1 and isinstance(attempt, core.Convert) and _only_null_is_wrong(attempt):
            there = replace(attempt, unset=None, narrowed=True)
            rest = [_or_else(node, (not_null(attempt.value), there), rest[0])]
        else:
            rest = [attempt, *rest]
    return rest[0] if len(rest) == 1 else _tried(node, rest)


def _tried(node: core.Call, args: Sequence[core.Expr]) -> core.Expr:
    """Return `try` of `args`; a single argument stands alone."""
    if len(args) == 1:
        return args[0]
    unchanged = len(args) == len(node.args) and all(a is b for a, b in zip(args, node.args, strict=True))
    return node if unchanged else replace(node, args=tuple(args))


def _or_else(node: core.Call, choice: tuple[core.Expr, core.Expr], otherwise: core.Expr) -> core.Conditional:
    condition, there = choice
    surely = not ty.is_optional(there.type) and not ty.is_optional(otherwise.type)
    kind = ty.without_none(node.type) if surely else node.type
    return core.Conditional(condition=condition, then=there, otherwise=otherwise, type=kind, span=node.span)


def _is_there(node: core.Call) -> core.Expr:
    """Return `can` of a path from a resource that may be missing, as a test for null."""
    attempt = node.args[0]
    if _steps_into_null(attempt):
        return core.Literal(value=False, type=ty.BOOL, span=node.span)
    root = _missing_root(attempt)
    return node if root is None or not _finds_something(attempt) else not_null(root)


def _missing_root(attempt: core.Expr) -> core.Ref | None:
    """Return the resource that may be missing at the root of a path; None for any other expression."""
    value = attempt.value if isinstance(attempt, core.Convert) else attempt
    if not isinstance(value, core.Attr | core.Index):
        return None
    root = root_of(value)
    return root if isinstance(root, core.Ref) and may_be_missing(root.type) else None


def _finds_something(attempt: core.Expr) -> bool:
    """Return whether a path fails only if its resource is missing."""
    there = _from_present(attempt)
    if isinstance(there, core.Convert) and (there.unset is not None or there.type is not ty.resolve(there.value.type)):
        return False
    while isinstance(there, core.Attr):
        if ty.is_optional(there.source.type) or not cannot_fail(ty.resolve(there.source.type), there):
            return False
        there = there.source
    return isinstance(there, core.Ref)


def _always_works(attempt: core.Expr) -> bool:
    """Return whether no step of a path can fail, for any values."""
    root = _without_sure_steps(attempt)
    return isinstance(root, core.Literal) or (isinstance(root, core.Ref) and not may_be_missing(root.type))


def _without_sure_steps(path: core.Expr) -> core.Expr:
    """Return the expression at which the last steps of `path` begin that cannot fail."""
    while isinstance(path, core.Attr) and cannot_fail(ty.resolve(path.source.type), path):
        path = path.source
    return path


def _steps_into_null(attempt: core.Expr) -> bool:
    """Return whether a path begins with a step into the literal null."""
    root = root_of(attempt)
    return root is not attempt and is_null(root)


def _from_present(attempt: core.Expr) -> core.Expr:
    """Return a path from a resource that is present, without a conversion that only excluded the missing resource."""
    if isinstance(attempt, core.Convert):
        there = _from_present(attempt.value)
        return there if ty.resolve(there.type) is ty.resolve(attempt.type) else replace(attempt, value=there)
    if isinstance(attempt, core.Attr | core.Index):
        return stepped(_from_present(attempt.source), attempt)
    return replace(attempt, type=ty.without_none(attempt.type)) if isinstance(attempt, core.Ref) else attempt


def _only_null_is_wrong(attempt: core.Convert) -> bool:
    """Return whether the value is a plain path whose steps cannot fail, and only its null is rejected."""
    if attempt.unset is None or holds_eventual(attempt.value.type):
        return False
    if not _same_but_for_shape(ty.resolve(attempt.value.type), ty.resolve(attempt.type)):
        return False
    return isinstance(_without_sure_steps(attempt.value), core.Ref)


def _same_but_for_shape(actual: ty.Type, target: ty.Type) -> bool:
    """Return whether the types differ at most in null, or in the shape (input or output) of declared objects."""
    actual, target = ty.without_none(actual), ty.without_none(target)
    if isinstance(actual, ty.NominalType) and isinstance(target, ty.NominalType):
        return actual.declaration is target.declaration
    match actual, target:
        case (ty.ListType(element=have), ty.ListType(element=want)) | (ty.MapType(element=have), ty.MapType(element=want)):
            want = ty.resolve(want)
            return ty.is_optional(have) <= ty.is_optional(want) and _same_but_for_shape(have, want)
        case _:
            return actual is target
