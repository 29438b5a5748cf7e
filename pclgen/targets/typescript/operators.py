"""Operators and conditionals over plain values, and the types that TypeScript infers from constants and conditions.

TypeScript refuses a comparison whose result it infers from literal types and narrowing:

    on = true                     const on = true as boolean;
    s == "a" && s == "b"          s === "a" && (s as string) === "b"

The type of a constant is its value. A condition narrows a compared variable to the value that it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import surely_output
from pclgen.core.predicates import as_condition, found_by, has_no_member, is_null
from pclgen.core.walk import references, root_of, walk
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, Path, path_of, translate
from pclgen.targets.typescript.conversions import chooses_unlike_lists, chooses_unlike_literals, chooses_unlike_maps
from pclgen.targets.typescript.steps import ANY_RECORD
from pclgen.targets.typescript.types import may_write_null, written_type
from pclgen.types import model as ty
from pclgen.types.convert import is_resource

_OPERATORS = {"==": "===", "!=": "!=="}
_OPPOSITES = {"===": "!==", "!==": "===", "==": "!=", "!=": "=="}
_LISTS = ty.ListType | ty.TupleType
_OBJECTS = ty.MapType | ty.ObjectType | ty.NominalType


def unary(cx: Context, expr: core.Unary) -> ts.TsExpr:
    """`-x`, `!x`."""
    operand = condition(cx, expr.operand) if expr.operator == "!" else translate(cx, expr.operand)
    if expr.operator == "-" and isinstance(operand, ts.Unary) and operand.operator == "-":
        return operand.value
    if expr.operator == "!" and isinstance(operand, ts.Binary) and operand.operator in _OPPOSITES:
        return replace(operand, operator=_OPPOSITES[operand.operator])
    return ts.Unary(expr.operator, operand)


def binary(cx: Context, expr: core.Binary) -> ts.TsExpr:
    """Arithmetic, comparison, logic."""
    cx = cx.with_null(False)
    if expr.operator in _OPERATORS:
        return _equality(cx, expr)
    if expr.operator in ("&&", "||"):
        return _logic(cx, expr)
    left, right = translate(cx, expr.left), _number(translate(cx, expr.right), expr.right)
    if expr.operator in ("/", "%") and not (isinstance(right, ts.Number) and float(right.text)):
        right = ts.Call(ts.Helper("nonZero"), (right,))  # JavaScript would return Infinity or NaN
    return build.binary(expr.operator, _number(left, expr.left), right)


def _logic(cx: Context, expr: core.Binary) -> ts.TsExpr:
    """A chain of `&&` and `||`, evaluated from left to right."""
    chain = [expr]
    while isinstance(left := chain[-1].left, core.Binary) and left.operator in ("&&", "||"):
        chain.append(left)
    operands = [chain[-1].left, *(part.right for part in reversed(chain))]
    behind_holds = [part.operator == "&&" for part in reversed(chain)]
    nodes = [translate(cx, operands[0])]
    for part, condition, holds in zip(reversed(chain), operands, behind_holds, strict=False):
        cx = _behind(cx, condition, holds=holds)
        nodes.append(translate(cx, part.right))
    last_read = _last_reads(operands) if any(map(_null_behind, operands, behind_holds)) else {}
    for at, (operand, holds) in enumerate(zip(operands, behind_holds, strict=False)):
        value = _null_behind(operand, holds)
        if value is not None and any(last_read.get(symbol, 0) > at for symbol, _ in references(value)):
            nodes[at] = _without_narrowing(nodes[at])
    node = nodes[0]
    for part, right in zip(reversed(chain), nodes[1:], strict=True):
        node = build.binary(part.operator, _number(node, part.left), _number(right, part.right))
    return node


def _last_reads(operands: Sequence[core.Expr]) -> Mapping[object, int]:
    """Return the index of the last operand that reads each symbol."""
    return {symbol: at for at, operand in enumerate(operands) for symbol, _ in references(operand)}


def _behind(cx: Context, condition: core.Expr, *, holds: bool) -> Context:
    """The context for an operand evaluated only where `condition` holds (or does not)."""
    return cx.having_tested(narrowed(cx, condition, holds=holds)).having_shown(condition, holds)


def _number(node: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """An operand of a number or bool operator, which is never null even if its type is optional."""
    return (
        ts.NonNull(node) if ty.is_optional(expr.type) and ty.resolve(expr.type) not in (ty.BOOL, ty.INT, ty.NUMBER) else node
    )


def _equality(cx: Context, expr: core.Binary) -> ts.TsExpr:
    """`===`; for null `==`, which also matches `undefined`; lists and objects are compared by structure."""
    if is_null(expr.left) or is_null(expr.right):
        value = translate(cx, expr.right if is_null(expr.left) else expr.left)
        if isinstance(value, ts.Array | ts.Object):  # TypeScript refuses `==` of a literal
            return _equality_of_structures(cx, expr)
        return ts.Binary(expr.operator, value, ts.Constant("null"))
    structures = [_may_be_structure(operand.type) for operand in (expr.left, expr.right)]
    is_typed = all(ty.without_none(ty.resolve(operand.type)) is not ty.DYNAMIC for operand in (expr.left, expr.right))
    if all(structures) or (any(structures) and is_typed) or _may_be_unlike_nulls(expr):
        # TypeScript refuses `===` of types without overlap.
        return _equality_of_structures(cx, expr)
    left, right = translate(cx, expr.left), translate(cx, expr.right)
    if not are_comparable(cx, expr.left, expr.right):
        left = widened(left, expr.left, expr.right)
    return ts.Binary(_OPERATORS[expr.operator], left, right)


def _may_be_unlike_nulls(expr: core.Binary) -> bool:
    """Return whether both values may be null, one of them `null` in TypeScript and the other `undefined`."""
    types = [ty.resolve(operand.type) for operand in (expr.left, expr.right)]
    may_be_null = all(t in (ty.NONE, ty.DYNAMIC) or ty.is_optional(t) for t in types)
    return may_be_null and (ty.DYNAMIC in types or any(map(_may_read_null, (expr.left, expr.right))))


def _may_read_null(value: core.Expr) -> bool:
    """Return whether `value` may be a `null` that is inside a variable: an operand's own null is `undefined`."""
    variables = (part for part in walk(value) if isinstance(part, core.Ref))
    return any(part.symbol.kind is core.SymbolKind.LOOP or may_write_null(part) for part in variables)


