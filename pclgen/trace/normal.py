"""The form in which two runs are compared: what SDKs do differently without meaning anything by it is made the same.

Comes in: a `Trace` as it was recorded.  Goes out: a `Trace` of the same form.  The rules and why (spec ecosystem 3.4):

* output values become plain, secret or unknown ones: their dependencies are those of the property, sent apart;
* an unknown is an unknown, whether or not it would be a secret: SDKs differ in what they send for both at once;
* a secret inside of a secret is just inside of it: the outer mark covers it;
* a number is an int when it is whole; numbers are doubles on the wire;
* hashes of assets are left out: they follow from the content, and not every SDK sends them;
* versions and download addresses are left out: SDKs send that of the package they are built from;
* settings of providers are JSON texts: some SDKs send them so, others as they are;
* a path has one form: `tags["env"]` is `tags.env`; where the order of paths means nothing they are sorted;
* a top-level input or output that is null is one that is not there: not every SDK sends it;
* a provider reference is the provider's URN: its id is made up in previews;
* lists of dependencies are sets, and a property without dependencies has no entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from pclgen.trace.json import value_to_json
from pclgen.trace.model import (
    UNKNOWN,
    Archive,
    Asset,
    Bytes,
    FunctionCall,
    Options,
    Output,
    Properties,
    PropertyValue,
    Registration,
    RegistrationKind,
    ResourceRef,
    Secret,
    Trace,
    Unknown,
)

_QUOTED_STEP = re.compile(r'\["([A-Za-z_][A-Za-z0-9_]*)"\]')


def normalise(trace: Trace, *, json_values: bool = False) -> Trace:
    """`trace` in the form for comparison; the order of registrations stays.

    `json_values`: texts that are JSON objects or lists count by their value, not by their bytes.
    """
    normal = replace(
        trace,
        registrations=tuple(normal_registration(found) for found in trace.registrations),
        calls=tuple(_normal_call(call) for call in trace.calls),
        outputs=normal_properties(trace.outputs),
    )
    return _with_json_values(normal) if json_values else normal


def _with_json_values(trace: Trace) -> Trace:
    return replace(
        trace,
        registrations=tuple(
            replace(one, inputs=json_properties(one.inputs), outputs=json_properties(one.outputs))
            for one in trace.registrations
        ),
        calls=tuple(
            replace(call, args=json_properties(call.args), answer=json_properties(call.answer)) for call in trace.calls
        ),
        outputs=json_properties(trace.outputs),
    )


def json_properties(properties: Properties) -> Properties:
    """Properties with all texts that are JSON objects or lists in one form, which depends on their value only."""
    return {name: _json_value(value) for name, value in properties.items()}


def _json_value(value: PropertyValue) -> PropertyValue:
    match value:
        case str():
            return _one_form(value)
        case Secret():
            return Secret(_json_value(value.value))
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
    """Parsed JSON with whole numbers as ints, and with JSON texts inside in their one form."""
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


def in_order(registrations: Iterable[Registration]) -> tuple[Registration, ...]:
    """Registrations by kind and URN: an order that does not depend on when they arrived."""
    ranks = {kind: rank for rank, kind in enumerate(RegistrationKind)}
    return tuple(sorted(registrations, key=lambda found: (ranks[found.kind], found.urn)))


def normal_registration(found: Registration) -> Registration:
    """One registration in the form for comparison."""
    provider = found.kind is RegistrationKind.PROVIDER
    inputs = _present(normal_properties(found.inputs))
    outputs = _present(normal_properties(found.outputs))
    return replace(
        found,
        provider=provider_urn(found.provider),
        providers={package: provider_urn(reference) for package, reference in sorted(found.providers.items())},
        inputs=normal_settings(inputs) if provider else inputs,
        outputs=normal_settings(outputs) if provider else outputs,
        dependencies=_as_set(found.dependencies),
        property_dependencies={name: _as_set(urns) for name, urns in sorted(found.property_dependencies.items()) if urns},
        options=_normal_options(found.options),
    )


def provider_urn(reference: str) -> str:
    """The URN in a provider reference (`urn::id`)."""
    parts = reference.split("::")
    return "::".join(parts[:4])


def _as_set(urns: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(urns)))


def _normal_options(options: Options) -> Options:
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


def _normal_call(call: FunctionCall) -> FunctionCall:
    return replace(
        call,
        args=normal_properties(call.args),
        answer=normal_properties(call.answer),
        provider=provider_urn(call.provider),
        version="",
        plugin_download_url="",
    )


def normal_path(path: str) -> str:
    """A property path in its shortest form."""
    return _QUOTED_STEP.sub(lambda found: f".{found[1]}", path).removeprefix(".")


def normal_settings(settings: Properties) -> Properties:
    """The settings of a provider, each as JSON text; texts stay as they are."""
    return {name: _setting(value) for name, value in settings.items()}


def _setting(value: PropertyValue) -> PropertyValue:
    match value:
        case Secret():
            return Secret(_setting(value.value))
        case str():
            try:
                found = json.loads(value)
            except ValueError:
                return value
            return value if isinstance(found, str) else _json_text(found)
        case None | Unknown():
            return value
        case _:
            return _json_text(value_to_json(value))


def _json_text(data: object) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _present(properties: Properties) -> Properties:
    return {name: value for name, value in properties.items() if value is not None}


def normal_properties(properties: Properties) -> Properties:
    """A property map in the form for comparison, keys sorted."""
    return {name: normal_value(value) for name, value in sorted(properties.items())}


def normal_value(value: PropertyValue, *, inside_secret: bool = False) -> PropertyValue:
    """One value in the form for comparison."""
    match value:
        case None | bool() | int() | str() | Unknown() | Bytes():
            return value
        case float():
            return int(value) if value.is_integer() and abs(value) <= 2**53 else value
        case Secret() | Output(secret=True):
            inner = normal_value(value.value, inside_secret=True)
            return inner if inside_secret or isinstance(inner, Unknown) else Secret(inner)
        case Output():
            return normal_value(value.value, inside_secret=inside_secret)
        case ResourceRef():
            return ResourceRef(value.urn, value.id if value.id != "" else UNKNOWN)
        case Asset():
            return replace(value, hash="")
        case Archive():
            members = value.members
            made = None if members is None else {name: _normal_blob(blob) for name, blob in sorted(members.items())}
            return replace(value, hash="", members=made)
        case tuple():
            return tuple(normal_value(element, inside_secret=inside_secret) for element in value)
        case Mapping():
            return {name: normal_value(member, inside_secret=inside_secret) for name, member in sorted(value.items())}
        case _:
            assert_never(value)


def _normal_blob(blob: Asset | Archive) -> Asset | Archive:
    made = normal_value(blob)
    assert isinstance(made, Asset | Archive)
    return made


def referred(value: PropertyValue) -> Iterator[str]:
    """The URNs of the resources that a value refers to."""
    match value:
        case ResourceRef():
            yield value.urn
        case Secret() | Output():
            yield from referred(value.value)
        case tuple():
            for element in value:
                yield from referred(element)
        case Mapping():
            for member in value.values():
                yield from referred(member)
        case _:
            return
