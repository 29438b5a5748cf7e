"""The real Pulumi CLI converts programs through our hosts: offline, without a login, with an empty PULUMI_HOME.

The CLI is built once for each machine (`tests/support/toolchains.py`).  A stand-in for the stock host is on PATH, as the CLI
asks the host of the generated project to link SDKs.  Provider plugins that only serve a schema are on PATH, too.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.host.languages import HOST_LANGUAGES
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.recovery.source import InstalledSource
from pclgen.source.load import load_program
from tests.support import fake_converter, fake_provider, fake_stock, toolchains
from tests.support.corpus import ROOT, needs_corpus, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES, REAL_SCHEMAS, example_programs, installed_programs
from tests.support.hosting import texts_below
from tests.support.schema_parts import write_schemas
from tests.support.toolchains import Sdks

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
    """The CLI with its environment in a folder."""

    def __init__(self, program: Path, folder: Path, schemas: Path, *, launchers: bool = True) -> None:
        # The CLI looks for a project in all parent folders; a forgotten project there would give its name to ours.
        strays = [str(above / "Pulumi.yaml") for above in folder.parents if (above / "Pulumi.yaml").exists()]
        assert strays == [], "remove these projects: they are above the folder of the tests"
        self.program = program
        self.folder = folder
        self.path = folder / "bin"
        self.store = SchemaStore([schemas])
        for runtime, language in HOST_LANGUAGES.items():
            fake_stock.install(self.path, language.stock)
            if not launchers:
                continue
            launcher = self.path / language.ours
            launcher.write_text(_LAUNCHER.format(python=sys.executable, root=str(ROOT), runtime=runtime))
            launcher.chmod(0o755)
        for name in self.store.names():
            package = self.store.find(name)
            assert isinstance(package, FoundPackage) and package.path is not None, package
            fake_provider.install(self.path, name, schema=json.loads(package.path.read_bytes()))

    def convert(
        self, program: Path, runtime: str, out: Path, *, converter: str = "pcl"
    ) -> subprocess.CompletedProcess[str]:
        language = HOST_LANGUAGES[runtime].plugin
        arguments: list[str | Path] = ["--from", converter, "--language", language, "--generate-only", "--strict"]
        return self.run(["convert", *arguments, "--out", out], program)

    def run(self, arguments: Sequence[str | Path], directory: Path) -> subprocess.CompletedProcess[str]:
        """Run the CLI."""
        return self.run_command([self.program, *arguments], directory)

    def run_command(
        self, command: Sequence[str | Path], directory: Path, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command without a login, a network, or state of other runs."""
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
            **variables,
        }
        return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)

    def check(self, program: Path, runtime: str) -> None:
        """Converting a program gives the files of `pclgen generate`, and the files that the CLI copies."""
        out = self.folder / "out" / runtime / program.name
        done = self.convert(program, runtime, out)
        assert done.returncode == 0, done.stdout + done.stderr
        self.compare(program, runtime, out)

    def compare(self, program: Path, runtime: str, out: Path) -> None:
        target = HOST_LANGUAGES[runtime].target
        result = pipeline.generate(load_program(str(program)), languages=[target], store=self.store)
        expected = {str(path): text.encode() for path, text in result.files[target].items()}
        texts = texts_below(out)
        assert {path: texts.get(path) for path in expected} == expected
        rest: Mapping[str, bytes] = {path: text for path, text in texts.items() if path not in expected}
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