def _may_be_structure(t: ty.Type) -> bool:
    """Return whether values of a type may be lists or objects.  Resources are compared by identity, so they do not count."""
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.UnionType):
        return any(_may_be_structure(member) for member in plain.members)
    return plain is ty.DYNAMIC or (isinstance(plain, _LISTS | _OBJECTS) and not is_resource(plain))


def _equality_of_structures(cx: Context, expr: core.Binary) -> ts.TsExpr:
    """`xs.length === 0`, `isEqual(xs, ys)`."""
    for value, empty in ((expr.left, expr.right), (expr.right, expr.left)):
        size = _size_beside_nothing(cx, value, empty)
        if size is not None:
            return ts.Binary(_OPERATORS[expr.operator], size, ts.Number("0"))
    cx = cx.with_null(True)
    call = ts.Call(ts.Helper("isEqual"), (translate(cx, expr.left), translate(cx, expr.right)))
    return call if expr.operator == "==" else ts.Unary("!", call)


def _size_beside_nothing(cx: Context, value: core.Expr, empty: core.Expr) -> ts.TsExpr | None:
    """Return the number of elements of `value`, when it is compared with the empty list or object."""
    plain = ty.without_none(ty.resolve(value.type))
    if isinstance(empty, core.ListExpr) and not empty.elements and isinstance(plain, _LISTS):
        return ts.Member(translate(cx, value), "length", ty.is_optional(value.type))
    keyed = isinstance(plain, _OBJECTS) and not ty.is_optional(value.type)
    if isinstance(empty, core.ObjectExpr) and not empty.items and keyed:
        return ts.Member(build.call("Object", "keys", translate(cx, value)), "length")
    return None


