"""Programs in Pulumi YAML modeled on published programs: they pass `check`, and their code type-checks in every language.

`cases/yaml` holds them, a folder each; their only diagnostics are in `WARNED`.  `cases/yaml-schemas` has packages that no
other folder of schemas has.  `cases/clouds` has programs in PCL, which are checked against the same SDKs: published SDKs
where the toolchains have them, else generated SDKs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

import pytest

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.source.data import read_yaml
from tests.support.compilers import Messages, check_go, check_ty, check_typescript
from tests.support.corpus import CORPUS, ROOT, needs_corpus
from tests.support.files import write_files
from tests.support.generated import REAL_SCHEMAS, Generated, generate
from tests.support.rules import for_all
from tests.support.sdks.generation import package_of
from tests.support.sdks.go import sdk_kit
from tests.support.sdks.gotypes import check_types
from tests.support.sdks.python import sdk_path as python_path
from tests.support.sdks.subset import cut_schemas
from tests.support.sdks.typescript import sdk_path as typescript_path
from tests.support.toolchains import Sdks

CASES = ROOT / "tests" / "cases"
PROGRAMS = {path.name: path for path in sorted((CASES / "yaml").iterdir())}
WRITTEN = {path.name: path for path in sorted((CASES / "clouds").iterdir())}
"""Programs in PCL over the same SDKs, as converters and people write them: loops, components, policies, nullable members."""
ALL = {**PROGRAMS, **WRITTEN}
SCHEMAS = [CASES / "yaml-schemas", REAL_SCHEMAS, CORPUS / "schemas" / "recovered"]
WARNED: Mapping[str, set[str]] = {
    "aws-dns": {"PCL1215"},
    "aws-lambda-api": {"PCL1215"},
    "aws-web-server": {"PCL1215"},
    "json-in-capitals": {"PCL1210"},
    "project-configuration": {"PCL0416"},
}
"""Programs with habits that Pulumi accepts and `check` warns about."""
PUBLISHED_FOR_GO = {"command", "digitalocean", "github", "random", "tls"}
PUBLISHED = {*PUBLISHED_FOR_GO, "azuread", "docker", "std"}
"""Packages whose SDKs the toolchains install; more for TypeScript than for Go."""
PUBLISHED_FOR_TY = {"aws", "kubernetes"}
"""Packages whose Python SDKs are installed next to ty, which checks them in seconds."""
_PACKAGES = re.compile(r"\b([a-z][a-z-]*):[\w./-]")

WITH_COMPONENTS = {"components-in-yaml"}
"""Programs with their own components, which a program in Pulumi YAML does not have."""

pytestmark = needs_corpus


def _sources(folder: Path) -> list[Path]:
    return [*folder.glob("[MP]*.*"), *folder.glob("*/*.yaml"), *folder.rglob("*.pp")]


@pytest.fixture(scope="module")
def store() -> SchemaStore:
    return SchemaStore(SCHEMAS)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(ALL, tmp_path_factory.mktemp("generated"), schemas=SCHEMAS)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The schemas of the packages that the programs use, reduced to the used members, by package."""
    texts = [path.read_text(encoding="utf-8") for folder in ALL.values() for path in _sources(folder)]
    files = sorted(path for folder in SCHEMAS for path in folder.glob("*.json"))
    paths = cut_schemas(files, texts, tmp_path_factory.mktemp("schemas"))
    return {path.name.rpartition("-")[0]: path for path in paths}


def complaints(messages: Messages) -> dict[str, list[str]]:
    return {name: errors for name, errors in messages.items() if errors}


TOPICS: Mapping[str, tuple[str, str]] = {
    "a static website": ("aws-static-website", "aws:s3"),
    "EKS with node groups": ("aws-eks-raw", "aws:eks:NodeGroup"),
    "GKE": ("gcp-gke", "gcp:container:NodePool"),
    "AKS": ("azure-aks", "ManagedCluster"),
    "a Lambda API": ("aws-lambda-api", "aws:lambda"),
    "Fargate": ("aws-fargate-raw", "FARGATE"),
    "Cloud Run": ("gcp-cloud-run", "gcp:cloudrun"),
    "a VM with a startup script": ("gcp-vm", "metadataStartupScript"),
    "a Helm chart": ("kubernetes-helm-chart", "Chart"),
    "CRDs with ConfigGroup": ("kubernetes-crds", "ConfigGroup"),
    "DNS": ("aws-dns", "aws:route53"),
    "databases": ("aws-database", "aws:rds"),
    "IAM policies": ("aws-iam-policies", "aws:iam"),
    "stack references": ("stack-references", "StackReference"),
    "ESC": ("esc-environment", "environment:"),
    "project configuration": ("project-configuration", "config:"),
    "Main.yaml": ("project-configuration", "resources:"),
    "components of packages": ("aws-eks", "eks:Cluster"),
    "components in YAML": ("components-in-yaml", "packages:"),
}
"""Subjects of published programs: a program for each, and a part of its text."""


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 60


