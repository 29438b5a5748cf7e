"""Building all programs of a project."""
