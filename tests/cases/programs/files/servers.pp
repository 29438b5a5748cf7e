port = 8080

resource server "probe:Thing" {
  label = "port ${port}"
}
