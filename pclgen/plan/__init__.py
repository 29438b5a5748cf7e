"""The plan of a lowered program: its statements in order, the same for every language; targets only print them."""
