"""Types as TypeScript writes them, in one module of one SDK.

A type looks different where outputs may be given (`input`), where they may not (`plain`), and where values come out
(`output`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, assert_never

from tests.support.standins.homes import declaring
from tests.support.standins.reach import Reach
from tests.support.standins.schema import (
    PROVIDER,
    Anything,
    Blob,
    Named,
    OneOf,
    Properties,
    Property,
    Scalar,
    Schema,
    Several,
    Slot,
    Type,
    read_schema,
)
from tests.support.standins.typescript import names

Side: TypeAlias = Literal["input", "plain", "output"]
_SCALARS = {"boolean": "boolean", "integer": "number", "number": "number", "string": "string"}


class Sdk:
    """One package; `modern` puts the `undefined` of optional inputs into `Input`, as SDKs do since the end of 2025."""

    def __init__(self, schema: Schema, *, modern: bool) -> None:
        self.schema = schema
        self.modern = modern
        self.package = names.package_name(schema)

    @cached_property
    def reach(self) -> Reach:
        return Reach(self.schema)

    @cached_property
    def arguments(self) -> frozenset[str]:
        """The object types in arguments of functions."""
        return frozenset(self.reach.tokens["plain"] | self.reach.tokens["eventual"])

    @cached_property
    def legacy(self) -> bool:
        return self.schema.language("nodejs").get("compatibility") in ("tfbridge20", "kubernetes20")

    @cached_property
    def promising(self) -> bool:
        """Whether the SDK types everything that a resource gives as present."""
        return self.schema.language("nodejs").get("compatibility") == "kubernetes20"

    @cached_property
    def plain_unions(self) -> bool:
        return not self.schema.language("nodejs").get("disableUnionOutputTypes")

    def module_of(self, token: str) -> tuple[str, ...]:
        return names.module_of(self.schema, token)

    def type_name(self, token: str, side: Side) -> str:
        """The interface of an object type."""
        suffix = "Args" if side == "input" and (not self.legacy or token in self.reach.tokens["eventual"]) else ""
        return names.class_name(token) + suffix

    def required(self, token: str, properties: Properties, side: Side) -> frozenset[str]:
        """The properties of an object type that are always there; Node's SDKs may say otherwise than the schema."""
        if side == "output" and self.promising:
            return frozenset(p.name for p in properties)
        language: Mapping[str, Any] = (self.schema.raw["types"][token].get("language") or {}).get("nodejs") or {}
        stated = language.get("requiredOutputs" if side == "output" else "requiredInputs")
        return frozenset(stated) if stated is not None else frozenset(p.name for p in properties if p.required)


class World:
    """SDKs by name and version; references lead to the version they name, else to the only one."""

    def __init__(self, schemas: Sequence[Path], *, modern: bool = False) -> None:
        self.sdks = [Sdk(read_schema(path), modern=modern) for path in sorted(schemas)]

    def home(self, named: Named, of: Sdk) -> Sdk:
        """The SDK that declares what `of` refers to.  Raises `KeyError` when it is not there."""
        return declaring(self.sdks, named, of)


class Spelling:
    """Types in a file `depth` folders below the package, and the imports that they need."""

    def __init__(self, world: World, sdk: Sdk, depth: int) -> None:
        self.world = world
        self.sdk = sdk
        self.imports: dict[str, str] = {}
        self._up = "../" * depth or "./"

    def members(self, properties: Properties, side: Side, *, needed: frozenset[str] | None = None) -> str:
        """The body of an interface."""
        return "".join(f" {self.member(found, side, needed)};" for found in properties)

    def member(self, found: Property, side: Side, needed: frozenset[str] | None = None) -> str:
        """A member of an interface."""
        required = found.required if needed is None else found.name in needed
        read_only = "readonly " if side == "output" else ""
        return f"{read_only}{names.key(found.name)}{'' if required else '?'}: {self.given(found, side, required)}"

    def given(self, found: Property, side: Side, required: bool) -> str:
        """The type of an argument or a member."""
        text = self._const(found) or self.bare(found.slot.type, side)
        if side != "input" or found.slot.plain or text == "any":
            return text
        return f"pulumi.Input<{text}{' | undefined' if self.sdk.modern and not required else ''}>"

    def value(self, found: Property) -> str:
        """A property of a resource, inside of its output."""
        text = self._const(found) or self.bare(found.slot.type, "output")
        return text if found.required or self.sdk.promising or text == "any" else f"{text} | undefined"

    def _const(self, found: Property) -> str:
        return "" if found.const is None else json.dumps(found.const)

    def _element(self, slot: Slot, side: Side) -> str:
        text = self.bare(slot.type, side)
        return f"pulumi.Input<{text}>" if side == "input" and not slot.plain and text != "any" else text

    def bare(self, found: Type, side: Side) -> str:
        """A type, without an input around it."""
        match found:
            case Scalar():
                return _SCALARS[found.kind]
            case Anything():
                return "any"
            case Blob():
                archive = "pulumi.asset.Archive"
                return archive if found.archive else f"pulumi.asset.Asset | {archive}"
            case Several():
                of = self._element(found.of, side)
                grouped = f"({of})" if " | " in of and not of.startswith("pulumi.Input<") else of
                return f"{{ [key: string]: {of} }}" if found.keyed else f"{grouped}[]"
            case OneOf():
                if side == "output" and not self.sdk.plain_unions:
                    return self.bare(found.otherwise, side) if found.otherwise else "any"
                return " | ".join(dict.fromkeys(self.bare(member, side) for member in found.members))
            case Named():
                return self._named(found, side)
        assert_never(found)

    def _named(self, found: Named, side: Side) -> str:
        home = self.world.home(found, self.sdk)
        module = home.module_of(found.token)
        path = [names.exported(part) for part in module]
        if found.kind == "resource":
            name = "Provider" if found.token.startswith(PROVIDER) else names.class_name(found.token)
            return self._from(home, "self", [*path, name])
        if found.token in home.schema.enums:
            return self._from(home, "enums", [*path, names.class_name(found.token)])
        if found.token not in home.schema.objects:
            return "any"
        place = "outputs" if side == "output" else "inputs"
        return self._from(home, place, [*path, home.type_name(found.token, side)])

    def _from(self, home: Sdk, place: str, path: list[str]) -> str:
        """A path into a part of a package."""
        if home is not self.sdk:
            alias = names.exported(home.package.rpartition("/")[2]) + "_"
            self.imports[alias] = home.package
            inside = {"inputs": ["types", "input"], "outputs": ["types", "output"], "enums": ["types", "enums"]}
            return ".".join([alias, *inside.get(place, []), *path])
        files = {"inputs": "types/input", "outputs": "types/output", "enums": "types/enums", "self": "index"}
        self.imports[f"{place}_"] = self._up + files[place]
        return ".".join([f"{place}_", *path])

    def import_lines(self) -> str:
        """The imports of the file."""
        lines = [f"import * as {alias} from {json.dumps(path)};\n" for alias, path in sorted(self.imports.items())]
        return 'import * as pulumi from "@pulumi/pulumi";\n' + "".join(lines)
