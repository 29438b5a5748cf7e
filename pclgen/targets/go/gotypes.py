"""The representation of values in generated Go.

A `GoType` is a native type and a form:

    form        string            []string              *string                struct Rule of a package
    PLAIN       string            []string              *string                pkg.Rule
    INPUT       StringInput       StringArrayInput      StringPtrInput         pkg.RuleInput         (interfaces)
    COMPOSITE   -                 pulumi.StringArray    -                      -                     (literals)
    OUTPUT      StringOutput      StringArrayOutput     StringPtrOutput        pkg.RuleOutput

If no SDK has an output type for a native type, its output is an `AnyOutput` (`erased`), and callbacks assert the native
type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias, TypeGuard, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.declared import Declared
from pclgen.records import Keyed
from pclgen.targets.go.sdk import CORE_PATH, Symbol, sdk_of
from pclgen.targets.names import title
from pclgen.types import model as ty
from pclgen.types.convert import unify_elements
from pclgen.types.declarations import Declaration, DeclarationKind, EnumDecl, ResourceDecl


class Kind(StrEnum):
    """Scalars by their names in the SDK's families of types (`StringInput`, `StringArray`)."""

    STRING = "String"
    INT = "Int"
    FLOAT = "Float64"
    BOOL = "Bool"
    ID = "ID"
    URN = "URN"
    ASSET = "Asset"
    ARCHIVE = "Archive"
    ASSET_OR_ARCHIVE = "AssetOrArchive"


class Scalar(Struct, frozen=True):
    """string, int, float64, bool, pulumi.ID, pulumi.URN, assets and archives."""

    kind: Kind


class AnyNative(Keyed, frozen=True, eq=False):
    """`any`: dynamic values, unions, and members of structural objects.

    With `nullable`, a value may be a typed nil list or map, which means null. With `decoded`, a literal has Go's types for
    decoded JSON.
    """

    nullable: bool = False
    decoded: bool = False

    def _key(self) -> object:
        return None


class EnumNative(Struct, frozen=True):
    """An enum of a package."""

    declaration: EnumDecl


class PackageStruct(Struct, frozen=True):
    """A struct of a package: an object type, the arguments or the result of a function."""

    declaration: Declaration


class LocalStruct(Struct, frozen=True):
    """A struct that the program declares, for an object in a config variable.

    `members` are wire names and types, `forms` are the members' types in the label, `doc` are the documentation lines.
    """

    name: str
    members: tuple[tuple[str, Native], ...]
    forms: tuple[Declared, ...]
    doc: tuple[str, ...]


class LocalType(Struct, frozen=True):
    """A type alias of a scalar that the program declares.

    `constants` are pairs of a text and a constant name, `doc` are the documentation lines.
    """

    name: str
    native: Scalar
    constants: tuple[tuple[str, str], ...]
    doc: tuple[str, ...]


class ResourceNative(Struct, frozen=True):
    """A pointer to a resource: of a package, a local component (`name` is its Go type), or of unknown type.

    A resource of unknown type has an `interface` of the Go SDK: Resource, CustomResource or ProviderResource.
    """

    declaration: ResourceDecl | None = None
    component: Declaration | None = None
    name: str = ""
    interface: str = "Resource"


class Pointer(Struct, frozen=True):
    """`*T`: an optional scalar, enum or struct."""

    element: Native


class Slice(Keyed, frozen=True, eq=False):
    """`[]T`; with `nullable`, a value may be null, which is nil and differs from an empty list."""

    element: Native
    nullable: bool = False

    def _key(self) -> object:
        return self.element


class Map(Keyed, frozen=True, eq=False):
    """`map[string]T`.

    For a structural object, `members` are the member types. Members in `missing` may be nil; members in `lacking` may be
    absent. In an object that contains outputs, `forms` are the forms of the members. For `nullable`, see `Slice`.
    """

    element: Native
    members: tuple[tuple[str, Native], ...] = ()
    missing: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()
    forms: tuple[tuple[str, GoType], ...] = ()
    nullable: bool = False

    def _key(self) -> object:
        return self.element


