"""Whole SDKs: a Python package per schema, as pip would install it.

Comes in: schemas.  Goes out: `<folder>/<name>-<version>/<package>/…` with a `.dist-info` beside it; each such folder is an
entry of a search path, so that several versions of a package can be at hand.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from tests.support.standins.python import names
from tests.support.standins.python.functions import function_text
from tests.support.standins.python.objects import args_class, args_dict, enum_text, output_class
from tests.support.standins.python.resources import resource_text
from tests.support.standins.python.spelling import Sdk, Spelling, World
from tests.support.standins.schema import Scalar

_IMPORTS = """\
import builtins as _builtins
import pulumi
import pulumi.runtime
from typing import Any, Literal, Mapping, NotRequired, Optional, Sequence, TypedDict, Union, overload
"""

_UTILITIES = Template(
    '''"""What the modules of this package share."""

import asyncio
import json
import os
from typing import Any, Optional

import pulumi
import pulumi.runtime
from pulumi.runtime import settings
from pulumi.runtime.sync_await import _sync_await


def get_env(*names: str) -> Optional[str]:
    return next((os.environ[name] for name in names if name in os.environ), None)


def get_env_bool(*names: str) -> Optional[bool]:
    words = {word: word in "1 t T true TRUE True" for word in "1 t T true TRUE True 0 f F false FALSE False".split()}
    return words.get(get_env(*names) or "")


def get_env_int(*names: str) -> Optional[int]:
    try:
        return int(get_env(*names) or "")
    except ValueError:
        return None


def get_env_float(*names: str) -> Optional[float]:
    try:
        return float(get_env(*names) or "")
    except ValueError:
        return None


def first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def get_resource_opts_defaults() -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(version=${version}, plugin_download_url=${url})


def get_invoke_opts_defaults() -> pulumi.InvokeOptions:
    return pulumi.InvokeOptions(version=${version}, plugin_download_url=${url})


def get_resource_args_opts(
    kind: type, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Optional[pulumi.ResourceOptions]]:
    found = next((arg for arg in (*args[:1], kwargs.get("args")) if isinstance(arg, kind)), None)
    rest = args[1:] if args and isinstance(args[0], kind) else args
    opts = rest[0] if rest and isinstance(rest[0], pulumi.ResourceOptions) else kwargs.get("opts")
    return found, opts


async def _known(output: pulumi.Output[Any]) -> Any:
    value = await output.future()
    if not await output.is_known() or await output.is_secret():
        raise AssertionError("a plain method answered what is no plain value")
    return value


def plain(output: pulumi.Output[Any]) -> Any:
    return _sync_await(asyncio.create_task(_known(output)))


class Module(pulumi.runtime.ResourceModule):
    def __init__(self, classes: dict[str, type]) -> None:
        super().__init__()
        self.classes = classes

    def version(self) -> Any:
        return None

    def construct(self, name: str, typ: str, urn: str) -> pulumi.Resource:
        return self.classes[typ](name, pulumi.ResourceOptions(urn=urn))


class Package(pulumi.runtime.ResourcePackage):
    def __init__(self, provider: type) -> None:
        super().__init__()
        self.provider = provider

    def version(self) -> Any:
        return None

    def construct_provider(self, name: str, typ: str, urn: str) -> pulumi.ProviderResource:
        found: pulumi.ProviderResource = self.provider(name, pulumi.ResourceOptions(urn=urn))
        return found
'''
)

_GET_PACKAGE = Template(
    '''

async def get_package() -> str:
    return await settings.register_package(
        ${base}, ${base_version}, ${url}, ${name}, ${version}, ${parameter}, ${extension}
    )
'''
)

_CONFIG = Template(
    '''import sys
import types
from typing import Any, Optional

import pulumi

from .. import _utilities

__config__ = pulumi.Config("${package}")


class _ExportableConfig(types.ModuleType):
${members}

sys.modules[__name__].__class__ = _ExportableConfig
'''
)

_CONFIG_GETTERS = {"boolean": ("get_bool", "bool"), "integer": ("get_int", "int"), "number": ("get_float", "float")}


@dataclass(slots=True)
class _Module:
    """The texts of a module, by file."""

    spelling: Spelling
    files: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    classes: dict[str, str] = field(default_factory=dict)


def write_sdks(world: World, folder: Path) -> None:
    """Write the SDKs of all packages.  Raises `OSError`."""
    for sdk in world.sdks:
        write_sdk(world, sdk, folder / f"{sdk.schema.name}-{sdk.schema.version}")


def write_sdk(world: World, sdk: Sdk, folder: Path) -> None:
    """Write one SDK as an entry of a search path."""
    modules: dict[tuple[str, ...], _Module] = {}
    schema = sdk.schema

    def at(token: str) -> _Module:
        path = sdk.module_of(token)
        for depth in range(len(path) + 1):
            modules.setdefault(path[:depth], _Module(Spelling(world, sdk, path[:depth])))
        return modules[path]

    for enum in schema.enums.values():
        at(enum.token).files["_enums"].append(enum_text(enum))
    for token, properties in schema.objects.items():
        _objects(at(token), sdk, token, properties)
    for resource in (schema.provider, *schema.resources.values()):
        module = at(resource.token)
        module.files["_resources"].append(resource_text(module.spelling, resource))
        if not resource.provider:
            module.classes[resource.token] = names.class_name(resource.token)
    for function in schema.functions.values():
        if function.token not in schema.methods:
            module = at(function.token)
            module.files["_functions"].append(function_text(module.spelling, function))
    package = folder / sdk.package
    for path, module in modules.items():
        children = sorted(other[-1] for other in modules if other[:-1] == path and other != path)
        _write_module(package.joinpath(*path), sdk, module, children)
    _write(package / "_utilities.py", _utilities(sdk))
    _write(package / "py.typed", "")
    _write(package / "pulumi-plugin.json", json.dumps({"resource": True, "name": schema.name, "version": schema.version}))
    if schema.config:
        beside = "from . import outputs\n" if (package / "config" / "outputs.py").exists() else ""
        _write(package / "config" / "__init__.py", f"from .vars import _ExportableConfig\n{beside}")
        _write(package / "config" / "vars.py", _config(sdk))
    info = folder / f"{sdk.package}-{schema.version}.dist-info"
    _write(info / "METADATA", f"Metadata-Version: 2.1\nName: {sdk.package}\nVersion: {schema.version or '0.0.0'}\n")


def _objects(module: _Module, sdk: Sdk, token: str, properties: tuple[object, ...]) -> None:
    """The forms of an object type that some place needs."""
    spelling, name, tokens = module.spelling, names.class_name(token), sdk.reach.tokens
    members = sdk.schema.objects[token]
    if token in tokens["inputs"] or token in tokens["plain"]:
        plain = token not in tokens["inputs"]
        if sdk.dicts:
            module.files["_inputs"].append(args_dict(spelling, f"{name}ArgsDict", members, plain=plain))
        module.files["_inputs"].append(args_class(spelling, f"{name}Args", members, plain=plain))
    if token in tokens["outputs"] | tokens["config"] or (token in tokens["results"] and not sdk.legacy):
        module.files["outputs"].append(output_class(spelling, name, members, "output"))
    if token in tokens["results"] and sdk.legacy:
        module.files["outputs"].append(output_class(spelling, f"{name}Result", members, "result"))


def _write_module(folder: Path, sdk: Sdk, module: _Module, children: Iterable[str]) -> None:
    spelling = module.spelling
    root = spelling.root()
    head = _IMPORTS + f"from {root} import _utilities\n"
    init = ["import builtins as _builtins"]
    others = "".join(f"{line}\n" for line in sorted(spelling.imports))
    for name in ("_enums", "_inputs", "_resources", "_functions"):
        texts = module.files.get(name)
        if texts is None:
            continue
        beside = "".join(
            f"from .{other} import *\n" for other in ("_enums", "_inputs") if other in module.files and name > "_f" and other != name
        )
        beside += "from ._resources import *\n" if name == "_functions" and "_resources" in module.files else ""
        beside += "from . import outputs\n" if "outputs" in module.files and name != "_enums" else ""
        imports = "import builtins as _builtins\nimport pulumi\nfrom enum import Enum\n" if name == "_enums" else head + beside + others
        _write(folder / f"{name}.py", imports + "".join(texts))
        init.append(f"from .{name} import *")
    if "outputs" in module.files:
        beside = "from . import outputs\n" + ("from ._enums import *\n" if "_enums" in module.files else "")
        _write(folder / "outputs.py", head + beside + others + "".join(module.files["outputs"]))
        init.append("from . import outputs")
    init += [f"from . import {child}" for child in children if child != "config"]
    init += _registrations(sdk, module)
    _write(folder / "__init__.py", "\n".join(init) + "\n")


def _registrations(sdk: Sdk, module: _Module) -> list[str]:
    """What tells the engine's references to resources from other values."""
    lines = [f"from {module.spelling.root()} import _utilities"]
    wire: dict[str, list[str]] = defaultdict(list)
    for token, name in module.classes.items():
        wire[token.split(":")[1]].append(f'"{token}": {name}')
    for middle, classes in wire.items():
        made = f"_utilities.Module({{{', '.join(classes)}}})"
        lines.append(f'_utilities.pulumi.runtime.register_resource_module("{sdk.schema.name}", "{middle}", {made})')
    if not module.spelling.module:
        made = "_utilities.Package(Provider)"
        lines.append(f'_utilities.pulumi.runtime.register_resource_package("{sdk.schema.name}", {made})')
        lines += ["from . import config"] if sdk.schema.config else []
    return lines


