component hello "../../parts/greeting" {
  name = "web"
}

output text {
  value = hello.text
}
