"""Pulumi's conformance programs, the peer's own test programs, and field programs without published Go SDKs, in Go.

The generated programs type-check against SDKs of the reference's generator and are formatted as gofmt requires.  Programs
that the peer reads only leniently are generated leniently.  `REFUSED` lists the programs that Go cannot express, each with
the reason; it only shrinks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.support import conformance
from tests.support.compilers import check_gofmt
from tests.support.conformance import Outcome, Program, generated
from tests.support.corpus import needs_corpus, program_directories
from tests.support.generated import REAL_SCHEMAS
from tests.support.sdks.corpus import corpus_kit, schemas_of
from tests.support.sdks.go import sdk_kit
from tests.support.sdks.gotypes import check_types

pytestmark = needs_corpus

UNPUBLISHED_FIELD = frozenset({"06", "07", "12", "17", "19", "22", "23", "26", "28", "29", "30", "40"})
"""The field programs whose SDKs are not in Go's registry, by number; test_corpus_generate judges the others."""

REFUSED: Mapping[str, str] = {
    "codegen/traverse-union-repro": "a list where the schema has text: no such value exists in Go",
}
"""Programs that are refused in Go, with a diagnostic at the position."""

LEAST = 226
"""The number of programs that are generated and type-check; it only grows."""


def programs() -> Iterator[tuple[str, Program]]:
    """All programs that bind, by name."""
    yield from conformance.programs()
    for folder in program_directories("field"):
        if folder.name[:2] in UNPUBLISHED_FIELD:
            yield f"field/{folder.name}", Program(folder=folder, schemas=(REAL_SCHEMAS,))


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return generated("go", tmp_path_factory.mktemp("conformance-go"), programs())


def test_all_but_the_listed_are_generated(outcome: Outcome) -> None:
    assert {name: errors for name, errors in outcome.refused.items() if name not in REFUSED} == {}
    assert {*REFUSED} - {*outcome.refused} == set(), "no longer refused: take them out of the list"
    assert all(errors[0].startswith("PCL09") for errors in outcome.refused.values())


def test_all_type_check(outcome: Outcome) -> None:
    messages = check_types(outcome.folders, corpus_kit())
    assert {name: lines for name, lines in messages.items() if lines} == {}
    assert len(messages) >= LEAST


def test_all_are_laid_out_as_gofmt_wants(outcome: Outcome) -> None:
    flat = {name.replace("/", "-"): folder for name, folder in outcome.folders.items()}
    assert {name: lines for name, lines in check_gofmt(flat).items() if lines} == {}


def test_a_union_assigned_to_a_union_is_unchanged(outcome: Outcome) -> None:
    """Only the running program knows the type of the object: decoding it into one of the types would lose the others."""
    text = (outcome.folders["conformance/l2-discriminated-union-marked-key"] / "main.go").read_text(encoding="utf-8")
    assert "UnionIn: first.UnionOut,\n" in text


def test_sdks_that_are_packed(tmp_path: Path) -> None:
    """The same programs with `meta.supportPack` in every schema: such SDKs have their modules elsewhere."""
    packed = tmp_path / "schemas"
    packed.mkdir()
    for path in schemas_of("conformance"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        schema["meta"] = {**(schema.get("meta") or {}), "supportPack": True}
        (packed / path.name).write_text(json.dumps(schema), encoding="utf-8")
    repacked = {
        name: replace(program, schemas=tuple(packed / path.name for path in program.schemas))
        for name, program in conformance.programs()
        if name.startswith("conformance/")
    }
    outcome = generated("go", tmp_path / "programs", repacked.items())
    assert {name: errors for name, errors in outcome.refused.items() if name not in REFUSED} == {}
    messages = check_types(outcome.folders, sdk_kit(sorted(packed.glob("*.json"))))
    assert {name: lines for name, lines in messages.items() if lines} == {}
    texts = [path.read_text(encoding="utf-8") for folder in outcome.folders.values() for path in folder.glob("*.go")]
    imported = {path for text in texts for path in re.findall(r'"(\S+/pulumi-[\w-]+/sdk\S*)"', text)}
    assert {path for path in imported if not re.search(r"/sdk/go/(v\d+/)?\w+", path)} == set()
    assert "example.com/pulumi-keywords/sdk/go/v20/keywords" in imported
    assert len(imported) > 60 and len(messages) > 150
