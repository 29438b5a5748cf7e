"""Core: the typed program.  Made by `bind`, ordered by `graph`, rewritten by `lower`, read by the targets."""
