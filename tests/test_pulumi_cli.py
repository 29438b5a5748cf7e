"""The real Pulumi CLI converts programs through our hosts: offline, without a login, with an empty PULUMI_HOME.

The CLI is built once for each machine (`tests/support/toolchains.py`).  A stand-in of the stock host is on PATH, as the CLI asks
the one of the generated project to link SDKs; so are provider plugins that have nothing but a schema.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.host.languages import HOST_LANGUAGES
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.source.load import load_program
from tests.support import fake_provider, fake_stock, toolchains
from tests.support.corpus import ROOT, needs_corpus, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs
from tests.support.hosting import texts_below

_LAUNCHER = "#!{python}\nimport sys\nsys.path.insert(0, {root!r})\nfrom pclgen.host.launch import {runtime}\n{runtime}()\n"


@pytest.fixture(scope="module")
def cli() -> Path:
    """The CLI."""
    try:
        return toolchains.pulumi_cli()
    except toolchains.ToolError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"left out: the Pulumi CLI cannot be built here: {error}")


class Cli:
    """The CLI with its surroundings in a folder."""

    def __init__(self, program: Path, folder: Path, schemas: Path) -> None:
        self.program = program
        self.folder = folder
        self.path = folder / "bin"
        self.store = SchemaStore([schemas])
        for runtime, language in HOST_LANGUAGES.items():
            fake_stock.install(self.path, language.stock)
            launcher = self.path / language.ours
            launcher.write_text(_LAUNCHER.format(python=sys.executable, root=str(ROOT), runtime=runtime))
            launcher.chmod(0o755)
        for name in self.store.names():
            found = self.store.find(name)
            assert isinstance(found, FoundPackage) and found.path is not None, found
            fake_provider.install(self.path, name, schema=json.loads(found.path.read_bytes()))

    def convert(self, program: Path, runtime: str, out: Path) -> subprocess.CompletedProcess[str]:
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        environment = {
            "PATH": f"{self.path}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "HOME": str(home),
            "PULUMI_HOME": str(home / "pulumi"),
            "PULUMI_SKIP_UPDATE_CHECK": "1",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PCLGEN_NO_CACHE": "1",
            fake_stock.NOTES: str(self.folder / "notes"),
            fake_stock.ANSWER: "nothing",
        }
        language = HOST_LANGUAGES[runtime].plugin
        command: list[str | Path] = [self.program, "convert", "--from", "pcl", "--language", language]
        command += ["--generate-only", "--strict", "--out", out]
        return subprocess.run(command, cwd=program, env=environment, capture_output=True, text=True, check=False)

    def check(self, program: Path, runtime: str) -> None:
        """The conversion of a program is what `pclgen generate` makes of it, and the files that the CLI copies."""
        out = self.folder / "out" / runtime / program.name
        done = self.convert(program, runtime, out)
        assert done.returncode == 0, done.stdout + done.stderr
        target = HOST_LANGUAGES[runtime].target
        result = pipeline.generate(load_program(str(program)), languages=[target], store=self.store)
        wanted = {str(path): text.encode() for path, text in result.files[target].items()}
        found = texts_below(out)
        assert {path: found.get(path) for path in wanted} == wanted
        rest: Mapping[str, bytes] = {path: text for path, text in found.items() if path not in wanted}
        assert rest == {path: (program / path).read_bytes() for path in rest}


@pytest.fixture(scope="module")
def examples(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    return Cli(cli, tmp_path_factory.mktemp("cli"), EXAMPLE_SCHEMAS)


@pytest.fixture(scope="module")
def field(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    return Cli(cli, tmp_path_factory.mktemp("cli"), REAL_SCHEMAS)


@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
def test_examples_are_converted(runtime: str, examples: Cli) -> None:
    for program in example_programs().values():
        examples.check(program, runtime)


@needs_corpus
@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
def test_field_programs_are_converted(runtime: str, field: Cli) -> None:
    programs = program_directories("field")[:10]
    assert len(programs) == 10
    for program in programs:
        field.check(program, runtime)


@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
def test_a_mistake_is_told_with_its_place(runtime: str, examples: Cli, tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('resource pet "random:index/randomPet:RandomPet" {\n    lengthh = 2\n}\n')
    done = examples.convert(tmp_path, runtime, tmp_path / "out")
    assert done.returncode != 0
    (told,) = [line for line in done.stderr.splitlines() if "lengthh" in line]
    assert told.startswith("error: main.pp:2,5-12: ") and "PCL" in told
    assert "This is a bug" not in done.stderr and "Traceback" not in done.stderr
