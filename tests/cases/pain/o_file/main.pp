resource script "command:local:Command" {
  create = readFile("main.pp")
  stdin  = "${readFile("main.pp")}-${filebase64("main.pp")}"
}

output digest {
  value = sha1(readFile("main.pp"))
}
