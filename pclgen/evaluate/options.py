"""Resource options and hooks: from evaluated expressions to the options of a registration, and commands that run around it.

The evaluated options of a resource, a read or a component use become `ResolvedOptions`: the resources that they name, and
the other options as `trace.model.Options`.

Hooks are commands around the life of a resource (language.md, Hooks). The evaluator runs no commands by itself: callers that
want hooks to run set `Settings.run_hook`. Hooks of a resource are called by event; a failure is a `HookFailureError`, or a
warning where errors are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.evaluate.operations import text_of
from pclgen.evaluate.values import HookRef, ResourceValue, Value, all_of
from pclgen.evaluate.wire import Sent
from pclgen.stdlib.model import UNKNOWN
from pclgen.stdlib.options import RESOURCE_OPTIONS, OptionForm, OptionSpec
from pclgen.trace.json import json_name
from pclgen.trace.model import Alias, Options
from pclgen.types import model as ty


class ResolvedOptions(Struct, kw_only=True):
    """The options of one registration. `provider` and `parent` are None if not set; `dependencies` are those of `dependsOn`,
    with the dependencies of its outputs."""

    parent: ResourceValue | None = None
    provider: ResourceValue | None = None
    providers: dict[str, ResourceValue] = field(default_factory=dict)
    dependencies: set[ResourceValue] = field(default_factory=set)
    options: Options = field(default_factory=Options)
    hooks: Mapping[str, Sequence[HookRef]] = field(default_factory=dict)


def resolve_options(options_by_name: Mapping[str, Value]) -> ResolvedOptions:
    """Return the options, by their names in PCL; null options are not set."""
    chosen = ResolvedOptions()
    for name, value in options_by_name.items():
        match name:
            case "parent":
                chosen.parent = one_resource(value)
            case "provider":
                chosen.provider = one_resource(value)
            case "providers":
                chosen.providers = providers_in(value)
            case "dependsOn":
                chosen.dependencies = set(resources_in(value)) | _dependencies_of(value)
            case "hooks":
                chosen.hooks = _hooks(value)
                chosen.options = replace(chosen.options, hooks=_hook_names(chosen.hooks))
            case "replacementTrigger":
                chosen.options = replace(chosen.options, replacement_trigger=Sent().value(value))
            case _:
                plain, _ = all_of(value)
                if plain is not None and plain is not UNKNOWN:
                    recorded = {FIELDS[name]: _recorded(RESOURCE_OPTIONS[name], plain)}
                    chosen.options = replace(chosen.options, **recorded)
    return chosen


FIELDS: Final[Mapping[str, str]] = {json_name(field): field for field in Options.__struct_fields__}
"""The fields of `Options` by the names of options in PCL."""


def _recorded(spec: OptionSpec, value: Value) -> object:
    """Return a value in the form of its field."""
    match spec.form:
        case OptionForm.PATHS:
            return _paths(value)
        case OptionForm.ALIASES:
            return tuple(_alias(alias) for alias in _listed(value))
        case OptionForm.RESOURCE:
            resource = one_resource(value)
            return "" if resource is None else resource.urn
        case OptionForm.RESOURCES:
            return tuple(sorted(resource.urn for resource in resources_in(value)))
        case OptionForm.TIMEOUTS:
            return _texts(value)
        case _ if spec.type is ty.BOOL:
            return value is True
        case _:
            return _texts(value) if isinstance(spec.type, ty.MapType) else text_of(value)


def _paths(value: Value) -> tuple[str, ...]:
    return tuple(str(path) for path in _listed(value))


def _hooks(value: Value) -> Mapping[str, Sequence[HookRef]]:
    plain, _ = all_of(value)
    events = plain if isinstance(plain, dict) else {}
    return {event: tuple(hook for hook in _listed(hooks) if isinstance(hook, HookRef)) for event, hooks in events.items()}


def _hook_names(hooks: Mapping[str, Sequence[HookRef]]) -> Mapping[str, tuple[str, ...]]:
    return {event: tuple(hook.name for hook in event_hooks) for event, event_hooks in hooks.items()}


def _listed(value: Value) -> Sequence[Value]:
    return value if isinstance(value, list) else ()


def _texts(value: Value) -> Mapping[str, str]:
    members = value if isinstance(value, dict) else {}
    return {key: text_of(member) for key, member in members.items() if member is not None}


def _alias(value: Value) -> Alias:
    if not isinstance(value, dict):
        return Alias(urn=text_of(value))
    parent = value.get("parent")
    resource = one_resource(parent)
    return Alias(
        name=str(value.get("name") or ""),
        type=str(value.get("type") or ""),
        parent=resource.urn if resource is not None else (parent if isinstance(parent, str) else ""),
        no_parent=value.get("noParent") is True,
    )


def one_resource(value: Value) -> ResourceValue | None:
    """The resource in `value`, behind outputs, or None."""
    plain, _ = all_of(value)
    return plain if isinstance(plain, ResourceValue) else None


def resources_in(value: Value) -> list[ResourceValue]:
    """All resources in a value: a resource, or lists and maps of resources; null means none."""
    plain, _ = all_of(value)
    if isinstance(plain, ResourceValue):
        return [plain]
    if isinstance(plain, list):
        return [resource for element in plain for resource in resources_in(element)]
    if isinstance(plain, dict):
        return [resource for key in sorted(plain) for resource in resources_in(plain[key])]
    return []


def _dependencies_of(value: Value) -> set[ResourceValue]:
    _, meta = all_of(value)
    return set(meta.dependencies)


def providers_in(value: Value) -> dict[str, ResourceValue]:
    """Providers by package: a list by the package of each provider, a map by its keys."""
    plain, _ = all_of(value)
    if isinstance(plain, dict):
        return {key: provider for key, member in plain.items() if (provider := one_resource(member)) is not None}
    return {provided_package(provider): provider for provider in resources_in(plain)}


def provided_package(provider: ResourceValue) -> str:
    """The package of a provider resource."""
    return provider.type.removeprefix("pulumi:providers:")


# -- hooks ------------------------------------------------------------------------------------------------------------------

MOST_RETRIES = 100


class HookFailureError(Exception):
    """A hook failed; the text is the reason."""


class HookCall(Struct, frozen=True, kw_only=True):
    """A command to run: `event` as PCL names it (`beforeCreate`, `onError`, …), `urn` of the resource."""

    name: str
    event: str
    urn: str
    command: tuple[str, ...]


HookRunner = Callable[[HookCall], None]
"""Runs a command in the directory of the program. Raises `HookFailureError` if its exit status is not 0."""


class _Warn(Protocol):
    def __call__(self, severity: str, message: str, urn: str) -> None: ...


class Hooks(Struct, frozen=True, kw_only=True):
    """The hooks of one resource."""

    by_event: Mapping[str, Sequence[HookRef]]
    runner: HookRunner | None
    warn: _Warn
    preview: bool
    urn: str

    def run(self, event: str, args: Mapping[str, Value]) -> bool:
        """Run the hooks of `event`; return whether there are any.  Raises `HookFailureError`."""
        ran = False
        for hook in self.by_event.get(event, ()) if self.runner is not None else ():
            if self.preview and not hook.on_dry_run:
                continue
            ran = True
            try:
                self._run_one(hook, event, args)
            except HookFailureError as problem:
                if not hook.ignore_errors:
                    raise HookFailureError(f'hook "{hook.name}" failed: {problem}') from None
                self.warn("warning", f'hook "{hook.name}" failed: {problem}', self.urn)
        return ran

    def wants_retry(self, args: Mapping[str, Value]) -> bool:
        """Return whether the resource has error hooks and all succeed, which requests a retry."""
        try:
            return self.run("onError", args)
        except HookFailureError:
            return False

    def _run_one(self, hook: HookRef, event: str, args: Mapping[str, Value]) -> None:
        assert self.runner is not None, "hooks are run only with a runner"
        command, _ = all_of(hook.command(dict(args)))
        words = tuple(text_of(word) for word in command) if isinstance(command, list) else ()
        self.runner(HookCall(name=hook.name, event=event, urn=self.urn, command=words))
