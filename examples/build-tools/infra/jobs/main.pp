output rules {
  value = readFile("./rules.json")
}
