"""Steps into values: `a.b` and `a[k]`, lifted over outputs by the SDK, with `?.` into values that may be missing."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, is_lacking, is_resource_like
from pclgen.core.predicates import may_lead_nowhere
from pclgen.core.walk import root_of
from pclgen.targets.names import lifted_result
from pclgen.targets.typescript import build, invokes
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, translate, translate_output
from pclgen.targets.typescript.conversions import choices, unconverted
from pclgen.targets.typescript.files import ENTRY_OF_ANY, REQUIRE_VALUE
from pclgen.targets.typescript.types import (
    all_objects,
    fits,
    literal_type,
    may_write_null,
    members_of,
    plain_type,
    written_type,
)
from pclgen.types import model as ty
from pclgen.types.convert import element_type
from pclgen.types.traverse import Step
from pclgen.types.traverse import attribute as attribute_of

INHERITED = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
"""Members that a plain object of JavaScript inherits."""

ANY_RECORD: Final = ts.TypeName("Record", (ts.TypeName("string"), ts.TypeName("any")))

# Members that the SDK's hook arguments may omit although PCL always has them.
_MAYBE_MISSING = ("newInputs", "oldInputs", "newOutputs", "oldOutputs")


def attribute(cx: Context, expr: core.Attr) -> ts.TsExpr:
    """`source.name`."""
    if isinstance(expr.source, core.MethodCall) and lifted_result(expr.source.method, "nodejs") == expr.name:
        return invokes.method_call(cx, expr.source, whole=False)
    source = _receiver(cx, expr.source, followed=True)
    if not is_eventual(expr.source.type) and not _all_have(ty.without_none(ty.resolve(expr.source.type)), expr.name):
        return _entry_of_any(cx, source, expr)
    optional, source = _optional(cx, expr.source, expr.type, source)
    if _is_entry(cx, expr):
        return _entry(expr.source.type, ts.NonNull(source) if optional else source, ts.Text(expr.name))
    if isinstance(source, ts.NonNull) and build.is_null(source.value):
        source = ts.As(source.value, ts.TypeName("any"))  # the step fails
    if some_choice_lacks(expr.source, expr.name):
        t = ty.without_none(ty.resolve(expr.source.type))
        source = ts.As(source, written_type(cx.imports, t, (expr.source,)))
    member = ts.Member(source, expr.name, optional or _is_hook_state(expr.source))
    if cx.has_found(expr):
        return member
    if is_lacking(expr):
        return ts.NonNull(member) if expr.proved else _demanded(cx, expr, member)
    return _of_element(cx, expr, member)


def some_choice_lacks(source: core.Expr, name: str) -> bool:
    """Return whether an object that `source` may choose has no member `name` in TypeScript."""
    return any(isinstance(t, ty.ObjectType) and name not in t.members for t in _chosen_types(source))


def chooses_unlike_objects(source: core.Expr) -> bool:
    """Return whether `source` may choose objects of which TypeScript does not know the members that others have."""
    members = {frozenset(t.members) for t in _chosen_types(source) if isinstance(t, ty.ObjectType)}
    return len(members) > 1


def mixes_maps_and_objects(source: core.Expr) -> bool:
    """Return whether `source` chooses between a map and an object."""
    types = _chosen_types(source)
    return any(isinstance(t, ty.MapType) for t in types) and any(isinstance(t, ty.ObjectType) for t in types)


def _chosen_types(source: core.Expr) -> AbstractSet[ty.Type]:
    """Return the types of the values that `source` chooses from; none if TypeScript gives each the members of all."""
    choice = unconverted(source)
    values = [unconverted(value) for value in choices(choice)]
    is_of_object = isinstance(choice, core.Index) and isinstance(choice.source, core.ObjectExpr)
    if isinstance(choice, core.Index) and not is_eventual(source.type) and (types := _types_at(choice)):
        return types
    knows_all = not is_of_object and all(isinstance(value, core.ObjectExpr) for value in values)
    is_plain = not is_eventual(source.type) and not knows_all
    if not is_plain or (len(values) < 2 and not isinstance(source, core.Convert)):
        return frozenset()
    return {ty.without_none(ty.resolve(value.type)) for value in values}


def _types_at(step: core.Index) -> AbstractSet[ty.Type]:
    """Return the types that TypeScript infers for a member at a computed key, or an element of such a member."""
    owner = ty.without_none(ty.resolve(step.source.type))
    if isinstance(owner, ty.ObjectType) and not isinstance(step.key, core.Literal):
        return {ty.without_none(ty.resolve(member)) for member in owner.members.values()}
    lists = _types_at(step.source) if isinstance(step.source, core.Index) else frozenset()
    return {ty.without_none(ty.resolve(element_type(t))) for t in lists if isinstance(t, ty.ListType | ty.TupleType)}


def with_common_type(cx: Context, value: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """The list `expr`, translated to `value`, with one type for its elements where TypeScript infers a union of objects."""
    t = ty.without_none(ty.resolve(expr.type))
    if is_eventual(expr.type) or not isinstance(t, ty.ListType | ty.TupleType):
        return value
    element = ty.without_none(element_type(t))
    is_computed = isinstance(expr, core.Index) and not isinstance(expr.key, core.Literal)
    is_visited = isinstance(expr, core.Ref) and expr.symbol.kind is core.SymbolKind.LOOP
    is_mixed = isinstance(expr, core.ListExpr) and not all(isinstance(part, core.ObjectExpr) for part in expr.elements)
    is_one_of_several = is_computed or is_visited or is_mixed
    if not is_one_of_several or not isinstance(element, ty.ObjectType) or not element.lacking:
        return value
    if any(map(is_eventual, element.members.values())):
        return ts.As(value, literal_type(cx.imports, ty.list_of(element)))
    return ts.As(value, written_type(cx.imports, ty.list_of(element), (expr,)))


def _all_have(t: ty.Type, name: str) -> bool:
    """Return whether each possible type of a value has the member."""
    return not isinstance(t, ty.UnionType) or all(isinstance(attribute_of(member, name), Step) for member in t.members)


def _demanded(cx: Context, expr: core.Attr, member: ts.Member) -> ts.TsExpr:
    """A member that an object may lack, where a missing member must fail."""
    if expr.name in INHERITED:
        return _entry_of_any(cx, member.source, expr)
    if ty.is_optional(ty.resolve(expr.type)):
        record = ts.TypeName("Record", (ts.TypeName("string"), plain_type(cx.imports, expr.type)))
        if any(not fits(t, expr.type) for t in members_of(ty.without_none(ty.resolve(expr.source.type))).values()):
            record = ANY_RECORD  # TypeScript refuses to take the object for a map of this type
        return ts.Call(ts.Helper("entryOf"), (ts.As(member.source, record), ts.Text(expr.name)))
    return ts.Call(ts.Helper(REQUIRE_VALUE), (member, ts.Text(f"{expr.name} is missing")))


def _entry_of_any(cx: Context, source: ts.TsExpr, expr: core.Attr) -> ts.As:
    """The member of `source` that `expr` reads, with its type, where TypeScript knows no such member."""
    entry = ts.Call(ts.Helper("entryOf"), (ts.As(source, ts.TypeName("any")), ts.Text(expr.name)))
    return ts.As(entry, plain_type(cx.imports, ty.resolve(expr.type)))


def open_path(cx: Context, path: core.Expr) -> ts.TsExpr:
    """A path that is undefined if a step is missing: `item.spec?.size`."""
    if not isinstance(path, core.Attr):
        return translate(cx, path)
    return ts.Member(open_path(cx, path.source), path.name, may_lead_nowhere(path.source))


def _of_element(cx: Context, expr: core.Attr, member: ts.TsExpr) -> ts.TsExpr:
    """A member of an element of a list of objects, which TypeScript takes for a member of any of the objects."""
    if not _is_one_of_objects(expr.source):
        return member
    assert isinstance(expr.source, core.Index)
    exact = ty.without_none(expr.source.source.type)
    assert isinstance(exact, ty.TupleType)
    common = attribute_of(ty.without_none(element_type(exact)), expr.name)
    if not isinstance(common, Step):
        return member
    if ty.resolve(common.type) is not ty.resolve(expr.type) or common.type.eventual:
        return _as_exactly(cx, member, expr.type)
    return ts.NonNull(member) if common.lacking else member


def _as_exactly(cx: Context, value: ts.TsExpr, t: ty.Type) -> ts.TsExpr:
    """An element of a list literal with its exact type; the null of a literal is `null`."""
    if t is ty.NONE:
        return ts.Constant("null") if cx.keeps_null else build.undefined()
    if not is_eventual(t):
        return ts.As(value, literal_type(cx.imports, t))
    return ts.As(value, cx.imports.pulumi_type("Output", literal_type(cx.imports, ty.resolve(t))))


def _is_one_of_objects(source: core.Expr) -> bool:
    """Return whether `source` is an element of a list literal of different object types."""
    if not isinstance(source, core.Index) or is_eventual(source.source.type) or _is_declared(source.source):
        return False
    exact = ty.without_none(source.source.type)
    if not isinstance(exact, ty.TupleType) or len(set(exact.elements)) < 2 or not all_objects(exact):
        return False
    return ty.NONE not in exact.elements


def element(cx: Context, expr: core.Index, *, stepped: bool = False, followed: bool = False) -> ts.TsExpr:
    """`source[key]`; `followed`: a step to a member follows; `stepped`: that step determines its type."""
    source = _receiver(cx, expr.source)
    optional, source = _optional(cx, expr.source, expr.type, source)
    key = _as_key(translate(cx, expr.key), expr.key)
    plain = ty.without_none(ty.resolve(expr.source.type))
    if isinstance(plain, ty.ObjectType | ty.NominalType) and not isinstance(key, ts.Text):
        source = ts.As(source, as_record(cx, expr.source))
    if isinstance(plain, ty.UnionType) and not (all(map(is_sequence, plain.members)) or all(map(is_keyed, plain.members))):
        entry = _entry(ty.DYNAMIC, ts.As(source, ts.TypeName("any")), key)
        return entry if ty.resolve(expr.type) is ty.DYNAMIC else ts.As(entry, plain_type(cx.imports, ty.resolve(expr.type)))
    if _is_entry(cx, expr):
        source = ts.NonNull(source) if optional else source
        return _entry(expr.source.type, source, key)
    if mixes_maps_and_objects(expr.source):
        source = ts.As(source, ANY_RECORD)
    if not followed and _may_lie_outside(cx, expr):
        return ts.Call(ts.Helper("itemAt"), (source, key))
    item = build.index(source, key, optional=optional or _is_hook_state(expr.source))
    return item if stepped else exact_element(cx, item, expr.source, expr.type)


def exact_element(cx: Context, item: ts.TsExpr, values: core.Expr, t: ty.Type) -> ts.TsExpr:
    """The element `item` of `values` with its type `t`: to TypeScript, a literal of unlike elements has mixed elements."""
    exact = ty.without_none(values.type)
    is_mixed = isinstance(exact, ty.TupleType) and len(set(exact.elements)) > 1 and not _is_declared(values)
    return _as_exactly(cx, item, t) if is_mixed else item


def _as_key(key: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """The key `expr` of a value of unknown type: TypeScript accepts only texts and numbers, others are cast to `any`."""
    t = ty.resolve(expr.type)
    kinds = t.members if isinstance(t, ty.UnionType) else (t,)
    fits = all(kind in _KEYS or isinstance(kind, ty.ConstType | ty.EnumType) for kind in kinds)
    return key if fits else ts.As(key, ts.TypeName("any"))


_KEYS = (ty.STRING, ty.ID, ty.INT, ty.NUMBER, ty.DYNAMIC)


def _is_entry(cx: Context, expr: core.Attr | core.Index) -> bool:
    """Return whether a step reads an entry of a plain map; a missing entry ends the program (targets.md, Steps).

    A member of an object is always present; a missing resource ends the program with the next step.
    """
    source, result = expr.source.type, ty.resolve(expr.type)
    if is_eventual(source) or is_resource_like(result) or _is_hook_state(expr.source):
        return False
    keyed = ty.MapType | ty.ObjectType if isinstance(expr, core.Index) else ty.MapType
    if cx.tried and not cx.throws:
        inner = ty.without_none(ty.resolve(source))
        key = expr.key if isinstance(expr, core.Index) else expr.name
        is_doubtful = may_be_inherited(key) or (inner is ty.DYNAMIC and _may_be_position(key))
        return is_doubtful and (inner is ty.DYNAMIC or isinstance(inner, keyed))
    return isinstance(ty.without_none(ty.resolve(source)) if cx.throws else ty.resolve(source), keyed)


def _entry(source: ty.Type, value: ts.TsExpr, key: ts.TsExpr) -> ts.Call:
    """An entry of a `value` of type `source`: an untyped value may be a list, or a text, which has no entries."""
    if ty.without_none(ty.resolve(source)) is ty.DYNAMIC:
        return ts.Call(ts.Helper("entryOf", ENTRY_OF_ANY), (value, key), (ts.TypeName("any"),))
    return ts.Call(ts.Helper("entryOf"), (value, key))


def _may_be_position(key: core.Expr | str) -> bool:
    """Return whether a key may be the position of a character in a text."""
    position = key.value if isinstance(key, core.Literal) else key
    if isinstance(position, str):
        return position.isdecimal()
    return isinstance(key, core.Expr) and ty.resolve(key.type) in (ty.INT, ty.NUMBER)


def may_be_inherited(key: core.Expr | str) -> bool:
    """Return whether a key may be in `INHERITED`, which are not keys of the map."""
    if isinstance(key, core.Literal | str):
        return (key if isinstance(key, str) else key.value) in INHERITED
    return ty.resolve(key.type) in (ty.STRING, ty.DYNAMIC)


def _may_lie_outside(cx: Context, expr: core.Index) -> bool:
    """Return whether an index is computed, so that the list may have no such element.

    The program must then fail, but TypeScript's own step would be undefined. A step to a member of the element fails anyway.
    """
    is_known = isinstance(expr.key, core.Literal) and isinstance(ty.without_none(ty.resolve(expr.source.type)), ty.TupleType)
    if is_known or (not cx.throws and (cx.tried or isinstance(expr.key, core.Literal))):
        return False
    if is_eventual(expr.source.type) or is_eventual(expr.key.type):
        return False
    is_list = is_sequence(expr.source.type) and (cx.throws or not ty.is_optional(ty.resolve(expr.source.type)))
    return is_list and not is_resource_like(ty.resolve(expr.type))


def _is_declared(source: core.Expr) -> bool:
    """Return whether the program declares the type of `source`, as for a config variable."""
    root = root_of(source)
    return isinstance(root, core.Ref) and root.symbol.kind is core.SymbolKind.CONFIG


def as_record(cx: Context, source: core.Expr) -> ts.TsType:
    """The map type of the object `source`, for steps with a computed key."""
    plain = ty.without_none(source.type)
    if not isinstance(plain, ty.ObjectType):
        plain = ty.without_none(ty.resolve(plain))
    if not isinstance(plain, ty.ObjectType):
        return ANY_RECORD
    settled = [m for m in plain.members.values() if not is_eventual(m)]
    written = literal_type if may_write_null(source) else plain_type
    later = [ty.resolve(m) for m in plain.members.values() if is_eventual(m)]
    types = [written(cx.imports, ty.union_of(settled))] if settled or not later else []
    types += [cx.imports.pulumi_type("Output", plain_type(cx.imports, ty.union_of(later)))] if later else []
    return ts.TypeName("Record", (ts.TypeName("string"), types[0] if len(types) == 1 else build.union(*types)))


def _receiver(cx: Context, source: core.Expr, *, followed: bool = False) -> ts.TsExpr:
    """Return the operand of a step; `followed`: a step to a member, which fails where an element is missing."""
    if is_eventual(source.type):
        return translate_output(cx, source)
    if isinstance(source, core.Index):
        return element(cx, source, stepped=_is_one_of_objects(source), followed=followed)
    node = with_members(translate(cx, source))
    if source.type is ty.DYNAMIC and isinstance(source, core.Ref) and source.symbol.kind in _UNTYPED:
        return ts.As(node, ts.TypeName("any"))
    return node


def with_members(map_: ts.TsExpr) -> ts.TsExpr:
    """A map as the operand of a step: to TypeScript an empty literal has no members."""
    return ts.As(map_, ANY_RECORD) if isinstance(map_, ts.Object) and not map_.properties else map_


_UNTYPED = (core.SymbolKind.COMPONENT, core.SymbolKind.RESOURCE)


def _optional(cx: Context, source: core.Expr, result: ty.Type, node: ts.TsExpr) -> tuple[bool, ts.TsExpr]:
    """Return whether the step is `?.`, and its operand; a step into null makes an attempt fail."""
    plain = ty.resolve(source.type)
    if not ty.is_optional(plain) or is_eventual(source.type):
        return False, node
    if not cx.throws and (ty.is_optional(ty.resolve(result)) or is_resource_like(ty.without_none(plain))):
        return True, node
    return False, ts.NonNull(node)


def _is_hook_state(source: core.Expr) -> bool:
    return (
        isinstance(source, core.Attr)
        and source.name in _MAYBE_MISSING
        and isinstance(source.source, core.Ref)
        and source.source.symbol.kind is core.SymbolKind.HOOK_ARGS
    )


def is_sequence(t: ty.Type) -> bool:
    """Return whether the type is a list or a tuple."""
    return isinstance(ty.without_none(ty.resolve(t)), ty.ListType | ty.TupleType)


def is_keyed(t: ty.Type) -> bool:
    """Return whether the type is a map or an object."""
    return isinstance(ty.without_none(ty.resolve(t)), ty.MapType | ty.ObjectType | ty.NominalType)
