# An account of a database; raise `generation` to have another password.

config team string {
}

config generation int {
  default = 1
}

component label "naming/label" {
  team = team
  part = "db"
}

resource password "random:index:RandomPassword" {
  length  = 24
  special = false

  keepers = {
    generation = generation
  }
}

output name string {
  value = label.text
}

output secret string {
  value = password.result
}
