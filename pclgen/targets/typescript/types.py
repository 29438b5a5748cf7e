"""Types of PCL as TypeScript types, and whether a value of a type is also a value of another type.

Type trees serve config, components and casts; lowering uses `fits` to find conversions that need no code in TypeScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import Struct

from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Attr, Expr, Index, Ref, SymbolKind
from pclgen.core.predicates import is_null
from pclgen.core.walk import walk
from pclgen.targets.typescript import build, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.files import Imports
from pclgen.types import model as ty
from pclgen.types.convert import element_type, is_resource
from pclgen.types.declarations import DeclarationKind, Field
from pclgen.types.traverse import is_writable

ANY = "any"
_PRIMITIVES = {
    ty.Primitive.BOOL: "boolean",
    ty.Primitive.INT: "number",
    ty.Primitive.NUMBER: "number",
    ty.Primitive.STRING: "string",
    ty.Primitive.ID: "string",
    ty.Primitive.NONE: "undefined",
    ty.Primitive.PROPERTY: "string",
}


def plain_type(imports: Imports, t: ty.Type, *, declared: bool = False) -> ts.TsType:
    """The type of resolved values of `t`; `declared`: of external values, not of a list literal."""
    return TypeWriter(imports, tuples=declared).of(t)


def input_type(imports: Imports, t: ty.Type) -> ts.TsType:
    """The type of a component's argument, which accepts outputs at the top level and inside."""
    return TypeWriter(imports, inputs=True, tuples=True).wrapped(ty.without_none(t))


def literal_type(imports: Imports, t: ty.Type) -> ts.TsType:
    """The type of a literal with different object types in it, whose null is `null`, and whose outputs are outputs."""
    return TypeWriter(imports, nulls=True, outputs=True).of(t)


def labelled_type(imports: Imports, t: ty.Type, value: Expr) -> ts.TsType:
    """The type `t` that a label gives to a local with this `value`; members of an object that are outputs are outputs."""
    nulls = nests_null(t) and may_write_null(value)
    if is_eventual(t):
        return imports.pulumi_type("Output", TypeWriter(imports, nulls=nulls).of(ty.resolve(t)))
    are_inputs = t.eventual and not isinstance(t, ty.ObjectType)
    return TypeWriter(imports, nulls=nulls, inputs=are_inputs, outputs=not are_inputs).of(t)


def written_type(imports: Imports, t: ty.Type, values: Iterable[Expr], *, declared: bool = False) -> ts.TsType:
    """The type `t` of a value from some of `values`: a null that the program writes inside a list or an object is `null`."""
    nulls = nests_null(t) and any(map(may_write_null, values))
    return TypeWriter(imports, tuples=declared, nulls=nulls).of(t)


def attempted_type(imports: Imports, t: ty.Type, attempts: Sequence[Expr], *, nulls: bool) -> ts.TsType:
    """The type `t` of one of `attempts`: null inside of it may be `undefined`, too, as members that are not set are.

    With `nulls`, the null of a literal is `null`.
    """
    if not nests_null(t) or not any(map(_may_hold_unset, attempts)):
        return literal_type(imports, t) if nulls else written_type(imports, t, attempts)
    return TypeWriter(imports, nulls=True, unset=True, outputs=nulls).of(t)


def _may_hold_unset(value: Expr) -> bool:
    """Return whether `value` may contain a member that is not set: it reads an optional one."""
    steps = (part for part in walk(value) if isinstance(part, Attr | Index))
    return any(part is not value and ty.is_optional(part.type) for part in steps)


def may_write_null(value: Expr) -> bool:
    """Return whether `value` may contain a null that the program writes, which is `null` rather than an omitted value."""
    for part in walk(value):
        if is_null(part):
            return True
        if isinstance(part, Ref) and part.symbol.kind in _WRITTEN and nests_null(part.symbol.type):
            return True
    return False


_WRITTEN = (SymbolKind.LOCAL, SymbolKind.LOOP, SymbolKind.PARAMETER)


def structure_type(imports: Imports, value: Expr) -> ts.TsType:
    """The type of a composite value whose elements and members may be outputs."""
    t = ty.resolve(value.type)
    return TypeWriter(imports, inputs=True, nulls=nests_null(t) and may_write_null(value)).of(t)


