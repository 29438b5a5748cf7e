"""Packs: a bound program in one file, with all that it was bound against, for places without sources and schemas."""
