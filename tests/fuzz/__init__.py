"""Fuzzing: mutations of all programs of the repository, of their schemas and of their side files.

    python -m tests.fuzz --minutes 60 --seed 7      as many inputs as an hour allows
    python -m tests.fuzz --count 2000 --seed 1      exactly these inputs (CI runs this)
    python -m tests.fuzz --seed 1 --only 517        one input again, with its texts

Input number `n` of seed `s` is a function of `n`, `s` and the available programs.  See `seeds` (the originals), `mutate`
(the mutations), `cases` (the mutated inputs), `judge` (the checks), `supervise` (processes), `printed` (TypeScript and Go).

`python -m tests.fuzz.editing` sends random requests to the language server between random edits.
"""
