// A namespace for each team, with limits, rights and a fence around it.

config teams "map(object({cpu = string, memory = string, admins = list(string)}))" {
  description = "The teams by name: what they may use, and who administers it."
  default = {
    orders = { cpu = "4", memory = "8Gi", admins = ["ada@example.com"] }
    search = { cpu = "8", memory = "32Gi", admins = ["grace@example.com", "edsger@example.com"] }
  }
}

config kubeconfig string {
  description = "How to reach the cluster."
  secret      = true
}

resource cluster "pulumi:providers:kubernetes" {
  kubeconfig            = kubeconfig
  enableServerSideApply = true
}

component team "./team" {
  name   = range.key
  cpu    = range.value.cpu
  memory = range.value.memory
  admins = range.value.admins

  options {
    range     = teams
    providers = [cluster]
  }
}

output namespaces {
  value = { for name, made in team : name => made.namespace }
}