def conditional(cx: Context, expr: core.Conditional) -> ts.TsExpr:
    """`c ? a : b`; the guard of a value that may be missing is `x?.a`."""
    conditional = as_condition(expr)
    if conditional is not None:
        return condition(cx, conditional)
    symbol = guarded(expr)
    if symbol is not None:
        path = _with_question(translate(cx, expr.then), cx.variable(symbol))
        if not is_null(expr.otherwise):
            return build.binary("??", path, translate(cx, expr.otherwise))
        return ts.Binary("??", path, ts.Constant("null")) if cx.keeps_null else path
    test = test_of(cx, expr)
    inner = _behind(cx, expr.condition, holds=True).having_found(found_by(expr.condition))
    then = translate(inner, expr.then)
    otherwise = translate(_behind(cx, expr.condition, holds=False), expr.otherwise)
    value = _chosen(test, then, otherwise)
    if chooses_unlike_lists(expr):
        return ts.As(value, written_type(cx.imports, ty.resolve(expr.type), (expr,)))
    # The type of an attempt is written, but to TypeScript each of two literals has the other's members as `undefined`.
    if not chooses_unlike_maps(expr) and not (cx.tried and chooses_unlike_literals(expr)):
        return value
    missing = (ts.TypeName("null" if cx.keeps_null else build.UNDEFINED),) if ty.is_optional(expr.type) else ()
    return ts.As(value, build.union(ANY_RECORD, *missing) if missing else ANY_RECORD)


def test_of(cx: Context, expr: core.Conditional) -> ts.TsExpr:
    """The condition of a conditional."""
    test = condition(cx, expr.condition)
    for branch, holds in ((expr.then, True), (expr.otherwise, False)):
        if any(not _symbols(value).isdisjoint(_symbols(branch)) for value in _nulls_behind(expr.condition, holds)):
            return _without_narrowing(test)
    return test


def _symbols(expr: core.Expr) -> AbstractSet[object]:
    return {symbol for symbol, _ in references(expr)}


def _nulls_behind(condition: core.Expr, holds: bool) -> Iterator[core.Expr]:
    """Yield the values that are null where a chain of conditions holds (or does not), although their types exclude null."""
    if isinstance(condition, core.Binary) and condition.operator == ("&&" if holds else "||"):
        yield from _nulls_behind(condition.left, holds)
        yield from _nulls_behind(condition.right, holds)
    else:
        value = _null_behind(condition, holds)
        if value is not None:
            yield value


def _null_behind(condition: core.Expr, holds: bool) -> core.Expr | None:
    """Return the value that is null where `condition` holds (or does not), although its type excludes null.

    TypeScript narrows it to `never`, which has no members.
    """
    match condition:
        case core.Binary(
            operator="==" | "!=" as operator,
            left=core.Ref() | core.Attr() | core.Index() as value,
            right=core.Literal(value=None),
        ):
            t = ty.resolve(value.type)
            excludes_null = t is not ty.DYNAMIC and not ty.is_optional(t)
            return value if excludes_null and (operator == "==") == holds else None
        case _:
            return None


def _without_narrowing(test: ts.TsExpr) -> ts.TsExpr:
    """`(x as unknown) == null` for `x == null`, which leaves the type of `x` as it is."""
    if isinstance(test, ts.Binary) and test.operator in ("&&", "||"):
        return replace(test, left=_without_narrowing(test.left), right=_without_narrowing(test.right))
    if not isinstance(test, ts.Binary) or not build.is_null(test.right) or isinstance(test.left, ts.As):
        return test
    return replace(test, left=ts.As(test.left, ts.TypeName("unknown")))


def _chosen(test: ts.TsExpr, then: ts.TsExpr, otherwise: ts.TsExpr) -> ts.TsExpr:
    """`x ?? d` for `x != null ? x! : d`; a longer path drops its `!`."""
    if not isinstance(test, ts.Binary) or not build.is_path(test.left) or not build.is_null(test.right):
        return ts.Conditional(test, then, otherwise)
    absent = test.operator == "=="
    present, default = (otherwise, then) if absent else (then, otherwise)
    if isinstance(test.left, ts.Global) and test.left.name == build.UNDEFINED:
        return default
    present = _without_assertion(present, test.left)
    if build.is_same_path(present, test.left):
        return build.binary("??", present, default)
    return ts.Conditional(test, default, present) if absent else ts.Conditional(test, present, default)


