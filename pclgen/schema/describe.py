"""Descriptions of members of a package, for `pclgen schema show`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, TokenIndex
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, EnumDecl, Field, FunctionDecl, ResourceDecl, Shape
from pclgen.types.show import show, show_value


class Property(Struct, frozen=True, kw_only=True):
    """A property, parameter or enum member: `type` is as in diagnostics, `refers` are the tokens of the object types and
    enums in it, `choices` the values of an enum."""

    name: str
    type: str
    required: bool = False
    doc: str = ""
    deprecated: str = ""
    secret: bool = False
    default: str = ""
    refers: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


class Description(Struct, frozen=True, kw_only=True):
    """The documentation of one member; `sections` are its properties by heading."""

    kind: str
    token: str
    package: str
    version: str
    where: str
    doc: str = ""
    deprecated: str = ""
    sections: Mapping[str, tuple[Property, ...]] = field(default_factory=dict)
    former: tuple[str, ...] = ()


def describe(package: FoundPackage, token: Token) -> tuple[Description, ...]:
    """Return all members with this name: a resource type, a function, an object type or an enum (several may share it).

    Raises `SchemaError` for an invalid schema.
    """
    result: list[Description] = []
    resource = package.resource(token)
    if resource is not None:
        result.append(_resource(package, resource))
    function = package.function(token)
    if function is not None:
        result.append(_function(package, function))
    declared = package.package.object_type(token.text)
    if isinstance(declared, EnumDecl):
        result.append(_enum(package, declared))
    elif declared is not None:
        properties = _properties(declared, Shape.PLAIN)
        result.append(_description(package, "object type", declared, {"properties": properties}))
    return tuple(result)


def members(package: FoundPackage, module: str = "") -> Mapping[str, tuple[str, ...]]:
    """Return the resource types and functions of a package, sorted, in their shortest form; only those of `module`
    (`aws:s3`) if given."""
    tables = {
        "resources": (package.resources, package.package.resource_tokens),
        "functions": (package.functions, package.package.function_tokens),
    }
    result: dict[str, tuple[str, ...]] = {}
    for kind, (index, tokens) in tables.items():
        labels = sorted({index.spelling(token) for token in tokens if "/" not in token.rpartition(":")[2]})  # no methods
        result[kind] = tuple(name for name in labels if not module or name.startswith(f"{module}:"))
    return result


def nearest(package: FoundPackage, token: Token) -> str | None:
    """Return the token that an unknown one was likely meant to be."""
    indexes: tuple[TokenIndex, ...] = (package.resources, package.functions, package.types)
    for index in indexes:
        similar = index.nearest(token.text)
        if similar is not None:
            return similar
    return None


def _resource(package: FoundPackage, resource: ResourceDecl) -> Description:
    inputs = _properties(resource.inputs, Shape.INPUT)
    names = {entry.name for entry in inputs}
    outputs = tuple(entry for entry in _properties(resource.outputs, Shape.PLAIN) if entry.name not in names)
    sections = {"inputs": inputs, "further outputs": outputs}
    methods = tuple(
        Property(name=name, type=_signature(method), doc=method.doc) for name, method in resource.methods().items()
    )
    if methods:
        sections["methods"] = methods
    kind = "component" if resource.is_component else "provider" if resource.is_provider else "resource"
    description = _description(package, kind, resource, sections)
    return replace(description, former=tuple(dict.fromkeys(resource.aliases)))


def _function(package: FoundPackage, function: FunctionDecl) -> Description:
    sections: dict[str, tuple[Property, ...]] = {}
    if function.inputs is not None:
        sections["arguments"] = _properties(function.inputs, Shape.INPUT)
    result = function.result
    if isinstance(result, ty.NominalType) and result.declaration.token == function.token:
        sections["result"] = _properties(result.declaration, Shape.PLAIN)
    elif result is not None:
        sections["result"] = (Property(name="", type=show(result), required=True, refers=_refers(result)),)
    kind = "method" if function.is_method else "function"
    return _description(package, kind, function, sections)


def _description(
    package: FoundPackage,
    kind: str,
    declared: Declaration | EnumDecl | FunctionDecl | ResourceDecl,
    sections: Mapping[str, tuple[Property, ...]],
) -> Description:
    return Description(
        kind=kind,
        token=declared.token,
        package=package.package.name,
        version=package.package.version,
        where=package.where,
        doc=declared.doc,
        deprecated=declared.deprecated if not isinstance(declared, EnumDecl) else "",
        sections=sections,
    )


def _enum(package: FoundPackage, declared: EnumDecl) -> Description:
    members = tuple(
        Property(name=member.name, type=show_value(member.value), doc=member.doc, deprecated=member.deprecated)
        for member in declared.members
    )
    return _description(package, "enum", declared, {"values": members})


def _properties(declaration: Declaration, shape: Shape) -> tuple[Property, ...]:
    fields = declaration.fields(shape).values()
    # Required ones first, else as the package's author ordered them.
    return tuple([_property(entry) for entry in sorted(fields, key=lambda entry: not entry.required)])


def _property(entry: Field) -> Property:
    bare = ty.without_none(ty.resolve(entry.type))
    return Property(
        name=entry.name,
        type=show(bare),
        required=entry.required,
        doc=entry.doc,
        deprecated=entry.deprecated,
        secret=entry.secret,
        default=show_value(entry.default) if entry.default is not None else "",
        refers=_refers(bare),
        choices=tuple(dict.fromkeys(_choices(bare))),
    )


def _signature(method: FunctionDecl) -> str:
    inputs = ", ".join(method.inputs.fields(Shape.PLAIN)) if method.inputs is not None else ""
    result = f" -> {show(method.result)}" if method.result is not None else ""
    return f"({inputs}){result}"


def _parts(t: ty.Type) -> Iterable[ty.Type]:
    """Yield the types inside of a type, including itself, without members of declared objects."""
    yield t
    for part in ty.parts(t):
        yield from _parts(part)


def _refers(t: ty.Type) -> tuple[str, ...]:
    refs = [
        part.declaration.token
        for part in _parts(t)
        if isinstance(part, ty.EnumType) or (isinstance(part, ty.NominalType) and part.resource is None)
    ]
    return tuple(dict.fromkeys(refs))


def _choices(t: ty.Type) -> Iterable[str]:
    for part in _parts(t):
        if isinstance(part, ty.EnumType):
            yield from (show_value(member.value) for member in part.declaration.members)
