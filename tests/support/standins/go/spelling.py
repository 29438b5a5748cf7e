"""Go types of schema types, as one Go file spells them: spec/targets.md 6.7.

Comes in: schema types.  Goes out: text, and the imports that it needs.  Every type has a *stem*: `pulumi.String`, `Bar`,
`BarArray`, to which `Input` and `Output` are added, after `Ptr` where an optional value is a pointer.
"""

from __future__ import annotations

from typing import assert_never

from tests.support.standins.go.names import Sdk
from tests.support.standins.go.world import World
from tests.support.standins.schema import Anything, Blob, Enum, Named, OneOf, Scalar, Several, Slot, Type

PULUMI = "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
_PLAIN = {"boolean": "bool", "integer": "int", "number": "float64", "string": "string"}
_STEMS = {"boolean": "Bool", "integer": "Int", "number": "Float64", "string": "String"}


def plain_scalar(kind: str) -> str:
    """The Go type of a scalar."""
    return _PLAIN[kind]


def scalar_stem(kind: str) -> str:
    """The name that the Pulumi SDK has for a scalar, without its package."""
    return _STEMS[kind]


class GoFile:
    """The types of one Go package, spelled; `imports` maps import paths to the names they go by."""

    def __init__(self, world: World, sdk: Sdk, module: str) -> None:
        self.world, self.sdk, self.module = world, sdk, module
        self.imports: dict[str, str] = {"context": "context", "reflect": "reflect", PULUMI: "pulumi"}

    def name(self, named: Named) -> str:
        """The Go name of a type or resource, with its package where that is another one."""
        sdk = self.world.home(named, self.sdk)
        found = (sdk.resources if named.kind == "resource" else sdk.types)[named.token]
        module = sdk.module_of(named.token)
        if sdk is self.sdk and module == self.module:
            return found
        return f"{self._imported(sdk.import_path(module), sdk.package_name(module))}.{found}"

    def _imported(self, path: str, name: str) -> str:
        """The name of an import, added when it is new."""
        if path not in self.imports:
            taken = {*self.imports.values(), self.sdk.package_name(self.module)}
            number, alias = 1, name
            while alias in taken:
                number += 1
                alias = f"{name}{number}"
            self.imports[path] = alias
        return self.imports[path]

    def enum(self, of: Type) -> Enum | None:
        """The declaration when `of` is an enumeration."""
        if isinstance(of, Named) and of.kind == "type":
            return self.world.home(of, self.sdk).schema.enums.get(of.token)
        return None

    def simple(self, of: Type) -> Type:
        """A union as Go has it: the scalar of an enumeration in it, or anything."""
        if not isinstance(of, OneOf):
            return of
        kinds = [enum.kind for enum in map(self.enum, of.members) if enum is not None]
        return Scalar(kind=kinds[0]) if kinds else Anything()

    def pointed(self, of: Type) -> bool:
        """Whether an optional value of this type is a pointer."""
        of = self.simple(of)
        return isinstance(of, Scalar) or (isinstance(of, Named) and of.kind == "type")

    def stem(self, of: Type) -> str:
        """What `Input` and `Output` are added to; ends in a dot for anything."""
        match self.simple(of):
            case Scalar(kind=kind):
                return f"pulumi.{_STEMS[kind]}"
            case Blob(archive=archive):
                return "pulumi.Archive" if archive else "pulumi.AssetOrArchive"
            case Several(of=slot, keyed=keyed):
                return self._element_stem(slot.type) + ("Map" if keyed else "Array")
            case Named() as named:
                return self.name(named)
            case Anything() | OneOf():
                return "pulumi."
            case other:
                assert_never(other)

    def _element_stem(self, of: Type) -> str:
        """The stem of an element; resources have containers of their own only where the schema asks for them."""
        if isinstance(of, Named) and of.kind == "resource":
            home = self.world.home(of, self.sdk)
            if not home.schema.go.get("generateResourceContainerTypes"):
                return "pulumi."
        return self.stem(of)

    def input(self, of: Type, *, optional: bool) -> str:
        """The type of a field that takes outputs, too."""
        star, pointer = self._optional(of) if optional else ("", "")
        return f"{star}{self.stem(of)}{pointer}Input"

    def output(self, of: Type, *, optional: bool) -> str:
        """The type of an output."""
        stem = self.stem(of)
        star, pointer = self._optional(of) if optional else ("", "")
        return "pulumi.AnyOutput" if stem == "pulumi." else f"{star}{stem}{pointer}Output"

    def _optional(self, of: Type) -> tuple[str, str]:
        """What stands before and after the stem of an optional type; another package may have no form for it."""
        if not self.pointed(of):
            return "", ""
        of = self.simple(of)
        if isinstance(of, Named) and of.package:
            home = self.world.home(of, self.sdk)
            if "Ptr" not in self.world.usage(home).forms[of.token].outputs and of.token not in home.schema.enums:
                return "*", ""
        return "", "Ptr"

    def plain(self, of: Type, *, optional: bool = False) -> str:
        """The type of a value that is there."""
        pointer = "*" if optional and self.pointed(of) else ""
        match self.simple(of):
            case Scalar(kind=kind):
                return pointer + _PLAIN[kind]
            case Blob(archive=archive):
                return "pulumi.Archive" if archive else "pulumi.AssetOrArchive"
            case Several(of=slot, keyed=keyed):
                return ("map[string]" if keyed else "[]") + self.plain(slot.type)
            case Named(kind=kind) as named:
                return ("*" if kind == "resource" else pointer) + self.name(named)
            case Anything() | OneOf():
                return "interface{}"
            case other:
                assert_never(other)

    def method_field(self, slot: Slot, *, optional: bool) -> str:
        """The type of a field in the arguments of a method, where resources are inputs also if they are plain."""
        match slot.type:
            case Several(of=Slot(type=Named(kind="resource") as element), keyed=keyed) if slot.plain:
                return ("map[string]" if keyed else "[]") + self.input(element, optional=False)
            case Named(kind="resource") as named:
                return self.input(named, optional=False)
            case _:
                return self.field(slot, optional=optional)

    def field(self, slot: Slot, *, optional: bool) -> str:
        """The type of a field in a struct of arguments: what takes outputs, unless the property is plain."""
        if not slot.plain:
            return self.input(slot.type, optional=optional)
        match slot.type:
            case Several(of=element, keyed=keyed):
                return ("map[string]" if keyed else "[]") + self.field(element, optional=False)
            case Named(kind="type") as named if self.enum(named) is None:
                return ("*" if optional else "") + f"{self.name(named)}Args"
            case other:
                return self.plain(other, optional=optional)
