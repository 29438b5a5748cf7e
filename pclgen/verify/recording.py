"""Requests of SDKs to `pulumirpc.ResourceMonitor`, converted to registrations of `trace.model`.

Empty members of messages mean that the program did not set them; constants that each SDK sends are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pclgen.evaluate.models import registered_kind
from pclgen.trace.model import UNKNOWN, Alias, Options, Registration, RegistrationKind
from pclgen.verify.wire import UNKNOWN_TEXT, read_properties, read_value

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
