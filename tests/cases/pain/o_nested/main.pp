config hosts "list(object({ hostName = string, portNumber = int }))" {}

resource host "command:remote:Command" {
  create = "uptime"
  connection = {
    host               = hosts[0].hostName
    port               = hosts[0].portNumber
    privateKeyPassword = "secret"
    proxy = {
      host           = "bastion"
      dialErrorLimit = 3
    }
  }
  environment = { MY_KEY = "1", camelCase = "2", "with-dash" = hosts[0].hostName }
}

output camel {
  value = host.environment["camelCase"]
}

output keys {
  value = { MY_KEY = 1, nestedMap = { innerKey = host.stdout } }
}
