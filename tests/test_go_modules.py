"""Where Go SDKs are: import paths, modules and versions, compared with published modules.

A row holds the relevant parts of a published schema and the facts from Go's module proxy or the SDK's go.mod: the import
path of a member, its module, the version to require, and the name that a program gives the package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import pclgen
from pclgen.gomodule import published
from pclgen.targets.go.sdk import EXCEPTIONS, RULES, GoPackage
from tests.support.corpus import ROOT
from tests.support.schemas import Schema, open_schemas, write_schema

GITHUB = "github.com/pulumi/"
BRIDGED: Schema = {"moduleFormat": "(.*)(?:/[^/]*)"}
AZURE = GITHUB + "pulumi-azure-native-sdk"
TERRAFORM = {"baseProvider": {"name": "terraform-provider", "version": "1.0.0"}, "parameter": "e30="}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A package and one of its tokens."""

    token: str
    version: str
    module: str
    name: str
    path: str = ""
    """The import path, if it is not the path of the module."""
    is_required: bool = True
    """Whether go.mod can require this version of the module."""
    go: Schema = field(default_factory=dict)
    schema: Schema = field(default_factory=dict)

    @property
    def import_path(self) -> str:
        return self.path or self.module

    @property
    def requirement(self) -> str:
        return f"v{self.version}" if self.is_required else ""

    def document(self) -> Schema:
        package: Schema = {"name": self.token.partition(":")[0], "version": self.version, "language": {"go": self.go}}
        return {**package, "resources": {self.token: {}}, **self.schema}


def usual(release: str, module: str, below: str, name: str, *, meta: Schema | None = None, **go: object) -> Row:
    """A package in a module that ends at the major version or at `/sdk`; its root is `below`, up to the `#`."""
    token, _, version = release.partition("@")
    return Row(
        token=token,
        version=version,
        path=f"{module}/{below.replace('#', '/')}",
        module=module,
        name=name,
        go={"importBasePath": f"{module}/{below.partition('#')[0]}", **go},
        schema={"meta": meta or {}},
    )


def azure(release: str, group: str, below: str = "") -> Row:
    """A package of azure-native, whose SDK has a module for each group of the API; its provider is in the module above."""
    token, _, version = release.partition("@")
    major = "" if version.startswith("1.") else f"/v{version[0]}"
    go: Schema = {"importBasePath": AZURE + major, "importPathPattern": AZURE + "/{module}" + major}
    module = AZURE + (f"/{group}" if group else "") + major
    if not group:
        schema: Schema = {"name": "azure-native", "resources": {}}
        go["rootPackageName"] = name = "pulumiazurenativesdk"
        return Row(token=token, version=version, go=go, schema=schema, module=module, name=name)
    return Row(token=token, version=version, go=go, path=module + below, module=module, name=group)


