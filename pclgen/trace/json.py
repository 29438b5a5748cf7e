"""Traces and property values as JSON, both ways.

Tagged values are objects with one key: `{"$secret": v}`, `{"$computed": true}`, `{"$resourceRef": {urn, id?, version?}}`,
`{"$asset": {…}}`, `{"$archive": {…}}`, `{"$bytes": base64}`, `{"$output": {value, secret?, dependencies?}}`.  A plain object
that looks like one is wrapped: `{"$object": {"$secret": 1}}`.  Members that are empty are left out.

`value_to_json` and `value_from_json` are exact inverses, as are `to_json` and `from_json`; bad data raises
`TraceFormatError`.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TypeAlias, TypeVar, assert_never

from pclgen.trace.model import (
    UNKNOWN,
    Alias,
    Archive,
    Asset,
    Bytes,
    FunctionCall,
    LogEntry,
    Options,
    Output,
    Properties,
    PropertyValue,
    Registration,
    RegistrationKind,
    ResourceRef,
    Secret,
    SourcePlace,
    Trace,
    Unknown,
)

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

FORMAT_VERSION = 1

_T = TypeVar("_T")


class TraceFormatError(Exception):
    """The data is not a trace, or not of this version; the text says where and what was expected."""


# --- values ------------------------------------------------------------------------------------------------------------


def value_to_json(value: PropertyValue) -> Json:
    """A property value as JSON."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [value_to_json(element) for element in value]
        case Secret():
            return {"$secret": value_to_json(value.value)}
        case Unknown():
            return {"$computed": True}
        case ResourceRef():
            return {"$resourceRef": _reference(value)}
        case Asset():
            return {"$asset": _asset(value)}
        case Archive():
            return {"$archive": _archive(value)}
        case Bytes():
            return {"$bytes": b64encode(value.data).decode("ascii")}
        case Output():
            return {"$output": _output(value)}
        case Mapping():
            made: dict[str, Json] = {key: value_to_json(member) for key, member in value.items()}
            return {"$object": made} if len(made) == 1 and next(iter(made)) in _READERS else made
        case _:
            assert_never(value)


def properties_to_json(properties: Properties) -> dict[str, Json]:
    """A property map as JSON, keys in their order."""
    return {key: value_to_json(value) for key, value in properties.items()}


def _reference(value: ResourceRef) -> dict[str, Json]:
    made: dict[str, Json] = {"urn": value.urn}
    if value.id is not None:
        made["id"] = _id_to_json(value.id)
    if value.version:
        made["version"] = value.version
    return made


def _id_to_json(value: str | Unknown | None) -> Json:
    return {"$computed": True} if isinstance(value, Unknown) else value


def _asset(value: Asset) -> dict[str, Json]:
    parts = {"text": value.text, "path": value.path, "uri": value.uri, "hash": value.hash or None}
    return {key: part for key, part in parts.items() if part is not None}


def _archive(value: Archive) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if value.members is not None:
        made["assets"] = {key: value_to_json(member) for key, member in value.members.items()}
    parts = {"path": value.path, "uri": value.uri, "hash": value.hash or None}
    return made | {key: part for key, part in parts.items() if part is not None}


def _output(value: Output) -> dict[str, Json]:
    made: dict[str, Json] = {"value": value_to_json(value.value)}
    if value.secret:
        made["secret"] = True
    if value.dependencies:
        made["dependencies"] = list(value.dependencies)
    return made


def value_from_json(data: Json) -> PropertyValue:
    """The property value that JSON stands for.  Raises `TraceFormatError`."""
    if isinstance(data, list):
        return tuple(value_from_json(element) for element in data)
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        [(key, inner)] = data.items()
        reader = _READERS.get(key)
        if reader is not None:
            return reader(inner)
    return properties_from_json(data)


def properties_from_json(data: Json) -> Properties:
    """The property map that a JSON object stands for.  Raises `TraceFormatError`."""
    return {key: value_from_json(member) for key, member in _object(data, "properties").items()}


def _read_reference(data: Json) -> ResourceRef:
    members = _object(data, "$resourceRef")
    return ResourceRef(_text(members, "urn"), _id_from_json(members.get("id")), _text(members, "version"))


