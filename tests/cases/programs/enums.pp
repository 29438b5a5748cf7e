# Values from a fixed list, given as text and as something computed.

config mode string {
  default = "slow"
}

config quick bool {
  default = true
}

resource literal "probe:Thing" {
  en      = "fast"
  relaxed = "slow"
}

resource open "probe:Thing" {
  relaxed = "something else"
}

resource computed "probe:Thing" {
  en      = mode
  relaxed = mode
}

resource chosen "probe:Thing" {
  en = quick ? "fast" : "slow"
}

resource passed "probe:Thing" {
  en = literal.en
}

output same {
  value = literal.en == "fast"
}
