# Every type a setting can have, with and without a default.

config text string {
}

config count int {
  default = 3
}

config ratio number {
  default = 0.5
}

config verbose bool {
  default = false
}

config anything any {
  default = { mode = "auto" }
}

config names "list(string)" {
}

config ports "set(int)" {
  default = [80, 443]
}

config labels "map(string)" {
  default = { team = "web" }
}

config pair "tuple([string, int])" {
  default = ["a", 1]
}

config server "object({host = string, port = int, tags = list(string)})" {
  description = "Where to connect to"
  default     = { host = "localhost", port = 8080, tags = [] }
}

config maybe "optional(string)" {
}

config nothing string {
  default = null
}

config token string {
  secret = true
}

config keys "map(string)" {
  secret  = true
  default = { main = "hush" }
}

config fromEnvironment string {
  __logicalName = "from-environment"
  default       = stack()
}

output all {
  value = [text, count, ratio, verbose, anything, names, ports, labels, pair, server, maybe, nothing, fromEnvironment]
}

output host {
  value = "${server.host}:${server.port}"
}

output secrets {
  value = [token, keys]
}
