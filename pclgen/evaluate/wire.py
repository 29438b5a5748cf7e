"""Values as they travel between program and engine, both ways.

SDKs complete inputs with defaults, constants and secret marks of the schema (`completed_inputs`). Then `Sent` converts them
as an SDK does: outputs become their values, with marks on unknown and secret values, resources become references, and the
resources that the value depends on are collected. `from_wire` converts answers. A secret mark anywhere in a property makes
the whole property secret, since only an output can be secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.evaluate.samples import present_type
from pclgen.evaluate.values import HookRef, Meta, Output, Raw, ResourceValue, Value, holds_unknown, marked_secret
from pclgen.stdlib.model import UNKNOWN, Blob
from pclgen.stdlib.values import number_of
from pclgen.trace import model as tr
from pclgen.trace.model import Alias
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Json, ResourceDecl, Shape


class Sent(Struct):
    """Converts inputs to wire values, and collects the resources that these depend on.

    `references` are the resources that occur directly, not in an output.
    """

    dependencies: set[ResourceValue] = field(default_factory=set)
    references: set[ResourceValue] = field(default_factory=set)

    def value(self, value: Value) -> tr.PropertyValue:
        """Return the wire form of `value`; add its dependencies to `dependencies`."""
        match value:
            case None | bool() | str():
                return value
            case int():
                return value if abs(value) <= 2**53 else float(value)
            case Decimal():
                double = float(value)
                return int(double) if double.is_integer() and abs(double) <= 2**53 else double
            case Output():
                return self._output(value)
            case list():
                return tuple([self.value(element) for element in value])
            case dict():
                return {name: self.value(member) for name, member in value.items()}
            case ResourceValue():
                self.references.add(value)
                return reference_to(value)
            case Blob():
                return _blob(value)
            case Raw():
                return tr.Bytes(value.data)
            case HookRef():
                return value.name
            case _:
                assert value is UNKNOWN, f"no wire form of {value!r}"
                return tr.UNKNOWN

    def _output(self, value: Output) -> tr.PropertyValue:
        if value.parts is not None:
            return self.value(value.parts)
        self.dependencies |= value.dependencies
        if not value.known:
            return tr.UNKNOWN
        nested = Sent()
        inner = nested.value(value.value)
        # In SDKs, an output also depends on the resources in its value.
        self.dependencies |= nested.dependencies | nested.references
        return tr.Secret(inner) if value.secret and not isinstance(inner, tr.Secret) else inner


def reference_to(resource: ResourceValue) -> tr.ResourceRef:
    """Return a reference to a resource; in a preview, its id may be unknown."""
    if not resource.custom:
        return tr.ResourceRef(resource.urn)
    id_value = resource.id
    inner = id_value.value if isinstance(id_value, Output) else id_value
    return tr.ResourceRef(resource.urn, inner if isinstance(inner, str) else tr.UNKNOWN)


def _blob(value: Blob) -> tr.Asset | tr.Archive:
    source = value.source
    match value.constructor:
        case "stringAsset":
            return tr.Asset(text=str(source))
        case "fileAsset":
            return tr.Asset(path=str(source))
        case "remoteAsset":
            return tr.Asset(uri=str(source))
        case "fileArchive":
            return tr.Archive(path=str(source))
        case "remoteArchive":
            return tr.Archive(uri=str(source))
        case _:
            assert isinstance(source, dict), "the members of an asset archive are a map"
            return tr.Archive(members={name: _blob(member) for name, member in source.items()})


def holds_secret(value: tr.PropertyValue) -> bool:
    """Return whether some part of a wire value is marked secret."""
    return any(isinstance(part, tr.Secret) or (isinstance(part, tr.Output) and part.secret) for part in tr.parts_of(value))


def from_wire(value: tr.PropertyValue, resource: Callable[[tr.ResourceRef], Value]) -> Value:
    """Return the plain value; `resource` resolves references. Unknown parts are `UNKNOWN`."""
    match value:
        case None | bool() | str() | int():
            return value
        case float():
            return number_of(value)
        case tr.Secret() | tr.Output():
            return from_wire(value.value, resource)
        case tr.Unknown():
            return UNKNOWN
        case tr.ResourceRef():
            return resource(value)
        case tr.Asset() | tr.Archive():
            return _as_blob(value)
        case tr.Bytes():
            return Raw(value.data)
        case tuple():
            return [from_wire(element, resource) for element in value]
        case Mapping():
            return {name: from_wire(member, resource) for name, member in value.items()}
        case _:
            assert_never(value)


def _as_blob(value: tr.Asset | tr.Archive) -> Blob:
    suffix = "Asset" if isinstance(value, tr.Asset) else "Archive"
    if value.path is not None:
        return Blob(constructor=f"file{suffix}", source=value.path)
    if value.uri is not None:
        return Blob(constructor=f"remote{suffix}", source=value.uri)
    if isinstance(value, tr.Asset):
        return Blob(constructor="stringAsset", source=value.text or "")
    members = value.members or {}
    return Blob(constructor="assetArchive", source={name: _as_blob(member) for name, member in members.items()})


def output_from_wire(value: tr.PropertyValue, resource: Callable[[tr.ResourceRef], Value], meta: Meta) -> Output:
    """Return a property of an answer as an output; `meta` is inherited from the request."""
    plain = from_wire(value, resource)
    return Output(plain, meta.known and not holds_unknown(plain), meta.secret or holds_secret(value), meta.dependencies)


def outputs_from_wire(
    properties: tr.Properties, resource: Callable[[tr.ResourceRef], Value], dependencies: frozenset[ResourceValue]
) -> dict[str, Value]:
    """Return all properties of a resource's answer, each as an output."""
    meta = Meta(dependencies=dependencies)
    return {name: output_from_wire(value, resource, meta) for name, value in properties.items()}


