"""Scripts of the repository, which the package does not contain."""
