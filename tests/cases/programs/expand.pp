# A list as the last arguments of a function.

config size int {
  default = 2
}

output largest {
  value = max([3, size, 1]...)
}

output withOthers {
  value = max(0, [size, 5]...)
}
