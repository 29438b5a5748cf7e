"""The programs of `conformance` and `codegen` in the shared corpus, generated in one language.

Programs that the peer accepts only in lenient mode are generated in lenient mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from tests.support.corpus import CORPUS, program_directories
from tests.support.generated import generate
from tests.test_bind_corpus import _LENIENT, RUNS


class Program(Struct, frozen=True, kw_only=True):
    """A program, its schemas, and whether it needs lenient mode."""

    folder: Path
    schemas: tuple[Path, ...]
    lenient: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Folders of generated programs, and the errors of the others."""

    folders: Mapping[str, Path]
    refused: Mapping[str, list[str]]

    def of(self, kind: str) -> dict[str, Path]:
        """The folders of one part of the corpus, by names without slashes."""
        return {name.partition("/")[2]: path for name, path in self.folders.items() if name.startswith(f"{kind}/")}


def programs() -> Iterator[tuple[str, Program]]:
    """All programs that bind, by name: `conformance/…`, `codegen/…`."""
    root = CORPUS / "conformance"
    for folder, schemas, fails in RUNS:
        if not fails:
            parts = [part for part in folder.relative_to(root).parts if part != "program"]
            paths = tuple(CORPUS / "schemas" / "conformance" / name for name in schemas)
            yield f"conformance/{'-'.join(parts)}", Program(folder=folder, schemas=paths)
    for folder in program_directories("codegen"):
        paths = (CORPUS / "schemas" / "codegen",)
        yield f"codegen/{folder.name}", Program(folder=folder, schemas=paths, lenient=folder.name in _LENIENT)


def generated(language: str, out: Path, named_programs: Iterable[tuple[str, Program]]) -> Outcome:
    """Generate programs below `out`."""
    folders: dict[str, Path] = {}
    refused: dict[str, list[str]] = {}
    for name, program in named_programs:
        result = generate(
            {name: program.folder}, out, schemas=program.schemas, languages=[language], lenient=program.lenient
        )
        folders |= result.folders[language]
        refused |= result.refused
    return Outcome(folders=folders, refused=refused)
