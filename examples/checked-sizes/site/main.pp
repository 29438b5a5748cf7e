# A web site of several machines, of a size and number that configuration says.

config size "../types/Size" {
  description = "How large the web servers are."
  default     = "medium"
}

config webPort "../types/Port" {
  default = 443
}

config trusted "list(string(pattern='^[0-9.]+/[0-9]+$'), minItems=1, uniqueItems=true)" {
  description = "Networks that may log in."
  default     = ["10.0.0.0/8"]
}

local everywhere "list(string)" {
  value = ["0.0.0.0/0", "::/0"]
}

component web "../machine" {
  label    = "web"
  size     = size
  replicas = 2
  rules = [
    { port = webPort, protocol = "tcp", sources = everywhere },
    { port = 22, protocol = "tcp", sources = trusted },
  ]
}

component cache "../machine" {
  label = "cache"
  size  = size == "large" ? "medium" : "small"
  rules = [{ port = 6379, protocol = "tcp", sources = ["10.0.0.0/8"] }]
}

output addresses {
  value = web.addresses
}