class TypeWriter(Struct, frozen=True):
    """Translates types.

    With `inputs`, elements and members may be outputs, with `outputs`, those of output types are; with `tuples`, the type of
    a list literal has an element for each of its elements; with `nulls`, null is not `undefined`, with `unset` it may be
    either.
    """

    imports: Imports
    inputs: bool = False
    tuples: bool = False
    nulls: bool = False
    unset: bool = False
    outputs: bool = False

    def wrapped(self, t: ty.Type) -> ts.TsType:
        """An element or member of type `t`."""
        plain = self.of(t)
        if not self.inputs:
            return self.imports.pulumi_type("Output", plain) if self.outputs and is_eventual(t) else plain
        if isinstance(plain, ts.TypeName) and plain.name == ANY:
            return plain
        return self.imports.pulumi_type("Input", plain)

    def of(self, t: ty.Type) -> ts.TsType:
        """The type itself; `any` for a type that is too large to write out (see `is_writable`)."""
        if not is_writable(t):
            return ts.TypeName(ANY)
        match t:
            case ty.PrimitiveType():
                return self._primitive(t)
            case ty.ConstType():
                return ts.TypeLiteral(t.value) if isinstance(t.value, str) else self.of(t.base)
            case ty.EnumType():
                return sdk.enum_type(self.imports, t.declaration)
            case ty.ListType():
                return ts.TypeArray(self.wrapped(t.element))
            case ty.MapType():
                return ts.TypeName("Record", (ts.TypeName("string"), self.wrapped(t.element)))
            case ty.TupleType() if self.tuples:
                return ts.TypeTuple(tuple(self.wrapped(e) for e in t.elements))
            case ty.TupleType():
                # TypeScript infers a union of the element types for a list literal.
                return ts.TypeArray(self.wrapped(_element_of(t)))
            case ty.ObjectType():
                return self._object(t)
            case ty.NominalType():
                return self._nominal(t)
            case ty.UnionType():
                return self._union(t)
            case ty.OutputType() | ty.PromiseType() | ty.InputType():
                return self.of(ty.resolve(t))
            case _:
                assert_never(t)

    def _primitive(self, t: ty.PrimitiveType) -> ts.TsType:
        if t.kind is ty.Primitive.ASSET:
            asset = self.imports.pulumi_type("asset.Asset")
            return build.union(asset, self.imports.pulumi_type("asset.Archive"))
        if t.kind is ty.Primitive.ARCHIVE:
            return self.imports.pulumi_type("asset.Archive")
        if t is ty.NONE and self.nulls:
            null = ts.TypeName("null")
            return build.union(null, ts.TypeName(build.UNDEFINED)) if self.unset else null
        return ts.TypeName(_PRIMITIVES.get(t.kind, ANY))

    def _object(self, t: ty.ObjectType) -> ts.TsType:
        """The members by name; a map where different object types have values of one type."""
        if is_map_of_one_type(t):
            return ts.TypeName("Record", (ts.TypeName("string"), self.wrapped(next(iter(t.lacking.values())))))
        members = (self._member(name, t.lacking.get(name, member), name in t.lacking) for name, member in t.members.items())
        return ts.TypeObject(tuple(members))

    def _member(self, name: str, t: ty.Type, lacking: bool) -> ts.TypeMember:
        if not self.nulls or not ty.is_optional(t):
            return ts.TypeMember(name, self.wrapped(ty.without_none(t)), lacking or ty.is_optional(t) or t is ty.DYNAMIC)
        null = ts.TypeName("null")
        present = null if t is ty.NONE else build.union(self.wrapped(ty.without_none(t)), null)
        return ts.TypeMember(name, present, True)

    def _nominal(self, t: ty.NominalType) -> ts.TsType:
        if t.resource is not None:
            return sdk.resource_type(self.imports, t.resource)
        type_ = sdk.object_type(self.imports, t.declaration, t.shape)
        return type_ if type_ is not None else ts.TypeName(ANY)

    def _union(self, t: ty.UnionType) -> ts.TsType:
        members: dict[ts.TsType, None] = {}
        for member in (*(m for m in t.members if m is not ty.NONE), *(m for m in t.members if m is ty.NONE)):
            type_ = self.of(member)
            if isinstance(type_, ts.TypeName) and type_.name == ANY:
                return type_
            members[type_] = None
        first, *rest = members
        return build.union(first, *rest) if rest else first


def is_map_of_one_type(t: ty.ObjectType) -> bool:
    """Return whether different object types have values of one type, so that their common type is that of a map."""
    types = {ty.resolve(t.lacking.get(name, member)) for name, member in t.members.items()}
    return bool(t.lacking) and len(types) == 1


def _element_of(t: ty.TupleType) -> ty.Type:
    """The type of the elements of a literal; different object types have one common type."""
    if not t.elements:
        return ty.DYNAMIC
    return element_type(t) if all_objects(t) or any(map(_may_be_object, t.elements)) else ty.union_of(t.elements)


def _may_be_object(t: ty.Type) -> bool:
    """Return whether `t` is the type of a choice between an object and another value."""
    plain = ty.without_none(ty.resolve(t))
    return isinstance(plain, ty.UnionType) and any(isinstance(member, ty.ObjectType) for member in plain.members)


def all_objects(t: ty.Type) -> bool:
    """Return whether `t` is the type of a list literal of objects and null."""
    if not isinstance(t, ty.TupleType):
        return False
    kinds = [ty.without_none(ty.resolve(element)) for element in t.elements]
    return any(isinstance(k, ty.ObjectType) for k in kinds) and all(
        isinstance(k, ty.ObjectType) or k is ty.NONE for k in kinds
    )


_TEXT = frozenset((ty.Primitive.STRING, ty.Primitive.ID))
_NUMBERS = frozenset((ty.Primitive.INT, ty.Primitive.NUMBER))


