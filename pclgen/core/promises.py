"""What is taken for there although the schema lets it be null: the package says so.

The schema of Kubernetes marks nothing that a resource gives as required, and says by `compatibility: kubernetes20` that SDKs
are to type all of it as present (`Output<string>`, never `string | undefined`).  TypeScript's does.  At run time it may
still be null.  So code needs nothing to please a type checker there, an SDK that types it so lifts steps on it, and an
output that is passed on whole or written into a text is believed to be there in all languages.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeAlias

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Apply, Attr, Conditional, Convert, Expr, Index, Ref, Symbol
from pclgen.types.declarations import Package, Shape
from pclgen.types.model import NominalType, is_optional, resolve, without_none
from pclgen.types.traverse import iteration

PromiseRule: TypeAlias = Callable[[Package], bool]
"""Whether the SDK of a package types the members of its outputs as present."""


def promises_outputs(package: Package) -> bool:
    """Return whether a package says that all which its resources give is there, required or not."""
    return package.language.get("nodejs", {}).get("compatibility") == "kubernetes20"


def nothing_promised(_: Package) -> bool:
    """The rule of SDKs that say what may be missing."""
    return False


def is_promised(expr: Expr, promises: PromiseRule, present: Container[Symbol] = ()) -> bool:
    """Return whether a type checker takes `expr` for there.  `present`: symbols of optional type that have such a value."""
    if not is_optional(resolve(expr.type)):
        return True
    match expr:
        case Ref():
            return expr.symbol in present
        case Attr():
            return _declares_present(expr, promises) and is_promised(expr.source, promises, present)
        case Index():
            way = iteration(without_none(resolve(expr.source.type)))
            always = way is not None and not is_optional(resolve(way.element))
            return always and is_promised(expr.source, promises, present)
        case Conditional():
            return is_promised(expr.then, promises, present) and is_promised(expr.otherwise, promises, present)
        case _:
            return False


def is_given(expr: Expr) -> bool:
    """Return whether `expr` is an output of a package, or a part of one: only its schema says that it may be null."""
    while isinstance(expr, Index | Apply):
        expr = expr.source if isinstance(expr, Index) else expr.body
    if not isinstance(expr, Attr) or expr.field is None:
        return False
    owner = without_none(resolve(expr.source.type))
    return isinstance(owner, NominalType) and (owner.resource is not None or owner.shape is Shape.OUTPUT)


def as_given(expr: Expr) -> Expr:
    """Return what the eventual `expr` converts when all that changes is that nobody takes null into account any more."""
    if not isinstance(expr, Convert) or expr.unset is not None or not is_eventual(expr.value.type):
        return expr
    return expr.value if without_none(resolve(expr.value.type)) is resolve(expr.type) else expr


def _declares_present(step: Attr, promises: PromiseRule) -> bool:
    """Return whether what `step` leads to is there whenever its source is, by the types of the SDK."""
    owner = without_none(resolve(step.source.type))
    if step.field is None or not isinstance(owner, NominalType):
        return False
    if not is_optional(resolve(step.field.type)):
        return True
    package = owner.declaration.package
    always_set = owner.resource is not None or owner.shape is Shape.OUTPUT
    return always_set and package is not None and promises(package)
