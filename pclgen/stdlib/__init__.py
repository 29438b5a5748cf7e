"""The built-in functions of PCL: one specification each, in files by topic."""
