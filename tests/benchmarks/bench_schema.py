"""What schemas cost: time and memory of opening large ones and of reading members.

Run by hand (`python -m tests.benchmarks.bench_schema`); prints a table and asserts nothing.  Every schema is measured in
a process of its own, so that peaks of memory do not mix.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.tokens import Token, parse_token
from pclgen.types.declarations import Declaration, Shape
from tests.support.corpus import CORPUS

SCHEMAS = CORPUS / "schemas"
PLACES = [SCHEMAS / kind for kind in ("conformance", "codegen", "real", "recovered")]
SUBJECTS = {
    "kubernetes": "kubernetes:apps/v1:Deployment",
    "aws": "aws:s3/bucket:Bucket",
    "azure-native": "azure-native:storage:StorageAccount",
    "azuread": "azuread:index/application:Application",
}


def measure(name: str, token: str) -> None:
    """Print one row of the table."""
    start = memory()
    with clock() as scan:
        scan_only(name)
    store = SchemaStore(PLACES)
    with clock() as find:
        found = store.find(name)
    assert isinstance(found, FoundPackage)
    opened = memory()
    with clock() as one:
        touch(found, token)
    decoded = found.loaded.decoded
    with clock() as again:
        touch(found, token)
    with clock() as near:
        found.resources.nearest(f"{token}x")
    with clock() as former:
        found.resources.find_former(f"{token}x")
    with clock() as everything:
        touch_all(found)
    times = " ".join(f"{taken() * 1e3:9.2f}" for taken in (scan, find, one, again, near, former, everything))
    assert found.path is not None
    size = found.path.stat().st_size / 1e6
    print(f"{name:14}{size:7.1f} {times} {decoded:9} {opened - start:9.1f} {memory() - start:9.1f}")


def scan_only(name: str) -> None:
    """The floor: msgspec walks over the text of the file once and builds nothing."""
    import msgspec

    path = next(path for place in PLACES for path in place.glob(f"{name}-[0-9]*.json"))
    msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])


def touch(found: FoundPackage, text: str) -> None:
    """What a program with one resource of this type reads."""
    token = parse_token(text)
    assert isinstance(token, Token)
    resource = found.resource(token)
    assert resource is not None
    resource.inputs.fields(Shape.INPUT)
    resource.outputs.fields(Shape.OUTPUT)


def touch_all(found: FoundPackage) -> None:
    """All resources, and all types in all shapes."""
    package = found.package
    for text in package.resource_tokens:
        touch(found, text)
    for text in package.type_tokens:
        declared = package.object_type(text)
        if isinstance(declared, Declaration):
            for shape in Shape:
                declared.fields(shape)


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Processor seconds of the block, once it has ended."""
    begin = time.process_time()
    end = begin
    yield lambda: end - begin
    end = time.process_time()


def memory() -> float:
    """Resident megabytes now (Linux; elsewhere 0)."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0.0
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """The table: milliseconds of processor time, and megabytes."""
    if len(sys.argv) > 1:
        measure(sys.argv[1], SUBJECTS[sys.argv[1]])
        return
    columns = ("scan", "find", "one", "again", "near", "former", "all")
    times = " ".join(f"{column:>6} ms" for column in columns)
    print(f"{'schema':14}{'MB':>7} {times}   decoded   open MB    all MB")
    for name in SUBJECTS:
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_schema", name], check=True)


if __name__ == "__main__":
    main()
