resource pet "random:index/randomPet:RandomPet" {}

resource copy "random:index/randomPet:RandomPet" {
  prefix  = pet.prefix
  keepers = pet.keepers
  length  = pet.length
}

ran = invoke("command:local:run", { command = pet.separator, dir = pet.prefix })

output text {
  value = "${ran.stdout}-${pet.prefix}"
}

output fallback {
  value = pet.prefix == null ? "none" : pet.prefix
}
