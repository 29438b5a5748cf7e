"""Requests of SDKs to `pulumirpc.ResourceMonitor`, converted to registrations and property values of `trace.model`.

Empty members of messages mean that the program did not set them; constants that each SDK sends are dropped.

On the wire, property values are protobuf's `Struct` with tagged members. An object with the signature key represents a
secret, an asset, an archive, a resource reference or an output value; certain texts represent unknown values in a preview.
The signatures are constants of Pulumi's protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from pclgen.evaluate.models import registered_kind
from pclgen.trace import model as tr
from pclgen.trace.json import Json
from pclgen.trace.model import UNKNOWN, Alias, Options, Registration, RegistrationKind

# -- registrations ----------------------------------------------------------------------------------------------------------

_HOOKS: Final[Mapping[str, str]] = {
    "before_create": "beforeCreate",
    "after_create": "afterCreate",
    "before_update": "beforeUpdate",
    "after_update": "afterUpdate",
    "before_delete": "beforeDelete",
    "after_delete": "afterDelete",
    "on_error": "onError",
}


def registration(request: Any, urn: str) -> Registration:
    """Return the registration in a `RegisterResourceRequest`, without an answer."""
    return Registration(
        kind=registered_kind(request.type, custom=request.custom),
        type=request.type,
        name=request.name,
        urn=urn,
        parent=request.parent,
        custom=request.custom,
        remote=request.remote,
        provider=request.provider,
        providers=dict(sorted(request.providers.items())),
        inputs=read_properties(request.object),
        dependencies=tuple(sorted(request.dependencies)),
        property_dependencies={
            name: tuple(sorted(dependency.urns))
            for name, dependency in sorted(request.propertyDependencies.items())
            if dependency.urns
        },
        options=_options(request),
    )


def _options(request: Any) -> Options:
    timeouts = request.customTimeouts
    durations = {name: getattr(timeouts, name) for name in ("create", "update", "delete", "read")}
    hooks = {event: tuple(getattr(request.hooks, name)) for name, event in _HOOKS.items()}
    trigger = request.replacement_trigger if request.HasField("replacement_trigger") else None
    return Options(
        protect=request.protect if request.HasField("protect") else None,
        retain_on_delete=request.retainOnDelete if request.HasField("retainOnDelete") else None,
        delete_before_replace=request.deleteBeforeReplace if request.deleteBeforeReplaceDefined else None,
        ignore_changes=tuple(request.ignoreChanges),
        hide_diffs=tuple(request.hideDiffs),
        replace_on_changes=tuple(request.replaceOnChanges),
        additional_secret_outputs=tuple(request.additionalSecretOutputs),
        custom_timeouts={name: text for name, text in durations.items() if text},
        aliases=tuple(_alias(alias) for alias in request.aliases) or tuple(Alias(urn=urn) for urn in request.aliasURNs),
        import_id=request.importId,
        version=request.version,
        plugin_download_url=request.pluginDownloadURL,
        deleted_with=request.deletedWith,
        replace_with=tuple(request.replace_with),
        replacement_trigger=None if trigger is None else read_value(trigger),
        env_var_mappings=dict(sorted(request.envVarMappings.items())),
        hooks={event: names for event, names in hooks.items() if names},
    )


def _alias(alias: Any) -> Alias:
    if alias.WhichOneof("alias") == "urn":
        return Alias(urn=alias.urn)
    spec = alias.spec
    return Alias(
        name=spec.name,
        type=spec.type,
        project=spec.project,
        stack=spec.stack,
        parent=spec.parentUrn,
        no_parent=spec.noParent,
    )


def read_registration(request: Any, urn: str) -> Registration:
    """Return the registration in a `ReadResourceRequest`, without an answer."""
    return Registration(
        kind=RegistrationKind.READ,
        type=request.type,
        name=request.name,
        urn=urn,
        parent=request.parent,
        custom=True,
        provider=request.provider,
        inputs=read_properties(request.properties),
        dependencies=tuple(sorted(request.dependencies)),
        options=Options(
            additional_secret_outputs=tuple(request.additionalSecretOutputs),
            version=request.version,
            plugin_download_url=request.pluginDownloadURL,
        ),
        id=UNKNOWN if request.id in ("", UNKNOWN_TEXT) else request.id,
    )


# -- property values --------------------------------------------------------------------------------------------------------

_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
_SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"
_ASSET: Final = "c44067f5952c0a294b673a41bacd8c17"
_ARCHIVE: Final = "0def7320c3a5731c473e5ecbe6d01bc7"
_RESOURCE: Final = "5cf8f73096256a8f31e491e813e4eb8e"
_OUTPUT: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"

UNKNOWN_TEXT: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The wire form of an unknown value, also for provider ids in references."""

