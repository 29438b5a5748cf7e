"""Traces and property values as JSON, both ways.

Tagged values are objects with one key: `{"$secret": v}`, `{"$computed": true}`, `{"$resourceRef": {urn, id?, version?}}`,
`{"$asset": {…}}`, `{"$archive": {…}}`, `{"$bytes": base64}`, `{"$output": {value, secret?, dependencies?}}`.  A plain object
that looks like one is wrapped: `{"$object": {"$secret": 1}}`. Empty members are omitted.

`value_to_json` and `value_from_json` are exact inverses, as are `to_json` and `from_json`; bad data raises
`TraceFormatError`.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar, assert_never

from msgspec import Struct

from pclgen.records import annotations_of, fields_with_defaults
from pclgen.trace import model as tr

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

FORMAT_VERSION = 1

_P = TypeVar("_P", bound=Struct)


class TraceFormatError(Exception):
    """The data is not a trace of this version; the text names the position and the expected content."""


# --- values ------------------------------------------------------------------------------------------------------------


def value_to_json(value: tr.PropertyValue) -> Json:
    """Return a property value as JSON."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return [value_to_json(element) for element in value]
        case tr.Secret():
            return {"$secret": value_to_json(value.value)}
        case tr.Unknown():
            return {"$computed": True}
        case tr.ResourceRef():
            return {"$resourceRef": _reference(value)}
        case tr.Asset():
            return {"$asset": _to_json(value)}
        case tr.Archive():
            return {"$archive": _to_json(value)}
        case tr.Bytes():
            return {"$bytes": b64encode(value.data).decode("ascii")}
        case tr.Output():
            return {"$output": _output(value)}
        case Mapping():
            members: dict[str, Json] = {key: value_to_json(member) for key, member in value.items()}
            return {"$object": members} if len(members) == 1 and next(iter(members)) in _READERS else members
        case _:
            assert_never(value)


def properties_to_json(properties: tr.Properties) -> dict[str, Json]:
    """Return a property map as JSON, keys in their order."""
    return {key: value_to_json(value) for key, value in properties.items()}


def _reference(value: tr.ResourceRef) -> dict[str, Json]:
    members: dict[str, Json] = {"urn": value.urn}
    if value.id is not None:
        members["id"] = _id_to_json(value.id)
    if value.version:
        members["version"] = value.version
    return members


def _id_to_json(value: str | tr.Unknown | None) -> Json:
    return {"$computed": True} if isinstance(value, tr.Unknown) else value


def _output(value: tr.Output) -> dict[str, Json]:
    members: dict[str, Json] = {"value": value_to_json(value.value)}
    if value.secret:
        members["secret"] = True
    if value.dependencies:
        members["dependencies"] = list(value.dependencies)
    return members


def value_from_json(data: Json) -> tr.PropertyValue:
    """Return the property value that JSON represents. Raises `TraceFormatError`."""
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


def properties_from_json(data: Json) -> tr.Properties:
    """Return the property map that a JSON object represents. Raises `TraceFormatError`."""
    return {key: value_from_json(member) for key, member in _object(data, "properties").items()}


def _read_reference(data: Json) -> tr.ResourceRef:
    members = _object(data, "$resourceRef")
    return tr.ResourceRef(_text(members, "urn"), _id_from_json(members.get("id")), _text(members, "version"))


def _id_from_json(data: Json) -> str | tr.Unknown | None:
    if data is None or isinstance(data, str):
        return data
    if data == {"$computed": True}:
        return tr.UNKNOWN
    raise TraceFormatError(f"expected an id, found {json.dumps(data)[:60]}")


def _read_blobs(data: Json, context: str) -> Mapping[str, tr.Asset | tr.Archive]:
    blobs: dict[str, tr.Asset | tr.Archive] = {}
    for key, member in _object(data, context).items():
        blob = value_from_json(member)
        if not isinstance(blob, tr.Asset | tr.Archive):
            raise TraceFormatError(f'expected an asset or an archive at "{key}"')
        blobs[key] = blob
    return blobs


