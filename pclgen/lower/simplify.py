"""Simpler forms of expressions with the same value.

Nothing should wait for parts that the program does not use.

Copies: `[for x in xs : x]` and `xs[*]` over a list, and `{for k, v in m : k => v}` over a map, are the collection itself.
Over sets, objects and values that may be null, the loop creates a new collection, and stays. `[for x in [] : f(x)]` is the
empty list.

Projections: a literal key of a list or object literal with outputs selects a part, if the dropped parts cannot fail:

    ["k", r.out][0] == "k"      ->  "k" == "k"
    { a = r.out, b = 1 }.b + 1  ->  1 + 1

Defaults: `try` and `can` that only test whether a value is present. If the result of `try` must not be null, a null
alternative is skipped; if a resource may be missing (`range` is a bool), reading it fails inside of `try` and `can`. If
nothing else can fail, a test for null replaces the attempt:

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
from pclgen.core.eventuals import holds_eventual, is_resource_like
from pclgen.core.predicates import is_null
from pclgen.core.walk import children, rewrite, root_of, walk
from pclgen.lower.optionals import may_be_missing, not_null, stepped
from pclgen.lower.retype import cannot_fail, with_type
from pclgen.types import model as ty
from pclgen.types.model import ListType, MapType, resolve

# -- copies and projections -------------------------------------------------------------------------------------------------

def drop_copies(expr: core.Expr) -> core.Expr:
    """Return `expr` with copying loops replaced by their collections, and loops over empty collections by empty ones."""
    if not any(_is_copy(node) or _is_over_nothing(node) for node in walk(expr)):
        return expr
    return rewrite(expr, _without_loop)


def _without_loop(node: core.Expr) -> core.Expr:
    if isinstance(node, core.For) and _is_copy(node):
        return node.collection
    if isinstance(node, core.For) and _is_over_nothing(node):
        if node.result_key is None:
            return core.ListExpr(elements=(), type=node.type, span=node.span)
        return core.ObjectExpr(items=(), type=node.type, span=node.span)
    return node


def _is_over_nothing(node: core.Expr) -> bool:
    if not isinstance(node, core.For) or node.type.eventual:
        return False
    source = node.collection
    return (isinstance(source, core.ListExpr) and not source.elements) or (
        isinstance(source, core.ObjectExpr) and not source.items
    )


def _is_copy(node: core.Expr) -> bool:
    if not isinstance(node, core.For) or node.condition is not None or node.group or node.type is not node.collection.type:
        return False
    if node.result_key is None:
        return _is(node.result, node.value) and isinstance(resolve(node.type), ListType)
    return _is(node.result_key, node.key) and _is(node.result, node.value) and isinstance(resolve(node.type), MapType)


def _is(expr: core.Expr, symbol: core.Symbol | None) -> bool:
    return isinstance(expr, core.Ref) and expr.symbol is symbol


def pick_parts(expr: core.Expr) -> core.Expr:
    """Return `expr` with projections of literals replaced by the selected parts."""
    if not any(_picked(node) is not None for node in walk(expr)):
        return expr

    def change(node: core.Expr) -> core.Expr:
        part = _picked(node)
        return node if part is None else with_type(part, node.type)

    return rewrite(expr, change)


def _picked(node: core.Expr) -> core.Expr | None:
    """Return the part that a step selects; None if that is uncertain, or if other parts may fail."""
    if not isinstance(node, core.Attr | core.Index) or not holds_eventual(node.source.type):
        return None
    source = node.source
    key = node.name if isinstance(node, core.Attr) else (node.key.value if isinstance(node.key, core.Literal) else None)
    if isinstance(source, core.ListExpr) and isinstance(key, int) and 0 <= key < len(source.elements):
        rest = [element for index, element in enumerate(source.elements) if index != key]
        return source.elements[key] if all(_cannot_fail(part) for part in rest) else None
    if not isinstance(source, core.ObjectExpr) or not isinstance(key, str):
        return None
    if not all(isinstance(item.key, core.Literal) for item in source.items):
        return None
    matches = [item for item in source.items if isinstance(item.key, core.Literal) and item.key.value == key]
    if len(matches) != 1 or not all(_cannot_fail(item.value) for item in source.items if item is not matches[0]):
        return None
    return matches[0].value


def _cannot_fail(expr: core.Expr) -> bool:
    return all(_is_harmless(node) for node in walk(expr))


def _is_harmless(node: core.Expr) -> bool:
    match node:
        case core.Literal() | core.Ref() | core.ListExpr():
            return True
        case core.ObjectExpr():
            return all(isinstance(item.key, core.Literal) for item in node.items)
        case core.Attr():
            return isinstance(node.source, core.Ref) and is_resource_like(node.source.type)
        case _:
            return False


# -- defaults ---------------------------------------------------------------------------------------------------------------

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