def fits(source: ty.Type, target: ty.Type) -> bool:
    """Return whether a resolved `source` is a `target` without any code: same representation, and assignable types."""
    return _fits(source, target, frozenset())


def _fits(source: ty.Type, target: ty.Type, comparing: frozenset[tuple[ty.Type, ty.Type]]) -> bool:
    if source is target or target is ty.DYNAMIC or source is ty.DYNAMIC:
        return True
    if (source, target) in comparing:
        return True
    comparing = comparing | {(source, target)}
    if isinstance(source, ty.UnionType):
        return all(_fits(member, target, comparing) for member in source.members)
    if isinstance(target, ty.UnionType):
        return any(_fits(source, member, comparing) for member in target.members)
    match source:
        case ty.PrimitiveType():
            return _fits_scalar(source, target)
        case ty.ConstType():
            if isinstance(target, ty.ConstType):
                return target.value == source.value
            return _fits(source.base, target, comparing)
        case ty.EnumType():
            return _fits(source.base, target, comparing)
        case ty.ListType():
            return isinstance(target, ty.ListType) and _fits(source.element, target.element, comparing)
        case ty.TupleType():
            if isinstance(target, ty.ListType):
                return all(_fits(e, target.element, comparing) for e in source.elements)
            return isinstance(target, ty.TupleType) and len(target.elements) == len(source.elements) and all(
                _fits(a, b, comparing) for a, b in zip(source.elements, target.elements, strict=True)
            )
        case ty.MapType() | ty.ObjectType() | ty.NominalType():
            return _fits_members(source, target, comparing)
        case _:
            return False


def _fits_scalar(source: ty.PrimitiveType, target: ty.Type) -> bool:
    if isinstance(target, ty.EnumType):
        # TypeScript requires a member of the enum, so `conversions` adds a cast.
        return _fits_scalar(source, target.base)
    if not isinstance(target, ty.PrimitiveType):
        return isinstance(target, ty.ConstType) and _fits_scalar(source, target.base)
    if source.kind in _TEXT:
        return target.kind in _TEXT
    return source.kind in _NUMBERS and target.kind in _NUMBERS  # TypeScript has a single number type


def _fits_members(source: ty.Type, target: ty.Type, comparing: frozenset[tuple[ty.Type, ty.Type]]) -> bool:
    if is_resource(source) or is_resource(target):
        return is_resource(source) and is_resource(target)
    if isinstance(target, ty.MapType):
        inner = [source.element] if isinstance(source, ty.MapType) else list(members_of(source).values())
        return all(_fits(member, target.element, comparing) for member in inner)
    if isinstance(source, ty.MapType) or not isinstance(target, ty.ObjectType | ty.NominalType):
        return False
    if same_declaration(source, target):
        return True
    have = members_of(source)
    lacking = target.lacking if isinstance(target, ty.ObjectType) else {}
    return all(
        _fits(have[name], required, comparing) if name in have else ty.is_optional(required) or name in lacking
        for name, required in members_of(target).items()
    )


def same_declaration(source: ty.Type, target: ty.Type) -> bool:
    """Return whether both types are objects of one declaration."""
    return (
        isinstance(source, ty.NominalType)
        and isinstance(target, ty.NominalType)
        and source.declaration is target.declaration
        and source.declaration.kind is DeclarationKind.OBJECT
    )


def members_of(t: ty.Type) -> dict[str, ty.Type]:
    """The members of an object type, resolved; empty for others."""
    if isinstance(t, ty.ObjectType):
        return {name: ty.resolve(t.lacking.get(name, member)) for name, member in t.members.items()}
    if isinstance(t, ty.NominalType):
        return {name: ty.resolve(field.type) for name, field in t.declaration.fields(t.shape).items()}
    return {}


def nests_null(t: ty.Type) -> bool:
    """Return whether null may be inside a list or an object of type `t`, apart from declared objects.

    Memoized, as types share parts.
    """
    plain = ty.resolve(t)
    result = plain.memo.get("nests null")
    if result is None:
        union = plain.members if isinstance(plain, ty.UnionType) else ()
        result = any(ty.is_optional(part) or nests_null(part) for part in _parts(plain)) or any(map(nests_null, union))
        plain.memo["nests null"] = result
    return result is True


def _parts(plain: ty.Type) -> Iterable[ty.Type]:
    match plain:
        case ty.ListType() | ty.MapType():
            return (plain.element,)
        case ty.TupleType():
            return plain.elements
        case ty.ObjectType():
            return members_of(plain).values()
        case _:
            return ()


def takes_null(field: Field | None, *, inside: bool) -> bool:
    """Return whether `field` takes null as a value, because it takes any value; `inside`: as an element of a list or map."""
    if field is None:
        return True
    plain = ty.without_none(ty.resolve(field.type))
    while inside and isinstance(plain, ty.ListType | ty.MapType):
        plain = ty.without_none(plain.element)
    return plain is ty.DYNAMIC