def _read_bytes(data: Json) -> tr.Bytes:
    try:
        return tr.Bytes(b64decode(data if isinstance(data, str) else "?", validate=True))
    except (Base64Error, ValueError):
        raise TraceFormatError("expected base64 in $bytes") from None


def _read_output(data: Json) -> tr.Output:
    members = _object(data, "$output")
    return tr.Output(
        value=value_from_json(members.get("value")),
        secret=members.get("secret") is True,
        dependencies=_texts(members.get("dependencies")),
    )


_READERS: Mapping[str, Callable[[Json], tr.PropertyValue]] = {
    "$secret": lambda data: tr.Secret(value_from_json(data)),
    "$computed": lambda data: tr.UNKNOWN,
    "$resourceRef": _read_reference,
    "$asset": lambda data: _from_json(tr.Asset, data, "$asset"),
    "$archive": lambda data: _from_json(tr.Archive, data, "$archive"),
    "$bytes": _read_bytes,
    "$output": _read_output,
    "$object": properties_from_json,
}


# --- traces ------------------------------------------------------------------------------------------------------------


def to_json(trace: tr.Trace) -> dict[str, Json]:
    """Return a trace as a JSON object."""
    members = {name: _CODECS[text].write(getattr(trace, name)) for name, text in annotations_of(tr.Trace).items()}
    return {"format_version": FORMAT_VERSION, **members}


def dumps(trace: tr.Trace) -> str:
    """Return a trace as JSON text, indented by two spaces, with a final newline."""
    return json.dumps(to_json(trace), indent=2, ensure_ascii=False) + "\n"


def from_json(data: Json) -> tr.Trace:
    """Return the trace in a JSON object. Raises `TraceFormatError`."""
    members = _object(data, "a trace")
    if members.get("format_version") != FORMAT_VERSION:
        raise TraceFormatError(f"expected format_version {FORMAT_VERSION}, found {members.get('format_version')}")
    return _from_json(tr.Trace, members, "a trace")


def loads(text: str) -> tr.Trace:
    """Return the trace in JSON text. Raises `TraceFormatError`."""
    try:
        data: Json = json.loads(text)
    except ValueError as problem:
        raise TraceFormatError(f"not JSON: {problem}") from None
    return from_json(data)


def options_to_json(options: tr.Options) -> dict[str, Json]:
    """Return the options that are set, by their names in PCL."""
    return _to_json(options)


# --- the parts of traces ------------------------------------------------------------------------------------------------


class _Codec(Struct, frozen=True):
    """How to encode and decode members of one type (decoding gets their name); values in `empty` are omitted."""

    write: Callable[[Any], Json]
    read: Callable[[Json, str], object]
    empty: tuple[Json, ...] = (None, "", [], {})


def _to_json(record: Struct) -> dict[str, Json]:
    """Return a part of a trace as JSON, its members in the order of its class, without empty ones."""
    members: dict[str, Json] = {}
    for name, annotation in annotations_of(type(record)).items():
        form = _CODECS[annotation]
        value = form.write(getattr(record, name))
        if name in _KEPT or value not in form.empty:
            members[json_name(name)] = value
    return members


def _from_json(part: type[_P], data: Json, context: str) -> _P:
    """Return the part of a trace in an object; omitted members have their defaults."""
    members = _object(data, context)
    values: dict[str, Any] = {}
    optional = fields_with_defaults(part)
    for name, annotation in annotations_of(part).items():
        key = json_name(name)
        if members.get(key) is not None or name not in optional:
            values[name] = _CODECS[annotation].read(members.get(key), key)
    return part(**values)


def _list_of(part: type[Struct], context: str) -> _Codec:
    return _Codec(
        lambda records: [_to_json(record) for record in records],
        lambda data, name: tuple(_from_json(part, item, context) for item in _array(data)),
    )


def json_name(name: str) -> str:
    """Return the name in JSON of a field; that of an option is its name in PCL."""
    first, *rest = name.split("_")
    camel = first + "".join(word.capitalize() for word in rest)
    return {"importId": "import", "pluginDownloadUrl": "pluginDownloadURL", "members": "assets"}.get(camel, camel)


