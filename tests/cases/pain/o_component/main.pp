component part "./part" {
  env = "prd"
}

component other "./part" {
  env = part.summary.label
}

output kind {
  value = part.summary.kind
}
