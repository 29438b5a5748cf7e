"""The declarations of a package, as the rest of the compiler sees them.

`schema` builds declarations (lazily, from schema JSON), and so does `bind` for component programs. Types and core nodes
carry them, so that no phase after binding needs a schema. Declarations compare by identity: one object per schema member
and loaded package.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct, field

if TYPE_CHECKING:
    from pclgen.source.text import Span
    from pclgen.types.model import Type

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Facet: TypeAlias = "bool | int | float | str | Sequence[Facet] | Mapping[str, Facet] | None"
Facets: TypeAlias = "Mapping[str, Facet]"
"""A constraint on values beyond their type (`types.rules`)."""


class Shape(StrEnum):
    """The form in which an object type is used.

    INPUT: argument whose members may be eventual.  PLAIN: argument whose members may not.  OUTPUT: a value that a
    provider returned.  The three have different names in the SDKs.
    """

    INPUT = "input"
    PLAIN = "plain"
    OUTPUT = "output"


class DeclarationKind(StrEnum):
    """The role of an object declaration."""

    OBJECT = "object"  # a named object type of the schema
    RESOURCE = "resource"  # the value of a resource variable
    RESOURCE_INPUTS = "resource inputs"
    RESOURCE_STATE = "resource state"  # arguments of a `read`
    FUNCTION_INPUTS = "function inputs"
    FUNCTION_RESULT = "function result"
    COMPONENT = "component"  # the value of a local component variable
    COMPONENT_INPUTS = "component inputs"
    OPTIONS = "options"  # built-in records: option values, hook arguments


class Parameterization(Struct, frozen=True, kw_only=True, eq=False):
    """The derivation of a package from a base plugin (schema `parameterization` / `extensionParameterization`)."""

    base_name: str
    base_version: str
    parameter: str  # base64 text
    extension: bool


class Written(Protocol):
    """The schema of a package as it is written, for code that copies a part of it."""

    def asked(self) -> Iterable[tuple[str, str]]:
        """Kinds (`resources`, `types`, `functions`) and tokens of the members that a recording requested.

        The members that names of SDKs depend on are included.
        """
        ...

    def member(self, kind: str, token: str) -> tuple[str, bytes] | None:
        """Return a member (of the provider: kind `provider`) with its token as the schema writes it, and its JSON; or None.
        """
        ...

    def excerpt(self, members: Container[tuple[str, str]]) -> bytes:
        """Return the schema with these members; the others are null."""
        ...

    def other(self, name: str, version: str) -> Package:
        """Return the package that a reference to `name` means.  Raises `SchemaError`."""
        ...


class Package(Struct, frozen=True, kw_only=True, eq=False):
    """A loaded package: all facts about it except its members.

    `resource_tokens`, `type_tokens` and `function_tokens` are the tokens as the schema writes them, in schema order; the
    SDKs' naming rules look at all of them (targets.md, Names that Go's SDKs change).  `module_of` maps a token to its
    canonical module.
    """

    name: str
    version: str  # "" when the schema has none
    namespace: str
    plugin_download_url: str
    repository: str
    module_format: str
    supports_pack: bool  # `meta.supportPack`: its SDKs are built by `pulumi package`
    language: Mapping[str, Mapping[str, Json]]
    parameterization: Parameterization | None
    resource_tokens: Collection[str]
    type_tokens: Collection[str]
    function_tokens: Collection[str]
    module_of: Callable[[str], str]
    resource: Callable[[str], ResourceDecl | None]
    """Resource by its token as the schema writes it; read on first use."""
    function: Callable[[str], FunctionDecl | None]
    object_type: Callable[[str], Declaration | EnumDecl | None]
    provider: Callable[[], ResourceDecl]
    written: Written | None = None

    def __repr__(self) -> str:
        return f"Package({self.name}@{self.version})"


class Field(Struct, frozen=True, kw_only=True, eq=False):
    """One member of an object declaration in one shape.

    `type` is complete: optional members include none, input-shaped ones are `InputType`.  The checker enforces `required` (a
    member with a constant value is never required: binding writes it where its type is not optional).  `answered` means that
    a provider always sets the member in outputs, although its type is optional.
    """

    name: str  # as on the wire
    type: Type
    required: bool
    answered: bool = False
    secret: bool = False
    plain: bool = False
    deprecated: str = ""
    doc: str = ""
    const: Json = None
    default: Json = None
    replace_on_changes: bool = False
    language: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    declared_at: Span | None = None  # for inputs of components, whose declaration a diagnostic can show
    rule: Facets | None = None


class Declaration(Struct, frozen=True, kw_only=True, eq=False):
    """An object type by declaration: its members are read on first use, per shape."""

    kind: DeclarationKind
    token: str  # token of the type, resource or function; name for components
    package: Package | None
    load: Callable[[Shape], Mapping[str, Field]]
    doc: str = ""
    deprecated: str = ""
    _fields: dict[Shape, Mapping[str, Field]] = field(default_factory=dict)

    def fields(self, shape: Shape) -> Mapping[str, Field]:
        """Members by wire name, in schema order."""
        members = self._fields.get(shape)
        if members is None:
            members = self._fields[shape] = self.load(shape)
        return members

    def is_read(self, shape: Shape) -> bool:
        """Return whether the members in this shape were requested."""
        return shape in self._fields


class EnumMember(Struct, frozen=True, kw_only=True, eq=False):
    """A member of an enum: `name` is empty when the schema has only a value.

    `python_name` is the name of the Python constant when the schema was recovered from a Python SDK.  The names of the
    constants in other languages are unknown then, and generated programs use the value.
    """

    value: str | int | float | bool
    name: str = ""
    python_name: str = ""
    doc: str = ""
    deprecated: str = ""


class EnumDecl(Struct, frozen=True, kw_only=True, eq=False):
    """An enum of a package; `base` is "string", "integer", "number" or "boolean"."""

    token: str
    package: Package
    base: str
    members: tuple[EnumMember, ...]
    doc: str = ""
    _by_value: dict[tuple[type, object], EnumMember] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for member in self.members:
            self._by_value.setdefault(_comparable(member.value), member)

    def member(self, value: object) -> EnumMember | None:
        """Return the member with `value`, if any (True is not 1; decimals compare by their text)."""
        return self._by_value.get(_comparable(value))


def _comparable(value: object) -> tuple[type, object]:
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, int | float | Decimal):
        return Decimal, Decimal(str(value))
    return str, value


class FunctionDecl(Struct, frozen=True, kw_only=True, eq=False):
    """A function of a package (`invoke`) or a method of a resource (`call`).

    `inputs` is None when the function takes nothing.  `multi_argument` lists the parameters of a positional function, in
    order.  `result` is the plain result type (none without a result); `plain_result` marks methods that return
    their value without an output around it.
    """

    token: str
    package: Package
    inputs: Declaration | None
    result: Type | None
    multi_argument: tuple[str, ...] = ()
    is_method: bool = False
    plain_result: bool = False
    doc: str = ""
    deprecated: str = ""


class ResourceDecl(Struct, frozen=True, kw_only=True, eq=False):
    """A resource type: shapes of its inputs, outputs and look-up state, and its methods by name."""

    token: str
    package: Package
    inputs: Declaration
    outputs: Declaration
    state: Declaration
    methods: Callable[[], Mapping[str, FunctionDecl]]
    is_component: bool = False
    is_provider: bool = False
    aliases: tuple[str, ...] = ()
    doc: str = ""
    deprecated: str = ""
