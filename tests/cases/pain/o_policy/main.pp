resource pet "random:index/randomPet:RandomPet" {}
resource pw "random:index/randomPassword:RandomPassword" { length = 8 }

policy = toJSON({
  Version = "2012-10-17"
  Statement = [
    {
      Effect   = "Allow"
      Action   = ["s3:*", "list:${pet.id}"]
      Resource = "${pet.id}/*"
      Count    = pet.length
      On       = pw.special
    }
  ]
})

resource apply "command:local:Command" {
  create = policy
}

output policy {
  value = policy
}
