# A password for a database account. Raise `generation` to have a new one made.

config generation int {
  default = 1
}

resource account "random:index:RandomPet" {
  prefix = "app"
}

resource password "random:index:RandomPassword" {
  length          = 24
  overrideSpecial = "!#%*-_"

  keepers = {
    generation = generation
  }
}

# psql reads the statement from its standard input, so that the password is in no process list.
resource grant "command:local:Command" {
  create  = "psql --quiet"
  delete  = "psql --quiet --command 'DROP ROLE IF EXISTS \"${account.id}\"'"
  stdin   = "CREATE ROLE \"${account.id}\" LOGIN PASSWORD '${password.result}';"
  logging = "none"

  environment = {
    PGHOST            = "db.example.com"
    PGCONNECT_TIMEOUT = 10
  }

  # A changed password needs a new role: the old one is dropped first.
  triggers = [password.result]
  options {
    deleteBeforeReplace = true
  }
}

output accountName {
  value = account.id
}

output accountPassword {
  value = secret(password.result)
}
