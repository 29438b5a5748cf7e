"""A function call in a process of its own, in a directory of the caller's choice.

Comes in: a function and its arguments, as pickles.  Goes out: what it answers.  A worker of somebody's cluster runs many
tasks as threads of one process, whose working directory and environment belong to all of them; a compiler wants its own.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Final, TypeVar

R = TypeVar("R")

_COMMAND: Final = ("-P", "-m", "pclgen.build.apart")


class ApartError(Exception):
    """The process could not be started, or ended without an answer."""


def call(directory: str, function: Callable[..., R], /, *arguments: object) -> R:
    """What `function` answers when it is called in `directory`.  Raises `ApartError`."""
    given = pickle.dumps((function, arguments))
    if not os.path.isdir(directory):
        raise ApartError(f"the worker has no directory `{directory}`: it needs the same files in the same place")
    try:
        done = subprocess.run((sys.executable, *_COMMAND), input=given, cwd=directory, capture_output=True, check=False)
    except OSError as error:
        raise ApartError(f"cannot start Python in `{directory}`: {error.strerror or error}") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ApartError(said[-1] if said else f"the process ended with {done.returncode}")
    answer: R = pickle.loads(done.stdout)
    return answer


def main() -> None:
    """Be the process: the call comes in on standard input, and the answer goes out on standard output, alone."""
    out = os.dup(1)
    os.dup2(2, 1)  # whatever prints must not come between
    function, arguments = pickle.load(sys.stdin.buffer)
    answer = pickle.dumps(function(*arguments))
    with open(out, "wb") as file:
        file.write(answer)


if __name__ == "__main__":
    main()
