"""HashiCorp's HCL judges values; the evaluator is compared with it (`tests/judge`)."""

from __future__ import annotations

import re
from functools import cache

import pytest

from pclgen import pipeline
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.source.load import program_in_memory
from pclgen.source.text import SourceFile
from pclgen.syntax.parse import parse_file
from pclgen.verify.hcl.verification import NO_PACKAGES, evaluate_pure, pure_values
from tests.judge import grid
from tests.judge.differences import FOUND, program_of
from tests.judge.languages import answers_of
from tests.judge.nodes import text as plain_text
from tests.judge.oracle import judged, verdicts
from tests.judge.programs import Case, case
from tests.judge.verdicts import FAILS, GOOD, REFUSED, Answer, Class, Value, compared, same
from tests.support.corpus import ROOT, program_directories


def test_the_judge_evaluates_programs() -> None:
    programs = {
        "a = [{ x = 1 }, { x = null, y = 2 }]\noutput o { value = [for e in a : try(e.y, e.x)] }": [1, 2],
        'output o "map(string)" { value = { a = 1, b = true } }': {"a": "1", "b": "true"},
        'config c "object({ x = string, y = optional(string, \\"q\\") })" {\n  default = { x = 1 }\n}\noutput o { value = c }': {
            "x": "1",
            "y": "q",
        },
        "b = a[0]\na = [secret(3)]\noutput o { value = b * length(a) }": 3,
    }
    answers = judged(list(programs))
    assert [answer.result for answer in answers] == [Value(value) for value in programs.values()]
    assert judged(["output o { value = [1][3] }"])[0].result == FAILS


def test_a_number_makes_always_the_same_program() -> None:
    assert [str(case(number)) for number in range(20)] == [str(case(number)) for number in range(20)]


@pytest.mark.parametrize("language", ["evaluator", "python", "typescript", "go"])
def test_random_programs_have_the_values_of_hcl(language: str) -> None:
    cases = [case(number) for number in range(7_000_000, 7_000_300)]
    texts = [str(sample) for sample in cases]
    expected = [evaluate_pure(text) for text in texts]
    answers = expected if language == "evaluator" else answers_of(language, cases, expected)
    differing = [
        f"{text}\njudge: {verdict}\n{language}: {answer}"
        for verdict, answer, text, own in zip(verdicts(texts), answers, texts, expected, strict=True)
        if compared(verdict, answer, text, own, language) not in GOOD
    ]
    assert not differing, "\n\n".join(differing)


def found_cases() -> list[tuple[str, Case, object]]:
    """A separate program for each expression of `FOUND`."""
    rows = [(about, text, expected) for about, group in FOUND.items() for text, expected in group.items()]
    return [(f"{about}: {expression}", program_of(number, expression), value) for number, (about, expression, value) in enumerate(rows)]


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_choices_of_unlike_values_are_those_of_the_evaluator(language: str) -> None:
    # Go has structs for objects of the configuration, and some of its readers of unlike values do not know structs yet.
    cases = grid.sample(7, 64, without="optionals" if language == "go" else None)
    texts = [str(sample) for sample in cases]
    expected = [evaluate_pure(text) for text in texts]
    differing = [
        f"{text}\nevaluator: {own}\n{language}: {answer}"
        for verdict, answer, text, own in zip(
            verdicts(texts), answers_of(language, cases, expected), texts, expected, strict=True
        )
        if not grid.agrees(verdict, answer, text, own, language)
    ]
    assert not differing, "\n\n".join(differing)


@pytest.mark.parametrize("language", ["judge", "evaluator", "python", "typescript", "go"])
def test_what_was_found(language: str) -> None:
    titles, cases, values = zip(*found_cases(), strict=True)
    texts = [str(case) for case in cases]
    expected = [evaluate_pure(text) for text in texts]
    match language:
        case "judge":
            answers = judged(texts, "-rows")
        case "evaluator":
            answers = expected
        case _:
            answers = answers_of(language, cases, expected)
    differing = {
        title: f"{answer}, expected {value}"
        for title, answer, value in zip(titles, answers, values, strict=True)
        if not is_expected(answer, value)
    }
    assert not differing


