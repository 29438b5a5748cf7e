"""A schema as declarations, read member by member; and the package `pulumi`.

Every member is decoded on first use and cached, so that repeated lookups return the same object. Object types are declared
before their fields are read, so recursive types terminate.

Every program has the package `pulumi` without a schema file (language.md, Resources). It is written as a schema here, so
that it is processed like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TypeVar

from msgspec import Raw, Struct
from msgspec.structs import replace

from pclgen.reads import NAMING, READS
from pclgen.schema.convert import Scope, fields_of, prose, type_of
from pclgen.schema.document import (
    ABSENT,
    Document,
    FunctionSpec,
    Header,
    ObjectSpec,
    ResourceSpec,
    ReturnSpec,
    TypeDefinitionSpec,
    alias_types,
    dump_header,
    is_absent,
    language_of,
    read_document,
)
from pclgen.schema.errors import SchemaError
from pclgen.schema.grammar import header_problem, is_property, is_python_name, is_token, shown
from pclgen.schema.tokens import MemoryTable, Token, TokenIndex, TokenTable, module_finder
from pclgen.types import model as ty
from pclgen.types.declarations import (
    Declaration,
    DeclarationKind,
    EnumDecl,
    EnumMember,
    Field,
    FunctionDecl,
    Package,
    Parameterization,
    ResourceDecl,
    Shape,
)

_SELF = "__self__"
_ENUM_BASES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_T = TypeVar("_T")


class FoundPackage:
    """An opened package, its lookups by written token, and its origin: `path` is its file, if any."""

    __slots__ = ("_members", "document", "functions", "package", "path", "resources", "types", "where")

    def __init__(self, members: _Members) -> None:
        self._members = members
        self.document: Document = members.document
        self.where: str = members.document.where
        self.path: Path | None = members.document.path
        self.package: Package = members.package
        self.resources: TokenIndex = members.resource_index
        self.functions: TokenIndex = members.function_index
        self.types: TokenIndex = members.type_index

    def resource(self, token: Token) -> ResourceDecl | None:
        """Return the resource type of `token`: exact, canonical, a former name, or the provider (language.md, Lookup).

        Raises `SchemaError` if the schema's entry is invalid.
        """
        if token.is_provider:
            return self.package.provider() if token.member == self.package.name else None
        token_ = self.resources.find(token.text)
        if token_ is None or self.resources.find_current(token.text) is None:
            self._members.note("resources", token.text)
        return self.package.resource(token_) if token_ is not None else None

    def function(self, token: Token) -> FunctionDecl | None:
        """Return the function of `token`. Raises `SchemaError` if the schema's entry is invalid."""
        token_ = self.functions.find(token.text)
        if token_ is None:
            self._members.note("functions", token.text)
        return self.package.function(token_) if token_ is not None else None


def open_package(document: Document, find_package: Callable[[str, str], Package]) -> FoundPackage:
    """Declare the members of `document` without reading them.

    `find_package(name, version)` resolves references to other packages and raises `SchemaError` for missing ones. Raises
    `ValueError` for an invalid header.
    """
    problem = header_problem(document.header)
    if problem is not None:
        raise ValueError(problem)
    return FoundPackage(_Members(document, find_package))


class _Properties(Struct, frozen=True, kw_only=True):
    """A `properties` map of the schema and its position."""

    raw: Mapping[str, Raw] | None
    required: Collection[str]
    path: str
    answered: Collection[str] = ()


