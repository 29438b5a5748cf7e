"""The pure values of programs compared with those of HashiCorp's HCL."""
