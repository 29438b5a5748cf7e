config env string {}

resource pet "random:index/randomPet:RandomPet" {
  prefix = "${env}-x"
}

output summary {
  value = {
    kind  = env == "prd" ? "large" : "small"
    label = pet.id
  }
}
