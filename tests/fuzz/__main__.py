"""The command line `python -m tests.fuzz`: see the package."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.cases import Case, Kind, make_case
from tests.fuzz.judge import Finding, judge
from tests.fuzz.printed import unreadable
from tests.fuzz.seeds import seeds
from tests.fuzz.supervise import Task, judged, limited

_BATCH = 400
"""The number of inputs judged before their generated texts are parsed."""


class Tally:
    """Counts of inputs and faults; every fault is printed once, with its first input."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._started = time.monotonic()
        self.done = 0
        self.faults: dict[str, int] = {}

    def add(self, number: int, finding: Finding) -> None:
        """Count a finding of input `number`."""
        if finding.what not in self.faults:
            print(f"\n--- {finding.what}\n    --seed {self._seed} --only {number}\n{finding.detail[-3000:]}", flush=True)
        self.faults[finding.what] = self.faults.get(finding.what, 0) + 1

    def line(self) -> str:
        """The figures so far."""
        seconds = time.monotonic() - self._started
        return (
            f"{self.done:,} inputs, {self.done / seconds:.1f} a second, {sum(self.faults.values())} findings"
            f" of {len(self.faults)} faults"
        )


def main() -> int:
    """Judge inputs and print the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, help="how long; without it and --count, one minute")
    parser.add_argument("--count", type=int, help="how many inputs: the same ones on every machine")
    parser.add_argument("--seed", type=int, default=1, help="which inputs")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="show one input, and judge it")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()
    with TemporaryDirectory(prefix="pclgen-fuzz-") as folder:
        texts = Path(folder)
        if args.only is not None:
            return _only(args.seed, args.only, texts)
        minutes = 1.0 if args.minutes is None and args.count is None else args.minutes
        deadline = None if minutes is None else time.monotonic() + 60 * minutes
        programs = seeds()
        task = Task(seeds=programs, seed=args.seed, count=args.count, deadline=deadline, texts=texts)
        tally = Tally(args.seed)
        for number, findings in judged(task, args.jobs):
            tally.done += 1
            for finding in findings:
                tally.add(number, finding)
            if tally.done % _BATCH == 0:
                _read(texts, tally)
                print(tally.line(), flush=True)
        _read(texts, tally)
    for what, times in sorted(tally.faults.items()):
        print(f"{times:6} {what}")
    print(f"{len(programs)} programs; {tally.line()}")
    return 1 if tally.faults else 0


def _read(texts: Path, tally: Tally) -> None:
    """Read the code generated since the last call, and delete it."""
    with TemporaryDirectory(dir=texts.parent, prefix="pclgen-fuzz-") as batch:
        for path in sorted(texts.glob("*.[tg][so]")):
            path.rename(Path(batch) / path.name)
        for name, finding in unreadable(Path(batch)):
            tally.add(int(name.partition("-")[0]), finding)


def _only(seed: int, number: int, texts: Path) -> int:
    case = make_case(seeds(), seed, number)
    _show(case)
    findings = limited(lambda: list(judge(case, texts)))
    findings += [finding for _, finding in unreadable(texts)]
    for finding in findings:
        print(f"--- {finding.what}\n{finding.detail}")
    return 1 if findings else 0


def _show(case: Case) -> None:
    print(f"{case.kind} of {case.seed}; lenient: {case.lenient}, preview: {case.preview}, config: {case.config!r}")
    shown = dict(case.side) if case.kind is Kind.SIDE else dict(case.schemas) or dict(case.program.files)
    if case.manifest is not None:
        shown[".pclgen.json"] = case.manifest
    for name, data in shown.items():
        print(f"=== {name}\n{data.decode('utf-8', errors='backslashreplace')}")


if __name__ == "__main__":
    sys.exit(main())