def _utilities(sdk: Sdk) -> str:
    schema = sdk.schema
    text = _UTILITIES.substitute(version=repr(schema.version or None), url=repr(schema.plugin_url or None))
    if schema.parameter is None:
        return text
    return text + _GET_PACKAGE.substitute(
        base=repr(schema.parameter.base),
        base_version=repr(schema.parameter.version),
        url=repr(schema.plugin_url),
        name=repr(schema.name),
        version=repr(schema.version),
        parameter=repr(schema.parameter.value),
        extension=schema.parameter.extension,
    )


def _config(sdk: Sdk) -> str:
    members = []
    for found in sdk.schema.config:
        scalar = found.slot.type.kind if isinstance(found.slot.type, Scalar) else ""
        getter, kind = _CONFIG_GETTERS.get(scalar, ("get", "str"))
        default = f"_utilities.get_env({', '.join(map(repr, found.environment))})" if found.environment else ""
        if found.default is not None:
            default = f"_utilities.first({default or 'None'}, {found.default!r})"
        value = f'__config__.{getter}("{found.name}")'
        value = f"_utilities.first({value}, {default})" if default else value
        wanted = kind if found.default is not None else f"Optional[{kind}]"
        name = names.attribute(found.name)
        members.append(f"    @property\n    def {name}(self) -> {wanted}:\n        return {value}\n")
    return _CONFIG.substitute(package=sdk.schema.name, members="\n".join(members))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
