"""Runs of the conformance tests as the reference's engine recorded them, and comparison of an evaluation with them.

A snapshot has the engine's state after the update: for each resource its registration (inputs, parent, provider,
dependencies, options) and its outputs.  Default providers belong to the engine and are read only for the version in their
name.  The engine's changes to a registration before it enters the state are applied to the evaluator's here:

* `customTimeouts` are seconds; hooks have other names; `version` and `__internal` of providers are the engine's
* components that a provider makes are in the state as the provider registered them
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from pclgen.evaluate.models import ResourceAnswer
from pclgen.evaluate.options import HookCall, HookFailureError
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.trace import model as tr
from pclgen.trace.json import Json, properties_from_json, value_from_json, value_to_json
from pclgen.trace.normal import (
    normal_path,
    normal_properties,
    normal_registration,
    normal_settings,
    normal_value,
    provider_urn,
)
from pclgen.types.declarations import Package
from tests.support.corpus import CORPUS
from tests.support.operations import operations, recorded_operations
from tests.support.providers.conformance import ConformanceModel, is_target

LANGUAGES = ("pcl", "python", "nodejs", "go")
"""The languages of snapshots, in order of preference."""


class Run(Struct, frozen=True, kw_only=True):
    """One run of one test."""

    test: str
    index: int
    folder: Path
    main: str
    project: str
    config: Mapping[str, ConfigValue]
    schemas: tuple[Path, ...]
    components: tuple[str, ...]
    stacks: Mapping[str, tr.Properties]
    snapshots: Mapping[str, Mapping[str, Json]]
    options: Mapping[str, Json]
    earlier: Mapping[str, Mapping[str, Json]]

    @property
    def name(self) -> str:
        """The name of the run in lists of exceptions."""
        return f"{self.test}/{self.index}"

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets of an update; empty if it updates everything."""
        value = self.options.get("Targets")
        return tuple(str(target) for target in value) if isinstance(value, list) else ()

    def settings(self, language: str, *, preview: bool) -> Settings:
        """The settings with which the evaluator repeats the run; answers are those recorded for `language`."""
        snapshot = self.snapshots[language]
        recorded = {} if preview else answers(snapshot)
        model = ConformanceModel(
            recorded,
            earlier=answers(self.earlier[language]) if language in self.earlier else {},
            refused=refused_by_policies(snapshot, "preview" if preview else "update"),
            targets=self.targets,
        )
        return Settings(
            project=self.project,
            stack="test",
            organization="organization",
            preview=preview,
            config=self.config,
            default_model=model,
            run_hook=_run_command,
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
                file = path.parent / f"snapshot-{run['run']}.{language}.json"
                if file.is_file():
                    snapshots[language] = json.loads(file.read_text(encoding="utf-8"))
            if not snapshots:
                continue
            index = run["run"]
            earlier = {
                language: json.loads(file.read_text(encoding="utf-8"))
                for language in snapshots
                if index and (file := path.parent / f"snapshot-{index - 1}.{language}.json").is_file()
            }
            yield Run(
                earlier=earlier,
                test=path.parent.name,
                index=run["run"],
                folder=path.parent / run["program"],
                main=run["main"],
                project=test["projectName"],
                config={key: ConfigValue(_config_text(value), value["secret"]) for key, value in run["config"].items()},
                schemas=tuple(schemas / name for name in test["schemas"] if (schemas / name).is_file()),
                components=tuple(p["name"] for p in test["providers"] if p["implementedInLanguage"]),
                stacks={name: properties_from_json(out) for name, out in (test.get("stackReferences") or {}).items()},
                snapshots=snapshots,
                options=run["updateOptions"],
            )


def _run_command(call: HookCall) -> None:
    """Run commands of hooks in the tests: `touch` and `false`.  Nothing outside of the evaluation changes."""
    if call.command[:1] != ("touch",):
        raise HookFailureError(f"hook command {list(call.command)} failed: exit status 1")


def refused_by_policies(snapshot: Mapping[str, Json], phase: str) -> frozenset[str]:
    """The URNs that a mandatory policy refused: the engine skips them."""
    record = snapshot[phase]
    events = record.get("policyEvents") if isinstance(record, dict) else None
    return frozenset(
        str(event["urn"])
        for event in (events if isinstance(events, list) else ())
        if isinstance(event, dict) and event.get("kind") == "violation" and event.get("enforcement") == "mandatory"
    )


def _config_text(value: Mapping[str, str]) -> str:
    """A configuration value as programs get it: the raw form is encrypted, or JSON."""
    return value["plaintext"]


def resources_of(snapshot: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The resources of a snapshot."""
    state = snapshot["snapshot"]
    resources = state["resources"] if isinstance(state, dict) else []
    assert isinstance(resources, list)
    return [resource for resource in resources if isinstance(resource, dict)]


def _is_default_provider(resource: Mapping[str, Json]) -> bool:
    urn = str(resource["urn"])
    return str(resource["type"]).startswith("pulumi:providers:") and urn.rsplit("::", 1)[-1].startswith("default")


def answers(snapshot: Mapping[str, Json]) -> dict[str, ResourceAnswer]:
    """The answers of providers, by URN."""
    return {
        str(resource["urn"]): ResourceAnswer(id=_id(resource), outputs=properties_from_json(resource["outputs"]))
        for resource in resources_of(snapshot)
        if resource["custom"]
        and not resource.get("external")
        and not _is_default_provider(resource)
        and "$largeString" not in json.dumps(resource["outputs"])  # only a digest was recorded
    }


def _id(resource: Mapping[str, Json]) -> str:
    value = resource.get("id")
    return value if isinstance(value, str) else ""


# --- the state as the snapshot has it, and as the evaluator would leave it -----------------------------------------------


def recorded_state(snapshot: Mapping[str, Json]) -> dict[str, dict[str, Json]]:
    """The compared parts of the recorded state, by URN."""
    states: dict[str, dict[str, Json]] = {}
    for resource in resources_of(snapshot):
        if _is_default_provider(resource):
            continue
        kept = {name: value for name, value in resource.items() if name not in ("urn", "extensionRef")}
        kept["inputs"] = _normal_json(kept["inputs"], provider=str(resource["type"]).startswith("pulumi:providers:"))
        kept["outputs"] = _normal_json(kept["outputs"], provider=str(resource["type"]).startswith("pulumi:providers:"))
        for name in ("ignoreChanges", "hideDiffs", "replaceOnChanges", "additionalSecretOutputs"):
            kept[name] = _paths(kept.get(name))
        kept["provider"] = provider_urn(str(kept.get("provider", "")))
        states[str(resource["urn"])] = {name: value for name, value in kept.items() if value not in (None, "", [], {})}
    return states


def _paths(data: Json) -> Json:
    paths = {normal_path(path) for path in data if isinstance(path, str)} if isinstance(data, list) else set()
    return [*sorted(paths)]


def _normal_json(data: Json, *, provider: bool) -> Json:
    assert isinstance(data, dict), "inputs and outputs are objects"
    properties = normal_properties(properties_from_json(data))
    if provider:
        own = ("__internal", "version")
        properties = normal_settings({name: value for name, value in properties.items() if name not in own})
    return {name: value_to_json(value) for name, value in properties.items()}


State: TypeAlias = Mapping[str, dict[str, Json]]
"""The compared state, by URN and then by the names that snapshots use."""

Packages: TypeAlias = Mapping[str, Package]
"""The packages of a program, by name."""


def evaluated_state(trace: tr.Trace, packages: Packages) -> dict[str, dict[str, Json]]:
    """The same parts for an evaluation.  Refused resources are not in the state."""
    refused = {entry.urn for entry in trace.log if entry.urn and entry.severity == "error"}
    states: dict[str, dict[str, Json]] = {}
    protect: dict[str, bool] = {}
    retain: dict[str, bool] = {}
    for registration in trace.registrations:
        _inherit(registration, protect, retain)
        if registration.remote or registration.urn in refused:
            continue  # only the provider of a remote component may register it
        state = _state(normal_registration(registration), registration, packages)
        state["protect"] = protect[registration.urn] or None
        state["retainOnDelete"] = retain[registration.urn] or None
        states[registration.urn] = {name: value for name, value in state.items() if value not in (None, "", [], {})}
    return states


def _inherit(registration: tr.Registration, protect: dict[str, bool], retain: dict[str, bool]) -> None:
    """Copy the options that the engine passes from parents to children."""
    own = registration.options
    parent = registration.parent
    protect[registration.urn] = protect.get(parent, False) if own.protect is None else own.protect
    retain[registration.urn] = retain.get(parent, False) if own.retain_on_delete is None else own.retain_on_delete


def _state(registration: tr.Registration, original: tr.Registration, packages: Packages) -> dict[str, Json]:
    options = registration.options
    provider = registration.kind is tr.RegistrationKind.PROVIDER
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
        "external": registration.kind is tr.RegistrationKind.READ or None,
    }
    if provider:
        state["outputs"] = _normal_json(state["outputs"], provider=True)
    return state | _options(options)


def _shown_id(registration: tr.Registration) -> Json:
    if registration.type == "pulumi:index:Stash":
        return "<UUID>"
    return None if registration.id is None or isinstance(registration.id, tr.Unknown) else registration.id


def _provider(registration: tr.Registration, original: tr.Registration, packages: Packages) -> str:
    """The provider; a default provider has the package's version in its name.  Extension packages use their base."""
    if not registration.custom or registration.kind is tr.RegistrationKind.PROVIDER:
        return ""
    if registration.provider:
        return registration.provider
    package, version = registration.type.split(":")[0], original.options.version
    package_info = packages.get(package)
    if package_info is not None and package_info.parameterization is not None and package_info.parameterization.extension:
        package, version = package_info.parameterization.base_name, package_info.parameterization.base_version
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


def _options(options: tr.Options) -> dict[str, Json]:
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


# --- comparison --------------------------------------------------------------------------------------------------------

_MASK = "[secret]"
_ELIDED = "<contents elided>"


def differences(recorded: Json, evaluated: Json, path: str = "") -> Iterator[str]:
    """The differences of two states."""
    if isinstance(recorded, dict) and "$largeString" in recorded:
        if _large(evaluated) != recorded["$largeString"]:
            yield f"{path}: another large text"
    elif isinstance(recorded, dict) and isinstance(evaluated, dict):
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
            list(differences(left, right)) for left, right in zip(recorded, evaluated, strict=True)
        )
    return recorded == evaluated and isinstance(recorded, bool) == isinstance(evaluated, bool)


def _large(value: Json) -> Json:
    """A long text as a snapshot writes it."""
    if not isinstance(value, str):
        return value
    return {"length": len(value), "prefix": value[:64], "sha256": sha256(value.encode()).hexdigest()}


def state_differences(run: Run, language: str, trace: tr.Trace, packages: Packages) -> Iterator[str]:
    """The differences of the state after the update from the recorded state."""
    snapshot = run.snapshots[language]
    recorded = recorded_state(snapshot)
    evaluated = evaluated_state(trace, packages)
    earlier = recorded_state(run.earlier[language]) if language in run.earlier else {}
    if run.targets:
        evaluated = {
            urn: earlier.get(urn, {}) if state["custom"] and not is_target(urn, run.targets) else state
            for urn, state in evaluated.items()
        }
        evaluated = {urn: state for urn, state in evaluated.items() if state}
    if trace.failed:
        # A failed run leaves the resources that it did not reach unchanged in the state.
        stack = next(iter(evaluated))
        evaluated[stack] |= {"outputs": earlier.get(stack, {}).get("outputs", {})} if not trace.outputs else {}
        evaluated[stack] = {name: value for name, value in evaluated[stack].items() if value != {}}
        evaluated = {**earlier, **evaluated}
    yield from differences(_as_json(recorded), _placeholders(run, evaluated))
    update = snapshot["update"]
    assert isinstance(update, dict), "an update has a result"
    if (update["error"] is not None) != (trace.failed or next(iter(evaluated)) in refused_by_policies(snapshot, "update")):
        yield f"the recorded run {'failed' if update['error'] is not None else 'did not fail'}: {update['error']}"
    yield from _operation_differences(run, language, trace, update)


def _as_json(state: State) -> Json:
    result: dict[str, Json] = {urn: dict(members) for urn, members in state.items()}
    return result


def _placeholders(run: Run, value: Any) -> Any:
    """Replace the folder of the program as snapshots do."""
    if isinstance(value, str):
        return value.replace(str(run.folder), "<PROJECT>")
    if isinstance(value, list):
        return [_placeholders(run, element) for element in value]
    if isinstance(value, dict):
        return {name: _placeholders(run, member) for name, member in value.items()}
    return value


def preview_differences(run: Run, language: str, trace: tr.Trace, packages: Packages) -> Iterator[str]:
    """The differences of the preview's stack outputs, and of the resources it would create, from the record.

    The engine shows a preview as it would log it: every secret text is `[secret]`, and texts of assets are omitted.
    """
    phase = run.snapshots[language]["preview"]
    assert isinstance(phase, dict), "a preview has a result"
    outputs = phase.get("stackOutputs")
    evaluated = {name: value_to_json(normal_value(value)) for name, value in trace.outputs.items()}
    secrets = {value.text for value in run.config.values() if value.secret} | set(_secret_texts(evaluated))
    shown = _placeholders(run, _masked(evaluated, secrets, False))
    stack_refused = trace.registrations[0].urn in refused_by_policies(run.snapshots[language], "preview")
    if (trace.failed or stack_refused) != (phase["error"] is not None):
        yield f"the recorded preview failed: {phase['error']}"
    if isinstance(outputs, dict) and not trace.failed:
        yield from differences(_masked(_normal_outputs(outputs), secrets, False), shown, "outputs")
    yield from _operation_differences(run, language, trace, phase)


def _operation_differences(run: Run, language: str, trace: tr.Trace, phase: Mapping[str, Json]) -> Iterator[str]:
    """The differences of a phase's operations from those that the engine would do for the registrations."""
    if "ops" not in phase:
        return
    earlier = recorded_state(run.earlier[language]) if language in run.earlier else {}
    recorded, evaluated = recorded_operations(dict(phase)), operations(earlier, trace, run.targets)
    if not trace.preview:
        # An update skips resources that a policy refuses; a preview shows their operations.
        refused = refused_by_policies(run.snapshots[language], "update") - {trace.registrations[0].urn}
        evaluated = {(operation, urn) for operation, urn in evaluated if urn not in refused}
    if recorded != evaluated:
        yield f"operations: recorded {sorted(recorded - evaluated)}, evaluated {sorted(evaluated - recorded)}"


def _normal_outputs(outputs: dict[str, Json]) -> Json:
    return {name: value_to_json(normal_value(value_from_json(value))) for name, value in outputs.items()}


def _secret_texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            if name == "$secret" and isinstance(member, str):
                yield member
            yield from _secret_texts(member)
    elif isinstance(value, list):
        for element in value:
            yield from _secret_texts(element)


def _masked(value: Json, secrets: set[str], inside: bool) -> Json:
    """A value as the engine shows it."""
    match value:
        case str() if value in secrets:
            return _MASK
        case list() if not inside:
            return [_masked(element, secrets, inside) for element in value]
        case {"$secret": _}:
            return {"$secret": _MASK}
        case {"$asset": {"text": str()}}:
            return {"$asset": {"text": _ELIDED}}
        case dict():
            return {name: _masked(member, secrets, inside) for name, member in value.items()}
        case _:
            return value
