"""Runs of the conformance tests as the reference's engine recorded them, and comparison of an evaluation with them.

A snapshot holds the engine's state after the update: for each resource what was registered (inputs, parent, provider,
dependencies, options) and its outputs.  Default providers are the engine's own and are looked at only for the version in
their name.  What the engine does to a registration before it is in the state is done to the evaluator's here:

* `customTimeouts` are seconds; hooks have other names; `version` and `__internal` of providers are the engine's
* components that a provider makes are in the state as the provider registered them
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pclgen.evaluate.models import ResourceAnswer
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.trace.json import Json, properties_from_json, value_from_json, value_to_json
from pclgen.trace.model import (
    Options,
    Properties,
    PropertyValue,
    Registration,
    RegistrationKind,
    Trace,
    Unknown,
)
from pclgen.trace.normal import normal_path, normal_properties, normal_registration, normal_value, provider_urn
from pclgen.types.declarations import Package
from tests.support.corpus import CORPUS
from tests.support.providers.conformance import ConformanceModel

LANGUAGES = ("pcl", "python", "nodejs", "go")
"""The languages of snapshots, in the order in which they are asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of one test."""

    test: str
    index: int
    folder: Path
    main: str
    project: str
    config: Mapping[str, ConfigValue]
    schemas: tuple[Path, ...]
    stacks: Mapping[str, Properties]
    snapshots: Mapping[str, Mapping[str, Json]]
    options: Mapping[str, Json]

    @property
    def name(self) -> str:
        """The name of the run, as lists of exceptions write it."""
        return f"{self.test}/{self.index}"

    def settings(self, language: str, *, preview: bool) -> Settings:
        """The settings with which the evaluator repeats it; answers are those recorded for `language`."""
        recorded = {} if preview else answers(self.snapshots[language])
        return Settings(
            project=self.project,
            stack="test",
            organization="organization",
            preview=preview,
            config=self.config,
            default_model=ConformanceModel(recorded),
            stacks=self.stacks,
            directory=self.folder / self.main,
            root_directory=self.folder,
            continue_on_error=self.options.get("ContinueOnError") is True,
            pulumi_version="3.200.0",
        )


def runs() -> Iterator[Run]:
    """All runs that have a snapshot."""
    schemas = CORPUS / "schemas" / "conformance"
    for path in sorted((CORPUS / "conformance").glob("*/test.json")):
        test = json.loads(path.read_text(encoding="utf-8"))
        for run in test["runs"]:
            snapshots = {}
            for language in LANGUAGES:
                found = path.parent / f"snapshot-{run['run']}.{language}.json"
                if found.is_file():
                    snapshots[language] = json.loads(found.read_text(encoding="utf-8"))
            if not snapshots:
                continue
            yield Run(
                test=path.parent.name,
                index=run["run"],
                folder=path.parent / run["program"],
                main=run["main"],
                project=test["projectName"],
                config={key: ConfigValue(_config_text(value), value["secret"]) for key, value in run["config"].items()},
                schemas=tuple(schemas / name for name in test["schemas"] if (schemas / name).is_file()),
                stacks={name: properties_from_json(out) for name, out in (test.get("stackReferences") or {}).items()},
                snapshots=snapshots,
                options=run["updateOptions"],
            )


def _config_text(value: Mapping[str, str]) -> str:
    """A configuration value as programs get it: what the raw form holds is encrypted, or JSON."""
    return value["plaintext"]


def resources_of(snapshot: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The resources of a snapshot."""
    state = snapshot["snapshot"]
    found = state["resources"] if isinstance(state, dict) else []
    assert isinstance(found, list)
    return [resource for resource in found if isinstance(resource, dict)]


def _is_default_provider(resource: Mapping[str, Json]) -> bool:
    urn = str(resource["urn"])
    return str(resource["type"]).startswith("pulumi:providers:") and urn.rsplit("::", 1)[-1].startswith("default")


def answers(snapshot: Mapping[str, Json]) -> dict[str, ResourceAnswer]:
    """What providers answered, by URN."""
    return {
        str(resource["urn"]): ResourceAnswer(id=_id(resource), outputs=properties_from_json(resource["outputs"]))
        for resource in resources_of(snapshot)
        if resource["custom"] and not resource.get("external") and not _is_default_provider(resource)
    }


