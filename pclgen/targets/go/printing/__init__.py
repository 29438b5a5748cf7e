"""Layout of Go: documents for the printer of `pclgen.layout`, whose text gofmt leaves as it is."""