class Single(Struct, frozen=True):
    """An object represented by its only member, from methods whose SDK lifts single results (targets.md, Methods)."""

    name: str
    element: Native


class Held(Struct, frozen=True):
    """An element of a plain list or map with its own form.

    `[]pkg.ResultOutput`: it is unknown which list types a package has; `[]pkg.RuleInput`: arguments of methods.
    """

    type: GoType


class Nil(Struct, frozen=True):
    """The type of a bare `nil`."""


Native: TypeAlias = (
    Scalar
    | AnyNative
    | EnumNative
    | PackageStruct
    | LocalStruct
    | ResourceNative
    | Pointer
    | Slice
    | Map
    | Single
    | Held
    | Nil
)

STRING = Scalar(Kind.STRING)
INT = Scalar(Kind.INT)
FLOAT = Scalar(Kind.FLOAT)
BOOL = Scalar(Kind.BOOL)
ID = Scalar(Kind.ID)
URN = Scalar(Kind.URN)
ASSET_NATIVE = Scalar(Kind.ASSET)
ARCHIVE_NATIVE = Scalar(Kind.ARCHIVE)
ASSET_OR_ARCHIVE = Scalar(Kind.ASSET_OR_ARCHIVE)
ANY = AnyNative()
DECODED = AnyNative(decoded=True)
NIL = Nil()
ASSETS = (ASSET_NATIVE, ARCHIVE_NATIVE, ASSET_OR_ARCHIVE)
NUMBERS = (INT, FLOAT)
TEXTS = (STRING, ID, URN)


class Form(StrEnum):
    """The form of a value; see the module."""

    PLAIN = "plain"
    INPUT = "input"
    COMPOSITE = "composite"
    OUTPUT = "output"


