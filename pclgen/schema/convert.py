"""Conversion of type expressions of a schema to types (language.md, Types from schemas), in three shapes.

INPUT wraps every position that may hold an eventual value in `Input`, through lists, maps and object types, except where
the schema says `plain`, with the elements of a list or map; members of an object below are inputs again, as in the SDKs.
A union is wrapped once, as a whole: `Input<list(Input<string>) | string>`. PLAIN and OUTPUT wrap nothing; they differ in
the object types that they refer to (and constants count only for arguments). Errors raise `SchemaError` with the
position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct

from pclgen.schema.document import Document, PropertySpec, TypeSpec, language_of
from pclgen.schema.errors import SchemaError
from pclgen.schema.grammar import Reference, ReferenceKind, is_property, parse_reference, shown
from pclgen.types import model as ty
from pclgen.types.declarations import EnumDecl, Field, Package, ResourceDecl, Shape

if TYPE_CHECKING:
    from msgspec import Raw

_PRIMITIVES: Mapping[str, ty.Type] = {"boolean": ty.BOOL, "integer": ty.INT, "number": ty.NUMBER, "string": ty.STRING}
_BUILTINS: Mapping[str, ty.Type] = {
    "Any": ty.DYNAMIC,
    "Archive": ty.ARCHIVE,
    "Asset": ty.ASSET,
    "Json": ty.DYNAMIC,
}

_PER_LANGUAGE = re.compile(r'<span(?: pulumi-lang-\w+="[^"]*")+>(.*?)</span>', re.DOTALL)


def prose(text: str) -> str:
    """Return documentation without the language marks that converters put around names in it.

        <span pulumi-lang-go="`vpcUuid`" pulumi-lang-python="`vpc_uuid`">`vpc_uuid`</span>  ->  `vpc_uuid`
    """
    return _PER_LANGUAGE.sub(r"\1", text) if "<span " in text else text


class Scope(Struct, frozen=True, kw_only=True):
    """The targets of references: the schema's own package, and others by name and version.

    `find_package` raises `SchemaError` (with an empty path) for a missing package.
    """

    document: Document
    package: Package
    find_package: Callable[[str, str], Package]

    def fail(self, path: str, reason: str) -> SchemaError:
        """Return the error at `path`."""
        return SchemaError(package=self.package.name, path=path, reason=reason)


def fields_of(
    scope: Scope,
    properties: Mapping[str, Raw] | None,
    *,
    required: Collection[str] | None,
    shape: Shape,
    path: str,
) -> dict[str, Field]:
    """Return the fields of a `properties` map in one shape, in schema order; `path` is that of the map."""
    needed = frozenset(required or ())
    result: dict[str, Field] = {}
    for name, raw in (properties or {}).items():
        place = f"{path}/{name}"
        if not is_property(name):
            raise scope.fail(place, f"{shown(name)} is not the name of a property")
        spec = scope.document.decode(raw, PropertySpec, place)
        result[name] = _field_of(scope, spec, name=name, required=name in needed, shape=shape, path=place)
    return result


def _field_of(scope: Scope, spec: PropertySpec, *, name: str, required: bool, shape: Shape, path: str) -> Field:
    const = _const_value(spec, path, scope) if spec.const is not None else None
    if const is not None and shape is not Shape.OUTPUT:
        t: ty.Type = ty.const_of(_core(scope, spec, shape, path), const)
        if shape is Shape.INPUT and not spec.plain:
            t = ty.input_of(t)
    else:
        t = type_of(scope, spec, shape, path)
    return Field(
        name=name,
        type=t if required else ty.optional_of(t),
        required=required and (const is None or shape is Shape.OUTPUT),
        secret=spec.secret,
        plain=spec.plain,
        deprecated=prose(spec.deprecation_message),
        doc=prose(spec.description),
        const=spec.const,  # type: ignore[arg-type]  # checked by _const_value
        default=spec.default,  # type: ignore[arg-type]  # JSON by construction
        replace_on_changes=spec.replace_on_changes or spec.will_replace_on_changes,
        language=language_of(spec.language),
    )


def type_of(scope: Scope, spec: TypeSpec, shape: Shape, path: str) -> ty.Type:
    """Return the complete type of `spec` in `shape`."""
    if shape is Shape.INPUT and not spec.plain:
        return ty.input_of(_core(scope, spec, shape, path))
    return _core(scope, spec, shape, path)


def _core(scope: Scope, spec: TypeSpec, shape: Shape, path: str) -> ty.Type:
    """Return the type without its own wrapper; elements have theirs, unless they are `plain`."""
    if spec.ref:
        return _referenced(scope, spec, shape, path)
    if spec.one_of is not None:
        return _union(scope, spec, shape, path)
    primitive = _PRIMITIVES.get(spec.type)
    if primitive is not None:
        return primitive
    if spec.type == "array":
        if spec.items is None:
            raise scope.fail(path, "an array needs `items`")
        return ty.list_of(type_of(scope, spec.items, shape, f"{path}/items"))
    if spec.type == "object":
        # The metaschema's default element is a string.
        element = spec.additional_properties or TypeSpec(type="string")
        return ty.map_of(type_of(scope, element, shape, f"{path}/additionalProperties"))
    if not spec.type:
        raise scope.fail(path, "the type is missing: `type`, `$ref` or `oneOf` is needed")
    raise scope.fail(f"{path}/type", f"unknown type `{spec.type}`")


def _union(scope: Scope, spec: TypeSpec, shape: Shape, path: str) -> ty.Type:
    if not spec.one_of:
        raise scope.fail(f"{path}/oneOf", "`oneOf` lists no types")
    members = [_core(scope, m, shape, f"{path}/oneOf/{i}") for i, m in enumerate(spec.one_of)]
    if spec.discriminator is None or not spec.discriminator.mapping:
        return ty.declared_union_of(members) if len(members) > 1 else members[0]
    mapping: list[tuple[str, ty.Type]] = []
    for tag, target in spec.discriminator.mapping.items():
        ref = target if "#" in target else f"#/types/{target}"
        place = f"{path}/discriminator/mapping/{tag}"
        mapping.append((tag, _referenced(scope, TypeSpec(ref=ref), shape, place)))
    if not is_property(spec.discriminator.property_name):
        place = f"{path}/discriminator/propertyName"
        raise scope.fail(place, f"{shown(spec.discriminator.property_name)} is not the name of a property")
    tags = ty.Discriminator(property=spec.discriminator.property_name, mapping=tuple(mapping))
    return ty.union_of(members, tags)


def _referenced(scope: Scope, spec: TypeSpec, shape: Shape, path: str) -> ty.Type:
    reference = parse_reference(spec.ref)
    place = f"{path}/$ref"
    if reference is None:
        raise scope.fail(place, f"`{spec.ref}` is not a reference to a type or resource")
    if reference.kind is ReferenceKind.BUILTIN:
        builtin = _BUILTINS.get(reference.token)
        if builtin is None:
            raise scope.fail(place, f"unknown built-in type `{spec.ref}`")
        return builtin
    package = _package_of(scope, reference, place)
    match reference.kind:
        case ReferenceKind.PROVIDER:
            return resource_type(package.provider())
        case ReferenceKind.RESOURCE:
            resource = package.resource(reference.token)
            if resource is None:
                raise scope.fail(place, f"there is no resource `{reference.token}` in {package!r}")
            return resource_type(resource)
        case ReferenceKind.TYPE:
            return _named_type(spec, package, reference.token, shape)
        case _:
            assert_never(reference.kind)


def _named_type(spec: TypeSpec, package: Package, token: str, shape: Shape) -> ty.Type:
    declaration = package.object_type(token)
    if declaration is None:
        # Written by hand in the SDKs: the schema knows its name and, at best, the underlying type.  This is no mistake of
        # the program's author, who can only forward a value.
        return _PRIMITIVES.get(spec.type, ty.DYNAMIC)
    if isinstance(declaration, EnumDecl):
        return ty.enum_of(declaration)
    return ty.nominal_of(declaration, shape)


def _package_of(scope: Scope, reference: Reference, path: str) -> Package:
    if reference.package in ("", scope.package.name):
        return scope.package
    try:
        return scope.find_package(reference.package, reference.version)
    except SchemaError as error:
        raise SchemaError(package=scope.package.name, path=path, reason=error.reason, missing=error.missing) from error


def resource_type(resource: ResourceDecl) -> ty.Type:
    """Return the type of a variable of this resource type, which is also the type of references to it (language.md,
    Conversions)."""
    return ty.nominal_of(resource.outputs, Shape.OUTPUT, resource)


def _const_value(spec: PropertySpec, path: str, scope: Scope) -> ty.ConstValue:
    """Return the constant as a value of its type. Raises `SchemaError` if it does not match."""
    value = spec.const
    base = _core(scope, spec, Shape.PLAIN, path)
    if isinstance(base, ty.EnumType):
        base = base.base
    if base is ty.BOOL and isinstance(value, bool):
        return value
    if base is ty.STRING and isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        if base is ty.INT and value == int(value):
            return int(value)
        if base is ty.NUMBER:
            return Decimal(str(value))
    raise scope.fail(f"{path}/const", "a constant must be a boolean, number or text of the property's type")
