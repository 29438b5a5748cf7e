"""The command line: arguments, exit codes, printing. Each command has a module, imported only when it runs."""
