"""The JSON of a Pulumi package schema, read in two steps.

The header of a `Document` is read at once, its members stay unread bytes (`msgspec.Raw`) until they are requested
(ecosystem 1.2). Header and members may also come from an index on disk or an installed SDK. The structures here have the
keys that pclgen uses; msgspec skips all others. Lists and maps may be null, since Go encodes absent ones so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct, field

from pclgen.schema.errors import SchemaError

if TYPE_CHECKING:
    from pclgen.types.declarations import Json

LanguageSpec: TypeAlias = "dict[str, dict[str, object] | None] | None"
Raws: TypeAlias = "dict[str, Raw] | None"

ABSENT = Raw(b"null")
"""The unread value of an absent key, equivalent to null."""


class BaseProviderSpec(Struct, rename="camel"):
    """The plugin of a parameterized package."""

    name: str
    version: str = ""
    plugin_download_url: str = field(default="", name="pluginDownloadURL")


class ParameterizationSpec(Struct, rename="camel"):
    """`parameterization` or `extensionParameterization`."""

    base_provider: BaseProviderSpec
    parameter: str = ""


class MetaSpec(Struct, rename="camel"):
    """`meta`."""

    module_format: str = ""
    support_pack: bool = False


class Header(Struct, rename="camel", omit_defaults=True):
    """The top level of a schema, without its members."""

    name: str
    version: str = ""
    namespace: str = ""
    plugin_download_url: str = field(default="", name="pluginDownloadURL")
    repository: str = ""
    meta: MetaSpec | None = None
    language: LanguageSpec = None
    parameterization: ParameterizationSpec | None = None
    extension_parameterization: ParameterizationSpec | None = None


class WholeSchema(Header, rename="camel", omit_defaults=True):
    """A schema with its members unread."""

    provider: Raw = ABSENT
    resources: Raws = None
    types: Raws = None
    functions: Raws = None


class DiscriminatorSpec(Struct, rename="camel"):
    """`discriminator` of a union."""

    property_name: str
    mapping: dict[str, str] | None = None


class TypeSpec(Struct, rename="camel"):
    """A type expression."""

    type: str = ""
    ref: str = field(default="", name="$ref")
    items: TypeSpec | None = None
    additional_properties: TypeSpec | None = None
    one_of: list[TypeSpec] | None = None
    discriminator: DiscriminatorSpec | None = None
    plain: bool = False


class PropertySpec(TypeSpec, rename="camel"):
    """A property: a type and its attributes."""

    description: str = ""
    const: object = None
    default: object = None
    deprecation_message: str = ""
    language: LanguageSpec = None
    secret: bool = False
    replace_on_changes: bool = False
    will_replace_on_changes: bool = False


class ObjectSpec(Struct, rename="camel"):
    """Properties, and the required ones among them."""

    properties: Raws = None
    required: list[str] | None = None
    description: str = ""


class EnumValueSpec(Struct, rename="camel"):
    """A member of an enum."""

    value: bool | int | float | str
    name: str | None = None
    description: str = ""
    deprecation_message: str = ""
    python_name: str = ""
    """Only in schemas recovered from a Python SDK, which does not contain `name`."""


class TypeDefinitionSpec(ObjectSpec, rename="camel"):
    """An entry of `types`: an object type, or an enum when it has `enum`."""

    type: str = ""
    enum: list[EnumValueSpec] | None = None
    deprecation_message: str = ""
    language: LanguageSpec = None

    @property
    def answered(self) -> frozenset[str]:
        """The properties that values of this type always have in outputs, whereas `required` is about inputs.

        Only the schemas of bridged providers have them, for the SDK for Node.
        """
        names = ((self.language or {}).get("nodejs") or {}).get("requiredOutputs")
        return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


class AliasSpec(Struct):
    """A former identity of a resource; only its type matters for looking it up."""

    type: str | None = None


class AliasesSpec(Struct):
    """A resource, decoded only for its aliases."""

    aliases: list[AliasSpec | str] | None = None


class ResourceSpec(ObjectSpec, rename="camel"):
    """An entry of `resources`, or `provider`."""

    input_properties: Raws = None
    required_inputs: list[str] | None = None
    state_inputs: ObjectSpec | None = None
    methods: dict[str, str] | None = None
    is_component: bool = False
    aliases: list[AliasSpec | str] | None = None
    deprecation_message: str = ""


class ReturnSpec(TypeSpec, rename="camel"):
    """`outputs` of a function: a type, or an object type on the spot."""

    properties: Raws = None
    required: list[str] | None = None
    description: str = ""


class FunctionSpec(Struct, rename="camel"):
    """An entry of `functions`."""

    inputs: ObjectSpec | None = None
    outputs: Raw = ABSENT
    multi_argument_inputs: list[str] | None = None
    description: str = ""
    deprecation_message: str = ""


def is_absent(raw: Raw) -> bool:
    """Return whether an optional member is absent or null."""
    return bytes(raw) == b"null"


_S = TypeVar("_S", bound=Struct)
_BOM = b"\xef\xbb\xbf"


class Members(Struct, frozen=True, kw_only=True):
    """The unread members of a schema, by token and in schema order.

    The mappings may be lazy: only requested members are found, and only iteration needs all tokens. A mapping that is also a
    `tokens.TokenTable` answers lookups by canonical and former names itself.
    """

    resources: Mapping[str, Raw]
    types: Mapping[str, Raw]
    functions: Mapping[str, Raw]
    provider: Callable[[], Raw]
    """The provider resource; `ABSENT` if the schema has none."""
    aliases: Callable[[], Iterable[tuple[str, str]]] | None = None
    """All pairs (former token, token of a resource); None if every resource must be read to know them."""


class Document:
    """A schema with unread members.

    `where` is its origin in diagnostics, `path` its file, if any. `identity` is equal for equal content and cheap to
    compute (a digest, or version and files of an installed SDK); "" means none. `naming` are kinds and tokens of members
    that influence the package's names in some language, as far as computed. `decoded` counts the parts of members read so
    far, for tests.
    """

    __slots__ = ("decoded", "header", "identity", "members", "naming", "path", "where")

    def __init__(
        self, header: Header, members: Members, *, where: str, path: Path | None = None, identity: str = ""
    ) -> None:
        self.header: Header = header
        self.members: Members = members
        self.where: str = where
        self.path: Path | None = path
        self.identity: str = identity
        self.decoded: int = 0
        self.naming: set[tuple[str, str]] = set()

    def decode(self, raw: Raw, kind: type[_S], pointer: str) -> _S:
        """Decode one member as `kind`; raises `SchemaError` at `pointer` if it has another form."""
        self.decoded += 1
        try:
            return msgspec.json.decode(raw, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SchemaError(package=self.header.name, path=pointer, reason=explain(error)) from error

    def aliases(self) -> Iterable[tuple[str, str]]:
        """Return all pairs (former token, token of a resource); reads the resources unless the members have a list."""
        if self.members.aliases is not None:
            yield from self.members.aliases()
            return
        for token, raw in self.members.resources.items():
            try:
                spec = self.decode(raw, AliasesSpec, f"#/resources/{token}")
            except SchemaError:
                continue  # reported when the resource itself is used
            for alias in alias_types(spec.aliases):
                yield alias, token


def alias_types(aliases: list[AliasSpec | str] | None) -> Iterable[str]:
    """Yield the former tokens among `aliases`, which may also change other parts."""
    for alias in aliases or ():
        former = alias if isinstance(alias, str) else alias.type
        if former:
            yield former


def read_document(data: bytes, *, where: str, path: Path | None = None, identity: str = "") -> Document | str:
    """Return the schema in the JSON text `data`, or the reason why it is invalid."""
    try:
        schema = msgspec.json.decode(data.removeprefix(_BOM), type=WholeSchema)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return explain(error)
    if not schema.name:
        return "the schema has an empty `name`"
    header = Header(**{name: getattr(schema, name) for name in Header.__struct_fields__})
    members = Members(
        resources=schema.resources or {},
        types=schema.types or {},
        functions=schema.functions or {},
        provider=lambda: schema.provider,
    )
    return Document(header, members, where=where, path=path, identity=identity)


def dump_document(document: Document) -> bytes:
    """Return a document as the JSON of a whole schema. Raises `SchemaError` for an unavailable member."""
    members = document.members
    tables = {"resources": dict(members.resources), "types": dict(members.types), "functions": dict(members.functions)}
    return dump_header(document.header, provider=members.provider(), **tables) + b"\n"


def dump_header(header: Header, *, provider: Raw, **tables: Mapping[str, Raw]) -> bytes:
    """Return the JSON of a schema with these members."""
    head: dict[str, Any] = {name: getattr(header, name) for name in Header.__struct_fields__}
    head |= {name: dict(table) for name, table in tables.items()}
    return msgspec.json.encode(WholeSchema(**head, provider=provider))


def explain(error: Exception) -> str:
    """Return the reason of a JSON error for a diagnostic."""
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "the text is not UTF-8"
    text = str(error)
    if isinstance(error, msgspec.ValidationError):
        return text[:1].lower() + text[1:]
    reason = text.removeprefix("JSON is malformed: ")
    return f"not valid JSON: {reason[:1].lower()}{reason[1:]}"


def language_of(spec: LanguageSpec) -> dict[str, dict[str, Json]]:
    """Return language settings without absent entries."""
    return {name: info for name, info in (spec or {}).items() if info}  # type: ignore[misc]  # JSON by construction
