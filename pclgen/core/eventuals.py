"""Predicates on eventual values: what is an output, what contains one, and which outputs count as present.

`lower`, `core.check` and the targets use:

    output(string)              an eventual                              is_eventual
    [bucket.id, "a"]            a plain list with an eventual inside     holds_eventual
    flag ? bucket.id : "a"      has type output(string), but is a plain string when `flag` is false: not `surely_output`

Some outputs count as present although their schema allows null, because the package says so. The schema of Kubernetes
marks no output of a resource as required, and its `compatibility: kubernetes20` tells SDKs to type all outputs as present
(`Output<string>`, never `string | undefined`).  The TypeScript SDK does.  At run time such an output may still be null.  So
code needs no check to satisfy a type checker, an SDK with these types lifts steps on the output, and all languages assume
that an output is present if it is forwarded unchanged or written into a text.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeAlias

from pclgen.core import expr as core
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, Package, Shape
from pclgen.types.model import NominalType, is_optional, resolve, without_none
from pclgen.types.traverse import iteration

_UNSURE_SYMBOLS = frozenset((core.SymbolKind.LOOP, core.SymbolKind.RANGE_KEY, core.SymbolKind.RANGE_VALUE))
"""Symbols for elements of collections, which may contain plain and eventual values."""


def is_eventual(t: ty.Type) -> bool:
    """Return whether values of `t` are themselves eventual (or may be: a union with an output)."""
    if type(t) is ty.UnionType:
        return t.eventual and any(is_eventual(member) for member in t.members)
    return type(t) is ty.OutputType or type(t) is ty.PromiseType


def holds_eventual(t: ty.Type) -> bool:
    """Return whether `t` is plain at the top but contains eventuals."""
    return t.eventual and not is_eventual(t)


def is_lacking(step: core.Attr) -> bool:
    """Return whether the source of `step` may lack the member, so that the step fails (`ObjectType.lacking`).
    """
    source = ty.without_none(ty.resolve(step.source.type))
    return isinstance(source, ty.ObjectType) and step.name in source.lacking


def is_resource_like(t: ty.Type) -> bool:
    """Return whether `t` is the value of a resource or component variable: itself plain, its attributes outputs."""
    kinds = (DeclarationKind.RESOURCE, DeclarationKind.COMPONENT)
    return isinstance(t, ty.NominalType) and (t.resource is not None or t.declaration.kind in kinds)


def surely_output(expr: core.Expr) -> bool:
    """Return whether `expr` is an output (or promise) object whenever it is evaluated, so that `.apply` exists.

    Where plain and eventual values meet (branches, elements, loop variables) the type is an output although the value may be
    plain; such values are used directly where an input is expected, and go through `All` elsewhere.
    """
    if not isinstance(expr.type, ty.OutputType | ty.PromiseType):
        return False
    match expr:
        case core.Apply() | core.All() | core.Template() | core.Invoke() | core.MethodCall():
            return True
        case core.Ref():
            return expr.symbol.kind not in _UNSURE_SYMBOLS and isinstance(expr.symbol.type, ty.OutputType | ty.PromiseType)
        case core.Attr() | core.Index():
            return is_resource_like(ty.without_none(expr.source.type)) or surely_output(expr.source)
        case core.Call():
            return expr.function.lifting is Lifting.OUTPUT or expr.function.lifting is Lifting.KEEP
        case core.Convert():
            return surely_output(expr.value)
        case _:
            return False


def is_at_hand(expr: core.Expr) -> bool:
    """Return whether `expr` is a path to an output, or to a value that contains one, and no step waits: `rs[0].out`.

    Reading the path fails at once or never; only the content of the output is unknown.
    """
    node = expr
    while isinstance(node, core.Attr | core.Index):
        if is_eventual(node.source.type) or (isinstance(node, core.Index) and node.key.type.eventual):
            return False
        node = node.source
    return isinstance(node, core.Ref) and expr.type.eventual


def is_lazy(call: core.Call) -> bool:
    """Return whether `call` evaluates its arguments one by one and may survive their failure (`try`, `can`)."""
    if call.function.lifting is not Lifting.LIFT:
        return False
    rows = (*call.function.parameters, *((call.function.variadic,) if call.function.variadic is not None else ()))
    return any(row.lazy for row in rows)


# -- promised outputs -------------------------------------------------------------------------------------------------------

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
