"""Types as annotations, in one module of one SDK.

A type looks different in each place (`Side`): in a class of arguments, in a dictionary of arguments, where both fit, and
where values come out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias, assert_never

from tests.support.standins.homes import declaring
from tests.support.standins.python import names
from tests.support.standins.reach import Reach
from tests.support.standins.schema import (
    PROVIDER,
    Anything,
    Blob,
    Named,
    OneOf,
    Property,
    Scalar,
    Schema,
    Several,
    Slot,
    Type,
    read_schema,
)

Side: TypeAlias = Literal["class", "dict", "both", "output", "result"]
_SCALARS = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}


class Sdk:
    """One package; `modern` puts the optional inside of `Input`, as SDKs do since the end of 2025."""

    def __init__(self, schema: Schema, *, modern: bool) -> None:
        self.schema = schema
        self.modern = modern
        self.package = names.package_name(schema)

    @cached_property
    def reach(self) -> Reach:
        return Reach(self.schema)

    @cached_property
    def legacy(self) -> bool:
        """Whether results of functions have types of their own."""
        return self.schema.language("python").get("compatibility") in ("tfbridge20", "kubernetes20")

    @cached_property
    def dicts(self) -> bool:
        """Whether dictionaries may stand for classes of arguments."""
        return self.schema.language("python").get("inputTypes") != "classes"

    def module_of(self, token: str) -> tuple[str, ...]:
        return names.module_of(self.schema, token)

    def args_class(self, token: str) -> str:
        """The class of a resource's arguments."""
        name = "Provider" if token.startswith(PROVIDER) else names.class_name(token)
        taken = {
            (self.module_of(other), names.class_name(other))
            for place in ("inputs", "plain")
            for other in self.reach.tokens[place]
            if other in self.schema.objects
        }
        return f"{name}InitArgs" if (self.module_of(token), name) in taken else f"{name}Args"


class World:
    """SDKs by name and version; references lead to the version they name, else to the only one."""

    def __init__(self, schemas: Sequence[Path], *, modern: bool = False) -> None:
        self.sdks = [Sdk(read_schema(path), modern=modern) for path in sorted(schemas)]

    def home(self, named: Named, of: Sdk) -> Sdk:
        """The SDK that declares what `of` refers to.  Raises `KeyError` when it is not there."""
        return declaring(self.sdks, named, of)


class Spelling:
    """Annotations in a module, and the modules that they need."""

    def __init__(self, world: World, sdk: Sdk, module: tuple[str, ...]) -> None:
        self.world = world
        self.sdk = sdk
        self.module = module
        self.imports: set[str] = set()

    def root(self) -> str:
        """The dots that lead from this module to the package."""
        return "." * (len(self.module) + 1)

    def of(self, slot: Slot, side: Side, *, plain: bool = False) -> str:
        """A value; where outputs are taken, also within."""
        plain = plain or side in ("output", "result")
        found = self._bare(slot.type, side, plain)
        return found if plain or slot.plain or found == "Any" else f"pulumi.Input[{found}]"

    def argument(self, found: Property, side: Side, *, plain: bool = False, needed: bool | None = None) -> str:
        """A property where it is given; not `needed` ones may be left out."""
        needed = found.required if needed is None else needed
        text = self._const(found) or self._bare(found.slot.type, side, plain)
        optional = f"Optional[{text}]"
        if plain or found.slot.plain or text == "Any":
            return text if needed else optional
        if needed:
            return f"pulumi.Input[{text}]"
        return f"pulumi.Input[{optional}]" if self.sdk.modern else f"Optional[pulumi.Input[{text}]]"

    def entry(self, found: Property, *, plain: bool) -> str:
        """A property in a dictionary."""
        text = self.argument(found, "dict", plain=plain)
        if found.required:
            return text
        modern = self.sdk.modern and not (plain or found.slot.plain) and text.startswith("pulumi.Input[")
        return f"NotRequired[{text if modern else text.removeprefix('Optional[').removesuffix(']')}]"

    def value(self, found: Property, side: Side) -> str:
        """A property that is read."""
        text = self._const(found) or self.of(found.slot, side)
        return text if found.required else f"Optional[{text}]"

    def _const(self, found: Property) -> str:
        if found.const is None or isinstance(found.const, float):
            return ""
        literal = json.dumps(found.const) if isinstance(found.const, str) else repr(found.const)
        return f"Literal[{literal}]"

    def _bare(self, found: Type, side: Side, plain: bool) -> str:
        match found:
            case Scalar():
                return f"_builtins.{_SCALARS[found.kind]}"
            case Anything():
                return "Any"
            case Blob():
                return "pulumi.Archive" if found.archive else "Union[pulumi.Asset, pulumi.Archive]"
            case Several():
                of = self.of(found.of, side, plain=plain)
                return f"Mapping[str, {of}]" if found.keyed else f"Sequence[{of}]"
            case OneOf():
                members = dict.fromkeys(self._bare(member, side, plain) for member in found.members)
                return f"Union[{', '.join(members)}]" if len(members) > 1 else next(iter(members))
            case Named():
                return self._named(found, side)
        assert_never(found)

    def _named(self, found: Named, side: Side) -> str:
        home = self.world.home(found, self.sdk)
        module = home.module_of(found.token)
        if found.kind == "resource":
            name = "Provider" if found.token.startswith(PROVIDER) else names.class_name(found.token)
            return self._absolute(home, module, name)
        if found.token in home.schema.enums:
            return self._quoted(home, module, names.class_name(found.token))
        if found.token not in home.schema.objects:
            return "Any"
        name = names.class_name(found.token)
        if side == "output" or side == "result":
            suffix = "Result" if side == "result" and home.legacy else ""
            return self._quoted(home, module, f"{name}{suffix}", file="outputs")
        known = home.dicts if home is self.sdk else home.schema.language("python").get("inputTypes") == "classes-and-dicts"
        if side == "class" or not known:
            return self._quoted(home, module, f"{name}Args")
        as_dict = self._quoted(home, module, f"{name}ArgsDict")
        return as_dict if side == "dict" else f"Union[{self._quoted(home, module, f'{name}Args')}, {as_dict}]"

    def _quoted(self, home: Sdk, module: tuple[str, ...], name: str, *, file: str = "") -> str:
        """A class by a name that this module can resolve later."""
        if home is self.sdk and module == self.module:
            return f"'{file}.{name}'" if file else f"'{name}'"
        return self._absolute(home, module, file, name)

    def _absolute(self, home: Sdk, module: tuple[str, ...], *names: str) -> str:
        self.imports.add(f"import {home.package}")
        return "'" + ".".join(part for part in (home.package, *module, *names) if part) + "'"
