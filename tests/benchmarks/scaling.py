"""Measure how costs grow: `python -m tests.benchmarks.scaling [--only WORD] [--json FILE]`.

Each shape (`tests.benchmarks.shapes`) runs at n, 2n and 4n through formatting, checking (with the report), generating in
each language and evaluating.  Costs are numbers of calls of Python functions, which are the same on every machine.  The
exponent describes the last doubling: the growth of the cost against the characters read and written; 1 is linear, 2 is
quadratic.  For most shapes these characters double with n.  Nested text is indented, so a nest of n lines has n * n
characters, and its depth is limited; the column `by n` is the exponent against n alone.  Time inside a library call is not
counted, so the table has CPU seconds, too.  Memory is the largest resident set of the process.  Shapes above the project's
limits are named.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time

from pclgen import formatting, pipeline
from pclgen.core.program import ConfigVariable, Program
from pclgen.diagnostics.formats import render
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.evaluate.run import RunInputs
from pclgen.results import CheckResult
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, RawFile, load_program
from pclgen.targets.base import Project
from pclgen.trace.json import dumps
from pclgen.trace.model import Trace
from pclgen.types.show import show
from tests.benchmarks.shapes import SHAPES, Files, Shape
from tests.benchmarks.synthetic import SCHEMA
from tests.support.counting import calls_of
from tests.support.files import write_files

LANGUAGES = ("python", "typescript", "go")
PHASES = ("fmt", "check", *LANGUAGES, "evaluate")
MOST_EXPONENT = 1.3
MOST_MEGABYTES = 1024
CPU_LIMIT = 60
_LITTLE = 10_000  # calls: smaller growth counts as none
_MEMORY_LIMIT = 4 * 1024**3
_WARMING = {
    "good": 'config x string {}\nresource a "bench:index:Server" {\n  name = x\n  size = 1\n}\noutput o {\n  value = a.arn\n}\n'
    'component c "./c" {\n  x = x\n}\n',
    "wrong": "a = b\n",
    "unreadable": "@\n",
}
_SAMPLES = {"string": "text", "int": "3", "number": "2.5", "bool": "true", "any": "[]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of one phase: function calls and CPU seconds; `characters` are read and written."""

    calls: int
    seconds: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The cost of a shape at its three sizes, by phase; `problem` is why a size did not finish."""

    shape: Shape
    costs: Sequence[Mapping[str, Cost]]
    megabytes: float
    problem: str = ""

    def by_size(self, phase: str) -> float:
        """The growth of the calls of `phase` with the last doubling of n, without the constant part."""
        first, second, third = (cost[phase].calls if phase in cost else 0 for cost in self.costs)
        if third - second < _LITTLE:
            return 0.0
        return math.log2((third - second) / max(second - first, _LITTLE // 4))

    def exponent(self, phase: str) -> float:
        """The growth against the characters read and written, which at least double."""
        first, second, third = (cost[phase].characters if phase in cost else 0 for cost in self.costs)
        growth = (third - second) / (second - first) if second > first else 2.0
        return self.by_size(phase) / math.log2(max(growth, 2.0))

    def worst(self) -> str:
        """The phase that grows most."""
        return max(PHASES, key=self.exponent)

    def complaints(self) -> Iterator[str]:
        """The figures above the limits."""
        if self.problem:
            yield self.problem
            return
        phase = self.worst()
        if self.exponent(phase) > MOST_EXPONENT:
            yield f"{phase} grows by {self.exponent(phase):.2f}"
        if self.megabytes > MOST_MEGABYTES:
            yield f"takes {self.megabytes:.0f} MB"


def main() -> int:
    """Measure and print; return 1 if a figure is above the limits."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scaling", description=__doc__)
    parser.add_argument("--only", help="shapes whose name holds this")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    args = parser.parse_args()
    chosen = [shape for shape in SHAPES if args.only is None or args.only in shape.name]
    print(f"{'shape':52} {'n':>7} {'worst phase':11} {'exponent':>8} {'by n':>5} {'CPU s at 4n':>11} {'MB':>6}")
    warm_up()
    growths = []
    for shape in chosen:
        growth = grown(shape)
        phase = "-" if growth.problem else growth.worst()
        exponent, alone = (0.0, 0.0) if growth.problem else (growth.exponent(phase), growth.by_size(phase))
        seconds = sum(cost.seconds for cost in growth.costs[-1].values()) if growth.costs else 0.0
        row = f"{shape.name:52} {shape.size:7} {phase:11} {exponent:8.2f} {alone:5.2f} {seconds:11.2f} {growth.megabytes:6.0f}"
        print(f"{row}  {', '.join(growth.complaints())}".rstrip(), flush=True)
        growths.append(growth)
    above = [growth for growth in growths if list(growth.complaints())]
    print(f"\n{len(growths)} shapes, {len(above)} above the limits (exponent {MOST_EXPONENT}, {MOST_MEGABYTES} MB)")
    if args.json is not None:
        args.json.write_text(json.dumps([_as_json(growth) for growth in growths], indent=1), encoding="utf-8")
    return 1 if above else 0


def _as_json(growth: Growth) -> dict[str, object]:
    exponents = {} if growth.problem else {phase: round(growth.exponent(phase), 2) for phase in PHASES}
    seconds = [{phase: round(cost.seconds, 3) for phase, cost in costs.items()} for costs in growth.costs]
    calls = [{phase: cost.calls for phase, cost in costs.items()} for costs in growth.costs]
    return {
        "shape": growth.shape.name,
        "exponents": exponents,
        "megabytes": round(growth.megabytes),
        "calls": calls,
        "seconds": seconds,
        "problem": growth.problem,
    }


