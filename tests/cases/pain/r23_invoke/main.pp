resource pet "random:index/randomPet:RandomPet" {}
up = invoke("command:local:run", { command = pet.id })
low = invoke("command:local:run", { command = "echo ABC" })
output u { value = up.stdout }
output l { value = low.stdout }
resource many "random:index/randomPet:RandomPet" {
  options { range = length(low.stdout) }
}
