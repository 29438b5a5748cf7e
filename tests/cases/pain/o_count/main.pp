config many number {
  default = 2
}

resource some "random:index/randomPet:RandomPet" {
  options { range = many }
}

output ids {
  value = [for p in some : p.id]
}
