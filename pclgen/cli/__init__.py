"""The command line: arguments, exit codes, printing. The module of a command is imported only when it runs."""
