config team string {
  default = "Data Platform"
}

# Names of services come from configuration.
config services "list(string)" {
  default = ["Public API", "Worker"]
}

resource names "random:index/randomPet:RandomPet" {
  prefix  = acme::slug(team)
  keepers = acme::tags(team, "dev")
}

resource words "command:local:Command" {
  create = "echo ${join(" ", acme::slugs(services))}"
}

# What is known only when a resource is there goes through them, too.
output label {
  value = "${acme::slug(names.id)} of ${join(", ", acme::slugs(split(" ", words.stdout)))}"
}

output share {
  value = acme::share(100, length(services))
}
