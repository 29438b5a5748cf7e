"""Fuzzing: mutations of all programs that we have, of their schemas and of the files beside them.

    python -m tests.fuzz --minutes 60 --seed 7      as many as an hour takes
    python -m tests.fuzz --count 2000 --seed 1      exactly these (this is what CI runs)
    python -m tests.fuzz --seed 1 --only 517        one input again, with its texts

Input number `n` of seed `s` is a function of `n` and `s` (and of the programs that are there).  See `seeds` (what is mutated),
`mutate` (how), `cases` (into what), `judge` (what must hold), `supervise` (processes), `printed` (TypeScript and Go).

`python -m tests.fuzz.editing` has the language server answer random requests between random edits.
"""
