"""The published SDKs of packages: where classes, functions and enum members are, and which versions a project requires.

`Imported` nodes carry the module to import (targets.md, Settings of schemas; Entities).

`requirements` gives the lines of `requirements.txt`, and `options` the options of the runtime (targets.md, Project files).
They come from the program and the project's settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pclgen.targets.base import Project
from pclgen.targets.names import identifier, snake, split_token, without_file
from pclgen.targets.python import modules, names, tree
from pclgen.targets.python.tree import Group, Imported, Module, Node, roots, walk
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


# -- requirements of a project ----------------------------------------------------------------------------------------------

_OLDEST = "3.0.0"
_NEEDS: Mapping[str, str] = {
    "Output.json_dumps": "3.100.0",
    "deleted_with": "3.100.0",
    "get_organization": "3.100.0",
    "InvokeOutputOptions": "3.142.0",
    "deferred_output": "3.142.0",
    "ResourceHook": "3.182.0",
    "ResourceHookBinding": "3.182.0",
    "pulumi_resource_name": "3.182.0",
    "pulumi_resource_type": "3.182.0",
    "get_root_directory": "3.207.0",
    "hide_diffs": "3.207.0",
    "replace_with": "3.207.0",
    "ErrorHook": "3.225.0",
    "env_var_mappings": "3.225.0",
    "replacement_trigger": "3.225.0",
    "require_pulumi_version": "3.225.0",
    "recover": "3.272.0",
}
"""Names that newer versions of the core SDK added, and a version known to have each."""

_SEMVER = re.compile(r"(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")
_PRE_RELEASES: Mapping[str, str] = {"alpha": "a", "a": "a", "beta": "b", "b": "b", "rc": "rc", "dev": ".dev"}


def options(project: Project) -> Mapping[str, object]:
    """The options of the runtime: a local core SDK is installed into a virtual environment of the project."""
    return {"virtualenv": "venv", **project.options} if PULUMI in project.local else project.options


def core_requirement(files: Iterable[tree.File]) -> str:
    """The requirement of the core SDK: a version that has all that `files` use."""
    nodes = (node for file in files for node in walk(roots(file)) if type(node) in _NAMING)
    used = {name for node in nodes for name in _names(node)}
    needed = [_NEEDS[name] for name in used if name in _NEEDS]
    oldest = max((_OLDEST, *needed), key=lambda version: [int(part) for part in version.split(".")])
    return f"pulumi>={oldest},<4.0.0"


_NAMING: Final = frozenset((tree.Imported, tree.Attribute, tree.Call))


def _names(expr: Node) -> Iterator[str]:
    """Yield the names of the core SDK that `expr` may use: its members, methods of outputs, options."""
    if type(expr) is tree.Imported:
        if expr.module == modules.PULUMI:
            yield expr.name
    elif type(expr) is tree.Attribute:
        if expr.name in ("recover", "pulumi_resource_name", "pulumi_resource_type"):
            yield expr.name
    elif type(expr) is tree.Call and isinstance(expr.function, tree.Imported) and expr.function.module == modules.PULUMI:
        yield from (argument.name for argument in expr.args)


def requirements(used: Sequence[Package], files: Iterable[tree.File], local: Mapping[str, str]) -> tuple[str, ...]:
    """The lines of `requirements.txt`: the exact versions of the schemas, or the paths of local SDKs."""
    lines = {local.get(PULUMI) or core_requirement(files)}
    for package in used:
        if package.name in local:
            lines.add(local[package.name])
        elif package.name != PULUMI:
            name = module_of(package).path.replace("_", "-")  # on PyPI
            lines.add(f"{name}=={pep440(package.version)}" if package.version else name)
    return tuple(sorted(lines))


def pep440(version: str) -> str:
    """A semantic version in PEP 440 form: `3.0.0-alpha.1+sha.12` -> `3.0.0a1+sha.12`."""
    match = _SEMVER.fullmatch(version)
    if match is None:
        return version
    release, pre, build = match[1], match[2] or "", match[3] or ""
    words = re.findall(r"[A-Za-z]+|\d+", pre)
    suffix = ""
    for at, word in enumerate(words):
        kind = _PRE_RELEASES.get(word.lower())
        if kind is not None:
            number = words[at + 1] if at + 1 < len(words) and words[at + 1].isdigit() else "0"
            suffix = f"{kind}{number}"
            break
    return release + suffix + (f"+{build.replace('-', '.')}" if build else "")