class GoType(Struct, frozen=True):
    """A native type in a form.

    `erased`: the static type is `AnyOutput`, and callbacks take `any`. `arguments` marks plain structs inside input-shaped
    structs, which the SDKs name `XArgs` (targets.md, Go types).
    """

    native: Native
    form: Form = Form.PLAIN
    erased: bool = False
    arguments: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the form is plain."""
        return self.form is Form.PLAIN


def plain(native: Native) -> GoType:
    """Return the native type in plain form."""
    return GoType(native)


def output(native: Native) -> GoType:
    """Return the output type of `native`; erased if no SDK has a type for it."""
    return GoType(awaited(native), Form.OUTPUT, erased=not has_family(native))


def input_(native: Native) -> GoType:
    """Return the input interface of `native`; its values may be nil for any type."""
    return GoType(definite(awaited(native)), Form.INPUT)


def composite(native: Native) -> GoType:
    """Return the literal type `XArray` or `XMap` of `native`."""
    return GoType(awaited(native), Form.COMPOSITE)


def element_of(native: Slice | Map) -> GoType:
    """Return the element type of a plain list or map."""
    return native.element.type if isinstance(native.element, Held) else plain(native.element)


def enum_base(native: EnumNative) -> Scalar:
    """Return the scalar type of an enum."""
    return {"integer": INT, "number": FLOAT, "boolean": BOOL}.get(native.declaration.base, STRING)


def element_input(native: Slice | Map) -> GoType:
    """Return the element type of an SDK list or map; for an enum, its plain values: `type ColorArray []Color`."""
    return plain(native.element) if isinstance(native.element, EnumNative) else input_(native.element)


def with_scalars(native: Slice | Map) -> Slice | Map:
    """Return `native` with scalars in place of enum elements, because elements of an enum cannot be outputs."""
    return replace(native, element=enum_base(native.element)) if isinstance(native.element, EnumNative) else native


def like(native: Slice | Map, element: Native) -> Slice | Map:
    """Return a list or map type, as `native` is, of `element`."""
    return Slice(element) if isinstance(native, Slice) else Map(element)


def innermost(native: Native) -> Native:
    """Return the element type of a list or map, of its elements if they are lists or maps, and so on."""
    while isinstance(native, Slice | Map):
        native = native.element
    return native


def holds_forms(native: Native) -> bool:
    """Return whether `native` is, or contains in lists and maps, a value with its own form."""
    return isinstance(innermost(native), Held)


def awaited(native: Native) -> Native:
    """Return the type of objects with outputs once all outputs are known: the same Go types with plain members."""
    if isinstance(native, Held):
        return awaited(native.type.native)
    if not isinstance(native, Slice | Map):
        return native
    if isinstance(native, Map) and native.forms:
        return replace(native, members=tuple((name, awaited(form.native)) for name, form in native.forms), forms=())
    element = awaited(native.element)
    return native if element is native.element else replace(native, element=element)


# --------------------------------------------------------------------------------------- from compiler types

_PRIMITIVES: Mapping[ty.Primitive, Native] = {
    ty.Primitive.BOOL: BOOL,
    ty.Primitive.INT: INT,
    ty.Primitive.NUMBER: FLOAT,
    ty.Primitive.STRING: STRING,
    ty.Primitive.ID: ID,
    ty.Primitive.NONE: NIL,
    ty.Primitive.DYNAMIC: ANY,
    ty.Primitive.ASSET: ASSET_OR_ARCHIVE,
    ty.Primitive.ARCHIVE: ARCHIVE_NATIVE,
    ty.Primitive.PROPERTY: STRING,
    ty.Primitive.HOOK: ANY,
    ty.Primitive.ERROR_HOOK: ANY,
    ty.Primitive.ERROR: ANY,
}


class Natives:
    """Maps types to native types, including the structs that the program declares for objects."""

    def __init__(self) -> None:
        self.structs: dict[ty.Type, LocalStruct] = {}
        """The structs of objects; `declare` adds one."""
        self.components: dict[Declaration, ResourceNative] = {}
        """The types of component uses, by the components' values."""
        self._known: dict[ty.Type, Native] = {}
        self.fields: dict[ty.Type, GoType] = {}
        """The types of fields of argument structs, by their declared types (`literals.field_type`)."""

    def declare(self, t: ty.ObjectType, struct: LocalStruct) -> None:
        """Map objects of type `t` to `struct`."""
        self.structs[t] = struct
        self._known.clear()
        self.fields.clear()

    def native(self, t: ty.Type) -> Native:
        """Return the native type of the resolved `t`."""
        t = ty.resolve(t)
        native = self._known.get(t)
        if native is None:
            native = self._known[t] = self._native(t)
        return native

    def _native(self, t: ty.Type) -> Native:
        match t:
            case ty.PrimitiveType():
                return _PRIMITIVES[t.kind]
            case ty.ConstType():
                return self.native(t.base)
            case ty.EnumType():
                return EnumNative(t.declaration)
            case ty.ListType():
                return Slice(_solid(self.native(t.element)))
            case ty.MapType():
                return Map(_solid(self.native(t.element)))
            case ty.TupleType():
                return Slice(self._shared(t.elements, self._elements(t.elements)))
            case ty.ObjectType():
                return self._object(t)
            case ty.NominalType():
                return self.components.get(t.declaration) or _nominal(t)
            case ty.UnionType():
                return self._union(t)
            case ty.OutputType() | ty.PromiseType() | ty.InputType():
                raise AssertionError("resolved types hold no eventuals")
            case _:
                assert_never(t)

    def _object(self, t: ty.ObjectType) -> Native:
        struct = self.structs.get(t)
        if struct is not None:
            return struct
        present = present_members(t)
        types = tuple(present.values())
        natives = self._side_by_side(types)
        members = tuple((name, without_ids(native)) for name, native in zip(present, natives, strict=True))
        missing = frozenset(name for name, m in present.items() if ty.is_optional(m))
        return Map(self._shared(types, [native for _, native in members]), members, missing, frozenset(t.lacking))

    def _shared(self, types: Sequence[ty.Type], natives: list[Native]) -> Native:
        """Return a type for all of `natives`; some may be null or empty where others are lists."""
        common = _common(natives)
        if common != ANY or any(n == ANY for n in natives):
            return common
        shared = self.native(unify_elements(map(ty.resolve, types)))
        return shared if isinstance(shared, Slice | Map) and all(_fits(n, shared) for n in natives) else common

    def _elements(self, types: Sequence[ty.Type]) -> list[Native]:
        """Return the native types of the elements of a literal; objects of the configuration are like those beside them."""
        natives = self._side_by_side(types)
        solid = [definite(without_pointer(native)) for native in natives if not isinstance(native, Nil)]
        if len(set(solid)) < 2 or not all(isinstance(native, LocalStruct | Map) for native in solid):
            return natives
        common = self.native(unify_elements(map(ty.resolve, types)))
        is_pointer = isinstance(common, Map) and isinstance(common.element, Pointer)
        if not isinstance(common, LocalStruct | Map) or not (is_pointer or any(isinstance(n, LocalStruct) for n in solid)):
            return natives
        return [n if isinstance(n, Nil) else common for n in natives]

    def _side_by_side(self, types: Sequence[ty.Type]) -> list[Native]:
        """Return the native types of values in the same list or object.

        Objects, and lists and maps of objects, get the same type, whatever their members: a loop or a computed index may
        access any of them.
        """
        natives = [self.native(t) for t in types]
        if len(set(natives)) > 1 and FLOAT in map(_number_in, natives) and None not in map(_number_in, natives):
            wide = self.native(unify_elements(map(ty.resolve, types)))
            if all(_is_wider(wide, n) for n in natives):
                return [wide] * len(natives)
        present = [definite(n) for n in natives if not isinstance(n, Nil)]
        solid = [n for n in present if n != Map(ANY)] or present  # an empty object is like those beside it
        common = self.native(unify_elements(map(ty.resolve, types))) if len(present) > 1 and _hold_objects(solid) else ANY
        if not _holds_objects(common) or any(isinstance(n, LocalStruct) for n in solid):
            return natives
        return [n if isinstance(n, Nil) else replace(common, nullable=is_nullable(n)) for n in natives]

    def _union(self, t: ty.UnionType) -> Native:
        bare = ty.without_none(t)
        if ty.is_optional(t):
            return optional(self.native(bare))
        for member in t.members:
            if isinstance(member, ty.EnumType):
                return self.native(member.base)
        if set(t.members) == {ty.ASSET, ty.ARCHIVE}:
            return ASSET_OR_ARCHIVE
        consts = [m for m in t.members if isinstance(m, ty.ConstType)]
        if len(consts) == len(t.members):
            return self.native(ty.union_of(m.base for m in consts))
        if len(t.members) == 1:
            return ANY  # a schema lists several types that are the same here; see `declared_union_of`
        natives = [self.native(m) for m in t.members if m is not ty.NONE]
        return _common(natives)