def test_a_number_is_a_key_of_an_object_of_unknown_type_in_go() -> None:
    program = program_of(0, "[digits[1], digits[0].a, [for k in [0, 1] : digits[k]]]")
    own = evaluate_pure(str(program))
    assert answers_of("go", [program], [own])[0].result == own.result == Value([7, 1, [{"a": 1}, 7]])


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_try_gives_what_works_although_it_is_no_text(language: str) -> None:
    program = program_of(0, '"=${try([for x in late : [x]], hidden[1].days)}"')
    own = evaluate_pure(str(program))
    assert own.result == FAILS
    assert answers_of(language, [program], [own])[0].result == FAILS


def test_a_setting_that_nothing_reads_is_not_read_in_go_before_a_loop_with_an_error_of_its_own() -> None:
    text = "\n".join(str(case(number)) for number in (911_000_628, 911_000_635, 911_000_639))
    result = pipeline.generate(program_in_memory("pool", {"main.pp": text}), languages=["go"], store=NO_PACKAGES)
    assert not [diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR]


def is_expected(answer: Answer, value: object) -> bool:
    """Whether an answer is a value, or a failure at `check` or at run time."""
    if value == FAILS:
        return answer.result in (FAILS, REFUSED)
    return isinstance(answer.result, Value) and same(answer.result.json, value)


@pytest.mark.parametrize(("label", "value"), [("any", FAILS), ("list(any)", Value(5))])
def test_a_text_indexes_lists_of_known_type_only(label: str, value: object) -> None:
    assert evaluate_pure(f'config c "{label}" {{\n  default = [5]\n}}\noutput o {{\n  value = c["0"]\n}}\n').result == value


def test_parts_that_are_not_evaluated_do_not_fail_by_the_rows() -> None:
    text = 'm = { "1" = 100 }\nt = "-3"\noutput o {\n  value = [for x in m : 1 if (x <= x) || t]\n}\n'
    [verdict] = verdicts([text])
    assert (verdict.hcl.result, verdict.rows.result) == (FAILS, Value([1]))


def test_a_default_of_unknown_type_has_to_fit_the_elements() -> None:
    text = 'config c any {\n  default = 5\n}\noutput o {\n  value = lookup({ for k, v in { a = 1 } : "a" => [v] }, "b", c)\n}\n'
    [verdict] = verdicts([text])
    own = evaluate_pure(text)
    assert (verdict.hcl.result, own.result) == (Value(5), FAILS)
    assert compared(verdict, own, text, own) is Class.ROW
    assert compared(verdict, Answer(Value(5)), text, own, "python") in GOOD


def test_only_what_the_evaluator_fails_over_may_be_a_local_that_nothing_uses() -> None:
    text = "a = secret([1])\nb = a[a[0]]\noutput o {\n  value = 2\n}\n"
    [verdict] = verdicts([text])
    answers = [Answer(Value(2)), Answer(Value(3))]
    assert [compared(verdict, answer, text, evaluate_pure(text)) for answer in answers] == [Class.ROW, Class.VALUE]
    assert compared(verdict, Answer(Value(2)), text, Answer(Value(2))) is Class.VALUE


ROWS = {
    '[for x in [["a"], { b = 1 }] : entries(x)]': REFUSED,
    '[for x in [[], "a"] : can(x[*].size)]': REFUSED,
    '[for x in [["a"], true] : try(x[*], "no")]': REFUSED,
    '[for x in [{ a = 1 }, true] : try(lookup(x, "a", 2), "no")]': REFUSED,
    'lookup({ for k, v in m : k => (m.a == 2 ? 1 : null) }, "a b", [])': REFUSED,
    'lookup({ for k, v in m : "a" => { for j, w in m : j => v } }, "b", true)': REFUSED,
    'lookup({ for k, v in m : "a" => [v] }, "b", {})': REFUSED,
    "{ for k, x in { for j, y in m : j => [y]... if !true } : k => x || true }": REFUSED,
    'join("-", [for v in [{ a = m.a }] : v if m.a == 2])': REFUSED,
    "fractions[0.5]": REFUSED,
    "fractions[-1]": REFUSED,
    "try(nothing, false) || true": FAILS,
    'try(unknown.b, true) && false': FAILS,
    'try("=%{ if false }${texts}%{ else }n%{ endif }", "b")': Value("b"),
    "element([1, 2, m.a], m.a * 5000000000)": FAILS,
    'm.a == 2 ? ["a", try(["b", 1][m.a - 1], m), 5] : [false, "c"]': Value([False, "c"]),
    'm.a == 1 ? { n = 2.5, x = [] } : lookup((unknown.c ? { o = 1 } : { o = 2 }), "t", { n = "" })': Value({"n": "2.5", "x": []}),
}
"""Intended answers of the evaluator that differ from HCL's values, each by a row of the table."""


