"""The originals of mutations: programs with their schemas, by name.

They come from the shared corpus, if it is available, and from this repository's cases and examples, as sorted `Seed`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, RawFile
from tests.support.binding import SCHEMAS
from tests.support.conformance import programs
from tests.support.corpus import CORPUS, ROOT, SHARED, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, REAL_SCHEMAS, example_programs, installed_programs
from tests.support.random_programs import packed
from tests.support.yaml_programs import CONSTRUCTS

_DATA = 64 << 10
_RANDOM = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The files of a program by path; `schemas` are folders and files."""

    files: dict[str, bytes]
    schemas: tuple[Path, ...] = ()

    @property
    def is_yaml(self) -> bool:
        """Whether the program is in Pulumi YAML."""
        return "Pulumi.yaml" in self.files and not any(name.endswith(".pp") for name in self.files)


def loaded(source: Program) -> LoadedProgram:
    """Load a program in memory, with only its PCL files."""
    directories: dict[str, list[RawFile]] = {".": []}
    for path, data in sorted(source.files.items()):
        place = PurePosixPath(path)
        if place.suffix == ".pp" or source.is_yaml:
            directories.setdefault(str(place.parent), []).append(RawFile(name=path, path=None, data=data))
    tables = {directory: tuple(files) for directory, files in directories.items()}
    return LoadedProgram(name="program", root=Path(), files=tables["."], directories=tables)


@dataclass(frozen=True, kw_only=True)
class Seed:
    """A program, made or read on first use.

    `place` is its folder, its file, the number of a random program, or the text of a program in Pulumi YAML.
    """

    name: str
    place: Path | int | str
    schemas: tuple[Path, ...]

    @cached_property
    def program(self) -> Program:
        """Its small files."""
        return Program(files=dict(self._files()), schemas=self.schemas)

    @cached_property
    def pack(self) -> bytes | None:
        """The program in one file; None if it has errors."""
        return pipeline.pack(loaded(self.program), store=SchemaStore(self.schemas)).data

    def _files(self) -> Iterator[tuple[str, bytes]]:
        if isinstance(self.place, int):
            numbers = range(self.place, self.place + 3)
            yield "main.pp", packed(numbers).encode()
        elif isinstance(self.place, str):
            yield "Pulumi.yaml", self.place.encode()
        elif self.place.is_file():
            yield "main.pp", self.place.read_bytes()
        else:
            for path in sorted(self.place.rglob("*")):
                if path.is_file() and path.name != "expect.txt" and path.stat().st_size <= _DATA:
                    yield path.relative_to(self.place).as_posix(), path.read_bytes()


def seeds() -> list[Seed]:
    """All seeds, sorted by name."""
    return sorted(_all_seeds(), key=lambda seed: seed.name)


def _all_seeds() -> Iterator[Seed]:
    own, published = (EXAMPLE_SCHEMAS,), (REAL_SCHEMAS,)
    for name, folder in example_programs().items():
        yield Seed(name=f"examples/{name}", place=folder, schemas=own)
    for number in range(_RANDOM):
        yield Seed(name=f"random/{number}", place=number * 3, schemas=own)
    for name, (text, _) in CONSTRUCTS.items():
        yield Seed(name=f"yaml/{name}", place=text, schemas=own)
    for kind in ("pain", "programs"):
        for place in (ROOT / "tests" / "cases" / kind).iterdir():
            yield Seed(name=f"cases/{kind}/{place.name}", place=place, schemas=(SCHEMAS,))
    if not CORPUS.is_dir():
        return
    recovered = CORPUS / "schemas" / "recovered"
    installed = tuple([recovered / name for name in ("aws-7.48.0.json", "kubernetes-4.34.2.json")])
    for name, folder in installed_programs().items():
        yield Seed(name=f"examples/{name}", place=folder, schemas=installed)
    for kind in ("field", "bad", "accepted-beyond-peer"):
        for folder in program_directories(kind):
            yield Seed(name=f"{kind}/{folder.name}", place=folder, schemas=published)
    for path in (SHARED / "spec" / "repro").iterdir():
        if path.is_dir():
            yield Seed(name=f"repro/{path.name}", place=path, schemas=(SCHEMAS,))
    for name, program in programs():
        yield Seed(name=name, place=program.folder, schemas=program.schemas)
