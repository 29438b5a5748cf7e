"""Prints how soon an edit is answered: `python -m tests.benchmarks.editing [--resources 1000] [--edits 40] [--schema FILE]`.

A client over standard input and output changes a program of so many resources at a random place.  After each change it asks for
completion at that place, and waits for the answer and for the diagnostics.  Then `pclgen view` gets edits of the same program,
as its page sends them: for its problems, then for the rest.  The 95th percentiles are seconds on the wall, with the pause (`DELAY`) before diagnostics, and ratios to
`pclgen check` of the same program.  The goals: 0.1 s and 0.3 s.  With `--schema` (that of digitalocean) the resources are
droplets; without, they are those of a small schema made up for benchmarks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
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


@dataclass(slots=True, kw_only=True)
class Times:
    """Seconds from each change to the answers."""

    completion: list[float]
    diagnostics: list[float]


async def edited(folder: Path, text: str, schemas: Path, edits: int) -> Times:
    """The times of a session."""
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
    places = [index for index, line in enumerate(text.split("\n")) if line.lstrip().startswith("name ")]
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
        found = await client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), place)
        )
        times.completion.append(perf_counter() - started)
        assert isinstance(found, types.CompletionList) and found.items
        await arrived.wait()
        times.diagnostics.append(perf_counter() - started)
    await client.shutdown_async(None)
    client.exit(None)
    stop: Callable[[], Awaitable[None]] = client.stop  # the library does not type it
    await stop()
    return times


def viewed(folder: Path, text: str, schemas: Path, edits: int) -> tuple[list[float], list[float]]:
    """The seconds from each edit of the page of `pclgen view` to its problems, and to its new content."""
    command = [sys.executable, "-m", "pclgen", "view", str(folder), "--no-open", "--schemas", str(schemas), *SOURCES]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            urlopen(url).read()
            problems, contents = [], []
            for number in range(edits):
                changed = text.replace('"web"', f'"web{number}"', 1)
                assert changed != text
                body = json.dumps({"files": {"main.pp": changed}}).encode()
                started = perf_counter()
                with urlopen(Request(f"{url}problems", body)) as answer:
                    assert "diagnostics" in json.load(answer)
                problems.append(perf_counter() - started)
                started = perf_counter()
                with urlopen(Request(f"{url}content", body)) as answer:
                    assert f"web{number}" in answer.read().decode()
                contents.append(perf_counter() - started)
            return problems, contents
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


def checked(folder: Path, schemas: Path) -> list[float]:
    """The seconds of some runs of `pclgen check`."""
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
    parser.add_argument("--schema", type=Path, help="the schema of digitalocean: its droplets are the resources")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        schemas = synthetic.write_schema(Path(temporary))
        text = synthetic.resources(arguments.resources)
        if arguments.schema is not None:
            shutil.copy(arguments.schema, schemas)
            text = droplets(arguments.resources)
        folder = synthetic.write_program(Path(temporary), "program", text)
        # Other programs slow the machine down for a while: checks stand between the measurements.
        checks = checked(folder, schemas)
        times = asyncio.run(edited(folder, text, schemas, arguments.edits))
        checks += checked(folder, schemas)
        problems, contents = viewed(folder, text, schemas, arguments.edits)
        check = median(checks + checked(folder, schemas))
    print(f"pclgen check of {arguments.resources} resources: {check:.2f} s")
    answers = {"completion": times.completion, "diagnostics": times.diagnostics, "problems of the page": problems}
    for name, own in {**answers, "content of the page": contents}.items():
        most = quantiles(own, n=20)[-1]
        print(f"{name}: 95th percentile {most * 1000:.0f} ms, {most / check:.2f} of check (median {median(own) * 1000:.0f} ms)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
