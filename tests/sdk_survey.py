"""Schemas recovered from published Python SDKs, current and some years old: tokens, and a sample of members.

`python -m tests.sdk_survey` reads the newest release of twenty well-known packages, `--older` a release of some years ago,
`aws==5.43.0 std` the named packages.  Wheels are downloaded once, unpacked (never installed or run) and cached with the
toolchains.  Each line shows the amount read and the failures; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pclgen.schema.document import Document
from pclgen.schema.errors import SchemaError
from pclgen.schema.recovery.source import InstalledSource
from pclgen.schema.sources import Requirement
from tests.support import toolchains

OLDER: Mapping[str, str] = {
    "pulumi-aws": "5.43.0",
    "pulumi-aws-native": "0.126.0",
    "pulumi-azure-native": "2.40.0",
    "pulumi-gcp": "7.20.0",
    "pulumi-kubernetes": "4.11.0",
    "pulumi-docker": "4.5.3",
    "pulumi-random": "4.16.0",
    "pulumi-tls": "5.0.2",
    "pulumi-command": "0.9.2",
    "pulumi-cloudflare": "5.26.0",
    "pulumi-datadog": "4.28.0",
    "pulumi-digitalocean": "4.28.0",
    "pulumi-github": "6.2.0",
    "pulumi-gitlab": "7.0.0",
    "pulumi-vault": "6.1.0",
    "pulumi-snowflake": "0.53.0",
    "pulumi-eks": "2.3.0",
    "pulumi-awsx": "2.7.0",
    "pulumiverse-time": "0.0.16",
    "pulumi-std": "1.6.2",
}
"""Twenty well-known packages, each in a version of two to three years ago."""

SAMPLE = 40
"""The number of members of each kind read per package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """The results for one SDK; `faults` names each member that could not be read, with the reason."""

    label: str
    resources: int
    functions: int
    types: int
    read: int
    faults: tuple[str, ...]


def survey(requirement: str, *, sample: int = SAMPLE) -> Surveyed:
    """Read one SDK, `pulumi-aws` or `pulumi-aws==5.43.0`.  Raises `toolchains.ToolError` if the download fails."""
    source = InstalledSource([unpacked(requirement)])
    names = source.names()
    if len(names) != 1:
        return Surveyed(label=requirement, resources=0, functions=0, types=0, read=0, faults=(f"packages: {names}",))
    [candidate] = source.candidates(Requirement(name=names[0]))
    label = f"{candidate.name} {candidate.version}"
    document = source.read(candidate)
    if not isinstance(document, Document):
        return Surveyed(label=label, resources=0, functions=0, types=0, read=0, faults=(str(document),))
    members = document.members
    faults: list[str] = []
    read = 0
    for kind, section in (("resource", members.resources), ("function", members.functions), ("type", members.types)):
        for token in chosen(list(section), sample):
            try:
                msgspec.json.decode(bytes(section[token]))
                read += 1
            except SchemaError as error:
                faults.append(f"{kind} {token}: {error.path}: {error.reason}")
    if not members.resources and not members.functions:
        faults.append("nothing was found")
    return Surveyed(
        label=label,
        resources=len(members.resources),
        functions=len(members.functions),
        types=len(members.types),
        read=read,
        faults=tuple(faults),
    )


def chosen(tokens: Sequence[str], count: int) -> Sequence[str]:
    """`count` of the tokens, spread evenly."""
    return tokens if len(tokens) <= count else [tokens[number * len(tokens) // count] for number in range(count)]


def unpacked(requirement: str) -> Path:
    """The folder with the contents of a wheel, downloaded and unpacked if missing."""
    name, _, version = requirement.partition("==")
    folder = toolchains.cache_folder() / "wheels" / f"{name}-{version or toolchains.newest(name)}"
    with toolchains.locked("wheels"):
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                pin = f"{name}=={folder.name.removeprefix(f'{name}-')}"
                toolchains.run(
                    [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", scratch, pin], cwd=folder.parent
                )
                [file] = Path(scratch).iterdir()
                target = Path(scratch) / "content"
                if file.suffix == ".whl":
                    with zipfile.ZipFile(file) as archive:
                        archive.extractall(target)
                else:
                    shutil.unpack_archive(file, Path(scratch) / "sdist", filter="data")
                    [target] = (Path(scratch) / "sdist").iterdir()
                target.rename(folder)
    return folder


def lines(result: Surveyed) -> Iterator[str]:
    """The findings as text."""
    yield (
        f"{result.label}: {result.resources} resources, {result.functions} functions, {result.types} types; "
        f"{result.read} members read, {len(result.faults)} faults"
    )
    yield from (f"    {fault}" for fault in result.faults[:10])


def main(argv: Sequence[str]) -> int:
    """Run the survey; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.sdk_survey", description=__doc__)
    parser.add_argument("names", nargs="*", help="packages, as aws or pulumi-aws==5.43.0 (default: all twenty)")
    parser.add_argument("--older", action="store_true", help="releases of two to three years ago instead of the newest")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="members of each kind to read")
    args = parser.parse_args(argv)
    named = [name if name.startswith("pulumi") else f"pulumi-{name}" for name in args.names]
    requirements = named or ([f"{name}=={version}" for name, version in OLDER.items()] if args.older else list(OLDER))
    status = 0
    for requirement in requirements:
        result = survey(requirement, sample=args.sample)
        for line in lines(result):
            print(line, flush=True)
        status |= bool(result.faults)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
