# A name that tells whose it is, and where.

config team string {
}

config part string {
}

output text string {
  value = "${team}-${part}-${stack()}"
}
