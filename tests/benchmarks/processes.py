"""Processes that benchmarks start and measure."""

from __future__ import annotations

import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a process, or the median of several."""

    cpu: float
    """Seconds of the process and of those it waited for, user and system."""
    wall: float
    """Seconds."""
    memory: float
    """Peak resident megabytes of a process."""


def environment(**variables: str) -> Mapping[str, str]:
    """The environment of this process, with this tree's pclgen and with `variables`; Python caches its bytecode."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "PYTHONPATH": str(ROOT), **variables}


def run(command: Sequence[str | Path], folder: Path = ROOT, variables: Mapping[str, str] | None = None) -> Cost:
    """Run `command` in `folder` and measure it.  If it fails, exit the benchmark with the command's output."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=variables or environment(), stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        usages = [usage, *_orphans()]
        if process.returncode:
            output.seek(0)
            sys.exit(f"{' '.join(map(str, command[:4]))} failed:\n{output.read().decode(errors='replace')[-4000:]}")
    scale = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kilobytes
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return Cost(cpu, wall, max(usage.ru_maxrss for usage in usages) * scale / 1e6)


def _orphans() -> Iterator[resource.struct_rusage]:
    """Yield the usage of processes that a command started and did not wait for, if this process adopts them."""
    with contextlib.suppress(ChildProcessError):
        while True:
            yield os.wait4(-1, 0)[2]


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each part of the costs."""
    return Cost(
        statistics.median(cost.cpu for cost in costs),
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.memory for cost in costs),
    )
