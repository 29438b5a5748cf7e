"""pclgen as a language host of the Pulumi CLI: code is generated here, all else is the stock host's."""