def _without_assertion(node: ts.TsExpr, present: ts.TsExpr) -> ts.TsExpr:
    """`node` without the `!` after `present` at its start."""
    match node:
        case ts.NonNull() if build.is_same_path(node.value, present):
            return present
        case ts.NonNull():
            return replace(node, value=_without_assertion(node.value, present))
        case ts.Member() | ts.Element():
            return replace(node, source=_without_assertion(node.source, present))
        case ts.Call():
            return replace(node, callee=_without_assertion(node.callee, present))
        case _:
            return node


def condition(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """A bool that is only tested: a missing value is false."""
    node = translate(cx.with_null(False), expr)
    return node.value if isinstance(node, ts.NonNull) else node


def guarded(expr: core.Conditional) -> core.Symbol | None:
    """The symbol of `x != null ? x.a.b : null`; for a resource also with another value in place of null.

    An output of a resource is never null itself, so `x?.a ?? other` is equivalent.
    """
    test = expr.condition
    if not isinstance(test, core.Binary) or test.operator != "!=" or not is_null(test.right):
        return None
    if not is_null(expr.otherwise) and not (surely_output(expr.then) and not ty.is_optional(expr.then.type)):
        return None
    root = root_of(expr.then)
    if root is expr.then or not isinstance(root, core.Ref) or not isinstance(test.left, core.Ref):
        return None
    return root.symbol if root.symbol is test.left.symbol else None


def _with_question(node: ts.TsExpr, root: ts.Variable) -> ts.TsExpr:
    """`root.a.b` as `root?.a.b`."""
    if not isinstance(node, ts.Member | ts.Element):
        return node
    if isinstance(node, ts.Member) and isinstance(node.source, ts.Name) and node.source.variable is root:
        return replace(node, optional=True)
    return replace(node, source=_with_question(node.source, root))


# -- constants and narrowing ------------------------------------------------------------------------------------------------

def is_constant(cx: Context, expr: core.Expr) -> bool:
    """Return whether TypeScript takes the possible values of `expr` for its type."""
    match expr:
        case core.Literal():
            return expr.value is not None
        case core.Unary():
            return is_constant(cx, expr.operand) if expr.operator == "!" else isinstance(expr.operand, core.Literal)
        case core.Binary(operator="&&" | "||"):
            return is_constant(cx, expr.left) or is_constant(cx, expr.right)
        case core.Template(parts=[part]) if ty.resolve(part.type) is ty.STRING:
            return is_constant(cx, part)
        case core.Template():
            return all(isinstance(part, core.Literal) for part in expr.parts)
        case core.Conditional():
            branches = ((expr.then, True), (expr.otherwise, False))
            values = [(branch, holds) for branch, holds in branches if not is_null(branch)]
            return bool(values) and all(
                is_constant(cx.having_tested(narrowed(cx, expr.condition, holds=holds)), branch) for branch, holds in values
            )
        case core.Convert():
            return is_constant(cx, expr.value)
        case core.Call() if expr.function.name == "lookup" and has_no_member(expr):
            return is_constant(cx, expr.args[2])
        case core.Ref() if expr.symbol in cx.file.constants:
            return True
        case _:
            path = path_of(expr)
            return path is not None and path in cx.tested


def mixes_objects(value: core.Expr) -> bool:
    """Return whether a literal mixes objects with different members in a place of one type.

    TypeScript gives each object the members of all, as `undefined`, so that none is a map.
    """
    return _shape(value) is _MIXED


_MIXED: Final = object()


def _shape(value: core.Expr) -> object:
    """The members of a literal's objects, with the shapes of their values.

    `_MIXED` for different shapes in one place, None for other values.
    """
    match value:
        case core.ObjectExpr():
            keys = [item.key.value if isinstance(item.key, core.Literal) else None for item in value.items]
            inner = [_shape(item.value) for item in value.items]
            return _MIXED if _MIXED in inner else frozenset(zip(keys, inner, strict=True))
        case core.ListExpr() | core.Conditional():
            parts = value.elements if isinstance(value, core.ListExpr) else (value.then, value.otherwise)
            shapes = {_shape(part) for part in parts} - {None}
            return None if not shapes else shapes.pop() if len(shapes) == 1 else _MIXED
        case _:
            return None


def narrowed(cx: Context, condition: core.Expr | None, *, holds: bool = True) -> list[Path]:
    """Return the paths that TypeScript narrows to a compared value when `condition` holds (or does not).

    A text that is not "a" may be any other text, while a bool that is not true is false.
    """
    paths: list[Path] = []
    pending = [(condition, holds)] if condition is not None else []
    while pending:
        expr, true = pending.pop()
        match expr:
            case core.Unary(operator="!"):
                pending.append((expr.operand, not true))
            case core.Binary(operator="&&" | "||"):
                pending += ((expr.left, true), (expr.right, true))
            case core.Binary(operator="==" | "!="):
                paths += _narrowed_by_equality(cx, expr, (expr.operator == "==") == true)
            case _:
                path = path_of(expr)
                paths += [path] if path is not None else []
    return paths


def _narrowed_by_equality(cx: Context, expr: core.Binary, equal: bool) -> Iterator[Path]:
    for value, other in ((expr.left, expr.right), (expr.right, expr.left)):
        path = path_of(value)
        if path is not None and is_constant(cx, other) and (equal or ty.without_none(ty.resolve(value.type)) is ty.BOOL):
            yield path


def wide_type(t: ty.Type) -> ts.TypeName:
    """The wide type of a constant: `string` for any text."""
    plain = ty.without_const(ty.without_none(ty.resolve(t)))
    if isinstance(plain, ty.EnumType):
        plain = plain.base
    return ts.TypeName(_kind(plain) or "unknown")


def widened(node: ts.TsExpr, value: core.Expr, other: core.Expr) -> ts.TsExpr:
    """`node`, the TypeScript of `value`, cast so that it can be compared with any value of the type of `other`."""
    wide, target = wide_type(value.type), wide_type(other.type)
    return ts.As(node, wide if wide.name == target.name else ts.TypeName("unknown"))


def are_comparable(cx: Context, left: core.Expr, right: core.Expr) -> bool:
    """Return whether TypeScript accepts a comparison of both without a cast."""
    if is_constant(cx, left) and is_constant(cx, right):
        return False
    if _misses_constant(cx, left, right) or _misses_constant(cx, right, left):
        return False
    return _may_be_member(left, right) and _may_be_member(right, left) and _overlap(left.type, right.type)


def _misses_constant(cx: Context, choice: core.Expr, constant: core.Expr) -> bool:
    """Return whether the type of `choice` may lack `constant`: alternatives of its type are constants, too."""
    match choice:
        case core.Conditional():
            alternatives: Sequence[core.Expr] = (choice.then, choice.otherwise)
        case core.Call() if choice.function.name == "try":
            alternatives = choice.args
        case _:
            return False
    alike = [value for value in alternatives if _overlap(value.type, constant.type)]
    return is_constant(cx, constant) and all(is_constant(cx, value) for value in alike)


def _may_be_member(value: core.Expr, enum: core.Expr) -> bool:
    """Return False for a constant that is not in the other operand's enum."""
    t = ty.without_none(ty.resolve(enum.type))
    if not isinstance(t, ty.EnumType) or not isinstance(value, core.Literal) or isinstance(enum, core.Literal):
        return True
    return isinstance(value.value, str | int) and t.declaration.member(value.value) is not None


def _overlap(left: ty.Type, right: ty.Type) -> bool:
    return any(first == second or None in (first, second) for first in _kinds(left) for second in _kinds(right))


def _kinds(t: ty.Type) -> list[str | None]:
    """The kinds of values of a type that TypeScript distinguishes; None for a type that may have any kind."""
    plain = ty.without_const(ty.without_none(ty.resolve(t)))
    if isinstance(plain, ty.UnionType):
        return [kind for member in plain.members for kind in _kinds(member)]
    return [_kind(plain.base if isinstance(plain, ty.EnumType) else plain)]


def _kind(plain: ty.Type) -> str | None:
    if plain in (ty.STRING, ty.ID):
        return "string"
    if plain in (ty.INT, ty.NUMBER):
        return "number"
    if isinstance(plain, ty.ListType | ty.TupleType):
        return "object"
    return "boolean" if plain is ty.BOOL else None
