# What must not be shown.

config password string {
  secret = true
}

resource thing "probe:Thing" {
  password = password
  label    = secret("hidden")
}

header = "Basic ${toBase64("admin:${password}")}"

output header {
  value = header
}

output parts {
  value = secret({ user = "admin", password = password })
}

output open {
  value = unsecret(password)
}
