"""Helpers of generated programs are short: the program is what a reader sees first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

import pclgen
from tests.support import conformance
from tests.support.corpus import needs_corpus, program_directories
from tests.support.generated import EXAMPLE_SCHEMAS, LANGUAGES, REAL_SCHEMAS, Generated, example_programs, generate
from tests.support.inline_helpers import inline_helpers

MOST_OF_ONE = 20
MOST_OF_A_PROGRAM = 20
"""Lines, or a tenth of the program if that is more."""


def too_long(generated: Generated) -> Mapping[str, object]:
    """The programs whose helpers break the rule."""
    found: dict[str, object] = {}
    for language, folders in generated.folders.items():
        for name, folder in folders.items():
            helpers = inline_helpers(folder, language)
            budget = max(MOST_OF_A_PROGRAM, helpers.program_lines / 10)
            if helpers.total > budget or any(lines > MOST_OF_ONE for lines in helpers.lines.values()):
                found[f"{language}/{name}"] = dict(helpers.lines)
    return found


def test_examples(tmp_path: Path) -> None:
    generated = generate(example_programs(), tmp_path, schemas=[EXAMPLE_SCHEMAS])
    assert too_long(generated) == {}


@needs_corpus
@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
def test_field_programs(tmp_path: Path, *, lenient: bool) -> None:
    programs = {path.name: path for path in program_directories("field")}
    assert too_long(generate(programs, tmp_path, schemas=[REAL_SCHEMAS], lenient=lenient)) == {}


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_conformance_programs(tmp_path: Path, language: str) -> None:
    outcome = conformance.generated(language, tmp_path, conformance.programs())
    assert too_long(Generated(folders={language: outcome.folders}, refused={})) == {}


MANY = """config settings { }
config "names" "list(string)" { }
output first { value = try(settings.a.b, settings.c, "none") }
output found { value = can(settings.a.b) }
output one { value = singleOrNone(names) }
output text { value = "${settings.text}-${settings.number}" }
output listed { value = [for k, v in settings : "${k}=${v}"] }
output size { value = settings.size * 2 }
output json { value = toJSON(settings) }
"""
FILES = {"python": "_helpers.py", "typescript": "helpers.ts", "go": "helpers.go"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_helpers_stand_in_a_file_of_their_own(language: str) -> None:
    result = pclgen.generate({"main.pp": MANY}, languages=[language], program_only=True)
    assert [d.message for d in result.diagnostics if d.severity == "error"] == []
    assert PurePosixPath(FILES[language]) in result.files[language]
