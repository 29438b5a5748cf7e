# A program in two files; each refers to the other.

output address {
  value = "http://${server.out}:${port}"
}
