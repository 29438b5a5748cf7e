config copies {}

resource some "random:index/randomPet:RandomPet" {
  options { range = copies }
}
