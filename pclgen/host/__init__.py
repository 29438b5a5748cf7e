"""pclgen as a language host of the Pulumi CLI: it generates code, and forwards other requests to the stock host."""
