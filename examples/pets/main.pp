config owner string {
  description = "Who the pets belong to."
}

# One name for each pet.
resource name "random:index:RandomPet" {
  prefix = owner
  options {
    range = 2
  }
}

output names {
  value = name[*].id
}
