config "services" "map(object({ image = string, replicas = optional(number), env = optional(map(string)), ports = list(object({ name = string, port = number, expose = optional(bool) })) }))" {
  default = { web = { image = "nginx", ports = [{ name = "http", port = 80, expose = true }] } }
}

config "registry" "object({ host = string, password = optional(string) })" { default = { host = "docker.io" } }

resource "provider" "pulumi:providers:kubernetes" {}

component "apps" "./app" {
  options {
    range     = services
    providers = [provider]
    dependsOn = [ns]
  }
  name      = range.key
  namespace = ns.metadata.name
  image     = "${registry.host}/${range.value.image}"
  replicas  = range.value.replicas
  env       = range.value.env
  ports     = range.value.ports
  resources = { limits = { cpu = "500m" } }
  sidecars  = []
}

component "single" "./app" {
  name      = "single"
  namespace = "default"
  image     = "busybox"
  ports     = []
  sidecars  = [{ name = "log", image = "fluentd", args = ["-v"] }, { name = "stats", image = "statsd" }]
  secretEnv = { TOKEN = secret("abc"), URL = apps["web"].url }
}

resource "ns" "kubernetes:core/v1:Namespace" {
  options { provider = provider }
  metadata = { labels = { for k, s in services : "svc-${k}" => "yes" } }
}

output "urls" { value = { for k, a in apps : k => a.url } }

output "first" { value = apps["web"].ports[0] }

output "labels" { value = single.labels }
