"""The corpora in whose generated programs tests and `tests.benchmarks.helpers` look for helpers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.support import conformance
from tests.support.binding import SCHEMAS
from tests.support.corpus import CORPUS, ROOT, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, LANGUAGES, REAL_SCHEMAS, Generated, example_programs, generate

_CASES = ROOT / "tests" / "cases"
_YAML_SCHEMAS = (_CASES / "yaml-schemas", REAL_SCHEMAS, CORPUS / "schemas" / "recovered")


def _examples(out: Path) -> Generated:
    return generate(example_programs(), out, schemas=[EXAMPLE_SCHEMAS])


def _field(out: Path) -> Generated:
    return generate(_named("field"), out, schemas=[REAL_SCHEMAS])


def _field_lenient(out: Path) -> Generated:
    return generate(_named("field"), out, schemas=[REAL_SCHEMAS], lenient=True)


def _yaml(out: Path) -> Generated:
    programs = {path.name: path for path in sorted((_CASES / "yaml").iterdir())}
    return generate(programs, out, schemas=_YAML_SCHEMAS)


def _pain(out: Path) -> Generated:
    programs = {path.parent.name: path.parent for path in sorted((_CASES / "pain").glob("*/main.pp"))}
    return generate(programs, out, schemas=[SCHEMAS])


def _constructs(out: Path) -> Generated:
    paths = [path for path in sorted((_CASES / "programs").iterdir()) if path.suffix == ".pp" or path.is_dir()]
    return generate({path.stem: path for path in paths}, out, schemas=[SCHEMAS])


def _conformance(out: Path) -> Generated:
    programs = list(conformance.programs())
    folders = {language: conformance.generated(language, out, programs).folders for language in LANGUAGES}
    return Generated(folders=folders, refused={})


def _named(kind: str) -> dict[str, Path]:
    return {path.name: path for path in program_directories(kind)}


CORPORA: Final[Mapping[str, Callable[[Path], Generated]]] = {
    "examples": _examples,
    "field": _field,
    "field, lenient": _field_lenient,
    "conformance": _conformance,
    "yaml": _yaml,
    "pain": _pain,
    "constructs": _constructs,
}
"""Functions that generate the programs of a corpus into a folder, in every language."""
WITHOUT_SHARED: Final = frozenset({"examples", "pain", "constructs"})
"""Corpora that need only the repository."""