def _id(resource: Mapping[str, Json]) -> str:
    found = resource.get("id")
    return found if isinstance(found, str) else ""


# --- the state as the snapshot has it, and as the evaluator would leave it -----------------------------------------------


def recorded_state(snapshot: Mapping[str, Json]) -> dict[str, dict[str, Json]]:
    """Everything that is compared, by URN."""
    found = {}
    for resource in resources_of(snapshot):
        if _is_default_provider(resource):
            continue
        kept = {name: value for name, value in resource.items() if name not in ("urn", "extensionRef")}
        kept["inputs"] = _normal_json(kept["inputs"], provider=str(resource["type"]).startswith("pulumi:providers:"))
        kept["outputs"] = _normal_json(kept["outputs"], provider=str(resource["type"]).startswith("pulumi:providers:"))
        for name in ("ignoreChanges", "hideDiffs", "replaceOnChanges", "additionalSecretOutputs"):
            kept[name] = _paths(kept.get(name))
        kept["provider"] = provider_urn(str(kept.get("provider", "")))
        found[str(resource["urn"])] = {name: value for name, value in kept.items() if value not in (None, "", [], {})}
    return found


def _paths(data: Json) -> Json:
    found = {normal_path(path) for path in data if isinstance(path, str)} if isinstance(data, list) else set()
    return sorted(found)


def _normal_json(data: Json, *, provider: bool) -> Json:
    properties = normal_properties(properties_from_json(data))
    if provider:
        properties = {name: value for name, value in properties.items() if name not in ("__internal", "version")}
    return {name: value_to_json(value) for name, value in properties.items()}


Packages: TypeAlias = Mapping[str, Package]
"""The packages of a program, by name."""


def evaluated_state(trace: Trace, packages: Packages) -> dict[str, dict[str, Json]]:
    """The same of an evaluation.  What was refused is not in the state."""
    refused = {entry.urn for entry in trace.log if entry.urn}
    found: dict[str, dict[str, Json]] = {}
    protect: dict[str, bool] = {}
    retain: dict[str, bool] = {}
    for registration in trace.registrations:
        _inherit(registration, protect, retain)
        if registration.remote or registration.urn in refused:
            continue  # the provider of a remote component registers it, or nothing
        state = _state(normal_registration(registration), registration, packages)
        state["protect"] = protect[registration.urn] or None
        state["retainOnDelete"] = retain[registration.urn] or None
        found[registration.urn] = {name: value for name, value in state.items() if value not in (None, "", [], {})}
    return found


def _inherit(registration: Registration, protect: dict[str, bool], retain: dict[str, bool]) -> None:
    """The engine gives children what their parents have."""
    own = registration.options
    parent = registration.parent
    protect[registration.urn] = protect.get(parent, False) if own.protect is None else own.protect
    retain[registration.urn] = retain.get(parent, False) if own.retain_on_delete is None else own.retain_on_delete


def _state(registration: Registration, original: Registration, packages: Packages) -> dict[str, Json]:
    options = registration.options
    provider = registration.kind is RegistrationKind.PROVIDER
    state: dict[str, Json] = {
        "custom": registration.custom,
        "type": registration.type,
        "parent": registration.parent,
        "id": "<UUID>" if provider else _shown_id(registration),
        "inputs": {name: value_to_json(value) for name, value in registration.inputs.items()},
        "outputs": {name: value_to_json(value) for name, value in registration.outputs.items()},
        "dependencies": list(registration.dependencies),
        "propertyDependencies": {name: list(urns) for name, urns in registration.property_dependencies.items()},
        "provider": _provider(registration, original, packages),
        "external": registration.kind is RegistrationKind.READ or None,
    }
    if provider:
        state["outputs"] = _normal_json(state["outputs"], provider=True)
    return state | _options(options)


def _shown_id(registration: Registration) -> Json:
    if registration.type == "pulumi:index:Stash":
        return "<UUID>"
    return None if registration.id is None or isinstance(registration.id, Unknown) else registration.id


