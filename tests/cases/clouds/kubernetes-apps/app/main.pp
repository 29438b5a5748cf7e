# An application: a deployment, its service and its secrets.
config "name" string { description = "The name of everything." }

config "namespace" string {}

config "image" string {}

config "replicas" int { nullable = true }

config "env" "map(string)" { nullable = true }

config "secretEnv" "map(string)" { default = {} }

config "ports" "list(object({ name = string, port = number, expose = optional(bool) }))" { default = [] }

config "sidecars" "list(object({ name = string, image = string, args = optional(list(string)) }))" { default = [] }

config "resources" "object({ limits = optional(map(string)), requests = optional(map(string)) })" { nullable = true }

labels = { "app.kubernetes.io/name" = name }

component "vault" "../secretbox" {
  options { range = length(secretEnv) > 0 }
  name      = "${name}-secrets"
  namespace = namespace
  values    = secretEnv
}

resource "deployment" "kubernetes:apps/v1:Deployment" {
  metadata = { name = name, namespace = namespace, labels = labels }
  spec = {
    replicas = replicas == null ? 1 : replicas
    selector = { matchLabels = labels }
    template = {
      metadata = { labels = labels }
      spec = {
        containers = [{
          name  = name
          image = image
          # plain values first
          env       = [for k, v in try(env, {}) : { name = k, value = v }]
          ports     = [for p in ports : { name = p.name, containerPort = p.port }]
          resources = resources
        }]
        initContainers = [for s in sidecars : { name = s.name, image = s.image, args = s.args }]
      }
    }
  }
}

exposed = [for p in ports : p if p.expose == true]

resource "service" "kubernetes:core/v1:Service" {
  options {
    range  = length(exposed) > 0
    parent = deployment
  }
  metadata = { name = name, namespace = namespace }
  spec     = { selector = labels, type = "LoadBalancer", ports = [for p in exposed : { name = p.name, port = p.port, targetPort = p.name }] }
}

output "url" { value = "http://${try(service.status.loadBalancer.ingress[0].hostname, name)}" }

output "ports" { value = [for p in ports : p.port] }

output "labels" { value = labels }
