"""Constant folding of a program, since Pulumi YAML has no operators, conditions and loops.

Known values replace the expressions that compute them (`Folder.bindings` has the values of names). Unknown expressions stay
unchanged, for the printer to refuse.

    for x in ["a", "b"] : "${x}-${pet.id}"    ["a-${pet.id}", "b-${pet.id}"]
    keys[0].id                                `keys-0`.id, when `keys` has a known number of instances
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.jsontext import is_json
from pclgen.core.walk import children, root_of, with_children
from pclgen.source.numbers import decimal_text, read_number
from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Blob, Value, evaluate
from pclgen.stdlib.values import TooLargeError, arithmetic, negated, same
from pclgen.types import model as ty

SPELLED: Final = frozenset(
    {
        "assetArchive", "fileArchive", "fileAsset", "fromBase64", "join", "readFile", "remoteArchive", "remoteAsset",
        "secret", "split", "stringAsset", "toBase64", "toJSON",
    }
)  # fmt: skip  # a list of many short entries
"""The functions of Pulumi YAML, written `fn::name`."""


def name_of(call: core.Call) -> str | None:
    """The function of Pulumi YAML for a call; None if there is none."""
    name = "toJSON" if is_json(call) else call.function.name
    return name if name in SPELLED else None

_LARGEST: Final = 10_000
"""Maximum number of parts that folding creates; a larger program is refused."""
_LONGEST_LOOK: Final = 1_000_000
"""Maximum number of parts that folding visits, a limit for texts that double repeatedly."""

Pairs: TypeAlias = Sequence[tuple[core.Expr, core.Expr]]


class OutgrownFoldError(Exception):
    """Folding would create a program that is too large to read."""


class Folder:
    """Folds the expressions of one program.

    `bindings` maps names to expressions: the values of locals, the lists and maps of instances of ranged resources.
    """

    def __init__(self) -> None:
        self.bindings: dict[core.Symbol, core.Expr] = {}
        self._made = 0
        self._looked = 0

    def fold(self, expr: core.Expr) -> core.Expr:
        """`expr` with its known parts folded."""
        match expr:
            case core.Literal():
                return expr
            case core.Ref():
                return expr if expr.symbol.kind is core.SymbolKind.LOCAL else self.bindings.get(expr.symbol, expr)
            case core.For():
                return self._unrolled(expr)
            case core.Conditional():
                condition = self.fold(expr.condition)
                holds = self.value_of(condition)
                if isinstance(holds, bool):
                    return self.fold(expr.then if holds else expr.otherwise)
                return replace(expr, condition=condition, then=self.fold(expr.then), otherwise=self.fold(expr.otherwise))
            case core.Call(function=function) if function.name in ("try", "can"):
                return self._tried(expr)
            case _:
                return self._step(with_children(expr, [self.fold(part) for part in children(expr)]))

    def _step(self, expr: core.Expr) -> core.Expr:
        """Fold an expression whose parts are folded."""
        match expr:
            case core.Attr():
                return self._part(expr, expr.name)
            case core.Index():
                key = self.value_of(expr.key)
                if not isinstance(key, str | int) or isinstance(key, bool):
                    return expr
                at = expr if isinstance(expr.key, core.Literal) else replace(expr, key=_literal(key, expr.key))
                return self._part(at, key)
            case core.ObjectExpr() if any(item.when is not None for item in expr.items):
                items = [item for item in map(self._decided, expr.items) if item is not None]
                return replace(expr, items=tuple(items))
            case core.Template():
                return self._template(expr)
            case core.Convert():
                return self._converted(expr)
            case core.Unary() | core.Binary():
                value = self.value_of(expr)
                return expr if value is UNKNOWN else _literal(value, expr)
            case core.Call() if name_of(expr) is None:
                constant = _expression(self.value_of(expr), expr)
                return expr if constant is None else constant
            case _:
                return expr

    def _decided(self, item: core.ObjectItem) -> core.ObjectItem | None:
        """`item` without its condition if that is known to be true; None if it is known to be false."""
        holds = None if item.when is None else self.value_of(item.when)
        if holds is False:
            return None
        return replace(item, when=None) if holds is True else item

    def _part(self, step: core.Attr | core.Index, key: str | int) -> core.Expr:
        """The element or member of a literal; a step into a named value stays a step."""
        picked = None if isinstance(root_of(step.source), core.Ref) else self._picked(self.seen(step.source), key)
        return step if picked is None else picked

    def _picked(self, source: core.Expr, key: str | int) -> core.Expr | None:
        match source:
            case core.ListExpr() if isinstance(key, int) and 0 <= key < len(source.elements):
                return source.elements[key]
            case core.ObjectExpr():
                return next((item.value for item in source.items if self.value_of(item.key) == str(key)), None)
            case _:
                return None

    def seen(self, expr: core.Expr) -> core.Expr:
        """Return the expression that `expr` refers to, through names, steps and conversions."""
        match expr:
            case core.Ref():
                bound = self.bindings.get(expr.symbol)
                return expr if bound is None or bound is expr else self.seen(bound)
            case core.Attr() | core.Index():
                key = expr.name if isinstance(expr, core.Attr) else self.value_of(expr.key)
                picked = self._picked(self.seen(expr.source), key) if isinstance(key, str | int) else None
                return expr if picked is None else self.seen(picked)
            case core.Convert():
                return self.seen(expr.value)
            case _:
                return expr

    # --- values --------------------------------------------------------------------------------------------------------

    def value_of(self, expr: core.Expr) -> Value:
        """The value of `expr`, or UNKNOWN; parts of lists and maps may be UNKNOWN."""
        self._looked += 1
        if self._looked > _LONGEST_LOOK:
            raise OutgrownFoldError
        seen = self.seen(expr)
        match seen:
            case core.Literal():
                return seen.value
            case core.ListExpr():
                return [self.value_of(element) for element in seen.elements]
            case core.ObjectExpr():
                keys = [self.value_of(item.key) for item in seen.items]
                if not all(isinstance(key, str) for key in keys):
                    return UNKNOWN
                return {str(key): self.value_of(item.value) for key, item in zip(keys, seen.items, strict=True)}
            case core.Template():
                parts = [_text(self.value_of(part)) for part in seen.parts]
                texts = [part for part in parts if part is not None]
                return "".join(texts) if len(texts) == len(parts) else UNKNOWN
            case core.Unary():
                return _unary(seen.operator, self.value_of(seen.operand))
            case core.Binary():
                return self._binary(seen)
            case core.Call():
                return self._called(seen)
            case _:
                return UNKNOWN

    def _called(self, call: core.Call) -> Value:
        values = [self.value_of(arg) for arg in call.args]
        if call.expand and values:
            last = values.pop()
            if not isinstance(last, list):
                return UNKNOWN
            values += last
        if any(value is UNKNOWN for value in values):
            return UNKNOWN
        if call.type.eventual and any(_holds_unknown(value) for value in values):
            return UNKNOWN  # it may be secret, and depends on the dependencies of its parts
        try:
            result = evaluate(call.function, values)
        except (BadArgumentError, TooLargeError):
            return UNKNOWN
        return UNKNOWN if isinstance(result, Blob) else result

    def _binary(self, expr: core.Binary) -> Value:
        left = self.value_of(expr.left)
        if expr.operator in ("&&", "||"):
            if isinstance(left, bool) and left is (expr.operator == "||"):
                return left
            return self.value_of(expr.right) if isinstance(left, bool) else UNKNOWN
        right = self.value_of(expr.right)
        if expr.operator in ("==", "!=") and (left is None or right is None):
            other = self.seen(expr.right if left is None else expr.left)
            if isinstance(other, core.Ref) and other.symbol.kind is core.SymbolKind.RESOURCE:
                return expr.operator == "!="
        if _holds_unknown(left) or _holds_unknown(right):
            return UNKNOWN
        return _binary(expr.operator, left, right)

    # --- growth --------------------------------------------------------------------------------------------------------

    def pairs(self, collection: core.Expr) -> Pairs | None:
        """The keys and values that a loop over `collection` visits; None if they are not known."""
        seen = self.seen(collection)
        if isinstance(seen, core.Call):
            constant = _expression(self.value_of(seen), seen)
            seen = seen if constant is None else constant
        match seen:
            case core.ListExpr():
                return [(_number(at, seen), element) for at, element in enumerate(seen.elements)]
            case core.ObjectExpr():
                named = [(self.value_of(item.key), item) for item in seen.items]
                if not all(isinstance(key, str) for key, _ in named):
                    return None
                last = {str(key): item for key, item in named}
                return [(_literal(key, item.key), item.value) for key, item in sorted(last.items())]
            case _:
                return None

    def grown(self, parts: int) -> None:
        """Count the parts that folding creates.  Raises `OutgrownFoldError` above the limit."""
        self._made += parts
        if self._made > _LARGEST:
            raise OutgrownFoldError

    def _unrolled(self, loop: core.For) -> core.Expr:
        collection = self.fold(loop.collection)
        pairs = self.pairs(collection)
        if pairs is None:
            return replace(loop, collection=collection)
        entries: list[tuple[core.Expr | None, core.Expr]] = []
        for key, value in pairs:
            self.grown(1)
            self.bindings[loop.value] = value
            if loop.key is not None:
                self.bindings[loop.key] = key
            holds = True if loop.condition is None else self.value_of(self.fold(loop.condition))
            if not isinstance(holds, bool):
                return replace(loop, collection=collection)
            if holds:
                entries.append((None if loop.result_key is None else self.fold(loop.result_key), self.fold(loop.result)))
        if loop.result_key is None:
            return core.ListExpr(elements=tuple(value for _, value in entries), type=loop.type, span=loop.span)
        return self._object(loop, entries) or replace(loop, collection=collection)

    def _object(self, loop: core.For, entries: Sequence[tuple[core.Expr | None, core.Expr]]) -> core.Expr | None:
        by_name: dict[str, list[core.Expr]] = {}
        for key, value in entries:
            name = UNKNOWN if key is None else _text(self.value_of(key))
            if not isinstance(name, str):
                return None
            by_name.setdefault(name, []).append(value)
        items = []
        for name, values in by_name.items():
            value = core.ListExpr(elements=tuple(values), type=ty.DYNAMIC, span=loop.span) if loop.group else values[-1]
            key = core.Literal(value=name, type=ty.STRING, span=loop.span)
            items.append(core.ObjectItem(key=key, value=value, span=value.span))
        return core.ObjectExpr(items=tuple(items), type=loop.type, span=loop.span)

    def _tried(self, call: core.Call) -> core.Expr:
        """`try` and `can` of a known value, which cannot fail."""
        args = [self.fold(arg) for arg in call.args]
        if args and not _holds_unknown(self.value_of(args[0])):
            return args[0] if call.function.name == "try" else core.Literal(value=True, type=ty.BOOL, span=call.span)
        return replace(call, args=tuple(args))

    def _template(self, expr: core.Template) -> core.Expr:
        parts: list[core.Expr] = []
        for part in expr.parts:
            text = _text(part.value) if isinstance(part, core.Literal) else None
            last = parts[-1] if parts else None
            if text is None:
                parts.append(part)
            elif isinstance(last, core.Literal):
                parts[-1] = replace(last, value=f"{last.value}{text}")
            else:
                parts.append(core.Literal(value=text, type=ty.STRING, span=part.span))
        if len(parts) == 1 and isinstance(parts[0], core.Literal):
            return replace(parts[0], multiline=expr.multiline)
        return replace(expr, parts=tuple(parts))

    def _converted(self, expr: core.Convert) -> core.Expr:
        value, plain = expr.value, ty.without_none(ty.resolve(expr.type))
        if not isinstance(value, core.Literal):
            return expr
        constant = value.value
        if plain is ty.STRING and constant is not None:
            return replace(value, value=_text(constant), type=ty.STRING)
        if plain in (ty.INT, ty.NUMBER) and isinstance(constant, str):
            number = read_number(constant)
            return expr if number is None else replace(value, value=number, type=plain)
        return value


def _text(value: Value) -> str | None:
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return decimal_text(value)
        case _:
            return None


def _holds_unknown(value: Value) -> bool:
    match value:
        case list():
            return any(_holds_unknown(part) for part in value)
        case dict():
            return any(_holds_unknown(part) for part in value.values())
        case _:
            return value is UNKNOWN


def _unary(operator: str, value: Value) -> Value:
    if isinstance(value, bool):
        return not value if operator == "!" else UNKNOWN
    return negated(value) if operator == "-" and isinstance(value, int | Decimal) else UNKNOWN


def _binary(operator: str, left: Value, right: Value) -> Value:
    """The result of an operator on known values; UNKNOWN if it fails at run time."""
    if operator in ("==", "!="):
        return same(left, right) is (operator == "==")
    if isinstance(left, bool) or isinstance(right, bool):
        return UNKNOWN
    if not (isinstance(left, int | Decimal) and isinstance(right, int | Decimal)):
        return UNKNOWN
    try:
        return arithmetic(operator, left, right)
    except ArithmeticError:  # a division by zero, or a result that is too large
        return UNKNOWN


def _number(at: int, near: core.Expr) -> core.Expr:
    return core.Literal(value=at, type=ty.INT, span=near.span)


def _literal(value: Value, near: core.Expr) -> core.Literal:
    """A known scalar value in place of `near`."""
    assert value is None or isinstance(value, bool | int | Decimal | str)
    return core.Literal(value=value, type=near.type, span=near.span)


def _expression(value: Value, near: core.Expr) -> core.Expr | None:
    """A known value as an expression; None if a part of it is unknown."""
    return None if _holds_unknown(value) else _known(value, near)


def _known(value: Value, near: core.Expr) -> core.Expr:
    match value:
        case list():
            return core.ListExpr(elements=tuple(_known(part, near) for part in value), type=near.type, span=near.span)
        case dict():
            items = [
                core.ObjectItem(
                    key=core.Literal(value=key, type=ty.STRING, span=near.span), value=_known(part, near), span=near.span
                )
                for key, part in value.items()
            ]
            return core.ObjectExpr(items=tuple(items), type=near.type, span=near.span)
        case _:
            literal = _literal(value, near)
            is_scalar = ty.resolve(near.type) in (ty.BOOL, ty.INT, ty.NUMBER, ty.STRING)
            return literal if is_scalar else replace(literal, type=ty.DYNAMIC)
