"""Source text: files, spans and positions.  Imports no other package of pclgen."""
