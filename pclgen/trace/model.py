"""The data of a run: registrations, function calls, stack outputs, log entries.

The evaluator (`evaluate`) and the recording monitor (`verify`) produce the same form, so that their runs can be compared.

Property values are the values that a program and the engine exchange: plain JSON-like values and the tagged ones below.
All records are immutable.

    Registration(kind=RESOURCE, type="random:index/randomPet:RandomPet", name="pet",
                 inputs={"length": 2, "prefix": Secret("a")}, …)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct, field

TaggedValue: TypeAlias = "Secret | Unknown | ResourceRef | Asset | Archive | Output | Bytes"
"""Values without a JSON form."""
_Parts: TypeAlias = "tuple[PropertyValue, ...] | Mapping[str, PropertyValue]"
# Each alias is a single string: type checkers do not evaluate concatenations.
PropertyValue: TypeAlias = "bool | int | float | str | _Parts | TaggedValue | None"
"""One value. Lists are tuples. Numbers are IEEE-754 doubles, so whole numbers are ints of at most 53 bits."""

Properties: TypeAlias = Mapping[str, PropertyValue]


class Secret(Struct, frozen=True):
    """A value that must be encrypted."""

    value: PropertyValue


class Unknown(Struct, frozen=True):
    """A value that is unknown in a preview ("computed")."""


UNKNOWN = Unknown()


class ResourceRef(Struct, frozen=True):
    """A reference to a resource. `id` is None for components, `UNKNOWN` if a preview does not know it."""

    urn: str
    id: str | Unknown | None = None
    version: str = ""


class Asset(Struct, frozen=True, kw_only=True):
    """A blob: exactly one of its text, a local path or a URL; `hash` is the SHA-256 if known."""

    text: str | None = None
    path: str | None = None
    uri: str | None = None
    hash: str = ""


class Archive(Struct, frozen=True, kw_only=True):
    """Named blobs: exactly one of members, a local path or a URL; `hash` is the SHA-256 if known."""

    members: Mapping[str, Asset | Archive] | None = None
    path: str | None = None
    uri: str | None = None
    hash: str = ""


class Bytes(Struct, frozen=True):
    """A string that is not UTF-8."""

    data: bytes


class Output(Struct, frozen=True, kw_only=True):
    """An output value on the wire: unknown if `value` is `UNKNOWN`; `dependencies` are sorted URNs.

    Only the recording monitor produces these; `trace.normal` converts them.
    """

    value: PropertyValue
    secret: bool = False
    dependencies: tuple[str, ...] = ()


def parts_of(value: PropertyValue) -> Iterator[PropertyValue]:
    """Yield a value and everything in it: values of secrets and outputs, elements, members, and blobs of archives."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        yield part
        match part:
            case Secret() | Output():
                waiting.append(part.value)
            case Archive():
                waiting.extend((part.members or {}).values())
            case tuple():
                waiting.extend(part)
            case Mapping():
                waiting.extend(part.values())


class SourcePlace(Struct, frozen=True, kw_only=True):
    """A position in the source; line and column are 1-based."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class RegistrationKind(StrEnum):
    """The kind of a registration. STACK is the root component that every program registers first."""

    STACK = "stack"
    RESOURCE = "resource"
    COMPONENT = "component"
    PROVIDER = "provider"
    READ = "read"


class Alias(Struct, frozen=True, kw_only=True):
    """A former identity: a whole URN, or the parts that differ from the present one.

    `no_parent` means that it had no parent; `parent` is a URN. Empty texts mean "unchanged".
    """

    urn: str = ""
    name: str = ""
    type: str = ""
    project: str = ""
    stack: str = ""
    parent: str = ""
    no_parent: bool = False


class Options(Struct, frozen=True, kw_only=True):
    """The resource options that the engine receives. None and empty mean "not set".

    Paths are in wire names (`tags["a.b"]`). `custom_timeouts` maps `create`, `update`, `delete`, `read` to durations as
    written (`"5m"`). `hooks` maps the events of PCL (`beforeCreate`, …, `onError`) to names of hooks. `deleted_with` and
    `replace_with` are URNs. `replacement_trigger` of None means none.
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


class Registration(Struct, frozen=True, kw_only=True):
    """One registered resource, component or provider, or a read.

    `parent` is a URN, empty for the stack. `provider` is a provider reference (`urn::id`), empty for the default one;
    `providers` are those passed to a component, by package. `id` of a READ is the requested id; otherwise the answer of
    the provider (`UNKNOWN` in a preview), None for components. `outputs` are the answer of the provider, or the
    registered outputs of a component. `property_dependencies` are sorted URNs by input. `place` and `places` (by input)
    are positions in the PCL source, known only to the evaluator.
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


class FunctionCall(Struct, frozen=True, kw_only=True):
    """A call of a provider function (`receiver` empty) or of a method of the resource with URN `receiver`, and its
    answer."""

    token: str
    receiver: str = ""
    args: Properties
    answer: Properties
    provider: str = ""
    version: str = ""
    plugin_download_url: str = ""
    failures: tuple[str, ...] = ()
    place: SourcePlace | None = None


class LogEntry(Struct, frozen=True, kw_only=True):
    """A message of the run; `severity` is "warning" or "error", `urn` the resource concerned."""

    severity: str
    message: str
    urn: str = ""
    place: SourcePlace | None = None


class Trace(Struct, frozen=True, kw_only=True):
    """A whole run.

    `producer` is "evaluator", "python", "typescript" or "go". `registrations` are in order of occurrence. `failed`: the
    program ended with an error (reasons are in `log`); earlier registrations are kept.
    """

    producer: str
    project: str
    stack: str
    organization: str
    preview: bool
    failed: bool = False
    registrations: tuple[Registration, ...] = ()
    calls: tuple[FunctionCall, ...] = ()
    outputs: Properties = field(default_factory=dict)
    log: tuple[LogEntry, ...] = ()

    def registration(self, urn: str) -> Registration | None:
        """Return the registration with this URN."""
        return next((registration for registration in self.registrations if registration.urn == urn), None)


def make_urn(*, stack: str, project: str, parent: str, token: str, name: str) -> str:
    """Return the URN of a resource of type `token`, which includes the types of its ancestors except the stack."""
    chain = type_chain_of(parent)
    prefix = "" if chain in ("", STACK_TYPE) else f"{chain}$"
    return f"urn:pulumi:{stack}::{project}::{prefix}{token}::{name}"


def type_chain_of(urn: str) -> str:
    """Return the types in a URN (`a:b:C$d:e:F`), empty for an empty one."""
    return urn.split("::", 3)[2] if urn else ""


def name_of(urn: str) -> str:
    """Return the logical name in a URN."""
    return urn.split("::", 3)[3] if urn else ""


def type_of(urn: str) -> str:
    """Return the resource's own type in a URN."""
    return type_chain_of(urn).rsplit("$", 1)[-1]


STACK_TYPE = "pulumi:pulumi:Stack"


def stack_urn(*, stack: str, project: str) -> str:
    """Return the URN of the root component."""
    return make_urn(stack=stack, project=project, parent="", token=STACK_TYPE, name=f"{project}-{stack}")
