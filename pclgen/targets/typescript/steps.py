"""Steps into values: `a.b` and `a[k]`, lifted over outputs by the SDK, with `?.` into values that may be missing."""

from __future__ import annotations

from typing import Final

from pclgen.core.eventuals import is_eventual, is_lacking, is_resource_like
from pclgen.core.expr import Attr, Expr, Index, Literal, MethodCall, Ref, SymbolKind
from pclgen.core.lacking import may_lead_nowhere
from pclgen.targets.methods import lifted_result
from pclgen.targets.typescript import build, invokes
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.targets.typescript.helpers import ENTRY_OF_ANY, REQUIRE_VALUE
from pclgen.targets.typescript.types import all_objects, literal_type, may_write_null, plain_type
from pclgen.types.model import (
    DYNAMIC,
    ID,
    INT,
    NONE,
    NUMBER,
    STRING,
    ConstType,
    EnumType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    TupleType,
    Type,
    UnionType,
    is_optional,
    resolve,
    union_of,
    without_none,
)
from pclgen.types.traverse import Step
from pclgen.types.traverse import attribute as attribute_of
from pclgen.types.unify import element_type

INHERITED = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
"""Members that a plain object of JavaScript inherits."""

ANY_RECORD: Final = ts.TypeName("Record", (ts.TypeName("string"), ts.TypeName("any")))

# Members that the SDK's hook arguments may omit although PCL always has them.
_MAYBE_MISSING = ("newInputs", "oldInputs", "newOutputs", "oldOutputs")


def attribute(cx: Context, expr: Attr) -> ts.TsExpr:
    """`source.name`."""
    if isinstance(expr.source, MethodCall) and lifted_result(expr.source.method, "nodejs") == expr.name:
        return invokes.method_call(cx, expr.source, whole=False)
    source = _receiver(cx, expr.source, followed=True)
    if not is_eventual(expr.source.type) and not _all_have(without_none(resolve(expr.source.type)), expr.name):
        entry = ts.Call(ts.Helper("entryOf"), (ts.As(source, ts.TypeName("any")), ts.Text(expr.name)))
        return ts.As(entry, plain_type(cx.imports, resolve(expr.type)))
    if _is_entry(cx, expr):
        return _entry(expr.source.type, source, ts.Text(expr.name))
    optional, source = _optional(expr.source, expr.type, source)
    member = ts.Member(source, expr.name, optional or _is_hook_state(expr.source))
    if cx.has_found(expr):
        return member
    if is_lacking(expr) and cx.tried:
        return _demanded(cx, expr, member)
    if is_lacking(expr) and not is_eventual(expr.type):
        return ts.NonNull(member)
    return _of_element(cx, expr, member)


def _all_have(t: Type, name: str) -> bool:
    """Return whether each possible type of a value has the member."""
    return not isinstance(t, UnionType) or all(isinstance(attribute_of(member, name), Step) for member in t.members)


def _demanded(cx: Context, expr: Attr, member: ts.Member) -> ts.TsExpr:
    """A member that an object may lack, where a missing member must fail."""
    if expr.name in INHERITED:
        entry = ts.Call(ts.Helper("entryOf"), (ts.As(member.source, ts.TypeName("any")), ts.Text(expr.name)))
        return ts.As(entry, plain_type(cx.imports, resolve(expr.type)))
    if is_optional(resolve(expr.type)):
        members = ts.As(member.source, ts.TypeName("Record", (ts.TypeName("string"), plain_type(cx.imports, expr.type))))
        return ts.Call(ts.Helper("entryOf"), (members, ts.Text(expr.name)))
    return ts.Call(ts.Helper(REQUIRE_VALUE), (member, ts.Text(f"{expr.name} is missing")))


def open_path(cx: Context, path: Expr) -> ts.TsExpr:
    """A path that is undefined if a step is missing: `item.spec?.size`."""
    if not isinstance(path, Attr):
        return translate(cx, path)
    return ts.Member(open_path(cx, path.source), path.name, may_lead_nowhere(path.source))


def _of_element(cx: Context, expr: Attr, member: ts.TsExpr) -> ts.TsExpr:
    """A member of an element of a list of objects, which TypeScript takes for a member of any of the objects."""
    if not _is_one_of_objects(cx, expr.source):
        return member
    assert isinstance(expr.source, Index)
    exact = without_none(expr.source.source.type)
    assert isinstance(exact, TupleType)
    common = attribute_of(without_none(element_type(exact)), expr.name)
    if not isinstance(common, Step):
        return member
    if resolve(common.type) is not resolve(expr.type) or common.type.eventual:
        return _as_exactly(cx, member, expr.type)
    return ts.NonNull(member) if common.lacking else member


