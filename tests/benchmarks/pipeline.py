"""Measure pclgen, relative to importing its libraries: `python -m tests.benchmarks.pipeline [--quick]`.

It prints medians of complete processes: CPU seconds (user and system), which other work on the machine hardly changes, wall
seconds, and the largest resident set.  The yardstick is `python -c "import black, lark, jinja2, networkx"` in the same run.
`--quick` skips the slow measurements.

    python -m tests.benchmarks.pipeline --snippets                   1,000, 10,000 and 100,000 snippets, by two processes
    python -m tests.benchmarks.pipeline --snippets 1000,10000        fewer

measures instead many snippets, generated in three languages from scratch: wall seconds; CPU seconds of all processes, of the
first process (which distributes the work) and of the busiest worker; and the peak memory of the first process and of the
largest worker; then the growth of these per snippet.  The goal: the memory of workers stays constant, and the first process
grows only by the data that it receives per program.  100,000 snippets take a quarter of an hour on a quiet machine with two
cores, and 10 GB and 3 million files in the folder for temporary files (TMPDIR); run nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import process_time, sleep

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.benchmarks import many, processes, synthetic
from tests.support.conformance import programs
from tests.support.corpus import CORPUS, ROOT, program_directories

BARE = (sys.executable, "-c", "import black, lark, jinja2, networkx")
PCLGEN = (sys.executable, "-m", "pclgen")
LANGUAGES = ("python", "typescript", "go")
TEXT = 'output answer {{\n  value = "n{}"\n}}\n'
SNIPPETS = (1_000, 10_000, 100_000)
JOBS = 2
SETTLED = 3
"""Seconds after which a build trusts the times of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line: a command, its folder, the number of its runs, the project's goal, and the preparation of each run."""

    name: str
    command: Sequence[str]
    times: int
    goal: str = ""
    place: str = "."
    before: Callable[[int], object] = lambda number: None


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pipeline", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many programs a build is made of")
    parser.add_argument("--repeat", type=int, default=5, help="how often short commands are run")
    parser.add_argument("--quick", action="store_true", help="leave out 10,000 resources")
    parser.add_argument("--corpus", action="store_true", help=argparse.SUPPRESS)
    numbers = ",".join(map(str, SNIPPETS))
    parser.add_argument("--snippets", metavar="NUMBERS", nargs="?", const=numbers, help=f"only builds of snippets ({numbers})")
    args = parser.parse_args()
    if args.snippets is not None:
        _report_snippets([int(number) for number in args.snippets.split(",")])
        return 0
    if args.corpus:
        print(json.dumps(_all_programs()))
        return 0
    with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as name:
        folder = Path(name)
        _write(folder, args.programs, (1_000,) if args.quick else (1_000, 10_000))
        _report(_rows(folder, args), folder)
        _report_corpus(folder)
    return 0


def _write(folder: Path, count: int, sizes: Iterable[int]) -> None:
    for number in range(count):
        place = folder / "p" / f"{number:05}"
        place.mkdir(parents=True)
        (place / "main.pp").write_text(TEXT.format(number))
    (folder / "pclgen.toml").write_text('sources = ["files"]\nprograms = ["p"]\n')
    # A program outside of the thousand, since searching for those takes time, too.
    (folder / "one" / "app").mkdir(parents=True)
    (folder / "one" / "app" / "main.pp").write_text(TEXT.format("one"))
    (folder / "one" / "pclgen.toml").write_text('sources = ["files"]\n')
    for size in sizes:
        synthetic.write_program(folder / "pets", str(size), synthetic.pets(size))


