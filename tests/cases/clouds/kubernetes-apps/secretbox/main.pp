config "name" string {}

config "namespace" string {}

config "values" "map(string)" { secret = true }

resource "secret" "kubernetes:core/v1:Secret" {
  metadata   = { name = name, namespace = namespace }
  stringData = values
}

resource "each" "random:index/randomPassword:RandomPassword" {
  options { range = ["a", "b"] }
  length  = 16
  keepers = { key = range.value }
}

output "name" { value = secret.metadata.name }

output "passwords" { value = { for i, e in each : i => e.result } }
