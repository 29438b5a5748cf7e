"""Helpers of generated programs are short, so that a reader sees the program first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from pclgen.choices import CodeStyle
from pclgen.cli import app
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.stdlib.packs import FunctionPackError, load_pack
from pclgen.verify.report import LEVELS, Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.generated import LANGUAGES, Generated
from tests.support.helper_corpora import CORPORA, WITHOUT_SHARED
from tests.support.inline_helpers import APART, inline_helpers
from tests.support.verified import environments, programs_in_memory, verified

MOST_OF_ONE = 20
MOST_OF_A_PROGRAM = 20
"""Lines, or a tenth of the program if that is more."""


def too_long(generated: Generated) -> Mapping[str, object]:
    """Map the programs whose helpers break the rule to their helper lines."""
    lengths: dict[str, object] = {}
    for language, folders in generated.folders.items():
        for name, folder in folders.items():
            helpers = inline_helpers(folder, language)
            budget = max(MOST_OF_A_PROGRAM, helpers.program_lines / 10)
            if helpers.total > budget or any(lines > MOST_OF_ONE for lines in helpers.lines.values()):
                lengths[f"{language}/{name}"] = dict(helpers.lines)
    return lengths


@pytest.mark.parametrize(
    "corpus", [name if name in WITHOUT_SHARED else pytest.param(name, marks=needs_corpus) for name in CORPORA]
)
def test_helpers_are_short(tmp_path: Path, corpus: str) -> None:
    generated = CORPORA[corpus](tmp_path)
    assert any(generated.folders.values())
    assert too_long(generated) == {}


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
INSIDE = """config settings { }
textOf = "${settings.text}-${settings.number}"
output got { value = textOf }
output can { value = can(settings.a.b) }
"""
NAMESAKES = f"""{MANY}
component helpers "./helpers" {{ settings = settings }}
component other "./deep/_helpers" {{ settings = settings }}
_helpers = "${{helpers.got}}${{other.got}}"
output _helpers {{ value = _helpers }}
output to_text {{ value = can(helpers.can) }}
"""
PROGRAMS = {
    "many": {"main.pp": MANY},
    "namesakes": {"main.pp": NAMESAKES, "helpers/main.pp": INSIDE, "deep/_helpers/main.pp": INSIDE},
}
"""Programs that need many helpers; the second has components and variables with the names of their files."""
SETTINGS = '{"text": "t", "number": 1.5, "size": 2, "c": "found"}'
FILES = {"python": "_helpers.py", "typescript": "helpers.ts", "go": "helpers.go"}


def files_of(language: str, program: Mapping[str, str], *, inline: bool = False) -> Mapping[PurePosixPath, str]:
    (subject,) = programs_in_memory(
        {"shown": program}, SchemaStore([]), [language], style=CodeStyle(inline_helpers=inline)
    )
    return subject.files[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_many_helpers_stand_in_a_file_of_their_own(language: str, name: str) -> None:
    helpers = PurePosixPath(FILES[language])
    files = files_of(language, PROGRAMS[name])
    names = {path.name.casefold() for path in files}
    assert helpers in files and len(names) == len(files)
    assert sum(text.count(files[helpers]) for text in files.values()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_is_shown_holds_its_helpers(language: str) -> None:
    files = files_of(language, PROGRAMS["many"], inline=True)
    beside = files_of(language, PROGRAMS["many"])
    assert set(beside) - set(files) == {PurePosixPath(FILES[language])}
    (main,) = (text for path, text in files.items() if path.stem in ("__main__", "index", "main"))
    defined = [line for line in beside[PurePosixPath(FILES[language])].splitlines() if line.startswith(("def", "func"))]
    assert defined and set(defined) <= set(main.splitlines())


def test_standard_output_and_documentation_are_one_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    tmp_path.joinpath(".git").mkdir()
    tmp_path.joinpath("main.pp").write_text(MANY)
    guide = tmp_path / "guide.md"
    guide.write_text(f"```pcl\n{MANY}```\n")
    assert app.main(["docs", "build", "guide.md", "--jobs", "1"]) == 0
    for language in LANGUAGES:
        capsys.readouterr()
        assert app.main(["generate", "main.pp", "--language", language, "--out", "-"]) == 0
        for text in (capsys.readouterr().out, guide.read_text()):
            assert "singleOrNone(" in text or "single_or_none(" in text
            assert not any(f"{name}{ending}" in text for name in APART for ending in ('"', " import", ".go", ".ts"))


def test_a_helper_file_goes_when_nothing_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "main.pp"
    for text, is_there in ((MANY, True), (MANY, True), ("output one { value = 1 }\n", False), (MANY, True)):
        program.write_text(text)
        assert app.main(["generate", "main.pp", "--out", "out/{language}"]) == 0
        presence = {language: (tmp_path / "out" / language / name).exists() for language, name in FILES.items()}
        assert presence == dict.fromkeys(LANGUAGES, is_there)


@pytest.mark.parametrize("name", ["checks", "helpers"])
def test_a_pack_cannot_have_the_name_of_a_helper_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(FunctionPackError, match=f"cannot be called `{name}`: it is taken"):
        load_pack(name, "module:PACK", tmp_path, None)


def test_programs_with_a_helper_file_are_formatted_and_run_the_same() -> None:
    subjects = programs_in_memory(PROGRAMS, SchemaStore([]))
    values = {"settings": SETTINGS, "names": '["only"]'}
    settings = {
        subject.key: Settings(config={f"{subject.name}:{key}": ConfigValue(text) for key, text in values.items()})
        for subject in subjects
    }
    report = verified(subjects, lambda subject: settings[subject.key], tools=environments(), levels=LEVELS)
    assert len(report.verdicts) == len(PROGRAMS) * len(LANGUAGES) * len(LEVELS)
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
