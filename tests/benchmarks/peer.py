"""Compare pclgen with the reference's own generators: `python -m tests.benchmarks.peer [--rounds 5] [SHAPE...]`.

The peer is `tests/support/peer`: a Go program that calls the reference's binder and its three generators, with schemas from
the same files.  Both generate Python, TypeScript and Go from the same programs, each in one process, in turns.
`pclgen build` builds 500 programs with a job per core, against one process of the peer (`programs`) and a process per
program (`loop`).  The shape `aws` has 1,000 launch templates, with the complete schema of aws if available: the first run of
pclgen caches it.  A row has the medians of CPU seconds, wall seconds and peak megabytes of both, and the ratios; below 1,
pclgen is ahead.  pclgen runs with the interpreter of the benchmark: one that was compiled without `--enable-optimizations`, as
pyenv does by default, needs a third more than Debian's.  Generated files go to a temporary folder.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.benchmarks import synthetic
from tests.benchmarks.processes import median, run
from tests.support.corpus import CORPUS
from tests.support.toolchains import peer

_SUBREAPER: Final = 36
"""`PR_SET_CHILD_SUBREAPER` of Linux: orphans become children of this process."""
LANGUAGES: Final = "python,typescript,go"
_LOOP: Final = 'schemas=$1 languages=$2 out=$3; shift 3; for program; do "$0" "$schemas" "$languages" "$out" "$program" || exit 1; done'
"""Starts the peer (`$0`) once for each program."""


def many(count: int) -> Callable[[Path], list[Path]]:
    """Write `count` programs of five resources."""
    return lambda folder: [
        synthetic.write_program(folder, f"p{number:04}", f"// program {number}\n" + synthetic.resources(5))
        for number in range(count)
    ]


def single_program(source: str) -> Callable[[Path], list[Path]]:
    """Write one program with the text `source`."""
    return lambda folder: [synthetic.write_program(folder, "program", source)]


SHAPES: Final[dict[str, Callable[[Path], list[Path]]]] = {
    "5": single_program(synthetic.resources(5)),
    "1000": single_program(synthetic.resources(1_000)),
    "10000": single_program(synthetic.resources(10_000)),
    "wide": single_program(synthetic.wide(1_000)),
    "aws": single_program(synthetic.templates_of_aws(1_000)),
    "locals": single_program(synthetic.locals_and_conditionals(1_000)),
    "components": lambda folder: [synthetic.write_components(folder, "program", 200)],
    "programs": many(500),
    "loop": many(500),
}


def main() -> int:
    """Measure the shapes and print the table."""
    if sys.platform == "linux":  # this process waits for workers that outlive their build
        ctypes.CDLL(None).prctl(_SUBREAPER, 1)
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.peer", description=__doc__)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side")
    args = parser.parse_args()
    print(f"{platform.python_implementation()} {sys.version}: {os.path.realpath(sys.executable)}")
    print(f"{'shape':12}{'peer: CPU s':>14}{'wall s':>9}{'MB':>7}{'pclgen: CPU s':>16}{'wall s':>9}{'MB':>7}   {'ratios'}")
    for name in args.shapes or SHAPES:
        with tempfile.TemporaryDirectory(prefix="pclgen-peer-") as folder:
            (Path(folder) / "pclgen.toml").touch()
            print(_row(name, Path(folder), args.rounds), flush=True)
    return 0


def _row(name: str, folder: Path, rounds: int) -> str:
    schemas = synthetic.write_schema(folder)
    if name == "aws":
        [schema] = (CORPUS / "schemas" / "recovered").glob("aws-*.json")
        (schemas / schema.name).symlink_to(schema)
    programs = SHAPES[name](folder / "programs")
    command: list[str | Path] = [peer(), schemas, LANGUAGES, folder / "peer"]
    theirs = ["sh", "-c", _LOOP, *command, *programs] if name == "loop" else [*command, *programs]
    runs = [(run(theirs, folder), run(_ours(programs, schemas, folder / "ours"), folder)) for _ in range(rounds)]
    left, right = (median([pair[side] for pair in runs]) for side in (0, 1))
    ratios = f"{right.cpu / left.cpu:.2f} CPU, {right.wall / left.wall:.2f} wall, {right.memory / left.memory:.2f} memory"
    return (
        f"{name:12}{left.cpu:14.2f}{left.wall:9.2f}{left.memory:7.0f}"
        f"{right.cpu:16.2f}{right.wall:9.2f}{right.memory:7.0f}   {ratios}"
    )


def _ours(programs: Sequence[Path], schemas: Path, out: Path) -> list[str | Path]:
    command: list[str | Path] = [sys.executable, "-m", "pclgen"]
    options: list[str | Path] = ["--language", LANGUAGES, "--schemas", schemas, "--out", f"{out}/{{program}}/{{language}}"]
    if len(programs) == 1:
        return [*command, "generate", *programs, *options, "--force"]
    shutil.rmtree(out, ignore_errors=True)  # start without outputs and without a cache
    return [*command, "build", programs[0].parent, *options, "--no-cache"]


if __name__ == "__main__":
    sys.exit(main())