def _provider(registration: Registration, original: Registration, packages: Packages) -> str:
    """The provider; the default one has the package's version in its name.  Extension packages are served by their base."""
    if not registration.custom or registration.kind is RegistrationKind.PROVIDER:
        return ""
    if registration.provider:
        return registration.provider
    package, version = registration.type.split(":")[0], original.options.version
    found = packages.get(package)
    if found is not None and found.parameterization is not None and found.parameterization.extension:
        package, version = found.parameterization.base_name, found.parameterization.base_version
    version = re.sub(r"[.+-]", "_", version)
    url = re.sub(r"[^\w./-]", "_", original.options.plugin_download_url.replace("//", "/"))
    parts = ["default", *([version] if version else []), *([url] if url else [])]
    start = ":".join(registration.urn.split(":")[:3])
    project = registration.urn.split("::")[1]
    return f"{start}::{project}::pulumi:providers:{package}::{'_'.join(parts)}"


_EVENTS = {
    "beforeCreate": "BeforeCreate",
    "afterCreate": "AfterCreate",
    "beforeUpdate": "BeforeUpdate",
    "afterUpdate": "AfterUpdate",
    "beforeDelete": "BeforeDelete",
    "afterDelete": "AfterDelete",
    "onError": "OnError",
}


def _options(options: Options) -> dict[str, Json]:
    timeouts: dict[str, Json] = {name: _seconds(text) for name, text in options.custom_timeouts.items()}
    return {
        "ignoreChanges": list(options.ignore_changes),
        "hideDiffs": list(options.hide_diffs),
        "replaceOnChanges": list(options.replace_on_changes),
        "additionalSecretOutputs": list(options.additional_secret_outputs),
        "customTimeouts": timeouts,
        "deletedWith": options.deleted_with,
        "replaceWith": list(options.replace_with),
        "importID": options.import_id,
        "replacementTrigger": value_to_json(options.replacement_trigger),
        "resourceHooks": {_EVENTS[event]: list(names) for event, names in options.hooks.items()},
    }


def _seconds(text: str) -> float:
    units = {"h": 3600, "m": 60, "s": 1}
    return sum(float(amount) * units[unit] for amount, unit in re.findall(r"([\d.]+)([hms])", text))


def differences(recorded: Json, evaluated: Json, path: str = "") -> Iterator[str]:
    """Where two states differ."""
    if isinstance(recorded, dict) and isinstance(evaluated, dict):
        for name in sorted({*recorded, *evaluated}):
            place = f"{path}/{name}"
            if name not in evaluated:
                yield f"{place}: recorded {json.dumps(recorded[name])[:200]}, not evaluated"
            elif name not in recorded:
                yield f"{place}: evaluated {json.dumps(evaluated[name])[:200]}, not recorded"
            else:
                yield from differences(recorded[name], evaluated[name], place)
    elif not _agree(recorded, evaluated):
        yield f"{path}: recorded {json.dumps(recorded)[:200]}, evaluated {json.dumps(evaluated)[:200]}"


def _agree(recorded: Json, evaluated: Json) -> bool:
    if isinstance(recorded, list) and isinstance(evaluated, list):
        return len(recorded) == len(evaluated) and not any(
            list(differences(one, other)) for one, other in zip(recorded, evaluated, strict=True)
        )
    return recorded == evaluated and isinstance(recorded, bool) == isinstance(evaluated, bool)


def outputs_of(properties: Properties) -> dict[str, Json]:
    """Stack outputs in the form of snapshots."""
    return {name: value_to_json(normal_value(value)) for name, value in properties.items()}


def recorded_outputs(phase: Json) -> dict[str, Json]:
    """The stack outputs of a phase of a snapshot."""
    outputs = phase.get("stackOutputs") if isinstance(phase, dict) else None
    if not isinstance(outputs, dict):
        return {}
    return {name: value_to_json(normal_value(value_from_json(value))) for name, value in outputs.items()}


__all__ = [
    "PropertyValue",
    "Run",
    "differences",
    "evaluated_state",
    "outputs_of",
    "recorded_outputs",
    "recorded_state",
    "runs",
]
