resource local "command:local:Command" {
  create = "hostname"
}

resource remote "command:remote:Command" {
  create     = local.stdout
  connection = { host = "example.org" }
}

resource command "random:index/randomPet:RandomPet" {
  prefix = remote.stdout
}
