"""Examples that find their schemas only in installed Python SDKs: aws 7.48.0 and kubernetes 4.19.0.

They have no diagnostics under check, match their snapshots, and their generated code type-checks against the published SDKs:
Python and TypeScript for both, Go for kubernetes (there is no aws of this version for Go)."""

from __future__ import annotations

from pathlib import Path

import pytest

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.schema.recovery.source import InstalledSource
from pclgen.testing.program import PclProgram
from pclgen.testing.snapshots import FileSnapshots
from tests.support import compilers, toolchains
from tests.support.compilers import Messages
from tests.support.generated import LANGUAGES, Generated, example_programs, generate, installed_programs
from tests.support.notes import assert_folders
from tests.support.toolchains import Sdks

PROGRAMS = installed_programs()
KUBERNETES = [name for name in PROGRAMS if name.startswith("kubernetes-")]
LAYOUT = {"python": compilers.check_black, "typescript": compilers.check_prettier, "go": compilers.check_gofmt}


@pytest.fixture(scope="module")
def sdks() -> InstalledSource:
    """The SDKs in an environment that pip created, without any schema file."""
    [packages] = (toolchains.python(Sdks.INSTALLED).home / "venv").glob("lib/python*/site-packages")
    return InstalledSource([packages])


@pytest.fixture(scope="module")
def generated(sdks: InstalledSource, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(PROGRAMS, tmp_path_factory.mktemp("installed"), schemas=[sdks])


def complaints(messages: Messages) -> dict[str, list[str]]:
    return {name: lines for name, lines in messages.items() if lines}


def test_five_of_each() -> None:
    assert len(KUBERNETES) == 5
    assert len([name for name in PROGRAMS if name.startswith("aws-")]) == 5


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_to_say(name: str, sdks: InstalledSource) -> None:
    result = pclgen.check(PROGRAMS[name], store=SchemaStore([sdks]))
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    assert result.program is not None


@pytest.fixture(scope="module")
def pcl_store(sdks: InstalledSource) -> SchemaStore:
    """The installed SDKs."""
    return SchemaStore([sdks])


@pytest.mark.pclgen(*[f"examples/{name}" for name in PROGRAMS], base="..")
def test_generated_as_before(pcl: PclProgram) -> None:
    pcl.check()


def test_each_snapshot_is_of_a_program_and_names_its_source(pcl_snapshots: FileSnapshots) -> None:
    assert_folders(pcl_snapshots, "examples", PROGRAMS, others=example_programs())


def test_all_generate(generated: Generated) -> None:
    assert generated.refused == {}


def test_types_of_python(generated: Generated) -> None:
    assert complaints(compilers.check_ty(generated.folders["python"])) == {}


def test_python_with_a_mistake_is_refused(generated: Generated, tmp_path: Path) -> None:
    """The checker inspects nested inputs."""
    text = (generated.folders["python"]["kubernetes-web"] / "__main__.py").read_text(encoding="utf-8")
    assert text.count('"container_port"') == 1
    (tmp_path / "__main__.py").write_text(text.replace('"container_port"', '"container_prt"'), encoding="utf-8")
    assert complaints(compilers.check_ty({"wrong": tmp_path})) != {}


def test_types_of_typescript(generated: Generated) -> None:
    assert complaints(compilers.check_typescript(generated.folders["typescript"], sdks=Sdks.INSTALLED)) == {}


def test_types_of_go(generated: Generated) -> None:
    programs = {name: generated.folders["go"][name] for name in KUBERNETES}
    assert complaints(compilers.check_go(programs, sdks=Sdks.INSTALLED)) == {}


PROMISED = """
resource a "kubernetes:core/v1:Service" {
  metadata = { labels = { app = "a" } }
  spec     = { selector = { app = "a" }, clusterIP = "10.0.0.1" }
}

resource b "kubernetes:core/v1:Service" {
  metadata = { name = a.metadata.name, labels = a.metadata.labels }
  spec = {
    ports          = [{ port = 80, name = "http" }]
    selector       = a.spec.selector
    loadBalancerIP = true ? a.status.loadBalancer.ingress[0].ip : a.spec.clusterIP
  }
}

resource c "kubernetes:core/v1:Service" {
  metadata = { name = true ? a.metadata.name : b.metadata.name }
  spec     = { ports = [for port in b.spec.ports : { port = port.port, name = port.name, nodePort = port.nodePort }] }
}

shared = a.metadata

output name {
  value = "${a.metadata.name}.${shared.namespace}"
}

output first {
  value = a.status.loadBalancer.ingress[0].hostname
}

output app {
  value = a.spec.selector["app"]
}

output absent {
  value = a.metadata.annotations == null ? "none" : "some"
}
"""


def test_what_the_types_of_kubernetes_promise(sdks: InstalledSource, tmp_path: Path) -> None:
    """Its published types have no undefined on outputs, so the code does not remove it; the SDK detects missing values."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "main.pp").write_text(PROMISED, encoding="utf-8")
    result = generate({"promised": tmp_path / "in"}, tmp_path / "out", schemas=[sdks], languages=["typescript"])
    assert result.refused == {}
    text = (result.folders["typescript"]["promised"] / "index.ts").read_text(encoding="utf-8")
    assert "name: a.metadata.name," in text
    assert "labels: a.metadata.labels" in text
    assert "a.status.loadBalancer.ingress[0].hostname" in text
    assert "ports.map(" in text
    assert "!." not in text
    assert "!)" not in text
    assert complaints(compilers.check_typescript(result.folders["typescript"], sdks=Sdks.INSTALLED)) == {}


LATER = """
resource a "kubernetes:core/v1:Namespace" {}

resource b "kubernetes:core/v1:Namespace" {}

resource each "kubernetes:core/v1:ConfigMap" {
  data = { id = range.value }
  options {
    range = { one = a.id, two = b.id }
  }
}

resource mixed "kubernetes:core/v1:ConfigMap" {
  data = { id = range.value }
  options {
    range = { one = a.id, two = a.metadata.name }
  }
}

output names {
  value = [for space in [a, b] : space.metadata.name]
}

output ids {
  value = [for key, id in { one = a.id, two = b.id } : "${key}=${id}"]
}
"""
"""Loops over objects and lists of values that are unknown until deployment, or may be missing then."""


def test_loops_over_what_is_known_later(sdks: InstalledSource, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "main.pp").write_text(LATER, encoding="utf-8")
    result = generate({"later": tmp_path / "in"}, tmp_path / "out", schemas=[sdks])
    assert result.refused == {}
    assert complaints(compilers.check_go(result.folders["go"], sdks=Sdks.INSTALLED)) == {}
    assert complaints(compilers.check_ty(result.folders["python"])) == {}


UNIONS = """
resource a "kubernetes:core/v1:Service" {
  metadata = { name = "a" }
  spec = { type = "LoadBalancer", ports = [{ port = 80, targetPort = "http" }, { port = 81, targetPort = 8081 }] }
}

resource same "kubernetes:core/v1:Service" {
  metadata = a.metadata
  spec     = a.spec
}

resource members "kubernetes:core/v1:Service" {
  spec = { type = a.spec.type, ports = a.spec.ports }
}

resource chosen "kubernetes:core/v1:Service" {
  spec = {
    type  = a.metadata.name == "a" ? a.spec.type : "ClusterIP"
    ports = [{ port = 80, targetPort = a.metadata.name == "a" ? a.spec.ports[0].targetPort : 8080 }]
  }
}

resource loop "kubernetes:core/v1:Service" {
  spec = { ports = [for port in a.spec.ports : { port = port.port, targetPort = port.targetPort }] }
}

resource app "kubernetes:apps/v1:Deployment" {
  spec = {
    selector = { matchLabels = { app = "a" } }
    strategy = { rollingUpdate = { maxSurge = 1, maxUnavailable = "25%" } }
    template = {
      metadata = { labels = { app = "a" } }
      spec     = { containers = [{ name = "a", livenessProbe = { httpGet = { port = a.spec.ports[1].targetPort } } }] }
    }
  }
}

resource again "kubernetes:apps/v1:Deployment" {
  spec = {
    selector = app.spec.selector
    strategy = { rollingUpdate = { maxSurge = app.spec.strategy.rollingUpdate.maxSurge } }
    template = app.spec.template
  }
}
"""
"""Outputs of union types (a number or a string, an enum or a string) as inputs of the same types."""

ENUMS = """
resource a "aws:alb/loadBalancer:LoadBalancer" {
  loadBalancerType = "network"
}

resource b "aws:alb/loadBalancer:LoadBalancer" {
  loadBalancerType = a.loadBalancerType
}

resource c "aws:alb/loadBalancer:LoadBalancer" {
  loadBalancerType = a.name == "a" ? a.loadBalancerType : "application"
}

resource first "aws:autoscaling/group:Group" {
  maxSize        = 1
  minSize        = 1
  enabledMetrics = ["GroupMinSize"]
}

resource second "aws:autoscaling/group:Group" {
  maxSize        = first.maxSize
  minSize        = first.minSize
  enabledMetrics = first.enabledMetrics
}

resource third "aws:autoscaling/group:Group" {
  maxSize        = 1
  minSize        = 1
  enabledMetrics = [for metric in first.enabledMetrics : metric]
}

resource fourth "aws:autoscaling/group:Group" {
  maxSize        = 1
  minSize        = 1
  enabledMetrics = first.name == "a" ? first.enabledMetrics : ["GroupMaxSize"]
}

resource note "aws:autoscaling/notification:Notification" {
  groupNames    = [first.name]
  notifications = ["autoscaling:EC2_INSTANCE_LAUNCH"]
  topicArn      = "arn"
}

resource copy "aws:autoscaling/notification:Notification" {
  groupNames    = note.groupNames
  notifications = note.notifications
  topicArn      = note.topicArn
}

resource one "aws:autoscaling/notification:Notification" {
  groupNames    = [first.name]
  notifications = [note.notifications[0], "autoscaling:EC2_INSTANCE_TERMINATE"]
  topicArn      = note.topicArn
}
"""
"""Outputs of enums and lists of enums as inputs of the same types."""


@pytest.mark.parametrize("package", ["kubernetes", "aws"])
def test_enums_and_unions_go_to_inputs_of_their_types(package: str, sdks: InstalledSource, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "main.pp").write_text({"kubernetes": UNIONS, "aws": ENUMS}[package], encoding="utf-8")
    result = generate({"kinds": tmp_path / "in"}, tmp_path / "out", schemas=[sdks])
    assert result.refused == {}
    assert complaints(compilers.check_ty(result.folders["python"])) == {}
    assert complaints(compilers.check_typescript(result.folders["typescript"], sdks=Sdks.INSTALLED)) == {}
    if package == "kubernetes":  # there is no aws of this version for Go
        assert complaints(compilers.check_go(result.folders["go"], sdks=Sdks.INSTALLED)) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_layout(generated: Generated, language: str) -> None:
    assert complaints(LAYOUT[language](generated.folders[language])) == {}
