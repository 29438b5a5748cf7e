"""Null analysis: values that may be null, paths that conditions prove null or not null, and the cause of nulls.

The inputs are typed expressions and the conditions around them. The results are the paths that are null and those that are
not, whether a value may still be null, and whether the program itself is the cause.

    gateway != null ? f(gateway) : d       `gateway` is not null in the first branch, and null in the second
    spec.sub == null || spec.sub.on        `spec.sub` is not null in the second operand

A resource property that its schema does not promise is not an error of the program: most such properties are always present.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core.eventuals import is_resource_like
from pclgen.core.predicates import is_null, unconverted
from pclgen.core.walk import children
from pclgen.types.model import NONE, Type, is_optional, resolve, without_none
from pclgen.types.traverse import Step, attribute, index

PathKey: TypeAlias = "tuple[core.Symbol | core.LiteralValue, ...]"
"""A comparable path: the symbol at its root, then the names and positions of its steps."""

Definitions: TypeAlias = Mapping[core.Symbol, core.Expr]
"""The values of locals, and the collections of loop variables."""

EXISTS: Final = None
"""As the last step of a path: the path exists, even if it leads to null."""


def path_key(expr: core.Expr) -> PathKey | None:
    """The key of the path `expr`, or None if `expr` is not a path with literal steps."""
    steps: list[core.LiteralValue] = []
    while not isinstance(expr, core.Ref):
        if isinstance(expr, core.Convert):
            expr = expr.value
        elif isinstance(expr, core.Attr):
            steps.append(expr.name)
            expr = expr.source
        elif isinstance(expr, core.Index) and isinstance(expr.key, core.Literal):
            steps.append(expr.key.value)
            expr = expr.source
        else:
            return None
    return (expr.symbol, *reversed(steps))


def root_of(expr: core.Expr) -> core.Expr:
    """Return the root of the path `expr`."""
    while isinstance(expr, core.Attr | core.Index | core.Convert):
        expr = expr.value if isinstance(expr, core.Convert) else expr.source
    return expr


class Nulls(Struct, frozen=True):
    """The null facts from conditions: paths in `present` are not null, paths in `absent` are null.

    For paths in `hidden`, the only evidence is the number of items of an enclosing loop or range.
    """

    present: frozenset[PathKey] = frozenset()
    absent: frozenset[PathKey] = frozenset()
    hidden: frozenset[PathKey] = frozenset()

    def where(self, condition: core.Expr, holds: bool, definitions: Definitions) -> Nulls:
        """The facts where `condition` holds (or does not); the prefixes of a present path are present, too."""
        present, absent = set(self.present), set(self.absent)
        pending = [(condition, holds)]
        while pending:
            test, positive = pending.pop()
            match test:
                case core.Convert():
                    pending.append((test.value, positive))
                case core.Ref() if isinstance(definitions.get(test.symbol), core.Binary | core.Unary | core.Call):
                    pending.append((definitions[test.symbol], positive))
                case core.Unary(operator="!"):
                    pending.append((test.operand, not positive))
                case core.Binary() if test.operator == ("&&" if positive else "||"):
                    pending += [(test.left, positive), (test.right, positive)]
                case core.Binary(operator="==" | "!="):
                    path = _compared_with_null(test)
                    if (test.operator == "!=") is positive:
                        present.update(_prefixes(path))
                    elif path is not None:
                        absent.add(path)
                case core.Call() if positive and test.function.name == "can":
                    # A step into null fails, null itself does not.
                    path = path_key(test.args[0])
                    present.update(list(_prefixes(path))[:-1])
                    present.update([(*path, EXISTS)] if path is not None else [])
                case _:
                    pass
        absent -= present
        is_known = present == self.present and absent == self.absent
        return self if is_known else Nulls(frozenset(present), frozenset(absent), self.hidden)

    def where_not_empty(self, collection: core.Expr, definitions: Definitions) -> Nulls:
        """The facts where `collection`, of a loop or a range, has an element."""
        nulls = self
        while True:
            match collection:
                case core.Convert():
                    collection = collection.value
                case core.Ref() if isinstance(definitions.get(collection.symbol), core.Conditional):
                    collection = definitions[collection.symbol]
                case core.Conditional() if _is_empty(collection.otherwise):
                    nulls, collection = nulls.where(collection.condition, True, definitions), collection.then
                case core.Conditional() if _is_empty(collection.then):
                    nulls, collection = nulls.where(collection.condition, False, definitions), collection.otherwise
                case _:
                    break
        hidden = self.hidden | (nulls.present - self.present)
        return Nulls(nulls.present, nulls.absent, hidden) if nulls is not self else self


def _is_empty(collection: core.Expr) -> bool:
    """Return whether a literal is an empty range."""
    match unconverted(collection):
        case core.Literal(value=value):
            return value is None or value == 0
        case core.ListExpr(elements=parts) | core.ObjectExpr(items=parts):
            return not parts
        case _:
            return False


def _compared_with_null(test: core.Binary) -> PathKey | None:
    for operand, other in ((test.left, test.right), (test.right, test.left)):
        if is_null(other):
            return path_key(operand)
    return None


def _prefixes(key: PathKey | None) -> Iterator[PathKey]:
    for length in range(1, len(key) + 1 if key is not None else 0):
        assert key is not None
        yield key[:length]


def may_be_null(expr: core.Expr, present: frozenset[PathKey]) -> bool:
    """Return whether `expr` may be null where the paths of `present` are not."""
    while isinstance(expr, core.Attr | core.Index) and is_optional(resolve(expr.type)):
        if path_key(expr) in present:
            return False
        if is_optional(_step_alone(expr)):
            return True
        expr = expr.source
    return is_optional(resolve(expr.type)) and path_key(expr) not in present


def _step_alone(expr: core.Attr | core.Index) -> Type:
    """The type of the result of a step from a value that is not null."""
    source = without_none(resolve(expr.source.type))
    if isinstance(expr, core.Attr):
        step = attribute(source, expr.name)
    else:
        key = expr.key.value if isinstance(expr.key, core.Literal) else None
        step = index(source, None if isinstance(key, bool) else key)
    return resolve(step.type) if isinstance(step, Step) else NONE


def is_own(expr: core.Expr, definitions: Definitions) -> bool:
    """Return whether `expr` can be null because of the program, and not only because a schema does not promise a value."""
    pending, seen = [expr], set[int]()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        match node:
            case core.Literal() if node.value is None:
                return True
            case core.Ref():
                defined = definitions.get(node.symbol)
                if defined is not None:
                    pending.append(defined)
                elif node.symbol.kind is core.SymbolKind.CONFIG or _may_be_missing(node.type):
                    return True
            case core.Attr() | core.Index():
                pending.append(_member(node, definitions) or node.source)
            case core.Convert():
                pending.append(node.value)
            case core.Conditional():
                pending += [part for part in (node.then, node.otherwise) if is_optional(resolve(part.type))]
            case core.Call() if node.function.name == "getOutput":
                pass  # the program is not the cause of a null from another stack
            case core.Call():
                parts = [part for part in node.args if is_optional(resolve(part.type))]
                if not parts and not any(_comes_from_package(part, definitions) for part in node.args):
                    return True
                pending += parts
            case core.For():
                pending.append(node.result)
            case core.ListExpr():
                pending += node.elements
            case core.ObjectExpr():
                pending += [item.value for item in node.items]
            case _:
                pass
    return False


def _may_be_missing(t: Type) -> bool:
    return is_optional(t) and is_resource_like(without_none(t))


def _member(node: core.Attr | core.Index, definitions: Definitions) -> core.Expr | None:
    """The member that `node` selects, if it is a step into an object literal."""
    source = node.source
    while isinstance(source, core.Ref) and source.symbol in definitions:
        source = definitions[source.symbol]
    key = node.name if isinstance(node, core.Attr) else node.key.value if isinstance(node.key, core.Literal) else None
    if not isinstance(source, core.ObjectExpr):
        return None
    return next((i.value for i in source.items if isinstance(i.key, core.Literal) and i.key.value == key), None)


def _comes_from_package(expr: core.Expr, definitions: Definitions) -> bool:
    pending, seen = [expr], set[int]()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, core.Ref) and node.symbol in definitions:
            pending.append(definitions[node.symbol])
        if isinstance(node, core.Invoke | core.MethodCall) or (isinstance(node, core.Attr) and node.field is not None):
            return True
        pending += children(node)
    return False


def described(expr: core.Expr) -> str:
    """Return the name of a value in failures: the path as written, else `the value`."""
    text = expr.span.text
    return text if path_key(expr) is not None and "\n" not in text and len(text) <= 60 else "the value"
