"""Outputs of resources and components that go to inputs of the same shape: lists of objects, objects, lists, maps, null."""

from __future__ import annotations

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import LANGUAGES, REAL_SCHEMAS
from tests.support.verified import environments, programs_in_memory, verified

MAIN = """
resource cluster "digitalocean:index/kubernetesCluster:KubernetesCluster" {
  region  = "nyc3"
  version = "1.29"
  nodePool = {
    name   = "a"
    size   = "s-1vcpu-2gb"
    taints = [{ key = "a", value = "b", effect = "NoSchedule" }]
  }
}
resource pool "digitalocean:index/kubernetesNodePool:KubernetesNodePool" {
  clusterId = cluster.id
  size      = "s-1vcpu-2gb"
  taints    = cluster.nodePool.taints
  labels    = { a = "b" }
  tags      = ["a"]
}
resource copy "digitalocean:index/kubernetesNodePool:KubernetesNodePool" {
  clusterId = cluster.id
  size      = pool.size
  taints    = pool.taints
  labels    = pool.labels
  tags      = pool.tags
  nodeCount = pool.nodeCount
}
resource other "digitalocean:index/kubernetesCluster:KubernetesCluster" {
  region            = cluster.region
  version           = cluster.version
  nodePool          = cluster.nodePool
  maintenancePolicy = cluster.maintenancePolicy
}
component parts "./parts" {
  on = true
}
resource named "random:index/randomId:RandomId" {
  byteLength = 4
  prefix     = parts.text
  keepers    = parts.object
}
output texts {
  value = ["${pool.taints[0].key}", "k-${copy.taints[0].key}", "n-${pool.nodes[0].name}"]
}
output all {
  value = [parts.text, parts.object, parts.list, parts.nested]
}
"""

PARTS = """
config on bool {}
resource id "random:index/randomId:RandomId" { byteLength = 4 }
output text { value = on ? id.hex : null }
output object { value = on ? { a = id.hex } : null }
output list { value = on ? [id.hex] : [] }
output nested { value = on ? [{ a = id.hex, b = { c = [id.dec] } }] : null }
"""


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_outputs_go_to_inputs_of_the_same_shape(language: str) -> None:
    texts = {"outputs": {"main.pp": MAIN, "parts/main.pp": PARTS}}
    subjects = programs_in_memory(texts, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, settings_of, given=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)
