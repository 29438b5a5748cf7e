"""Generate programs in tests, through the pipeline.

Programs are {name: directory}, with schema directories.  The result has a folder of generated files per program, and the
errors of the rejected programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pclgen.diagnostics.model import Severity
from pclgen.languages import LANGUAGES
from pclgen.schema.load import SchemaStore
from pclgen.schema.sources import SchemaSource
from pclgen.source.load import load_program
from tests.support.corpus import CORPUS, ROOT
from tests.support.files import write_files

__all__ = [
    "EXAMPLES",
    "EXAMPLE_SCHEMAS",
    "LANGUAGES",
    "REAL_SCHEMAS",
    "Generated",
    "example_programs",
    "generate",
    "installed_programs",
]

EXAMPLES = ROOT / "examples"
EXAMPLE_SCHEMAS = EXAMPLES / "schemas"
REAL_SCHEMAS = CORPUS / "schemas" / "real"
_OF_INSTALLED = ("aws-", "kubernetes-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """The results of several programs: a folder for each generated program, in each language; error texts of the rest."""

    folders: Mapping[str, Mapping[str, Path]]  # language, program
    refused: Mapping[str, list[str]]


def example_programs() -> dict[str, Path]:
    """The programs of `examples/` whose schemas are in `examples/schemas`, by name."""
    return {name: path for name, path in _all_examples() if not name.startswith(_OF_INSTALLED)}


def installed_programs() -> dict[str, Path]:
    """The programs of `examples/` that find their schemas in installed SDKs, by name."""
    return {name: path for name, path in _all_examples() if name.startswith(_OF_INSTALLED)}


def _all_examples() -> list[tuple[str, Path]]:
    return [(path.parent.name, path.parent) for path in sorted(EXAMPLES.glob("*/main.pp"))]


def generate(
    programs: Mapping[str, Path],
    out: Path,
    *,
    schemas: Sequence[Path | SchemaSource],
    languages: Sequence[str] = LANGUAGES,
    lenient: bool = False,
) -> Generated:
    """Generate `programs`, without project files, into `out/<language>/<program>`."""
    from pclgen.pipeline import generate as generate_program

    store = SchemaStore(schemas)
    folders: dict[str, dict[str, Path]] = {language: {} for language in languages}
    refused: dict[str, list[str]] = {}
    for name, folder in programs.items():
        outcome = generate_program(
            load_program(str(folder)), languages=languages, store=store, lenient=lenient, program_only=True
        )
        errors = [d for d in outcome.diagnostics if d.severity is Severity.ERROR]
        if errors:
            refused[name] = [f"{d.code}: {d.message}" for d in errors]
            continue
        for language in languages:
            target = folders[language][name] = out / language / name
            write_files(target, outcome.files[language])
    return Generated(folders=folders, refused=refused)
