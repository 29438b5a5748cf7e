config quiet bool {
  default = false
}

resource literal "command:local:Command" {
  create  = "true"
  logging = "stdoutAndStderr"
}

resource chosen "command:local:Command" {
  create  = "true"
  logging = quiet ? "none" : "stderr"
}

resource passed "command:local:Command" {
  create  = "true"
  logging = literal.logging
}
