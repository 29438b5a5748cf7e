"""The resource options: one row each (language.md, Options).

The binder, the reader of Pulumi YAML, the evaluator and the targets loop over this table. `type` is the expected type of a
value; an `InputType` if every SDK accepts an output. Options whose values need more than a conversion check name a `form`
that `bind.optionvalues` knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from pclgen.types import model as ty


class OptionForm(StrEnum):
    """The form of the value of an option."""

    VALUE = "value"  # any expression of the row's type
    LITERAL = "literal"  # a string literal
    RESOURCE = "resource"  # one resource or component
    RESOURCES = "resources"  # a list of resources or components; a single value counts as a list of one
    PROVIDERS = "providers"  # a list or a map of provider resources
    PATHS = "paths"  # property paths of the resource
    ALIASES = "aliases"
    TIMEOUTS = "timeouts"
    HOOKS = "hooks"
    RANGE = "range"


class OptionSpec(Struct, frozen=True, kw_only=True):
    """One option: `name` as in PCL, and its purpose in `doc`."""

    name: str
    form: OptionForm
    type: ty.Type
    doc: str


def _row(name: str, form: OptionForm, type_: ty.Type, doc: str) -> OptionSpec:
    return OptionSpec(name=name, form=form, type=type_, doc=doc)


_PATHS = ty.list_of(ty.PROPERTY)

RESOURCE_OPTIONS: Mapping[str, OptionSpec] = {
    row.name: row
    for row in (
        _row("aliases", OptionForm.ALIASES, ty.DYNAMIC, "previous names, types or parents of the resource"),
        _row("parent", OptionForm.RESOURCE, ty.DYNAMIC, "the resource that owns this one"),
        _row("provider", OptionForm.RESOURCE, ty.DYNAMIC, "the provider resource to use"),
        _row("providers", OptionForm.PROVIDERS, ty.DYNAMIC, "provider resources for a component's children"),
        _row("dependsOn", OptionForm.RESOURCES, ty.list_of(ty.DYNAMIC), "resources that must be done first"),
        _row("protect", OptionForm.VALUE, ty.BOOL, "refuse to delete the resource"),
        _row("retainOnDelete", OptionForm.VALUE, ty.BOOL, "forget the resource on deletion, keep the real one"),
        _row("ignoreChanges", OptionForm.PATHS, _PATHS, "properties whose changes are ignored"),
        _row("hideDiffs", OptionForm.PATHS, _PATHS, "properties whose changes are not shown"),
        _row("replaceOnChanges", OptionForm.PATHS, _PATHS, "properties whose change replaces the resource"),
        _row("deletedWith", OptionForm.RESOURCE, ty.DYNAMIC, "no delete call when that resource is deleted"),
        _row("replaceWith", OptionForm.RESOURCES, ty.list_of(ty.DYNAMIC), "replace when one of these is replaced"),
        _row("replacementTrigger", OptionForm.VALUE, ty.input_of(ty.DYNAMIC), "replace when this value changes"),
        _row("import", OptionForm.VALUE, ty.STRING, "id of the existing object to adopt"),
        _row("deleteBeforeReplace", OptionForm.VALUE, ty.BOOL, "on replacement delete the old one first"),
        _row("additionalSecretOutputs", OptionForm.PATHS, _PATHS, "outputs to keep encrypted in the state"),
        _row("customTimeouts", OptionForm.TIMEOUTS, ty.DYNAMIC, "how long operations may take"),
        _row("version", OptionForm.LITERAL, ty.STRING, "version of the provider plugin"),
        _row("pluginDownloadURL", OptionForm.LITERAL, ty.STRING, "where the provider plugin comes from"),
        _row("envVarMappings", OptionForm.VALUE, ty.map_of(ty.STRING), "environment variables of a provider"),
        _row("hooks", OptionForm.HOOKS, ty.DYNAMIC, "hooks to run around the life of the resource"),
        _row("range", OptionForm.RANGE, ty.DYNAMIC, "how often the resource is made, or over what"),
    )
}

TIMEOUT_KEYS = ("create", "update", "delete", "read")
ALIAS_KEYS = ("name", "type", "parent", "noParent")
RESOURCE_HOOK_KEYS = (
    "beforeCreate",
    "afterCreate",
    "beforeUpdate",
    "afterUpdate",
    "beforeDelete",
    "afterDelete",
)
ERROR_HOOK_KEYS = ("onError",)

INVOKE_OPTIONS: Mapping[str, OptionSpec] = {
    row.name: row
    for row in (
        _row("provider", OptionForm.RESOURCE, ty.DYNAMIC, "the provider resource to ask"),
        _row("parent", OptionForm.RESOURCE, ty.DYNAMIC, "the resource whose provider is asked"),
        _row("version", OptionForm.VALUE, ty.STRING, "version of the provider plugin"),
        _row("pluginDownloadUrl", OptionForm.VALUE, ty.STRING, "where the provider plugin comes from"),
        _row("dependsOn", OptionForm.RESOURCES, ty.list_of(ty.DYNAMIC), "resources that must be done first"),
    )
}
