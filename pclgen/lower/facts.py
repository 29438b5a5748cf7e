"""Facts about expressions that lowering relies on; computed once for every node, bottom up.

`Facts` are memoised by node, so that deep nesting costs neither stack nor time.

A *unit* is an eventual value that a strict place must wait for: `r.out`, `secret(x)`, an invoke. It becomes an argument of
the apply around the strict place. A unit is *risky* if its evaluation may fail or have an effect: `rs[5].out`, an invoke. It
must then stay inside its guard (a branch, a loop, `try`).

The units of a branch are awaited only if the branch is taken, unless they are awaited anyway (`chooses`): a conditional with
such a branch is itself a unit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import holds_eventual, is_at_hand, is_eventual, is_lazy, is_resource_like
from pclgen.core.walk import binds, children, root_of
from pclgen.lower.retype import cannot_fail, step_type, takes
from pclgen.stdlib.model import Lifting
from pclgen.types import model as ty
from pclgen.types.declarations import Field

Symbols: TypeAlias = frozenset[core.Symbol]
Needs: TypeAlias = frozenset[Hashable] | None

_COUNTED = 16
"""The maximum number of units in a set: sets of all units would cost time quadratic in the size of the program."""
_NO_SYMBOLS: Symbols = frozenset()
_NO_NEEDS: frozenset[Hashable] = frozenset()
_LOCALLY_BOUND = (core.SymbolKind.LOOP, core.SymbolKind.FAILURE)
_WITHOUT_TEXT = (
    ty.Primitive.ASSET,
    ty.Primitive.ARCHIVE,
    ty.Primitive.PROPERTY,
    ty.Primitive.HOOK,
    ty.Primitive.NONE,
    ty.Primitive.DYNAMIC,
)


class Facts(Struct, frozen=True):
    """Facts about one expression."""

    waits: bool
    """A part is eventual, so that its plain value needs an apply."""
    free: Symbols
    """The loop variables that it uses and does not bind."""
    unit_free: Symbols
    """The loop variables in its units, which must stay inside those loops."""
    risky: bool
    """It has a risky unit."""
    safe: bool
    """Its evaluation can neither fail nor have effects."""
    direct: bool
    """The target accepts it as an input without an apply."""
    needs: Needs
    """Its units, by `key_of`; None if there are more than `_COUNTED`."""


_CONSTANT = Facts(
    waits=False, free=_NO_SYMBOLS, unit_free=_NO_SYMBOLS, risky=False, safe=True, direct=True, needs=_NO_NEEDS
)


class FactTable:
    """The facts of all expressions met so far, for one target."""

    def __init__(self, capabilities: Capabilities) -> None:
        self._capabilities = capabilities
        self._facts: dict[int, tuple[core.Expr, Facts]] = {}  # the expression is kept so that its id is not reused
        self._shapes: dict[int, Facts] = {}  # of expressions that are in `_facts`
        self._strict_objects: set[int] = set()  # likewise

    def of(self, expr: core.Expr) -> Facts:
        """Return the facts of `expr`."""
        if type(expr) is core.Literal:
            return _CONSTANT
        cached = self._facts.get(id(expr))
        if cached is not None:
            return cached[1]
        pending = [(expr, False)]
        while pending:
            node, ready = pending.pop()
            if ready:
                self._facts[id(node)] = (node, self._compute(node))
            elif id(node) not in self._facts:
                pending.append((node, True))
                pending.extend([(part, False) for part in children(node) if type(part) is not core.Literal])
        return self._facts[id(expr)][1]

    def _compute(self, expr: core.Expr) -> Facts:
        match expr:
            case core.Ref():  # the most frequent class first: each class test costs
                return _ref(expr)
            case core.Attr() | core.Index():
                return self._step(expr)
            case core.Template():
                return self._template(expr)
            case core.Convert():
                return self._convert(expr)
            case core.ObjectExpr():
                return self._object(expr)
            case core.Literal() | core.PropertyPath() | core.Invalid():
                return _CONSTANT
            case core.Conditional():
                return self._conditional(expr)
            case core.Binary():
                return self._binary(expr)
            case core.For():
                return self._loop(expr)
            case core.Call():
                return self._call(expr)
            case core.Invoke() | core.MethodCall():
                return self._remote(expr)
            case core.ListExpr():
                return self._sum(expr, safe=True, direct=True)
            case core.Unary():
                return self._strict(expr, safe=True)
            case core.Apply() | core.All():
                return self._unit(expr, safe=False, direct=True)
            case _:
                assert_never(expr)

    def _parts(self, expr: core.Expr) -> list[Facts]:
        return [self.of(part) for part in children(expr)]

    def _free(self, expr: core.Expr, parts: Sequence[Facts]) -> Symbols:
        free = _NO_SYMBOLS.union(*(part.free for part in parts))
        bound = binds(expr)
        return free.difference(bound) if bound else free

    def _sum(self, expr: core.Expr, *, safe: bool, direct: bool) -> Facts:
        """The facts of an expression with the units of its parts."""
        parts = self._parts(expr)
        if safe and direct and parts.count(_CONSTANT) == len(parts):
            return _CONSTANT
        return _joined(parts, self._free(expr, parts), safe=safe, direct=direct)

    def _strict(self, expr: core.Expr, *, safe: bool) -> Facts:
        """As `_sum`, for an expression with plain operands."""
        waits = any(part.waits for part in self._parts(expr))
        return self._sum(expr, safe=safe, direct=not waits)

    def _unit(self, expr: core.Expr, *, safe: bool, direct: bool) -> Facts:
        """The facts of a unit, which is awaited as a whole."""
        parts = self._parts(expr)
        free = self._free(expr, parts)
        safe = safe and all(part.safe for part in parts)
        needs = frozenset((key_of(expr),))
        return Facts(waits=True, free=free, unit_free=free, risky=not safe, safe=safe, direct=direct, needs=needs)

    def _step(self, expr: core.Attr | core.Index) -> Facts:
        source = self.of(expr.source)
        receiver = receiver_type(expr)
        taken = step_type(receiver, expr)
        key = self.of(expr.key) if isinstance(expr, core.Index) else _CONSTANT
        lifts = not is_eventual(expr.source.type) or self.can_lift(expr)
        direct = source.direct and lifts and not key.waits
        safe = source.safe and cannot_fail(receiver, expr) and not _is_maybe_absent(expr.source)
        if taken.eventual:
            return self._unit(expr, safe=safe, direct=direct)
        if is_access(expr.source) and not is_eventual(expr.source.type):
            # A plain structure with outputs elsewhere: `x.b` of {a = r.out, b = 1} waits for nothing.
            source = self._structure(expr.source)
        return _joined((source, key), source.free | key.free, safe=safe, direct=direct)

    def _structure(self, expr: core.Expr) -> Facts:
        """The facts of the shape of a plain structure, without the outputs in it."""
        own, parts = self.of(expr), self._shape(expr)
        return replace(own, waits=parts.waits, unit_free=parts.unit_free, risky=parts.risky, needs=parts.needs)

    def _shape(self, expr: core.Expr) -> Facts:
        """The facts of the path to `expr`: its root and its keys."""
        if isinstance(expr, core.Ref):
            return _CONSTANT
        if not isinstance(expr, core.Attr | core.Index):
            return self.of(expr)
        shape = self._shapes.get(id(expr))
        if shape is None:
            shape = self._shape(expr.source)
            if isinstance(expr, core.Index):
                shape = _joined((shape, self.of(expr.key)), shape.free, safe=True, direct=True)
            self._shapes[id(expr)] = shape
        return shape

    def can_lift(self, step: core.Attr | core.Index) -> bool:
        """Return whether the SDK lifts `step`, whose source is eventual."""
        source = ty.resolve(step.source.type)
        if ty.is_optional(source) and is_resource_like(ty.without_none(source)):
            return False  # the resource may be missing, which only a guard handles
        return self._capabilities.lifts(step)

    def _conditional(self, expr: core.Conditional) -> Facts:
        direct = not self.of(expr.condition).waits
        if self.chooses(expr):
            branches = direct and self.of(expr.then).direct and self.of(expr.otherwise).direct
            return self._unit(expr, safe=True, direct=branches)
        return self._sum(expr, safe=True, direct=direct)

    def chooses(self, expr: core.Conditional) -> bool:
        """Return whether the condition decides which units are awaited: a branch has a risky unit, or a unit that neither
        the other branch nor the condition has."""
        then, otherwise = self.of(expr.then), self.of(expr.otherwise)
        if then.risky or otherwise.risky:
            return True
        if then.needs is None or otherwise.needs is None:
            return True
        return not self._has(expr.condition, then.needs ^ otherwise.needs)

    def guards(self, expr: core.Binary) -> bool:
        """Return whether the left operand of `&&` or `||` decides which units on the right are awaited."""
        right = self.of(expr.right)
        return expr.operator in ("&&", "||") and (right.risky or not self._has(expr.left, right.needs))

    def attempts(self, expr: core.Call) -> bool:
        """Return whether a call of `try` or `can` decides argument by argument which units are awaited."""
        if not is_lazy(expr):
            return False
        if expr.function.name == "can" and is_at_hand(expr.args[0]):
            return True  # the existence of the output does not depend on its value
        first, *rest = (self.of(arg) for arg in expr.args)
        return any(arg.risky for arg in (first, *rest)) or not all(self._has(expr.args[0], arg.needs) for arg in rest)

    def _has(self, expr: core.Expr, needs: Needs) -> bool:
        """Return whether `expr` surely waits for all of `needs`."""
        return needs is not None and needs <= (self.of(expr).needs or _NO_NEEDS)

    def _binary(self, expr: core.Binary) -> Facts:
        safe = expr.operator not in ("/", "%")
        if self.guards(expr):
            return self._unit(expr, safe=True, direct=False)
        return self._strict(expr, safe=safe)

    def _loop(self, expr: core.For) -> Facts:
        deciding = [part for part in (expr.result_key, expr.condition) if part is not None]
        direct = not is_eventual(expr.collection.type) and not any(self.of(part).waits for part in deciding)
        if self.is_blocked(expr):
            return self._unit(expr, safe=True, direct=direct and self.of(expr.result).direct)
        return self._sum(expr, safe=True, direct=direct)

    def is_blocked(self, expr: core.For) -> bool:
        """Return whether the units inside a loop must stay inside it: they use its variables, or are risky."""
        own = binds(expr)
        inside = [part for part in (expr.result_key, expr.condition, expr.result) if part is not None]
        return any(self.of(part).risky or not self.of(part).unit_free.isdisjoint(own) for part in inside)

    def _call(self, expr: core.Call) -> Facts:
        if expr.function.lifting is Lifting.OUTPUT:
            return self._unit(expr, safe=True, direct=True)
        if expr.function.lifting is Lifting.NEVER:
            return self._sum(expr, safe=True, direct=True)
        if expr.function.lifting is Lifting.KEEP and self._capabilities.json_over_outputs:
            return self._sum(expr, safe=False, direct=True)
        if self.attempts(expr):
            return self._unit(expr, safe=False, direct=False)
        return self._strict(expr, safe=False)

    def _remote(self, expr: core.Invoke | core.MethodCall) -> Facts:
        if expr.type.eventual:
            return self._unit(expr, safe=False, direct=all(part.direct for part in self._parts(expr)))
        return self._strict(expr, safe=False)

    def _template(self, expr: core.Template) -> Facts:
        facts = self._sum(expr, safe=True, direct=True)
        if not facts.waits or (self._capabilities.interpolates and all(is_text(part.type) for part in expr.parts)):
            return facts
        return replace(facts, direct=False)

    def _object(self, expr: core.ObjectExpr) -> Facts:
        facts = self._sum(expr, safe=True, direct=True)
        if facts.waits and any(self.of(item.key).waits or not self._fits(item.value, item.field) for item in expr.items):
            self._strict_objects.add(id(expr))
            return replace(facts, direct=False)
        return facts

    def is_strict_object(self, expr: core.ObjectExpr) -> bool:
        """Return whether an object must consist of resolved values: a key is eventual, or a member has outputs although its
        type takes none."""
        self.of(expr)
        return id(expr) in self._strict_objects

    def _fits(self, value: core.Expr, field: Field | None) -> bool:
        """Return whether the outputs in the value of a member may stay where they are."""
        return field is None or field.type is ty.DYNAMIC or self._stays(value, field.type)

    def _stays(self, value: core.Expr, expected: ty.Type) -> bool:
        """Return whether a place of type `expected` takes the outputs in `value` where they are, after lowering.

        A plain object in a plain list in a plain object may hold outputs as its own members, as SDKs declare them.
        """
        inner = ty.without_none(expected)
        if isinstance(inner, ty.InputType) or not self.of(value).waits:
            return True
        match value:
            case core.ObjectExpr() if isinstance(inner, ty.NominalType):
                return not self.is_strict_object(value)
            case core.ObjectExpr() if isinstance(inner, ty.MapType):
                keys = not any(self.of(item.key).waits for item in value.items)
                return keys and all(self._stays(item.value, inner.element) for item in value.items)
            case core.ListExpr() if isinstance(inner, ty.ListType):
                return all(self._stays(element, inner.element) for element in value.elements)
            case core.Conditional():
                decided = not self.of(value.condition).waits
                return decided and self._stays(value.then, expected) and self._stays(value.otherwise, expected)
            case core.For() if isinstance(inner, ty.ListType | ty.MapType) and not is_eventual(value.collection.type):
                deciding = [part for part in (value.result_key, value.condition) if part is not None]
                return not any(self.of(part).waits for part in deciding) and self._stays(value.result, inner.element)
            case core.Convert():
                have = value.value.type
                return is_access(value.value) and holds_eventual(have) and spreads(have) and takes(expected, have)
            case _:
                return holds_eventual(value.type) and takes(expected, value.type)

    def _convert(self, expr: core.Convert) -> Facts:
        free_of_code = self._capabilities.is_free(expr)
        return self._sum(expr, safe=free_of_code, direct=free_of_code or not self.of(expr.value).waits)


def _ref(expr: core.Ref) -> Facts:
    free = frozenset((expr.symbol,)) if expr.symbol.kind in _LOCALLY_BOUND else _NO_SYMBOLS
    waits = expr.type.eventual
    return Facts(
        waits=waits,
        free=free,
        unit_free=free if waits else _NO_SYMBOLS,
        risky=False,
        safe=True,
        direct=True,
        needs=frozenset((key_of(expr),)) if waits else _NO_NEEDS,
    )


def _joined(parts: Sequence[Facts], free: Symbols, *, safe: bool, direct: bool) -> Facts:
    """The facts of an expression with the units of its parts."""
    return Facts(
        waits=any(part.waits for part in parts),
        free=free,
        unit_free=_NO_SYMBOLS.union(*(part.unit_free for part in parts)),
        risky=any(part.risky for part in parts),
        safe=safe and all(part.safe for part in parts),
        direct=direct and all(part.direct for part in parts),
        needs=_union_of(part.needs for part in parts),
    )


def _union_of(parts: Iterable[Needs]) -> Needs:
    """Return the union of the needs of all parts; None if one is unknown, or if there are too many."""
    union: set[Hashable] = set()
    for needs in parts:
        if needs is None:
            return None
        union |= needs
        if len(union) > _COUNTED:
            return None
    return frozenset(union)


def _is_maybe_absent(expr: core.Expr) -> bool:
    """Return whether `expr` is a resource that may be missing, even if a guard makes its type definite."""
    return isinstance(expr, core.Ref) and ty.is_optional(expr.symbol.type)


def is_access(expr: core.Expr) -> bool:
    """Return whether `expr` is a reference, or a path that starts at one."""
    return isinstance(root_of(expr), core.Ref)


def spreads(t: ty.Type) -> bool:
    """Return whether a conversion of a path of type `t` consists of conversions of its members."""
    match t:
        case ty.ObjectType():
            return not t.lacking and all(spreads(member) for member in t.members.values())
        case ty.TupleType():
            return all(spreads(element) for element in t.elements)
        case ty.ListType():
            return spreads(t.element)
        case _:
            return not holds_eventual(t)


def receiver_type(step: core.Attr | core.Index) -> ty.Type:
    """Return the type of the source of `step` with its outermost eventual layer resolved: inner outputs are kept."""
    source = step.source.type
    return ty.resolve(source) if is_eventual(source) else source


def is_text(t: ty.Type) -> bool:
    """Return whether values of `t`, once known, can stand in an interpolation: scalars that are never null, or of unknown
    type."""
    plain = ty.resolve(t)
    if plain is ty.DYNAMIC:
        return True
    match plain:
        case ty.PrimitiveType():
            return plain.kind not in _WITHOUT_TEXT
        case ty.ConstType() | ty.EnumType():
            return True
        case ty.UnionType():
            return ty.NONE not in plain.members and all(is_text(member) for member in plain.members)
        case _:
            return False


def key_of(expr: core.Expr) -> Hashable:
    """A key that is equal for equal values: paths by their root and steps, other expressions by identity."""
    steps: list[Hashable] = []
    while isinstance(expr, core.Attr | core.Index):
        if isinstance(expr, core.Attr):
            steps.append(expr.name)
        elif isinstance(expr.key, core.Literal):
            steps.append((type(expr.key.value), expr.key.value))
        elif isinstance(expr.key, core.Ref):
            steps.append(expr.key.symbol)
        else:
            steps.append(expr.key)
        expr = expr.source
    root: Hashable = expr.symbol if isinstance(expr, core.Ref) else expr
    return (root, *steps)
