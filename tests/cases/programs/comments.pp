# The first lines of the file say what it is for.
# There are two of them.

/* A block comment
   over two lines. */
prefix = "a" # beside a local

// Above a setting,
// twice.
config size int { # beside its head
  # above its default
  default = 1 # beside its default
}

# Set apart: belongs to nothing below.

# Above a resource.
resource thing "probe:Thing" {
  # Above an input.
  label = prefix # beside an input
  /* before a list */
  names = [
    # above an element
    "first", # beside an element
    "second",
    # after the last element
  ]

  obj = {
    s = "x" # beside a member
    // above another member
    n = size
  }

  # Before the options.
  options {
    protect = true // beside an option
  }
  # At the end of the block.
}

# Above an output.
output result {
  value = thing.out # */ """ not to be trusted
}

# The last line.
