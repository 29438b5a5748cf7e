# The versions of Pulumi that the program works with.

pulumi {
  requiredVersionRange = ">=3.100.0"
}

output version {
  value = "3.100.0 or newer"
}
