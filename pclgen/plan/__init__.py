"""The plan of a lowered program: its statements in order, the same for every language, which targets only spell."""
