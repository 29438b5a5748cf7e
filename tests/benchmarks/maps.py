"""Measure the cost of source maps: `python -m tests.benchmarks.maps [--resources 300] [--rounds 15]`.

It prints CPU seconds of generating in one warm process, alternately with and without source maps.  The minimum of all rounds
counts on each side, since other work on the machine only adds time.  The goal: at most 5 %, for each language and for all
three.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from pclgen import pipeline
from pclgen.cli.programs import failed
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.benchmarks import synthetic

LANGUAGES = ("python", "typescript", "go")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.maps", description=__doc__)
    parser.add_argument("--resources", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as name:
        folder = Path(name)
        schemas = synthetic.write_schema(folder)
        program = synthetic.write_program(folder, "servers", synthetic.resources(args.resources))
        print(f"{'':12}{'without':>10}{'with':>10}{'ratio':>8}")
        for languages in (*((language,) for language in LANGUAGES), LANGUAGES):
            plain, mapped = _least(program, SchemaStore([schemas]), languages, args.rounds)
            title = languages[0] if len(languages) == 1 else "all"
            print(f"{title:12}{plain * 1000:7.1f} ms{mapped * 1000:7.1f} ms{mapped / plain:8.3f}", flush=True)
    return 0


def _least(program: Path, store: SchemaStore, languages: Sequence[str], rounds: int) -> tuple[float, float]:
    """The smallest CPU seconds without and with source maps."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds + 1):  # the first round warms
        for source_maps in (False, True, True, False):
            times[source_maps].append(_seconds(program, store, languages, source_maps=source_maps))
    return min(times[False]), min(times[True])


def _seconds(program: Path, store: SchemaStore, languages: Sequence[str], *, source_maps: bool) -> float:
    loaded = load_program(str(program))
    start = process_time()
    outcome = pipeline.generate(
        loaded, languages=languages, store=store, program_only=True, copy_files=False, source_maps=source_maps
    )
    seconds = process_time() - start
    if failed(outcome.diagnostics):
        sys.exit(f"refused: {outcome.diagnostics[0]}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
