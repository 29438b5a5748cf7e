"""The locations of classes, functions and enum members in the published SDK of a package.

`Imported` nodes carry the module to import (targets.md, Settings of schemas; Entities).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pclgen.targets.names import identifier, snake, split_token, without_file
from pclgen.targets.python import names
from pclgen.targets.python.tree import Group, Imported, Module
from pclgen.types.declarations import Declaration, EnumDecl, FunctionDecl, Json, Package, ResourceDecl

PULUMI = "pulumi"


def settings(package: Package) -> dict[str, Json]:
    """The `language.python` part of the schema."""
    return dict(package.language.get("python", {}))


def module_of(package: Package) -> Module:
    """The root module of the package's SDK, imported under the package's own name."""
    if package.name == PULUMI:
        return Module(path="pulumi", alias="pulumi", group=Group.THIRD_PARTY)
    override = settings(package).get("packageName")
    if isinstance(override, str) and override:
        path = override.replace("-", "_")
    else:
        prefix = package.namespace or "pulumi"
        path = f"{prefix}_{package.name}".replace("-", "_")
    return Module(path=path, alias=snake(identifier(package.name)), group=Group.THIRD_PARTY)


def has_dict_types(package: Package, *, inside: Package | None) -> bool:
    """Return whether resources and functions of package `inside` take object types of `package` as dicts.

    See targets.md, Settings of schemas.
    """
    style = settings(package).get("inputTypes")
    if inside is not None and package.name != inside.name:
        return style == "classes-and-dicts"
    return style != "classes"


_OPTIONAL_INPUTS: Mapping[str, tuple[int, int]] = {
    "aws": (7, 48),
    "azure-native": (3, 29),
    "azuread": (6, 10),
    "digitalocean": (4, 76),
    "docker": (5, 1),
    "github": (6, 15),
    "random": (4, 21),
    "tls": (5, 5),
}
"""First versions (major, minor) known to declare `Input[Optional[T]]`.  Schemas do not record this."""


def takes_optional_outputs(package: Package | None) -> bool:
    """Return whether the SDK's optional inputs take outputs that may carry None.

    SDKs generated until the middle of 2026 declare `Optional[Input[T]]`, for which type checkers refuse an
    `Output[Optional[T]]`; later SDKs declare `Input[Optional[T]]` (observed in published SDKs).
    """
    if package is None:
        return False
    first_version = _OPTIONAL_INPUTS.get(package.name)
    numbers = re.match(r"(\d+)\.(\d+)", package.version)
    return first_version is not None and numbers is not None and (int(numbers[1]), int(numbers[2])) >= first_version


def member(package: Package, token: str, name: str) -> Imported:
    """`name` in the module that `token` belongs to."""
    return _in_module(package, package.module_of(token), name)


def _in_module(package: Package, canonical: str, name: str) -> Imported:
    overrides = settings(package).get("moduleNameOverrides")
    override = overrides.get(canonical) if isinstance(overrides, dict) else None
    path = override.replace("/", ".").replace("-", "_") if isinstance(override, str) else names.module_path(canonical)
    return Imported(module=module_of(package), name=f"{path}.{name}" if path else name)


def resource_class(declaration: ResourceDecl) -> Imported:
    """The class of a resource."""
    if declaration.is_provider:
        return Imported(module=module_of(declaration.package), name="Provider")
    return member(declaration.package, declaration.token, names.class_name(_last(declaration.token)))


def unknown_class(token: str) -> Imported:
    """Return the expected location of the class of a resource without a schema."""
    if token.startswith("pulumi:providers:"):
        return Imported(module=_likely_module(_last(token)), name="Provider")
    package, module, name = _guess(token)
    return Imported(module=package, name=f"{module}{names.class_name(name)}")


def unknown_function(token: str, *, output_form: bool) -> Imported:
    """Return the expected location of a function without a schema."""
    package, module, name = _guess(token)
    return Imported(module=package, name=f"{module}{names.function_name(name)}{'_output' if output_form else ''}")


def _guess(token: str) -> tuple[Module, str, str]:
    package, module, name = split_token(token)
    path = names.module_path(module)
    return _likely_module(package), f"{path}." if path else "", name


def _likely_module(package: str) -> Module:
    name = identifier(package)
    return Module(path=f"pulumi_{name}", alias=snake(name), group=Group.THIRD_PARTY)


def arguments_class(declaration: Declaration) -> Imported:
    """The class for arguments of an object type."""
    assert declaration.package is not None
    return member(declaration.package, declaration.token, names.class_name(_last(declaration.token)) + "Args")


def function(declaration: FunctionDecl, *, output_form: bool) -> Imported:
    """The function of an invoke, in the plain or the output form."""
    name = names.function_name(_last(declaration.token)) + ("_output" if output_form else "")
    return member(declaration.package, declaration.token, name)


def enum_class(declaration: EnumDecl) -> Imported:
    """The class of an enum."""
    package = declaration.package
    name = _last(declaration.token)
    # `mod/color:Color`: the file of the enum is not a module (targets.md, Enums and unions).
    module = without_file(package.module_of(declaration.token), name)
    return _in_module(package, module, names.class_name(name))


def enum_member(declaration: EnumDecl, value: object) -> Imported | None:
    """The constant for `value`; None when the enum has no such member."""
    member = declaration.member(value)
    if member is None:
        return None
    cls = enum_class(declaration)
    name = member.python_name or names.enum_member(_last(declaration.token), member.name or str(member.value))
    return Imported(module=cls.module, name=f"{cls.name}.{name}")


def _last(token: str) -> str:
    return token.rpartition(":")[2]
