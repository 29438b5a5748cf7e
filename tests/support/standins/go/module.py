"""Whole SDKs: a Go module per package of the schemas, in a folder named by its path.

Comes in: schemas.  Goes out: `<folder>/<module path>/…` with go.mod, the packages, and an internal one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from string import Template

from tests.support.standins.go.functions import function_text
from tests.support.standins.go.names import Sdk
from tests.support.standins.go.objects import enum_type, object_type
from tests.support.standins.go.resources import resource_text
from tests.support.standins.go.spelling import GoFile
from tests.support.standins.go.world import World

_INTERNAL = Template(
    """// Package internal has what the packages of this SDK share.
package internal

import (
${imports}	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// PkgResourceDefaultOpts adds the options of every resource.
func PkgResourceDefaultOpts(opts []pulumi.ResourceOption) []pulumi.ResourceOption {
	defaults := []pulumi.ResourceOption{${version}}
	return append(defaults, opts...)
}

// PkgInvokeDefaultOpts adds the options of every function.
func PkgInvokeDefaultOpts(opts []pulumi.InvokeOption) []pulumi.InvokeOption {
	defaults := []pulumi.InvokeOption{${version}}
	return append(defaults, opts...)
}
"""
)

_PACKAGE_REF = Template(
    """
// PkgGetPackageRef registers the package and answers its reference.
func PkgGetPackageRef(ctx *pulumi.Context) (string, error) {
	parameter, err := base64.StdEncoding.DecodeString(${parameter})
	if err != nil {
		return "", err
	}
	resp, err := ctx.RegisterPackage(&pulumirpc.RegisterPackageRequest{
		Name: ${base},
		Version: ${base_version},
		${kind}: &pulumirpc.Parameterization{Name: ${name}, Version: ${version}, Value: parameter},
	})
	if err != nil {
		return "", err
	}
	return resp.Ref, nil
}
"""
)


def write_sdks(world: World, folder: Path, *, only: Collection[str] | None = None, needs: str = "") -> list[Sdk]:
    """Write the SDKs of all packages, or of those named in `only`; `needs` are the lines of go.mod after `module`.

    Raises `OSError`.
    """
    written = [sdk for sdk in world.sdks() if only is None or sdk.schema.name in only]
    for sdk in written:
        target = folder / sdk.module_path
        _write(target / "go.mod", f"module {sdk.module_path}\n\n{needs}")
        _write(folder / sdk.import_path("internal") / "internal.go", _internal(sdk))
        for module in sdk.modules():
            _write(folder / sdk.import_path(module) / "sdk.go", _package(world, sdk, module))
    return written


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def _package(world: World, sdk: Sdk, module: str) -> str:
    """One Go package."""
    file, schema, usage = GoFile(world, sdk, module), sdk.schema, world.usage(sdk)
    internal = sdk.import_path("internal")
    file.imports[internal] = "internal"
    parts: list[str] = [] if module else [resource_text(file, schema.provider)]
    parts += [resource_text(file, r) for token, r in schema.resources.items() if sdk.module_of(token) == module]
    for token, properties in schema.objects.items():
        if sdk.module_of(token) == module:
            parts.append(object_type(file, sdk.types[token], properties, usage.forms[token]))
    for token, enum in schema.enums.items():
        if sdk.module_of(token) == module:
            parts.append(enum_type(sdk.types[token], enum, usage.forms[token]))
    for token, function in schema.functions.items():
        if token in sdk.functions and sdk.module_of(token) == module:
            parts.append(function_text(file, function))
    parts.append(_registration(file, sdk, module))
    body = "".join(parts)
    used = [f"\t{alias} {json.dumps(path)}\n" for path, alias in file.imports.items() if re.search(rf"\b{alias}\.", body)]
    return f"package {sdk.package_name(module)}\n\nimport (\n{''.join(sorted(used))})\n{body}"


_MODULE = Template(
    """
type resourceModule struct{}

func (resourceModule) Version() semver.Version {
	return semver.MustParse(${version})
}

func (resourceModule) Construct(ctx *pulumi.Context, name, typ, urn string) (r pulumi.Resource, err error) {
	switch typ {
${cases}	default:
		return nil, fmt.Errorf("unknown resource type: %s", typ)
	}
	return r, ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))
}

func init() {
${registrations}}
"""
)

_PACKAGE = Template(
    """
type resourcePackage struct{}

func (resourcePackage) Version() semver.Version {
	return semver.MustParse(${version})
}

func (resourcePackage) ConstructProvider(ctx *pulumi.Context, name, typ, urn string) (pulumi.ProviderResource, error) {
	r := &Provider{}
	return r, ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))
}

func init() {
	pulumi.RegisterResourcePackage(${name}, resourcePackage{})
}
"""
)


def _registration(file: GoFile, sdk: Sdk, module: str) -> str:
    """What makes resources of the engine's references to them."""
    name, version = json.dumps(sdk.schema.name), json.dumps(sdk.schema.version or "0.0.0")
    found = {t: sdk.resources[t] for t in sdk.schema.resources if t in sdk.resources and sdk.module_of(t) == module}
    file.imports |= {"fmt": "fmt", "github.com/blang/semver": "semver"}
    text = "" if module else _PACKAGE.substitute(name=name, version=version)
    if not found:
        return text
    middles = sorted({token.split(":")[1] for token in found})
    return text + _MODULE.substitute(
        version=version,
        cases="".join(f"\tcase {json.dumps(token)}:\n\t\tr = &{kind}{{}}\n" for token, kind in found.items()),
        registrations="".join(
            f"\tpulumi.RegisterResourceModule({name}, {json.dumps(middle)}, resourceModule{{}})\n" for middle in middles
        ),
    )


def _internal(sdk: Sdk) -> str:
    schema = sdk.schema
    if not sdk.parameterized:
        stamps = [f"pulumi.Version({json.dumps(schema.version)})"] if schema.version else []
        stamps += [f"pulumi.PluginDownloadURL({json.dumps(schema.plugin_url)})"] if schema.plugin_url else []
        return _INTERNAL.substitute(imports="", version=", ".join(stamps))
    made = schema.parameter
    assert made is not None
    imports = '\t"encoding/base64"\n\n\tpulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"\n'
    return _INTERNAL.substitute(imports=imports, version="") + _PACKAGE_REF.substitute(
        parameter=json.dumps(made.value),
        base=json.dumps(made.base),
        base_version=json.dumps(made.version),
        kind="Extension" if made.extension else "Parameterization",
        name=json.dumps(schema.name),
        version=json.dumps(schema.version),
    )
