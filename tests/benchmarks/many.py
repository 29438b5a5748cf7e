"""Measure many small programs: `python -m tests.benchmarks.many [--jobs 1,2] [--tiny] [NUMBER...]`.

For each number (default 5000) and each value of `--jobs`, it generates and builds programs from scratch in all languages.
`--tiny` uses snippets of one statement.  It prints programs per second; wall time and its ratio to the time of one job; CPU
seconds of all processes, of the first process, which distributes the work, and of the busiest worker; the largest memory of
the first process and of the workers (all as the system counts them, sampled during the run).  `bound` is the ratio of wall
times on an otherwise idle machine: the CPU seconds of the first process and of its busiest worker, to those of one job.

Goals: two jobs take at most 0.6x of one; the memory of workers does not grow with the number of programs, and that of the
first process grows only by the data that it needs per program.  `python -m tests.benchmarks.pipeline --snippets` shows both:
it runs this with `--tiny --jobs 2 1000 10000 100000`, and prints how memory grows.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.processes import ROOT, environment

SCHEMAS = ROOT / "examples" / "schemas"
_TICK = os.sysconf("SC_CLK_TCK")
_TEXT = """\
config team string {{
  default = "team{number}"
}}

resource password "random:index/randomPassword:RandomPassword" {{
  length  = {length}
  special = {special}
  keepers = {{
    owner = team
    stage = "stage-${{team}}-{number}"
  }}
}}

resource key "tls:index/privateKey:PrivateKey" {{
  algorithm = "RSA"
  rsaBits   = 4096
}}

output secret{number} {{
  value = "${{team}}: ${{password.result}}"
}}

output names {{
  value = [for name in ["a{number}", team] : "${{name}}-${{key.publicKeyOpenssh}}"]
}}
"""


@dataclass(slots=True)
class Use:
    """The resources that a process has used so far."""

    seconds: float
    megabytes: float


def program(number: int, *, is_tiny: bool = False) -> str:
    """The text of program `number`; no two are the same."""
    if is_tiny:
        return f'output answer {{\n  value = "n{number}"\n}}\n'
    return _TEXT.format(number=number, length=8 + number % 50, special=("true", "false")[number % 2])


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", metavar="NUMBER", nargs="*", type=int, default=[5000])
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args()
    print_heads()
    with folders() as make:
        for number in args.numbers:
            alone: Row | None = None
            for jobs in map(int, args.jobs.split(",")):
                row = measured(make(), number, jobs, is_tiny=args.tiny)
                alone = alone or row
                print_row(row, alone)
    return 0


@contextmanager
def folders() -> Iterator[Callable[[], Path]]:
    """Create folders, and remove all of them at the end.

    After a removal, a file system creates files more slowly for some minutes.
    """
    with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as name:
        yield lambda: Path(tempfile.mkdtemp(dir=name))


_HEADS = ("programs", "jobs", "wall s", "a second", "ratio", "bound", "CPU s", "first s", "most s", "first MB", "most MB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A build of `number` programs: its wall seconds, and the usage of the first process and of the workers."""

    number: int
    jobs: int
    wall: float
    first: Use
    others: Sequence[Use]

    @property
    def busiest(self) -> float:
        """The CPU seconds of the first process plus those of the busiest worker."""
        return self.first.seconds + max((worker.seconds for worker in self.others), default=0.0)

    @property
    def largest(self) -> float:
        """The megabytes of the largest worker."""
        return max((worker.megabytes for worker in self.others), default=0.0)


def print_heads() -> None:
    """Print the first line of the table."""
    print("".join(f"{head:>9}" for head in _HEADS), flush=True)


def print_row(row: Row, alone: Row) -> None:
    """Print a line; `alone` is the build that the ratios refer to."""
    cpu = row.first.seconds + sum(worker.seconds for worker in row.others)
    print(
        f"{row.number:9}{row.jobs:9}{row.wall:9.1f}{row.number / row.wall:9.1f}{row.wall / alone.wall:8.2f}x"
        f"{row.busiest / alone.busiest:8.2f}x{cpu:9.1f}{row.first.seconds:9.1f}{row.busiest - row.first.seconds:9.1f}"
        f"{row.first.megabytes:9.0f}{row.largest:9.0f}",
        flush=True,
    )


def measured(folder: Path, number: int, jobs: int, *, is_tiny: bool) -> Row:
    """Build `number` programs in an empty folder."""
    for at in range(number):
        place = folder / f"p{at // 1000:03}" / f"{at:06}"
        place.mkdir(parents=True)
        (place / "main.pp").write_text(program(at, is_tiny=is_tiny))
    command = [sys.executable, "-m", "pclgen", "build", "--quiet", "--jobs", str(jobs)]
    (folder / "pclgen.toml").write_text('sources = ["files"]\n')
    shutil.copytree(SCHEMAS, folder / "schemas")
    variables = environment(PCLGEN_CACHE_DIR=str(folder / ".cache"), PCLGEN_SOURCES="files")
    start = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=variables) as process:
        first, others = watched(process)
    assert process.returncode == 0, command
    return Row(number=number, jobs=jobs, wall=time.monotonic() - start, first=first, others=others)


def watched(process: subprocess.Popen[bytes]) -> tuple[Use, Sequence[Use]]:
    """The resources that a process and its descendants used until its end."""
    uses: dict[int, Use] = {}
    while process.poll() is None:
        for pid in _family(process.pid):
            use = _use(pid)
            if use is not None:
                uses[pid] = use
        time.sleep(0.1)
    return uses.pop(process.pid), list(uses.values())


def _family(pid: int) -> Iterator[int]:
    """A process and all of its descendants."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _use(pid: int) -> Use | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        peak = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return None
    return Use((int(fields[11]) + int(fields[12])) / _TICK, int(peak.split()[1]) / 1024)


if __name__ == "__main__":
    sys.exit(main())
