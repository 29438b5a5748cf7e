"""The built-in functions of PCL: one row each, in files by topic."""