@pytest.mark.parametrize("value", ROWS)
def test_the_comparison_knows_the_rows_of_the_table(value: str) -> None:
    declared = {"m": "any", "nothing": "any", "unknown": "any", "texts": "list(any)", "fractions": "any"}
    defaults = {"m": "{ a = 1 }", "nothing": "null", "unknown": "{ b = null, c = 5 }", "texts": "[]", "fractions": '{ "0.5" = 1, "-1" = 2 }'}
    used = [name for name in declared if re.search(rf"\b{name}\b", value)]
    sources = [f'config {name} "{declared[name]}" {{\n  default = {defaults[name]}\n}}\n' for name in used if name != "m"]
    local = ["m = { a = 1 }\n"] if "m" in used else []
    text = "".join([*local, *sources]) + f"output o {{\n  value = {value}\n}}\n"
    [verdict] = verdicts([text])
    own = evaluate_pure(text)
    assert own.result == ROWS[value]
    assert verdict.hcl.result not in (own.result, FAILS)
    assert compared(verdict, own, text, own) is Class.ROW
    other = Answer(Value("another"))
    assert compared(verdict, other, text, own) not in GOOD


def test_a_default_of_a_typed_map_that_does_not_fit_fails_in_hcl() -> None:
    text = 'config m "map(string)" {\n  default = { a = "x" }\n}\noutput o {\n  value = lookup(m, "a", m)\n}\n'
    assert judged([text])[0].result == FAILS


@pytest.mark.parametrize(
    ("value", "answer", "is_known"),
    [
        ("c[3]", None, True),
        ("[c[1] == null, [2]][0]", True, True),
        ("{ a = c[2] }", {"a": None}, True),
        ("c[0]", None, False),
        ("c[3].x", None, False),
        ("try(c[3], 5)", None, False),
        ('"x${c[3]}"', "xundefined", False),
    ],
)
def test_only_an_element_past_the_end_may_be_undefined_in_typescript(value: str, answer: object, is_known: bool) -> None:
    text = f'config c "list(number)" {{\n  default = [5]\n}}\noutput o {{\n  value = {value}\n}}\n'
    [verdict] = verdicts([text])
    actual, own = Answer(Value(answer)), evaluate_pure(text)
    assert (compared(verdict, actual, text, own, "typescript") in GOOD) is is_known
    assert compared(verdict, actual, text, own, "python") not in GOOD


def test_only_an_element_of_an_output_past_the_end_may_be_zero_in_go() -> None:
    for source, is_known in (('secret(["a"])', True), ('["a"]', False)):
        text = f"c = {source}\noutput o {{\n  value = c[length(c) + 0]\n}}\n"
        [verdict] = verdicts([text])
        own = evaluate_pure(text)
        assert (compared(verdict, Answer(Value("")), text, own, "go") in GOOD) is is_known
        assert compared(verdict, Answer(Value("b")), text, own, "go") not in GOOD


@cache
def pure_cases() -> list[Case]:
    """The pure programs of the examples and the corpora."""
    folders = [*sorted((ROOT / "examples").iterdir()), *program_directories("field"), *program_directories("codegen")]
    files = [file for folder in folders if folder.is_dir() for file in sorted(folder.glob("*.pp"))]
    trees = [parse_file(SourceFile(file.name, file.read_text("utf-8")), DiagnosticBag()) for file in files]
    programs = [(pure, value) for pure in (pure_values([tree]) for tree in trees) for value in pure.values]
    return [
        Case(number=number, sources=tuple(map(plain_text, pure.needed_by([value]))), output=plain_text(value.expression))
        for number, (pure, value) in enumerate(programs)
    ]


@pytest.mark.parametrize("language", ["evaluator", "python", "typescript", "go"])
def test_pure_values_of_the_corpora_are_those_of_hcl(language: str) -> None:
    cases = pure_cases()
    assert cases
    texts = [str(sample) for sample in cases]
    expected = [evaluate_pure(text) for text in texts]
    answers = expected if language == "evaluator" else answers_of(language, cases, expected, together=1, types=False)
    differing = [
        f"{text}\njudge: {verdict}\n{language}: {answer}"
        for verdict, answer, text, own in zip(verdicts(texts), answers, texts, expected, strict=True)
        if compared(verdict, answer, text, own, language) not in GOOD
    ]
    assert not differing, "\n\n".join(differing)
