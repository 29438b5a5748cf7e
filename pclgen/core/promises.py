"""Outputs that count as present although their schema allows null, because the package says so.

The schema of Kubernetes marks no output of a resource as required, and its `compatibility: kubernetes20` tells SDKs to type
all outputs as present (`Output<string>`, never `string | undefined`).  The TypeScript SDK does.  At run time such an output
may still be null.  So code needs no check to satisfy a type checker, an SDK with these types lifts steps on the output, and
all languages assume that an output is present if it is forwarded unchanged or written into a text.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeAlias

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.types.declarations import Package, Shape
from pclgen.types.model import NominalType, is_optional, resolve, without_none
from pclgen.types.traverse import iteration

PromiseRule: TypeAlias = Callable[[Package], bool]
"""Returns whether the SDK of a package types the members of its outputs as present."""


def promises_outputs(package: Package) -> bool:
    """Return whether a package declares all outputs of its resources as present, required or not."""
    return package.language.get("nodejs", {}).get("compatibility") == "kubernetes20"


def nothing_promised(_: Package) -> bool:
    """The rule of SDKs that type optional outputs as optional."""
    return False


def is_promised(expr: core.Expr, promises: PromiseRule, present: Container[core.Symbol] = ()) -> bool:
    """Return whether a type checker treats `expr` as present.  `present` are symbols of optional type that are present."""
    if not is_optional(resolve(expr.type)):
        return True
    match expr:
        case core.Ref():
            return expr.symbol in present
        case core.Attr():
            return _declares_present(expr, promises) and is_promised(expr.source, promises, present)
        case core.Index():
            way = iteration(without_none(resolve(expr.source.type)))
            always = way is not None and not is_optional(resolve(way.element))
            return always and is_promised(expr.source, promises, present)
        case core.Conditional():
            return is_promised(expr.then, promises, present) and is_promised(expr.otherwise, promises, present)
        case _:
            return False


def is_given(expr: core.Expr) -> bool:
    """Return whether `expr` is an output of a package, or a part of one: only its schema says that it may be null."""
    while isinstance(expr, core.Index | core.Apply):
        expr = expr.source if isinstance(expr, core.Index) else expr.body
    if not isinstance(expr, core.Attr) or expr.field is None:
        return False
    owner = without_none(resolve(expr.source.type))
    return isinstance(owner, NominalType) and (owner.resource is not None or owner.shape is Shape.OUTPUT)


def as_given(expr: core.Expr) -> core.Expr:
    """Return the operand of an eventual conversion that only removes null from the type; else `expr`."""
    if not isinstance(expr, core.Convert) or expr.unset is not None or not is_eventual(expr.value.type):
        return expr
    return expr.value if without_none(resolve(expr.value.type)) is resolve(expr.type) else expr


def _declares_present(step: core.Attr, promises: PromiseRule) -> bool:
    """Return whether, by the types of the SDK, the result of `step` is present whenever its source is."""
    owner = without_none(resolve(step.source.type))
    if step.field is None or not isinstance(owner, NominalType):
        return False
    if not is_optional(resolve(step.field.type)):
        return True
    package = owner.declaration.package
    always_set = owner.resource is not None or owner.shape is Shape.OUTPUT
    return always_set and package is not None and promises(package)
