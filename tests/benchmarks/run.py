"""Print the figures of the project's goals: `python -m tests.benchmarks.run [--quick] [--phases check]`.

CPU seconds ("user" and "system"), as other work on the machine hardly changes them; memory is the largest resident set of
the process.  Every measurement runs in its own process.  The column `goal` repeats the project's promise.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

from pclgen.cli.programs import failed
from pclgen.diagnostics.model import Severity
from pclgen.results import CheckResult, GenerateResult
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.benchmarks import synthetic
from tests.benchmarks.processes import ROOT, Cost, environment, run

LANGUAGES = ("python", "typescript", "go")
DEPTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the report."""

    name: str
    value: float
    unit: str
    goal: str = ""


def main() -> int:
    """Measure everything and print it; return 1 if one of our programs is rejected."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out 10,000 resources")
    parser.add_argument("--phases", default="check,generate", help="check, generate or both (default)")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--inside", nargs=2, metavar=("PHASE", "PROGRAM"), help=argparse.SUPPRESS)
    parser.add_argument("--schemas", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--repeat", type=int, default=1, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        phase, program = args.inside
        print(json.dumps(_inside(phase, Path(program), args.schemas, args.repeat)))
        return 0
    with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as folder:
        figures = []
        sizes = (100, 1_000) if args.quick else (100, 1_000, 10_000)
        for figure in _figures(Path(folder), sizes, args.phases.split(",")):
            print(f"{figure.name:58} {figure.value:10.3f} {figure.unit:4} {figure.goal}", flush=True)
            figures.append(figure)
    if args.json:
        args.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=1) + "\n", encoding="utf-8")
    return 0


def _figures(folder: Path, sizes: tuple[int, ...], phases: Sequence[str]) -> Iterator[Figure]:
    schemas = synthetic.write_schema(folder)
    programs = {n: synthetic.write_program(folder, f"servers{n}", synthetic.resources(n)) for n in sizes}
    starts = [_process("-m", "pclgen", "--version").cpu for _ in range(5)]
    yield Figure(name="pclgen --version, CPU", value=min(starts) * 1000, unit="ms", goal="< 50 above python itself")
    yield Figure(name="python -c pass, CPU", value=min(_process("-c", "pass").cpu for _ in range(5)) * 1000, unit="ms")
    for phase in phases:
        yield from _growth(phase, programs, schemas)
    for title, source in (("chain", synthetic.conditional_chain), ("nest", synthetic.conditional_nest)):
        program = synthetic.write_program(folder, f"conditional-{title}", source(DEPTH))
        for phase in phases:
            seconds = _warm(phase, program, schemas)
            yield Figure(name=f"{phase} {DEPTH} nested conditionals ({title}), CPU", value=seconds, unit="s", goal="< 1")
    for phase in phases:
        yield from _command(phase, programs[1_000], schemas, folder / "out")


def _growth(phase: str, programs: Mapping[int, Path], schemas: Path) -> Iterator[Figure]:
    """Time per resource in programs of several sizes, with the factor over the smallest."""
    first = 0.0
    for size, program in programs.items():
        each = _warm(phase, program, schemas, repeat=5 if size <= 100 else 1) / size * 1000
        first = first or each
        goal = f"{each / first:.2f}x; 10,000 within 1.5x of 100"
        yield Figure(name=f"{phase}, CPU per resource at {size:,}", value=each, unit="ms", goal=goal)


def _command(phase: str, program: Path, schemas: Path, out: Path) -> Iterator[Figure]:
    """The whole command on 1,000 resources, start-up included."""
    arguments = ["-m", "pclgen", phase, str(program), "--schemas", str(schemas)]
    goals = ("<= 2", "")
    if phase == "generate":
        arguments += ["--out", f"{out}/{{program}}/{{language}}"]
        goals = ("<= 6", "<= 250")
    cost = _process(*arguments)
    yield Figure(name=f"pclgen {phase}, 1,000 resources: CPU", value=cost.cpu, unit="s", goal=goals[0])
    yield Figure(name=f"pclgen {phase}, 1,000 resources: memory", value=cost.memory, unit="MB", goal=goals[1])


def _process(*arguments: str) -> Cost:
    """The cost of a Python process."""
    return run([sys.executable, *arguments])


def _warm(phase: str, program: Path, schemas: Path, repeat: int = 1) -> float:
    """CPU seconds of one phase on a program, in a process that has run it on a small program before."""
    command = [sys.executable, "-m", "tests.benchmarks.run", "--inside", phase, str(program)]
    command += ["--schemas", str(schemas), "--repeat", str(repeat)]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{phase} {program.name} failed:\n{done.stderr[-4000:]}")
    return float(json.loads(done.stdout))


def _inside(phase: str, program: Path, schemas: Path, repeat: int) -> float:
    """The smallest CPU time of `repeat` runs, after a run on a program of ten resources."""
    from pclgen import pipeline

    def timed(place: Path) -> float:
        loaded = load_program(str(place))
        start = process_time()
        outcome: CheckResult | GenerateResult
        if phase == "check":
            outcome = pipeline.check(loaded, store=SchemaStore([schemas]), lenient=False)
        else:
            store = SchemaStore([schemas])
            outcome = pipeline.generate(
                loaded, languages=LANGUAGES, store=store, lenient=False, program_only=True, copy_files=False
            )
        seconds = process_time() - start
        if failed(outcome.diagnostics):
            sys.exit(f"refused: {next(d for d in outcome.diagnostics if d.severity is Severity.ERROR)}")
        return seconds

    with tempfile.TemporaryDirectory() as folder:
        timed(synthetic.write_program(Path(folder), "warm", synthetic.resources(10)))
    return min(timed(program) for _ in range(repeat))


if __name__ == "__main__":
    sys.exit(main())
