"""Diagnostics: what is said about a program, kept apart from how it is shown."""
