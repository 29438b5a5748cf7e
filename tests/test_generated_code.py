"""Generated code of the examples type-checks against the real SDKs and satisfies the formatters, in every language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import compilers
from tests.support.compilers import Messages, Programs
from tests.support.corpus import ROOT
from tests.support.generated import EXAMPLE_SCHEMAS, LANGUAGES, Generated, example_programs, generate

TYPES: dict[str, Callable[[Programs], Messages]] = {
    "python": compilers.check_python,
    "typescript": compilers.check_typescript,
    "go": compilers.check_go,
}
LAYOUT: dict[str, Callable[[Programs], Messages]] = {
    "python": compilers.check_black,
    "typescript": compilers.check_prettier,
    "go": compilers.check_gofmt,
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(example_programs(), tmp_path_factory.mktemp("examples"), schemas=[EXAMPLE_SCHEMAS])


def complaints(messages: Messages) -> dict[str, list[str]]:
    return {name: texts for name, texts in messages.items() if texts}


def test_every_example_generates(examples: Generated) -> None:
    assert len(example_programs()) >= 3
    assert examples.refused == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_types(examples: Generated, language: str) -> None:
    assert complaints(TYPES[language](examples.folders[language])) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_layout(examples: Generated, language: str) -> None:
    assert complaints(LAYOUT[language](examples.folders[language])) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_as_in_company(examples: Generated, language: str, tmp_path: Path) -> None:
    """A language generated alone is byte for byte the same as that language generated with all others."""
    alone = generate(example_programs(), tmp_path, schemas=[EXAMPLE_SCHEMAS], languages=[language])

    def contents(generated: Generated) -> dict[str, bytes]:
        return {
            f"{name}/{path.relative_to(folder)}": path.read_bytes()
            for name, folder in generated.folders[language].items()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    assert contents(alone) == contents(examples)


@pytest.mark.parametrize(("language", "begins"), [("typescript", ""), ("go", "package main\n\n")])
def test_helpers_are_laid_out(language: str, begins: str, tmp_path: Path) -> None:
    """Few programs need each helper, so each is checked here; black formats Python helpers with the program."""
    helpers = tmp_path / "helpers"
    helpers.mkdir()
    for template in (ROOT / "templates" / language / "helpers").iterdir():
        (helpers / template.name.removesuffix(".jinja")).write_text(begins + template.read_text(encoding="utf-8"))
    assert LAYOUT[language]({"helpers": helpers}) == {"helpers": []}
