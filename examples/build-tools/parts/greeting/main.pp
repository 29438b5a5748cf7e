config name string {}

output text {
  value = "Hello, ${name}"
}
