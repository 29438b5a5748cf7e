"""What a run of a program did: registrations, calls of functions, stack outputs, errors.

Comes in: made by the evaluator (`evaluate`) and by the recording monitor (`verify`), in the same form, so that two runs
can be compared whatever ran them.  Goes out: read by `trace.normal`, `trace.compare`, `trace.render` and `trace.json`.

A property value is what travels between a program and the engine: plain JSON-like values
and the tagged ones below.  Nothing here is ever changed.

    Registration(kind=RESOURCE, type="random:index/randomPet:RandomPet", name="pet",
                 inputs={"length": 2, "prefix": Secret("a")}, …)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from pclgen.records import dataclass

TaggedValue: TypeAlias = "Secret | Unknown | ResourceRef | Asset | Archive | Output | Bytes"
"""The values that JSON has no form for."""
_Parts: TypeAlias = "tuple[PropertyValue, ...] | Mapping[str, PropertyValue]"
# In one text each: type checkers read no texts that are put together.
PropertyValue: TypeAlias = "bool | int | float | str | _Parts | TaggedValue | None"
"""One value.  Lists are tuples.  Numbers are IEEE-754 doubles, so whole ones are ints of at most 53 bits."""

Properties: TypeAlias = Mapping[str, PropertyValue]


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is to be kept encrypted."""

    value: PropertyValue


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that a preview cannot know ("computed")."""


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class ResourceRef:
    """A reference to a resource.  `id` is None for components, `UNKNOWN` while a preview does not know it."""

    urn: str
    id: str | Unknown | None = None
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A blob: exactly one of its text, a local path or an address; `hash` is the SHA-256 where it is known."""

    text: str | None = None
    path: str | None = None
    uri: str | None = None
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Named blobs: exactly one of members, a local path or an address; `hash` is the SHA-256 where it is known."""

    members: Mapping[str, Asset | Archive] | None = None
    path: str | None = None
    uri: str | None = None
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Bytes:
    """A string that is not UTF-8."""

    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """An output value as the wire can carry it: unknown when `value` is `UNKNOWN`; `dependencies` are URNs, sorted.

    Only the recording monitor makes these; `trace.normal` turns them into the other forms.
    """

    value: PropertyValue
    secret: bool = False
    dependencies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """Where in the source something comes from; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class RegistrationKind(StrEnum):
    """What is registered.  STACK is the root component that every program registers first."""

    STACK = "stack"
    RESOURCE = "resource"
    COMPONENT = "component"
    PROVIDER = "provider"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A former identity: a whole URN, or what differs from the present one.

    `no_parent` says that it had no parent; `parent` is a URN.  Empty texts mean "as now".
    """

    urn: str = ""
    name: str = ""
    type: str = ""
    project: str = ""
    stack: str = ""
    parent: str = ""
    no_parent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The resource options as the engine gets them.  None and empty mean "not given".

    Paths are in wire names (`tags["a.b"]`).  `custom_timeouts` maps `create`, `update`, `delete`, `read` to durations as
    written (`"5m"`).  `hooks` maps the events of PCL (`beforeCreate`, …, `onError`) to names of hooks.  `deleted_with` and
    `replace_with` are URNs.  `replacement_trigger` of None is none.
    """

    protect: bool | None = None
    retain_on_delete: bool | None = None
    delete_before_replace: bool | None = None
    ignore_changes: tuple[str, ...] = ()
    hide_diffs: tuple[str, ...] = ()
    replace_on_changes: tuple[str, ...] = ()
    additional_secret_outputs: tuple[str, ...] = ()
    custom_timeouts: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[Alias, ...] = ()
    import_id: str = ""
    version: str = ""
    plugin_download_url: str = ""
    deleted_with: str = ""
    replace_with: tuple[str, ...] = ()
    replacement_trigger: PropertyValue = None
    env_var_mappings: Mapping[str, str] = field(default_factory=dict)
    hooks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


NO_OPTIONS = Options()


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """One resource, component, provider or read, as it was registered.

    `parent` is a URN, empty for the stack.  `provider` is a provider reference (`urn::id`), empty for the default one;
    `providers` are those handed to a component, by package.  `id` of a READ is the id that was asked for; otherwise it is
    what the provider answered (`UNKNOWN` in a preview), None for components.  `outputs` is what the provider answered, or
    for components what was registered as their outputs.  `property_dependencies` holds URNs, sorted, by input.
    `place` and `places` (by input) tell where it stands in the PCL source; only the evaluator knows.
    """

    kind: RegistrationKind
    type: str
    name: str
    urn: str
    parent: str = ""
    custom: bool = True
    remote: bool = False
    provider: str = ""
    providers: Mapping[str, str] = field(default_factory=dict)
    id: str | Unknown | None = None
    inputs: Properties = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()
    property_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    options: Options = NO_OPTIONS
    outputs: Properties = field(default_factory=dict)
    place: SourcePlace | None = None
    places: Mapping[str, SourcePlace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """A provider function (`receiver` empty) or a method of the resource with URN `receiver`, and what it answered."""

    token: str
    receiver: str = ""
    args: Properties
    answer: Properties
    provider: str = ""
    version: str = ""
    plugin_download_url: str = ""
    failures: tuple[str, ...] = ()
    place: SourcePlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """Something that the run had to say; `severity` is "warning" or "error", `urn` the resource it is about."""

    severity: str
    message: str
    urn: str = ""
    place: SourcePlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A whole run.

    `producer` names what ran: "evaluator", "python", "typescript", "go".  `registrations` are in the order in which they
    happened.  `failed`: the program ended with an error (its reasons are in `log`); what was registered before it is kept.
    """

    producer: str
    project: str
    stack: str
    organization: str
    preview: bool
    registrations: tuple[Registration, ...] = ()
    calls: tuple[FunctionCall, ...] = ()
    outputs: Properties = field(default_factory=dict)
    log: tuple[LogEntry, ...] = ()
    failed: bool = False

    def registration(self, urn: str) -> Registration | None:
        """The registration with this URN."""
        return next((found for found in self.registrations if found.urn == urn), None)


def make_urn(*, stack: str, project: str, parent: str, token: str, name: str) -> str:
    """The URN of a resource of type `token`: it holds the types of its ancestors, too, but for the stack's."""
    chain = type_chain_of(parent)
    prefix = "" if chain in ("", STACK_TYPE) else f"{chain}$"
    return f"urn:pulumi:{stack}::{project}::{prefix}{token}::{name}"


def type_chain_of(urn: str) -> str:
    """The types in a URN (`a:b:C$d:e:F`), empty for an empty one."""
    return urn.split("::", 3)[2] if urn else ""


def name_of(urn: str) -> str:
    """The logical name in a URN."""
    return urn.split("::", 3)[3] if urn else ""


def type_of(urn: str) -> str:
    """The resource's own type in a URN."""
    return type_chain_of(urn).rsplit("$", 1)[-1]


STACK_TYPE = "pulumi:pulumi:Stack"


def stack_urn(*, stack: str, project: str) -> str:
    """The URN of the root component."""
    return make_urn(stack=stack, project=project, parent="", token=STACK_TYPE, name=f"{project}-{stack}")