def optional(native: Native) -> Native:
    """Return the native type of an optional `native`: a pointer if nil is not a value of `native`."""
    if native in ASSETS:
        return native
    match native:
        case Scalar() | EnumNative() | PackageStruct() | LocalStruct():
            return Pointer(native)
        case Slice() | Map():
            return replace(native, nullable=True)
        case AnyNative() | ResourceNative() | Pointer() | Single() | Held() | Nil():
            return native
        case _:
            assert_never(native)


def without_ids(native: Native) -> Native:
    """Return a member type of a `map[string]any`, where IDs are strings so that a value does not depend on its origin."""
    if native == ID:
        return STRING
    if isinstance(native, Pointer | Slice | Map):
        element = without_ids(native.element)
        return native if element is native.element else replace(native, element=element)
    return native


def is_nullable(native: Native) -> bool:
    """Return whether `native` is a list or a map that may be null."""
    return isinstance(native, Slice | Map) and native.nullable


def holds_nullable(native: Native) -> bool:
    """Return whether a value of this type is or contains a list or map that may be null; SDK types would make it empty."""
    pending, visited = [native], set[int]()  # types share their parts
    while pending:
        part = pending.pop()
        if id(part) in visited:
            continue
        visited.add(id(part))
        if isinstance(part, AnyNative | Slice | Map) and part.nullable:
            return True
        if isinstance(part, Slice | Map):
            pending.append(part.element)
        if isinstance(part, Map):
            pending += [member for _, member in part.members]
    return False


