"""The engine's operation for a registration: create, update, replace, keep, delete.

Operations, by URN, follow from the state of an earlier run (as a snapshot has it) and a trace.  This is the part of the
engine's step generator that the conformance tests use; all of their providers leave the decision to the engine, which
compares inputs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pclgen.trace import model as tr
from pclgen.trace.json import Json, value_to_json
from pclgen.trace.normal import normal_registration
from tests.support.providers.conformance import is_target

State = Mapping[str, Mapping[str, Json]]

REPLACE = ("create-replacement", "delete-replaced", "replace")


def operations(earlier: State, trace: tr.Trace, targets: Collection[str]) -> set[tuple[str, str]]:
    """The operations of a run, as (operation, URN)."""
    result: set[tuple[str, str]] = set()
    kept: set[str] = set()
    refused = {entry.urn for entry in trace.log if entry.urn and entry.severity == "error"}
    for registration in trace.registrations:
        if registration.remote:
            continue
        urns = [urn for urn in (registration.urn, *_former_urns(registration, trace)) if urn in earlier]
        kept.update(urns[:1])
        if targets and registration.custom and not is_target(registration.urn, targets):
            result.add(("same", registration.urn))  # whether or not it exists
            continue
        old = earlier[urns[0]] if urns else None
        result.update((name, registration.urn) for name in _steps(registration, old))
    if not targets and not trace.failed and not refused:
        result.update(("delete", urn) for urn in earlier if urn not in kept)
    return result


def _steps(registration: tr.Registration, old: Mapping[str, Json] | None) -> Collection[str]:
    if registration.kind is tr.RegistrationKind.READ:
        return ("read",)
    if old is None:
        return ("import",) if registration.options.import_id else ("create",)
    normal = normal_registration(registration)
    trigger = value_to_json(normal.options.replacement_trigger)
    if isinstance(normal.options.replacement_trigger, tr.Unknown) or trigger != old.get("replacementTrigger"):
        return REPLACE
    ignored = {path.split(".")[0].split("[")[0] for path in normal.options.ignore_changes}
    changed = [name for name in _changed(normal, old) if name not in ignored]
    if not changed:
        return ("same",)
    replacing = {path.split(".")[0].split("[")[0] for path in normal.options.replace_on_changes}
    return REPLACE if replacing & {*changed, "*"} and (replacing & set(changed) or "*" in replacing) else ("update",)


def _changed(registration: tr.Registration, old: Mapping[str, Json]) -> Iterator[str]:
    """The changed inputs; secret marks do not count."""
    before = old.get("inputs")
    inputs = before if isinstance(before, dict) else {}
    now = {name: value_to_json(value) for name, value in registration.inputs.items()}
    for name in sorted({*inputs, *now}):
        if _bare(inputs.get(name)) != _bare(now.get(name)):
            yield name


def _bare(value: Json) -> Json:
    match value:
        case {"$secret": inner}:
            return _bare(inner)
        case dict():
            return {name: _bare(member) for name, member in value.items()}
        case list():
            return [_bare(element) for element in value]
        case _:
            return value


def _former_urns(registration: tr.Registration, trace: tr.Trace) -> Iterator[str]:
    """Possible former URNs of the resource: from its own aliases and those of its parents."""
    parents = [registration.parent]
    above = trace.registration(registration.parent)
    if above is not None and above.kind is not tr.RegistrationKind.STACK:
        parents.extend(_former_urns(above, trace))
    for parent in parents[1:]:
        yield _urn(registration, trace, tr.Alias(), parent, above)
    for alias in registration.options.aliases:
        if alias.urn:
            yield alias.urn
            continue
        for parent in [alias.parent] if alias.parent else ([""] if alias.no_parent else parents):
            yield _urn(registration, trace, alias, parent, above)


def _urn(registration: tr.Registration, trace: tr.Trace, alias: tr.Alias, parent: str, above: tr.Registration | None) -> str:
    name = alias.name or registration.name
    if not alias.name and above is not None and parent != registration.parent and parent:
        # A child whose name begins with the parent's name is renamed together with the parent.
        former = tr.name_of(parent)
        if registration.name.startswith(above.name) and above.kind is not tr.RegistrationKind.STACK:
            name = former + registration.name.removeprefix(above.name)
    return tr.make_urn(
        stack=alias.stack or trace.stack,
        project=alias.project or trace.project,
        parent=parent,
        token=alias.type or tr.type_of(registration.urn),
        name=name,
    )


def recorded_operations(phase: Json) -> set[tuple[str, str]]:
    """The recorded operations, without those on default providers, which belong to the engine."""
    ops = phase.get("ops") if isinstance(phase, dict) else None
    pairs = {(str(op["op"]), str(op["urn"])) for op in ops or () if isinstance(op, dict)} if isinstance(ops, list) else set()
    return {
        (op, urn) for op, urn in pairs if urn and not tr.name_of(urn).startswith("default_") and tr.name_of(urn) != "default"
    }
