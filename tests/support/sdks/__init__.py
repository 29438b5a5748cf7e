"""SDKs that the reference's own generators write from Pulumi schemas, for packages and versions that no registry has."""