# -- inputs -----------------------------------------------------------------------------------------------------------------


def completed_inputs(inputs: Mapping[str, Value], declaration: ResourceDecl | None) -> dict[str, Value]:
    """Complete the inputs with defaults, constants and secret marks of the schema; nulls are not sent."""
    present = {name: value for name, value in inputs.items() if value is not None}
    if declaration is None:
        return present
    fields = declaration.inputs.fields(Shape.INPUT)
    result: dict[str, Value] = {}
    for name, declared in fields.items():
        value = present.get(name, _schema_value(declared))
        if value is None:
            continue
        value = with_defaults(value, declared.type)
        result[name] = marked_secret(value) if declared.secret else value
    return result | {name: value for name, value in present.items() if name not in fields}


def _schema_value(declared: Field) -> Value:
    return from_json(declared.const if declared.const is not None else declared.default)


def from_json(data: Json) -> Value:
    """A JSON value of a schema as a value."""
    match data:
        case float():
            return int(data) if data.is_integer() else Decimal(repr(data))
        case list():
            return [from_json(element) for element in data]
        case dict():
            return {name: from_json(member) for name, member in data.items()}
        case _:
            return data


def with_defaults(value: Value, target: ty.Type) -> Value:
    """Add the defaults of declared objects to `value`; programs set their constants."""
    target = present_type(target)
    if isinstance(value, Output):
        if value.parts is not None:
            return replace(value, parts=with_defaults(value.parts, target))
        if value.value is UNKNOWN:
            return value
        inner = with_defaults(value.value, target)
        return value if inner is value.value else Output(inner, value.known, value.secret, value.dependencies, value.failure)
    if isinstance(value, list) and isinstance(target, ty.ListType):
        return _same_or([with_defaults(element, target.element) for element in value], value)
    if isinstance(value, dict) and isinstance(target, ty.MapType):
        members = {name: with_defaults(member, target.element) for name, member in value.items()}
        return value if all(members[name] is member for name, member in value.items()) else members
    if isinstance(value, dict) and isinstance(target, ty.NominalType):
        return _object_with_defaults(value, target)
    return value


def _same_or(elements: list[Value], value: list[Value]) -> list[Value]:
    return value if all(element is other for element, other in zip(elements, value, strict=True)) else elements


def _object_with_defaults(value: dict[str, Value], target: ty.NominalType) -> Value:
    fields = target.declaration.fields(target.shape)
    members = {name: with_defaults(part, fields[name].type) if name in fields else part for name, part in value.items()}
    for name, declared in fields.items():
        default = from_json(declared.default)
        if default is not None and members.get(name) is None:
            members[name] = default
    return members


def secret_outputs(declaration: ResourceDecl | None) -> tuple[str, ...]:
    """The outputs that the schema marks secret: SDKs list them in `additionalSecretOutputs`."""
    if declaration is None:
        return ()
    return tuple(name for name, field in declaration.outputs.fields(Shape.OUTPUT).items() if field.secret)


def replacing_properties(declaration: ResourceDecl | None) -> tuple[str, ...]:
    """The paths of the properties that the schema marks `replaceOnChanges`: SDKs list them in the option of that name, with
    `[*]` for every element of a list."""
    if declaration is None:
        return ()
    fields = declaration.outputs.fields(Shape.OUTPUT)
    return tuple(f"{name}{_elements(field.type)}" for name, field in fields.items() if field.replace_on_changes)


def _elements(t: ty.Type) -> str:
    inner = ty.without_none(ty.resolve(t))
    return f"[*]{_elements(inner.element)}" if isinstance(inner, ty.ListType) else ""


def former_types(declaration: ResourceDecl | None) -> tuple[Alias, ...]:
    """The types that a resource had before: SDKs send them as aliases."""
    return () if declaration is None else tuple(Alias(type=token) for token in declaration.aliases)
