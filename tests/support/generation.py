"""Snapshots of generated programs: `snapshots/<area>/<case>/<language>/<file>`, beside a note that names the source.

Comes in: a program of this repository, a language, schema directories.  Goes out: a comparison with the snapshot of what is
generated; a diagnostic of any severity fails.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from syrupy.assertion import SnapshotAssertion

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.schema.sources import SchemaSource
from tests.support.corpus import ROOT
from tests.support.snapshots import SNAPSHOTS, assert_file, assert_files

SOURCE_NOTE = "SOURCE.md"


def generated_files(
    source: Path, language: str, *, schemas: Sequence[Path | SchemaSource], program_only: bool
) -> dict[str, str]:
    """The files of one language, by path; fails when there is anything to say about the program."""
    store = SchemaStore(schemas)
    result = pclgen.generate(source, languages=[language], store=store, program_only=program_only)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    return {str(path): text for path, text in result.files[language].items()}


def assert_generated(
    snapshot: SnapshotAssertion,
    case: str,
    source: Path,
    language: str,
    *,
    schemas: Sequence[Path | SchemaSource],
    program_only: bool,
) -> None:
    """Compare what is generated for `source` with `snapshots/<case>/<language>`."""
    files = generated_files(source, language, schemas=schemas, program_only=program_only)
    assert_files(snapshot, f"{case}/{language}", files)


def assert_source_note(snapshot: SnapshotAssertion, case: str, source: Path) -> None:
    """Compare the note beside a case, which says where its source is."""
    shown = PurePosixPath(source.relative_to(ROOT).as_posix())
    link = PurePosixPath(Path(os.path.relpath(source, SNAPSHOTS / case)).as_posix())
    assert_file(snapshot, f"{case}/{SOURCE_NOTE}", f"Generated from [{shown}]({link}).\n")