def _rows(folder: Path, args: argparse.Namespace) -> Iterable[Row]:
    once = (*PCLGEN, "build", "--quiet", "--jobs", "1")
    every = f"{args.programs:,} programs"

    def change(number: int) -> None:
        (folder / "p" / "00000" / "main.pp").write_text(TEXT.format(f"again{number}"))

    yield Row(name="import of the libraries", command=BARE, times=args.repeat)
    yield Row(name="--version", command=(*PCLGEN, "--version"), times=args.repeat, goal="0.3x")
    cold, small = (*once, "--no-cache"), "one program, three languages"
    yield Row(name=f"{small}, cold", command=cold, times=args.repeat, goal="2.0x, 0.35 s", place="one")
    yield Row(name=f"{small}, warm", command=once, times=args.repeat, place="one")
    yield Row(name=f"{every}, first build", command=(*PCLGEN, "build", "--quiet", "--jobs", "1"), times=1)
    # The first build afterwards compares the existing files and records their state.
    again = (*PCLGEN, "build", "--quiet")
    yield Row(name=f"{every}, compared", command=again, times=1, before=lambda number: sleep(SETTLED))
    yield Row(name=f"{every}, nothing changed", command=again, times=args.repeat, goal="2.0x")
    yield Row(name=f"{every}, one changed", command=again, times=args.repeat, before=change)
    for size, goal in ((1_000, "1.6 s, 100 MB"), (10_000, "10.5x of 1,000; 450 MB")):
        if (folder / "pets" / str(size)).is_dir():
            pets = (*PCLGEN, "generate", f"pets/{size}", "--schemas", str(ROOT / "examples" / "schemas"), "--isolated", "--quiet")
            command = (*pets, "--out", "pets-out/{program}/{language}")
            yield Row(name=f"{size:,} resources, three languages", command=command, times=3 if size == 1_000 else 1, goal=goal)


def _report(rows: Iterable[Row], folder: Path) -> None:
    yardstick: processes.Cost | None = None
    print(f"{'':40} {'CPU s':>7} {'ratio':>7} {'wall s':>7} {'ratio':>7} {'MB':>5}  goal")
    for row in rows:
        taken: list[processes.Cost] = []
        for number in range(row.times):
            row.before(number)
            taken.append(processes.run(row.command, folder / row.place, _environment(folder)))
        cost = processes.median(taken)
        yardstick = yardstick or cost
        ratios = cost.cpu / yardstick.cpu, cost.wall / yardstick.wall
        print(
            f"{row.name:40} {cost.cpu:7.2f} {ratios[0]:6.2f}x {cost.wall:7.2f} {ratios[1]:6.2f}x {cost.memory:5.0f}  {row.goal}",
            flush=True,
        )


def _report_corpus(folder: Path) -> None:
    command = (sys.executable, "-m", "tests.benchmarks.pipeline", "--corpus")
    done = subprocess.run(command, cwd=folder, env=_environment(folder), stdout=subprocess.PIPE, check=True)
    count, seconds = json.loads(done.stdout)
    where = "of the corpora and examples" if CORPUS.is_dir() else "among the examples (there are no corpora)"
    print(f"{count} programs {where}, three languages: {count / seconds:.1f} programs a second and core")


def _all_programs() -> tuple[int, float]:
    """The number of programs of the corpora and the examples, and the CPU seconds to compile them in one process."""
    real = (ROOT / "examples" / "schemas",)
    entries = [(program.folder, program.schemas, program.lenient) for _, program in programs()] if CORPUS.is_dir() else []
    entries += [(place, (CORPUS / "schemas" / "real", *real), False) for place in program_directories("field")]
    entries += [(path.parent, real, False) for path in sorted((ROOT / "examples").glob("*/main.pp"))]
    stores = {schemas: SchemaStore([place for place in schemas if place.exists()]) for _, schemas, _ in entries}
    start = process_time()
    for place, schemas, lenient in entries:
        pipeline.generate(load_program(str(place)), languages=LANGUAGES, store=stores[schemas], lenient=lenient)
    return len(entries), process_time() - start


def _report_snippets(numbers: Sequence[int]) -> None:
    """Build each number of snippets, and print how memory grows from one number to the next."""
    many.print_heads()
    rows: list[many.Row] = []
    with many.folders() as make:
        for number in numbers:
            rows.append(many.measured(make(), number, JOBS, is_tiny=True))
            many.print_row(rows[-1], rows[0])
    for smaller, larger in pairwise(rows):
        more = larger.number - smaller.number
        first = (larger.first.megabytes - smaller.first.megabytes) / more * 1e3
        worker = (larger.largest - smaller.largest) / more * 1e3
        print(
            f"{smaller.number:,} to {larger.number:,}: "
            f"each adds {first:.2f} KB to the first process, {worker:.2f} KB to a worker"
        )


def _environment(folder: Path) -> Mapping[str, str]:
    return processes.environment(PCLGEN_CACHE_DIR=str(folder / ".cache"))


if __name__ == "__main__":
    sys.exit(main())
