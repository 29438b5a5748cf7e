# Literals of all kinds, in locals and in an output.

answer   = 42
negative = -7
small    = 0.001
huge     = 9007199254740991
yes      = true
nothing  = null
empty    = ""
escaped  = "tab\t quote\" backslash\\ dollar$${ percent%%{ line\n end"
unicode  = "grüße \u2603 \U0001F600"
mixed    = [1, "two", true, null]
nested   = { name = "x", "odd key" = { deep = [1, [2, [3]]] }, 7 = "seven" }

sum       = answer + 1
share     = answer / 4
remainder = answer % 5
product   = -(answer * 2) - negative
either    = yes && !(answer > 3 || small <= 0.5)
same      = nothing == null && "a" != empty

output values {
  value = [answer, negative, small, huge, yes, nothing, empty, escaped, unicode, mixed, nested]
}

output results {
  value = [sum, share, remainder, product, either, same]
}
