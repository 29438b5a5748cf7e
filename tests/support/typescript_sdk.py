"""Type declarations of an npm SDK, from a schema: enough for tsc to judge programs whose SDK was never published.

They follow what published SDKs look like (targets 1.3, 1.4, 3.1, 7.4, 7.5).  Optional inputs are `Input<T>`, the older and
stricter of the two forms in use.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pclgen.targets.typescript import names

_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*\Z")
_SCALARS: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
_BUILT_IN: Final = {
    "Any": "any",
    "Json": "any",
    "Asset": "(pulumi.asset.Asset | pulumi.asset.Archive)",
    "Archive": "pulumi.asset.Archive",
}
Schema = Mapping[str, Any]


def write_sdks(folder: Path, schemas: Iterable[Path]) -> None:
    """`node_modules` in `folder` with a package for each of `schemas`."""
    files = {path.stem: path for path in schemas}
    for path in files.values():
        schema = json.loads(path.read_text(encoding="utf-8"))
        package = folder / "node_modules" / npm_name(schema)
        package.mkdir(parents=True, exist_ok=True)
        (package / "index.d.ts").write_text(_Declarations(schema, files).text(), encoding="utf-8")
        manifest = {"name": npm_name(schema), "version": schema.get("version") or "0.0.0", "types": "index.d.ts"}
        (package / "package.json").write_text(json.dumps(manifest), encoding="utf-8")


def npm_name(schema: Schema) -> str:
    """The SDK's name on npm."""
    override = schema.get("language", {}).get("nodejs", {}).get("packageName")
    return str(override or f"@{schema.get('namespace') or 'pulumi'}/{schema['name']}")


def _member(token: str) -> str:
    return token.rsplit(":", 1)[-1]


def _module(schema: Schema, token: str) -> str:
    pattern = schema.get("meta", {}).get("moduleFormat") or "(.*)"
    found = re.match(pattern, token.split(":")[1])
    canonical = found.group(1) if found is not None and found.groups() else token.split(":")[1]
    canonical = "" if canonical == "index" else canonical
    renamed = schema.get("language", {}).get("nodejs", {}).get("moduleToPackage", {})
    return names.module_path(str(renamed.get(canonical, canonical)))


def _enum_module(schema: Schema, token: str) -> str:
    module = _module(schema, token)
    head, _, tail = module.rpartition(".")
    return head if tail.lower() == _member(token).lower() else module


def _key(name: str) -> str:
    return name if _NAME.match(name) else json.dumps(name)


