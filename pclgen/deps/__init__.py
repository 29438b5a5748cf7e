"""Packages of components: what a project depends on, in which versions, and where the sources of those are."""
