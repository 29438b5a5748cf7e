"""Programs as Terraform converters write them: strict, in every language, against real SDKs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import LANGUAGES, REAL_SCHEMAS
from tests.support.verified import environments, programs_in_memory, verified

FIREWALL = """
config "inboundPorts" "list(object({ port = number, protocol = string, sources = list(string) }))" {
  default = [
    { port = 22, protocol = "tcp", sources = ["10.0.0.0/8"] },
    { port = 443, protocol = "tcp", sources = ["0.0.0.0/0", "::/0"] }
  ]
}
config "dropletCount" number { default = 2 }
config "environment" string { default = "dev" }
sizes = { dev = "s-1vcpu-1gb", prod = "s-2vcpu-4gb" }
name  = environment == "prod" ? "web" : environment == "stage" ? "web-stage" : "web-${environment}"
images = invoke("digitalocean:index/getImage:getImage", { slug = "ubuntu-22-04-x64" })
resource "web" "digitalocean:index/droplet:Droplet" {
  options { range = dropletCount }
  name   = "${name}-${range.value}"
  image  = images.id
  region = element(["nyc1", "ams3"], range.value)
  size   = lookup(sizes, environment, "s-1vcpu-1gb")
  tags   = [name, environment]
}
resource "firewall" "digitalocean:index/firewall:Firewall" {
  name = name
  inboundRules = [for entry in entries(inboundPorts) : {
    protocol        = entry.value.protocol
    portRange       = "${entry.value.port}"
    sourceAddresses = entry.value.sources
  }]
  tags = try(web[0].tags, [])
}
output "addresses" { value = [for __item in web : __item.ipv4Address] }
output "first" { value = web[0].ipv4Address }
"""

REPOSITORIES = """
config "repositories" "map(object({ description = string, private = bool, topics = list(string) }))" {
  default = { api = { description = "The API", private = true, topics = ["go"] } }
}
config "organization" string { default = "acme" }
resource "repository" "github:index/repository:Repository" {
  options { range = repositories }
  name        = "${organization}-${range.key}"
  description = range.value.description
  visibility  = range.value.private ? "private" : "public"
  topics      = range.value.topics
}
resource "main" "github:index/branchProtection:BranchProtection" {
  options { range = { for k, v in repositories : k => v if v.private } }
  repositoryId = repository[range.key].nodeId
  pattern      = "main"
  requiredStatusChecks = [{ strict = true, contexts = ["ci/${range.key}"] }]
}
resource "hook" "github:index/repositoryFile:RepositoryFile" {
  repository = repository["api"].name
  file       = "settings.json"
  content    = toJSON({ name = organization, teams = [for k, v in repositories : { id = k, topics = join(",", v.topics) }] })
}
output "urls" { value = { for k, v in repository : k => v.htmlUrl } }
"""

CLUSTER = """
config "pools" "list(any)" { default = [] }
config "extra" "map(string)" { default = {} }
config "ha" bool { default = false }
versions = invoke("digitalocean:index/getKubernetesVersions:getKubernetesVersions", { versionPrefix = "1.29." })
mixed    = ["a", 1, true, { name = "last" }]
resource "suffix" "random:index/randomId:RandomId" {
  byteLength = 2
  keepers    = { version = versions.latestVersion, pick = mixed[3].name }
}
resource "cluster" "digitalocean:index/kubernetesCluster:KubernetesCluster" {
  name    = "c-${suffix.hex}"
  region  = "ams3"
  version = versions.latestVersion
  ha      = ha
  tags    = [for k, v in extra : "${k}-${v}"]
  nodePool = { name = "main", size = "s-2vcpu-2gb", nodeCount = ha ? 3 : 1, labels = extra }
  maintenancePolicy = ha ? { day = "sunday", startTime = "04:00" } : null
}
resource "pool" "digitalocean:index/kubernetesNodePool:KubernetesNodePool" {
  options { range = length(pools) }
  clusterId = cluster.id
  name      = try(pools[range.value].name, "pool-${range.value}")
  size      = try(pools[range.value].size, "s-1vcpu-2gb")
  nodeCount = try(pools[range.value].count, 1)
}
output "endpoint" {
  value = cluster.endpoint
}
output "token" {
  value = secret(cluster.kubeConfigs[0].token)
}
"""

CERTIFICATES = """
config "domains" "list(string)" { default = ["example.com", "www.example.com"] }
config "create" bool { default = true }
resource "key" "tls:index/privateKey:PrivateKey" {
  options { range = create ? 1 : 0 }
  algorithm = "RSA"
  rsaBits   = 2048
}
resource "cert" "tls:index/selfSignedCert:SelfSignedCert" {
  options { range = create ? 1 : 0 }
  privateKeyPem       = key[0].privateKeyPem
  validityPeriodHours = 12
  allowedUses         = ["key_encipherment", "server_auth"]
  dnsNames            = domains
  subject             = { commonName = element(domains, 0), organization = "Acme" }
}
resource "record" "digitalocean:index/dnsRecord:DnsRecord" {
  options { range = domains }
  domain = element(split(".", range.value), length(split(".", range.value)) - 1)
  type   = "TXT"
  name   = range.value
  value  = try(cert[0].certPem, "none")
}
output "pem" { value = create ? cert[0].certPem : "" }
output "policy" {
  value = toJSON({ Version = "2012-10-17", Statement = [for d in domains : { Effect = "Allow", Resource = ["${d}/*"] }] })
}
"""

PROGRAMS: Mapping[str, str] = {
    "firewall": FIREWALL,
    "repositories": REPOSITORIES,
    "cluster": CLUSTER,
    "certificates": CERTIFICATES,
}


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_they_type_check(language: str) -> None:
    texts = {name: {"main.pp": text} for name, text in PROGRAMS.items()}
    subjects = programs_in_memory(texts, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile",))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)
