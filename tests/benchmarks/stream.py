"""Measure a stream of snippets through the API: `python -m tests.benchmarks.stream [NUMBER...]`.

As in the README's example, tasks are created while others compile, two processes of `concurrent.futures` do the work, and
results are dropped on arrival: by default 10,000 and 100,000 snippets, in all languages, with nothing cached.  Sources and
outputs are deleted behind the stream, so that the disk holds a few thousand files at any time.

Goal: the memory of the first process and of the largest worker does not grow with the number of snippets.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import monotonic

from pclgen.build.model import BuildContext, Options, Status, Task
from pclgen.build.run import compile_tasks
from pclgen.languages import LANGUAGES
from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings
from tests.benchmarks.many import program, watched

_WORKERS = 2


def main(arguments: Sequence[str]) -> int:
    """Print the table; with `--one FOLDER NUMBER`, be the measured process."""
    if arguments[:1] == ["--one"]:
        _compile(Path(arguments[1]), int(arguments[2]))
        return 0
    print(f"{'snippets':>9}{'wall s':>9}{'a second':>9}{'CPU s':>9}{'first MB':>9}{'most MB':>9}", flush=True)
    for number in map(int, arguments or ("10000", "100000")):
        with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as folder:
            begin = monotonic()
            command = (sys.executable, "-m", "tests.benchmarks.stream", "--one", folder, str(number))
            with subprocess.Popen(command, cwd=Path(__file__).parents[2]) as process:
                first, others = watched(process)
            if process.returncode != 0:
                return 1
            wall = monotonic() - begin
        seconds = first.seconds + sum(worker.seconds for worker in others)
        largest = max(worker.megabytes for worker in others)
        print(f"{number:9}{wall:9.1f}{number / wall:9.1f}{seconds:9.1f}{first.megabytes:9.0f}{largest:9.0f}", flush=True)
    return 0


def _compile(folder: Path, number: int) -> None:
    context = BuildContext(root=folder, settings=Settings(sources=(SourceKind.FILES,), isolated=True, no_cache=True), tells_changes=False)
    done = 0
    with ProcessPoolExecutor(_WORKERS) as executor:
        for result in compile_tasks(context, _tasks(folder, number), executor, in_flight=2 * _WORKERS):
            assert result.status is Status.GENERATED, result
            shutil.rmtree(folder / result.label)
            done += 1
    assert done == number


def _tasks(folder: Path, number: int) -> Iterator[Task]:
    options = Options(languages=LANGUAGES)
    for at in range(number):
        label = f"{at:07}"
        place = folder / label
        place.mkdir()
        (place / "main.pp").write_text(program(at, is_tiny=True))
        yield Task(label=label, path=place, options=options, root=folder, pattern="{path}/{language}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