def _id_from_json(data: Json) -> str | Unknown | None:
    if data is None or isinstance(data, str):
        return data
    if data == {"$computed": True}:
        return UNKNOWN
    raise TraceFormatError(f"expected an id, found {json.dumps(data)[:60]}")


def _read_asset(data: Json) -> Asset:
    members = _object(data, "$asset")
    return Asset(
        text=_optional_text(members, "text"),
        path=_optional_text(members, "path"),
        uri=_optional_text(members, "uri"),
        hash=_text(members, "hash"),
    )


def _read_archive(data: Json) -> Archive:
    members = _object(data, "$archive")
    assets: dict[str, Asset | Archive] | None = None
    if "assets" in members:
        assets = {}
        for key, member in _object(members["assets"], "assets").items():
            read = value_from_json(member)
            if not isinstance(read, Asset | Archive):
                raise TraceFormatError(f'expected an asset or an archive at "{key}"')
            assets[key] = read
    return Archive(
        members=assets,
        path=_optional_text(members, "path"),
        uri=_optional_text(members, "uri"),
        hash=_text(members, "hash"),
    )


def _read_bytes(data: Json) -> Bytes:
    try:
        return Bytes(b64decode(data if isinstance(data, str) else "?", validate=True))
    except (Base64Error, ValueError):
        raise TraceFormatError("expected base64 in $bytes") from None


def _read_output(data: Json) -> Output:
    members = _object(data, "$output")
    return Output(
        value=value_from_json(members.get("value")),
        secret=members.get("secret") is True,
        dependencies=_texts(members.get("dependencies")),
    )


_READERS: Mapping[str, Callable[[Json], PropertyValue]] = {
    "$secret": lambda data: Secret(value_from_json(data)),
    "$computed": lambda data: UNKNOWN,
    "$resourceRef": _read_reference,
    "$asset": _read_asset,
    "$archive": _read_archive,
    "$bytes": _read_bytes,
    "$output": _read_output,
    "$object": properties_from_json,
}


# --- traces ------------------------------------------------------------------------------------------------------------


def to_json(trace: Trace) -> dict[str, Json]:
    """A trace as a JSON object."""
    return {
        "format_version": FORMAT_VERSION,
        "producer": trace.producer,
        "project": trace.project,
        "stack": trace.stack,
        "organization": trace.organization,
        "preview": trace.preview,
        "failed": trace.failed,
        "registrations": [registration_to_json(found) for found in trace.registrations],
        "calls": [_call_to_json(call) for call in trace.calls],
        "outputs": properties_to_json(trace.outputs),
        "log": [_entry_to_json(entry) for entry in trace.log],
    }


def dumps(trace: Trace) -> str:
    """A trace as JSON text, two spaces a level, with a newline at its end."""
    return json.dumps(to_json(trace), indent=2, ensure_ascii=False) + "\n"


def from_json(data: Json) -> Trace:
    """The trace that a JSON object holds.  Raises `TraceFormatError`."""
    members = _object(data, "a trace")
    if members.get("format_version") != FORMAT_VERSION:
        raise TraceFormatError(f"expected format_version {FORMAT_VERSION}, found {members.get('format_version')}")
    return Trace(
        producer=_text(members, "producer"),
        project=_text(members, "project"),
        stack=_text(members, "stack"),
        organization=_text(members, "organization"),
        preview=members.get("preview") is True,
        failed=members.get("failed") is True,
        registrations=tuple(_read_registration(found) for found in _array(members.get("registrations"))),
        calls=tuple(_read_call(found) for found in _array(members.get("calls"))),
        outputs=properties_from_json(members.get("outputs") or {}),
        log=tuple(_read_entry(found) for found in _array(members.get("log"))),
    )


def loads(text: str) -> Trace:
    """The trace in JSON text.  Raises `TraceFormatError`."""
    try:
        data: Json = json.loads(text)
    except ValueError as problem:
        raise TraceFormatError(f"not JSON: {problem}") from None
    return from_json(data)


