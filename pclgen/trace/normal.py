"""Normal form of traces: removes differences between SDKs that have no meaning.

The rules (spec ecosystem 3.4):

* output values become plain, secret or unknown ones: their dependencies are those of the property, sent separately;
* an unknown secret is an unknown: SDKs differ in their encoding of both at once;
* a secret inside of a secret is a plain value: the outer mark covers it;
* a whole number is an int; numbers are doubles on the wire;
* hashes of assets are dropped: they follow from the content, and not every SDK sends them;
* versions and download URLs are dropped: SDKs send those of the package they are built from;
* settings of providers are JSON texts: some SDKs send them as such, others as values;
* a path has one form: `tags["env"]` is `tags.env`; where the order of paths has no meaning they are sorted;
* a null top-level input or output is dropped: not every SDK sends it;
* a provider reference is the provider's URN: its id is invented in previews;
* lists of dependencies are sets, and a property without dependencies has no entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from msgspec.structs import replace

from pclgen.trace import model as tr
from pclgen.trace.json import Json, value_to_json

_QUOTED_STEP = re.compile(r'\["([A-Za-z_][A-Za-z0-9_]*)"\]')


def normalise(trace: tr.Trace, *, json_values: bool = False) -> tr.Trace:
    """Return the normal form of `trace`, with its order of registrations.

    With `json_values`, JSON objects and lists in texts are normalized, too, so that they compare by value.
    """
    normal = replace(
        trace,
        registrations=tuple(normal_registration(registration) for registration in trace.registrations),
        calls=tuple(_normal_call(call) for call in trace.calls),
        outputs=normal_properties(trace.outputs),
    )
    return _with_json_values(normal) if json_values else normal


def without_places(trace: tr.Trace) -> tr.Trace:
    """Return the run without positions in the source, which depend on the layout of the program and on how it was named."""
    return replace(
        trace,
        registrations=tuple(replace(registration, place=None, places={}) for registration in trace.registrations),
        calls=tuple(replace(call, place=None) for call in trace.calls),
        log=tuple(replace(entry, place=None) for entry in trace.log),
    )


def _with_json_values(trace: tr.Trace) -> tr.Trace:
    return replace(
        trace,
        registrations=tuple(
            replace(registration, inputs=json_properties(registration.inputs), outputs=json_properties(registration.outputs))
            for registration in trace.registrations
        ),
        calls=tuple(
            replace(call, args=json_properties(call.args), answer=json_properties(call.answer)) for call in trace.calls
        ),
        outputs=json_properties(trace.outputs),
    )


def json_properties(properties: tr.Properties) -> tr.Properties:
    """Return properties with all texts that are JSON objects or lists in a form that depends only on their value."""
    return {name: _json_value(value) for name, value in properties.items()}


def _json_value(value: tr.PropertyValue) -> tr.PropertyValue:
    match value:
        case str():
            return _one_form(value)
        case tr.Secret():
            return tr.Secret(_json_value(value.value))
        case tuple():
            return tuple(_json_value(element) for element in value)
        case Mapping():
            return {name: _json_value(member) for name, member in value.items()}
        case _:
            return value


def _one_form(text: str) -> str:
    if text[:1] not in ("{", "["):
        return text
    try:
        return _json_text(_plain(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _plain(data: object) -> object:
    """Return parsed JSON with whole numbers as ints, and with nested JSON texts normalized."""
    match data:
        case str():
            return _one_form(data)
        case float():
            return int(data) if data.is_integer() else data
        case list():
            return [_plain(element) for element in data]
        case dict():
            return {key: _plain(member) for key, member in data.items()}
        case _:
            return data


def in_order(registrations: Iterable[tr.Registration]) -> tuple[tr.Registration, ...]:
    """Return registrations sorted by kind and URN, independent of their arrival."""
    ranks = {kind: rank for rank, kind in enumerate(tr.RegistrationKind)}
    return tuple(sorted(registrations, key=lambda registration: (ranks[registration.kind], registration.urn)))


def normal_registration(registration: tr.Registration) -> tr.Registration:
    """Return the normal form of a registration."""
    provider = registration.kind is tr.RegistrationKind.PROVIDER
    inputs = _present(normal_properties(registration.inputs))
    outputs = _present(normal_properties(registration.outputs))
    return replace(
        registration,
        provider=provider_urn(registration.provider),
        providers={package: provider_urn(reference) for package, reference in sorted(registration.providers.items())},
        inputs=normal_settings(inputs) if provider else inputs,
        outputs=normal_settings(outputs) if provider else outputs,
        dependencies=_as_set(registration.dependencies),
        property_dependencies={
            name: _as_set(urns) for name, urns in sorted(registration.property_dependencies.items()) if urns
        },
        options=_normal_options(registration.options),
    )


def provider_urn(reference: str) -> str:
    """Return the URN in a provider reference (`urn::id`)."""
    parts = reference.split("::")
    return "::".join(parts[:4])


def _as_set(urns: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(urns)))


def _normal_options(options: tr.Options) -> tr.Options:
    return replace(
        options,
        version="",
        plugin_download_url="",
        ignore_changes=_as_set(map(normal_path, options.ignore_changes)),
        hide_diffs=_as_set(map(normal_path, options.hide_diffs)),
        replace_on_changes=_as_set(map(normal_path, options.replace_on_changes)),
        additional_secret_outputs=_as_set(map(normal_path, options.additional_secret_outputs)),
        replace_with=_as_set(options.replace_with),
        hooks={event: names for event, names in sorted(options.hooks.items()) if names},
        custom_timeouts={operation: text for operation, text in sorted(options.custom_timeouts.items()) if text},
        replacement_trigger=normal_value(options.replacement_trigger),
    )


def _normal_call(call: tr.FunctionCall) -> tr.FunctionCall:
    return replace(
        call,
        args=normal_properties(call.args),
        answer=normal_properties(call.answer),
        provider=provider_urn(call.provider),
        version="",
        plugin_download_url="",
    )


def normal_path(path: str) -> str:
    """Return the shortest form of a property path."""
    return _QUOTED_STEP.sub(lambda match: f".{match[1]}", path).removeprefix(".")


def normal_settings(settings: tr.Properties) -> tr.Properties:
    """Return the settings of a provider, each as JSON text; texts are unchanged."""
    return {name: _setting(value) for name, value in settings.items()}


def _setting(value: tr.PropertyValue) -> tr.PropertyValue:
    match value:
        case tr.Secret():
            return tr.Secret(_setting(value.value))
        case str():
            try:
                parsed = json.loads(value)
            except ValueError:
                return value
            return value if isinstance(parsed, str) else _json_text(_without_nulls(parsed))
        case None | tr.Unknown():
            return value
        case _:
            return _json_text(_without_nulls(value_to_json(value)))


def _without_nulls(data: Json) -> Json:
    """Return JSON without the members of objects that are null, which SDKs do not send."""
    match data:
        case dict():
            return {name: _without_nulls(member) for name, member in data.items() if member is not None}
        case list():
            return [_without_nulls(element) for element in data]
        case _:
            return data


def _json_text(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _present(properties: tr.Properties) -> tr.Properties:
    return {name: value for name, value in properties.items() if value is not None}


def normal_properties(properties: tr.Properties) -> tr.Properties:
    """Return the normal form of a property map, keys sorted."""
    return {name: normal_value(value) for name, value in sorted(properties.items())}


def normal_value(value: tr.PropertyValue, *, inside_secret: bool = False) -> tr.PropertyValue:
    """Return the normal form of a value."""
    match value:
        case None | bool() | int() | str() | tr.Unknown() | tr.Bytes():
            return value
        case float():
            return int(value) if value.is_integer() and abs(value) <= 2**53 else value
        case tr.Secret() | tr.Output(secret=True):
            inner = normal_value(value.value, inside_secret=True)
            return inner if inside_secret or isinstance(inner, tr.Unknown) else tr.Secret(inner)
        case tr.Output():
            return normal_value(value.value, inside_secret=inside_secret)
        case tr.ResourceRef():
            return tr.ResourceRef(value.urn, value.id if value.id != "" else tr.UNKNOWN)
        case tr.Asset():
            return replace(value, hash="")
        case tr.Archive():
            members = value.members
            blobs = None if members is None else {name: _normal_blob(blob) for name, blob in sorted(members.items())}
            return replace(value, hash="", members=blobs)
        case tuple():
            return tuple(normal_value(element, inside_secret=inside_secret) for element in value)
        case Mapping():
            return {name: normal_value(member, inside_secret=inside_secret) for name, member in sorted(value.items())}
        case _:
            assert_never(value)


def _normal_blob(blob: tr.Asset | tr.Archive) -> tr.Asset | tr.Archive:
    normal = normal_value(blob)
    assert isinstance(normal, tr.Asset | tr.Archive)
    return normal


def referred(value: tr.PropertyValue) -> Iterator[str]:
    """Yield the URNs of the resources that a value refers to."""
    return (part.urn for part in tr.parts_of(value) if isinstance(part, tr.ResourceRef))
