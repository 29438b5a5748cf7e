# How large a machine is; the larger, the dearer.
type Size "'small' | 'medium' | 'large'" {
}

type Port "int(minimum=1, maximum=65535)" {
  description = "A port that machines listen on."
}

type Rule "object({ port = Port, protocol = 'tcp' | 'udp', sources = list(string, minItems=1) })" {
  description = "What may reach a machine."
}
