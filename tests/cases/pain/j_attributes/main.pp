resource first "command:local:Command" {
  create      = toJSON({ a = 1 })
  delete      = toJSON({ b = 2 })
  environment = { DATA = toJSON(["x"]) }
}

resource second "command:local:Command" {
  create = toJSON({ first = first.stdout, list = [first.stderr] })
  delete = toJSON({ c = 3 })
}
