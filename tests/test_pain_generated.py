"""Defects that users of Pulumi's converters report, and that pclgen avoids.

Each defect has a program under `cases/pain`.  All programs are generated once in every language, and each compiler, type
checker and formatter runs once over all of them.  A test reads the verdicts on its programs, and inspects the text where a
compiler cannot see the defect.  `test_pain_runs` checks the behavior of the programs when they run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import pclgen
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.pipeline import bind, prepare, render
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.source.text import SourceFile
from pclgen.syntax.lexer import lex
from pclgen.targets.base import Project
from tests.support import compilers
from tests.support.binding import SCHEMAS
from tests.support.compilers import Messages, Programs
from tests.support.corpus import ROOT
from tests.support.counting import calls_of
from tests.support.generated import LANGUAGES, Generated, generate

PAIN = ROOT / "tests" / "cases" / "pain"
PROGRAMS = {path.parent.name: path.parent for path in sorted(PAIN.glob("*/main.pp"))}
REFUSED = frozenset({"r15_mismatch", "r17_dup", "r18e", "r20_num", "r28_cycle"})
"""Programs that are invalid, or that a language cannot express."""

LOST: frozenset[str] = frozenset()
"""Comments that the generated code loses; there are none."""

DEFECTS: Mapping[str, tuple[str, ...]] = {
    # V1 to V23: observed behavior of the peer with these programs.
    "V1: lists of locals and config as inputs": ("l_list", "l_cfglist"),
    "V2: a local that nothing uses": ("r01_unused",),
    "V4: ranges over outputs and booleans": ("r03_range_output", "k_count", "r30_splatnull"),
    "V5: a loop over a ranged resource": ("r05_for_resource",),
    "V6: resources with the names of helpers": ("n_ctx", "n_err"),
    "V7: conditionals inside of structures": ("r06_ternary", "l_nested"),
    "V8: components with plain and eventual inputs": ("c_flat", "r13_component"),
    "V10: values grouped by key": ("r26_forcomplex",),
    "V11: a loop inside of a loop": ("r26_forcomplex", "r04_for"),
    "V13: a key that is known only at deployment": ("r21_fmt",),
    "V14: a loop inside of a template": ("r12_templatefor",),
    "V15: an element of an output in a template": ("k_index",),
    "V18: try can and the other functions": ("r14_try", "r31_builtins"),
    "V19: a range that may be anything": ("r16_iter",),
    "V22: the program compiles": ("r32_mutation",),
    # Rows of the tables about generated code, by their numbers.
    "row 2: literals beside outputs in json": ("r10_json", "n_json"),
    "row 3: plain values where inputs are expected": ("l_map", "l_tmpl", "l_secretcfg", "r24_null"),
    "row 5: so many copies without using the number": ("r05_for_resource", "o_count"),
    "row 7: json in several attributes": ("j_attributes",),
    "row 10: loops of all kinds": ("r04_for", "r26_forcomplex"),
    "row 12: conditionals in outputs of components": ("o_component",),
    "row 14: optional outputs where a value is required": ("o_optional",),
    "row 15: a policy of outputs": ("o_policy",),
    "row 16: lists and maps of anything": ("r22_assets",),
    "row 20: functions of packages": ("r23_invoke",),
    "row 21: files where texts are required": ("o_file",),
    "row 29: members of enums": ("o_enum",),
    "row 30: names that mean something in a language": ("r07_names", "n_fmt", "n_random"),
    "row 43: two modules with classes of one name": ("o_modules",),
    "row 64: copies of what has no type": ("o_untyped",),
    "row 96: options of resources": ("r25_opts", "r27_order"),
}
"""Defects that a compiler, type checker or formatter sees, and their programs."""

CHECKS: Mapping[str, tuple[Callable[[Programs], Messages], ...]] = {
    "python": (compilers.check_python, compilers.check_black),
    "typescript": (compilers.check_typescript, compilers.check_prettier),
    "go": (compilers.check_go, compilers.check_gofmt),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All generated programs, and the messages of compilers and formatters by language and program."""

    generated: Generated
    messages: Mapping[str, Mapping[str, list[str]]]

    def assert_clean(self, *names: str) -> None:
        """Fail unless the programs compile, type-check and are well formatted in every language."""
        for name in names:
            assert self.generated.refused.get(name) is None
            messages = {language: self.messages[language][name] for language in LANGUAGES}
            assert messages == {language: [] for language in messages}, name

    def text(self, name: str, language: str) -> str:
        """The text of a program: all its files, concatenated."""
        files = sorted(path for path in self.generated.folders[language][name].rglob("*") if path.is_file())
        return "".join(path.read_text(encoding="utf-8") for path in files)

    def texts(self, name: str) -> dict[str, str]:
        """The text in every language."""
        return {language: self.text(name, language) for language in LANGUAGES}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    programs = {name: path for name, path in PROGRAMS.items() if name not in REFUSED}
    generated = generate(programs, tmp_path_factory.mktemp("pain"), schemas=[SCHEMAS])
    messages: dict[str, dict[str, list[str]]] = {}
    for language in LANGUAGES:
        messages[language] = {name: [] for name in generated.folders[language]}
        for check in CHECKS[language]:
            for name, errors in check(generated.folders[language]).items():
                messages[language][name] += errors
    return Judged(generated=generated, messages=messages)