def _as_exactly(cx: Context, value: ts.TsExpr, t: Type) -> ts.TsExpr:
    """An element of a list literal with its exact type; the null of a literal is `null`."""
    if t is NONE:
        return ts.Constant("null") if cx.keeps_null else build.undefined()
    literal = literal_type(cx.imports, resolve(t))
    return ts.As(value, cx.imports.pulumi_type("Output", literal) if is_eventual(t) else literal)


def _is_one_of_objects(cx: Context, source: Expr) -> bool:
    """Return whether `source` is an element of a list literal of different object types."""
    if not isinstance(source, Index) or is_eventual(source.source.type) or _is_declared(source.source):
        return False
    exact = without_none(source.source.type)
    if not isinstance(exact, TupleType) or len(set(exact.elements)) < 2 or not all_objects(exact):
        return False
    return NONE not in exact.elements


def element(cx: Context, expr: Index, *, stepped: bool = False, followed: bool = False) -> ts.TsExpr:
    """`source[key]`; `followed`: a step to a member follows; `stepped`: that step determines its type."""
    source = _receiver(cx, expr.source)
    optional, source = _optional(expr.source, expr.type, source)
    key = _as_key(translate(cx, expr.key), expr.key)
    plain = without_none(resolve(expr.source.type))
    if isinstance(plain, ObjectType | NominalType) and not isinstance(key, ts.Text):
        written = without_none(expr.source.type)
        source = ts.As(source, as_record(cx, expr.source, written if isinstance(written, ObjectType) else plain))
    if isinstance(plain, UnionType) and not (all(map(is_sequence, plain.members)) or all(map(is_keyed, plain.members))):
        entry = _entry(DYNAMIC, ts.As(source, ts.TypeName("any")), key)
        return entry if resolve(expr.type) is DYNAMIC else ts.As(entry, plain_type(cx.imports, resolve(expr.type)))
    if _is_entry(cx, expr):
        source = ts.NonNull(source) if optional and isinstance(plain, MapType) else source
        return _entry(expr.source.type, source, key)
    if not followed and _may_lie_outside(cx, expr):
        return ts.Call(ts.Helper("itemAt"), (source, key))
    item = build.index(source, key, optional=optional or _is_hook_state(expr.source))
    return item if stepped else exact_element(cx, item, expr.source, expr.type)


def exact_element(cx: Context, item: ts.TsExpr, values: Expr, t: Type) -> ts.TsExpr:
    """The element `item` of `values` with its type `t`: to TypeScript, a literal of unlike elements has mixed elements."""
    exact = without_none(values.type)
    is_mixed = isinstance(exact, TupleType) and len(set(exact.elements)) > 1 and not _is_declared(values)
    return _as_exactly(cx, item, t) if is_mixed else item


def _as_key(key: ts.TsExpr, expr: Expr) -> ts.TsExpr:
    """The key `expr` of a value of unknown type: TypeScript accepts only texts and numbers, others are cast to `any`."""
    t = resolve(expr.type)
    kinds = t.members if isinstance(t, UnionType) else (t,)
    fits = all(kind in _KEYS or isinstance(kind, ConstType | EnumType) for kind in kinds)
    return key if fits else ts.As(key, ts.TypeName("any"))


_KEYS = (STRING, ID, INT, NUMBER, DYNAMIC)


def _is_entry(cx: Context, expr: Attr | Index) -> bool:
    """Return whether a step reads an entry of a plain map; a missing entry ends the program (targets.md, Steps).

    A member of an object is always present; a missing resource ends the program with the next step.
    """
    source, result = expr.source.type, resolve(expr.type)
    if is_eventual(source) or is_resource_like(result) or _is_hook_state(expr.source):
        return False
    keyed = MapType | ObjectType if isinstance(expr, Index) else MapType
    if cx.tried:
        inner = without_none(resolve(source))
        key = expr.key if isinstance(expr, Index) else expr.name
        is_doubtful = may_be_inherited(key) or (inner is DYNAMIC and _may_be_position(key))
        return is_doubtful and (inner is DYNAMIC or isinstance(inner, keyed))
    return isinstance(resolve(source), keyed)


