"""Resources that may be missing: `options { range = flag }` (language.md, Resources that may not be made).

Reading an attribute of such a resource is guarded, so that the result is null if the resource is missing:

    pet.id                          ->  (pet != null) ? pet.id : null
    pet != null ? pet.id : "none"   ->  the same: the program already guards it

In an attempt of `try` or `can`, reading an attribute of a missing resource fails instead:

    try(pet.tags[0], "none")        ->  try((pet, which is not null).tags[0], "none")

The guard wraps exactly the whole path. This pass runs before applies are created, so that they are inside the guard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeGuard

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_resource_like
from pclgen.core.predicates import is_null, symbols_not_null
from pclgen.core.walk import rewrite, walk
from pclgen.lower.retype import step_type
from pclgen.types import model as ty


def guard_optionals(expr: core.Expr) -> core.Expr:
    """Guard every path that starts at a resource that may be missing."""
    if not any(isinstance(node, core.Ref) and may_be_missing(node.type) for node in walk(expr)):
        return expr
    guards: dict[int, core.Conditional] = {}

    def change(node: core.Expr) -> core.Expr:
        if isinstance(node, core.Attr | core.Index):
            return _change_step(node, guards)
        if isinstance(node, core.Convert) and node.unset is not None and id(node.value) in guards:
            return _demanded(node, node.unset, guards[id(node.value)])
        if isinstance(node, core.Call) and node.function.name in ("try", "can"):
            attempts = len(node.args) if node.function.name == "can" else len(node.args) - 1
            return replace(node, args=(*(_attempted(arg, guards) for arg in node.args[:attempts]), *node.args[attempts:]))
        if isinstance(node, core.Conditional | core.Binary):
            return _without_needless_guards(node, guards)
        return node

    return rewrite(expr, change)


def _change_step(node: core.Attr | core.Index, guards: dict[int, core.Conditional]) -> core.Expr:
    source = node.source
    if isinstance(source, core.Ref) and may_be_missing(source.type):
        conditional = guarded(source, lambda present: stepped(present, node))
    elif id(source) in guards:
        guard = guards[id(source)]
        conditional = replace(guard, then=stepped(guard.then, node), type=node.type, span=node.span)
    else:
        return node
    assert isinstance(conditional, core.Conditional)
    guards[id(conditional)] = conditional
    return conditional


def _demanded(node: core.Convert, unset: str, guard: core.Conditional) -> core.Expr:
    """Return the conversion of a value that must not be null: the resource must be present, so its guard is removed.

    text(pet != null ? pet.id : null)  ->  text((pet, which is not null).id)
    """
    path = _from_demanded(guard, unset)
    same = ty.resolve(path.type) is ty.resolve(node.type)
    return path if same else replace(node, value=path, unset=unset if ty.is_optional(ty.resolve(path.type)) else None)


def _from_demanded(guard: core.Conditional, unset: str) -> core.Expr:
    """Return the path of `guard`, from a resource that must be present."""
    resource = _resource_of(guard)

    def change(part: core.Expr) -> core.Expr:
        if isinstance(part, core.Ref) and part.symbol is resource.symbol:
            return core.Convert(value=resource, type=part.type, span=part.span, unset=unset)
        return part

    return rewrite(guard.then, change)


def _attempted(attempt: core.Expr, guards: Mapping[int, core.Conditional]) -> core.Expr:
    """Return `attempt` with resources that must be present in place of its remaining guards."""

    def change(node: core.Expr) -> core.Expr:
        if id(node) not in guards or not is_guard(node):
            return node
        return _from_demanded(node, f"{_resource_of(node).symbol.name} is not set")

    return rewrite(attempt, change)


def may_be_missing(t: ty.Type) -> bool:
    """Return whether `t` is the type of a resource that may be missing."""
    return isinstance(t, ty.UnionType) and ty.is_optional(t) and is_resource_like(ty.without_none(t))


def stepped(source: core.Expr, step: core.Attr | core.Index) -> core.Expr:
    """Return `step` taken on `source`, which is not null."""
    return replace(step, source=source, type=_present(step_type(source.type, step)))


def _present(t: ty.Type) -> ty.Type:
    """Return `t` without null if it is a union of an output and null; else `t`."""
    if isinstance(t, ty.UnionType) and any(isinstance(member, ty.OutputType | ty.PromiseType) for member in t.members):
        return ty.union_of(member for member in t.members if member is not ty.NONE)
    return t


def guarded(resource: core.Ref, use: Callable[[core.Ref], core.Expr]) -> core.Expr:
    """Return `use` if `resource` exists, else null."""
    test = not_null(resource)
    then = use(replace(resource, type=ty.without_none(resource.type)))
    return core.Conditional(condition=test, then=then, otherwise=test.right, type=_or_null(then.type), span=then.span)


def not_null(value: core.Expr) -> core.Binary:
    """`value != null`."""
    null = core.Literal(value=None, type=ty.NONE, span=value.span)
    return core.Binary(operator="!=", left=value, right=null, type=ty.BOOL, span=value.span)


def is_guard(expr: core.Expr) -> TypeGuard[core.Conditional]:
    """Return whether `expr` is a conditional made by `guarded`."""
    if not isinstance(expr, core.Conditional) or not is_null(expr.otherwise):
        return False
    test = expr.condition
    return isinstance(test, core.Binary) and isinstance(test.left, core.Ref) and test.right is expr.otherwise


def _resource_of(guard: core.Conditional) -> core.Ref:
    assert isinstance(guard.condition, core.Binary) and isinstance(guard.condition.left, core.Ref)
    return guard.condition.left


def inside_guard(guard: core.Conditional, then: core.Expr) -> core.Conditional:
    """Return `guard` around `then`."""
    return replace(guard, then=then, type=_or_null(then.type), span=then.span)


def _or_null(t: ty.Type) -> ty.Type:
    return ty.union_of((t, ty.NONE))


def _without_needless_guards(node: core.Conditional | core.Binary, guards: dict[int, core.Conditional]) -> core.Expr:
    """Remove guards that repeat a condition of the program, in branches and in right operands of `&&` and `||`."""
    if not guards or id(node) in guards:
        return node
    if isinstance(node, core.Binary):
        if node.operator not in ("&&", "||"):
            return node
        right = unguarded(node.right, node.left, holds=node.operator == "&&")
        return node if right is node.right else replace(node, right=right)
    then = unguarded(node.then, node.condition, holds=True)
    otherwise = unguarded(node.otherwise, node.condition, holds=False)
    if then is node.then and otherwise is node.otherwise:
        return node
    return replace(node, then=then, otherwise=otherwise)


def unguarded(expr: core.Expr, condition: core.Expr, *, holds: bool) -> core.Expr:
    """Return `expr`, where `condition` holds (or does not), without guards of resources that are present then."""
    present = symbols_not_null(condition, holds=holds)
    if not present:
        return expr

    def change(node: core.Expr) -> core.Expr:
        if is_guard(node) and _resource_of(node).symbol in present:
            return node.then
        if isinstance(node, core.Convert) and ty.resolve(node.value.type) is ty.resolve(node.type):
            return node.value  # the conversion only removed the null that the guard added
        return node

    return rewrite(expr, change)