ROWS = {
    "random": usual(
        "random:index/randomPet:RandomPet@4.21.1", GITHUB + "pulumi-random/sdk/v4", "go/random", "random", meta=BRIDGED
    ),
    "aws": usual("aws:s3/bucket:Bucket@7.12.0", GITHUB + "pulumi-aws/sdk/v7", "go/aws#s3", "s3", meta=BRIDGED),
    "aws-native": usual("aws-native:s3:Bucket@1.38.0", GITHUB + "pulumi-aws-native/sdk", "go/aws#s3", "s3"),
    "command": usual("command:local:Command@1.2.1", GITHUB + "pulumi-command/sdk", "go/command#local", "local"),
    "docker-build": Row(
        token="docker-build:index:Image",
        version="0.0.15",
        go={"importBasePath": GITHUB + "pulumi-docker-build/sdk/go/dockerbuild"},
        module=GITHUB + "pulumi-docker-build/sdk/go/dockerbuild",
        name="dockerbuild",
    ),
    "docker-build, whose schema says nothing but where the sources are": Row(
        token="docker-build:index:Image",
        version="0.0.22",
        schema={"repository": "https://github.com/pulumi/pulumi-docker-build"},
        module=GITHUB + "pulumi-docker-build/sdk/go/dockerbuild",
        name="dockerbuild",
    ),
    "google-native": usual(
        "google-native:compute/v1:Instance@0.32.0",
        GITHUB + "pulumi-google-native/sdk",
        "go/google#compute/v1",
        "compute",
    ),
    "std 1": usual("std:index:File@1.6.2", GITHUB + "pulumi-std/sdk", "go/std", "std"),
    "std 2.3.2": usual("std:index:File@2.3.2", GITHUB + "pulumi-std/sdk/v2", "go/std", "std"),
    # Its schema says `…/sdk/go/std`; its go.mod says `…/sdk/v2`.
    "std 2.2.0": Row(
        token="std:index:File",
        version="2.2.0",
        go={"importBasePath": GITHUB + "pulumi-std/sdk/go/std"},
        path=GITHUB + "pulumi-std/sdk/v2/go/std",
        module=GITHUB + "pulumi-std/sdk/v2",
        name="std",
    ),
    "kubernetes": usual(
        "kubernetes:networking.k8s.io/v1:Ingress@4.19.0",
        GITHUB + "pulumi-kubernetes/sdk/v4",
        "go/kubernetes#networking/v1",
        "networkingv1",
        moduleToPackage={"networking.k8s.io/v1": "networking/v1"},
        packageImportAliases={GITHUB + "pulumi-kubernetes/sdk/v4/go/kubernetes/networking/v1": "networkingv1"},
    ),
    # crd2pulumi keeps the group unchanged; the package itself is called v1.
    "a group with dots": usual(
        "crds:cert-manager.io/v1:Issuer@1.0.0",
        "example.com/pulumi-crds/sdk",
        "go/crds#cert-manager.io/v1",
        "certmanager",
    ),
    "a folder with dots": usual(
        "crds:monitoring.coreos.com:Rule@1.0.0",
        "example.com/pulumi-crds/sdk",
        "go/crds#mon.core",
        "moncore",
        moduleToPackage={"monitoring.coreos.com": "Mon.Core"},
    ),
    # Versions 1 and 2: a program with resources, storage and network, its schemas from the Python SDK, compiled with the
    # modules; version 3: the same program, but its paths come from published programs for that version.
    "azure-native 1": Row(
        token="azure-native:resources:ResourceGroup",
        version="1.104.0",
        go={"importBasePath": AZURE, "rootPackageName": "pulumiazurenativesdk"},
        module=AZURE + "/resources",
        name="resources",
    ),
    "azure-native 1, in a version of its API": azure("azure-native:compute/v20220301:VirtualMachine@1.104.0", "compute", "/v20220301"),
    "azure-native 2": azure("azure-native:resources:ResourceGroup@2.90.0", "resources"),
    "azure-native 2, in a version of its API": azure("azure-native:compute/v20220301:VirtualMachine@2.90.0", "compute", "/v20220301"),
    "azure-native 2, its provider": azure("pulumi:providers:azure-native@2.90.0", ""),
    "azure-native 3": azure("azure-native:resources:ResourceGroup@3.29.0", "resources"),
    "azure-native 3, its provider": azure("pulumi:providers:azure-native@3.29.0", ""),
    # SDKs that `pulumi package add terraform-provider` makes; their go.mod is in the folder above the package.
    "tfe": Row(
        token="tfe:index/team:Team",
        version="0.68.2",
        go={"importBasePath": GITHUB + "pulumi-terraform-provider/sdks/go/tfe/tfe"},
        schema={"parameterization": TERRAFORM, "meta": BRIDGED},
        path=GITHUB + "pulumi-terraform-provider/sdks/go/tfe/tfe",
        module=GITHUB + "pulumi-terraform-provider/sdks/go/tfe",
        name="tfe",
    ),
    "random, from Terraform": Row(
        token="random:index/pet:Pet",
        version="3.6.0",
        go={"importBasePath": GITHUB + "pulumi-terraform-provider/sdks/go/random/v3/random"},
        schema={"parameterization": TERRAFORM, "meta": BRIDGED},
        path=GITHUB + "pulumi-terraform-provider/sdks/go/random/v3/random",
        module=GITHUB + "pulumi-terraform-provider/sdks/go/random/v3",
        name="random",
    ),
    # Pinned by the reference's tests of its SDK generator and of its Go host.
    "packed": Row(
        token="keywords:lambda:SomeResource",
        version="20.0.0",
        schema={"meta": {"supportPack": True}},
        path="example.com/pulumi-keywords/sdk/go/v20/keywords/lambda",
        module="example.com/pulumi-keywords/sdk/go/v20",
        name="lambda",
    ),
    "packed, with an address": Row(
        token="file:index:Thing",
        version="0.1.0",
        schema={"meta": {"supportPack": True}, "repository": "https://github.com/example/things.git"},
        path="github.com/example/things/sdk/go/file",
        module="github.com/example/things/sdk/go",
        name="file",
    ),
    "packed, with an import path": Row(
        token="file:index:Thing",
        version="0.1.0",
        go={"importBasePath": "github.com/example/File/sdk/go/File"},
        schema={"meta": {"supportPack": True}, "namespace": "example"},
        path="github.com/example/File/sdk/go/File",
        module="github.com/example/File/sdk/go",
        name="File",
    ),
    "packed, with a module": Row(
        token="file:index:Thing",
        version="0.1.0",
        go={"modulePath": "github.com/example/File/sdk/go"},
        schema={"meta": {"supportPack": True}, "namespace": "example"},
        path="github.com/example/File/sdk/go/file",
        module="github.com/example/File/sdk/go",
        name="file",
    ),
    "packed, with a module that disagrees": Row(
        token="file:index:Thing",
        version="0.1.0",
        go={"modulePath": "github.com/example/File/sdk", "importBasePath": "github.com/example/File/sdk/go/File"},
        schema={"meta": {"supportPack": True}, "namespace": "example"},
        path="github.com/example/File/sdk/File",
        module="github.com/example/File/sdk",
        name="File",
    ),
    "packed, published as the others are": usual(
        "random:index/randomPet:RandomPet@4.21.1",
        GITHUB + "pulumi-random/sdk/v4",
        "go/random",
        "random",
        meta={**BRIDGED, "supportPack": True},
    ),
    "an extension": Row(
        token="myext:index:Greeting",
        version="2.0.0",
        schema={"extensionParameterization": TERRAFORM},
        path="example.com/pulumi-myext/sdk/go/v2/myext",
        module="example.com/pulumi-myext/sdk/go/v2",
        name="myext",
    ),
    "nothing said": Row(
        token="kebab-names:kebab-module:Thing",
        version="52.0.0",
        path="example.com/pulumi-kebab-names/sdk/v52/go/kebabnames/kebab-module",
        module="example.com/pulumi-kebab-names/sdk/v52",
        name="kebabmodule",
    ),
    "a namespace": Row(
        token="namespaced:index:Resource",
        version="16.0.0",
        schema={"namespace": "a-namespace"},
        path="github.com/a-namespace/pulumi-namespaced/sdk/v16/go/namespaced",
        module="github.com/a-namespace/pulumi-namespaced/sdk/v16",
        name="namespaced",
    ),
    "a module elsewhere": Row(
        token="other:index:Thing",
        version="0.1.0",
        go={"importBasePath": "git.example.org/thirdparty/sdk/go/pkg", "modulePath": "git.example.org/thirdparty/sdk"},
        path="git.example.org/thirdparty/sdk/go/pkg",
        module="git.example.org/thirdparty/sdk",
        name="pkg",
    ),
    # The path has the major version of another schema: go.mod can require no such version of it.
    "a major version that does not fit": Row(
        token="importpath:eventgrid:Resource",
        version="1.0.0",
        go={"importBasePath": "example.com/sdk", "importPathPattern": "{baseImportPath}/{module}/v2"},
        module="example.com/sdk/eventgrid/v2",
        is_required=False,
        name="eventgrid",
    ),
    "a name that is a keyword": Row(
        token="odd:type:Thing",
        version="1.0.0",
        path="example.com/pulumi-odd/sdk/go/odd/type",
        module="example.com/pulumi-odd/sdk",
        name="typesdk",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_real_modules(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    sdk = GoPackage(open_schemas(tmp_path, row.document()).package)
    home = sdk.root if row.token.startswith("pulumi:") else sdk.home(row.token)
    assert (home.path, home.module, home.name) == (row.import_path, row.module, row.name)
    assert sdk.layout.requirement(home) == row.requirement


def test_every_exception_has_a_row_and_is_documented() -> None:
    """`docs/targets.md` says which SDKs pclgen knows that are not where their schemas say (Packages and modules)."""
    page = (ROOT / "docs" / "targets.md").read_text()
    assert [path for path in EXCEPTIONS if not any(row.import_path.startswith(path) for row in ROWS.values())] == []
    assert [path for path in EXCEPTIONS if f"`{path.split('/')[2]}`" not in page] == []


def test_every_rule_has_rows(tmp_path: Path) -> None:
    layouts = [GoPackage(open_schemas(tmp_path / str(at), row.document()).package) for at, row in enumerate(ROWS.values())]
    assert {sdk.layout.rule.means for sdk in layouts} == {rule.means for rule in RULES}


@pytest.mark.parametrize("name", [name for name in ROWS if not ROWS[name].token.startswith("pulumi:")])
def test_programs_import_and_require_them(name: str, tmp_path: Path) -> None:
    """Generated programs agree with the rows; Go allows every version that go.mod requires at that path."""
    row = ROWS[name]
    write_schema(tmp_path, row.document())
    result = pclgen.generate({"main.pp": f'resource r "{row.token}" {{}}\n'}, schemas=[tmp_path], languages=["go"])
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    files = {path.name: text for path, text in result.files["go"].items()}
    shown = f'"{row.import_path}"' if row.import_path.rpartition("/")[2] == row.name else f'{row.name} "{row.import_path}"'
    assert f"\n\t{shown}\n" in files["main.go"]
    assert f" {row.name}.New" in files["main.go"]
    required = dict(line.split() for line in re.findall(r"^\t(\S+ v\S+)$", files["go.mod"], re.MULTILINE))
    assert required.get(row.module, "") == row.requirement
    for path, version in required.items():
        major = re.search(r"/v(\d+)$", path)
        assert version.startswith(f"v{major[1]}." if major else ("v0.", "v1.")), (path, version)


DOCKER_BUILD = GITHUB + "pulumi-docker-build/sdk/go/dockerbuild"
PUBLISHED: Mapping[str, tuple[Schema, str, str]] = {
    "a root package that is a module": ({"name": "docker-build", "version": "0.0.22"}, DOCKER_BUILD, DOCKER_BUILD),
    "the usual module of pulumi's own": (
        {"name": "random", "version": "4.16.7"}, GITHUB + "pulumi-random/sdk/v4", GITHUB + "pulumi-random/sdk/v4/go/random",
    ),
    "a repository": (
        {"name": "foo", "version": "2.1.0", "repository": "https://git.acme.org/Acme/pulumi-foo.git"},
        "git.acme.org/Acme/pulumi-foo/sdk/go/v2",
        "git.acme.org/Acme/pulumi-foo/sdk/go/v2/foo",
    ),
    "a namespace, packed": (
        {"name": "foo", "version": "1.1.0", "namespace": "acme", "meta": {"supportPack": True}},
        "github.com/acme/pulumi-foo/sdk/go/foo",
        "github.com/acme/pulumi-foo/sdk/go/foo",
    ),
    "a root package whose module is a folder above": (
        {"name": "foo", "version": "0.3.0", "language": {"go": {"importBasePath": "acme.org/clouds/foo/client"}}},
        "acme.org/clouds/foo",
        "acme.org/clouds/foo/client",
    ),
    "an old major version in the settings": (
        {"name": "foo", "version": "3.0.0", "language": {"go": {"importBasePath": GITHUB + "pulumi-foo/sdk/v2/go/foo"}}},
        GITHUB + "pulumi-foo/sdk/v3",
        GITHUB + "pulumi-foo/sdk/v3/go/foo",
    ),
}  # fmt: skip  # a table
"""Schemas that do not lead to their module, the published module, and its root package."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_settings_lead_to_the_published_module(name: str, tmp_path: Path) -> None:
    document, module, path = PUBLISHED[name]
    package = open_schemas(tmp_path / "before", document).package
    version = f"v{document['version']}"
    candidate = published(package, lambda asked, of: (asked, of) == (module, version))
    assert candidate is not None and candidate.module == module
    written = {**document, "language": {"go": dict(candidate.settings)}}
    home = GoPackage(open_schemas(tmp_path / "after", written).package).layout.home("")
    assert (home.module, home.path) == (module, path)
    assert home.name == str(document["name"]).replace("-", "") or home.name == path.rpartition("/")[2]


ASKED = [name for name, row in ROWS.items() if row.requirement and not row.module.startswith("example.com/")]


@pytest.mark.parametrize("name", [name for name in ASKED if "importPathPattern" not in ROWS[name].go])
def test_a_module_that_is_right_is_asked_for_first(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    package = open_schemas(tmp_path, row.document()).package
    candidate = published(package, lambda module, version: True)
    assert candidate is not None and candidate.module == GoPackage(package).layout.home("").module
    assert candidate.settings == package.language.get("go", {})


def test_two_packages_of_one_name(tmp_path: Path) -> None:
    """The second has the folder above in its name, but not the major version of the module."""
    versioned = "azure-native:compute/v20220301:VirtualMachine"
    schema = ROWS["azure-native 2, in a version of its API"].document()
    write_schema(tmp_path, {**schema, "resources": {versioned: {}, "azure-native:compute:Disk": {}}})
    program = {"main.pp": f'resource a "azure-native:compute:Disk" {{}}\nresource b "{versioned}" {{}}\n'}
    result = pclgen.generate(program, schemas=[tmp_path], languages=["go"], program_only=True)
    [text] = result.files["go"].values()
    assert f'\tcompute "{AZURE}/compute/v2"\n\tcomputev20220301 "{AZURE}/compute/v2/v20220301"\n' in text
