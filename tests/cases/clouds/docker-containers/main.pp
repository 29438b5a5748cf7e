config "containers" "list(object({ name = string, image = string, ports = optional(list(object({ internal = number, external = optional(number), protocol = optional(string) }))), env = optional(map(any)), labels = optional(map(string)), healthcheck = optional(object({ test = list(string), interval = optional(string) })), volumes = optional(list(string)) }))" {
  default = [{ name = "db", image = "postgres:16", env = { POSTGRES_DB = "x", MAX = 10, DEBUG = true }, ports = [{ internal = 5432 }] }]
}
config "registryPassword" string { secret = true }
resource "net" "docker:index/network:Network" {
  name = "app"
  ipamConfigs = [{ subnet = "10.9.0.0/24", auxAddress = {} }]
  labels = [for k, v in { owner = "me", "com.example/x" = "y" } : { label = k, value = v }]
}
resource "image" "docker:index/remoteImage:RemoteImage" {
  options { range = { for c in containers : c.name => c } }
  name = range.value.image
  keepLocally = true
}
resource "volume" "docker:index/volume:Volume" {
  options { range = [for c in containers : c.name if try(length(c.volumes), 0) > 0] }
  name = "vol-${range.value}"
}
resource "container" "docker:index/container:Container" {
  options {
    range = { for c in containers : c.name => c }
    deleteBeforeReplace = true
    dependsOn = volume
    ignoreChanges = [ports[0].external, labels]
  }
  name = range.key
  image = image[range.key].imageId
  restart = "unless-stopped"
  envs = [for k, v in try(range.value.env, {}) : "${k}=${v}"]
  ports = range.value.ports
  labels = [for k, v in try(range.value.labels, {}) : { label = k, value = v }]
  healthcheck = range.value.healthcheck == null ? null : { tests = range.value.healthcheck.test, interval = try(range.value.healthcheck.interval, "30s") }
  networksAdvanced = [{ name = net.name, aliases = [range.key] }]
  uploads = [{ file = "/etc/conf.json", content = toJSON(range.value) }]
}
resource "repo" "github:index/repository:Repository" {
  name = "infra"
  securityAndAnalysis = { secretScanning = { status = "enabled" } }
}
resource "secret" "github:index/actionsSecret:ActionsSecret" {
  options { range = { PASSWORD = registryPassword, IP = container["db"].id } }
  repository = repo.name
  secretName = range.key
  value = range.value
}
resource "protection" "github:index/branchProtection:BranchProtection" {
  repositoryId = repo.nodeId
  pattern = "main"
  requiredPullRequestReviews = [{ requiredApprovingReviewCount = 1, dismissStaleReviews = true, restrictDismissals = false }]
  requiredStatusChecks = [{ strict = true, contexts = [for k, c in container : "build/${k}/${c.name}"] }]
}
resource "ruleset" "github:index/repositoryRuleset:RepositoryRuleset" {
  repository = repo.name
  enforcement = "active"
  target = "branch"
  conditions = { refName = { includes = ["~DEFAULT_BRANCH"], excludes = [] } }
  rules = { creation = true, requiredStatusChecks = { requiredChecks = [for c in ["lint", "test"] : { context = c }] } }
}
output "ips" { value = { for k, c in container : k => c.networkDatas[0].ipAddress } }
output "images" { value = [for i in image : i.repoDigest] }
output "bridge" { value = container["db"].bridge }
