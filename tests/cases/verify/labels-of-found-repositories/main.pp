// A label for each repository that a search finds, which starts from the name of a new one.
resource docs "github:index:Repository" {
  name = "docs"
}

found = invoke("github:index/getRepositories:getRepositories", {
  query = docs.name
})

resource urgent "github:index:IssueLabel" {
  options {
    range = length(found.fullNames)
  }
  repository = found.names[range.value]
  name       = "urgent"
  color      = "ff0000"
}