def as_decoded(native: Native) -> Native:
    """Return `native` with each inner `any` decoded.

    Code that does not know the type of a typed list would treat a null list as empty.
    """
    match native:
        case AnyNative():
            return DECODED
        case Slice():
            return replace(native, element=as_decoded(native.element))
        case Map():
            members = tuple((name, as_decoded(member)) for name, member in native.members)
            return replace(native, element=as_decoded(native.element), members=members)
        case _:
            return native


_CONTAINERS = frozenset((Slice, Map))


def definite(native: Native) -> Native:
    """Return a list or map type without null; any other type unchanged."""
    return replace(native, nullable=False) if type(native) in _CONTAINERS else native


def holds_other_scalars(have: Native, want: Native) -> bool:
    """Return whether objects in `have` and `want` have members of different scalar types, even with the same Go type.

    In a map of `any`, a scalar and a pointer to it differ, too, and so do text and a scalar of any type.
    """
    pending = [(have, want)]
    seen: set[tuple[int, int]] = set()  # types share components
    while pending:
        have, want = pending.pop()
        if have is want or (id(have), id(want)) in seen:
            continue
        seen.add((id(have), id(want)))
        if isinstance(have, Scalar) and isinstance(want, Scalar):
            if have != want:
                return True
        elif isinstance(have, AnyNative) and want == STRING:
            return True
        elif isinstance(have, Map) and isinstance(want, Map) and have.members and want.members:
            members = dict(have.members)
            pairs = [(members[name], native) for name, native in want.members if name in members]
            if isinstance(have.element, AnyNative) and any(_is_pointed_to(a, b) or _is_pointed_to(b, a) for a, b in pairs):
                return True
            pending += [(without_pointer(inner), without_pointer(other)) for inner, other in pairs]
        elif isinstance(have, Slice | Map) and isinstance(want, type(have)):
            pending.append((have.element, want.element))
    return False


def _is_pointed_to(native: Native, pointer: Native) -> bool:
    return isinstance(pointer, Pointer) and isinstance(pointer.element, Scalar) and isinstance(native, Scalar)


def without_pointer(native: Native) -> Native:
    """Return the type that an optional `native` points to."""
    return native.element if isinstance(native, Pointer) else native


def can_be_nil(native: Native) -> bool:
    """Return whether a value can be compared with nil."""
    return not isinstance(native, EnumNative | PackageStruct | LocalStruct | Scalar) or native in ASSETS


def _solid(native: Native) -> Native:
    return ANY if isinstance(native, Nil) else native


def _common(natives: list[Native]) -> Native:
    """Return the common type of `natives` if they agree, else any."""
    if not natives or isinstance(natives[0], Nil):
        return ANY
    first = natives[0]
    if any(n != first for n in natives):
        return _dynamic(natives)
    maps = [n for n in natives if isinstance(n, Map)]
    common = _any_of(maps) if isinstance(first, Map) and len(maps) > 1 else first
    return optional(common) if any(map(is_nullable, natives)) else common


def _fits(native: Native, shared: Native) -> bool:
    """Return whether a literal of type `native` can also be written as a `shared`."""
    if isinstance(native, Nil) or definite(native) == definite(shared):
        return True
    if (isinstance(native, Slice) and isinstance(shared, Slice)) or (isinstance(native, Map) and isinstance(shared, Map)):
        return native.element == ANY or _fits(native.element, shared.element)
    return False