def grown(shape: Shape) -> Growth:
    """Measure a shape at n, 2n and 4n, each in its own process."""
    costs: list[Mapping[str, Cost]] = []
    megabytes = 0.0
    for size in (shape.size, 2 * shape.size, 4 * shape.size):
        answer = _apart(shape.make(size))
        if isinstance(answer, str):
            return Growth(shape=shape, costs=costs, megabytes=megabytes, problem=f"at {size}: {answer}")
        cost, most = answer
        costs.append(cost)
        megabytes = max(megabytes, most)
    return Growth(shape=shape, costs=costs, megabytes=megabytes)


def _apart(files: Files) -> tuple[Mapping[str, Cost], float] | str:
    """The costs in a subprocess, and its memory; or how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT, CPU_LIMIT))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, _MEMORY_LIMIT))
            with os.fdopen(writing, "w") as pipe, tempfile.TemporaryDirectory() as folder:
                rows = {phase: (c.calls, c.seconds, c.characters) for phase, c in measured(files, Path(folder)).items()}
                pipe.write(json.dumps(rows))
        except BaseException as error:  # the exit status reports it to the parent
            print(f"{type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(child, 0)
    if status:
        ended = os.waitstatus_to_exitcode(status)
        return "failed" if ended > 0 else f"ended by signal {-ended}"
    costs = {
        phase: Cost(calls=calls, seconds=seconds, characters=characters)
        for phase, (calls, seconds, characters) in json.loads(text).items()
    }
    return costs, usage.ru_maxrss / 1024


def warm_up() -> None:
    """Load everything that is loaded on first use, so that no measurement includes it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _WARMING.items():
            inner = "config x string {}\noutput y {\n  value = x\n}\n"
            measured(Files(program={"main.pp": text, "c/main.pp": inner}), Path(folder) / name)


def measured(files: Files, folder: Path, phases: Sequence[str] = PHASES) -> Mapping[str, Cost]:
    """The cost of each of `phases`, in this process."""
    sources, store, stack = _on_disk(files, folder)
    costs: dict[str, Cost] = {}

    read = sum(map(len, files.program.values())) + len(files.stack or "")
    if files.schema is not None:
        read += len(json.dumps(files.schema))

    def count(phase: str, act: Callable[[], Sequence[str | Trace]]) -> None:
        began = process_time()
        written: list[str | Trace] = []
        calls = calls_of(lambda: written.extend(act()))
        seconds = process_time() - began
        texts = [item if isinstance(item, str) else dumps(item) for item in written]
        costs[phase] = Cost(calls=calls, seconds=seconds, characters=read + sum(map(len, texts)))

    if "fmt" in phases:
        count("fmt", lambda: [text for raw in sources.files for text in _laid_out(raw)])
    checked: list[CheckResult] = []
    count("check", lambda: _check(sources, store, checked))
    program = checked[0].program
    if program is None:
        return costs
    for language in LANGUAGES:
        if language in phases:
            count(language, partial(_generate, program, language))
    if "evaluate" in phases:
        inputs = pipeline.inputs_for_run(sources, config={} if stack else _config(program), stack_file=stack)
        count("evaluate", lambda: _evaluated(program, inputs))
    return costs


def _laid_out(raw: RawFile) -> Sequence[str]:
    result = formatting.format_source(raw)
    return result.text or "", render(result.diagnostics, "text")


def _check(sources: LoadedProgram, store: SchemaStore, results: list[CheckResult]) -> Sequence[str]:
    results.append(pipeline.bind(sources, store))
    return [render(results[0].diagnostics, "text")]


def _evaluated(program: Program, inputs: RunInputs) -> Sequence[str | Trace]:
    result = pipeline.evaluate_checked(program, inputs)
    messages = render(result.diagnostics, "text")
    return [messages] if result.trace is None else [messages, result.trace]


def _generate(program: Program, language: str) -> Sequence[str]:
    bag = DiagnosticBag()
    project = Project(name="web", description="", main="", program_only=False)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    gc.disable()
    try:
        prepared = pipeline.prepare(program, bag)
        return [] if bag.has_errors else [*pipeline.render(prepared, language, project, bag).values()]
    finally:
        gc.enable()
        sys.setrecursionlimit(limit)


def _on_disk(files: Files, folder: Path) -> tuple[LoadedProgram, SchemaStore, Path | None]:
    """Write the program, its schemas and its stack file, and load the program."""
    program, schemas = folder / "program", folder / "schemas"
    schemas.mkdir(parents=True)
    for schema in (SCHEMA, files.schema):
        if schema is not None:
            (schemas / f"{schema['name']}-1.0.0.json").write_text(json.dumps(schema), encoding="utf-8")
    write_files(program, files.program)
    stack = None
    if files.stack is not None:
        stack = folder / "Pulumi.dev.yaml"
        stack.write_text(files.stack, encoding="utf-8")
    return load_program(str(program)), SchemaStore([schemas]), stack


def _config(program: Program) -> Mapping[str, str]:
    """A value for each variable."""
    values = {}
    for node in program.nodes:
        if isinstance(node, ConfigVariable):
            kind = show(node.type)
            values[node.logical_name] = _SAMPLES.get(kind) or ('["a", "b"]' if kind.startswith("list") else "{}")
    return values


if __name__ == "__main__":
    sys.exit(main())
