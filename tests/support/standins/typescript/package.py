"""Whole SDKs: an npm package per schema, as npm would install it.

Comes in: schemas.  Goes out: `<folder>/<name>-<version>/node_modules/<package>/…` with declarations and JavaScript.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.support.standins.typescript import bodies, declarations, names
from tests.support.standins.typescript.spelling import Sdk, Side, Spelling, World

_STRICT = '"use strict";\n'
_REQUIRES = _STRICT + 'const pulumi = require("@pulumi/pulumi");\n'


def write_sdks(world: World, folder: Path) -> None:
    """Write the SDKs of all packages.  Raises `OSError`."""
    for sdk in world.sdks:
        entry = folder / f"{sdk.schema.name}-{sdk.schema.version}"
        _Package(world, sdk, entry / "node_modules" / sdk.package).write()


class _Package:
    """One SDK."""

    def __init__(self, world: World, sdk: Sdk, folder: Path) -> None:
        self.world = world
        self.sdk = sdk
        self.folder = folder

    def write(self) -> None:
        sdk, schema = self.sdk, self.sdk.schema
        manifest = {"name": sdk.package, "version": schema.version or "0.0.0", "main": "index.js", "types": "index.d.ts"}
        plugin = {"resource": True, "name": schema.name, "version": schema.version}
        self._write("package.json", json.dumps(manifest | {"pulumi": plugin}))
        self._write("utilities.js", bodies.utilities(sdk))
        modules = self._modules()
        enums = self._enums()
        for path in modules:
            self._module(path, [other for other in modules if other[:-1] == path and other != path], enums)
        self._types(bool(enums))
        if schema.config:
            spelling = Spelling(self.world, sdk, 1)
            text = declarations.config_types(spelling)
            self._write("config/index.d.ts", spelling.import_lines() + text)
            utilities = 'const utilities = require("../utilities");\n'
            self._write("config/index.js", _REQUIRES + utilities + bodies.config_body(sdk))

    def _modules(self) -> list[tuple[str, ...]]:
        """The paths of the modules with something in them, and of those above them."""
        schema = self.sdk.schema
        tokens = [*schema.resources, *(t for t in schema.functions if t not in schema.methods), *schema.enums]
        paths = {self.sdk.module_of(token) for token in tokens}
        return sorted({(), *(path[:depth] for path in paths for depth in range(len(path) + 1))})

    def _module(self, path: tuple[str, ...], children: list[tuple[str, ...]], enums: Iterable[tuple[str, ...]]) -> None:
        sdk, schema = self.sdk, self.sdk.schema
        spelling = Spelling(self.world, sdk, len(path))
        up = "../" * len(path) or "./"
        types, code = "", f'const utilities = require("{up}utilities");\n'
        classes: dict[str, str] = {}
        for resource in (schema.provider, *schema.resources.values()):
            if sdk.module_of(resource.token) == path:
                types += declarations.resource_type(spelling, resource)
                code += bodies.resource_body(spelling, resource)
                classes |= {} if resource.provider else {resource.token: names.class_name(resource.token)}
        for function in schema.functions.values():
            if function.token not in schema.methods and sdk.module_of(function.token) == path:
                types += declarations.function_type(spelling, function)
                code += bodies.function_body(sdk, function)
        below = [(child[-1], names.identifier(child[-1]), names.exported(child[-1])) for child in children]
        if not path:
            below += [("types", "types", "types"), *([("config", "config", "config")] if schema.config else [])]
        links = [f'import * as {alias} from "./{name}";\nexport {{ {alias} as {shown} }};\n' for name, alias, shown in below]
        code += "".join(f'exports["{shown}"] = require("./{name}");\n' for name, _, shown in below)
        if path in enums:
            place = "/".join(["types", "enums", *path])
            links.append(f'export * from "{up}{place}";\n')
            code += f'Object.assign(exports, {{ ...require("{up}{place}"), ...exports }});\n'
        code += self._registrations(path, classes)
        self._write("/".join([*path, "index.d.ts"]), spelling.import_lines() + types + "".join(links))
        self._write("/".join([*path, "index.js"]), _REQUIRES + code)

    def _registrations(self, path: tuple[str, ...], classes: dict[str, str]) -> str:
        """What makes resources of the engine's references to them."""
        name = json.dumps(self.sdk.schema.name)
        by_module: dict[str, list[str]] = defaultdict(list)
        for token, found in classes.items():
            by_module[token.split(":")[1]].append(f"{json.dumps(token)}: {found}")
        text, version = "", json.dumps(self.sdk.schema.version or "0.0.0")
        for middle, known in by_module.items():
            construct = f"(name, type, urn) => new ({{ {', '.join(known)} }})[type](name, undefined, {{ urn }})"
            module = f"{{ version: {version}, construct: {construct} }}"
            text += f"pulumi.runtime.registerResourceModule({name}, {json.dumps(middle)}, {module});\n"
        if not path:
            construct = "(name, type, urn) => new Provider(name, undefined, { urn })"
            package = f"{{ version: {version}, constructProvider: {construct} }}"
            text += f"pulumi.runtime.registerResourcePackage({name}, {package});\n"
        return text

    def _enums(self) -> dict[tuple[str, ...], list[str]]:
        """The tokens of the enumerations, by module."""
        found: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for token in self.sdk.schema.enums:
            found[self.sdk.module_of(token)].append(token)
        return found

    def _types(self, with_enums: bool) -> None:
        sdk = self.sdk
        tokens = sdk.reach.tokens
        inputs: list[tuple[str, Side]] = [(t, "input") for t in sorted(tokens["inputs"] | tokens["eventual"])]
        inputs += [(t, "plain") for t in sorted(tokens["plain"])]
        outputs: list[tuple[str, Side]] = [
            (t, "output") for t in sorted(tokens["outputs"] | tokens["results"] | tokens["config"])
        ]
        for file, wanted in (("input", inputs), ("output", outputs)):
            spelling = Spelling(self.world, sdk, 1)
            text = self._grouped(spelling, wanted)
            self._write(f"types/{file}.d.ts", spelling.import_lines() + text)
            self._write(f"types/{file}.js", _STRICT)
        parts = ["input", "output", *(["enums"] if with_enums else [])]
        lines = "".join(f'import * as {part} from "./{part}";\nexport {{ {part} }};\n' for part in parts)
        self._write("types/index.d.ts", lines)
        self._write("types/index.js", _STRICT + "".join(f'exports.{part} = require("./{part}");\n' for part in parts))
        if with_enums:
            self._enum_modules()

    def _grouped(self, spelling: Spelling, wanted: list[tuple[str, Side]]) -> str:
        """Object types in the namespaces of their modules."""
        groups: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
        for token, side in wanted:
            if token in self.sdk.schema.objects:
                name = self.sdk.type_name(token, side)
                groups[self.sdk.module_of(token)].setdefault(name, declarations.object_type(spelling, token, side))
        text = ""
        for path, found in sorted(groups.items()):
            head = "".join(f"export declare namespace {names.exported(part)} {{\n" for part in path[:1])
            head += "".join(f"export namespace {names.exported(part)} {{\n" for part in path[1:])
            text += head + "".join(found.values()) + "}\n" * len(path)
        return text

    def _enum_modules(self) -> None:
        enums = self._enums()
        paths = sorted({(), *(path[:depth] for path in enums for depth in range(len(path) + 1))})
        for path in paths:
            found = [self.sdk.schema.enums[token] for token in enums.get(path, ())]
            types = "".join(declarations.enum_type(enum) for enum in found)
            code = _STRICT + "".join(bodies.enum_body(enum) for enum in found)
            for child in paths:
                if child[:-1] == path and child != path:
                    alias, shown = names.identifier(child[-1]), names.exported(child[-1])
                    types += f'import * as {alias} from "./{child[-1]}";\nexport {{ {alias} as {shown} }};\n'
                    code += f'exports["{shown}"] = require("./{child[-1]}");\n'
            place = "/".join(["types", "enums", *path])
            self._write(f"{place}/index.d.ts", types or "export {};\n")
            self._write(f"{place}/index.js", code)

    def _write(self, path: str, text: str) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