@pytest.mark.parametrize("topic", TOPICS)
def test_each_topic_has_a_program(topic: str) -> None:
    name, part = TOPICS[topic]
    texts = [path.read_text(encoding="utf-8") for path in PROGRAMS[name].glob("*.yaml")]
    assert any(part in text for text in texts)


@for_all("name", ALL)
def test_check_passes(name: str, store: SchemaStore) -> None:
    result = pclgen.check(ALL[name], store=store)
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    assert {d.code for d in result.diagnostics} == WARNED.get(name, set()), pclgen.render_diagnostics(result.diagnostics)


def test_all_generate(generated: Generated) -> None:
    assert generated.refused == {}


@for_all("name", sorted(set(PROGRAMS) - WITH_COMPONENTS))
def test_what_is_accepted_can_be_written(name: str, store: SchemaStore, tmp_path: Path) -> None:
    """Its Pulumi YAML is read again and written identically, except for the order and types of configuration."""
    written = pclgen.generate(PROGRAMS[name], store=store, languages=["yaml"])
    assert written.ok, pclgen.render_diagnostics(written.diagnostics)
    write_files(tmp_path, written.files["yaml"])
    for source in PROGRAMS[name].rglob("*"):  # the files that it names
        if source.is_file() and not (tmp_path / source.relative_to(PROGRAMS[name])).exists() and source.suffix != ".yaml":
            target = tmp_path / source.relative_to(PROGRAMS[name])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    again = pclgen.generate(tmp_path, store=store, languages=["yaml"])
    assert again.ok, pclgen.render_diagnostics(again.diagnostics)
    first, second = (read_yaml(result.files["yaml"][PurePosixPath("Pulumi.yaml")]) for result in (written, again))
    for program in (first, second):
        for entry in program.get("config", {}).values():
            if isinstance(entry, dict) and "default" in entry:
                entry.pop("type", None)  # the default contains it
    assert first == second


def test_types_of_python(generated: Generated, used: Mapping[str, Path]) -> None:
    search = [entry for entry in python_path([*used.values()], former=True) if entry.name.partition("-")[0] not in PUBLISHED_FOR_TY]
    assert complaints(check_ty(generated.folders["python"], search=search)) == {}


def typescript_sdks(used: Mapping[str, Path], *, but: Collection[str]) -> list[Path]:
    return [path for path in typescript_path([*used.values()], former=True) if package_of(path) not in but]


def test_types_of_typescript(generated: Generated, used: Mapping[str, Path]) -> None:
    programs = {name: folder for name, folder in generated.folders["typescript"].items() if "kubernetes" not in packages(name)}
    assert complaints(check_typescript(programs, search=typescript_sdks(used, but=PUBLISHED))) == {}


def packages(program: str) -> set[str]:
    """Return the packages of SDKs that a program uses."""
    packages = {*PUBLISHED, *PUBLISHED_FOR_TY, "awsx", "azure-native", "eks", "gcp"}
    text = "".join(path.read_text(encoding="utf-8") for path in _sources(ALL[program]))
    return {word for word in _PACKAGES.findall(text) if word in packages}


def with_only(folders: Mapping[str, Path], allowed: Collection[str]) -> dict[str, Path]:
    """The programs that use packages with SDKs, and only these packages."""
    return {name: folder for name, folder in folders.items() if packages(name) and packages(name) <= set(allowed)}


def test_types_of_python_with_the_real_sdks_of_gcp_and_azure(generated: Generated) -> None:
    programs = with_only(generated.folders["python"], {"azure-native", "gcp", "random", "tls"})
    assert sum("gcp" in name or "azure" in name for name in programs) >= 12
    assert complaints(check_ty(programs, sdks=Sdks.CLOUDS)) == {}


def test_types_of_typescript_with_the_real_sdks_of_gcp_and_azure(generated: Generated) -> None:
    programs = with_only(generated.folders["typescript"], {"azure-native", "gcp", "random", "tls"})
    assert sum("gcp" in name or "azure" in name for name in programs) >= 12
    assert complaints(check_typescript(programs, sdks=Sdks.CLOUDS)) == {}


@pytest.mark.parametrize("package", sorted(PUBLISHED_FOR_TY))
def test_types_of_typescript_with_real_sdks(package: str, generated: Generated, used: Mapping[str, Path]) -> None:
    """Of kubernetes, whose schema does not declare all outputs as present, only these programs are correct."""
    programs = {name: folder for name, folder in generated.folders["typescript"].items() if package in packages(name)}
    assert len(programs) >= 10
    others = typescript_sdks(used, but=PUBLISHED_FOR_TY)
    assert complaints(check_typescript(programs, search=others, sdks=Sdks.INSTALLED)) == {}


def test_types_of_go_with_the_real_sdk_of_kubernetes(generated: Generated) -> None:
    programs = with_only(generated.folders["go"], {"kubernetes"})
    assert len(programs) >= 10
    assert complaints(check_go(programs, sdks=Sdks.INSTALLED)) == {}


def test_types_of_go(generated: Generated, used: Mapping[str, Path]) -> None:
    kit = sdk_kit([*used.values()], only=set(used) - PUBLISHED_FOR_GO)
    assert complaints(check_types(generated.folders["go"], kit)) == {}