def _as_it_is(value: Any) -> Any:
    return value


def _read_kind(data: Json, name: str) -> tr.RegistrationKind:
    kind = _text({name: data}, name)
    if kind not in {member.value for member in tr.RegistrationKind}:
        raise TraceFormatError(f'expected a kind of registration, found "{kind}"')
    return tr.RegistrationKind(kind)


def _place_to_json(place: tr.SourcePlace | None) -> Json:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _read_place(data: Json) -> tr.SourcePlace:
    members = _object(data, "a place")
    line, column = members.get("line"), members.get("column")
    if not isinstance(line, int) or not isinstance(column, int):
        raise TraceFormatError("expected line and column of a place")
    return tr.SourcePlace(file=_text(members, "file"), line=line, column=column)


_KEPT = frozenset(("custom", "inputs"))
"""Members that are always written: inputs, and `custom`, since it is usually true."""

_CODECS: Mapping[str, _Codec] = {
    "str": _Codec(_as_it_is, lambda data, name: _text({name: data}, name)),
    "str | None": _Codec(_as_it_is, lambda data, name: _optional_text({name: data}, name), empty=(None,)),
    "bool": _Codec(_as_it_is, lambda data, name: data is True, empty=(False,)),
    "bool | None": _Codec(_as_it_is, lambda data, name: data if isinstance(data, bool) else None),
    "tuple[str, ...]": _Codec(list, lambda data, name: _texts(data)),
    "Mapping[str, str]": _Codec(dict, lambda data, name: _text_map(data)),
    "Mapping[str, tuple[str, ...]]": _Codec(
        lambda lists: {key: list(texts) for key, texts in lists.items()}, lambda data, name: _text_lists(data)
    ),
    "str | Unknown | None": _Codec(_id_to_json, lambda data, name: _id_from_json(data)),
    "Properties": _Codec(properties_to_json, lambda data, name: properties_from_json(data or {})),
    "PropertyValue": _Codec(value_to_json, lambda data, name: value_from_json(data), empty=(None,)),
    "RegistrationKind": _Codec(lambda kind: str(kind.value), _read_kind),
    "Options": _Codec(options_to_json, lambda data, name: _from_json(tr.Options, data, name)),
    "Mapping[str, Asset | Archive] | None": _Codec(
        lambda blobs: None if blobs is None else properties_to_json(blobs), _read_blobs, empty=(None,)
    ),
    "tuple[Alias, ...]": _list_of(tr.Alias, "an alias"),
    "tuple[Registration, ...]": _list_of(tr.Registration, "a registration"),
    "tuple[FunctionCall, ...]": _list_of(tr.FunctionCall, "a call"),
    "tuple[LogEntry, ...]": _list_of(tr.LogEntry, "a log entry"),
    "SourcePlace | None": _Codec(_place_to_json, lambda data, name: _read_place(data)),
    "Mapping[str, SourcePlace]": _Codec(
        lambda places: {key: _place_to_json(place) for key, place in places.items()},
        lambda data, name: {key: _read_place(place) for key, place in _object(data, name).items()},
    ),
}
"""Codecs by the type annotation of a member."""


# --- checked access ----------------------------------------------------------------------------------------------------


def _object(data: Json, context: str) -> dict[str, Json]:
    if not isinstance(data, dict):
        raise TraceFormatError(f"expected an object for {context}, found {json.dumps(data)[:60]}")
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
    items = _array(data)
    if not all(isinstance(element, str) for element in items):
        raise TraceFormatError(f"expected a list of strings, found {json.dumps(data)[:60]}")
    return tuple(str(element) for element in items)


def _text_map(data: Json) -> Mapping[str, str]:
    members = _object(data or {}, "a map of strings")
    return {key: _text(members, key) for key in members}


def _text_lists(data: Json) -> Mapping[str, tuple[str, ...]]:
    return {key: _texts(value) for key, value in _object(data or {}, "a map of lists").items()}
