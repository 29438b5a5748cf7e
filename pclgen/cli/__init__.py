"""The command line: arguments, exit codes, printing.  One file per command; only the asked-for one is imported."""
