"""Source text: files, spans and positions.  Imports nothing of ours."""
