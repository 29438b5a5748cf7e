"""What a run did, in one form for the evaluator and for the recording monitor; its comparison and its drawing."""
