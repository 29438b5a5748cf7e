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


# V1 to V23: observed behavior of the peer with these programs.


def test_v01_lists_of_locals_and_config_as_inputs(judged: Judged) -> None:
    judged.assert_clean("l_list", "l_cfglist")


def test_v02_a_local_that_nothing_uses(judged: Judged) -> None:
    judged.assert_clean("r01_unused")


def test_v03_splat_of_a_ranged_resource_in_an_output(judged: Judged) -> None:
    judged.assert_clean("r02_range_num")
    assert all("PANIC" not in text for text in judged.texts("r02_range_num").values())


def test_v04_ranges_over_outputs_and_booleans(judged: Judged) -> None:
    judged.assert_clean("r03_range_output", "k_count", "r30_splatnull")


def test_v05_a_loop_over_a_ranged_resource(judged: Judged) -> None:
    judged.assert_clean("r05_for_resource")


def test_v06_resources_with_the_names_of_helpers(judged: Judged) -> None:
    judged.assert_clean("n_ctx", "n_err")


def test_v07_conditionals_inside_of_structures(judged: Judged) -> None:
    judged.assert_clean("r06_ternary", "l_nested")


def test_v08_components_with_plain_and_eventual_inputs(judged: Judged) -> None:
    judged.assert_clean("c_flat", "r13_component")


def test_v09_a_default_is_for_what_is_not_set(judged: Judged) -> None:
    judged.assert_clean("r09_config")
    texts = judged.texts("r09_config")
    assert "||" not in texts["typescript"]
    assert len(re.findall(r"^const .* \?\? ", texts["typescript"], re.MULTILINE)) == 3
    assert texts["go"].count("config.ErrMissingVar") == 2
    assert 'err := cfg.Try("text")' in texts["go"]  # fails only when it is missing
    assert 'config.get_bool("flag", True)' in texts["python"]


def test_v10_values_grouped_by_key(judged: Judged) -> None:
    judged.assert_clean("r26_forcomplex")


def test_v11_a_loop_inside_of_a_loop(judged: Judged) -> None:
    judged.assert_clean("r26_forcomplex", "r04_for")


def test_v12_a_heredoc_with_every_kind_of_quote(judged: Judged) -> None:
    judged.assert_clean("r11_heredoc")
    # A backslash and an n in the heredoc are not a line break.
    assert all("\\\\n 'q'" in text for text in judged.texts("r11_heredoc").values())


def test_v13_a_key_that_is_known_only_at_deployment(judged: Judged) -> None:
    judged.assert_clean("r21_fmt")


def test_v14_a_loop_inside_of_a_template(judged: Judged) -> None:
    judged.assert_clean("r12_templatefor")


def test_v15_an_element_of_an_output_in_a_template(judged: Judged) -> None:
    judged.assert_clean("k_index")


def test_v16_names_that_differ_in_style_only(judged: Judged) -> None:
    judged.assert_clean("r19_dash")
    typescript = re.sub(r'"[^"]*"', "", judged.text("r19_dash", "typescript"))
    for name, value in re.findall(r"const (\w+) = (.*);", typescript):
        assert re.search(rf"\b{name}\b", value) is None
    assert len(set(re.findall(r"const (\w+)", typescript))) == 3


def test_v17_a_member_of_a_map(judged: Judged) -> None:
    judged.assert_clean("k_opt")
    assert 'p.Keepers.MapIndex(pulumi.String("a"))' in judged.text("k_opt", "go")


def test_v18_try_can_and_the_other_functions(judged: Judged) -> None:
    judged.assert_clean("r14_try", "r31_builtins")


def test_v19_a_range_that_may_be_anything(judged: Judged) -> None:
    judged.assert_clean("r16_iter")


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


def test_v22_the_program_compiles(judged: Judged) -> None:
    judged.assert_clean("r32_mutation")


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



# Rows of the tables about generated code, by their numbers.


def test_row_002_literals_beside_outputs_in_json(judged: Judged) -> None:
    judged.assert_clean("r10_json", "n_json")


def test_row_003_plain_values_where_inputs_are_expected(judged: Judged) -> None:
    judged.assert_clean("l_map", "l_tmpl", "l_secretcfg", "r24_null")


def test_row_005_so_many_copies_without_using_the_number(judged: Judged) -> None:
    judged.assert_clean("r05_for_resource", "o_count")


def test_row_007_json_in_several_attributes(judged: Judged) -> None:
    judged.assert_clean("j_attributes")


def test_row_010_loops_of_all_kinds(judged: Judged) -> None:
    judged.assert_clean("r04_for", "r26_forcomplex")


def test_row_012_conditionals_in_outputs_of_components(judged: Judged) -> None:
    judged.assert_clean("o_component")


def test_row_014_optional_outputs_where_a_value_is_required(judged: Judged) -> None:
    judged.assert_clean("o_optional")


def test_row_015_a_policy_of_outputs(judged: Judged) -> None:
    judged.assert_clean("o_policy")


def test_row_016_lists_and_maps_of_anything(judged: Judged) -> None:
    judged.assert_clean("r22_assets")


def test_row_020_functions_of_packages(judged: Judged) -> None:
    judged.assert_clean("r23_invoke")


def test_row_021_files_where_texts_are_required(judged: Judged) -> None:
    judged.assert_clean("o_file")


def test_row_028_config_has_its_declared_type(judged: Judged) -> None:
    assert "getObject<string[]>(" in judged.text("r09_config", "typescript")
    assert "var subnets []string" in judged.text("r09_config", "go")


def test_row_029_members_of_enums(judged: Judged) -> None:
    judged.assert_clean("o_enum")


def test_row_030_names_that_mean_something_in_a_language(judged: Judged) -> None:
    judged.assert_clean("r07_names", "n_fmt", "n_random")


def test_row_032_names_of_members_follow_the_sdk_and_keys_of_maps_stay(judged: Judged) -> None:
    judged.assert_clean("o_nested")
    python = judged.text("o_nested", "python")
    assert '"private_key_password"' in python
    assert '"dial_error_limit"' in python
    assert all(key in python for key in ('"MY_KEY"', '"camelCase"', '"nestedMap"', '"innerKey"'))


def test_row_043_two_modules_with_classes_of_one_name(judged: Judged) -> None:
    judged.assert_clean("o_modules")


def test_row_064_copies_of_what_has_no_type(judged: Judged) -> None:
    judged.assert_clean("o_untyped")


def test_row_096_options_of_resources(judged: Judged) -> None:
    judged.assert_clean("r25_opts", "r27_order")


@pytest.mark.parametrize("languages", [["python"], ["typescript"], ["go"], ["python", "typescript", "go"]])
def test_numbers_are_exact_or_refused(languages: list[str]) -> None:
    """No double can distinguish 9007199254740993 from its neighbor: one diagnostic, whatever the languages."""
    refused = pclgen.generate(PROGRAMS["r20_num"], languages=languages, schemas=[SCHEMAS])
    assert refused.files == {}
    assert [diagnostic.code for diagnostic in refused.diagnostics] == ["PCL0423"]
