config words int {
  default = 3
}

resource pet "random:index:RandomPet" {
  length = words
}

output text {
  value = pet.id
}