class _Members:
    """The members of one package: those read so far, and how to read the others."""

    def __init__(self, document: Document, find_package: Callable[[str, str], Package]) -> None:
        header = document.header
        module_of = module_finder(header.meta.module_format if header.meta is not None else "")
        members = document.members
        resources = _table_of(members.resources, module_of, document.aliases)
        types = _table_of(members.types, module_of)
        functions = _table_of(members.functions, module_of)
        self.document = document
        self._lock = RLock()
        self._resources: dict[str, ResourceDecl] = {}
        self._functions: dict[str, FunctionDecl] = {}
        self._types: dict[str, Declaration | EnumDecl] = {}
        self._methods: dict[str, Mapping[str, FunctionDecl]] = {}
        self.package: Package = Package(
            name=header.name,
            version=header.version.removeprefix("v"),
            namespace=header.namespace,
            plugin_download_url=header.plugin_download_url,
            repository=header.repository,
            module_format=header.meta.module_format if header.meta is not None else "",
            supports_pack=header.meta is not None and header.meta.support_pack,
            language=language_of(header.language),
            parameterization=_parameterization(header),
            resource_tokens=members.resources,
            type_tokens=members.types,
            function_tokens=members.functions,
            module_of=module_of,
            resource=self.resource,
            function=self.function,
            object_type=self.object_type,
            provider=self.provider,
            written=self,
        )
        self._scope = Scope(document=document, package=self.package, find_package=find_package)
        self.resource_index: TokenIndex = TokenIndex(resources, module_of)
        self.function_index: TokenIndex = TokenIndex(functions, module_of)
        self.type_index: TokenIndex = TokenIndex(types, module_of)

    def _kept(self, cache: dict[str, _T], token: str, read: Callable[[], _T]) -> _T:
        # The lock makes repeated lookups return the same object in all threads; cached members need no lock.
        cached = cache.get(token)
        if cached is None:
            with self._lock:
                cached = cache.get(token)
                if cached is None:
                    cached = cache[token] = read()
        return cached

    def _demand_token(self, token: str, path: str) -> None:
        """Raise `SchemaError` for an invalid token, whose parts would become names of modules and classes."""
        if not is_token(token):
            raise self._scope.fail(path, f"{shown(token)} is not a token `package:module:Member`")

    def note(self, kind: str, token: str) -> None:
        """Record the use of a member, if reads are recorded."""
        reads = READS.get()
        if NAMING.get():
            self.document.naming.add((kind, token))
        elif reads is not None:
            reads.members.setdefault(id(self.document), set()).add((kind, token))

    # The schema as it is written

    def asked(self) -> set[tuple[str, str]]:
        """See `Written`."""
        reads = READS.get()
        recorded = reads.members.get(id(self.document), set()) if reads is not None else set()
        return recorded | self.document.naming

    def member(self, kind: str, token: str) -> tuple[str, bytes] | None:
        """See `Written`."""
        members = self.document.members
        match kind:
            case "provider":
                return "", bytes(members.provider())
            case "resources":
                index, table = self.resource_index, members.resources
            case "functions":
                index, table = self.function_index, members.functions
            case _:
                index, table = self.type_index, members.types
        current = index.find_current(token)
        return (current, bytes(table[current])) if current is not None else None

    def excerpt(self, members: Container[tuple[str, str]]) -> bytes:
        """See `Written`."""
        own = self.document.members
        parts = {
            kind: {token: table[token] if (kind, token) in members else ABSENT for token in table}
            for kind, table in (("resources", own.resources), ("types", own.types), ("functions", own.functions))
        }
        return dump_header(self.document.header, provider=own.provider(), **parts)

    def other(self, name: str, version: str) -> Package:
        """See `Written`."""
        return self._scope.find_package(name, version)

    # Resources

    def resource(self, token: str) -> ResourceDecl | None:
        self.note("resources", token)
        schema_token = self.resource_index.find(token)
        if schema_token is None:
            return None
        return self._kept(self._resources, schema_token, partial(self._read_resource, schema_token))

    def provider(self) -> ResourceDecl:
        token = f"pulumi:providers:{self.package.name}"
        return self._kept(self._resources, token, partial(self._read_provider, token))

    def _read_resource(self, token: str) -> ResourceDecl:
        path = f"#/resources/{token}"
        self._demand_token(token, path)
        spec = self.document.decode(self.document.members.resources[token], ResourceSpec, path)
        return self._declare_resource(token, spec, path, is_provider=False)

    def _read_provider(self, token: str) -> ResourceDecl:
        raw = self.document.members.provider()
        path = "#/provider"
        spec = self.document.decode(raw, ResourceSpec, path) if not is_absent(raw) else ResourceSpec()
        return self._declare_resource(token, spec, path, is_provider=True)

    def _declare_resource(self, token: str, spec: ResourceSpec, path: str, *, is_provider: bool) -> ResourceDecl:
        inputs = _Properties(raw=spec.input_properties, required=spec.required_inputs or (), path=f"{path}/inputProperties")
        outputs = _Properties(raw=spec.properties, required=spec.required or (), path=f"{path}/properties")
        state_spec = spec.state_inputs or ObjectSpec()
        state = _Properties(
            raw=state_spec.properties,
            required=state_spec.required or (),
            path=f"{path}/stateInputs/properties",
        )

        def declare(kind: DeclarationKind, load: Callable[[Shape], Mapping[str, Field]]) -> Declaration:
            return Declaration(
                kind=kind,
                token=token,
                package=self.package,
                load=load,
                doc=prose(spec.description),
                deprecated=prose(spec.deprecation_message),
            )

        return ResourceDecl(
            token=token,
            package=self.package,
            inputs=declare(DeclarationKind.RESOURCE_INPUTS, partial(self._fields, inputs)),
            outputs=declare(
                DeclarationKind.RESOURCE,
                partial(self._resource_fields, outputs, has_id=not spec.is_component, is_provider=is_provider),
            ),
            state=declare(DeclarationKind.RESOURCE_STATE, partial(self._state_fields, state)),
            methods=partial(self._methods_of, token, spec.methods or {}, path),
            is_component=spec.is_component,
            is_provider=is_provider,
            aliases=tuple(alias_types(spec.aliases)),
            doc=prose(spec.description),
            deprecated=prose(spec.deprecation_message),
        )

    def _methods_of(self, token: str, methods: Mapping[str, str], path: str) -> Mapping[str, FunctionDecl]:
        return self._kept(self._methods, token, partial(self._read_methods, methods, path))

    def _read_methods(self, methods: Mapping[str, str], path: str) -> Mapping[str, FunctionDecl]:
        result: dict[str, FunctionDecl] = {}
        for name, token in methods.items():
            place = f"{path}/methods/{name}"
            if not is_property(name):
                raise self._scope.fail(place, f"{shown(name)} is not the name of a method")
            function = self.function(token)
            if function is None:
                raise self._scope.fail(place, f"there is no function `{token}`")
            if not function.is_method:
                raise self._scope.fail(place, f"the function `{token}` takes no `{_SELF}`")
            result[name] = function
        return result

    # Fields

    def _fields(self, properties: _Properties, shape: Shape) -> dict[str, Field]:
        fields = fields_of(self._scope, properties.raw, required=properties.required, shape=shape, path=properties.path)
        if shape is not Shape.OUTPUT or not properties.answered:
            return fields
        return {name: replace(field, answered=name in properties.answered) for name, field in fields.items()}

    def _resource_fields(
        self, properties: _Properties, shape: Shape, *, has_id: bool, is_provider: bool
    ) -> dict[str, Field]:
        fields: dict[str, Field] = {}
        if has_id:
            fields["id"] = Field(name="id", type=ty.ID, required=True)
        fields["urn"] = Field(name="urn", type=ty.STRING, required=True)
        declared = self._fields(properties, Shape.OUTPUT)
        if is_provider:
            # The SDKs offer only text back from a provider (language.md, Resources).
            declared = {name: field for name, field in declared.items() if _is_text(field.type)}
        fields.update(declared)
        if shape is not Shape.OUTPUT:
            return fields
        return {name: replace(field, type=ty.output_of(field.type)) for name, field in fields.items()}

    def _state_fields(self, properties: _Properties, shape: Shape) -> dict[str, Field]:
        identity: ty.Type = ty.input_of(ty.STRING) if shape is Shape.INPUT else ty.STRING
        return {
            "id": Field(name="id", type=identity, required=True),
            **{name: field for name, field in self._fields(properties, shape).items() if name != "id"},
        }

    # Object types and enums

    def object_type(self, token: str) -> Declaration | EnumDecl | None:
        self.note("types", token)
        schema_token = self.type_index.find(token)
        if schema_token is None:
            return None
        return self._kept(self._types, schema_token, partial(self._read_type, schema_token))

    def _read_type(self, token: str) -> Declaration | EnumDecl:
        path = f"#/types/{token}"
        self._demand_token(token, path)
        spec = self.document.decode(self.document.members.types[token], TypeDefinitionSpec, path)
        if spec.enum is not None:
            return self._enum(token, spec, path)
        if spec.type not in ("", "object"):
            raise self._scope.fail(f"{path}/type", f"a type is an object or an enum, not `{spec.type}`")
        properties = _Properties(
            raw=spec.properties, required=spec.required or (), path=f"{path}/properties", answered=spec.answered
        )
        return Declaration(
            kind=DeclarationKind.OBJECT,
            token=token,
            package=self.package,
            load=partial(self._fields, properties),
            doc=prose(spec.description),
            deprecated=prose(spec.deprecation_message),
        )

    def _enum(self, token: str, spec: TypeDefinitionSpec, path: str) -> EnumDecl:
        accepted = _ENUM_BASES.get(spec.type)
        if accepted is None:
            raise self._scope.fail(f"{path}/type", f"an enum is of boolean, integer, number or string, not `{spec.type}`")
        members: list[EnumMember] = []
        for index, member in enumerate(spec.enum or ()):
            is_bool = isinstance(member.value, bool)
            if not isinstance(member.value, accepted) or is_bool != (spec.type == "boolean"):
                raise self._scope.fail(f"{path}/enum/{index}/value", f"the value is not of type {spec.type}")
            if member.python_name and not is_python_name(member.python_name):
                reason = f"{shown(member.python_name)} is no name of Python"
                raise self._scope.fail(f"{path}/enum/{index}/pythonName", reason)
            members.append(
                EnumMember(
                    value=member.value,
                    name=member.name or "",
                    python_name=member.python_name,
                    doc=prose(member.description),
                    deprecated=prose(member.deprecation_message),
                )
            )
        doc = prose(spec.description)
        return EnumDecl(token=token, package=self.package, base=spec.type, members=tuple(members), doc=doc)

    # Functions

    def function(self, token: str) -> FunctionDecl | None:
        self.note("functions", token)
        schema_token = self.function_index.find(token)
        if schema_token is None:
            return None
        return self._kept(self._functions, schema_token, partial(self._read_function, schema_token))

    def _read_function(self, token: str) -> FunctionDecl:
        path = f"#/functions/{token}"
        self._demand_token(token, path)
        spec = self.document.decode(self.document.members.functions[token], FunctionSpec, path)
        properties = dict(spec.inputs.properties or {}) if spec.inputs is not None else {}
        is_method = properties.pop(_SELF, None) is not None
        inputs: Declaration | None = None
        # `inputs` without properties still is an (empty) argument in the SDKs; `__self__` alone is none.
        if spec.inputs is not None and (properties or not is_method):
            declared = _Properties(raw=properties, required=spec.inputs.required or (), path=f"{path}/inputs/properties")
            inputs = Declaration(
                kind=DeclarationKind.FUNCTION_INPUTS,
                token=token,
                package=self.package,
                load=partial(self._fields, declared),
                doc=prose(spec.inputs.description),
            )
        for name in spec.multi_argument_inputs or ():
            if name not in properties:
                raise self._scope.fail(f"{path}/multiArgumentInputs", f"`{name}` is not among the inputs of the function")
        result, plain = self._result(token, spec, f"{path}/outputs")
        return FunctionDecl(
            token=token,
            package=self.package,
            inputs=inputs,
            result=result,
            multi_argument=tuple(spec.multi_argument_inputs or ()),
            is_method=is_method,
            plain_result=plain,
            doc=prose(spec.description),
            deprecated=prose(spec.deprecation_message),
        )

    def _result(self, token: str, spec: FunctionSpec, path: str) -> tuple[ty.Type | None, bool]:
        """Return the result type, if any, and whether it is not wrapped in an output."""
        if is_absent(spec.outputs):
            return None, False
        outputs = self.document.decode(spec.outputs, ReturnSpec, path)
        on_the_spot = outputs.type in ("", "object") and not (outputs.ref or outputs.one_of or outputs.additional_properties)
        if not on_the_spot:
            return type_of(self._scope, outputs, Shape.OUTPUT, path), outputs.plain
        properties = _Properties(raw=outputs.properties, required=outputs.required or (), path=f"{path}/properties")
        declaration = Declaration(
            kind=DeclarationKind.FUNCTION_RESULT,
            token=token,
            package=self.package,
            load=partial(self._fields, properties),
            doc=prose(outputs.description),
        )
        return ty.nominal_of(declaration, Shape.OUTPUT), outputs.plain


