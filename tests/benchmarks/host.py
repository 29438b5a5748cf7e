"""Measure the language host: `python -m tests.benchmarks.host [--programs 200]`.

It prints medians of wall seconds, for an otherwise idle machine: from the start of the host's program to its first answer,
and many programs in one host against several `pclgen generate` processes, one per program.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from pclgen.protocol.rpc import CallFailed, Connection, Rpc, load

ROOT: Final = Path(__file__).resolve().parents[2]
COLD: Final = 20
"""The number of programs generated in separate processes, for comparison."""
TEXT: Final = """
resource "pet" "random:index/randomPet:RandomPet" {{
  length = {number}
}}

output name {{
  value = "${{pet.id}}-{number}"
}}
"""


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    rpc = load()
    if not isinstance(rpc, Rpc):
        sys.exit("install pclgen[pulumi] first")
    with tempfile.TemporaryDirectory() as name:
        folders = list(_programs(Path(name), args.programs))
        first = median(_first_answer(rpc, folders[0]) for _ in range(args.repeat))
        print(f"first answer after the start: {first:.2f} s (goal: 1.5 s)")
        with _host(rpc) as host:
            _ask(rpc, host, folders[0])
            many = sum(_seconds(partial(_ask, rpc, host, folder)) for folder in folders)
        cold = sum(_seconds(partial(_generate, folder)) for folder in folders[:COLD])
        print(f"{args.programs} programs by one host: {many:.2f} s; {COLD} by `pclgen generate`: {cold:.2f} s")
    return 0


def _programs(folder: Path, count: int) -> Iterator[Path]:
    for number in range(count):
        place = folder / f"p{number:04}"
        place.mkdir()
        (place / "main.pp").write_text(TEXT.format(number=number))
        (place / "schemas").symlink_to(ROOT / "examples" / "schemas")
        yield place


def _seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


@contextmanager
def _host(rpc: Rpc) -> Iterator[Connection]:
    """A host, started as the CLI starts it."""
    script = "from pclgen.host.launch import go; go()"
    with subprocess.Popen([sys.executable, "-c", script, "127.0.0.1:1"], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            with rpc.connect(f"127.0.0.1:{int(process.stdout.readline())}") as connection:
                yield connection
        finally:
            process.terminate()


def _first_answer(rpc: Rpc, folder: Path) -> float:
    def start() -> None:
        with _host(rpc) as host:
            _ask(rpc, host, folder)

    return _seconds(start)


def _ask(rpc: Rpc, host: Connection, folder: Path) -> None:
    path = "/pulumirpc.LanguageRuntime/GenerateProject"
    texts = {
        "source_directory": str(folder),
        "target_directory": str(folder / "out"),
        "project": f'{{"name": "{folder.name}"}}',
    }
    answer = host.call(path, rpc.message("pulumirpc.GenerateProjectRequest", strict=True, **texts), timeout=60)
    assert not isinstance(answer, CallFailed), answer
    assert (folder / "out" / "main.go").exists()


def _generate(folder: Path) -> None:
    command = (sys.executable, "-m", "pclgen", "generate", "--quiet", "-l", "go")
    subprocess.run((*command, "--out", folder / "cold", folder), cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