def registration_to_json(found: Registration) -> dict[str, Json]:
    """One registration; what is empty is left out, but for its inputs."""
    made = _compact(
        {
            "kind": found.kind.value,
            "type": found.type,
            "name": found.name,
            "urn": found.urn,
            "parent": found.parent,
            "custom": found.custom,
            "remote": found.remote,
            "provider": found.provider,
            "providers": dict(found.providers),
            "id": _id_to_json(found.id),
        }
    )
    made["inputs"] = properties_to_json(found.inputs)
    return made | _compact(
        {
            "dependencies": list(found.dependencies),
            "propertyDependencies": {key: list(urns) for key, urns in found.property_dependencies.items()},
            "options": options_to_json(found.options),
            "outputs": properties_to_json(found.outputs),
            "place": _place(found.place),
            "places": {key: _place(place) for key, place in found.places.items()},
        }
    )


def options_to_json(options: Options) -> dict[str, Json]:
    """The options that are given, by their names in PCL."""
    made: dict[str, Json] = {}
    for member in fields(options):
        value = getattr(options, member.name)
        match member.name:
            case "aliases":
                value = [_alias_to_json(alias) for alias in options.aliases]
            case "replacement_trigger":
                if value is not None:
                    made["replacementTrigger"] = value_to_json(options.replacement_trigger)
                continue
            case "hooks":
                value = {event: list(names) for event, names in options.hooks.items()}
            case "custom_timeouts" | "env_var_mappings":
                value = dict(value)
            case _ if isinstance(value, tuple):
                value = list(value)
        if value not in (None, "", [], {}):
            made[_option_name(member.name)] = value
    return made


def _alias_to_json(alias: Alias) -> Json:
    return _compact({_camel(member.name): getattr(alias, member.name) for member in fields(alias)})


def _option_name(name: str) -> str:
    return {"import_id": "import", "plugin_download_url": "pluginDownloadURL"}.get(name, _camel(name))


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _compact(members: Mapping[str, Json]) -> dict[str, Json]:
    """Without what is empty or false; `custom` is kept, since it is usually true."""
    return {key: value for key, value in members.items() if key == "custom" or value not in (None, "", False, [], {})}


def _call_to_json(call: FunctionCall) -> Json:
    return _compact(
        {
            "token": call.token,
            "receiver": call.receiver,
            "args": properties_to_json(call.args),
            "answer": properties_to_json(call.answer),
            "provider": call.provider,
            "version": call.version,
            "pluginDownloadURL": call.plugin_download_url,
            "failures": list(call.failures),
            "place": _place(call.place),
        }
    )


def _entry_to_json(entry: LogEntry) -> Json:
    parts: dict[str, Json] = {"severity": entry.severity, "message": entry.message, "urn": entry.urn}
    return _compact(parts | {"place": _place(entry.place)})


def _place(place: SourcePlace | None) -> Json:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _read_registration(data: Json) -> Registration:
    members = _object(data, "a registration")
    kind = _text(members, "kind")
    if kind not in {known.value for known in RegistrationKind}:
        raise TraceFormatError(f'expected a kind of registration, found "{kind}"')
    return Registration(
        kind=RegistrationKind(kind),
        type=_text(members, "type"),
        name=_text(members, "name"),
        urn=_text(members, "urn"),
        parent=_text(members, "parent"),
        custom=members.get("custom", True) is True,
        remote=members.get("remote") is True,
        provider=_text(members, "provider"),
        providers=_text_map(members.get("providers")),
        inputs=properties_from_json(members.get("inputs") or {}),
        dependencies=_texts(members.get("dependencies")),
        property_dependencies=_text_lists(members.get("propertyDependencies")),
        options=_read_options(members.get("options")),
        id=_id_from_json(members.get("id")),
        outputs=properties_from_json(members.get("outputs") or {}),
        place=_read_place(members.get("place")),
        places={key: _sure(_read_place(place)) for key, place in _object(members.get("places") or {}, "places").items()},
    )


