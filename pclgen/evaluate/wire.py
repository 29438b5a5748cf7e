"""Values as they travel between program and engine, both ways.

`Sent` converts inputs as an SDK does: outputs become their values, with marks on unknown and secret values, resources become
references, and the resources that the value depends on are collected. `from_wire` converts answers. A secret mark anywhere
in a property makes the whole property secret, since only an output can be secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import assert_never

from msgspec import Struct, field

from pclgen.evaluate.values import HookRef, Meta, Output, Raw, ResourceValue, Value, holds_unknown
from pclgen.stdlib.model import UNKNOWN, Blob
from pclgen.stdlib.operators import number_of
from pclgen.trace import model as tr


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
