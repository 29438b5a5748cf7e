"""Pulumi schemas, read for rendering: the file's JSON in, typed declarations out.

A type is a closed union (`Type`); a `Slot` is a type at a place that may be plain (no Input around it).  References to
other packages stay references (`Named.package`, `Named.version`); whoever renders finds their schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote

PROVIDER = "pulumi:providers:"

ScalarKind: TypeAlias = Literal["boolean", "integer", "number", "string"]
NamedKind: TypeAlias = Literal["type", "resource"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A boolean, an integer, a number or a string."""

    kind: ScalarKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything:
    """A value of any type: `Any` and `Json`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """An archive, or an asset (which may be an archive, too)."""

    archive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """An array, or a map with string keys."""

    of: Slot
    keyed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """A union; `otherwise` is what stands for it where a language has no unions."""

    members: tuple[Type, ...]
    otherwise: Scalar | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An object type or enumeration, or a resource, by its token; `package` is empty for the schema's own."""

    kind: NamedKind
    token: str
    package: str = ""
    version: str = ""


Type: TypeAlias = Scalar | Anything | Blob | Several | OneOf | Named


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A type where it is used; a plain one takes no outputs."""

    type: Type
    plain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property; `const` and `default` are JSON scalars or None; `environment`: variables that give a default.

    `replaces` says that a change of it replaces the resource.
    """

    name: str
    slot: Slot
    required: bool
    secret: bool
    const: bool | float | str | None
    default: bool | float | str | None
    environment: tuple[str, ...] = ()
    replaces: bool = False