_UNKNOWNS: Final = frozenset(
    {
        UNKNOWN_TEXT,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # of type boolean
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # number
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # list
        "030794c1-ac77-496b-92df-f27374a8bd58",  # asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # object
    }
)

_LARGEST_WHOLE: Final = 2**53


def read_properties(struct: Any) -> tr.Properties:
    """Return the property map in a `google.protobuf.Struct`."""
    return {key: read_value(value) for key, value in sorted(struct.fields.items())}


def read_value(value: Any) -> tr.PropertyValue:
    """Return the property value in a `google.protobuf.Value`."""
    match value.WhichOneof("kind"):
        case "bool_value":
            return bool(value.bool_value)
        case "number_value":
            number = float(value.number_value)
            return int(number) if number.is_integer() and abs(number) <= _LARGEST_WHOLE else number
        case "string_value":
            return tr.UNKNOWN if value.string_value in _UNKNOWNS else str(value.string_value)
        case "list_value":
            return tuple(read_value(element) for element in value.list_value.values)
        case "struct_value":
            return _read_object(read_properties(value.struct_value))
        case _:
            return None


def _read_object(members: tr.Properties) -> tr.PropertyValue:
    """Return the value of an object whose members are already converted."""
    match members.get(_SIGNATURE):
        case signature if signature == _SECRET:
            return tr.Secret(members.get("value"))
        case signature if signature == _ASSET:
            source = {name for name in ("text", "path", "uri") if members.get(name) is not None}
            return tr.Asset(
                text=_text(members.get("text")) if source else "",
                path=_text(members.get("path")),
                uri=_text(members.get("uri")),
                hash=_text(members.get("hash")) or "",
            )
        case signature if signature == _ARCHIVE:
            raw_assets = members.get("assets")
            inner = raw_assets.items() if isinstance(raw_assets, Mapping) else ()
            assets = {key: member for key, member in inner if isinstance(member, tr.Asset | tr.Archive)}
            return tr.Archive(
                members=assets if isinstance(raw_assets, Mapping) else None,
                path=_text(members.get("path")),
                uri=_text(members.get("uri")),
                hash=_text(members.get("hash")) or "",
            )
        case signature if signature == _RESOURCE:
            version = _text(members.get("packageVersion")) or ""
            return tr.ResourceRef(_text(members.get("urn")) or "", _read_id(members), version)
        case signature if signature == _OUTPUT:
            urns = members.get("dependencies")
            dependencies = tuple(sorted(str(urn) for urn in urns)) if isinstance(urns, tuple) else ()
            secret = members.get("secret") is True
            return tr.Output(value=members.get("value", tr.UNKNOWN), secret=secret, dependencies=dependencies)
        case _:
            return members


def _read_id(members: tr.Properties) -> str | tr.Unknown | None:
    """Return the id; an empty one is unknown in a preview."""
    id_ = members.get("id")
    if id_ is None:
        return None
    return id_ if isinstance(id_, str) and id_ else tr.UNKNOWN


def _text(value: tr.PropertyValue) -> str | None:
    return value if isinstance(value, str) else None


def write_properties(properties: tr.Properties) -> dict[str, Json]:
    """Return a property map as JSON for a `Struct`."""
    return {key: _write(value) for key, value in properties.items()}


def _write(value: tr.PropertyValue) -> Json:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [_write(element) for element in value]
        case tr.Unknown():
            return UNKNOWN_TEXT
        case tr.Secret():
            # SDKs disagree about unknown secrets; a bare unknown means the same to all of them.
            if isinstance(value.value, tr.Unknown):
                return UNKNOWN_TEXT
            return {_SIGNATURE: _SECRET, "value": _write(value.value)}
        case tr.ResourceRef():
            id_ = "" if isinstance(value.id, tr.Unknown) else value.id
            return _tagged(_RESOURCE, urn=value.urn, id=id_, packageVersion=value.version or None)
        case tr.Asset():
            # As the engine does, which leaves empty texts out.
            source = {"text": value.text or None, "path": value.path or None, "uri": value.uri or None}
            return _tagged(_ASSET, **source, hash=value.hash or None)
        case tr.Archive():
            members = None if value.members is None else write_properties(value.members)
            return _tagged(_ARCHIVE, assets=members, path=value.path, uri=value.uri, hash=value.hash or None)
        case tr.Output():
            inner = None if isinstance(value.value, tr.Unknown) else _write(value.value)
            return _tagged(_OUTPUT, value=inner, secret=value.secret or None, dependencies=list(value.dependencies))
        case tr.Bytes():
            return value.data.decode("utf-8", errors="replace")
        case Mapping():
            return write_properties(value)
        case _:
            assert_never(value)


def _tagged(signature: str, **members: Json) -> Json:
    present = {key: member for key, member in members.items() if member is not None}
    return {_SIGNATURE: signature, **present}
