"""Packs: a bound program in one file with everything that it was bound against, for places without sources and schemas."""