def _table_of(
    section: Mapping[str, Raw],
    module_of: Callable[[str], str],
    aliases: Callable[[], Iterable[tuple[str, str]]] | None = None,
) -> TokenTable:
    """Return the lookup of a section: its own, if it has one."""
    if isinstance(section, TokenTable):
        return section
    return MemoryTable(section, module_of, aliases)


def _parameterization(header: Header) -> Parameterization | None:
    spec = header.parameterization or header.extension_parameterization
    if spec is None:
        return None
    return Parameterization(
        base_name=spec.base_provider.name,
        base_version=spec.base_provider.version,
        parameter=spec.parameter,
        extension=header.parameterization is None,
    )


def _is_text(t: ty.Type) -> bool:
    bare = ty.without_none(t)
    return bare is ty.STRING or (isinstance(bare, ty.EnumType) and bare.base is ty.STRING)


# -- the package pulumi -----------------------------------------------------------------------------------------------------

PULUMI = "pulumi"

_SCHEMA = b"""
{
  "name": "pulumi",
  "resources": {
    "pulumi:pulumi:StackReference": {
      "description": "The outputs of another stack.",
      "inputProperties": {
        "name": {
          "type": "string",
          "description": "The full name of the stack; the name of the resource when absent."
        }
      },
      "properties": {
        "name": {"type": "string", "description": "The full name of the stack."},
        "outputs": {
          "type": "object",
          "additionalProperties": {"$ref": "pulumi.json#/Any"},
          "description": "The outputs of the stack, by name."
        },
        "secretOutputNames": {
          "type": "array",
          "items": {"type": "string"},
          "description": "The names of the outputs that are secret."
        }
      },
      "required": ["name", "outputs", "secretOutputNames"]
    },
    "pulumi:index:Stash": {
      "description": "A value that is kept in the state of the stack.",
      "inputProperties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value to keep when there is none yet."}
      },
      "requiredInputs": ["input"],
      "properties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value given last."},
        "output": {"$ref": "pulumi.json#/Any", "description": "The value that is kept."}
      },
      "required": ["input", "output"]
    }
  }
}
"""


def builtin_package() -> FoundPackage:
    """A fresh package `pulumi` (stores keep theirs, so that its declarations are one object each)."""
    document = read_document(_SCHEMA, where="pclgen itself", identity="built-in")
    assert isinstance(document, Document), document
    return open_package(document, _no_package)


def _no_package(name: str, version: str) -> Package:
    raise SchemaError(package=PULUMI, path="", reason=f"the package `{name}` is not available", missing=(name, version))