@pytest.fixture(scope="module")
def installed(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """Provider plugins of aws and kubernetes, whose schemas are those of the SDKs."""
    [packages] = (toolchains.python(Sdks.INSTALLED).home / "venv").glob("lib/python*/site-packages")
    schemas = tmp_path_factory.mktemp("schemas")
    write_schemas(InstalledSource([packages]), installed_programs().values(), schemas)
    return Cli(cli, tmp_path_factory.mktemp("cli"), schemas)


def in_turns(programs: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Each program with one of the languages."""
    return zip(programs, itertools.cycle(HOST_LANGUAGES))  # the languages do not end


def test_examples_of_aws_and_kubernetes_are_converted(installed: Cli) -> None:
    for program, runtime in in_turns(installed_programs().values()):
        installed.check(program, runtime)


@needs_corpus
def test_field_programs_are_converted(field: Cli) -> None:
    for program, runtime in in_turns(program_directories("field")[:12]):
        field.check(program, runtime)


@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
def test_an_error_has_its_place(runtime: str, examples: Cli, tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('resource pet "random:index/randomPet:RandomPet" {\n    lengthh = 2\n}\n')
    done = examples.convert(tmp_path, runtime, tmp_path / "out")
    assert done.returncode != 0
    (message,) = [line for line in done.stderr.splitlines() if "lengthh" in line]
    assert message.startswith("error: main.pp:2,5-12: ") and "PCL" in message
    assert "This is a bug" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("runtime", HOST_LANGUAGES)
@pytest.mark.parametrize("converter", ["terraform", "yaml"])
def test_what_a_converter_makes_is_generated(converter: str, runtime: str, examples: Cli, tmp_path: Path) -> None:
    """An example is a network as the Terraform converter wrote it; a plugin of that name returns it again."""
    converted = EXAMPLES / "converted-network"
    fake_converter.install(examples.path, converter, converted)
    source = tmp_path / converted.name  # the project takes its name from the folder
    source.mkdir()
    done = examples.convert(source, runtime, tmp_path / "out", converter=converter)
    assert done.returncode == 0, done.stdout + done.stderr
    examples.compare(converted, runtime, tmp_path / "out")


def test_the_guide_can_be_followed(cli: Path, tmp_path: Path) -> None:
    """Run the commands of the guide in order, except those that need a registry."""
    guide = (ROOT / "docs" / "guides" / "pulumi-convert.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines() if not line.startswith("pip ")]
    assert len(commands) == 4, commands
    surroundings = Cli(cli, tmp_path, EXAMPLE_SCHEMAS, launchers=False)
    converted = EXAMPLES / "converted-network"
    for converter in ("yaml", "terraform"):
        fake_converter.install(surroundings.path, converter, converted)
    (surroundings.path / "pulumi").symlink_to(cli)
    pclgen = surroundings.path / "pclgen"
    pclgen.write_text(f'#!/bin/sh\nexec {sys.executable} -m pclgen "$@"\n')
    pclgen.chmod(0o755)
    project = tmp_path / converted.name
    shutil.copytree(converted, project)
    for command in commands:
        done = surroundings.run_command(["sh", "-c", command], project, PYTHONPATH=str(ROOT))
        assert done.returncode == 0, command + done.stdout + done.stderr
    for runtime, folder in (("go", "go-project"), ("nodejs", "typescript-project"), ("python", "python-project")):
        surroundings.compare(converted, runtime, project / folder)
    done = surroundings.run_command(["pclgen", "plugin", "uninstall"], project, PYTHONPATH=str(ROOT))
    assert done.returncode == 0 and done.stdout.count("removed") + done.stderr.count("removed") == 3, done


def test_in_place_of_the_bundled_generator(examples: Cli, tmp_path: Path) -> None:
    """The CLI calls a foreground host for the ordinary language, with the setting that the host prints."""
    program = EXAMPLES / "random-password"
    command = [sys.executable, "-m", "pclgen", "plugin", "serve", "python"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as host:
        assert host.stdout is not None
        setting = next(match for line in host.stdout if (match := re.search(r"(PULUMI_DEBUG_LANGUAGES)=(\S+)", line)))
        arguments = ["convert", "--from", "pcl", "--language", "python", "--generate-only", "--strict"]
        done = examples.run_command([examples.program, *arguments, "--out", tmp_path], program, **{setting[1]: setting[2]})
        host.send_signal(signal.SIGINT)
    assert done.returncode == 0, done.stdout + done.stderr
    examples.compare(program, "python", tmp_path)
