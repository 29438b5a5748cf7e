# The shop has one account of its own and one for reports.

config generation int {
  default = 1
}

component orders "accounts/database" {
  team       = "shop"
  generation = generation
}

component reports "accounts/database" {
  team = "reports"
}

output accounts {
  value = [orders.name, reports.name]
}

output password {
  value = orders.secret
}