def _number_in(native: Native) -> Native | None:
    """Return the number type of a number, or of a list or map of numbers without named members; None for other types."""
    while isinstance(native, Slice) or (isinstance(native, Map) and not native.members):
        native = native.element
    return native if native in (INT, FLOAT) else None


def _is_wider(wide: Native, native: Native) -> bool:
    """Return whether `wide` is `native`, or `native` with floats in place of ints."""
    if isinstance(wide, Slice | Map) and type(wide) is type(native) and isinstance(native, Slice | Map):
        return wide.nullable == native.nullable and _is_wider(wide.element, native.element)
    return wide == native or (wide == FLOAT and native == INT)


def _any_of(maps: Sequence[Map]) -> Map:
    """Return a type for several objects of the same Go type; a member with differing types is a dynamic value."""
    first, objects = maps[0], [dict(m.members) for m in maps]
    if all(m.members == first.members and m.missing == first.missing for m in maps):
        return first
    by_name: dict[str, list[Native]] = {}
    for name, member in (pair for members in objects for pair in members.items()):
        by_name.setdefault(name, []).append(member)
    lacking = frozenset(name for name, natives in by_name.items() if len(natives) < len(objects))
    alike = {name: _alike([*natives, NIL] if name in lacking else natives) for name, natives in by_name.items()}
    missing = lacking.union(*(m.missing for m in maps))
    return replace(first, members=tuple(alike.items()), missing=missing)


def _alike(natives: Sequence[Native]) -> Native:
    first = natives[0]
    if isinstance(first, Map) and all(isinstance(n, Map) and n == first for n in natives):
        return _any_of([n for n in natives if isinstance(n, Map)])
    return first if all(n == first for n in natives) else _dynamic(natives)


def _dynamic(natives: Iterable[Native]) -> AnyNative:
    """Return `any` for values of several types."""
    return AnyNative(nullable=True) if any(map(holds_nullable, natives)) else ANY


def _holds_objects(native: Native) -> TypeGuard[Slice | Map]:
    """Return whether `native` is an object of the program, or a list or map of such objects."""
    if isinstance(native, Map) and native.members:
        return True
    return isinstance(native, Slice | Map) and _holds_objects(native.element)


def _hold_objects(natives: Sequence[Native]) -> bool:
    return all(map(_holds_objects, natives)) and len({type(n) for n in natives}) == 1


def may_lack_members(native: Native) -> bool:
    """Return whether a value of the type may be an object without some of its members."""
    return isinstance(native, Map) and bool(native.members) and bool(native.lacking or native.missing)


def present_members(t: ty.ObjectType) -> Mapping[str, ty.Type]:
    """Return the member types of an object, for members that are present."""
    return {name: t.lacking.get(name, member) for name, member in t.members.items()} if t.lacking else t.members


def _nominal(t: ty.NominalType) -> Native:
    if t.resource is not None:
        return ResourceNative(t.resource)
    match t.declaration.kind:
        case DeclarationKind.OPTIONS | DeclarationKind.COMPONENT | DeclarationKind.COMPONENT_INPUTS:
            return ANY
        case _:
            return PackageStruct(t.declaration)


# ------------------------------------------------------------------------------------------------ SDK names


def family(native: Native) -> Symbol | None:
    """Return the base name of the SDK's types for `native`; None without such types (program structs, lists of pointers).

    It is `StringArray` of `StringArrayInput` and `StringArrayOutput`.
    """
    match native:
        case Scalar():
            return Symbol(CORE_PATH, native.kind)
        case AnyNative():
            return Symbol(CORE_PATH, "")
        case EnumNative():
            return sdk_of(native.declaration.package).type(native.declaration.token)
        case PackageStruct():
            return struct_symbol(native.declaration)
        case ResourceNative():
            if native.declaration is None or native.declaration.package.name == "pulumi":
                return None
            return sdk_of(native.declaration.package).resource(native.declaration)
        case Pointer():
            inner = family(native.element)
            return Symbol(inner.path, inner.name + "Ptr") if inner is not None else None
        case Slice() | Map():
            return _container(native)
        case Single():
            return family(native.element)
        case LocalStruct() | Held() | Nil():
            return None
        case _:
            assert_never(native)


