"""`try` and `can` over members of a resource that may be missing: a comparison with null, and a fallback for the rest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, configured, environments, subjects_in_memory, verified

PROGRAM = """
config on bool { default = true }
config fallback string { default = "f" }
resource c "digitalocean:index:KubernetesCluster" {
  options { range = on }
  region   = "nyc1"
  version  = "1"
  nodePool = { name = "n", size = "s" }
}
resource other "random:index/randomPet:RandomPet" {}
resource maybe "random:index/randomPet:RandomPet" {
  options { range = !on }
}
resource user "random:index/randomPet:RandomPet" { prefix = try(c.kubeConfigs[0].host, "none") }
output literal { value = try(c.kubeConfigs[0].host, "none") }
output configured { value = try(c.nodePool.nodes[0].name, fallback) }
output another { value = try(c.kubeConfigs[0].host, other.id) }
output nothing { value = try(c.kubeConfigs[0].host, null) }
output missing { value = try(c.kubeConfigs[0].host, maybe.id) }
output several { value = try(c.kubeConfigs[0].host, maybe.id, "x") }
output both { value = try(c.kubeConfigs[0].host, c.nodePool.nodes[0].name, "x") }
output text { value = "x-${try(c.kubeConfigs[0].host, "none")}" }
output position { value = try(c.kubeConfigs[length(c.endpoint)].host, "x") }
output loop { value = try([for k in c.kubeConfigs : "${k.host}${c.endpoint}"][0], "x") }
output fallback { value = try(c.kubeConfigs[0].host, on ? c.endpoint : "y") }
output templates { value = try("${c.kubeConfigs[0].host}-${c.nodePool.nodes[0].name}", "y") }
output can { value = can(c.kubeConfigs[0].host) }
output attribute { value = try(c.urn, "x") }
"""

ANYWHERE = """
output attributes { value = [try(c.urn, other.id), can(c.endpoint), try(try(c.urn, c.id), "x")] }
output parts { value = [try([c.endpoint], "x"), try({ a = c.urn, b = [c.id] }, "x")] }
output chosen { value = try(c.kubeConfigs[0].host == c.endpoint ? c.urn : c.id, "x") }
output compared { value = try(c.kubeConfigs[0].host == c.endpoint, "x") }
output logic { value = try(c.kubeConfigs[0].host == "a" && c.endpoint == "b", "x") }
output branch { value = try(on ? c.kubeConfigs[0].host : c.urn, "x") }
output later { value = try(other.id == "other-id" ? c.urn : "z", "x") }
output guarded { value = try(c != null ? c.urn : "none", "x") }
output null { value = try(maybe.prefix == null, c.urn) }
"""
"""Calls of `try` and `can` that read a possibly missing resource anywhere."""

COMPARED = """
output either { value = maybe == null ? other.id : maybe.id }
output hidden { value = maybe == null ? secret("default") : maybe.id }
chosen = c == null ? "none" : c.endpoint
output chosenOne { value = chosen }
resource named "random:index/randomPet:RandomPet" { prefix = maybe == null ? other.id : maybe.id }
resource late "random:index/randomPet:RandomPet" {
  options { range = secret(on) }
}
output lateId { value = try(late.id, "none") }
output lateCan { value = can(late.id) }
output lateCompared { value = late == null ? "no" : late.id }
output lateGuarded { value = try(late == null ? "no" : late.id, "none") }
output lateStep { value = try(late.keepers["x"], "none") }
"""
"""Comparisons with null, and a resource of which only the deployment knows whether it is missing."""

CONFIGURED: Mapping[str, Mapping[str, str]] = {"there": {}, "missing": {"on": "false"}}


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_compile_and_do_the_same(language: str) -> None:
    subjects = subjects_in_memory(dict.fromkeys(CONFIGURED, PROGRAM + ANYWHERE + COMPARED), SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, configured(CONFIGURED), tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


@needs_corpus
@pytest.mark.parametrize(("language", "test"), [("python", "if c is not None"), ("typescript", "c != null"), ("go", "if c != nil {")])
def test_the_resource_is_compared_with_null(language: str, test: str) -> None:
    program = "".join(line for line in PROGRAM.splitlines(keepends=True) if "c.endpoint" not in line and "output can" not in line)
    result = pipeline.generate(
        program_in_memory("missing", {"main.pp": program}), languages=[language], store=SchemaStore([REAL_SCHEMAS])
    )
    text = "\n".join(str(content) for content in result.files[language].values())
    assert test in text and "c is not set" not in text