class _Declarations:
    """The declarations of one package, by module."""

    def __init__(self, schema: Schema, files: Mapping[str, Path]) -> None:
        self._schema = schema
        self._files = files
        self._modules: dict[str, list[str]] = defaultdict(list)
        self._imports: dict[str, str] = {"self": npm_name(schema)}

    def text(self) -> str:
        self._resource("Provider", "", self._schema.get("provider", {}), provider=True)
        for token, resource in self._schema.get("resources", {}).items():
            self._resource(names.class_name(_member(token)), _module(self._schema, token), resource)
        for token, function in self._schema.get("functions", {}).items():
            if "__self__" not in (function.get("inputs") or {}).get("properties", {}):
                self._function(token, function)
        for token, declared in self._schema.get("types", {}).items():
            self._type(token, declared)
        body: list[str] = []
        for module, items in sorted(self._modules.items()):
            parts = module.split(".") if module else []
            body += [*(f"export namespace {part} {{" for part in parts), *items, "}" * len(parts)]
        imports = [f"import * as {alias} from {json.dumps(source)};" for alias, source in self._imports.items()]
        return "\n".join(['import * as pulumi from "@pulumi/pulumi";', *imports, *body]) + "\n"

    # -- types --------------------------------------------------------------------------------------------------------

    def _type_of(self, spec: Schema, side: str) -> str:
        """`side`: "input" (outputs taken at every level), "plain" or "output"."""
        if spec.get("plain") and side == "input":
            side = "plain"
        found = self._bare_type(spec, side)
        return f"pulumi.Input<{found}>" if side == "input" else found

    def _bare_type(self, spec: Schema, side: str) -> str:
        if spec.get("const") is not None:
            return json.dumps(spec["const"])
        if "$ref" in spec:
            return self._reference(spec["$ref"].replace("%2F", "/"), side)
        if "oneOf" in spec:
            inner = "output" if side == "output" else "plain"
            return "(" + " | ".join(sorted({self._type_of(one, inner) for one in spec["oneOf"]})) + ")"
        if spec.get("type") == "array":
            return f"({self._type_of(spec['items'], side)})[]"
        if spec.get("type") == "object":
            return f"{{ [key: string]: {self._type_of(spec.get('additionalProperties', {'type': 'string'}), side)} }}"
        return _SCALARS.get(str(spec.get("type")), "any")

    def _reference(self, reference: str, side: str) -> str:
        if reference.startswith("pulumi.json#/"):
            return _BUILT_IN[reference.rpartition("/")[2]]
        base, _, fragment = reference.partition("#")
        kind, _, token = fragment.lstrip("/").partition("/")
        schema, alias = self._foreign(base) if base else (self._schema, "self")
        if schema is None:
            return "any"
        if kind == "provider" or token.startswith("pulumi:providers:"):
            return f"{alias}.Provider"
        if kind == "resources":
            return ".".join(p for p in (alias, _module(schema, token), names.class_name(_member(token))) if p)
        declared = schema.get("types", {}).get(token)
        if declared is None:
            return "any"
        if declared.get("enum") is not None:
            return ".".join(p for p in (alias, _enum_module(schema, token), names.class_name(_member(token))) if p)
        place = "types.output" if side == "output" else "types.input"
        name = names.class_name(_member(token)) + ("" if side == "output" else _suffix(schema))
        return ".".join(p for p in (alias, place, _module(schema, token), name) if p)

    def _foreign(self, base: str) -> tuple[Schema | None, str]:
        """The schema of another package, named by the address of a reference."""
        found = re.match(r"/([\w-]+)/v([^/]+)/", base)
        path = self._files.get(f"{found[1]}-{found[2]}") if found is not None else None
        if path is None:
            return None, ""
        schema = json.loads(path.read_text(encoding="utf-8"))
        alias = names.alias(schema["name"])
        self._imports[alias] = npm_name(schema)
        return schema, alias

    def _members(self, properties: Mapping[str, Schema] | None, required: Iterable[str], side: str) -> str:
        needed = set(required)
        members = [
            f"{_key(name)}{'' if name in needed else '?'}: {self._type_of(spec, side)};"
            for name, spec in (properties or {}).items()
        ]
        return "{ " + " ".join(members) + " }"

    def _type(self, token: str, declared: Schema) -> None:
        name = names.class_name(_member(token))
        if declared.get("enum") is not None:
            values = {names.enum_member(_enum_name(e), name): json.dumps(e["value"]) for e in declared["enum"]}
            members = " ".join(f"readonly {_key(key)}: {value};" for key, value in values.items())
            text = f"export const {name}: {{ {members} }}; export type {name} = (typeof {name})[keyof typeof {name}];"
            self._modules[_enum_module(self._schema, token)].append(text)
            return
        for place, side, suffix in (("types.input", "input", _suffix(self._schema)), ("types.output", "output", "")):
            module = ".".join(p for p in (place, _module(self._schema, token)) if p)
            members = self._members(declared.get("properties"), declared.get("required", ()), side)
            self._modules[module].append(f"export interface {name}{suffix} {members}")

    # -- resources and functions --------------------------------------------------------------------------------------

    def _resource(self, name: str, module: str, resource: Schema, *, provider: bool = False) -> None:
        component = resource.get("isComponent")
        base = "ProviderResource" if provider else "ComponentResource" if component else "CustomResource"
        options = "ResourceOptions" if provider else f"{base}Options"
        required = resource.get("requiredInputs", ())
        lines = [self._output(key, spec, resource) for key, spec in resource.get("properties", {}).items()]
        lines.append(f"constructor(name: string, args{'' if required else '?'}: {name}Args, opts?: pulumi.{options});")
        items = self._modules[module]
        if not component and not provider:
            state = (resource.get("stateInputs") or {}).get("properties")
            lines.append(
                f"static get(name: string, id: pulumi.Input<pulumi.ID>, {f'state?: {name}State, ' if state else ''}"
                f"opts?: pulumi.{options}): {name};"
            )
            if state:
                items.append(f"export interface {name}State {self._members(state, (), 'input')}")
        methods = [self._method(name, key, token) for key, token in (resource.get("methods") or {}).items()]
        lines += [line for line, _ in methods]
        items.append(f"export class {name} extends pulumi.{base} {{ {' '.join(lines)} }}")
        items.append(f"export namespace {name} {{ {' '.join(extra for _, extra in methods)} }}")
        items.append(f"export interface {name}Args {self._members(resource.get('inputProperties'), required, 'input')}")

    def _output(self, key: str, spec: Schema, resource: Schema) -> str:
        if key in ("id", "urn"):
            return ""
        found = self._type_of(spec, "output") + ("" if key in resource.get("required", ()) else " | undefined")
        return f"readonly {_key(key)}: pulumi.Output<{found}>;"

    def _method(self, owner: str, key: str, token: str) -> tuple[str, str]:
        """The method, and what it adds to the namespace of its class."""
        function = self._schema["functions"][token]
        name, extra = names.class_name(key), ""
        inputs = {k: v for k, v in (function.get("inputs") or {}).get("properties", {}).items() if k != "__self__"}
        needed = [k for k in (function.get("inputs") or {}).get("required", ()) if k != "__self__"]
        args = ""
        if inputs:
            extra += f"export interface {name}Args {self._members(inputs, needed, 'input')}\n"
            args = f"args{'' if needed else '?'}: {owner}.{name}Args"
        result = function.get("outputs") or function.get("returnType")
        if not result:
            return f"{key}({args}): void;", extra
        if "properties" in result:
            members = self._members(result["properties"], result.get("required", ()), "output")
            extra += f"export interface {name}Result {members}"
            found = f"{owner}.{name}Result"
        else:
            found = self._bare_type(result, "output")
        return f"{key}({args}): {'Promise' if result.get('plain') else 'pulumi.Output'}<{found}>;", extra

    def _function(self, token: str, function: Schema) -> None:
        name = names.function_name(_member(token))
        title = names.class_name(name)
        items = self._modules[_module(self._schema, token)]
        result = function.get("outputs") or function.get("returnType")
        found = "void"
        if result and "properties" in result:
            members = self._members(result["properties"], result.get("required", ()), "output")
            items.append(f"export interface {title}Result {members}")
            found = f"{title}Result"
        elif result:
            found = self._bare_type(result, "output")
        for suffix, side in (("", "plain"), ("Output", "input")):
            if suffix and not result:
                continue
            args = self._parameters(function, f"{title}{suffix}Args", side, items)
            wrapper = "pulumi.Output" if suffix else "Promise"
            items.append(
                f"export function {name}{suffix}({args}opts?: pulumi.Invoke{suffix}Options): {wrapper}<{found}>;"
            )

    def _parameters(self, function: Schema, name: str, side: str, items: list[str]) -> str:
        inputs = function.get("inputs")
        if inputs is None:
            return ""
        required = inputs.get("required", ())
        if function.get("multiArgumentInputs"):
            given = [
                f"{key}{'' if key in required else '?'}: {self._type_of(inputs['properties'][key], side)}, "
                for key in function["multiArgumentInputs"]
            ]
            return "".join(given)
        items.append(f"export interface {name} {self._members(inputs.get('properties'), required, side)}")
        return f"args{'' if required else '?'}: {name}, "


def _suffix(schema: Schema) -> str:
    legacy = schema.get("language", {}).get("nodejs", {}).get("compatibility") in ("kubernetes20", "tfbridge20")
    return "" if legacy else "Args"


def _enum_name(member: Schema) -> str:
    value = member["value"]
    return str(member.get("name") or (f"{value:g}" if isinstance(value, float) else value))