def _entry(source: Type, value: ts.TsExpr, key: ts.TsExpr) -> ts.Call:
    """An entry of a `value` of type `source`: an untyped value may be a list, or a text, which has no entries."""
    if without_none(resolve(source)) is DYNAMIC:
        return ts.Call(ts.Helper("entryOf", ENTRY_OF_ANY), (value, key), (ts.TypeName("any"),))
    return ts.Call(ts.Helper("entryOf"), (value, key))


def _may_be_position(key: Expr | str) -> bool:
    """Return whether a key may be the position of a character in a text."""
    position = key.value if isinstance(key, Literal) else key
    if isinstance(position, str):
        return position.isdecimal()
    return isinstance(key, Expr) and resolve(key.type) in (INT, NUMBER)


def may_be_inherited(key: Expr | str) -> bool:
    """Return whether a key may be in `INHERITED`, which are not keys of the map."""
    if isinstance(key, Literal | str):
        return (key if isinstance(key, str) else key.value) in INHERITED
    return resolve(key.type) in (STRING, DYNAMIC)


def _may_lie_outside(cx: Context, expr: Index) -> bool:
    """Return whether an index is computed, so that the list may have no such element.

    The program must then fail, but TypeScript's own step would be undefined. A step to a member of the element fails anyway.
    """
    if cx.tried or isinstance(expr.key, Literal) or is_eventual(expr.source.type) or is_eventual(expr.key.type):
        return False
    return isinstance(resolve(expr.source.type), ListType | TupleType) and not is_resource_like(resolve(expr.type))


def _is_declared(source: Expr) -> bool:
    """Return whether the program declares the type of `source`, as for a config variable."""
    while isinstance(source, Attr | Index):
        source = source.source
    return isinstance(source, Ref) and source.symbol.kind is SymbolKind.CONFIG


def as_record(cx: Context, source: Expr, plain: ObjectType | NominalType) -> ts.TsType:
    """The map type of the object `source`, of type `plain`, for steps with a computed key."""
    if isinstance(plain, NominalType):
        return ANY_RECORD
    settled = [m for m in plain.members.values() if not is_eventual(m)]
    written = literal_type if may_write_null(source) else plain_type
    later = [resolve(m) for m in plain.members.values() if is_eventual(m)]
    types = [written(cx.imports, union_of(settled))] if settled or not later else []
    types += [cx.imports.pulumi_type("Output", plain_type(cx.imports, union_of(later)))] if later else []
    return ts.TypeName("Record", (ts.TypeName("string"), types[0] if len(types) == 1 else build.union(*types)))


def _receiver(cx: Context, source: Expr, *, followed: bool = False) -> ts.TsExpr:
    """Return the operand of a step; `followed`: a step to a member, which fails where an element is missing."""
    if is_eventual(source.type):
        return translate_output(cx, source)
    if isinstance(source, Index):
        return element(cx, source, stepped=_is_one_of_objects(cx, source), followed=followed)
    node = with_members(translate(cx, source))
    if source.type is DYNAMIC and isinstance(source, Ref) and source.symbol.kind in _UNTYPED:
        return ts.As(node, ts.TypeName("any"))
    return node


def with_members(map_: ts.TsExpr) -> ts.TsExpr:
    """A map as the operand of a step: to TypeScript an empty literal has no members."""
    return ts.As(map_, ANY_RECORD) if isinstance(map_, ts.Object) and not map_.properties else map_


_UNTYPED = (SymbolKind.COMPONENT, SymbolKind.RESOURCE)


def _optional(source: Expr, result: Type, node: ts.TsExpr) -> tuple[bool, ts.TsExpr]:
    """Return whether the step is `?.`, and its operand."""
    plain = resolve(source.type)
    if not is_optional(plain) or is_eventual(source.type):
        return False, node
    if is_optional(resolve(result)) or is_resource_like(without_none(plain)):
        return True, node
    return False, ts.NonNull(node)


def _is_hook_state(source: Expr) -> bool:
    return (
        isinstance(source, Attr)
        and source.name in _MAYBE_MISSING
        and isinstance(source.source, Ref)
        and source.source.symbol.kind is SymbolKind.HOOK_ARGS
    )


def is_sequence(t: Type) -> bool:
    """Return whether the type is a list or a tuple."""
    return isinstance(without_none(resolve(t)), ListType | TupleType)


def is_keyed(t: Type) -> bool:
    """Return whether the type is a map or an object."""
    return isinstance(without_none(resolve(t)), MapType | ObjectType | NominalType)
