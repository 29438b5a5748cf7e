"""Objects inside values that wait for several outputs, or that became outputs: members are read as the evaluator reads them.

Python's SDK turns its objects into plain dicts there (`pclgen.targets.python.objects`); type checkers do not see it, runs do.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from pclgen.evaluate.models import CreateRequest, ResourceAnswer
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.trace.model import UNKNOWN, Properties
from pclgen.verify.report import Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import needs_corpus
from tests.support.field_runs import FieldModel, settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

pytestmark = needs_corpus

NODES = tuple({"id": f"id-{n}", "name": name, "dropletId": str(n), "status": "up"} for n, name in enumerate("ab"))
OUTPUTS: Mapping[str, Properties] = {
    "digitalocean:index/kubernetesCluster:KubernetesCluster": {
        "name": "main",
        "nodePool": {
            "name": "first",
            "size": "s",
            "nodeCount": 2,
            "nodes": NODES,
            "labels": {"node_count": "a", "droplet_id": "b"},
            "taints": ({"key": "k", "value": "v", "effect": "e"},),
        },
    },
    "digitalocean:index/kubernetesNodePool:KubernetesNodePool": {"name": "second", "nodes": NODES, "nodeCount": 2},
}

RESOURCES = """
resource pool "digitalocean:index:KubernetesNodePool" {
  clusterId = "c"
  size      = "s"
  nodeCount = 2
}

resource cluster "digitalocean:index:KubernetesCluster" {
  region   = "nyc1"
  version  = "1"
  nodePool = { name = "np", size = "s", nodeCount = 1 }
}
"""

READ: Mapping[str, str] = {
    "a loop and a text": '[for n in pool.nodes : "${pool.name}/${n.name}"]',
    "a name that differs": '[for n in pool.nodes : "${pool.name}/${n.dropletId}"]',
    "an object in an object": '[for n in cluster.nodePool.nodes : "${pool.name}/${n.dropletId}"]',
    "required members": '[for t in cluster.nodePool.taints : "${pool.name}/${t.key}/${t.effect}"]',
    "a whole object": 'cluster.nodePool.nodeCount > pool.nodeCount ? pool.name : "${cluster.nodePool.name}-${pool.name}"',
    "branches": 'cluster.name == "x" ? pool.nodes[0].name : cluster.nodePool.name',
    "a splat": "pool.name == cluster.name ? [] : pool.nodes[*].dropletId",
    "a list of objects": '[for p in [cluster.nodePool] : "${p.name}-${p.nodeCount}-${pool.name}"]',
    "a list of lists": "[for ns in [pool.nodes, cluster.nodePool.nodes] : [for n in ns : n.dropletId]]",
    "an object of lists": "{ for k, ns in { a = pool.nodes, b = cluster.nodePool.nodes } : k => [for n in ns : n.dropletId] }",
    "keys and conditions": "{ for n in pool.nodes : n.dropletId => n.id if n.name != pool.name }",
    "an element": "element(pool.nodes, pool.nodeCount).dropletId",
    "an index": "pool.nodes[pool.nodeCount - 1].dropletId",
    "a loop in a loop": "[for n in pool.nodes : [for m in cluster.nodePool.nodes : m.dropletId if m.name == n.name]]",
    "a secret": "[for n in secret(pool.nodes) : n.dropletId]",
    "a step on a secret": "secret(pool.nodes)[0].dropletId",
    "a try": 'try(pool.nodes[pool.nodeCount].dropletId, "none ${pool.name}")',
    "a local": "[for n in nodes : n.dropletId]",
    "a local of two": "[for ns in both : ns[0].dropletId]",
    "keys of a map that are names of members": "toJSON(secret(cluster.nodePool))",
    "keys of the program's own objects": 'toJSON({ for k, ns in { droplet_id = secret(pool.nodes) } : k => ns })',
    "one output": "[for n in pool.nodes : n.dropletId]",
    "whole": "pool.nodes",
    "a whole secret": "secret(pool.nodes)",
    "a whole local": "nodes",
    "a whole object of two": "{ a = pool.nodes, b = pool.name }",
    "a whole secret in an object": "{ a = secret(cluster.nodePool), b = pool.nodes }",
    "whole elements": "[for n in pool.nodes : { node = n, of = pool.name }]",
    "a whole element": "pool.nodes[pool.nodeCount - 1]",
    "a whole branch": 'pool.name == "second" ? pool.nodes : cluster.nodePool.nodes',
    "a whole try": "try(pool.nodes[pool.nodeCount], pool.nodes[0])",
    "a whole secret object": "secret({ a = pool.nodes })",
}
"""Values to read, by the obstacle."""

RANGES = """
resource each "digitalocean:index:Tag" {
  name = "${range.value.dropletId}-${pool.name}"
  options { range = secret(pool.nodes) }
}
"""


NO_GO_FORM = ("a list of objects", "a list of lists", "an object of lists", "a local of two", "a whole secret object")
"""Lists and maps of outputs of objects, which may lack a type in the SDK, and traversals into values of any type."""


COMPONENT = """
resource pool "digitalocean:index:KubernetesNodePool" {
  clusterId = "c"
  size      = "s"
  nodeCount = 2
}
output nodes { value = pool.nodes }
output hidden { value = secret(pool.nodes) }
output pair { value = { all = pool.nodes, name = pool.name } }
"""
"""Outputs of a component, which are read from outside and registered."""


def program(language: str) -> Mapping[str, str]:
    outputs = (
        f'output out{at} {{\n  __logicalName = "{title}"\n  value = {value}\n}}\n'
        for at, (title, value) in enumerate(READ.items())
        if language != "go" or title not in NO_GO_FORM
    )
    component = 'component web "./web" {}\noutput fromComponent { value = [web.nodes, web.hidden, web.pair] }\n'
    names = 'nodes = secret(pool.nodes)\nboth = [pool.nodes, cluster.nodePool.nodes]\n'
    return {"main.pp": f"{RESOURCES}{RANGES}{names}{component}{''.join(outputs)}", "web/main.pp": COMPONENT}


class _Model(FieldModel):
    """The echo model, with objects that are known only in an update."""

    def create(self, request: CreateRequest) -> ResourceAnswer:
        answer = super().create(request)
        outputs = OUTPUTS.get(request.type, {})
        if request.deployment.preview:
            outputs = dict.fromkeys(outputs, UNKNOWN)
        return replace(answer, outputs={**answer.outputs, **outputs})


def _settings(subject: Subject) -> Settings:
    return replace(settings_of(subject), default_model=_Model(subject.program.packages))


@pytest.mark.parametrize("language", LANGUAGES)
def test_members_are_read(language: str) -> None:
    subjects = programs_in_memory({"objects": program(language)}, SchemaStore([REAL_SCHEMAS]), [language])
    report = verified(subjects, _settings, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
