"""Measure many snippets: `python -m tests.benchmarks.docs [--jobs 1,2] [NUMBER...]`.

For each number (default 1000 and 10000), in files of 100 snippets, and each value of `--jobs`, it runs `docs build` from
scratch, then `docs check` with nothing changed.  It prints wall seconds, CPU seconds of all processes, and the largest
memory of the first process and of the others.

Goals: `check` takes at most 2 s for 1000 unchanged snippets; a build uses all cores; no process needs more memory for more
snippets.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.many import SCHEMAS, program, watched
from tests.benchmarks.processes import environment

PER_FILE = 100


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", metavar="NUMBER", nargs="*", type=int, default=[1000, 10000])
    parser.add_argument("--jobs", default="1,2")
    args = parser.parse_args()
    print("".join(f"{head:>10}" for head in ("snippets", "jobs", "command", "wall s", "CPU s", "first MB", "other MB")))
    for number in args.numbers:
        for jobs in args.jobs.split(","):
            with tempfile.TemporaryDirectory() as name:
                write(Path(name), number)
                for command in ("build", "check"):
                    print(f"{number:10}{jobs:>10}{command:>10}" + measured(Path(name), command, jobs), flush=True)
    return 0


def write(folder: Path, number: int) -> None:
    """Write Markdown files with `number` different snippets."""
    shutil.copytree(SCHEMAS, folder / "schemas")
    (folder / "pclgen.toml").write_text('sources = ["files"]\n')
    for first in range(0, number, PER_FILE):
        snippets = [f"```pcl\n{program(at)}```\n" for at in range(first, min(number, first + PER_FILE))]
        (folder / f"guide{first // PER_FILE:05}.md").write_text("# Guide\n\n" + "\nWords.\n\n".join(snippets))


def measured(folder: Path, command: str, jobs: str) -> str:
    """The cost of one command, as cells of the table."""
    argv = [sys.executable, "-m", "pclgen", "docs", command, ".", "--quiet", "--jobs", jobs]
    variables = environment(PCLGEN_CACHE_DIR=str(folder / ".cache"), PCLGEN_SOURCES="files")
    start = time.monotonic()
    with subprocess.Popen(argv, cwd=folder, env=variables) as process:
        first, others = watched(process)
    assert process.returncode == 0, argv
    wall = time.monotonic() - start
    used = first.seconds + sum(child.seconds for child in others)
    return f"{wall:10.1f}{used:10.1f}{first.megabytes:10.0f}{max((child.megabytes for child in others), default=0.0):10.0f}"


if __name__ == "__main__":
    sys.exit(main())
