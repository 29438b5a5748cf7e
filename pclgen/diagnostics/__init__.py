"""Diagnostics: the data of messages about a program, separate from their rendering."""
