"""Layout of Go: documents for the printer of `pclgen.layout`, whose output is gofmt-clean."""
