"""Processes that judge inputs, so that a hanging or dying process is an ordinary finding.

Findings arrive with the numbers of their inputs, in the order of their completion.  A process has limits on memory and on
the CPU time of an input; neither depends on other work of the machine.  It is replaced after some thousand inputs, and when
it dies.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import IO, NoReturn

from tests.fuzz.cases import make_case
from tests.fuzz.judge import Finding, crashed, judge
from tests.fuzz.seeds import Seed

SECONDS = 40.0
"""CPU seconds for one input; the slowest take one."""
MEMORY = 3 << 30
_REPLACED_AFTER = 3_000


class HangError(BaseException):
    """An input took too long; no `except Exception` in the judged code catches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to judge: `count` inputs of `seed`, or as many as fit until `deadline` (monotonic seconds)."""

    seeds: Sequence[Seed]
    seed: int
    count: int | None
    deadline: float | None
    texts: Path

    def more(self, number: int) -> bool:
        """Whether input `number` is still to be judged."""
        return (self.count is None or number < self.count) and (self.deadline is None or time.monotonic() < self.deadline)


@dataclass(slots=True, kw_only=True)
class _Worker:
    """A process: `next` is the input that it judges now or next."""

    pid: int
    stream: IO[str]
    next: int
    stopped: bool = False


def judged(task: Task, jobs: int) -> Iterator[tuple[int, list[Finding]]]:
    """Yield each judged input with its findings; `jobs` processes share the numbers."""
    with DefaultSelector() as selector:
        for first in range(jobs):
            _start(selector, task, first, jobs)
        while selector.get_map():
            for key, _ in selector.select():
                worker: _Worker = key.data
                line = worker.stream.readline()
                if line:
                    report = json.loads(line)
                    if report is None:
                        worker.stopped = True
                    else:
                        worker.next = report["number"] + jobs
                        yield report["number"], [Finding(**finding) for finding in report["findings"]]
                    continue
                selector.unregister(worker.stream)
                worker.stream.close()
                status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
                if not worker.stopped:
                    yield worker.next, [Finding(what=f"the process ended with {status}", detail="")]
                    worker.next += jobs
                if task.more(worker.next):
                    _start(selector, task, worker.next, jobs)


def _start(selector: DefaultSelector, task: Task, first: int, step: int) -> None:
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            _work(task, range(first, first + _REPLACED_AFTER * step, step), os.fdopen(writing, "w", buffering=1))
        finally:
            os._exit(1)  # after any exception, since this process must not return to the caller
    os.close(writing)
    worker = _Worker(pid=pid, stream=os.fdopen(reading), next=first)
    selector.register(worker.stream, EVENT_READ, worker)


def _work(task: Task, numbers: Sequence[int], out: IO[str]) -> None:
    """Run a worker process: judge inputs, report findings, and exit."""
    gc.freeze()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in numbers:
        if not task.more(number):
            break
        results = limited(partial(_findings, task, number))
        findings = [{"what": finding.what, "detail": finding.detail[:20_000]} for finding in results]
        print(json.dumps({"number": number, "findings": findings}), file=out)
    print("null", file=out)
    out.flush()
    os._exit(0)


def _findings(task: Task, number: int) -> list[Finding]:
    return list(judge(make_case(task.seeds, task.seed, number), task.texts))


def limited(work: Callable[[], list[Finding]]) -> list[Finding]:
    """Run `work` within a CPU limit: a soft limit that shows the place of a hang, and a hard limit."""
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + int(3 * SECONDS) + 1, resource.RLIM_INFINITY))

    def hung(signal_number: int, frame: FrameType | None) -> NoReturn:
        raise HangError

    signal.signal(signal.SIGPROF, hung)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return work()
    except (HangError, MemoryError, RecursionError) as error:
        return [crashed(error)]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
