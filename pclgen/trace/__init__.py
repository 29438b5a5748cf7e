"""The record of a run, in one form for the evaluator and the recording monitor; its comparison and rendering."""