Properties: TypeAlias = tuple[Property, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A resource or the provider; `methods` maps their names to function tokens; `aliases` are former tokens."""

    token: str
    inputs: Properties
    outputs: Properties
    state: Properties
    methods: Mapping[str, str]
    component: bool
    aliases: tuple[str, ...] = ()

    @property
    def provider(self) -> bool:
        """Whether this is the package's provider."""
        return self.token.startswith(PROVIDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """An enumeration: (name or None, value) of each member."""

    token: str
    kind: ScalarKind
    members: tuple[tuple[str | None, bool | float | str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function or method: `inputs` is None without any, `result` are properties, a type, or None for nothing."""

    token: str
    inputs: Properties | None
    positional: tuple[str, ...]
    result: Properties | Slot | None
    plain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What makes a package of another one: the base provider, the value in base64; an extension adds to the base."""

    base: str
    version: str
    value: str
    extension: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A package."""

    name: str
    version: str
    raw: Mapping[str, Any]
    module_format: str
    provider: Resource
    resources: Mapping[str, Resource]
    objects: Mapping[str, Properties]
    enums: Mapping[str, Enum]
    functions: Mapping[str, Function]
    config: Properties

    def language(self, name: str) -> Mapping[str, Any]:
        """What the schema says for a language: `go`, `python` or `nodejs`."""
        found: Mapping[str, Any] = (self.raw.get("language") or {}).get(name) or {}
        return found

    @property
    def go(self) -> Mapping[str, Any]:
        """What the schema says for Go."""
        return self.language("go")

    @property
    def parameter(self) -> Parameter | None:
        """How the package is made of its base provider; None for a package that stands on its own."""
        for key in ("parameterization", "extensionParameterization"):
            found = self.raw.get(key)
            if found:
                base = found["baseProvider"]
                extension = key == "extensionParameterization"
                return Parameter(
                    base=base["name"], version=base["version"], value=found["parameter"], extension=extension
                )
        return None

    @property
    def plugin_url(self) -> str:
        """Where the engine finds the plugin; empty for the usual place."""
        return self.raw.get("pluginDownloadURL") or ""

    def canonical_module(self, token: str) -> str:
        """The module of a token, as the schema's format finds it; empty for the root module."""
        if token.startswith(("pulumi:pulumi:", PROVIDER)):
            return ""
        match = re.search(self.module_format, token.split(":")[1])
        module = match[1] if match is not None else ""
        return "" if module == "index" else module

    @property
    def methods(self) -> frozenset[str]:
        """The functions that are methods of a resource."""
        return frozenset(token for r in (self.provider, *self.resources.values()) for token in r.methods.values())


def read_schema(path: Path) -> Schema:
    """Read a schema file.  Raises `OSError`, and `ValueError` or `KeyError` for what is no schema."""
    return _Reader(json.loads(path.read_text(encoding="utf-8"))).schema()


class _Reader:
    """Reads one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._types: Mapping[str, Any] = document.get("types") or {}
        self._name: str = document["name"]

    def schema(self) -> Schema:
        document = self._document
        resources = {t: r for t, r in (document.get("resources") or {}).items() if not r.get("isOverlay")}
        functions = {t: f for t, f in (document.get("functions") or {}).items() if not f.get("isOverlay")}
        types = {t: d for t, d in self._types.items() if not d.get("isOverlay")}
        return Schema(
            name=self._name,
            version=document.get("version") or "",
            raw=document,
            module_format=(document.get("meta") or {}).get("moduleFormat") or "(.*)",
            provider=self._resource(PROVIDER + self._name, document.get("provider") or {}),
            resources={token: self._resource(token, found) for token, found in sorted(resources.items())},
            objects={token: self._properties(d) for token, d in sorted(types.items()) if "enum" not in d},
            enums={token: self._enum(token, d) for token, d in sorted(types.items()) if "enum" in d},
            functions={token: self._function(token, found) for token, found in sorted(functions.items())},
            config=self._listed((document.get("config") or {}).get("variables"), None),
        )

    def _resource(self, token: str, found: Mapping[str, Any]) -> Resource:
        return Resource(
            token=token,
            inputs=self._listed(found.get("inputProperties"), found.get("requiredInputs")),
            outputs=self._properties(found),
            state=self._properties(found.get("stateInputs") or {}),
            methods=found.get("methods") or {},
            component=bool(found.get("isComponent")),
            aliases=tuple(_alias(alias) for alias in found.get("aliases") or ()),
        )

    def _enum(self, token: str, found: Mapping[str, Any]) -> Enum:
        members = tuple((member.get("name"), member["value"]) for member in found["enum"])
        return Enum(token=token, kind=found["type"], members=members)

    def _function(self, token: str, found: Mapping[str, Any]) -> Function:
        outputs = found.get("outputs")
        result: Properties | Slot | None = None
        kind = (outputs or {}).get("type", "object")
        if outputs is not None and kind == "object" and not {"additionalProperties", "$ref"} & {*outputs}:
            result = self._properties(outputs)
        elif outputs is not None:
            result = self._slot(outputs)
        return Function(
            token=token,
            inputs=None if found.get("inputs") is None else self._properties(found["inputs"]),
            positional=tuple(found.get("multiArgumentInputs") or ()),
            result=result,
            plain=bool((outputs or {}).get("plain")),
        )

    def _properties(self, found: Mapping[str, Any]) -> Properties:
        return self._listed(found.get("properties"), found.get("required"))

    def _listed(self, properties: Mapping[str, Any] | None, required: list[str] | None) -> Properties:
        needed = frozenset(required or ())
        return tuple(
            Property(
                name=name,
                slot=self._slot(spec),
                required=name in needed,
                secret=bool(spec.get("secret")),
                const=spec.get("const"),
                default=spec.get("default"),
                environment=tuple((spec.get("defaultInfo") or {}).get("environment") or ()),
                replaces=bool(spec.get("replaceOnChanges")),
            )
            for name, spec in sorted((properties or {}).items())
        )

    def _slot(self, spec: Mapping[str, Any]) -> Slot:
        return Slot(type=self._type(spec), plain=bool(spec.get("plain")))

    def _type(self, spec: Mapping[str, Any]) -> Type:
        if spec.get("oneOf"):
            scalar = spec.get("type")
            otherwise = Scalar(kind=scalar) if scalar in ("boolean", "integer", "number", "string") else None
            return OneOf(members=tuple(self._type(member) for member in spec["oneOf"]), otherwise=otherwise)
        if spec.get("$ref"):
            return self._reference(unquote(spec["$ref"]), spec)
        match spec["type"]:
            case "array":
                return Several(of=self._slot(spec["items"]), keyed=False)
            case "object":
                return Several(of=self._slot(spec.get("additionalProperties") or {"type": "string"}), keyed=True)
            case "boolean" | "integer" | "number" | "string" as kind:
                return Scalar(kind=kind)
            case other:
                raise ValueError(f"no such type: {other}")

    def _reference(self, reference: str, spec: Mapping[str, Any]) -> Type:
        document, _, path = reference.partition("#")
        if document == "pulumi.json":
            return Blob(archive=path == "/Archive") if path in ("/Archive", "/Asset") else Anything()
        kind, _, token = path.removeprefix("/").partition("/")
        package = version = ""
        if document:
            match = re.fullmatch(r"/([^/]+)/v([^/]+)/schema\.json", document)
            if match is None:
                raise ValueError(f"a reference into no known package: {reference}")
            package, version = match[1], match[2]
        elif kind == "types" and token not in self._types:
            # A name for a scalar that is declared nowhere.
            return Scalar(kind=spec["type"]) if spec.get("type", "ref") != "ref" else Anything()
        if kind == "provider":
            kind, token = "resources", PROVIDER + (package or self._name)
        if kind == "resources":
            return Named(kind="resource", token=token, package=package, version=version)
        return Named(kind="type", token=token, package=package, version=version)


def _alias(found: str | Mapping[str, str]) -> str:
    """The former token that an alias names; two forms are in use."""
    return found if isinstance(found, str) else found["type"]
