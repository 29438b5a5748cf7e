"""Measure schemas: time and memory to open large schemas, to read members, and to run commands that use them.

Run by hand (`python -m tests.benchmarks.bench_schema [members|runs]`); it prints tables and asserts nothing.  Every
measurement runs in its own process, so that memory peaks do not mix.

`runs` compares `pclgen check` and `generate` on a program with aws resources with the same commands on a program of equal
size that uses no package: first run (empty cache) and second run, medians of PCLGEN_BENCH_RUNS paired runs.  With
PCLGEN_BENCH_SDK set to a virtual environment that has pulumi-aws, it also measures the installed SDK.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, parse_token
from pclgen.types.declarations import Declaration, Shape
from tests.benchmarks.processes import Cost, median, run
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
        package = store.find(name)
    assert isinstance(package, FoundPackage)
    opened = memory()
    with clock() as single:
        touch(package, token)
    decoded = package.document.decoded
    with clock() as again:
        touch(package, token)
    with clock() as near:
        package.resources.nearest(f"{token}x")
    with clock() as former:
        package.resources.find_former(f"{token}x")
    with clock() as everything:
        touch_all(package)
    times = " ".join(f"{taken() * 1e3:9.2f}" for taken in (scan, find, single, again, near, former, everything))
    assert package.path is not None
    size = package.path.stat().st_size / 1e6
    print(f"{name:14}{size:7.1f} {times} {decoded:9} {opened - start:9.1f} {memory() - start:9.1f}")


def scan_only(name: str) -> None:
    """The lower bound: msgspec scans the text of the file once and builds nothing."""
    import msgspec

    path = next(path for place in PLACES for path in place.glob(f"{name}-[0-9]*.json"))
    msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])


def touch(package: FoundPackage, text: str) -> None:
    """Read everything that a program with one resource of this type reads."""
    token = parse_token(text)
    assert isinstance(token, Token)
    resource = package.resource(token)
    assert resource is not None
    resource.inputs.fields(Shape.INPUT)
    resource.outputs.fields(Shape.OUTPUT)


def touch_all(found_package: FoundPackage) -> None:
    """Read all resources, and all types in all shapes."""
    package = found_package.package
    for text in package.resource_tokens:
        touch(found_package, text)
    for text in package.type_tokens:
        declared = package.object_type(text)
        if isinstance(declared, Declaration):
            for shape in Shape:
                declared.fields(shape)


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """Processor seconds of the block, available after the block ends."""
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


RUNS = int(os.environ.get("PCLGEN_BENCH_RUNS", "15"))
AWS_PROGRAM = """\
resource bucket "aws:s3:Bucket" {
  bucketPrefix = "website"
  forceDestroy = true
}
resource web "aws:ec2:Instance" {
  ami          = "ami-12345678"
  instanceType = "t3.micro"
}
resource group "aws:ec2:SecurityGroup" {
  description = "web"
  ingress     = [{ protocol = "tcp", fromPort = 80, toPort = 80, cidrBlocks = ["0.0.0.0/0"] }]
}
resource role "aws:iam:Role" {
  assumeRolePolicy = "{}"
  name             = "role"
}
resource table "aws:dynamodb:Table" {
  billingMode = "PAY_PER_REQUEST"
  hashKey     = "id"
  attributes  = [{ name = "id", type = "S" }]
}
output arn { value = bucket.arn }
output address { value = web.publicIp }
"""
PLAIN_PROGRAM = """\
resource bucket "pulumi:index:Stash" {
  input = { bucketPrefix = "website", forceDestroy = true }
}
resource web "pulumi:index:Stash" {
  input = { ami = "ami-12345678", instanceType = "t3.micro" }
}
resource group "pulumi:index:Stash" {
  input = {
    description = "web"
    ingress     = [{ protocol = "tcp", fromPort = 80, toPort = 80, cidrBlocks = ["0.0.0.0/0"] }]
  }
}
resource role "pulumi:index:Stash" {
  input = { assumeRolePolicy = "{}", name = "role" }
}
resource table "pulumi:index:Stash" {
  input = { billingMode = "PAY_PER_REQUEST", hashKey = "id", attributes = [{ name = "id", type = "S" }] }
}
output arn { value = bucket.output }
output address { value = web.output }
"""


def runs() -> None:
    """Print first and second runs of commands with aws, beside a program without a package."""
    with tempfile.TemporaryDirectory(prefix="pclgen-bench-") as folder:
        root = Path(folder)
        for name, text in (("aws", AWS_PROGRAM), ("plain", PLAIN_PROGRAM)):
            (root / name).mkdir()
            (root / name / "main.pp").write_text(text, encoding="utf-8")
        whole = SCHEMAS / "recovered" / "aws-7.48.0.json"
        padded = root / "large" / "aws-7.48.0.json"
        padded.parent.mkdir()
        # In its own process: the peak memory of this process counts for the processes that it starts.
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_schema", "pad", str(whole), str(padded)], check=True)
        places = {
            f"file of {whole.stat().st_size / 1e6:.0f} MB": ["--schemas", str(whole.parent), "--sources", "files"],
            f"file of {padded.stat().st_size / 1e6:.0f} MB": ["--schemas", str(padded.parent), "--sources", "files"],
        }
        sdk = os.environ.get("PCLGEN_BENCH_SDK")
        if sdk:
            places["installed SDK"] = ["--sdk-folder", sdk, "--sources", "sdk"]
        print(f"\n{'':44}{'wall s':>8}{'CPU s':>8}{'MB':>7}")
        for place, options in places.items():
            for command in ("check", "generate"):
                _compare(root, command, place, options)


def _pad(whole: Path, padded: Path, size: int) -> None:
    """A schema with longer descriptions, since recovered aws schemas lack part of the published text."""
    import json

    content = json.loads(whole.read_bytes())
    missing = size - whole.stat().st_size
    members = [*content["resources"].values(), *content["functions"].values()]
    for member in members:
        member["description"] = member.get("description", "") + "x" * (missing // len(members))
    padded.write_text(json.dumps(content), encoding="utf-8")
    time.sleep(0.1)


def _compare(root: Path, command: str, place: str, options: list[str]) -> None:
    cache = root / "cache" / str(time.monotonic_ns())

    def measured(program: str) -> Cost:
        out = ["--out", f"{root}/out/{{program}}/{{language}}"] if command == "generate" else []
        words = [command, str(root / program), *options, "--cache-dir", str(cache), *out]
        return run([sys.executable, "-m", "pclgen", *words])

    first = measured("aws")
    pairs = [(measured("aws"), measured("plain")) for _ in range(RUNS)]
    second, plain = (median(costs) for costs in zip(*pairs, strict=True))
    for title, row in (("first run", first), ("second run", second), ("without a package", plain)):
        print(f"{command:9}{place:18} {title:16}{row.wall:8.3f}{row.cpu:8.3f}{row.memory:7.0f}")
    ratio = statistics.median(package_run.wall / plain_run.wall for package_run, plain_run in pairs)
    cpu = statistics.median(package_run.cpu / plain_run.cpu for package_run, plain_run in pairs)
    print(f"{'':28}{'second : without':16}{ratio:8.2f}{cpu:8.2f}{second.memory - plain.memory:+7.0f}   goal 1.25, +40", flush=True)


def main() -> None:
    """Print the tables: milliseconds of processor time, and megabytes."""
    if len(sys.argv) > 1 and sys.argv[1] in SUBJECTS:
        measure(sys.argv[1], SUBJECTS[sys.argv[1]])
        return
    if sys.argv[1:2] == ["pad"]:
        _pad(Path(sys.argv[2]), Path(sys.argv[3]), 64_000_000)
        return
    if sys.argv[1:] != ["runs"]:
        columns = ("scan", "find", "one", "again", "near", "former", "all")
        times = " ".join(f"{column:>6} ms" for column in columns)
        print(f"{'schema':14}{'MB':>7} {times}   decoded   open MB    all MB")
        for name in SUBJECTS:
            subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_schema", name], check=True)
    if sys.argv[1:] != ["members"]:
        runs()


if __name__ == "__main__":
    main()