def _read_options(data: Json) -> Options:
    members = _object(data or {}, "options")

    def flag(name: str) -> bool | None:
        value = members.get(name)
        return value if isinstance(value, bool) else None

    return Options(
        protect=flag("protect"),
        retain_on_delete=flag("retainOnDelete"),
        delete_before_replace=flag("deleteBeforeReplace"),
        ignore_changes=_texts(members.get("ignoreChanges")),
        hide_diffs=_texts(members.get("hideDiffs")),
        replace_on_changes=_texts(members.get("replaceOnChanges")),
        additional_secret_outputs=_texts(members.get("additionalSecretOutputs")),
        custom_timeouts=_text_map(members.get("customTimeouts")),
        aliases=tuple(_read_alias(alias) for alias in _array(members.get("aliases"))),
        import_id=_text(members, "import"),
        version=_text(members, "version"),
        plugin_download_url=_text(members, "pluginDownloadURL"),
        deleted_with=_text(members, "deletedWith"),
        replace_with=_texts(members.get("replaceWith")),
        replacement_trigger=value_from_json(members.get("replacementTrigger")),
        env_var_mappings=_text_map(members.get("envVarMappings")),
        hooks=_text_lists(members.get("hooks")),
    )


def _read_alias(data: Json) -> Alias:
    members = _object(data, "an alias")
    return Alias(
        urn=_text(members, "urn"),
        name=_text(members, "name"),
        type=_text(members, "type"),
        project=_text(members, "project"),
        stack=_text(members, "stack"),
        parent=_text(members, "parent"),
        no_parent=members.get("noParent") is True,
    )


def _read_call(data: Json) -> FunctionCall:
    members = _object(data, "a call")
    return FunctionCall(
        token=_text(members, "token"),
        receiver=_text(members, "receiver"),
        args=properties_from_json(members.get("args") or {}),
        answer=properties_from_json(members.get("answer") or {}),
        provider=_text(members, "provider"),
        version=_text(members, "version"),
        plugin_download_url=_text(members, "pluginDownloadURL"),
        failures=_texts(members.get("failures")),
        place=_read_place(members.get("place")),
    )


def _read_entry(data: Json) -> LogEntry:
    members = _object(data, "a log entry")
    return LogEntry(
        severity=_text(members, "severity"),
        message=_text(members, "message"),
        urn=_text(members, "urn"),
        place=_read_place(members.get("place")),
    )


def _read_place(data: Json) -> SourcePlace | None:
    if data is None:
        return None
    members = _object(data, "a place")
    line, column = members.get("line"), members.get("column")
    if not isinstance(line, int) or not isinstance(column, int):
        raise TraceFormatError("expected line and column of a place")
    return SourcePlace(file=_text(members, "file"), line=line, column=column)


# --- checked access ----------------------------------------------------------------------------------------------------


def _object(data: Json, what: str) -> dict[str, Json]:
    if not isinstance(data, dict):
        raise TraceFormatError(f"expected an object for {what}, found {json.dumps(data)[:60]}")
    return data


def _array(data: Json) -> list[Json]:
    if data is None:
        return []
    if not isinstance(data, list):
        raise TraceFormatError(f"expected a list, found {json.dumps(data)[:60]}")
    return data


def _text(members: Mapping[str, Json], key: str) -> str:
    return _optional_text(members, key) or ""


def _optional_text(members: Mapping[str, Json], key: str) -> str | None:
    value = members.get(key)
    if value is not None and not isinstance(value, str):
        raise TraceFormatError(f'expected a string for "{key}", found {json.dumps(value)[:60]}')
    return value


def _texts(data: Json) -> tuple[str, ...]:
    found = _array(data)
    if not all(isinstance(element, str) for element in found):
        raise TraceFormatError(f"expected a list of strings, found {json.dumps(data)[:60]}")
    return tuple(str(element) for element in found)


def _text_map(data: Json) -> Mapping[str, str]:
    members = _object(data or {}, "a map of strings")
    return {key: _text(members, key) for key in members}


def _text_lists(data: Json) -> Mapping[str, tuple[str, ...]]:
    return {key: _texts(value) for key, value in _object(data or {}, "a map of lists").items()}


def _sure(value: _T | None) -> _T:
    if value is None:
        raise TraceFormatError("expected a place")
    return value