def problems(name: str) -> list[tuple[str, str]]:
    """`(code, "line:column")` of the errors of a program."""
    diagnostics = pclgen.check(PROGRAMS[name], schemas=[SCHEMAS]).diagnostics
    return [
        (diagnostic.code, f"{diagnostic.primary.start_position.line}:{diagnostic.primary.start_position.column}")
        for diagnostic in diagnostics
        if diagnostic.severity is Severity.ERROR and diagnostic.primary is not None
    ]


def shown(name: str) -> str:
    """The rendered diagnostics of a program."""
    return pclgen.render_diagnostics(pclgen.check(PROGRAMS[name], schemas=[SCHEMAS]).diagnostics)


def test_every_program_is_judged(judged: Judged) -> None:
    assert judged.generated.refused == {}
    bad = {
        (name, language)
        for language in LANGUAGES
        for name, messages in judged.messages[language].items()
        if messages
    }
    assert bad == set()


@pytest.mark.parametrize("defect", DEFECTS)
def test_compilers_and_formatters_accept(judged: Judged, defect: str) -> None:
    judged.assert_clean(*DEFECTS[defect])


# The tests of other defects also inspect texts and diagnostics; their names begin alike.


def test_v03_splat_of_a_ranged_resource_in_an_output(judged: Judged) -> None:
    judged.assert_clean("r02_range_num")
    assert all("PANIC" not in text for text in judged.texts("r02_range_num").values())


def test_v09_a_default_is_for_what_is_not_set(judged: Judged) -> None:
    judged.assert_clean("r09_config")
    texts = judged.texts("r09_config")
    assert "||" not in texts["typescript"]
    assert len(re.findall(r"^const .* \?\? ", texts["typescript"], re.MULTILINE)) == 3
    assert texts["go"].count("config.ErrMissingVar") == 2
    assert 'err := cfg.Try("text")' in texts["go"]  # fails only when it is missing
    assert 'config.get_bool("flag", True)' in texts["python"]


def test_v12_a_heredoc_with_every_kind_of_quote(judged: Judged) -> None:
    judged.assert_clean("r11_heredoc")
    # A backslash and an n in the heredoc are not a line break.
    assert all("\\\\n 'q'" in text for text in judged.texts("r11_heredoc").values())


def test_v16_names_that_differ_in_style_only(judged: Judged) -> None:
    judged.assert_clean("r19_dash")
    typescript = re.sub(r'"[^"]*"', "", judged.text("r19_dash", "typescript"))
    for name, value in re.findall(r"const (\w+) = (.*);", typescript):
        assert re.search(rf"\b{name}\b", value) is None
    assert len(set(re.findall(r"const (\w+)", typescript))) == 3


def test_v17_a_member_of_a_map(judged: Judged) -> None:
    judged.assert_clean("k_opt")
    assert 'p.Keepers.MapIndex(pulumi.String("a"))' in judged.text("k_opt", "go")


def comments_of(folder: Path) -> list[str]:
    """The lines of all comments of a program."""
    lines: list[str] = []
    for file in sorted(folder.rglob("*.pp")):
        text = file.read_text(encoding="utf-8")
        for start, end in lex(SourceFile(file.name, text)).comments:
            lines += [line.strip("#/* ") for line in text[start:end].splitlines()]
    return lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_v20_comments_in_are_comments_out(judged: Judged, language: str) -> None:
    judged.assert_clean("r08_comments")
    written = comments_of(PROGRAMS["r08_comments"])
    assert len(written) == 26
    comments = [line.strip() for line in re.findall(r"(?:#|//) (.*)$", judged.text("r08_comments", language), re.MULTILINE)]
    assert sorted(comments) == sorted(line for line in written if line not in LOST)


