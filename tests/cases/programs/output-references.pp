# What an output is may be used by its name.
output port {
  description = "The port of the service."
  value       = 80
}

resource "thing" "probe:index:Thing" {
  out = "port ${port} of ${place}"
}

output place string {
  value = "here"
}

output made {
  value = thing.out
}

output whole {
  value = [made, "${made}:${port}"]
}
