"""Measure edits: `python -m tests.benchmarks.editing [--resources 1000] [--edits 40] [--schema FILE]`.

A client over standard input and output edits a program of `--resources` resources at random places.  After each edit it asks
for completion at that place, and waits for the answer and for the diagnostics.  Then `pclgen view` gets edits of the same
program, as its page sends them: for its problems with the code of the edited item, for all code in one language, and for the
contents of other tabs.

It prints 95th percentiles in wall seconds, including the pause (`DELAY`) before diagnostics, and their ratios to
`pclgen check` of the same program.  The goals: 0.1 s and 0.3 s.  `--schema` takes the schema of a package in `SAMPLES`;
without it, the resources use a small schema made for benchmarks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from urllib.request import Request, urlopen

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.benchmarks import synthetic

SOURCES = ("--sources", "files")
RUNS = 3
PARTS = ("python", "run", "graph")
"""The parts that a page asks for one after the other: the first needs an analysis of the new text."""


@dataclass(slots=True, kw_only=True)
class Times:
    """Seconds from each change to the answers."""

    completion: list[float]
    diagnostics: list[float]


async def edited(folder: Path, sample: Sample, schemas: Path, edits: int) -> Times:
    """Run a session and return its times."""
    text = sample.text
    client, arrived = LanguageClient("benchmark", "1"), asyncio.Event()

    def published(_: types.PublishDiagnosticsParams) -> None:
        arrived.set()

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
    await client.start_io(sys.executable, "-m", "pclgen", "lsp", "--schemas", str(schemas), *SOURCES)
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=folder.as_uri()))
    client.initialized(types.InitializedParams())
    uri = (folder / "main.pp").as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "pcl", 0, text)))
    await arrived.wait()
    rng, times = Random(1), Times(completion=[], diagnostics=[])
    places = [index for index, line in enumerate(text.split("\n")) if line.lstrip().startswith(f"{sample.member} ")]
    for version in range(1, edits + 1):
        arrived.clear()
        lines = text.split("\n")
        line = rng.choice(places)
        lines.insert(line, "  en")
        whole = types.TextDocumentContentChangeWholeDocument(text="\n".join(lines))
        started = perf_counter()
        document = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        place = types.Position(line=line, character=4)
        completions = await client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), place)
        )
        times.completion.append(perf_counter() - started)
        assert isinstance(completions, types.CompletionList) and completions.items
        await arrived.wait()
        times.diagnostics.append(perf_counter() - started)
    await client.shutdown_async(None)
    client.exit(None)
    stop: Callable[[], Awaitable[None]] = client.stop  # the library does not type it
    await stop()
    return times


def viewed(folder: Path, sample: Sample, schemas: Path, edits: int) -> dict[str, list[float]]:
    """The seconds from each edit of the page of `pclgen view` to its problems, and of its further requests."""
    command = [sys.executable, "-m", "pclgen", "view", str(folder), "--no-open", "--schemas", str(schemas), *SOURCES]
    times: dict[str, list[float]] = {"problems": [], **{part: [] for part in PARTS}}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()

            def seconds(action: str, body: object, expected: str) -> float:
                started = perf_counter()
                with urlopen(Request(f"{url}{action}", json.dumps(body).encode())) as answer:
                    assert expected in answer.read().decode()
                return perf_counter() - started

            urlopen(url).read()
            seconds("content", {"files": {"main.pp": sample.text}, "parts": PARTS[:1]}, sample.value)
            for number in range(edits):
                changed = sample.text.replace(sample.value, f"web{number}x", 1)
                assert changed != sample.text
                files = {"files": {"main.pp": changed}}
                times["problems"].append(seconds("problems", {**files, "parts": PARTS[:1]}, f"web{number}x"))
                for part in PARTS:
                    times[part].append(seconds("content", {**files, "parts": [part]}, f"web{number}x"))
            return times
        finally:
            process.terminate()


def droplets(count: int) -> str:
    """A program with `count` resources of digitalocean."""
    parts = ['config prefix string {\n  default = "web"\n}\n']
    for index in range(count):
        before = f'"${{server{index - 1}.urn}}"' if index else '"first"'
        parts.append(
            f'resource server{index} "digitalocean:index/droplet:Droplet" {{\n  name  = "${{prefix}}-{index}"\n'
            f'  image = "debian-12-x64"\n  size  = "s-1vcpu-1gb"\n  tags  = [{before}]\n}}\n'
        )
    return "\n".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A program, a member that all of its resources have, and a text in it that an edit of the page changes."""

    text: str
    member: str = "name"
    value: str = "web"


SAMPLES: Mapping[str, Callable[[int], Sample]] = {
    "bench": lambda count: Sample(text=synthetic.resources(count)),
    "digitalocean": lambda count: Sample(text=droplets(count)),
    "aws": lambda count: Sample(text=synthetic.templates_of_aws(count), member="namePrefix", value="web-0-"),
}
"""Programs of a given number of resources, by package."""


def checked(folder: Path, schemas: Path) -> list[float]:
    """The seconds of several `pclgen check` runs."""
    command = [sys.executable, "-m", "pclgen", "check", str(folder), "--schemas", str(schemas), *SOURCES]
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(perf_counter() - started)
    return times


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.editing")
    parser.add_argument("--resources", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--schema", type=Path, help=f"the schema of one of these packages: {', '.join(SAMPLES)}")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        schemas, package = synthetic.write_schema(Path(temporary)), "bench"
        if arguments.schema is not None:
            package = json.loads(arguments.schema.read_bytes())["name"]
            shutil.copy(arguments.schema, schemas)
        sample = SAMPLES[package](arguments.resources)
        folder = synthetic.write_program(Path(temporary), "program", sample.text)
        # Other programs slow the machine down for a while, so checks and measurements alternate.
        checks = checked(folder, schemas)
        times = asyncio.run(edited(folder, sample, schemas, arguments.edits))
        checks += checked(folder, schemas)
        page = viewed(folder, sample, schemas, arguments.edits)
        check = median(checks + checked(folder, schemas))
    print(f"pclgen check of {arguments.resources} resources of {package}: {check:.2f} s")
    answers = {"completion": times.completion, "diagnostics": times.diagnostics}
    for name, own in {**answers, **{f"{part} of the page": own for part, own in page.items()}}.items():
        most = quantiles(own, n=20)[-1]
        print(f"{name}: 95th percentile {most * 1000:.0f} ms, {most / check:.2f} of check (median {median(own) * 1000:.0f} ms)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