_DEEPEST = 3  # levels of containers that the core SDK declares
_MISSING = ("MapArrayArray",)


def _container(native: Slice | Map) -> Symbol | None:
    depth, element = 1, native.element
    while isinstance(element, Slice | Map):
        depth, element = depth + 1, element.element
    if isinstance(element, Pointer) or (isinstance(element, Scalar | AnyNative) and depth > _DEEPEST):
        return None
    inner = family(native.element)
    if inner is None or (isinstance(element, ResourceNative) and not _has_containers(element)):
        return None
    name = inner.name + ("Array" if isinstance(native, Slice) else "Map")
    return None if inner.path == CORE_PATH and name.endswith(_MISSING) else Symbol(inner.path, name)


def _has_containers(native: ResourceNative) -> bool:
    """Return whether the SDK has lists and maps of a resource; otherwise it accepts `pulumi.Array` and `pulumi.Map`."""
    return native.declaration is not None and sdk_of(native.declaration.package).has_containers


def has_family(native: Native) -> bool:
    """Return whether an SDK has an output type for `native`."""
    return family(native) is not None


def holds_struct(native: Native) -> bool:
    """Return whether `native` contains a struct. Types share components, so each component is visited once."""
    seen: set[int] = set()
    pending = [native]
    while pending:
        part = pending.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        match part:
            case PackageStruct() | LocalStruct():
                return True
            case Held():
                pending.append(part.type.native)
            case Pointer() | Slice() | Single():
                pending.append(part.element)
            case Map():
                pending += [part.element, *(member for _, member in part.members)]
            case _:
                pass
    return False


def holds_declared(native: Native) -> bool:
    """Return whether `native` is or contains a package type, whose package may also have outputs of its lists and maps."""
    match native:
        case EnumNative() | PackageStruct():
            return True
        case ResourceNative():
            return native.declaration is not None
        case Pointer() | Slice() | Map() | Single():
            return holds_declared(native.element)
        case _:
            return False


def struct_symbol(declaration: Declaration) -> Symbol:
    """Return the plain struct of an object declaration."""
    package = declaration.package
    assert package is not None
    sdk = sdk_of(package)
    token = declaration.token
    match declaration.kind:
        case DeclarationKind.FUNCTION_RESULT | DeclarationKind.FUNCTION_INPUTS:
            suffix = "Result" if declaration.kind is DeclarationKind.FUNCTION_RESULT else "Args"
            function = package.function(token)
            if function is not None and function.is_method:
                return method_symbol(declaration, suffix)
            symbol = sdk.function(function) if function is not None else Symbol(sdk.home(token).path, title(token))
            return Symbol(symbol.path, symbol.name + suffix)
        case DeclarationKind.RESOURCE_INPUTS | DeclarationKind.RESOURCE_STATE | DeclarationKind.RESOURCE:
            resource = package.resource(token)
            symbol = sdk.resource(resource) if resource is not None else Symbol(sdk.root.path, "Provider")
            suffix = {"resource inputs": "Args", "resource state": "State"}.get(declaration.kind, "")
            return Symbol(symbol.path, symbol.name + suffix)
        case _:
            return sdk.type(token)


def method_symbol(declaration: Declaration, suffix: str) -> Symbol:
    """Return the argument or result struct of a method; its token is the resource's token and `/method`."""
    package = declaration.package
    assert package is not None
    owner, _, method = declaration.token.rpartition("/")
    resource = package.resource(owner)
    if resource is None and owner.startswith("pulumi:providers:"):
        resource = package.provider()
    sdk = sdk_of(package)
    unread = Symbol(sdk.home(owner).path, title(owner.rsplit(":", 1)[-1]))
    symbol = sdk.resource(resource) if resource is not None else unread
    return Symbol(symbol.path, symbol.name + title(method) + suffix)
