"""Prints what a build costs, as ratios to importing its libraries: `python -m tests.benchmarks.pipeline [--programs 1000]`.

Medians of CPU seconds (user and system) of whole processes, which other work on the machine hardly changes, and of the largest
resident set.  The yardstick is `python -c "import black, lark, jinja2, networkx"` in the same run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
BARE = (sys.executable, "-c", "import black, lark, jinja2, networkx")
PCLGEN = (sys.executable, "-m", "pclgen")
TEXT = 'output answer {{\n  value = "n{}"\n}}\n'


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(args.programs):
            place = folder / "p" / f"{number:05}"
            place.mkdir(parents=True)
            (place / "main.pp").write_text(TEXT.format(number))
        (folder / "pclgen.toml").write_text('sources = ["files"]\n')
        _report(folder, args.programs, args.repeat)
    return 0


def _report(folder: Path, programs: int, repeat: int) -> None:
    one = ("build", "--quiet", "--no-cache", "--jobs", "1", "p/00000", "--out", "out/{path}/{language}")
    rows: Sequence[tuple[str, Sequence[str], int, str]] = (
        ("import of the libraries", BARE, repeat, ""),
        ("--version", (*PCLGEN, "--version"), repeat, "0.3x"),
        ("one program, three languages, no cache", (*PCLGEN, *one), repeat, "2.0x, 0.35 s"),
        (f"{programs} programs, first build", (*PCLGEN, "build", "--quiet", "--jobs", "1"), 1, ""),
        (f"{programs} programs, nothing changed", (*PCLGEN, "build", "--quiet"), repeat, "2.0x"),
        (f"{programs} programs, one changed", (*PCLGEN, "build", "--quiet"), repeat, ""),
    )
    yardstick = 0.0
    print(f"{'':42} {'CPU s':>7} {'ratio':>7} {'MB':>6}  goal")
    for name, command, times, goal in rows:
        taken: list[tuple[float, float]] = []
        for number in range(times):
            if name.endswith("one changed"):
                (folder / "p" / "00000" / "main.pp").write_text(TEXT.format(f"again{number}"))
            taken.append(_measured(command, folder))
        seconds, memory = median(cpu for cpu, _ in taken), median(size for _, size in taken)
        yardstick = yardstick or seconds
        print(f"{name:42} {seconds:7.2f} {seconds / yardstick:6.2f}x {memory:6.0f}  {goal}", flush=True)


def _measured(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """CPU seconds and megabytes of a process and its children."""
    environ: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(ROOT), "PCLGEN_CACHE_DIR": str(folder / ".cache")}
    environ = {name: value for name, value in environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
