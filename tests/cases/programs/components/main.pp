# A component used plainly, for each member of a map, and so many times.

config teams "map(object({size = int}))" {
  default = { web = { size = 2 } }
}

resource seed "probe:Thing" {
}

component single "./worker" {
  label = "single"
  seed  = seed.out

  options {
    parent    = seed
    dependsOn = [seed]
  }
}

component team "./worker" {
  label = range.key
  size  = range.value.size
  seed  = seed.out

  options {
    range = teams
  }
}

component spare "./worker" {
  label = "spare-${range.value}"
  seed  = "none"

  options {
    range = 2
  }
}

output names {
  value = [single.name, team["web"].name, spare[0].name]
}

output all {
  value = spare[*].name
}