def test_v21_messages_name_places_and_what_was_meant() -> None:
    assert problems("r15_mismatch") == [
        ("PCL0401", "3:12"),
        ("PCL0402", "4:3"),
        ("PCL0406", "5:12"),
        ("PCL0502", "7:22"),
        ("PCL0501", "8:20"),
    ]
    text = shown("r15_mismatch")
    assert "did you mean `separator`?" in text
    assert "`length` of random:index/randomPet:RandomPet" in text


def test_v21_a_duplicate_points_to_the_first_declaration() -> None:
    assert problems("r17_dup") == [("PCL0201", "2:10")]
    assert "first declared here" in shown("r17_dup")


def test_v21_a_cycle_names_its_members() -> None:
    assert problems("r28_cycle") == [("PCL0801", "1:5"), ("PCL0801", "3:58")]
    assert "`x` and `y` refer to each other" in shown("r28_cycle")


def test_v21_a_text_that_is_no_number_is_no_number() -> None:
    assert problems("r18e") == [("PCL0401", "1:58"), ("PCL0406", "2:58")]


def test_v22_one_bound_program_serves_all_languages() -> None:
    """Rendering a program for several languages, in any order, gives the same files as rendering each language alone."""
    sources = load_program(str(PROGRAMS["r32_mutation"]))
    project = Project(name="pain")

    def rendered(languages: tuple[str, ...]) -> dict[str, dict[str, str]]:
        checked = bind(sources, SchemaStore([SCHEMAS]))
        assert checked.program is not None
        bag = DiagnosticBag()
        prepared = prepare(checked.program, bag)
        files = {language: render(prepared, language, project, bag) for language in languages}
        assert list(bag) == []
        return {language: {str(path): text for path, text in texts.items()} for language, texts in files.items()}

    alone = {language: rendered((language,))[language] for language in LANGUAGES}
    assert all(alone.values())
    assert rendered(LANGUAGES) == alone
    assert rendered(LANGUAGES[::-1]) == alone
    assert rendered((*LANGUAGES, *LANGUAGES)) == alone


def chain(depth: int) -> str:
    """Conditionals whose branches have different types, each nested around the previous."""
    rows = [f"a{i} = c ? {{ p{i} = a{i - 1} }} : {{ q{i} = a{i - 1} }}\n" for i in range(1, depth)]
    return 'config c bool {}\na0 = c ? { x = 1 } : { y = "s" }\n' + "".join(rows) + f"output o {{ value = a{depth - 1} }}\n"


def cost(depth: int, language: str) -> int:
    """The cost of generating a chain, in function calls."""
    results: list[pclgen.GenerateResult] = []
    source = {"main.pp": chain(depth)}
    count = calls_of(lambda: results.append(pclgen.generate(source, languages=[language], program_only=True)))
    assert results[0].diagnostics == ()
    return count


@pytest.mark.parametrize("language", LANGUAGES)
def test_v23_conditionals_inside_of_each_other_cost_little(judged: Judged, language: str) -> None:
    judged.assert_clean("union20")
    cost(5, language)  # builds everything that is built on first use
    # Twice the depth costs twice as much, four times where types are written out; a doubling a level would cost 2**40.
    assert cost(80, language) < 10 * cost(40, language)


def test_row_028_config_has_its_declared_type(judged: Judged) -> None:
    assert "getObject<string[]>(" in judged.text("r09_config", "typescript")
    assert "var subnets []string" in judged.text("r09_config", "go")


def test_row_032_names_of_members_follow_the_sdk_and_keys_of_maps_stay(judged: Judged) -> None:
    judged.assert_clean("o_nested")
    python = judged.text("o_nested", "python")
    assert '"private_key_password"' in python
    assert '"dial_error_limit"' in python
    assert all(key in python for key in ('"MY_KEY"', '"camelCase"', '"nestedMap"', '"innerKey"'))


@pytest.mark.parametrize("languages", [["python"], ["typescript"], ["go"], ["python", "typescript", "go"]])
def test_numbers_are_exact_or_refused(languages: list[str]) -> None:
    """No double can distinguish 9007199254740993 from its neighbor: one diagnostic, whatever the languages."""
    refused = pclgen.generate(PROGRAMS["r20_num"], languages=languages, schemas=[SCHEMAS])
    assert refused.files == {}
    assert [diagnostic.code for diagnostic in refused.diagnostics] == ["PCL0423"]
