# A password that the platform team hands out.

config length int {
  default = 24
}

resource password "random:index:RandomPassword" {
  length  = length
  special = false
}

component label "../label" {
  words = 2
}

output login {
  value = label.text
}
